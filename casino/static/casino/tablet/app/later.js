// Stakes that come after the lock: each is a command of its own when it is tapped, and one that takes it back when the tap is undone.
//
// They lie in the draft (`placed`), each under the key of its command, and are sent in their order like the round itself. Of a round
// that was locked without the server they go with it, when it is sent.
import { uuid } from "tablet/page";
import { tellToStay } from "tablet/answers";
import { kept, roundPath } from "tablet/commands";
import { draft, history, isHeld, sheet, show, take, undo as undoTap } from "tablet/state";
import * as outbox from "tablet/outbox";
import * as game from "tablet/game";
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

// What takes a stake back names its number, which the house gives: until that is known it waits, and what comes after it (`outbox.js`).
const numbers = new Map(); // by key of a command that was answered

async function takeBack(one, now) {
  const { key, number, box, guest, kind, source } = one;
  const stake = { box, guest, kind, source };
  const body = { placed: number ?? numbers.get(key) ?? null };
  const path = roundPath(now.round, "take-back");
  await kept(
    {
      kind: "take_back",
      of: key,
      stake,
      lay: one,
      round: now.round,
      number: now.number,
      path,
      body,
    },
    now,
  );
  await numberKnown(key);
}

const takenBack = (key) =>
  outbox.pending.value.find(
    (one) => one.kind === "take_back" && one.of === key && one.body.placed === null,
  );

async function numberKnown(key) {
  const back = takenBack(key);
  if (back && numbers.has(key)) await outbox.replace(back, { body: { placed: numbers.get(key) } });
}

// A page that ended in between does not know it any more; what the table is told of its round does.
export function numbered(round) {
  const { value: pending } = outbox.pending;
  for (const back of pending.filter(
    (one) => one.kind === "take_back" && one.body.placed === null,
  )) {
    if (pending.some((one) => one.key === back.of) || numbers.has(back.of)) continue;
    const isIt = (one) => Object.entries(back.stake).every(([name, value]) => one[name] === value);
    const lies =
      round?.id === back.round ? round.stakes.filter((one) => one.placed && isIt(one)) : [];
    const placed = Math.max(0, ...lies.map((one) => one.placed));
    if (placed) outbox.replace(back, { body: { placed } });
    else outbox.drop((one) => one.seq === back.seq); // nothing of it lies there
  }
}

// In the draft and in the steps that undo goes back to.
function everywhere(round, turn) {
  if (draft.value.round !== round) return;
  const turned = (one) => ({ ...one, placed: (one.placed ?? []).flatMap(turn) });
  history.value = history.value.map((step) => ({ ...step, draft: turned(step.draft) }));
  show(turned(draft.value));
}

// The house has it, under this number: what takes it back waits for that.
export async function placed(entry, { answer: { stakes } }) {
  const { placed: number } = stakes.at(-1);
  numbers.set(entry.key, number);
  await numberKnown(entry.key);
  everywhere(entry.round, (one) => (one.key === entry.key ? { ...one, number } : one));
}

// It is not booked, and does not lie there: nothing is to be taken back either.
export async function notPlaced(entry, { problem: { title, detail } }) {
  const back = takenBack(entry.key);
  if (back) await outbox.drop((one) => one.seq === back.seq);
  everywhere(entry.round, (one) => (one.key === entry.key ? [] : one));
  tellToStay(`${w("not_placed", { number: numberOf(entry) })} ${title}`, detail);
}

// The house has not taken it back: it lies there as before.
export function notTakenBack(entry, { problem: { title, detail } }) {
  again(entry);
  tellToStay(`${w("not_taken_back", { number: numberOf(entry) })} ${title}`, detail);
}

function again({ round, lay }) {
  const { value: now } = draft;
  if (now.round !== round || now.phase !== "play" || now.placed.some((one) => one.key === lay.key))
    return;
  const laid = (one) => ({ ...one, placed: [...(one.placed ?? []), lay] });
  history.value = history.value.map((step) => ({ ...step, draft: laid(step.draft) }));
  show(laid(now));
}

// What others have placed or taken back in the round that is on this screen, once nothing of it is on its way.
export function adopt({ id, stakes }) {
  const now = draft.peek();
  const theirs = game.placedOf?.(stakes);
  if (!theirs || now.round !== id || now.mode !== "new" || now.offline) return;
  const mine = now.placed ?? [];
  const numbersOf = (list) => list.map((one) => one.number).join();
  if (mine.some((one) => !one.number) || numbersOf(mine) === numbersOf(theirs)) return;
  const lies = new Set(theirs.map((one) => one.number));
  const had = new Set(mine.map((one) => one.number));
  const others = theirs.filter((one) => !had.has(one.number));
  const turned = (one) => ({
    ...one,
    placed: [...(one.placed ?? []).filter(({ number }) => lies.has(number)), ...others],
  });
  history.value = history.value.map((step) => ({ ...step, draft: turned(step.draft) }));
  show(turned(now));
}
