// The stakes of Ultimate Texas Hold'em on the tablet: what lies on a box before the cards, and how it is said.
import { page } from "tablet/frame/page";
import { amount, money, w } from "tablet/frame/words";
import { change, coinsOnly, emptySeat, numbers } from "tablet/uth/seats";

const rules = page.game;
const { progressive } = rules;
// While coins may not be placed a lock takes none (`withCoins`); what lies on a box stays as its habit.
export const coinOf = (draft, box) =>
  draft.seats[box]?.coin && progressive && draft.withCoins !== false ? progressive.coin : 0;

// The tiles of a box that plays. `shut`: no coin may be placed now.
export function tiles(draft, box, shut) {
  const there = draft.seats[box];
  const before = draft.before[box];
  const isNew = (part) => Boolean(before) && before[part] !== there[part];
  const of = (part, label, text, more) => ({
    part,
    label,
    text,
    changed: isNew(part),
    on: draft.current === box && draft.part === part,
    ...more,
  });
  const off = { text: w("off"), off: true };
  const found = [];
  if (!coinsOnly(draft)) {
    found.push(
      of(
        "ante",
        there.blind ? w("ante_played_blind", { play: there.blind }) : w("ante_is_blind"),
        amount(there.ante),
        { main: true },
      ),
    );
    found.push(
      of("trips", w("trips"), there.trips ? amount(there.trips) : "", there.trips ? {} : off),
    );
  }
  if (progressive) {
    const state = shut ? { shut: true, text: w("shut") } : there.coin ? { gold: true } : off;
    found.push(of("coin", w("jackpot"), amount(progressive.coin), state));
  }
  return found;
}

export function tapTile(draft, box, part) {
  const there = draft.seats[box];
  if (part === "coin")
    return change(
      { ...draft, part: null },
      box,
      { ...there, coin: !there.coin },
      w(there.coin ? "undo_coin_off" : "undo_coin_on", { box }),
    );
  // On and off with one tap each, as the coin; any other amount by the keys below, which are for this tile then.
  if (part === "trips")
    return put({ ...draft, part }, box, "trips", there.trips ? 0 : rules.limits.trips.minimum);
  return { draft: { ...draft, current: box, part } };
}

function put(draft, box, part, minor) {
  const there = draft.seats[box];
  const told = {
    box,
    part: w(part),
    from: there[part] ? amount(there[part]) : w("off"),
    to: minor ? amount(minor) : w("off"),
  };
  return change(draft, box, { ...there, [part]: minor }, w("undo_stake", told));
}

// The keys for the tile that is chosen: amounts, and "off" where the stake may be left out.
export function chips(draft) {
  const { current, part } = draft;
  const there = draft.seats[current];
  if (!there || !(part in rules.limits)) return null;
  const keys = rules.limits[part].chips.map((minor) => ({
    id: minor,
    label: amount(minor),
    on: there[part] === minor,
  }));
  if (part === "trips") keys.unshift({ id: 0, label: w("off"), on: !there.trips });
  return { title: w("box", { box: current }), sub: w(part), keys, limits: rules.limits[part] };
}

export const tapChip = (draft, minor) => put(draft, draft.current, draft.part, minor);

// Why an amount may not be entered: title and help, or null.
export function wrongAmount(draft, minor) {
  const { minimum, maximum, step } = rules.limits[draft.part];
  const range = { low: money(minimum), high: money(maximum), step: money(step) };
  if (minor > maximum) return { title: w("at_most", range), help: w("limits", range) };
  if (minor < minimum) return { title: w("at_least", range), help: w("limits", range) };
  const legal = [1, 2, 3].map((times) => minimum + times * step).filter((one) => one <= maximum);
  if (minor % step)
    return {
      title: w("in_steps", range),
      help: w("steps_such_as", { list: legal.map(amount).join(", ") }),
    };
  return null;
}

export function stakes(draft, withCoins = true) {
  return numbers(draft.seats).flatMap((box) => {
    const { guest, ante, trips, coin, blind } = draft.seats[box];
    const coinMinor = coin && withCoins && progressive ? progressive.coin : 0;
    const amounts = coinsOnly(draft)
      ? { coin: coinMinor }
      : { ante, blind: ante, trips, play: blind * ante, coin: coinMinor };
    return Object.entries(amounts)
      .filter(([, minor]) => minor)
      .map(([kind, amount_minor]) => ({ box, guest, kind, amount_minor }));
  });
}

export function seatsOf(list) {
  const seats = {};
  for (const { box, guest, kind, amount_minor: minor } of list) {
    seats[box] ??= emptySeat(guest);
    if (seats[box].guest !== guest) continue; // nobody shares a box here: what another one has there is not this guest's
    if (kind === "coin") seats[box].coin = true;
    else if (kind === "play") seats[box].play = minor;
    else if (kind !== "blind") seats[box][kind] = minor;
  }
  for (const box of numbers(seats)) {
    const { play = 0, ante, guest } = seats[box];
    delete seats[box].play;
    seats[box].blind = play / ante;
    if (play)
      seats[box].owner = numbers(seats).find(
        (other) => other !== box && seats[other].guest === guest,
      );
  }
  return seats;
}

export function laid(draft, shut) {
  const every = Object.values(draft.seats);
  const withCoin = shut ? 0 : every.filter((one) => one.coin && progressive).length;
  return {
    boxes: coinsOnly(draft) ? withCoin : every.length,
    coins: withCoin,
    hasJackpot: Boolean(progressive),
  };
}

// What lies on a box, in short: "50 · T10 · JP".
export function inShort(draft, box) {
  const { ante, trips, blind } = draft.seats[box];
  const parts = coinsOnly(draft)
    ? []
    : [amount(ante), trips && `T${amount(trips)}`, blind && w("blind_short", { play: blind })];
  return [...parts, coinOf(draft, box) && w("jp")].filter(Boolean).join(" · ");
}
