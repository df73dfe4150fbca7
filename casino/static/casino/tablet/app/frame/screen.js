// What is on the screen whatever is played: what lies over it, what it says, which command's answer it waits for, whether it takes a tap.
import { signal } from "@preact/signals";
import { page, remember } from "tablet/frame/page";
import { w } from "tablet/frame/words";
import { wrong } from "tablet/frame/sound";

export const DEAD_MS = 600; // after a change of phase a tap on the action does nothing: a finger that taps twice means one
export const sheet = signal(null); // what lies over the columns: {name, …}
export const notice = signal(null); // {title, help, kind, act}
const SAID = `saalchef-tablet-said-${page.table}`;
export const alarms = signal(JSON.parse(localStorage.getItem(SAID) ?? "[]")); // what is said until it is closed: [{title, help, count}]
export const working = signal(""); // the command whose answer is waited for
export const resting = signal(false); // the action takes no tap, and is drawn so
let [deadUntil, awakes] = [0, 0];

export const isSupervisor = page.supervisor;

// What the action does has just changed under the finger.
export const isDead = () => performance.now() < deadUntil;
export const rest = (ms = DEAD_MS) => {
  deadUntil = performance.now() + ms;
  resting.value = ms > 0;
  clearTimeout(awakes);
  awakes = setTimeout(() => {
    resting.value = false;
  }, ms);
};

export function tell(title, help = "", more = {}) {
  notice.value = { title, help, kind: "alarm", ...more };
  if (notice.value.kind === "alarm") wrong();
}

// What has to be read, however much else is said meanwhile: it stands there until somebody closes it. `of`: the command that it is said
// of, once. `round`: it leaves with this round.
export function tellToStay(title, help, { of = null, round = null } = {}) {
  const same = alarms.value.find((one) => one.title === title && one.help === help);
  if (of && same?.of === of) return;
  sayAlarms([
    ...alarms.value.filter((one) => one !== same),
    { title, help, count: (same?.count ?? 0) + 1, of, round },
  ]);
  wrong();
}

// The browser's database takes nothing more (a full disk, a profile that was deleted): nothing may be said to be stored.
export function unstored(error) {
  console.warn(error);
  notice.value = { title: w("not_stored"), help: w("not_stored_help"), kind: "alarm" };
  wrong();
}

export function sayAlarms(list) {
  alarms.value = list;
  remember(SAID, list.length ? JSON.stringify(list) : null);
}
