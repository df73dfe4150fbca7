// The fee of one hand from its pot, and of the time at the table: the page's copies of
// `payouts.rules.rulesets.rake`, so that both stand on the screen before a chip moves, and hold
// without the server (RAK-1 to RAK-3).
import { sum } from "tablet/poker/money/pots";

const WHOLE_BP = 10_000;

export function tierOf({ tiers }, pot, players) {
  const fitting = tiers.filter((one) => one.players_from <= players && one.pot_from <= pot);
  const isBetter = (one, other) =>
    one.players_from - other.players_from || one.pot_from - other.pot_from;
  return fitting.reduce((best, one) => (best && isBetter(best, one) >= 0 ? best : one), null);
}

const share = (pot, bp) => Number((BigInt(pot) * BigInt(bp)) / BigInt(WHOLE_BP));
const onStep = (minor, step) => minor - (minor % step);

// What comes off each pot of a hand, the main pot first, and why: `{minor, parts, code, …}`, minor
// units; uncalled bets are in none.
export function rakesOf(schedule, { pots, players, flop, walk }) {
  const nothing = { minor: 0, parts: pots.map(() => 0) };
  const total = sum(pots);
  if (walk) return { ...nothing, code: "rake.walk" };
  if (schedule.no_flop_no_drop && !flop) return { ...nothing, code: "rake.no_flop" };
  if (total < schedule.minimum_pot)
    return { ...nothing, code: "rake.small_pot", minimum_pot_minor: schedule.minimum_pot };
  if (schedule.no_flop !== null && !flop) {
    const fixed = { percent_bp: 0, fixed: schedule.no_flop, cap: null };
    return { ...take(fixed, schedule.step, pots), code: "rake.no_flop_fee" };
  }
  const tier = tierOf(schedule, total, players);
  return tier ? take(tier, schedule.step, pots) : { ...nothing, code: "rake.no_tier" };
}

// The same of one pot, and no parts.
export function rakeOf(schedule, { pot, ...hand }) {
  const { parts, ...fee } = rakesOf(schedule, { ...hand, pots: [pot] });
  return fee;
}

function take(tier, step, pots) {
  const wanted = tier.percent_bp ? pots.map((pot) => share(pot, tier.percent_bp)) : pots;
  let left = tier.percent_bp ? sum(wanted) : tier.fixed;
  const isCapped = tier.cap !== null && tier.cap < left;
  if (isCapped) left = tier.cap;
  const parts = wanted.map((minor) => {
    const part = onStep(Math.min(minor, left), step);
    left -= part;
    return part;
  });
  const minor = sum(parts);
  if (isCapped && minor === tier.cap)
    return { minor, parts, code: "rake.capped", cap_minor: minor };
  if (!tier.percent_bp) return { minor, parts, code: "rake.fixed", fixed_minor: tier.fixed };
  return { minor, parts, code: "rake.percent", bp: tier.percent_bp, step_minor: step };
}

// The tiers that a pot of so many players can come under.
const reachable = (schedule, players) =>
  schedule.tiers.filter(
    (one) =>
      one.players_from <= players &&
      tierOf(schedule, Math.max(one.pot_from, schedule.minimum_pot), players) === one,
  );

// The most that is taken of a hand of so many players; null: there is no most.
export function mostOf(schedule, players) {
  const every = reachable(schedule, players).map((one) =>
    one.percent_bp ? one.cap : Math.min(one.fixed, one.cap ?? one.fixed),
  );
  return every.includes(null) ? null : Math.max(0, ...every);
}

// Amounts that one tap takes, above nothing: fixed fees as they are posted; else steps, ever wider,
// up to the most, at most `count`.
const TIMES = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];
const UNITS = [1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 400, 500, 1_000];

export function keysOf(schedule, players, count) {
  const tiers = reachable(schedule, players);
  const isFixed = tiers.every((one) => !one.percent_bp);
  const fixed = tiers.filter((one) => !one.percent_bp);
  const amounts = fixed.map((one) => Math.min(one.fixed, one.cap ?? one.fixed));
  const most = mostOf(schedule, players);
  const steps = isFixed || most === 0 ? [] : stepsTo(schedule.step, most, count - amounts.length);
  return [...new Set([...amounts, ...steps])]
    .filter((one) => one > 0)
    .sort((one, other) => one - other)
    .slice(-count);
}

function stepsTo(step, most, count) {
  if (most === null) return TIMES.slice(0, count).map((times) => times * step);
  for (const unit of UNITS.map((one) => one * step)) {
    const below = TIMES.map((times) => times * unit).filter((one) => one < most);
    if (below.length < count && below.length < TIMES.length) return [...below, most];
  }
  return [most];
}

// What is owed for time at a moment, of who has paid until `paidUntil` (ms): half hours begun and
// not paid for (RAK-2).
const HALF_HOUR_MS = 30 * 60_000;

export const halvesOwed = (paidUntil, at) =>
  Math.max(Math.floor((at - paidUntil) / HALF_HOUR_MS) + 1, 0);
export const paidOn = (paidUntil, halves) => paidUntil + halves * HALF_HOUR_MS;
