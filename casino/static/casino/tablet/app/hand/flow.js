// The life of a hand as it is driven here: it begins, ends with what was entered, waits for the
// next tap and can be taken back whole until then; once it is sent, it is corrected. What answers
// mean is in `answers.js`.
import { effect, untracked } from "@preact/signals";
import { page } from "tablet/frame/page";
import { w } from "tablet/frame/words";
import { heardOf, isPageOld, link, serverNow, standing } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { draftRead } from "tablet/frame/store";
import { click } from "tablet/frame/sound";
import { isStored, kept, replaced } from "tablet/frame/commands";
import { isDead, sheet, tell, unstored, working } from "tablet/frame/screen";
import { answered, comeBack, follow, hearRefused } from "tablet/hand/answers";
import { correction, handEntry, sendWaiting } from "tablet/hand/commands";
import {
  dealtIn,
  draft,
  enter,
  following,
  freshDraft,
  held,
  holding,
  numberOf,
  refusedHand,
  show,
  stays,
  storedHand,
  turned,
} from "tablet/hand/state";
import * as game from "tablet/game";

const LEAST = 2; // guests who play

// What two taps of a finger do once.
let isBusy = false;
async function once(work) {
  if (isBusy || working.value) return;
  isBusy = true;
  try {
    await work();
  } finally {
    isBusy = false;
  }
}

// Another tap than one that changes the hand: it goes.
export function release() {
  holding.value = null;
  outbox.release();
  sendWaiting();
}

let timer = 0;
function hold(hand) {
  const entry = outbox.pending.value.find((one) => one.kind === "hand" && one.hand === hand);
  holding.value = entry?.seq ?? null;
  clearTimeout(timer);
  timer = setTimeout(release, outbox.HOLD_MS);
}

const areTooFew = (now) => {
  if (dealtIn(now).length >= LEAST) return false;
  tell(w("too_few"), w("too_few_help"));
  return true;
};

const until = () => Date.now() + outbox.HOLD_MS;
const asLast = ({ hand, number, entered, dealt, variant }) => ({
  hand,
  number,
  entered,
  dealt,
  variant,
});

// What was entered ends the hand, where what is entered ends it; while it waits, another tap enters
// something else.
export const enterResult = (entered) =>
  once(async () => {
    const now = draft.value;
    if (now.mode !== "new") return show({ ...now, entered });
    if (now.phase === "dealt") return end({ ...now, entered });
    if (held.value) await holdAnew({ ...now, entered });
  });

async function end(now, then = (ended) => ended) {
  if (areTooFew(now)) return;
  click();
  const ended = { ...now, phase: "between", number: numberOf(now), dealt: dealtIn(now) };
  ended.last = asLast(ended);
  const next = then(ended);
  const entry = { ...handEntry(ended), until: until(), before: draft.value };
  if (!(await kept(entry, next))) return;
  [sheet.value, draft.value] = [null, next];
  hold(entry.hand);
}

async function holdAnew(now) {
  const entry = held.value;
  const next = { ...now, last: asLast(now) };
  if (
    !(await replaced(
      entry,
      { body: { ...entry.body, ...handEntry(now).body }, draft: next, until: until() },
      next,
    ))
  )
    return;
  draft.value = next;
  hold(now.hand);
}

// The one large key. Where nothing is entered, it ends the hand and begins the next one.
export const nextHand = () =>
  once(async () => {
    if (isDead()) return;
    const now = draft.value;
    if (now.phase === "dealt") {
      if (game.endsByKey) return;
      release();
      return end({ ...now, entered: game.nothing }, (ended) => begun(ended));
    }
    release();
    if (areTooFew({ ...now, dealt: null })) return;
    enter(begun(draft.value));
  });

const begun = (now) =>
  following(game.nextTurn(now), { phase: "dealt", seated: stays.value.map(({ id }) => id) });

export const turn = (id) =>
  once(async () => {
    const now = draft.value;
    const next = turned(now, id);
    if (held.value && held.value.hand !== now.hand) release();
    if (now.mode !== "new" || now.phase === "dealt" || !now.dealt) return show(next);
    if (held.value && !areTooFew(next)) await holdAnew(next);
  });

// The hand as if it had never ended.
export const undo = () =>
  once(async () => {
    const entry = held.value;
    if (!entry) return;
    const next = { ...entry.before, waiting: draft.value.waiting };
    let isOut = false;
    if (
      !(await isStored(async () => {
        isOut = await outbox.takeOut(entry, next);
      })) ||
      !isOut
    )
      return;
    holding.value = null;
    enter(next, 0);
  });

// Putting the last hand right: alone for as long as the house lets who dealt it. One that is only
// stored here is changed at its place.
export const takeBack = () =>
  once(async () => {
    const { last } = draft.value;
    const parked = draft.value;
    const again = { ...parked, ...last, last, phase: "between", parked };
    const entry = storedHand(last.hand);
    if (!entry) return enter({ ...again, mode: "correct", aloneUntil: last.until }, 0);
    if (await replaced(entry, { open: true, until: 0 }, { ...again, mode: "again" }))
      enter({ ...again, mode: "again" }, 0);
  });

const entryOf = ({ hand }) =>
  outbox.pending.value.find((one) => one.kind === "hand" && one.hand === hand);

export const leaveCorrection = () =>
  once(async () => {
    const { mode, parked } = draft.value;
    const entry = entryOf(draft.value);
    if (mode === "again" && entry && !(await replaced(entry, { open: null }, parked))) return;
    enter(parked);
  });

export const book = () =>
  once(async () => {
    if (isDead() || areTooFew(draft.value)) return;
    const { parked, ...now } = { ...draft.value, dealt: dealtIn(draft.value) };
    if (now.mode === "correct") return correct();
    const entry = entryOf(now);
    const { number, ...made } = handEntry({ ...now, mode: "new" });
    const next = {
      ...parked,
      last: parked.last?.hand === now.hand ? { ...parked.last, ...asLast(now) } : parked.last,
    };
    if (
      entry &&
      !(await replaced(entry, { ...made, number: entry.number, open: null, refused: null }, next))
    )
      return;
    enter(next);
  });

async function correct() {
  working.value = "correct";
  const now = draft.value;
  if ((await kept(correction(now), now)) && link.value === "off") enter(now.parked);
}

// The pit decides on a hand as it is.
export const giveToPit = () =>
  once(async () => {
    const [entry, now] = [refusedHand.value, draft.value];
    const body = { ...entry.body, queued: true };
    if (!entry || !(await replaced(entry, { refused: null, open: null, body }))) return;
    if (now.mode === "again") enter(now.parked);
  });

export async function begin() {
  const before = await draftRead().catch(unstored);
  draft.value = before?.session === standing.value.session?.id ? before : freshDraft();
  await outbox.begun(answered, { unstored }).catch(unstored);
  await hearRefused().catch(unstored);
  const isOpen = (one) => one.open && one.hand !== draft.value.hand;
  for (const one of outbox.pending.value.filter(isOpen)) await replaced(one, { open: null });
  const mine = outbox.pending.value.some((one) => one.kind === "correct_hand");
  working.value = mine && draft.value.mode === "correct" ? "correct" : "";
  if (draft.value.phase === "between") release();
  const isTold = () => heardOf.value !== page.standing || !isPageOld;
  effect(() => {
    if (isTold()) untracked(() => follow(heardOf.value));
  });
  effect(() => {
    if (link.value === "off" && working.value === "correct")
      untracked(() => enter(draft.value.parked));
  });
  effect(() => {
    if (refusedHand.value && !working.value) untracked(comeBack);
  });
}
