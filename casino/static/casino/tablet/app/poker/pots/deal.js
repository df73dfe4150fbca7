// A hand at *pots* as it is entered here: what is matched on each street, who folds where, who wins
// which pot. Everything that is shown follows from it and from the stacks before the hand.
import { page } from "tablet/frame/page";
import { carried, dealtIn, stays } from "tablet/hand/state";
import { asked, settle } from "tablet/poker/money/settle";
import { potsOf, totalOf } from "tablet/poker/money/pots";
import { seatsAfter } from "tablet/poker/money/share";
import { winnersByCards } from "tablet/poker/money/showdown";
import { courseOf } from "tablet/poker/money/streets";

const { game } = page;
const SEATS = Array.from({ length: 10 }, (_, place) => place + 1);

export const fresh = { streets: [{ amounts: [], folds: {} }], winners: [] };
export const variantOf = (now) => game.variants.find(({ code }) => code === now.variant);
export const enteredOf = (now) => now.entered ?? fresh;
const NO_CARDS = { board: [], hands: {} };
export const cardsOf = (now) => enteredOf(now).cards ?? NO_CARDS;

// Who was dealt in, by seat, and what lay before each: as the hand ended, or as it is by now.
export function chairsOf(now) {
  if (now.entered?.chairs) return now.entered.chairs;
  const dealt = dealtIn(now);
  return stays.value
    .filter(({ id }) => dealt.includes(id))
    .map(({ id, seat, stack_minor: stack }) => ({ id, seat, stack }))
    .sort((one, other) => one.seat - other.seat);
}

// What lies in the pot of hands before: as the hand ended, or as it is by now.
export const carriedOf = (now) =>
  now.entered?.chairs ? (now.entered.carried ?? 0) : carried.value;

// The button is before a guest who is dealt in: where its own is no longer, before the next one
// (POK-5).
export function buttonOf(now) {
  const seats = chairsOf(now).map(({ seat }) => seat);
  if (!seats.length || seats.includes(now.button)) return now.button;
  return seatsAfter(now.button ?? 0, seats)[0];
}

// Where all may pass, before the draw: nobody has opened, and everybody has chips, so that the hand
// does not go on (POK-4). All pass it in, which needs an ante, or one opens.
export const isUnopened = (now) => {
  const [{ amounts }, ...more] = enteredOf(now).streets;
  const isBet = more.length > 0 || amounts.some((minor) => minor > 0);
  const isAble = chairsOf(now).every(({ stack }) => stack > game.ante);
  return Boolean(variantOf(now).passes) && !isBet && isAble;
};
export const mayPass = (now) => isUnopened(now) && game.ante > 0;
export const isPassed = (now) => enteredOf(now).passed === true;
export const passes = (now) => ({
  ...fresh,
  passed: true,
  chairs: chairsOf(now),
  carried: carriedOf(now),
});

// The blinds, by seat: of two players the button's is the small one, where the house plays so. None
// where all may pass: there antes alone are posted.
export function blindsOf(now) {
  const { doors, passes: mayCheck } = variantOf(now);
  const seats = chairsOf(now).map(({ seat }) => seat);
  if (doors || mayCheck || seats.length < 2) return {};
  const [first, second = first] = seatsAfter(buttonOf(now), seats);
  const isTwo = seats.length === 2 && game.button_posts_small;
  const [small, big] = isTwo ? [second, first] : [first, second];
  return { [small]: game.small_blind, [big]: game.big_blind };
}

// What is to be matched on a street: the last amount, or what was posted on the first one.
function postedOf(now) {
  const { doors, passes: mayCheck } = variantOf(now);
  return doors ? game.bring_in : mayCheck ? 0 : game.big_blind;
}
export const toOf = (now, at) =>
  enteredOf(now).streets[at].amounts.at(-1) ?? (at ? 0 : postedOf(now));

// The course of the hand, its pots and, once its winners are known, its result. A `code` stands
// where the server would refuse it.
export function readOf(now) {
  const streets = streetsOf(now);
  const variant = variantOf(now);
  const chairs = chairsOf(now);
  const stacks = Object.fromEntries(chairs.map(({ seat, stack }) => [seat, stack]));
  const course = courseOf({ chip: game.chip, ante: game.ante }, variant, stacks, {
    streets: streets.map(({ folds }, at) => ({ to: toOf(now, at), folds })),
  });
  if (course.code) return { course, code: course.code };
  if (isPassed(now))
    return { course, stacks, pots: [], result: unwon(course, stacks), chairs, winners: [] };
  const made = potsOf(course.payments, carriedOf(now));
  const winners = winnersOf(now, made.pots ?? []);
  const terms = {
    schedule: game.rake,
    players: chairs.length,
    flop: course.board,
    walk: course.walk,
    carried: carriedOf(now),
    chip: game.chip,
    order: seatsAfter(buttonOf(now), SEATS),
    all_to_worst: game.odd_chips === "all_to_worst",
  };
  const result = made.code ? made : settle({ payments: course.payments, stacks, winners }, terms);
  return { course, stacks, pots: made.pots ?? [], code: made.code, result, chairs, winners };
}

// Of a hand that all passed in there was no bet.
const streetsOf = (now) => (isPassed(now) ? [] : enteredOf(now).streets);

// Everybody has paid an ante that nobody has won.
const unwon = ({ payments, left }, stacks) => ({
  uncalled: null,
  pots: [],
  seats: [],
  rake: null,
  nets: Object.fromEntries(payments.map((payment) => [payment.seat, 0 - totalOf(payment)])),
  stacks: Object.fromEntries(Object.keys(stacks).map((seat) => [seat, left[seat]])),
});

// By pot: whose cards win, else who was tapped. Winners of a pot that a later tap gave to others
// are asked for anew.
function winnersOf(now, pots) {
  const { winners } = enteredOf(now);
  const { cards } = variantOf(now);
  const { qualifier, draw_low } = game;
  const spoken = winnersByCards(pots, cardsOf(now), { ...cards, qualifier, draw_low });
  const isIn = (at) => {
    const { high = [], low } = winners[at] ?? {};
    return [...high, ...(low ?? [])].every((seat) => pots[at].seats.includes(seat));
  };
  const tapped = (at) => (isIn(at) ? winners[at] : null);
  return pots.map((_pot, at) => (spoken[at].high.length ? spoken[at] : tapped(at)));
}

// Whether it is all there: the betting, and a winner of each pot.
export function isComplete(now) {
  const read = readOf(now);
  if (isPassed(now)) return Boolean(read.result);
  return Boolean(read.result?.nets) && isBetOut(now, read) && !askedOf(now, read);
}

export const stageOf = (now) => enteredOf(now).streets.length - 1;

// Whether nothing more can be bet: it was the last street, one is left, or all but one are all-in.
export function isBetOut(now, { course }) {
  const left = course.after.at(-1) ?? [];
  const able = left.filter((seat) => course.left[seat] > 0);
  return left.length < 2 || able.length < 2 || stageOf(now) + 1 >= variantOf(now).rounds;
}

export const askedOf = (now, { pots, winners }) => asked(pots, winners, variantOf(now).low);

// What the command says of it, and what the tablet showed.
export function body(now) {
  const { chairs } = now.entered;
  const { result, winners } = readOf(now);
  const { board, hands } = cardsOf(now);
  const pots = result.pots.map(({ amount_minor, rake_minor, shares }) => ({
    amount_minor,
    rake_minor,
    shares,
  }));
  return {
    dealt: chairs.map(({ id }) => id),
    rake_minor: null,
    pot_minor: null,
    variant: game.variants.length > 1 ? now.variant : null,
    pots: {
      seats: chairs.map(({ seat }) => seat),
      stacks_minor: chairs.map(({ stack }) => stack),
      button: variantOf(now).doors ? 0 : buttonOf(now),
      streets: streetsOf(now).map(({ folds }, at) => ({ to_minor: toOf(now, at), folds })),
      ...(isPassed(now) && { passed: true }),
      carried_minor: carriedOf(now),
      winners: winners.map((won) => won ?? { high: [], low: [] }),
      board: board.join(" "),
      hands: Object.fromEntries(
        Object.entries(hands).map(([seat, hole]) => [seat, hole.join(" ")]),
      ),
      expects: { uncalled: result.uncalled, pots },
    },
  };
}

// What the house is told as the hand begins.
export const begun = (now) => ({
  button: variantOf(now).doors ? 0 : (buttonOf(now) ?? 0),
  variant: game.variants.length > 1 ? now.variant : null,
});

// By stay what the hand moves, once it has ended.
export function netsOf(now) {
  const { result, chairs } = now.entered?.chairs ? readOf(now) : {};
  if (!result?.nets) return {};
  return Object.fromEntries(chairs.map(({ id, seat }) => [id, result.nets[seat]]));
}

// What it leaves in the pot for the next one, less what it found there.
export function carriesOf(now) {
  if (!now.entered?.chairs) return 0;
  if (!isPassed(now)) return 0 - carriedOf(now);
  return Object.values(readOf(now).result?.nets ?? {}).reduce((sum, net) => sum - net, 0);
}
