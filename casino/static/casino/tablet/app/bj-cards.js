// The cards of a round of Black Jack, where they are entered: which one comes next, what a hand is worth, how it ended (BJ-1 to BJ-4).
import { w } from "tablet/words";
import { numbers, rules } from "tablet/bj-table";

export const DECKS = 6;
const MOST = 21;
const BANK = "bank";
const TENS = "TJQK";
const DOUBLED = [9, 10, 11];

export const inCards = (draft) =>
  draft.level === "full_cards" || Boolean(draft.flags.dispute) || isFed(draft);
export const isFed = (draft) => Boolean(draft.fed?.length);
const HANDS = { split_2: 2, split_3: 3, split_4: 4 };
export const countOf = (draft, box) =>
  draft.placed.reduce(
    (most, one) => (one.box === box ? Math.max(most, HANDS[one.kind] ?? 1) : most),
    1,
  );
export const handsOf = (draft, box) =>
  Array.from({ length: countOf(draft, box) }, (_, place) => place + 1);
export const idOf = (box, hand) => `${box}.${hand}`;
const cardsOf = (draft, id) => (draft.cards[id] ?? []).filter(Boolean);
export const cardsOn = (draft, box, hand) => cardsOf(draft, idOf(box, hand));
export const bankCards = (draft) => cardsOf(draft, BANK);

const pips = ([rank]) => (rank === "A" ? 1 : TENS.includes(rank) ? 10 : Number(rank));

// What cards are worth: an ace 11 where that does not pass 21 (BJ-10).
export function worth(cards) {
  const hard = cards.reduce((sum, card) => sum + pips(card), 0);
  const soft = hard <= MOST - 10 && cards.some((card) => card[0] === "A");
  return { total: soft ? hard + 10 : hard, soft };
}

const isDoubled = (draft, box, hand) =>
  draft.placed.some((one) => one.box === box && one.kind === `double_${hand}`);
export const isNaturalIn = (draft, box) => {
  const cards = cardsOn(draft, box, 1);
  return countOf(draft, box) === 1 && cards.length >= 2 && worth(cards.slice(0, 2)).total === MOST;
};

export function mayDoubleCards(draft, box, hand) {
  const cards = cardsOn(draft, box, hand);
  if (cards.length !== 2 || (countOf(draft, box) > 1 && cards[0][0] === "A")) return false;
  const { total, soft } = worth(cards);
  if (total === MOST) return countOf(draft, box) === 1;
  return DOUBLED.includes(soft ? total - 10 : total) && (!soft || rules.double_soft);
}

export function maySplitCards(draft, box, hand) {
  const cards = cardsOn(draft, box, hand);
  if (cards.length !== 2 || pips(cards[0]) !== pips(cards[1])) return false;
  return countOf(draft, box) === 1 || cards[0][0] !== "A";
}

// The two cards of a pair lie on two hands from now on.
export function parted(draft, box, hand) {
  const [first, second, ...more] = cardsOn(draft, box, hand);
  if (!second || more.length) return draft.cards;
  const next = countOf(draft, box) + 1;
  return { ...draft.cards, [idOf(box, hand)]: [first], [idOf(box, next)]: [second] };
}

// How many cards a hand wants: one more than it has until it rests, is doubled, is a split ace, or has 21.
function wanted(draft, box, hand) {
  const cards = cardsOn(draft, box, hand);
  if (cards.length < 2) return 2;
  if (isDoubled(draft, box, hand)) return 3;
  if (countOf(draft, box) > 1 && cards[0][0] === "A") return 2;
  if (worth(cards).total >= MOST || draft.flags[restOf(box, hand)]) return cards.length;
  return cards.length + 1;
}
const isFull = (draft, box, hand) => cardsOn(draft, box, hand).length === wanted(draft, box, hand);

const every = (draft) =>
  numbers(draft.seats).flatMap((box) => handsOf(draft, box).map((hand) => ({ box, hand })));

// Whether somebody waits for the bank: a hand of at most 21 that is no Black Jack, an insurance, a Black Jack against an ace or a ten.
function isBankAsked(draft) {
  const first = bankCards(draft)[0];
  const mayHaveOne = Boolean(first) && [1, 10].includes(pips(first));
  return every(draft).some(({ box, hand }) => {
    const { total } = worth(cardsOn(draft, box, hand));
    const insured = draft.placed.some((one) => one.box === box && one.kind === "insurance");
    if (insured) return true;
    if (!isNaturalIn(draft, box)) return total <= MOST;
    return mayHaveOne || isDoubled(draft, box, hand);
  });
}

const stands = ({ total, soft }) =>
  total > 17 || (total === 17 && !(soft && rules.bank_hits_soft_17));

function wantedByBank(draft) {
  const cards = bankCards(draft);
  if (!cards.length) return 1;
  const isPlayed = every(draft).every(({ box, hand }) => isFull(draft, box, hand));
  if (!isPlayed || !isBankAsked(draft)) return cards.length;
  return cards.length > 1 && stands(worth(cards)) ? cards.length : cards.length + 1;
}

// The slots, hand by hand, the bank's last.
export function cardGroups(draft) {
  if (!inCards(draft)) return [];
  const groups = every(draft).map(({ box, hand }) => {
    const several = countOf(draft, box) > 1;
    const label = several ? `${w("box", { box })} · ${w("hand_of", { hand })}` : w("box", { box });
    const id = idOf(box, hand);
    const short = several ? `${box}/${hand}` : `${box}`;
    return { id, label, short, count: wanted(draft, box, hand), cards: draft.cards[id] ?? [] };
  });
  const cards = draft.cards[BANK] ?? [];
  return [
    ...groups,
    { id: BANK, label: w("bank"), short: w("bank"), count: wantedByBank(draft), cards },
  ];
}

// The slot of the next card in the order of the deal (BJ-2): a card each, one for the bank, a second each, then box by box.
export function nextCard(draft) {
  const first = numbers(draft.seats);
  const lacks = (id, count) => {
    const cards = draft.cards[id] ?? [];
    const place = Array.from({ length: count }, (_, index) => index).find((index) => !cards[index]);
    return place === undefined ? null : { id, place };
  };
  const one = (count) => {
    for (const box of first) {
      const found = countOf(draft, box) === 1 && lacks(idOf(box, 1), count);
      if (found) return found;
    }
    return null;
  };
  const dealt = one(1) ?? lacks(BANK, 1) ?? one(2);
  if (dealt) return dealt;
  for (const { box, hand } of every(draft)) {
    const found = lacks(idOf(box, hand), wanted(draft, box, hand));
    if (found) return found;
  }
  return lacks(BANK, wantedByBank(draft));
}

// The hand that the next card would go to, once its two cards lie: somebody decides.
export function deciding(draft) {
  const next = nextCard(draft);
  if (!next || next.id === BANK || next.place < 2) return null;
  const [box, hand] = next.id.split(".").map(Number);
  return { box, hand };
}

export const restOf = (box, hand) => `rest_${idOf(box, hand)}`;

export function rests(draft, { box, hand }) {
  return {
    draft: { ...draft, flags: { ...draft.flags, [restOf(box, hand)]: true }, current: box },
    step: w("undo_cell", { box, words: w("rests") }),
  };
}

// A shoe that reads its cards: each goes where the next one belongs. Null if there is none that is new.
export function takeFed(draft, fed) {
  const list = fed?.cards ? fed.cards.split(" ") : [];
  const had = draft.fed ?? [];
  if (list.length <= had.length) return null;
  return list.slice(had.length).reduce((now, card) => {
    const next = { ...now, fed: [...(now.fed ?? []), card] };
    const slot = nextCard(next);
    if (!slot) return next;
    const cards = [...(next.cards[slot.id] ?? [])];
    cards[slot.place] = card;
    return { ...next, cards: { ...next.cards, [slot.id]: cards }, fedTo: slot.id };
  }, draft);
}

// The hand that the shoe's last card went to, where it may have rested before that card came.
export function fedLast(draft) {
  const id = draft.fedTo;
  if (!isFed(draft) || !id || id === BANK || cardsOf(draft, id).length < 3) return null;
  const [box, hand] = id.split(".").map(Number);
  return isDoubled(draft, box, hand) ? null : { box, hand };
}

// It did: the card belongs to the next one, and is dealt again from there.
export function restedBefore(draft, turn) {
  const id = idOf(turn.box, turn.hand);
  const cards = { ...draft.cards, [id]: cardsOf(draft, id).slice(0, -1) };
  const next = { ...draft, cards, fed: draft.fed.slice(0, -1) };
  const { draft: rested, step } = rests(next, turn);
  return { draft: takeFed(rested, { cards: draft.fed.join(" ") }), step };
}

// Whether what lies there is what the shoe has read, and its order can be told from how many cards each hand has.
export function isAsFed(draft) {
  const lies = Object.values(draft.cards).flat().filter(Boolean).sort().join();
  const few = numbers(draft.seats).every((box) => countOf(draft, box) <= 2);
  return isFed(draft) && few && lies === [...draft.fed].sort().join();
}

export const worthWords = (cards) => {
  const { total, soft } = worth(cards);
  return soft && total < MOST ? `${total - 10}/${total}` : `${total}`;
};

// How all ended by the cards; null until all are there.
const known = new WeakMap();
export function endedByCards(draft) {
  if (!inCards(draft)) return null;
  if (!known.has(draft)) known.set(draft, worked(draft));
  return known.get(draft);
}

function worked(draft) {
  if (cardGroups(draft).some((one) => one.cards.filter(Boolean).length !== one.count)) return null;
  const cards = bankCards(draft);
  const { total } = worth(cards);
  const isIn = cards.length > 1;
  const natural = cards.length === 2 && total === MOST;
  const bank = !isIn ? undefined : natural ? "blackjack" : total > MOST ? "bust" : `${total}`;
  const compared = (own) => {
    if (own > MOST) return "bust";
    if (natural) return "lose";
    return total > MOST || own > total ? "win" : own < total ? "lose" : "push";
  };
  const results = {};
  for (const { box, hand } of every(draft)) {
    const own = worth(cardsOn(draft, box, hand)).total;
    const isNatural = isNaturalIn(draft, box);
    const result = isNatural ? "blackjack" : compared(own);
    const doubled = isNatural && isDoubled(draft, box, hand) && { doubled: compared(own) };
    results[box] = { ...results[box], [hand - 1]: { result, ...doubled } };
  }
  return { bank, results };
}
