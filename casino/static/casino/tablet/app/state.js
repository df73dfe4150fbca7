// The round on this tablet: a draft that every tap replaces, the steps that undo takes back, and what is open on the screen.
import { computed, signal } from "@preact/signals";
import { page, uuid } from "tablet/words";
import { draftWrite } from "tablet/store";
import { jackpot, link, standing } from "tablet/live";

export const DEAD_MS = 600; // after a change of phase a tap on the action does nothing: a finger that taps twice means one
const STEPS_MOST = 60;

export const draft = signal(null);
export const history = signal([]);
export const sheet = signal(null); // what lies over the columns: {name, …}
export const notice = signal(null); // {title, help, kind, act}
export const working = signal(""); // the command whose answer is waited for
export const settled = signal(null); // the last round of this tablet, as long as it can be put right: {draft, revision, until}
let deadUntil = 0;

export const isDead = () => performance.now() < deadUntil;
export const isSupervisor = page.supervisor;

export function freshDraft(seats, level = standing.value.session.entry_level) {
  return {
    session: standing.value.session.id, level, phase: "bets", mode: "new", round: uuid(), number: null, seats, before: seats,
    results: {}, flags: {}, cards: {}, owners: {}, current: null, part: null, lockedAt: null, offline: false,
  };
}

// What the server is deciding on is not changed meanwhile: what is shown, paid and booked is one thing.
const HOLDS = ["lock", "settle", "correct"];
export const isHeld = () => HOLDS.includes(working.value);

// Take a step that undo takes back; without words there is nothing to take back (a tile was chosen).
export function take(next) {
  if (!next || isHeld()) return;
  if (next.step) history.value = [...history.value.slice(1 - STEPS_MOST), { draft: draft.value, step: next.step }];
  show(next.draft);
}

export function undo() {
  const last = history.value.at(-1);
  if (!last || isHeld()) return;
  history.value = history.value.slice(0, -1);
  show(last.draft);
}

export function show(next) {
  draft.value = next;
  draftWrite(next);
}

// Another phase: nothing of the one before can be undone, and the action is dead for a moment.
export function enter(next) {
  deadUntil = performance.now() + DEAD_MS;
  history.value = [];
  sheet.value = null;
  notice.value = null;
  working.value = "";
  show(next);
}

export const guestAt = (box) => standing.value.guests.find((one) => one.box === box);

// Whether coins, or all stakes, may be placed: "" is yes, else why not.
export const coinsShut = computed(() => {
  if (!standing.value.jackpot) return "";
  if (link.value === "off" || draft.value?.offline) return "offline";
  const phase = jackpot.value?.phase ?? "unknown";
  return phase === "open" ? "" : phase;
});
const BETWEEN = ["draining", "verifying", "showing"]; // between a hit and the reopening
export const stakesShut = computed(() => {
  if (!coinsShut.value) return "";
  if (coinsShut.value === "offline") return standing.value.offline === "stop" ? "offline" : "";
  return page.game.progressive?.coins_only_blocked && BETWEEN.includes(coinsShut.value) ? "" : coinsShut.value;
});
