// The life of a round as the croupier drives it: lock, withdraw, reopen, settle, correct, call, void. Each is stored, then sent; what
// its answer means is in `answers.js`, whether this page hears it or the next one. Without an answer the table goes on as it may.
import { computed, effect, untracked } from "@preact/signals";
import { page } from "tablet/frame/page";
import { w } from "tablet/frame/words";
import {
  ask,
  heardOf,
  isPageOld,
  isSeatingLate,
  link,
  serverNow,
  standing,
} from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { draftRead, draftWrite, stepsRead } from "tablet/frame/store";
import {
  answered,
  comeBack,
  hearRefused,
  heldBack,
  refusedEntry,
  stillHere,
  unseat,
} from "tablet/round/answers";
import {
  aloneFor,
  coinsShut,
  draft,
  enter,
  freshDraft,
  history,
  isRoyalOpen,
  isUndone,
  played,
  restored,
  settled,
  show,
  stakesShut,
  stepsOf,
} from "tablet/round/state";
import * as game from "tablet/game";
import { click } from "tablet/frame/sound";
import { correction, numberOf, queued, roundPath, settlement } from "tablet/round/commands";
import { decided, follow, repeated } from "tablet/round/follow";
import { isDead, notice, rest, sheet, tell, unstored, working } from "tablet/frame/screen";
import { kept, replaced, tablePath, beside } from "tablet/frame/commands";

// No more bets
export async function lock() {
  if (isDead() || working.value || stakesShut.value) return;
  const laid = game.laid(draft.value, coinsShut.value);
  if (!laid.boxes) return tell(w("no_box"), w("no_box_help"));
  click();
  notice.value = null;
  working.value = "lock";
  if (link.value === "off") return dropUnknown() ? void (working.value = "") : lockAlone();
  const [boxes, shut] = [boxesOf(draft.value), coinsShut.value];
  await allCome();
  if (working.value !== "lock") return;
  if (
    dropUnknown() ||
    link.value === "off" ||
    boxesOf(draft.value) !== boxes ||
    coinsShut.value !== shut
  )
    return lookAgain(shut);
  const [now, withCoins] = [draft.value, !shut];
  await kept(
    {
      kind: "lock",
      round: now.round,
      withCoins,
      path: tablePath(`rounds/${now.round}/lock/`),
      body: { stakes: game.stakes(now, withCoins) },
    },
    now,
  );
}

const boxesOf = ({ seats }) =>
  Object.entries(seats)
    .map(([box, there]) => `${box}: ${game.guestsAt(there).length}`)
    .join();

// While guests were being registered something has become other than what was looked at when the lock was tapped: it is looked at again.
function lookAgain(shut) {
  working.value = "";
  rest();
  if (link.value !== "off" && coinsShut.value !== shut)
    tell(w("coins_changed"), w("coins_changed_help"));
}

// Without the server: on the disk before the screen says that it is locked.
async function lockAlone() {
  const laid = game.cut?.(draft.value) ?? draft.value;
  const next = played(laid, { offline: true, withCoins: false, lockedAt: serverNow() });
  try {
    await draftWrite(next, stepsOf(next, []), true);
    enter(next);
  } catch (error) {
    working.value = "";
    unstored(error);
  }
}

const SEATING = ["guest", "leave"];

// Every guest who was registered has their id, and who left is gone, or the server does not say so.
function allCome() {
  const so = computed(
    () =>
      link.value === "off" ||
      isSeatingLate.value ||
      !outbox.pending.value.some((one) => SEATING.includes(one.kind)),
  );
  return new Promise((done) => {
    const stop = so.subscribe((value) => {
      if (value)
        queueMicrotask(() => {
          stop();
          done();
        });
    });
  });
}

// The lock's answer does not come, and no card is out: the chips go back, and a lock that comes later is refused.
export function withdraw() {
  if (isDead()) return null;
  return takeBets(draft.value.seats);
}

async function takeBets(seats, before = seats) {
  const { round } = draft.value;
  const next = { ...freshDraft(seats), before };
  try {
    await outbox.instead(
      round,
      { kind: "withdraw", round, path: tablePath(`rounds/${round}/withdraw/`), body: {} },
      next,
    );
  } catch (error) {
    return unstored(error); // the lock stays on its way, and is waited for
  }
  enter(next);
}

// Of a round that was locked without the server nobody else knows.
const betAgain = (now) => enter({ ...following(now), before: now.before });

export function reopen() {
  if (isUndone()) return null;
  const now = draft.value;
  return now.offline ? betAgain(now) : command("reopen", roundPath(now.round, "reopen"), {});
}

// The result
export async function finish() {
  if (isDead() || working.value) return;
  const now = draft.value;
  const { boxes, cards, other } = game.missing(now);
  if (boxes.length || other) return show({ ...now, current: boxes[0] ?? now.current });
  if (cards.length) return void (sheet.value = { name: "cards" });
  if (isRoyalOpen(now)) return void (sheet.value = { name: "royal" });
  if (now.mode === "correct") return correct();
  if (now.mode === "again") return once(putRight);
  const isAlone = now.offline || link.value === "off";
  working.value = "settle";
  await allCome();
  if (working.value !== "settle") return;
  const [last, next] = [draft.value, following(now)]; // the same taps, with every guest's id
  const isKept = await kept(now.offline ? queued(last) : settlement(last), isAlone ? next : last);
  const isOver = working.value === "settle" && draft.value.round === now.round;
  if (isKept && isOver && (isAlone || link.value === "off")) goOnWith(next, last);
}

// What two taps of a finger do once.
let isBusy = false;
async function once(work) {
  if (isBusy) return;
  isBusy = true;
  try {
    await work();
  } finally {
    isBusy = false;
  }
}

// In another session the guests are others. In this one a page that was kept may not know all who are at the table.
function following(now) {
  const next = freshDraft(now.seats);
  return {
    ...next,
    seats: next.session === now.session ? now.seats : stillHere(now.seats),
    before: now.seats,
  };
}
// What was stored, and not sent yet, can be put right here without asking anybody.
function goOnWith(next, was) {
  settled.value = {
    draft: was,
    number: numberOf(was),
    isStored: true,
    until: performance.now() + page.game.undo_s * 1000,
  };
  enter(next);
}

// A result that was refused when the next round had begun: put right at its place in the order, or given to the pit as it is.
async function putRight() {
  const { parked, ...now } = draft.value;
  const entry = refusedEntry.value ?? openEntry();
  const again = { ...now, mode: "new" };
  const { body } = now.offline ? queued(again) : settlement(again);
  if (entry && !(await replaced(entry, { refused: null, open: null, body, draft: again }, parked)))
    return;
  enter(parked);
}

const openEntry = () => outbox.pending.peek().find((one) => one.open);

export const giveToPit = () =>
  once(async () => {
    const [entry, now] = [refusedEntry.value, draft.value];
    if (!entry || !(await replaced(entry, { refused: null, body: { ...entry.body, keep: true } })))
      return;
    if (now.mode === "again") enter(now.parked);
  });

// Rounds that were refused as they came, once whoever may send them is signed in; put into words anew, as a page that was kept may
// have sent what the server does not understand any more.
export const sendAnew = () =>
  once(async () => {
    for (const entry of heldBack.value)
      if (!(await replaced(entry, { ...queued(entry.draft), refused: null }))) return;
  });

// Putting a settled round right
export function takeBack() {
  if (isUndone()) return;
  const { draft: was, number, revision, until: alone, isStored: isHere } = settled.value;
  if (isHere) return once(openAgain);
  const aloneUntil = serverNow() + alone - performance.now();
  return enter(
    {
      ...was,
      wasPlaced: was.placed,
      phase: "play",
      mode: "correct",
      aloneUntil,
      number,
      revision,
      current: null,
      parked: draft.value,
    },
    0,
  ); // another key led here
}

// A round that is stored here is held back, and the rounds after it, until it is put right or left as it was.
async function openAgain() {
  const { draft: was, number } = settled.value;
  const entry = outbox.pending.value.find(
    (one) => one.round === was.round && ["queued", "settle"].includes(one.kind),
  );
  if (!entry || entry.refused || entry.kept) return void ask(); // it has been sent meanwhile
  const again = {
    ...was,
    phase: "play",
    mode: "again",
    number,
    current: null,
    parked: draft.value,
  };
  if (await replaced(entry, { open: true }, again)) enter(again, 0);
}

export async function leaveCorrection() {
  const { mode, parked } = draft.value;
  if (working.value) return;
  if (mode === "again" && !(await replaced(openEntry(), { open: null }, parked))) return;
  enter(parked);
}

function correct() {
  const { round } = draft.value;
  const asks = !aloneFor.value; // as the screen says
  const body = correction(draft.value);
  return command(
    asks ? "request" : "correct",
    roundPath(round, asks ? "correction-request" : "correct"),
    body,
  );
}

// The rest
export const royal = () =>
  beside("call", draft.value.round, roundPath(draft.value.round, "call"), {});
export function voidRound(reason) {
  const now = draft.value;
  return now.offline ? betAgain(now) : command("void", roundPath(now.round, "void"), { reason });
}

async function command(kind, path, body) {
  if (working.value) return;
  working.value = kind;
  notice.value = null;
  const now = draft.value;
  if ((await kept({ kind, round: now.round, path, body, draft: now }, now)) && link.value === "off")
    goOn();
}

// Without an answer
// What waits for the server waits stored, and the table goes on: with the next round, or to its end. Only of a lock the croupier
// decides alone what becomes of it (the chips go back): nobody else knows that no card is out.
function goOn() {
  const [now, what] = [draft.peek(), working.peek()];
  if (now.phase === "bets" && what !== "lock") dropUnknown();
  if (what === "settle")
    return void (
      outbox.pending.peek().some((one) => one.round === now.round) && goOnWith(following(now), now)
    );
  else if (what === "reopen") takeBets(now.seats, now.before);
  else if (what === "void") betAgain(now);
  else if (["correct", "request"].includes(what)) enter(now.parked);
}

// Whoever could not be registered sits nowhere: a stake without its guest is nobody's. True if there was such a box.
function dropUnknown() {
  const { seats } = draft.peek();
  const boxes = Object.keys(seats).filter((box) => game.guestsAt(seats[box]).includes(null));
  boxes.forEach((box) => unseat(Number(box)));
  if (boxes.length) tell(w("seat_offline"), w("seat_offline_help"));
  return boxes.length > 0;
}

// Beginning, and what others do to the round
export async function begin() {
  const before = await draftRead().catch(unstored);
  // A round that was begun without the server is ended here, whatever became of its session meanwhile.
  const isOwn =
    before?.session === standing.value.session.id || (before?.offline && before.phase === "play");
  draft.value = isOwn ? before : freshDraft(repeated(standing.value.round));
  history.value = restored(draft.value, await stepsRead().catch(unstored));
  await outbox.begun(answered, { unstored }).catch(unstored);
  await hearRefused().catch(unstored);
  working.value = "";
  for (const one of outbox.pending.value.filter(
    (entry) => entry.open && entry.round !== draft.value.round,
  ))
    await replaced(one, { open: null });
  const mine = outbox.pending.value.find(
    (one) => one.round === draft.value.round && !outbox.isAtRest(one) && !outbox.isAlong(one),
  );
  if (mine?.kind === "withdraw") tookBack(mine);
  else working.value = mine?.kind ?? "";
  const isOld = isPageOld || Date.parse(page.standing.at) < (draft.value.since ?? 0); // the round has gone on since
  const isTold = () => heardOf.value !== page.standing || !isOld;
  effect(() => {
    if (isTold()) untracked(() => follow(heardOf.value));
  });
  effect(() => {
    if (heardOf.value !== page.standing) untracked(() => decided(heardOf.value));
  });
  effect(() => {
    if (link.value === "off") untracked(goOn);
  });
  effect(() => {
    if (isSeatingLate.value) untracked(() => draft.value.phase === "bets" && dropUnknown());
  });
  effect(() => {
    if (isTold() && refusedEntry.value && draft.value && !working.value)
      untracked(() => comeBack(heardOf.value));
  });
}

// The bets of a lock that had no answer when the page was loaded: nobody waits for it any more.
function tookBack({ stale }) {
  betAgain(draft.value);
  if (stale) tell(w("lock_stale"), w("lock_stale_help"), { kind: "lock" });
}
