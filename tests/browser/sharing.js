// A second game for the tablet's frame, for tests alone (tests/sharing.py): up to three guests stake on a box, which wins 1:1 or loses.
import { page } from "tablet/frame/page";
import { standing } from "tablet/frame/live";
import { guestsOf } from "tablet/round/state";
import { amount, money, w } from "tablet/frame/words";

const {
  limits: { stake: limits },
  reasons,
  pays,
} = page.game;
const numbers = (seats) => Object.keys(seats).map(Number);
const stakesOf = (draft, box) => draft.seats[box]?.stakes ?? [];
const numberOf = (guest) => standing.value.guests.find((one) => one.id === guest)?.number ?? "…";
const fresh = (guest) => ({ guest, minor: limits.minimum });

// Guests
export const GUESTS_MOST = 3;
export const guestsAt = ({ stakes }) => stakes.map((one) => one.guest);
export const named = ({ stakes }, guest) => ({
  stakes: stakes.map((one) => ({ ...one, guest: one.guest ?? guest })),
});
export const owned = () => null;
export const drawer = () => ({});

export function without(seats, isGone) {
  const left = Object.entries(seats).map(([box, { stakes }]) => [
    box,
    { stakes: stakes.filter((one) => !isGone(one.guest)) },
  ]);
  return Object.fromEntries(left.filter(([, { stakes }]) => stakes.length));
}

const laying = (draft, box, stakes, step, part = null) => ({
  draft: { ...draft, seats: { ...draft.seats, [box]: { stakes } }, current: box, part },
  step,
});
export const seat = (draft, box, guest, habits) =>
  laying(
    draft,
    box,
    habits?.stakes.map((one, place) => (place ? one : { ...one, guest })) ?? [
      fresh(guest),
      ...stakesOf(draft, box),
    ],
    w("undo_seat", { box }),
    "stake0",
  );
export const join = (draft, box, guest) =>
  laying(draft, box, [...stakesOf(draft, box), fresh(guest)], `+ ${numberOf(guest)}`);

export function part(draft, box, guest) {
  const { [box]: there, ...others } = draft.seats;
  return {
    draft: {
      ...draft,
      seats: { ...others, ...without({ [box]: there }, (id) => id === guest) },
      current: null,
      part: null,
    },
    step: `− ${numberOf(guest)}`,
  };
}

export function clear(draft, box) {
  const { [box]: _gone, ...seats } = draft.seats;
  return { draft: { ...draft, seats, current: null, part: null }, step: w("undo_clear", { box }) };
}

// Stakes
export const tiles = (draft, box) =>
  stakesOf(draft, box).map(({ guest, minor }, place) => ({
    part: `stake${place}`,
    label: w("guest", { number: numberOf(guest) }),
    text: amount(minor),
    main: !place,
    on: draft.current === box && draft.part === `stake${place}`,
    changed:
      draft.before[box]?.stakes[place]?.minor !== undefined &&
      draft.before[box].stakes[place].minor !== minor,
  }));
export const tapTile = (draft, box, part) => ({ draft: { ...draft, current: box, part } });

export function chips({ seats, current, part }) {
  const there = seats[current]?.stakes.find((_, place) => `stake${place}` === part);
  if (!there) return null;
  return {
    title: w("box", { box: current }),
    sub: w("guest", { number: numberOf(there.guest) }),
    limits,
    keys: limits.chips.map((minor) => ({
      id: minor,
      label: amount(minor),
      on: there.minor === minor,
    })),
  };
}

export function tapChip(draft, minor) {
  const { current, part } = draft;
  const stakes = stakesOf(draft, current).map((one, place) =>
    `stake${place}` === part ? { ...one, minor } : one,
  );
  return laying(draft, current, stakes, `→ ${amount(minor)}`, part);
}

export const wrongAmount = (_draft, minor) =>
  minor < limits.minimum || minor > limits.maximum ? { title: money(minor), help: "" } : null;
export const laid = ({ seats }) => ({ boxes: numbers(seats).length, coins: 0, hasJackpot: false });
export const inShort = (draft, box) =>
  stakesOf(draft, box)
    .map((one) => amount(one.minor))
    .join(" · ");
export const stakes = (draft) =>
  numbers(draft.seats).flatMap((box) =>
    stakesOf(draft, box).map(({ guest, minor }) => ({
      box,
      guest,
      kind: "stake",
      amount_minor: minor,
    })),
  );

export function seatsOf(list) {
  const seats = {};
  for (const { box, guest, amount_minor: minor } of list)
    (seats[box] ??= { stakes: [] }).stakes.push({ guest, minor });
  for (const { stakes: there } of Object.values(seats))
    there.sort((one, other) => numberOf(one.guest) - numberOf(other.guest));
  return seats;
}

// The result
export const cells = (draft, box) => [
  ["lose", "win"].map((sign) => ({
    id: sign,
    label: "1×",
    sign,
    on: draft.results[box] === sign ? sign : "",
    disabled: false,
    name: w(`times_${sign}s`, { play: 1 }),
  })),
];
export const tapCell = (draft, box, ends) => ({
  draft: { ...draft, results: { ...draft.results, [box]: ends }, current: box },
  step: `${box}: ${ends}`,
});
export const missing = (draft) => ({
  boxes: numbers(draft.seats).filter((box) => !draft.results[box]),
  cards: [],
});
// The owner decides, or who comes first where there is none (BOX-2).
export const result = (draft) => ({
  boxes: Object.fromEntries(
    numbers(draft.seats).map((box) => [
      box,
      { by: guestsOf(draft, box)[0].id, wins: draft.results[box] === "win" },
    ]),
  ),
});
export const resultsOf = (kept) => ({
  results: Object.fromEntries(
    Object.entries(kept?.boxes ?? {}).map(([box, one]) => [box, one.wins ? "win" : "lose"]),
  ),
  cards: {},
  flags: {},
});

const line = (box, wins, { guest, minor }) => ({
  box,
  guest,
  kind: "stake",
  stake: minor,
  returned: wins ? minor : 0,
  won: wins ? minor * pays : 0,
  prize: 0,
  odds: "",
  hand: "",
  waits: false,
  laid: minor,
  paid: wins ? minor + minor * pays : 0,
  code: wins ? "sharing.won" : "sharing.lost",
});
export function payouts(draft) {
  const found = {};
  for (const box of numbers(draft.seats)) {
    if (!draft.results[box]) continue;
    const lines = stakesOf(draft, box).map((one) => line(box, draft.results[box] === "win", one));
    const net = lines.reduce((sum, one) => sum + one.paid - one.laid, 0);
    found[box] = { net, game: net, prize: 0, meter: false, lines };
  }
  return found;
}

export const reason = ({ code }) => reasons[code];
export const partWords = () => w("stake");
export const hint = () => w("hint_result");

// What this game has not: hands, cards, marks of a round, prizes, help of its own
export const HELP = [];
export const handKeys = () => null;
export const tapHand = () => null;
export const cardGroups = () => [];
export const verdict = () => null;
export const takeCards = () => null;
export const flags = () => [];
export const royals = () => [];
export const royalKeys = () => [];
export const tapRoyal = () => null;
export const needsPit = () => [];
export const takesOthers = () => false;
export const handOf = () => "";
export const handWithin = () => "";
export const partsOf = () => "";
