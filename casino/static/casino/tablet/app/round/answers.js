// What the answer to a command means, by its kind: the same for a page that waited for it and for one that was opened since.
//
// Each is given the entry as it was stored. A page may end between an answer and the entry's removal, so each may be done twice.
import { computed } from "@preact/signals";
import { page } from "tablet/frame/page";
import { money, w } from "tablet/frame/words";
import { ask, offset, serverNow, standing } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { asked as asRequest, setAside } from "tablet/frame/aside";
import { numberOf } from "tablet/round/commands";
import { notPlaced, notTakenBack, placed } from "tablet/round/later";
import {
  draft,
  enter,
  freshDraft,
  history,
  isHeld,
  noteCall,
  played,
  settled,
  show,
  take,
} from "tablet/round/state";
import * as game from "tablet/game";
import * as cash from "tablet/frame/cash";
import { wrong } from "tablet/frame/sound";
import { isStored } from "tablet/frame/commands";
import { notice, sheet, working, tell, tellToStay } from "tablet/frame/screen";

const isHere = (entry, phase = "play") =>
  draft.value.round === entry.round && draft.value.phase === phase;

export async function answered(entry, answer, refusal) {
  if (!refusal) return TAKEN[entry.kind]?.(entry, answer);
  ask(); // whatever it was, something is not as this page believes
  return (REFUSED[entry.kind] ?? refused)(entry, refusal);
}

// What guests have on their boxes who are at the table, or on their way to it.
export function stillHere(seats) {
  return game.without(
    seats,
    (id) => id !== null && !standing.value.guests.some((guest) => guest.id === id),
  );
}

export const startOver = (seats, before = seats) =>
  enter({ ...freshDraft(stillHere(seats)), before });

// Taken
const TAKEN = {
  guest: came,
  lock: locked,
  place: placed,
  irregular: recorded,
  settle: booked,
  queued,
  correct: corrected,
  request: asked,
  reopen: undone,
  void: undone,
  call: called,
  floor: heard,
  ...cash.taken,
};

function came({ joins, body: { box } }, { answer: { id, number, seated, distance } }) {
  const others = standing.value.guests.filter(
    (one) => one.id !== id && (box === null || one.box !== box),
  );
  standing.value = {
    ...standing.value,
    guests: [...others, { id, number, box, seated, distance }],
  };
  if (joins) return void cameBeside(joins, id);
  const named = (one) => {
    if (!one.seats[box]) return { ...one, owners: { ...one.owners, [box]: id } };
    return { ...one, seats: { ...one.seats, [box]: game.named(one.seats[box], id) } };
  };
  history.value = history.value.map((step) => ({ ...step, draft: named(step.draft) }));
  show(named(draft.value));
}

// One who stakes on a box with others. Once bets are locked they have no stake there, and none is shown.
function cameBeside(box, id) {
  const { phase, seats } = draft.value;
  const isThere = seats[box] && game.guestsAt(seats[box]).includes(id);
  if (
    phase !== "bets" ||
    !seats[box] ||
    isThere ||
    game.guestsAt(seats[box]).length >= game.GUESTS_MOST
  )
    return;
  const next = game.join(draft.value, box, id);
  if (isHeld()) show(next.draft); // the lock that waits for them is looked at again
  else take(next);
}

function locked(entry, { answer, present, replayed }) {
  if (!isHere(entry, "bets")) return;
  if (present.state !== "locked") return void startOver(draft.value.seats);
  const seats = game.GUESTS_MOST > 1 ? game.seatsOf(stayed(answer.stakes)) : draft.value.seats;
  enter(
    played(draft.value, {
      seats,
      number: answer.number,
      withCoins: entry.withCoins,
      lockedAt: replayed ? entry.at + offset.value : serverNow(),
    }),
  );
  const back = answer.stakes.filter((one) => one.returned_minor && !one.placed);
  if (back.length)
    tellToStay(w("stakes_back"), back.sort(inTurn).map(goesBack).join(" "), { round: entry.round });
}

// Of a box that several stake on the house keeps what fits under its maximum, and says whose chips go back (PRM-1, PRM-3).
const stayed = (stakes) =>
  stakes
    .map((one) => ({ ...one, amount_minor: one.accepted_minor }))
    .filter((one) => one.amount_minor);

const numberAt = ({ guest }) => standing.value.guests.find((one) => one.id === guest)?.number;
const inTurn = (one, other) => one.box - other.box || numberAt(one) - numberAt(other);

function goesBack({ box, guest, returned_minor: minor, rule }) {
  const number = numberAt({ guest }) ?? "–";
  return w("stake_back", { box, number, amount: money(minor), rule });
}

function booked(entry, { answer }) {
  const { draft: was } = entry;
  if (isHere(entry)) enter({ ...freshDraft(was.seats), before: was.seats });
  if (!settled.value?.isStored || settled.value.draft.round === was.round)
    settled.value = {
      draft: was,
      number: answer.number,
      revision: answer.revision,
      until: performance.now() + page.game.undo_s * 1000,
    };
  const round = {
    ...(standing.value.round ?? {}),
    id: was.round,
    number: answer.number,
    state: "settled",
    revision: answer.revision,
    result: null,
    correction_waits: false,
  };
  standing.value = { ...standing.value, round };
  compare(was, answer);
}

// What stood under the boxes is what chips moved by: the house has to have booked the same, box by box.
function compare(was, { number, lines }) {
  const differs = {};
  const add = (box, amount) => {
    differs[box] = (differs[box] ?? 0) + amount;
  };
  for (const line of lines) add(line.box, line.paid_minor);
  for (const [box, { lines: shown }] of Object.entries(game.payouts(was)))
    for (const { returned, won, prize } of shown) add(box, -returned - won - prize);
  if (Object.values(differs).some(Boolean))
    tellToStay(w("server_differs", { number }), w("server_differs_help"));
}

function queued(entry, { rounds: [{ outcome, answer, problem, to_clarify: kept }] }) {
  if (outcome === "refused") return aside(entry, problem); // it stays on the tablet
  const { draft: was } = entry;
  if (outcome === "to_clarify") tellToStay(w("to_clarify"), `${problem.title} ${kept.detail}`);
  else if (outcome === "taken") compare(was, answer);
  ask();
}

function corrected(entry, { answer }) {
  settled.value = {
    ...settled.value,
    draft: { ...entry.draft, mode: "new", parked: undefined },
    number: entry.draft.number,
    revision: answer.revision,
  };
  compare(entry.draft, answer);
  leave(entry);
}

function asked(entry) {
  const { round } = standing.value;
  settled.value = null;
  if (round?.id === entry.round)
    standing.value = { ...standing.value, round: { ...round, correction_waits: true } };
  leave(entry);
  tell(w("asked_pit"), w("asked_pit_help"), { kind: "appr" });
}

function leave(entry) {
  if (isHere(entry) && draft.value.mode === "correct") enter(entry.draft.parked);
}

function undone(entry) {
  if (isHere(entry)) startOver(draft.value.seats, draft.value.before);
}

function called(entry) {
  if (isHere(entry)) noteCall();
}

function recorded({ body: { reason } }) {
  tell(w("recorded"), reason, { kind: "lock" });
}

function heard(_entry, { answer }) {
  standing.value = { ...standing.value, call: answer.reason, call_taken: null };
}

// Refused
const REFUSED = {
  guest: notCome,
  leave: () => {},
  place: notPlaced,
  take_back: notTakenBack,
  irregular: notRecorded,
  settle: notBooked,
  queued: kept,
  correct: notCorrected,
  request: notAsked,
  withdraw: kept,
  void: notVoided,
  ...cash.refused,
};

function refused(entry, { problem: { title, detail, code, to_clarify: kept } }, more = {}) {
  if (draft.value.round === entry.round || !entry.round) working.value = "";
  tell(title, kept?.detail ?? detail, { code, ...more });
}

export function unseat(box) {
  const { [box]: there, ...others } = draft.value.seats;
  if (!there || !game.guestsAt(there).includes(null)) return;
  const isCurrent = draft.value.current === box;
  if (isCurrent || sheet.value?.box === box) sheet.value = null; // what was open over it
  const seats = { ...others, ...game.without({ [box]: there }, (guest) => guest === null) };
  show({ ...draft.value, seats, ...(isCurrent && { current: null, part: null }) });
}

function notCome(entry, refusal) {
  if (!entry.joins) unseat(entry.body.box);
  tell(refusal.problem.title, refusal.problem.detail);
}

function notRecorded(entry, { problem: { title, detail } }) {
  tellToStay(`${w("not_recorded", { number: numberOf(entry) })} ${title}`, detail, {
    of: entry.key,
  });
}

// Refused on another page of the tablet, which knows no round.
export async function hearRefused() {
  for (const one of outbox.pending.value.filter(
    (entry) => entry.refused && outbox.isAlong(entry),
  )) {
    await answered(one, null, { problem: one.refused });
    await outbox.drop(({ seq, refused: why }) => seq === one.seq && why); // or it goes anew
  }
}

// On the screen it is put right there. Else the screen comes back to it: the round is still locked, and no other can be before.
async function notBooked(entry, refusal) {
  const isKept = Boolean(refusal.problem.to_clarify);
  if (isHere(entry) && !isKept) return refused(entry, refusal);
  await setAside(entry, refusal.problem);
  if (isKept) return refused(entry, refusal);
  wrong();
  return comeBack(standing.value);
}

// Of a round that was queued not the round itself but whoever sends it is refused (what is wrong with a round is looked at by the pit).
function kept(entry, { problem }) {
  return aside(entry, problem);
}

// What stands over the boxes from then on is heard, too.
function aside(entry, problem) {
  wrong();
  return setAside(entry, problem);
}

export const heldBack = computed(() =>
  outbox.pending.value.filter((one) => outbox.isAside(one) && one.kind === "queued"),
);
export const refusedCorrections = computed(() =>
  outbox.pending.value.filter((one) => outbox.isAside(one) && one.kind !== "queued"),
);
// A correction that was refused, and that somebody has read of.
export const forget = (entry) => isStored(() => outbox.drop((one) => one.seq === entry.seq));

function notVoided(entry, refusal) {
  return isHere(entry) ? refused(entry, refusal) : aside(entry, refusal.problem);
}

function notAsked(entry, refusal) {
  return isHere(entry) && draft.value.mode === "correct"
    ? refused(entry, refusal)
    : aside(entry, refusal.problem);
}

function notCorrected(entry, refusal) {
  if (!isHere(entry) || draft.value.mode !== "correct") return setAside(entry, refusal.problem);
  const request = { round: entry.round, draft: entry.draft, body: entry.body, ...asRequest(entry) };
  let isAsked = false;
  const go = () => {
    if (isAsked) return;
    isAsked = true;
    outbox
      .keep(request)
      .catch((error) => console.warn(error))
      .then(() => {
        notice.value = null;
      });
  };
  return refused(
    entry,
    refusal,
    refusal.problem.code === "round.approval_needed" ? { act: { words: w("ask_pit"), go } } : {},
  );
}

// A result that was refused when the next round had begun
export const refusedEntry = computed(() =>
  outbox.pending.value.find((one) => one.refused && !outbox.isAside(one)),
);

let given = null;

export function comeBack(told) {
  const [entry, now] = [refusedEntry.value, draft.value];
  if (!entry) return;
  const isOver = told.round?.id === entry.round && told.round.state !== "locked";
  if (isOver) {
    outbox.drop((one) => one.seq === entry.seq);
    if (now.mode === "again") enter(now.parked);
    tell(w("elsewhere_ended", { number: entry.number }), w("elsewhere_help"), { kind: "lock" });
  } else if (told.session?.id !== entry.draft.session && !entry.body.keep) {
    given ??= outbox
      .replace(entry, { refused: null, body: { ...entry.body, keep: true } })
      .finally(() => {
        given = null;
      }); // nobody can put it right here
  } else if (now.phase === "bets" && now.mode === "new" && !working.value) {
    enter({ ...entry.draft, mode: "again", parked: now });
  }
}
