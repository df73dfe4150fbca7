// How a pot is shared: halves, equal parts, odd chips: the page's copy of
// `tables.games.poker.share` (POK-7, HAND-5).

// The seats clockwise from the first after the button; without one (0) from the first.
export function seatsAfter(button, seats) {
  const ordered = seats.toSorted((one, other) => one - other);
  const isAfter = (seat) => seat > button;
  return [...ordered.filter(isAfter), ...ordered.filter((seat) => !isAfter(seat))];
}

// The shares of a pot after its fee: `{seat, half, amount_minor, odd_minor}`. `chip`: the smallest,
// in which the pot lies; `order`: whose turn odd chips are, `seatsAfter` the button;
// `all_to_worst`: the first of the winners gets all of them. The odd chip of two halves is the high
// one's; where it makes equal parts of that, it is the odd chip of who would be short of it: the
// last whose turn it is, or the first where all go there. Without a low the high hand takes all.
export function sharesOf(minor, { high, low = [] }, sharing) {
  const chips = parts(minor, sharing.chip);
  if (!low.length) return equal(chips, "whole", high, sharing);
  const half = parts(chips, 2);
  const shares = equal(chips - half, "high", high, sharing);
  if (half * 2 < chips && !shares.some((share) => share.odd_minor))
    shares.at(sharing.all_to_worst ? 0 : -1).odd_minor = sharing.chip;
  return [...shares, ...equal(half, "low", low, sharing)];
}

// The seat that has the odd chip of the two halves of a pot among its own, and how much that chip
// is: `{seat, minor}`; null where there is none.
export function oddOfHalves(shares) {
  const of = (half) => shares.filter((share) => share.half === half);
  const sum = (rows) => rows.reduce((minor, { amount_minor }) => minor + amount_minor, 0);
  const last = of("high").findLast((share) => share.odd_minor);
  const minor = sum(of("high")) - sum(of("low"));
  return last && minor ? { seat: last.seat, minor } : null;
}

const parts = (whole, by) => (whole - (whole % by)) / by;

function equal(chips, half, winners, { chip, order, all_to_worst: toWorst }) {
  const [each, odd] = [parts(chips, winners.length), chips % winners.length];
  const turn = winners.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  const oddOf = (at) => (toWorst ? (at ? 0 : odd) : Number(at < odd));
  return turn.map((seat, at) => ({
    seat,
    half,
    amount_minor: (each + oddOf(at)) * chip,
    odd_minor: oddOf(at) * chip,
  }));
}
