// The cards of a round of Black Jack, where they are entered: which one comes next, what a hand is worth, how it ended (BJ-1 to BJ-4).
import { w } from "tablet/frame/words";
import { deciderOf, numbers, rules, stakesOn } from "tablet/blackjack/table";

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

// A first card of the bank with which it cannot have a Black Jack: 2 to 9.
export const isLowCard = (card) => Boolean(card) && ![1, 10].includes(pips(card));

// What cards are worth: an ace 11 where that does not pass 21 (BJ-10).
export function worth(cards) {
  const hard = cards.reduce((sum, card) => sum + pips(card), 0);
  const soft = hard <= MOST - 10 && cards.some((card) => card[0] === "A");
  return { total: soft ? hard + 10 : hard, soft };
}

export const isBust = (draft, box, hand) => worth(cardsOn(draft, box, hand)).total > MOST;

const doublesOn = (draft, box, hand) =>
  draft.placed.filter((one) => one.box === box && one.kind === `double_${hand}`);
export const isDoubled = (draft, box, hand) => doublesOn(draft, box, hand).length > 0;
const guestsOn = (draft, box, hand) =>
  (hand === 1
    ? stakesOn(draft, box)
    : draft.placed.filter((stake) => stake.box === box && stake.kind === `split_${hand}`)
  ).map((stake) => stake.guest);
// Where co-players double without who decides, their stakes get one card, and the hand draws on for the others (BJ-6).
export function drawsOn(draft, box, hand) {
  const doubles = rules.coplayer_doubles === "always" ? doublesOn(draft, box, hand) : [];
  if (!doubles.length) return false;
  const sources = doubles.map((stake) => stake.source);
  if (guestsOn(draft, box, hand).every((guest) => sources.includes(guest))) return false;
  return !sources.includes(deciderOf(draft, box));
}
export const isNaturalIn = (draft, box) => {
  const cards = cardsOn(draft, box, 1);
  return countOf(draft, box) === 1 && cards.length >= 2 && worth(cards.slice(0, 2)).total === MOST;
};

export function mayDoubleCards(draft, box, hand) {
  const cards = cardsOn(draft, box, hand);
  if (![2, 3].includes(cards.length)) return false; // its one card may lie before the tap
  if (countOf(draft, box) > 1 && cards[0][0] === "A") return false;
  const { total, soft } = worth(cards.slice(0, 2));
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

// How many cards a hand wants: one more than it has until it stands, is doubled, is a split ace, or has 21.
function wanted(draft, box, hand) {
  const cards = cardsOn(draft, box, hand);
  if (cards.length < 2) return 2;
  if (isOneCard(draft, box, hand)) return 3;
  if (countOf(draft, box) > 1 && cards[0][0] === "A") return 2;
  if (worth(cards).total >= MOST || draft.flags[restOf(box, hand)]) return cards.length;
  return cards.length + 1;
}
// What was doubled wants just one card: none may stand before it.
const isOneCard = (draft, box, hand) => {
  const { length } = cardsOn(draft, box, hand);
  const isLast = isNaturalIn(draft, box) || !drawsOn(draft, box, hand);
  return isDoubled(draft, box, hand) && (length < 3 || isLast);
};
const isFull = (draft, box, hand) => cardsOn(draft, box, hand).length === wanted(draft, box, hand);

const every = (draft) =>
  numbers(draft.seats).flatMap((box) => handsOf(draft, box).map((hand) => ({ box, hand })));

// Whether a hand is compared with the bank's total: it has at most 21 and is no Black Jack, or was doubled and had at most 21 then.
function isCompared(draft, { box, hand }) {
  const cards = cardsOn(draft, box, hand);
  const isOwn = !isNaturalIn(draft, box) && worth(cards).total <= MOST;
  return isOwn || (isDoubled(draft, box, hand) && worth(cards.slice(0, 3)).total <= MOST);
}

// Whether somebody asks only if the bank has a Black Jack: insurance, or a Black Jack against an ace or a ten that not everybody has
// taken even money for (BJ-4, BJ-8, BJ-9).
function isAskedFor(draft, box) {
  const has = (kind, guest) =>
    draft.placed.some((one) => one.box === box && one.kind === kind && one.source === guest);
  const guests = stakesOn(draft, box).map((one) => one.guest);
  if (guests.some((guest) => has("insurance", guest))) return true;
  const isOpen = guests.some((guest) => !has("even_money", guest));
  return isNaturalIn(draft, box) && isOpen && !isLowCard(bankCards(draft)[0]);
}

const stands = ({ total, soft }) =>
  total > 17 || (total === 17 && !(soft && rules.bank_hits_soft_17));

function wantedByBank(draft) {
  const cards = bankCards(draft);
  if (!cards.length) return 1;
  const isPlayed = every(draft).every(({ box, hand }) => isFull(draft, box, hand));
  const isWaitedFor = every(draft).some((one) => isCompared(draft, one));
  const isAsked = isWaitedFor || numbers(draft.seats).some((box) => isAskedFor(draft, box));
  if (!isPlayed || !isAsked) return cards.length;
  const isEnough = cards.length > 1 && (!isWaitedFor || stands(worth(cards)));
  return isEnough ? cards.length : cards.length + 1;
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

// Whose turn it is may stand: their one card has fallen, if somebody doubled.
export const mayRest = (draft, { box, hand }) => !isOneCard(draft, box, hand);

export const restOf = (box, hand) => `rest_${idOf(box, hand)}`;

export function rests(draft, { box, hand }) {
  return {
    draft: { ...draft, flags: { ...draft.flags, [restOf(box, hand)]: true }, current: box },
    step: w("undo_cell", { box, words: w("rests") }),
  };
}

// A card that does not lie there: the hand is open again, for the right ones.
export function takeOut(draft, { id, place }) {
  const { [`rest_${id}`]: _rest, ...flags } = draft.flags;
  const cards = draft.cards[id].filter((_card, each) => each !== place);
  return { ...draft, flags, cards: { ...draft.cards, [id]: cards } };
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
    const fell = [...(now.fell ?? []), { id: slot.id, at: next.fed.length - 1 }];
    return { ...next, cards: { ...next.cards, [slot.id]: cards }, fell };
  }, draft);
}

// The hands that may have rested before a card of the shoe came to them, one of a box: the last two, of which each has more than its
// two cards. Where a box was split again its cards have moved, and what fell there cannot be dealt again.
export function fedHands(draft) {
  const found = new Map();
  for (const { id } of [...(draft.fell ?? [])].reverse()) {
    if (id === BANK) continue;
    const [box, hand] = id.split(".").map(Number);
    if (countOf(draft, box) > 2) break;
    const { length } = cardsOf(draft, id);
    const isOne = length === 3 && isDoubled(draft, box, hand);
    if (length > 2 && !isOne && !found.has(box)) found.set(box, { box, hand });
  }
  return [...found.values()].slice(0, 2);
}

// It did: its last card belongs to the next one, and all is dealt again from there.
export function restedBefore(draft, turn) {
  const id = idOf(turn.box, turn.hand);
  const { at } = draft.fell.filter((one) => one.id === id).at(-1);
  const [cards, flags] = [{ ...draft.cards }, { ...draft.flags }];
  for (const { id: other } of draft.fell.filter((one) => one.at >= at)) {
    cards[other] = cards[other].filter(Boolean).slice(0, -1);
    delete flags[`rest_${other}`]; // whether it rested with what it gets now is open
  }
  const fell = draft.fell.filter((one) => one.at < at);
  const next = { ...draft, cards, flags, fell, fed: draft.fed.slice(0, at) };
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
    const held = cardsOn(draft, box, hand);
    const isNatural = isNaturalIn(draft, box);
    const result = isNatural ? "blackjack" : compared(worth(held).total);
    const isApart = isNatural ? isDoubled(draft, box, hand) : drawsOn(draft, box, hand);
    const doubled = isApart && { doubled: compared(worth(held.slice(0, 3)).total) };
    results[box] = { ...results[box], [hand - 1]: { result, ...doubled } };
  }
  return { bank, results };
}
