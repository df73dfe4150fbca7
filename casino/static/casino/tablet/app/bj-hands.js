// How the hands of Black Jack and the bank ended, as it is tapped: keys of a box, keys of the bank, what is still open.
import { w } from "tablet/words";
import { deciderOf, numbers, stakesOn } from "tablet/bj-table";
import {
  cardGroups,
  deciding,
  endedByCards,
  handsOf as hands,
  inCards,
  fedLast,
  nextCard,
  restedBefore,
  rests,
  worthWords,
} from "tablet/bj-cards";
import {
  double,
  handsOn,
  hasEvenMoney,
  isAce,
  isInsured,
  isPlaced,
  isPutRight,
  mayDouble,
  mayInsure,
  maySplit,
  mayTakeEven,
  mayUndouble,
  split,
  tapBeside,
  unplace,
} from "tablet/bj-later";

const HALVES = 2; // hands that lie side by side in a column; of more, one is chosen
const BANK = ["17", "18", "19", "20", "21", "blackjack", "bust"];
const SIGNS = { win: "+", lose: "−", push: "=", bust: ">21", blackjack: "BJ" };
const LIT = { win: "win", blackjack: "win", lose: "lose", bust: "lose", push: "tie" };
// What cannot be beside how the bank ended (BJ-3, BJ-4).
const NEVER = { bust: ["lose", "push"], blackjack: ["win", "push"], 21: ["win"] };

// Cards outrank taps (HAND-6): where all are there, they say it.
export const handAt = (draft, box, hand) =>
  (inCards(draft) ? endedByCards(draft)?.results : draft.results)?.[box]?.[hand - 1] ?? {};
export const bankOf = (draft) => (inCards(draft) ? endedByCards(draft)?.bank : draft.flags.bank);
const isNatural = (draft, box) => handAt(draft, box, 1).result === "blackjack";
const isDoubledApart = (draft, box, hand) =>
  hand === 1 && isNatural(draft, box) && isPlaced(draft, box, "double_1");
// A Black Jack that was doubled as 11 ends for those who doubled it as any hand (BJ-5).
export const isOpen = (draft, box, hand) => {
  const { result, doubled } = handAt(draft, box, hand);
  return !result || (isDoubledApart(draft, box, hand) && !doubled);
};
const everyHand = (draft) =>
  numbers(draft.seats).flatMap((box) => hands(draft, box).map((hand) => ({ box, hand })));

function ending(draft, box, hand, result) {
  const was = handAt(draft, box, hand);
  const apart = isDoubledApart(draft, box, hand) && result !== "blackjack";
  const now = apart ? { ...was, doubled: result } : { result };
  return { ...draft.results, [box]: { ...draft.results[box], [hand - 1]: now } };
}

// Keys of a box
const handName = (draft, box, hand, words) =>
  handsOn(draft, box) > 1 ? `${w("hand_of", { hand })} ${words}` : words;
const may = (draft, box, hand, result) => {
  if (bankOf(draft) && NEVER[bankOf(draft)]?.includes(result)) return false;
  const kept =
    hand === 1 && stakesOn(draft, box).some((one) => hasEvenMoney(draft, box, one.guest));
  return !kept || result === "blackjack"; // even money was taken for it
};

function endKey(draft, box, hand, result) {
  const { result: is, doubled } = handAt(draft, box, hand);
  const on = is === result || doubled === result;
  return {
    id: `${result}:${hand}`,
    label: SIGNS[result],
    tone: LIT[result],
    on: on ? LIT[result] : "",
    disabled: !on && !may(draft, box, hand, result),
    name: handName(draft, box, hand, w(`ends_${result}`)),
  };
}

const besideKey = (id, label, name, on, isFree) => ({
  id,
  label,
  name,
  said: true,
  beside: true,
  on: on ? "on" : "",
  disabled: !isFree,
});

const doubleKey = (draft, box, hand) => ({
  ...besideKey(
    `double:${hand}`,
    "×2",
    handName(draft, box, hand, w("doubles")),
    isPlaced(draft, box, `double_${hand}`),
    mayDouble(draft, box, hand) || mayUndouble(draft, box, hand),
  ),
  said: false,
});
const splitKey = (draft, box, hand) =>
  besideKey(`split:${hand}`, w("split"), w("split"), false, maySplit(draft, box));
const handKey = (draft, box, hand) => ({
  ...besideKey(`hand:${hand}`, `${hand}.`, w("hand_of", { hand }), false, true),
  said: false,
  on: chosenHand(draft, box) === hand ? "on" : "",
  disabled: false,
});
const aceKeys = (draft, box) => [
  besideKey(
    "insurance",
    w("insurance_short"),
    w("insurance"),
    isInsured(draft, box),
    mayInsure(draft, box) || (isPutRight(draft) && isInsured(draft, box)),
  ),
  besideKey(
    "even_money",
    "1:1",
    w("even_money"),
    isPlaced(draft, box, "even_money"),
    mayTakeEven(draft, box) || (isPutRight(draft) && isPlaced(draft, box, "even_money")),
  ),
];

// Which of many hands the keys act on.
const chosenHand = (draft, box) => Math.min(draft.flags[`hand_${box}`] ?? 1, handsOn(draft, box));

export function cells(draft, box) {
  const count = handsOn(draft, box);
  const of = (hand) => (result) => endKey(draft, box, hand, result);
  const ace = isAce(draft) ? [aceKeys(draft, box)] : [];
  if (count === HALVES) {
    const both = (make) => [make(1), make(2)];
    const ends = ["bust", "win", "push", "lose"].map((result) => both((hand) => of(hand)(result)));
    return [both((hand) => doubleKey(draft, box, hand)), ...ends];
  }
  const hand = chosenHand(draft, box);
  const [end, chooses] = [of(hand), hands(draft, box).map((one) => handKey(draft, box, one))];
  const rows = count > HALVES ? [chooses.slice(0, 2), chooses.slice(2)] : [];
  const first = count > 1 ? end("push") : splitKey(draft, box, 1);
  const second = count > 1 ? [end("bust")] : [end("blackjack"), end("bust")];
  const last = count > 1 ? [] : [[end("push")]];
  return [
    ...rows,
    [doubleKey(draft, box, hand), first],
    second,
    ...ace,
    [end("lose"), end("win")],
    ...last,
  ];
}

export function tapCell(draft, box, id) {
  const [what, number] = id.split(":");
  const hand = Number(number);
  if (what === "double" && mayUndouble(draft, box, hand))
    return unplace(draft, box, `double_${hand}`, deciderOf(draft, box));
  if (what === "double") return double(draft, box, hand, deciderOf(draft, box));
  if (what === "split") return split(draft, box, hand);
  if (what === "hand")
    return { draft: { ...draft, flags: { ...draft.flags, [`hand_${box}`]: hand }, current: box } };
  if (!number) return tapBeside(draft, box, what);
  if (inCards(draft)) return { sheet: { name: "cards" } };
  const words = handName(draft, box, hand, w(`ends_${what}`));
  return {
    draft: { ...draft, results: ending(draft, box, hand, what), current: box },
    step: w("undo_cell", { box, words }),
  };
}

// Keys of the bank
export function handKeys(draft) {
  if (inCards(draft)) return null;
  const [bank, ace] = [bankOf(draft), isAce(draft)];
  const open = everyHand(draft).some(({ box, hand }) => isOpen(draft, box, hand));
  const isAsked = numbers(draft.seats).some(
    (box) => isInsured(draft, box) || isPlaced(draft, box, "even_money"),
  );
  const rest = (result) => ({
    id: `rest:${result}`,
    label: `${w("rest")} ${SIGNS[result]}`,
    name: w(`rest_${result}`),
    on: false,
    disabled: !open || Boolean(NEVER[bank]?.includes(result)),
  });
  const total = (one) => ({
    id: one,
    label: one === "blackjack" ? "BJ" : one === "bust" ? ">21" : one,
    sub: one === "bust" ? w("bust") : "",
    figure: true,
    on: bank === one,
  });
  const first = {
    id: "ace",
    label: w("ace"),
    sub: w("first_card"),
    on: Boolean(ace),
    disabled: isAsked,
  };
  return {
    title: w("bank"),
    sub: "",
    keys: [first, ...BANK.map(total), rest("lose"), rest("push"), rest("win")],
  };
}

export function tapHand(draft, id) {
  const flags = { ...draft.flags };
  if (id === "ace")
    return {
      draft: { ...draft, flags: { ...flags, ace: !flags.ace } },
      step: w("undo_bank", { words: w("ace") }),
    };
  const [what, result] = id.split(":");
  if (what === "rest")
    return {
      draft: { ...draft, results: ended(draft, result, (one) => !one) },
      step: w(`rest_${result}`),
    };
  const before = { ...draft, results: reopened(draft) };
  const filled = FILLS[id] ? everyHand(before).filter((one) => lives(endOf(before, one))) : [];
  const next = { ...before, flags: { ...flags, bank: id, filled } };
  return {
    draft: { ...next, results: byBank(next, id) },
    step: w("undo_bank", { words: bankWords(id) }),
  };
}

const bankWords = (id) => (id === "bust" ? w("bust") : id === "blackjack" ? "Black Jack" : id);

// A bust bank pays every hand that lives, a Black Jack of the bank takes it; what cannot be beside 21 is open again.
const FILLS = { bust: "win", blackjack: "lose" };
const lives = (one) => !["bust", "blackjack"].includes(one);
const endOf = (draft, { box, hand }) => {
  const { result: is, doubled } = handAt(draft, box, hand);
  return isDoubledApart(draft, box, hand) ? doubled : is;
};

// What the bank's key filled in is open again when the bank turns out to have ended otherwise.
function reopened(draft) {
  const { bank, filled = [] } = draft.flags;
  let now = draft;
  for (const one of filled)
    if (endOf(now, one) === FILLS[bank])
      now = { ...now, results: ending(now, one.box, one.hand, undefined) };
  return now.results;
}

function byBank(draft, id) {
  if (FILLS[id]) return ended(draft, FILLS[id], lives);
  return ended(draft, undefined, (one) => NEVER[id]?.includes(one));
}

function ended(draft, result, isMeant) {
  let now = draft;
  for (const { box, hand } of everyHand(draft))
    if (isMeant(endOf(draft, { box, hand })))
      now = { ...now, results: ending(now, box, hand, result) };
  return now.results;
}

// What is still to be entered: hands, then the bank where one waits for it.
const waits = (draft, box) =>
  isInsured(draft, box) ||
  hands(draft, box).some((hand) => {
    const { result, doubled } = handAt(draft, box, hand);
    return [result, doubled].some((one) => ["win", "lose", "push"].includes(one));
  });
const asks = (draft, box) =>
  waits(draft, box) ||
  (Boolean(isAce(draft)) &&
    isNatural(draft, box) &&
    stakesOn(draft, box).some((one) => !hasEvenMoney(draft, box, one.guest)));
export const isDecided = (draft, box) =>
  hands(draft, box).every((hand) => !isOpen(draft, box, hand)) &&
  (Boolean(bankOf(draft)) ||
    !(isInsured(draft, box) || (asks(draft, box) && isNatural(draft, box))));

export function missing(draft) {
  if (inCards(draft)) {
    const isFilled = ({ cards, count }) => cards.filter(Boolean).length === count;
    return { boxes: [], cards: cardGroups(draft).filter((one) => !isFilled(one)) };
  }
  const boxes = numbers(draft.seats).filter((box) =>
    hands(draft, box).some((hand) => isOpen(draft, box, hand)),
  );
  const asking = numbers(draft.seats).filter((box) => asks(draft, box));
  const bank = !boxes.length && !bankOf(draft) && asking.length > 0;
  return {
    boxes,
    cards: [],
    ...(bank && { other: { label: w("bank_missing"), sub: w("bank_missing_help") } }),
  };
}

// Beside the cards: what is decided for the hand whose turn it is, and what it is worth.
export function cardKeys(draft) {
  const [turn, last] = [deciding(draft), fedLast(draft)];
  const before = last
    ? [{ label: w("rested_before", last), turn: (now) => restedBefore(now, last) }]
    : [];
  if (!turn) return before;
  const { box, hand } = turn;
  return [
    { label: w("rests"), turn: (now) => rests(now, turn) },
    ...before,
    {
      label: "×2",
      disabled: !mayDouble(draft, box, hand),
      turn: (now) => double(now, box, hand, deciderOf(now, box)),
    },
    {
      label: w("split"),
      disabled: !maySplit(draft, box, hand),
      turn: (now) => split(now, box, hand),
    },
    { label: w("box_acts", { box }), turn: () => ({ sheet: { name: "acts", box } }) },
  ];
}

export function cardsState(draft) {
  const next = nextCard(draft);
  if (!next) return null;
  const { label, cards } = cardGroups(draft).find((one) => one.id === next.id);
  const there = cards.filter(Boolean);
  return {
    label: there.length ? worthWords(there) : label,
    sub: w(deciding(draft) ? "card_or_rest" : "card_next", { whose: label }),
  };
}

export const hint = (draft) => w(inCards(draft) ? "cards_hint" : "hint_hand");
export const handOf = (draft, box) => {
  const count = handsOn(draft, box);
  if (count === 1 || isDecided(draft, box)) return "";
  return hands(draft, box)
    .filter((hand) => !isOpen(draft, box, hand))
    .map((hand) => handName(draft, box, hand, w(`ends_${handAt(draft, box, hand).result}`)))
    .join(" · ");
};
