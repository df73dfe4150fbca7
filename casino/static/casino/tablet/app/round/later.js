// Stakes that come after the lock: each is a command of its own when it is tapped, and one that takes it back when the tap is undone.
//
// They lie in the draft (`placed`), each under the key of its command, and are sent in their order like the round itself. Of a round
// that was locked without the server they go with it, when it is sent.
import { uuid } from "tablet/frame/page";
import { numberOf, roundPath, settlement } from "tablet/round/commands";
import { draft, history, isHeld, settled, show, take, undo as undoTap } from "tablet/round/state";
import * as outbox from "tablet/frame/outbox";
import * as game from "tablet/game";
import { w } from "tablet/frame/words";
import { sheet, tellToStay, working } from "tablet/frame/screen";
import { kept } from "tablet/frame/commands";

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

// The round has ended at the house: it keeps the result for the pit, as it was entered.
const OVER = "round.state_refused";

// In the round as it is on the screen, in the steps that undo goes back to, and as it was finished.
function everywhere(round, turn) {
  const turned = (one) => (one.round === round && one.phase === "play" ? turn(one) : one);
  history.value = history.value.map((step) => ({ ...step, draft: turned(step.draft) }));
  const [now, was] = [turned(draft.value), settled.value?.draft];
  if (now !== draft.value) show(now);
  if (was) settled.value = { ...settled.value, draft: turned(was) };
}

// Its result, where that is stored and was not sent yet.
const resultsOf = (round) =>
  outbox.pending.value.filter((one) => one.kind === "settle" && one.round === round);

// The house has it, under this number: what takes it back waits for that.
export async function placed(entry, { answer: { stakes } }) {
  const { placed: number, kind, accepted_minor: minor } = stakes.at(-1); // the house says what it is
  numbers.set(entry.key, number);
  await numberKnown(entry.key);
  const named = (one) => (one.key === entry.key ? { ...one, number, kind, minor } : one);
  const turn = (one) => ({ ...one, placed: one.placed.map(named) });
  everywhere(entry.round, turn);
  for (const one of resultsOf(entry.round)) await outbox.replace(one, { draft: turn(one.draft) });
}

const isIn = (one, key) => one.placed.some((other) => other.key === key);

function without(one, key) {
  if (!isIn(one, key)) return one;
  const placed = one.placed.filter((other) => other.key !== key);
  return game.unplaced?.(one, key) ?? { ...one, placed };
}

// It is not booked, and does not lie there, nor does what hung on it: nothing of that is sent, or taken back.
export async function notPlaced(entry, { problem }) {
  const { key, round } = entry;
  const title = `${w("not_placed", { number: numberOf(entry) })} ${problem.title}`;
  if (problem.code === OVER) {
    await outbox.drop((one) => one.kind === "take_back" && one.of === key);
    return tellToStay(title, problem.detail, { of: key });
  }
  const goes = new Set([key]);
  const turn = (one) => {
    const next = without(one, key);
    for (const { key: other } of one.placed) if (!isIn(next, other)) goes.add(other);
    return next;
  };
  await lookAgain(round, turn, problem);
  await outbox.drop(
    (one) =>
      (one.kind === "place" && one.key !== key && goes.has(one.key)) ||
      (one.kind === "take_back" && goes.has(one.of)),
  );
  tellToStay(title, problem.detail, { of: key });
}

// The house has not taken it back: it lies there as before.
export async function notTakenBack(entry, { problem }) {
  const lay = { ...entry.lay, number: entry.body.placed };
  const isIt = (one) => one.key === lay.key || one.number === lay.number;
  const isBefore = (one) => one.number < lay.number;
  const turn = (one) =>
    one.placed.some(isIt)
      ? one
      : {
          ...one,
          placed: [...one.placed.filter(isBefore), lay, ...one.placed.filter((n) => !isBefore(n))],
        };
  if (problem.code !== OVER) await lookAgain(entry.round, turn, problem);
  const title = `${w("not_taken_back", { number: numberOf(entry) })} ${problem.title}`;
  tellToStay(title, problem.detail, { of: entry.key });
}

// What was entered for other stakes than are booked is not sent as it is: the round stays on the screen, or comes back to it.
async function lookAgain(round, turn, problem) {
  const isHere = draft.value.round === round && draft.value.mode === "new";
  if (isHere && working.value === "settle") working.value = "";
  everywhere(round, turn);
  for (const one of resultsOf(round)) {
    const next = turn(one.draft);
    if (next === one.draft) continue;
    if (isHere) await outbox.drop(({ seq }) => seq === one.seq);
    else
      await outbox.replace(one, {
        draft: next,
        body: settlement(next).body,
        refused: { ...problem, stake: true },
      });
  }
}

// What others have placed or taken back in the round that is on this screen, once nothing of it is on its way.
export function adopt({ id, stakes }) {
  const now = draft.peek();
  const theirs = game.placedOf?.(stakes);
  if (!theirs || now.round !== id || now.mode === "correct" || now.offline || isMoving(id)) return;
  const mine = now.placed ?? [];
  const numbersOf = (list) => list.map((one) => one.number).join();
  if (mine.some((one) => !one.number) || numbersOf(mine) === numbersOf(theirs)) return;
  const lies = new Set(theirs.map((one) => one.number));
  const turn = (one) => {
    const gone = one.placed.filter(({ number }) => !lies.has(number));
    const left = gone.reduce((less, { key }) => without(less, key), one);
    const had = new Set(left.placed.map(({ number }) => number));
    const all = [...left.placed, ...theirs.filter(({ number }) => !had.has(number))];
    return { ...left, placed: all.sort((a, b) => a.number - b.number) };
  };
  everywhere(id, turn);
}

const isMoving = (round) =>
  outbox.underWay().some((one) => one.round === round && ["place", "take_back"].includes(one.kind));
