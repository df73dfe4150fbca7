// A hand in money: pots, fee, shares, and what each seat has won or lost: the page's copy of
// `tables.games.poker.settle` (POK-6, POK-7, RAK-3).
import { rakesOf } from "tablet/poker/rake";
import { potsOf, totalOf } from "tablet/poker/money/pots";
import { sharesOf } from "tablet/poker/money/share";

// `payments` and `stacks` before the hand as `courseOf` has them; `winners` of each pot, the main
// pot first, `{high, low}`: a pot of one seat needs none. `terms`: the `schedule` (null: no fee),
// how many `players` were dealt in, `flop` and `walk` for it, what was `carried`, and how odd chips
// go, as `sharesOf` has it.
//
// `uncalled` and `pots` are what the command sends as it `expects` them; beside them the `seats` of
// each pot, the `rake` with its reason (null: no fee), by seat what it has won less what it has
// paid, `nets`, and the `stacks` after. Where the server refuses: `{code, …}`.
export function settle({ payments, stacks, winners }, terms) {
  const made = potsOf(payments, terms.carried);
  if (made.code) return made;
  const amounts = made.pots.map((pot) => pot.amount_minor);
  const rake = terms.schedule ? rakesOf(terms.schedule, { ...terms, pots: amounts }) : null;
  const folded = payments.filter((payment) => payment.folded).map(({ seat }) => seat);
  const pots = [];
  for (const [at, { amount_minor, seats }] of made.pots.entries()) {
    const won = winnersOf(at, { amount_minor, seats }, winners[at], folded);
    if (won.code) return won;
    const rake_minor = rake ? rake.parts[at] : 0;
    pots.push({
      amount_minor,
      rake_minor,
      shares: sharesOf(amount_minor - rake_minor, won, terms),
    });
  }
  const nets = netsOf(payments, made.uncalled, pots);
  return {
    uncalled: made.uncalled,
    pots,
    seats: made.pots.map(({ seats }) => seats),
    rake,
    nets,
    stacks: Object.fromEntries(
      Object.entries(nets).map(([seat, net]) => [seat, stacks[seat] + net]),
    ),
  };
}

function winnersOf(at, { amount_minor, seats }, entered, folded) {
  const isAlone = seats.length === 1;
  const { high = [], low = [] } = entered ?? {};
  if (!high.length && !isAlone) return { code: "poker.winner_missing", pot: at + 1, amount_minor };
  for (const seat of [...high, ...low]) {
    if (folded.includes(seat)) return { code: "poker.winner_folded", seat };
    if (!seats.includes(seat))
      return { code: "poker.winner_not_in_pot", seat, pot: at + 1, amount_minor };
  }
  return isAlone ? { high: seats } : { high, low };
}

function netsOf(payments, uncalled, pots) {
  const nets = Object.fromEntries(payments.map((payment) => [payment.seat, 0 - totalOf(payment)]));
  const won = pots.flatMap(({ shares }) => shares);
  for (const { seat, amount_minor } of uncalled ? [uncalled, ...won] : won)
    nets[seat] += amount_minor;
  return nets;
}

// Whose winner is asked for next, the pot that was made last first: its place `at` among the pots,
// which `half` of it, and who can win that; null: nobody's. Where the game `hasLow`, the high hand
// is asked for before the low one, of which an empty list says that none qualifies.
export function asked(pots, winners, hasLow = false) {
  for (const [at, { amount_minor, seats }] of [...pots.entries()].reverse()) {
    const { high = [], low } = winners[at] ?? {};
    const isOpen = seats.length > 1 && (!high.length || (hasLow && !low));
    const half = !hasLow ? "whole" : high.length ? "low" : "high";
    if (isOpen) return { at, half, amount_minor, seats };
  }
  return null;
}
