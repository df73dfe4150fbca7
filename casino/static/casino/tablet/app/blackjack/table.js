// Who stakes on a box of Black Jack: its owner and co-players (BOX-1, BOX-2), and what lies there before the cards.
import { page } from "tablet/frame/page";
import { standing } from "tablet/frame/live";
import { money, w } from "tablet/frame/words";
import { allocate, firsts, inOrder } from "tablet/round/prime";

export const rules = page.game;
export const limits = rules.limits.stake;
export const GUESTS_MOST = 6;
export const numbers = (seats) =>
  Object.keys(seats)
    .map(Number)
    .sort((a, b) => a - b);
export const stakesOn = (draft, box) => draft.seats[box]?.stakes ?? [];
const guestOf = (id) => standing.value.guests.find((one) => one.id === id);
export const numberOf = (id) => guestOf(id)?.number ?? "…";

// A guest's place at the table, as the prime rule looks at it. Who is on their way sits down at the box; who is not known here has no
// right but the last.
const ON_THEIR_WAY = { seated: true, distance: 0 };
const rightOf = (box, { guest, minor }) => {
  const found = guestOf(guest) ?? (guest === null ? { ...ON_THEIR_WAY, box } : { gone: true });
  const { box: own, seated = false, distance = 0, gone = false } = found;
  return { guest, minor, owner: own === box, seated, distance, gone };
};
export const owns = (box, guest) => rightOf(box, { guest, minor: 0 }).owner;
const rightsOn = (draft, box) => stakesOn(draft, box).map((one) => rightOf(box, one));
// Guests of a box in the order in which they have a right to it.
export const ranked = (draft, box) => inOrder(rightsOn(draft, box)).map((one) => one.guest);
export const awayFrom = (draft, box) => draft.flags[`away_${box}`] ?? [];

// The first who is there decides (BOX-2, PRM-2): nobody, until it is said who does, where several have the same right.
export const firstOn = (draft, box) => {
  const isThere = (one) => !awayFrom(draft, box).includes(one.guest);
  return firsts(rightsOn(draft, box).filter(isThere)).map((one) => one.guest);
};
export const isUnclear = (draft, box) => firstOn(draft, box).length > 1;
export const deciderOf = (draft, box) => (isUnclear(draft, box) ? null : firstOn(draft, box)[0]);

// Guests come and go
export const guestsAt = ({ stakes }) => stakes.map((one) => one.guest);
export const named = ({ stakes }, guest) => ({
  stakes: stakes.map((one) => ({ ...one, guest: one.guest ?? guest })),
});

export function without(seats, isGone) {
  const left = Object.entries(seats).map(([box, { stakes }]) => [
    box,
    { stakes: stakes.filter((one) => !isGone(one.guest)) },
  ]);
  return Object.fromEntries(left.filter(([, { stakes }]) => stakes.length));
}

const laying = (draft, box, stakes, step, part) => ({
  draft: { ...draft, seats: { ...draft.seats, [box]: { stakes } }, current: box, part },
  step,
});

export function seat(draft, box, guest, habits) {
  const usual = habits?.stakes.find((one) => one.guest === guest) ?? habits?.stakes[0];
  const own = { guest, minor: usual?.minor ?? limits.minimum };
  const others = stakesOn(draft, box).filter((one) => one.guest !== guest);
  return laying(draft, box, [own, ...others], w("undo_seat", { box }), "stake0");
}

export function join(draft, box, guest) {
  const there = stakesOn(draft, box);
  const step = w("undo_join", { box, number: numberOf(guest) });
  const part = `stake${there.length}`; // their amount is tapped next
  return laying(draft, box, [...there, { guest, minor: limits.minimum }], step, part);
}

export function part(draft, box, guest) {
  const { [box]: there, ...others } = draft.seats;
  const seats = { ...others, ...without({ [box]: there }, (id) => id === guest) };
  return {
    draft: { ...draft, seats, current: null, part: null },
    step: w("undo_part", { box, number: numberOf(guest) }),
  };
}

export function clear(draft, box) {
  const { [box]: _gone, ...seats } = draft.seats;
  return { draft: { ...draft, seats, current: null, part: null }, step: w("undo_clear", { box }) };
}

export const owned = () => null;
export const drawer = () => ({});

// Chips that go back before the cards
const cutOf = (draft, box) => allocate(limits, rightsOn(draft, box));
export const returnedOn = (draft, box) => cutOf(draft, box).filter((one) => one.returned);

// What is said of the boxes while bets are open: whose chips go back at the lock, and why; of several, how much.
export function warnings(draft) {
  const every = numbers(draft.seats).flatMap((box) =>
    returnedOn(draft, box).map((one) => ({ box, ...one })),
  );
  return every.map(every.length > 1 ? inFigures : inWords).join(" ");
}

const inFigures = ({ box, guest, returned, code }) =>
  w("stake_back", {
    box,
    number: numberOf(guest),
    amount: money(returned),
    rule: rules.reasons[code].rule,
  });

function inWords({ box, guest, returned, rank, room, code }) {
  const values = {
    guest: w("guest", { number: numberOf(guest) }),
    returned_minor: money(returned),
    rank,
    room_minor: money(room),
    maximum_minor: money(limits.maximum),
    minimum_minor: money(limits.minimum),
  };
  const { words, rule } = rules.reasons[code];
  const sentence = words.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
  return `${w("colon", { what: w("box", { box }), text: sentence })} (${rule})`;
}

// What lies there once the house has cut the stakes: without the server it is done here, and sent as it was played.
export function cut(draft) {
  const seats = {};
  for (const box of numbers(draft.seats)) {
    const accepted = new Map(cutOf(draft, box).map((one) => [one.guest, one.accepted]));
    const stakes = stakesOn(draft, box)
      .map((one) => ({ ...one, minor: accepted.get(one.guest) }))
      .filter((one) => one.minor);
    if (stakes.length) seats[box] = { stakes };
  }
  return { ...draft, seats };
}
