// What a tap makes of a hand that is entered at *pots*. Each gives the draft anew and remembers the
// one before it, so that every tap can be taken back.
import { foldsOf, nextFold } from "tablet/poker/money/folds";
import { w, amount } from "tablet/frame/words";
import { sheet } from "tablet/frame/screen";
import { draft, show } from "tablet/hand/state";
import { tellBegun } from "tablet/hand/commands";
import { enterResult } from "tablet/hand/flow";
import {
  askedOf,
  blindsOf,
  carriedOf,
  chairsOf,
  enteredOf,
  passes,
  readOf,
  stageOf,
  toOf,
  variantOf,
} from "tablet/poker/pots/deal";

const PAST_MOST = 60;

function put(next, step) {
  const now = draft.value;
  const entered = { ...next, passed: false };
  const past = [...(now.past ?? []), { entered: now.entered, picks: now.picks, step }];
  show({ ...now, entered, picks: null, past: past.slice(-PAST_MOST) });
  tellBegun(now);
}

// The tap that ends the hand is not among those that are taken back one by one: *Undo* takes the
// hand back as it was before.
function putOrEnd(opened, step, isOver) {
  const entered = { ...opened, passed: false };
  const next = { ...draft.value, entered };
  const read = readOf(next);
  if (read.code || !isOver(next, read)) return put(entered, step);
  return enterResult({ ...entered, chairs: chairsOf(next), carried: carriedOf(next) });
}

// Nobody opens: the antes go into the next pot (POK-4).
export const passAll = () => enterResult(passes(draft.value));

const withStreet = (entered, at, more) => ({
  ...entered,
  streets: entered.streets.map((street, place) => (place === at ? { ...street, ...more } : street)),
});

export const lastTap = (now) => now.past?.at(-1)?.step ?? "";

export function tapBack() {
  const now = draft.value;
  const { entered, picks } = now.past.at(-1);
  show({ ...now, entered, picks, past: now.past.slice(0, -1) });
}

// What is to be matched on this street now.
export function bet(minor) {
  const now = draft.value;
  const [entered, at] = [enteredOf(now), stageOf(now)];
  const amounts = [...entered.streets[at].amounts.filter((one) => one < minor), minor];
  put(withStreet(entered, at, { amounts }), `${streetName(now, at)} ${amount(minor)}`);
}

export const streetName = (now, at) => variantOf(now).streets[at];

export function nextStreet() {
  const now = draft.value;
  const entered = enteredOf(now);
  const streets = [...entered.streets, { amounts: [], folds: {} }];
  put({ ...entered, streets }, streetName(now, stageOf(now) + 1));
}

// The seat's last chips are what is bet: the key for all-in was tapped before.
export const pick = (what) => show({ ...draft.value, picks: what });

export function tapSeat(seat) {
  const now = draft.value;
  if (now.picks === "all_in") return allIn(seat);
  const [entered, at] = [enteredOf(now), stageOf(now)];
  const { folds } = entered.streets[at];
  const { [seat]: before, ...others } = folds;
  const posted = at ? 0 : (blindsOf(now)[seat] ?? 0);
  const left = leftBefore(now, at, seat);
  const choices = foldsOf(entered.streets[at].amounts, { posted, left });
  // who called what was posted, and folds to a raise
  const called = at ? 0 : toOf({ ...now, entered: undefined }, 0);
  if (called > posted && called < left && !choices.includes(called)) choices.push(called);
  const minor = before === undefined ? choices[0] : nextFold(choices, before);
  const chosen = minor === undefined || minor === null ? others : { ...others, [seat]: minor };
  const step = w(minor === null ? "stays_in" : "folds_at", { seat, street: streetName(now, at) });
  const folded = { ...withStreet(entered, at, { folds: chosen }), winners: [], cards: null };
  return putOrEnd(folded, step, (_next, { course }) => course.after.at(-1)?.length === 1);
}

// What lay before a seat as a street began.
function leftBefore(now, at, seat) {
  const { course } = readOf(now);
  const stack = chairsOf(now).find((chair) => chair.seat === seat)?.stack ?? 0;
  if (course.code) return stack;
  const paid = course.paid.slice(at).reduce((sum, street) => sum + (street[seat] ?? 0), 0);
  return course.left[seat] + paid;
}

function allIn(seat) {
  const now = draft.value;
  const minor = leftBefore(now, stageOf(now), seat);
  if (minor > toOf(now, stageOf(now))) return bet(minor);
  return pick(null);
}

// Who wins the pot that is asked for. With *split* several are marked first.
export function tapWinner(seat) {
  const now = draft.value;
  if (!now.picks?.seats) return win([seat]);
  const { seats } = now.picks;
  const isIn = seats.includes(seat);
  return pick({ seats: isIn ? seats.filter((other) => other !== seat) : [...seats, seat] });
}

export const split = () => pick(draft.value.picks?.seats ? null : { seats: [] });

export function win(seats) {
  const now = draft.value;
  const entered = enteredOf(now);
  const { at, half } = askedOf(now, readOf(now));
  const winners = [...entered.winners];
  const before = winners[at] ?? {};
  const sorted = [...seats].sort((one, other) => one - other);
  winners[at] =
    half === "low"
      ? { ...before, low: sorted }
      : { high: sorted, ...(half === "whole" ? { low: [] } : {}) };
  const step = w("wins_pot", { list: sorted.join(", ") });
  return putOrEnd({ ...entered, winners }, step, (next, read) => !askedOf(next, read));
}

// The winners of a pot, and of those that were made before it, are asked for once more.
export function anew(at) {
  const now = draft.value;
  const entered = enteredOf(now);
  if (entered.cards || entered.winners.some(Boolean))
    put(
      {
        ...entered,
        winners: entered.winners.map((won, place) => (place > at ? won : null)),
        cards: null,
      },
      "",
    );
}

// Cards that are shown say who wins; what was tapped before them no longer counts.
export function takeCards({ board, hands }) {
  sheet.value = null;
  const full = Object.entries(hands).filter(([, hole]) => hole.some(Boolean));
  const cards = { board, hands: Object.fromEntries(full) };
  const entered = { ...enteredOf(draft.value), winners: [], cards };
  return putOrEnd(entered, w("showdown"), (next, read) => !askedOf(next, read));
}

// Of a hand that is put right: what was entered on the street before the last one.
export function streetBefore() {
  const now = draft.value;
  const entered = enteredOf(now);
  const streets = entered.streets.slice(0, -1);
  put({ ...entered, streets, winners: [], cards: null }, "");
}

export const setButton = (seat) => show({ ...draft.value, button: seat });
