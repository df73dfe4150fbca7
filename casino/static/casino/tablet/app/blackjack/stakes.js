// The stakes of Black Jack before the cards: a tile for each guest of a box, amounts by keys and pad.
import { amount, money, w } from "tablet/frame/words";
import { stepAt } from "tablet/round/prime";
import { limits, numberOf, numbers, owns, returnedOn, stakesOn } from "tablet/blackjack/table";

export function tiles(draft, box) {
  const there = stakesOn(draft, box);
  const back = new Map(returnedOn(draft, box).map((one) => [one.guest, one.returned]));
  const before = new Map(draft.before[box]?.stakes.map((one) => [one.guest, one.minor]) ?? []);
  return there.map(({ guest, minor }, place) => ({
    part: `stake${place}`,
    label: back.has(guest)
      ? w("goes_back", { amount: amount(back.get(guest)) })
      : there.length === 1
        ? w("stake")
        : w(owns(box, guest) ? "owner" : "guest", { number: numberOf(guest) }),
    text: amount(minor),
    main: !place,
    on: draft.current === box && draft.part === `stake${place}`,
    changed: before.has(guest) && before.get(guest) !== minor,
  }));
}

export const tapTile = (draft, box, part) => ({ draft: { ...draft, current: box, part } });

const chosen = ({ seats, current, part }) =>
  seats[current]?.stakes.find((_, place) => `stake${place}` === part);

export function chips(draft) {
  const there = chosen(draft);
  if (!there) return null;
  return {
    title: w("box", { box: draft.current }),
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
  const { current: box, part } = draft;
  const was = chosen(draft);
  const stakes = stakesOn(draft, box).map((one) => (one === was ? { ...one, minor } : one));
  const step = { box, part: w("stake"), from: amount(was.minor), to: amount(minor) };
  return {
    draft: { ...draft, seats: { ...draft.seats, [box]: { stakes } } },
    step: w("undo_stake", step),
  };
}

export function wrongAmount(_draft, minor) {
  const { minimum, maximum } = limits;
  const low = limits.minimum_per === "stake" ? minimum : stepAt(limits, 0);
  const step = stepAt(limits, minor);
  const range = { low: money(low), high: money(maximum), step: money(step) };
  if (minor > maximum) return { title: w("at_most", range), help: w("limits", range) };
  if (minor < low) return { title: w("at_least", range), help: w("limits", range) };
  if (!(minor % step)) return null;
  const below = minor - (minor % step);
  const list = [below, below + step].filter((one) => one >= low).map(amount);
  return { title: w("in_steps", range), help: w("steps_such_as", { list: list.join(", ") }) };
}

export const laid = ({ seats }) => ({ boxes: numbers(seats).length, coins: 0, hasJackpot: false });

// What lies on a box at the lock, in short: each guest's stake, or of many their sum.
const APART = 3;

export function inShort(draft, box) {
  const minors = stakesOn(draft, box).map((one) => one.minor);
  if (minors.length <= APART) return minors.map(amount).join(" · ");
  const sum = amount(minors.reduce((total, minor) => total + minor, 0));
  return w("stakes_of", { amount: sum, count: minors.length });
}

export const stakes = (draft) =>
  numbers(draft.seats).flatMap((box) =>
    stakesOn(draft, box).map(({ guest, minor }) => ({
      box,
      guest,
      kind: "stake",
      amount_minor: minor,
    })),
  );

// From the stakes that the server has of a round: those of the lock.
export function seatsOf(list) {
  const seats = {};
  for (const { box, guest, kind, amount_minor: minor } of list)
    if (kind === "stake") (seats[box] ??= { stakes: [] }).stakes.push({ guest, minor });
  for (const [box, { stakes: there }] of Object.entries(seats))
    there.sort(
      (one, other) =>
        owns(Number(box), other.guest) - owns(Number(box), one.guest) ||
        numberOf(one.guest) - numberOf(other.guest),
    );
  return seats;
}
