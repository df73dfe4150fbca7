// The result of Black Jack as the server reads it, and one that it has as taps again.
import { numbers } from "tablet/blackjack/table";
import {
  bankCards,
  cardsOn,
  handsOf as hands,
  inCards,
  isAsFed,
  restOf,
} from "tablet/blackjack/cards";
import { handAt } from "tablet/blackjack/ends";

const cardsResult = (cards, fed) => ({
  cards: cards.join(" "),
  ...(fed && { count: cards.length }),
});

export function result(draft) {
  const fed = isAsFed(draft);
  const one = (box, hand) => {
    if (inCards(draft)) return cardsResult(cardsOn(draft, box, hand), fed);
    const { result: ends, doubled } = handAt(draft, box, hand);
    return { result: ends, ...(doubled && { doubled_result: doubled }) };
  };
  const boxes = Object.fromEntries(
    numbers(draft.seats).map((box) => [
      box,
      { hands: hands(draft, box).map((hand) => one(box, hand)) },
    ]),
  );
  const bank = bankCards(draft);
  if (inCards(draft))
    return {
      boxes,
      ...(bank.length && { bank_cards: bank.join(" ") }),
      ...(fed && { feed: true }),
    };
  return { boxes, ...(draft.flags.bank && { bank: draft.flags.bank }) };
}

export function resultsOf(kept) {
  const read = ({ result: ends, doubled_result: doubled }) => ({
    result: ends,
    ...(doubled && { doubled }),
  });
  const results = Object.fromEntries(
    Object.entries(kept?.boxes ?? {}).map(([box, { hands: list }]) => [
      box,
      Object.fromEntries(list.map((one, place) => [place, read(one)])),
    ]),
  );
  const bank = kept?.bank === "none" ? undefined : kept?.bank;
  const cards = cardsFrom(kept);
  const hands = Object.values(kept?.boxes ?? {}).flatMap((one) => one.hands);
  const low = !bank && hands.some((one) => one.result === "blackjack"); // it was paid at once
  return {
    results,
    cards,
    flags: { ...(bank && { bank }), ...(low && { low }), ...restsOf(cards) },
  };
}

const cut = (text) => (text ? text.split(" ") : []);
const cardsFrom = (kept) => {
  const hand = (box, { cards }, place) => (cards ? [[`${box}.${place + 1}`, cut(cards)]] : []);
  const own = Object.entries(kept?.boxes ?? {}).flatMap(([box, one]) =>
    one.hands.flatMap((each, place) => hand(box, each, place)),
  );
  return Object.fromEntries(kept?.bank_cards ? [...own, ["bank", cut(kept.bank_cards)]] : own);
};
// Of cards that the server has, every hand rests, and cards count (as in a dispute).
const restsOf = (cards) => {
  const ids = Object.keys(cards);
  return ids.length
    ? { dispute: true, ...Object.fromEntries(ids.map((id) => [restOf(...id.split(".")), true])) }
    : {};
};
