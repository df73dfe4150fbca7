// What the answer to a command means, by its kind: the same for a page that waited for it and for
// one that was opened since. Each may be done twice, as a page may end between an answer and the
// entry's removal.
import { page } from "tablet/frame/page";
import { w } from "tablet/frame/words";
import { ask, serverNow, standing } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { setAside } from "tablet/frame/aside";
import { wrong } from "tablet/frame/sound";
import { tell, tellToStay, working } from "tablet/frame/screen";
import { draft, enter, moved, refusedHand, show } from "tablet/hand/state";
import * as game from "tablet/game";

export async function answered(entry, answer, refusal) {
  if (!refusal) return TAKEN[entry.kind]?.(entry, answer.answer);
  ask(); // whatever it was, something is not as this page believes
  return (REFUSED[entry.kind] ?? refused)(entry, refusal.problem);
}

const TAKEN = {
  hand: booked,
  correct_hand: corrected,
  stay: heard,
  floor: called,
  irregular: recorded,
};
const REFUSED = {
  hand: notBooked,
  correct_hand: notCorrected,
  stay: notDone,
  irregular: notRecorded,
};

// The last hand, wherever the draft has it.
function noteLast(hand, more) {
  const noted = (now) =>
    now && {
      ...now,
      ...(now.last?.hand === hand && { last: { ...now.last, ...more } }),
      ...(now.hand === hand && now.dealt && { number: more.number }),
      ...(now.parked && { parked: noted(now.parked) }),
    };
  show(noted(draft.value));
}

function booked(entry, answer) {
  if (answer.to_clarify) return void tellToStay(w("hand_to_clarify"), answer.to_clarify.detail);
  const until = serverNow() + page.game.undo_s * 1000;
  noteLast(entry.hand, { number: answer.number, revision: answer.revision, until });
  const { stays: sitting = [], last_hand: last, carried_minor: lies = 0 } = standing.value;
  const isNew = (last?.number ?? 0) < answer.number;
  const carried_minor = lies + (isNew ? (entry.carries ?? 0) : 0);
  hear({ last_hand: answer, carried_minor, stays: isNew ? moved(sitting, entry.nets) : sitting });
  compare(entry, answer);
}

// What the schedule said is what was dropped: the house has to have booked the same.
function compare({ draft: was, key }, answer) {
  if (!game.isAsShown(was, answer))
    tellToStay(w("hand_differs", { number: answer.number }), w("server_differs_help"), { of: key });
}

function corrected(entry, answer) {
  if (entry.asks) return askedPit(entry);
  const { entered, dealt } = entry.draft;
  noteLast(entry.hand, { number: answer.number, revision: answer.revision, entered, dealt });
  if (draft.value.hand !== entry.hand) return;
  if (draft.value.mode === "correct") return enter({ ...draft.value.parked, ...ofLast() });
  show({ ...draft.value, ...ofLast() });
}

function askedPit(entry) {
  const isHere = draft.value.hand === entry.hand && draft.value.mode === "correct";
  if (isHere) enter(draft.value.parked);
  tell(w("asked_pit"), w("asked_pit_help"), { kind: "appr" });
}

// The hand that is shown between two hands is the last one.
const ofLast = () => {
  const { parked, last } = draft.value;
  const now = parked ?? draft.value;
  return now.phase === "between" && now.hand === last?.hand
    ? { entered: last.entered, dealt: last.dealt, last }
    : { last };
};

const hear = (more) => {
  standing.value = { ...standing.value, ...more };
};

const withStay = (stay) => [
  ...(standing.value.stays ?? []).filter((one) => one.id !== stay.id && one.seat !== stay.seat),
  ...(stay.state === "left" ? [] : [stay]),
];

async function heard(entry, answer) {
  if (entry.act === "begin") {
    await outbox.named(entry, answer.id);
    show(outbox.renamed(draft.value, entry.temp, answer.id));
  }
  if (entry.act === "time") return void ask();
  if (entry.act === "leave" || (entry.act === "move" && entry.body.table)) {
    const isOther = (one) => one.id !== entry.stay;
    return hear({ stays: (standing.value.stays ?? []).filter(isOther) });
  }
  if (entry.act === "move") movedOn(entry.stay, answer.id);
  hear({ stays: withStay(answer).filter((one) => one.id === answer.id || one.id !== entry.stay) });
}

// A guest at another seat has another stay, and is who they were.
function movedOn(from, to) {
  if (from !== to) show(outbox.renamed(draft.value, from, to));
}

function called(_entry, answer) {
  hear({ call: answer.reason, call_taken: null });
}

function recorded({ body: { reason } }) {
  tell(w("recorded"), reason, { kind: "lock" });
}

function notRecorded(entry, { title, detail }) {
  tellToStay(`${w("hand_not_recorded")} ${title}`, detail, { of: entry.key });
}

function refused(_entry, { title, detail }) {
  working.value = "";
  tell(title, detail);
}

// A hand that the server does not take comes back to the screen; one that it has given to the pit
// is told of.
async function notBooked(entry, problem) {
  if (problem.to_clarify)
    return void tellToStay(w("hand_to_clarify"), `${problem.title} ${problem.to_clarify.detail}`, {
      of: entry.key,
    });
  wrong();
  await setAside(entry, problem);
}

export function comeBack() {
  const [entry, now] = [refusedHand.value, draft.value];
  if (!entry || now.mode !== "new") return;
  const { entered, dealt, variant, hand, beganAt } = entry.draft;
  const shown = { ...now, entered, dealt, variant, hand, beganAt, number: entry.number };
  enter({ ...shown, phase: "between", mode: "again", parked: now });
}

// Chips have moved on the felt, or a guest has gone: it is said until somebody has read it.
async function notDone(entry, problem) {
  const detail = problem.to_clarify?.detail ?? problem.detail;
  const rule = problem.rule ? ` (${problem.rule})` : "";
  tellToStay(`${w(`not_${entry.act}`)} ${problem.title}`, detail + rule, { of: entry.key });
  if (entry.temp) {
    const isOf = (one) => one.seq !== entry.seq && one.of?.includes(entry.temp);
    await outbox.drop(isOf);
    await outbox.named(entry, null);
    show(outbox.renamed(draft.value, entry.temp, null));
  }
}

function notCorrected(entry, problem) {
  const isHere = draft.value.hand === entry.hand && draft.value.mode === "correct";
  if (isHere) return refused(entry, problem);
  tellToStay(w("hand_not_corrected", { number: entry.draft.number }), problem.title, {
    of: entry.key,
  });
}

// Refused on another page of the tablet, which knows no hand.
export async function hearRefused() {
  const isDone = (one) => one.refused && ["stay", "correct_hand", "irregular"].includes(one.kind);
  for (const one of outbox.pending.value.filter(isDone)) {
    await answered(one, null, { problem: one.refused });
    await outbox.drop(({ seq }) => seq === one.seq);
  }
}

// What others do to the table, as the server tells of it.
const isAhead = (entry) => outbox.IN_ORDER.includes(entry.kind);

export function follow(told) {
  const now = draft.peek();
  if (working.peek() || outbox.underWay().some(isAhead) || now.mode !== "new") return;
  if (
    told.session?.id !== now.session ||
    !(told.croupier?.id === page.person || page.supervisor) ||
    told.entry_level !== page.standing.entry_level ||
    JSON.stringify(told.versions) !== JSON.stringify(page.standing.versions)
  )
    location.reload();
}
