// The pots of a hand, from what each seat paid into it: the page's copy of
// `tables.games.poker.pots` (POK-6, RAK-3). A payment is `{seat, live_minor, ante_minor,
// dead_minor, folded}`; where the server refuses, a `{code, …}` stands in place of the pots.

export const MOST_MINOR = 100_000_000_000; // no amount that is entered is above it

const AMOUNTS = ["live_minor", "ante_minor", "dead_minor"];
const isWhole = (payment) =>
  AMOUNTS.map((name) => payment[name]).every(
    (minor) => Number.isInteger(minor) && minor >= 0 && minor <= MOST_MINOR,
  );
const matchedOf = ({ live_minor: live, ante_minor: ante }) => live + ante;
const rising = (one, other) => one - other;
export const totalOf = (payment) => matchedOf(payment) + payment.dead_minor;
export const sum = (amounts) => amounts.reduce((total, minor) => total + minor, 0);

// What goes back to the seat that paid most, as far as no other has matched it, also none that
// folded; null: another has paid as much.
export function uncalledOf(payments) {
  const [highest, next] = payments.toSorted((one, other) => matchedOf(other) - matchedOf(one));
  const over = highest ? matchedOf(highest) - (next ? matchedOf(next) : 0) : 0;
  return over ? { seat: highest.seat, amount_minor: over } : null;
}

// `{pots: [{amount_minor, seats}], uncalled}`, the main pot first. `carried`: antes of hands before
// that nobody opened; they lie in the main pot, as dead chips do.
export function potsOf(payments, carried = 0) {
  const mistaken = mistakenIn(payments);
  if (mistaken) return { code: "poker.payment_wrong", seat: String(mistaken.seat) };
  const uncalled = uncalledOf(payments);
  const matched = new Map(payments.map((payment) => [payment.seat, matchedOf(payment)]));
  if (uncalled) matched.set(uncalled.seat, matched.get(uncalled.seat) - uncalled.amount_minor);
  const between = (floor, level) =>
    sum([...matched.values()].map((paid) => Math.min(paid, level) - Math.min(paid, floor)));
  const left = payments.filter(({ folded }) => !folded);
  const seats = left.map(({ seat }) => seat).sort(rising);
  const levels = [...new Set(seats.map((seat) => matched.get(seat)))].sort(rising);
  const pots = [];
  let [floor, beneath] = [0, carried + sum(payments.map((payment) => payment.dead_minor))];
  for (const level of levels) {
    const amount = between(floor, level) + beneath;
    const able = seats.filter((seat) => matched.get(seat) >= level);
    if (amount) {
      pots.push({ amount_minor: amount, seats: able });
      beneath = 0;
    }
    floor = level;
  }
  const ownerless = beneath + between(floor, Infinity);
  return ownerless ? { code: "poker.pot_ownerless", amount_minor: ownerless } : { pots, uncalled };
}

// No amount, a seat twice, or bets over an ante that is short.
function mistakenIn(payments) {
  const ante = Math.max(0, ...payments.filter(isWhole).map(({ ante_minor: minor }) => minor));
  return payments.find(
    (payment, at) =>
      !isWhole(payment) ||
      payments.findIndex(({ seat }) => seat === payment.seat) < at ||
      (payment.ante_minor !== ante && payment.live_minor),
  );
}
