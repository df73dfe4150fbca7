// Stakes that come after the lock: each is a command of its own when it is tapped, and one that takes it back when the tap is undone.
//
// They lie in the draft (`placed`), each under the key of its command, and are sent in their order like the round itself. Of a round
// that was locked without the server they go with it, when it is sent.
import { uuid } from "tablet/page";
import { tellToStay } from "tablet/answers";
import { kept, roundPath } from "tablet/commands";
import { draft, history, isHeld, sheet, show, take, undo as undoTap } from "tablet/state";
import * as outbox from "tablet/outbox";
import { numberOf } from "tablet/commands";
import { w } from "tablet/words";

// Whether they are sent as they are tapped. A round that is put right brings them with its correction.
const isSent = ({ mode, offline }) => mode === "new" && !offline;

// Do what a tap means: change what is entered, open a sheet, place stakes.
export function act(next) {
  if (!next || isHeld()) return;
  if (next.sheet) return void (sheet.value = next.sheet);
  const placed = (next.draft.placed ?? []).map((one) => (one.key ? one : { ...one, key: uuid() }));
  const before = draft.value.placed ?? [];
  take({ ...next, draft: { ...next.draft, placed } });
  if (!isSent(next.draft)) return;
  for (const one of placed.slice(before.length)) place(one);
}

const place = ({ key, placement }) =>
  kept(
    {
      kind: "place",
      key,
      round: draft.value.round,
      number: draft.value.number,
      path: roundPath(draft.value.round, "place"),
      body: { placement },
    },
    draft.value,
  );

// Take the last tap back; and stakes that it brought, the newest first.
export function undo() {
  const before = draft.value.placed ?? [];
  undoTap();
  const now = draft.value;
  const left = new Set((now.placed ?? []).map((one) => one.key));
  if (!isSent(now)) return;
  for (const one of before.filter(({ key }) => !left.has(key)).reverse()) takeBack(one, now);
}

const takeBack = ({ key, number = null }, now) =>
  kept(
    {
      kind: "take_back",
      of: key,
      round: now.round,
      number: now.number,
      path: roundPath(now.round, "take-back"),
      body: { placed: number },
    },
    now,
  );

// In the draft and in the steps that undo goes back to.
function everywhere(round, turn) {
  if (draft.value.round !== round) return;
  const turned = (one) => ({ ...one, placed: (one.placed ?? []).flatMap(turn) });
  history.value = history.value.map((step) => ({ ...step, draft: turned(step.draft) }));
  show(turned(draft.value));
}

const takenBack = ({ key }) =>
  outbox.pending.value.find((one) => one.kind === "take_back" && one.of === key);

// The house has it, under this number: what takes it back waits for that.
export async function placed(entry, { answer: { stakes } }) {
  const { placed: number } = stakes.at(-1);
  const back = takenBack(entry);
  if (back && back.body.placed === null) await outbox.replace(back, { body: { placed: number } });
  everywhere(entry.round, (one) => (one.key === entry.key ? { ...one, number } : one));
}

// It is not booked, and does not lie there: nothing is to be taken back either.
export async function notPlaced(entry, { problem: { title, detail } }) {
  const back = takenBack(entry);
  if (back) await outbox.drop((one) => one.seq === back.seq);
  everywhere(entry.round, (one) => (one.key === entry.key ? [] : one));
  tellToStay(`${w("not_placed", { number: numberOf(entry) })} ${title}`, detail);
}

// The house has not taken it back: it lies there as before.
export function notTakenBack(entry, { problem: { title, detail } }) {
  tellToStay(`${w("not_taken_back", { number: numberOf(entry) })} ${title}`, detail);
}
