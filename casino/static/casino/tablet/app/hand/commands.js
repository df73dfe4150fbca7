// What is sent of a hand and of a seat. Each is stored before it is sent; about who is dealt in
// nothing goes before the hand does.
import { uuid } from "tablet/frame/page";
import { link, secondsTo, serverNow } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { api, kept, tablePath } from "tablet/frame/commands";
import { sheet } from "tablet/frame/screen";
import { w } from "tablet/frame/words";
import { dealtIn, draft, isDealt, numberOf, show, stayOf } from "tablet/hand/state";
import * as game from "tablet/game";

const resultOf = (now) => ({ dealt: dealtIn(now), ...game.body(now) });

export const handEntry = (now) => ({
  kind: "hand",
  hand: now.hand,
  number: numberOf(now),
  draft: now,
  nets: game.netsOf(now),
  carries: game.carriesOf(now),
  path: tablePath(`hands/${now.hand}/end/`),
  body: {
    ...resultOf(now),
    began_at: new Date(now.beganAt).toISOString(),
    queued: link.value === "off",
  },
});

// A hand runs, told once and with no answer waited for: its end alone is enough. What was commanded
// before it goes first, so that the house bars none of it.
let begun = "";
export function tellBegun(now) {
  if (now.mode !== "new" || now.phase !== "dealt" || begun === now.hand) return;
  if (link.value === "off" || outbox.pending.value.some(({ kind }) => kind !== "call")) return;
  begun = now.hand;
  const body = { number: numberOf(now), dealt: dealtIn(now), ...game.begun(now) };
  const command = { body, key: uuid(), seq: 0, at: serverNow() };
  outbox.request(tablePath(`hands/${now.hand}/begin/`), command).catch(() => {});
}

// Alone for as long as the house lets who dealt it; then the pit is asked.
export function correction(now) {
  const isAlone = secondsTo(now.aloneUntil) > 0;
  const body = { ...resultOf(now), revision: now.last.revision, reason: w("mistyped") };
  return {
    kind: "correct_hand",
    asks: !isAlone,
    hand: now.hand,
    draft: now,
    path: api(`hands/${now.hand}/${isAlone ? "correct" : "correction-request"}/`),
    body: isAlone ? { ...body, approval: null } : body,
  };
}

// A guest sits down: named here until the server gives the name.
export const beginStay = (body) =>
  commanded({ act: "begin", temp: `new-${uuid()}`, path: tablePath("stays/"), body });

// `paid`: of time that is taken, by stay until when it is paid then.
export const ofStay = (act, stay, body = {}, path = `stays/${stay}/${act}/`) =>
  commanded({ act, stay, of: [stay], path: api(path), body });
export const takeTime = (of, means, paid) =>
  commanded({ act: "time", of, paid, path: tablePath("time/"), body: { stays: of, means } });

const NOW = ["begin", "back"];
const isInHand = (id) => {
  const stay = stayOf(id);
  return draft.value.phase === "dealt" && stay && isDealt(draft.value, stay);
};

// What waits for the end of the hand that they are dealt in.
export const waitsFor = ({ act, of = [] }) => !NOW.includes(act) && of.some(isInHand);
export const waitingOf = (now, id) => now.waiting.find((one) => one.of.includes(id));

async function commanded(more) {
  const entry = { kind: "stay", ...more };
  if (waitsFor(entry))
    show({
      ...draft.value,
      waiting: [...draft.value.waiting, { ...entry, hand: draft.value.hand }],
    });
  else if (!(await kept(entry))) return false;
  sheet.value = null;
  return true;
}

// What waited goes, behind the hand that has gone; what is of the hand that runs stays.
export async function sendWaiting() {
  const isDue = ({ hand }) => draft.value.phase === "between" || hand !== draft.value.hand;
  let first = draft.value.waiting.find(isDue);
  while (first) {
    const [sent, now] = [first, draft.value];
    draft.value = { ...now, waiting: now.waiting.filter((one) => one !== sent) };
    if (!(await kept(sent, draft.value)))
      return void show({ ...draft.value, waiting: [sent, ...draft.value.waiting] });
    first = draft.value.waiting.find(isDue);
  }
}

export const forget = (entry) =>
  show({ ...draft.value, waiting: draft.value.waiting.filter((one) => one !== entry) });
