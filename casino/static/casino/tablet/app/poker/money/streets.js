// The betting of a hand as it is entered: the page's copy of `tables.games.poker.streets` (POK-2,
// POK-6). What is before or from a seat goes by its number, `{seat: minor}`; where the server
// refuses, a `{code, …}` stands in place of the course.
import { MOST_MINOR } from "tablet/poker/money/pots";

const map = (bySeat, change) =>
  Object.fromEntries(Object.entries(bySeat).map(([seat, minor]) => [seat, change(minor, seat)]));
const seatsOf = (bySeat) => Object.keys(bySeat).map(Number);

// What each seat paid, from its stack before the hand. `game`: `chip` and `ante`; `variant`: its
// `rounds` of betting, what is `posted` before anybody acts, whether there is a `board`; `streets`:
// `{to, folds}`, what who stayed in has matched as far as the stack goes, and what who folded had
// paid by then; `dead`: posted beside it and matched by nobody.
//
// `payments` as `potsOf` takes them; of each street what was `paid` on it and who is left `after`
// it; what still lies before each seat, `left`, and who has nothing more of those who are in,
// `allIn`; `walk`: everybody folded to what was posted; `board`: cards lay before all (RAK-1).
export function courseOf(game, variant, stacks, { streets = [], dead = {} }) {
  const [broke] = seatsOf(stacks).filter((seat) => !stacks[seat]);
  if (broke) return refusedSeat(broke, {}, 1);
  const antes = map(stacks, (stack) => Math.min(game.ante, stack));
  const before = map(stacks, (stack, seat) => stack - antes[seat]);
  for (const [seat, minor] of Object.entries(dead)) {
    const refusal = refusedDead(game, { seat, minor, antes, before, stacks });
    if (refusal) return refusal;
  }
  const left = map(before, (minor, seat) => minor - (dead[seat] ?? 0));
  const live = map(left, () => 0);
  const [paid, after] = [[], []];
  let seats = seatsOf(left);
  for (const [at, { to, folds = {} }] of streets.entries()) {
    const round = at + 1;
    if (round > variant.rounds || seats.length < 2)
      return { code: "poker.streets_many", street: round, most: Math.min(variant.rounds, at) };
    const within = Object.fromEntries(seats.map((seat) => [seat, left[seat]]));
    const refusal = refusedStreet(game, round, { to, folds }, within);
    if (refusal) return refusal;
    const street = map(within, (minor, seat) => folds[seat] ?? Math.min(to, minor));
    for (const seat of seats) {
      live[seat] += street[seat];
      left[seat] -= street[seat];
    }
    seats = seats.filter((seat) => !(seat in folds));
    paid.push(street);
    after.push(seats);
  }
  const isAlone = after[0]?.length === 1;
  return {
    payments: seatsOf(live).map((seat) => ({
      seat,
      live_minor: live[seat],
      ante_minor: antes[seat],
      dead_minor: dead[seat] ?? 0,
      folded: !seats.includes(seat),
    })),
    paid,
    after,
    left,
    allIn: seats.filter((seat) => left[seat] === 0),
    walk: isAlone && streets[0].to <= variant.posted,
    board: !variant.board || !isAlone,
  };
}

function refusedDead(game, { seat, minor, antes, before, stacks }) {
  const refusal = refusedSeat(seat, before, 1) ?? refusedChips(game, minor);
  if (refusal || minor <= before[seat]) return refusal;
  const paid = { stack_minor: stacks[seat], amount_minor: antes[seat] + minor };
  return { code: "poker.above_stack", seat: Number(seat), ...paid };
}

function refusedStreet(game, round, { to, folds }, left) {
  const refusal = refusedChips(game, to);
  if (refusal) return refusal;
  for (const [seat, minor] of Object.entries(folds)) {
    const amiss = refusedFold(game, { round, seat, minor, to }, left);
    if (amiss) return amiss;
  }
  const staying = Object.keys(left).filter((seat) => !(seat in folds));
  if (!staying.length) return { code: "poker.nobody_left", street: round };
  const most = Math.max(...staying.map((seat) => left[seat]));
  if (to > most)
    return { code: "poker.bet_above_stack", amount_minor: to, street: round, most_minor: most };
  return null;
}

function refusedFold(game, { round, seat, minor, to }, left) {
  const refusal = refusedSeat(seat, left, round) ?? refusedChips(game, minor);
  if (refusal) return refusal;
  const at = { seat: Number(seat), amount_minor: minor };
  if (minor > to) return { code: "poker.fold_above_bet", ...at, street: round, most_minor: to };
  if (minor > left[seat]) return { code: "poker.above_stack", ...at, stack_minor: left[seat] };
  return minor === left[seat] ? { code: "poker.fold_all_in", seat: at.seat } : null;
}

const refusedSeat = (seat, left, round) =>
  seat in left ? null : { code: "poker.seat_not_in", seat: Number(seat), street: round };

function refusedChips({ chip }, minor) {
  const most = MOST_MINOR - (MOST_MINOR % chip);
  const why = outside(minor, most);
  if (why)
    return { code: "poker.amount_refused", amount: minor, why, least_minor: 0, most_minor: most };
  const over = minor % chip;
  const nearest = minor - over + (2 * over <= chip ? 0 : chip);
  return over
    ? { code: "poker.off_chip", amount_minor: minor, chip_minor: chip, nearest_minor: nearest }
    : null;
}

function outside(minor, most) {
  if (!Number.isInteger(minor)) return "not a whole number";
  if (minor < 0) return "negative";
  return minor > most ? "too large" : null;
}
