// The life of a round as the croupier drives it: lock, withdraw, reopen, settle, correct, call, void. Each is stored, then sent.
import { effect } from "@preact/signals";
import { page, w } from "tablet/words";
import { ask, link, serverNow, standing } from "tablet/live";
import * as outbox from "tablet/outbox";
import { draftRead } from "tablet/store";
import { coinsShut, draft, enter, freshDraft, guestAt, history, isDead, isHeld, notice, settled, sheet, show, stakesShut, take, working } from "tablet/state";
import * as game from "tablet/game";
import { click, wrong } from "tablet/sound";

const arriving = new Map(); // by box the promise of its new guest
const api = (path) => `/api/${path}`;
const tablePath = (path) => api(`tables/${page.table}/${path}`);
const roundPath = (id, command) => api(`rounds/${id}/${command}/`);

// --- what went wrong ----------------------------------------------------------------------------------------------------------
export function tell(title, help = "", more = {}) {
  notice.value = { title, help, kind: "alarm", ...more };
  if (notice.value.kind === "alarm") wrong();
}

function refused(error) {
  working.value = "";
  if (!(error instanceof outbox.Refusal)) throw error;
  const { title, detail, code, to_clarify: kept } = error.problem;
  tell(title, kept?.detail ?? detail, { code });
}

// --- guests -------------------------------------------------------------------------------------------------------------------
export function seat(box) {
  if (isHeld()) return null;
  const there = guestAt(box);
  if (there) return take(game.seat(draft.value, box, there.id, draft.value.before[box]));
  if (link.value === "off") return tell(w("seat_offline"), w("seat_offline_help"));
  take(game.seat(draft.value, box, null));
  return arrive(box);
}

function arrive(box) {
  const entry = { kind: "guest", path: tablePath("guests/"), body: { box, seated: true } };
  const come = outbox.send(entry).then(({ answer }) => {
    standing.value = { ...standing.value, guests: [...standing.value.guests.filter((one) => one.box !== box), { id: answer.id, number: answer.number, box }] };
    const named = (one) => (one.seats[box] && !one.seats[box].guest ? { ...one, seats: { ...one.seats, [box]: { ...one.seats[box], guest: answer.id } } } : one);
    history.value = history.value.map((step) => ({ ...step, draft: named(step.draft) }));
    show(named(draft.value));
  }).catch((error) => {
    const { [box]: _gone, ...seats } = draft.value.seats;
    show({ ...draft.value, seats, current: null, part: null });
    refused(error);
  }).finally(() => arriving.delete(box));
  arriving.set(box, come);
  return come;
}

// Another guest sits down where one has left.
export async function newGuest(box) {
  if (isHeld()) return;
  const there = guestAt(box);
  sheet.value = null;
  try {
    if (there) await outbox.send({ kind: "guest", path: api(`guests/${there.id}/leave/`), body: {} });
    standing.value = { ...standing.value, guests: standing.value.guests.filter((one) => one.box !== box) };
    show({ ...draft.value, seats: { ...draft.value.seats, [box]: game.emptySeat(null) }, current: box, part: null });
    history.value = [];
    await arrive(box);
  } catch (error) {
    refused(error);
  }
}

// --- no more bets ---------------------------------------------------------------------------------------------------------------
export async function lock() {
  if (isDead() || working.value || stakesShut.value) return;
  const laid = game.laid(draft.value, coinsShut.value);
  if (!laid.boxes) return tell(w("no_box"), w("no_box_help"));
  click();
  notice.value = null;
  if (link.value === "off") return play({ offline: true, lockedAt: serverNow() });
  working.value = "lock";
  await Promise.all(arriving.values());
  if (working.value !== "lock") return;
  const now = draft.value;
  const entry = { kind: "lock", round: now.round, path: tablePath(`rounds/${now.round}/lock/`), body: { stakes: game.stakes(now, !coinsShut.value) } };
  try {
    const { answer, present } = await outbox.send(entry, now);
    if (draft.value.round !== now.round) return;
    if (present.state !== "locked") return void startOver(now.seats);
    play({ number: answer.number, lockedAt: serverNow() });
  } catch (error) {
    if (draft.value.round === now.round) refused(error);
  }
}

const play = (more) => enter({ ...draft.value, phase: "play", current: null, part: null, results: {}, flags: {}, cards: {}, ...more });

// The lock's answer does not come, and no card is out: the chips go back, and a lock that comes later is refused.
export async function withdraw() {
  const { round, seats } = draft.value;
  await outbox.drop((entry) => entry.round === round);
  working.value = "";
  outbox.send({ kind: "withdraw", round, path: tablePath(`rounds/${round}/withdraw/`), body: {} }).catch(refused);
  startOver(seats);
}

export async function reopen() {
  const { round, seats, before } = draft.value;
  await command("reopen", roundPath(round, "reopen"), {}, () => startOver(seats, before));
}

function startOver(seats, before = seats) {
  const there = Object.entries(seats).filter(([, one]) => !one.guest || standing.value.guests.some((guest) => guest.id === one.guest));
  enter({ ...freshDraft(Object.fromEntries(there)), before });
}

// --- the result -------------------------------------------------------------------------------------------------------------------
export async function finish() {
  if (isDead() || working.value) return;
  const now = draft.value;
  const { boxes, cards } = game.missing(now);
  if (boxes.length) return show({ ...now, current: boxes[0] });
  if (cards.length) return void (sheet.value = { name: "cards" });
  if (now.mode === "correct") return correct();
  const entry = now.offline ? queued(now) : { kind: "settle", round: now.round, number: now.number, draft: now, path: roundPath(now.round, "settle"), body: { result: game.result(now) } };
  const next = { ...freshDraft(now.seats), before: now.seats };
  working.value = "settle";
  const { stored } = await outbox.keep(entry, now.offline || link.value === "off" ? next : now);
  if (now.offline || link.value === "off") return later(next, stored);
  try {
    const { answer } = await stored;
    if (draft.value.round === now.round) done(now, answer, next);
  } catch (error) {
    refused(error);
  }
}

function queued(now) {
  const body = { rounds: [{ round: now.round, stakes: game.stakes(now, false), result: game.result(now) }] };
  return { kind: "queued", round: now.round, draft: now, path: tablePath("queued-rounds/"), body };
}

function later(next, stored) {
  stored.then((answer) => queuedAnswered(answer), (error) => refused(error));
  settled.value = null;
  enter(next);
}

function queuedAnswered(answer) {
  const kept = answer.rounds?.find((one) => one.outcome === "to_clarify");
  if (kept) tell(w("to_clarify"), `${kept.problem.title} ${kept.to_clarify.detail}`);
}

function done(now, answer, next) {
  settled.value = { draft: now, number: answer.number, revision: answer.revision, until: performance.now() + page.game.undo_s * 1000 };
  const round = { ...(standing.value.round ?? {}), id: now.round, number: answer.number, state: "settled", revision: answer.revision };
  standing.value = { ...standing.value, round };
  enter(next);
  const paid = answer.lines.reduce((sum, line) => sum + line.paid_minor, 0);
  const shown = Object.values(game.payouts(now)).flatMap((one) => one.lines).reduce((sum, line) => sum + line.returned + line.won + line.prize, 0);
  if (paid !== shown) tell(w("server_differs", { number: answer.number }), w("server_differs_help"));
}

// --- putting a settled round right ----------------------------------------------------------------------------------------------
export function takeBack() {
  const { draft: was, number, revision } = settled.value;
  enter({ ...was, phase: "play", mode: "correct", number, revision, current: null, parked: draft.value });
}

export const leaveCorrection = () => enter(draft.value.parked);

async function correct(path = "correct") {
  const { round, revision, parked } = draft.value;
  const body = { result: game.result(draft.value), reason: w("mistyped"), revision };
  const after = ({ answer }) => {
    settled.value = path === "correct" ? { ...settled.value, draft: { ...draft.value, mode: "new", parked: undefined }, revision: answer.revision } : null;
    enter(parked);
    if (path !== "correct") tell(w("asked_pit"), w("asked_pit_help"), { kind: "appr" });
  };
  await command("correct", roundPath(round, path), body, after);
  if (notice.value?.code === "round.approval_needed") notice.value = { ...notice.value, act: { words: w("ask_pit"), go: () => correct("correction-request") } };
}

// --- the rest -----------------------------------------------------------------------------------------------------------------------
export const royal = () => command("call", roundPath(draft.value.round, "call"), {}, () => { working.value = ""; sheet.value = null; show({ ...draft.value, called: true }); });
export const voidRound = (reason) => command("void", roundPath(draft.value.round, "void"), { reason }, () => startOver(draft.value.seats, draft.value.before));

export const callFloor = (reason) => command("floor", tablePath("floor-call/"), { reason: reason ?? "" }, ({ answer }) => {
  working.value = "";
  sheet.value = null;
  standing.value = { ...standing.value, call: answer.reason };
});

async function command(kind, path, body, after) {
  if (working.value) return;
  working.value = kind;
  notice.value = null;
  try {
    after(await outbox.send({ kind, round: draft.value.round, path, body }));
  } catch (error) {
    refused(error);
  }
}

// A command of a page that was closed has its answer now.
async function orphan(entry, answer, refusal) {
  if (entry.kind === "queued" && answer) queuedAnswered(answer);
  if (!refusal) return void ask();
  if (entry.kind === "settle" && draft.value?.phase !== "play") enter(entry.draft);
  refused(refusal);
}

// --- beginning, and what others do to the round ------------------------------------------------------------------------------------
export async function begin() {
  const kept = await draftRead();
  const { session } = standing.value;
  draft.value = kept?.session === session.id ? kept : null;
  await outbox.start(orphan);
  if (!draft.value) draft.value = freshDraft(repeated(standing.value.round));
  effect(() => follow(standing.value));
}

const repeated = (round) => {
  const seats = round ? game.seatsOf(round.stakes) : {};
  return Object.fromEntries(Object.entries(seats).filter(([, one]) => standing.value.guests.some((guest) => guest.id === one.guest)));
};

function follow(told) {
  const now = draft.peek();
  const busy = working.peek() || outbox.pending.peek().some((entry) => entry.kind !== "guest");
  if (busy || now.mode === "correct" || now.offline) return;
  if (told.session?.id !== now.session || !(told.croupier.id === page.person || page.supervisor)) return location.reload();
  const { round } = told;
  if (round?.state === "locked") {
    if (now.phase === "play" && now.round === round.id) return;
    const mine = now.round === round.id;
    const seats = game.seatsOf(round.stakes);
    enter({ ...freshDraft(seats, round.entry_level), ...(mine ? now : {}), phase: "play", round: round.id, number: round.number, lockedAt: Date.parse(round.locked_at), seats, current: null, part: null });
    if (!mine) tell(w("elsewhere_locked", { number: round.number }), w("elsewhere_help"), { kind: "lock" });
  } else if (now.phase === "play") {
    settled.value = null;
    enter(freshDraft(repeated(round)));
    tell(w("elsewhere_ended", { number: now.number }), w("elsewhere_help"), { kind: "lock" });
  } else if (now.level !== told.session.entry_level) {
    enter({ ...now, level: told.session.entry_level, current: null, part: null });
  } else if (JSON.stringify(told.versions) !== JSON.stringify(page.standing.versions)) {
    location.reload();
  }
}
