// How the hands of Black Jack and the bank ended, as it was tapped or as the cards say: what is open, and what waits for the bank (BJ-3 to
// BJ-6). A hand has two ends where the stakes that were doubled end otherwise: each has the `part` of the hand's result that says it.
import { numbers, stakesOn } from "tablet/blackjack/table";
import { drawsOn, endedByCards, handsOf as hands, inCards } from "tablet/blackjack/cards";
import { hasEvenMoney, isAce, isInsured, isLow, isPlaced } from "tablet/blackjack/later";

// Cards outrank taps (HAND-6): where all are there, they say it.
const foundAt = (draft, box, hand) =>
  (inCards(draft) ? endedByCards(draft)?.results : draft.results)?.[box]?.[hand - 1] ?? {};

export function handAt(draft, box, hand) {
  const { result, doubled } = foundAt(draft, box, hand);
  return doubled && isApart(draft, box, hand) ? { result, doubled } : { result };
}
export const bankOf = (draft) => (inCards(draft) ? endedByCards(draft)?.bank : draft.flags.bank);
export const isNatural = (draft, box) => foundAt(draft, box, 1).result === "blackjack";

// A Black Jack that was doubled as 11 (BJ-5), or a co-player's one card where the decider draws on (BJ-6): those who doubled have an end
// of their own.
export const isApart = (draft, box, hand) =>
  hand === 1 && isNatural(draft, box)
    ? isPlaced(draft, box, "double_1")
    : drawsOn(draft, box, hand);

export const endsOf = (draft, box) =>
  hands(draft, box).flatMap((hand) => {
    const own = { box, hand, part: "result" };
    return isApart(draft, box, hand) ? [own, { ...own, part: "doubled" }] : [own];
  });
export const everyEnd = (draft) => numbers(draft.seats).flatMap((box) => endsOf(draft, box));
export const endOf = (draft, { box, hand, part }) => handAt(draft, box, hand)[part];
export const isOpen = (draft, box, hand) =>
  endsOf(draft, box).some((one) => one.hand === hand && !endOf(draft, one));

// The results with this end.
export function ending(draft, { box, hand, part }, end) {
  const was = draft.results[box]?.[hand - 1];
  return {
    ...draft.results,
    [box]: { ...draft.results[box], [hand - 1]: { ...was, [part]: end } },
  };
}

// The results with this end for all that are meant.
export function ended(draft, end, isMeant) {
  return everyEnd(draft)
    .filter((one) => isMeant(endOf(draft, one)))
    .reduce((now, one) => ({ ...now, results: ending(now, one, end) }), draft).results;
}

// Who waits for the bank: hands that are compared with it, insurance; and a Black Jack that was not paid even money, unless the bank's
// first card is low (BJ-4).
export const isWaiting = (draft, box) =>
  isInsured(draft, box) ||
  endsOf(draft, box).some((one) => ["win", "lose", "push"].includes(endOf(draft, one)));
const naturalWaits = (draft, box) =>
  !isLow(draft) &&
  isNatural(draft, box) &&
  stakesOn(draft, box).some((one) => !hasEvenMoney(draft, box, one.guest));
export const asks = (draft, box) => isWaiting(draft, box) || naturalWaits(draft, box);

// Of a Black Jack it is shown what it pays before the bank's first card is known: then with its condition.
export const isIfLow = (draft, box) =>
  !inCards(draft) && !bankOf(draft) && !isAce(draft) && naturalWaits(draft, box);

export const isDecided = (draft, box) =>
  hands(draft, box).every((hand) => !isOpen(draft, box, hand)) &&
  (Boolean(bankOf(draft)) ||
    (!(isInsured(draft, box) || (isNatural(draft, box) && isWaiting(draft, box))) &&
      !(isAce(draft) && naturalWaits(draft, box))));
