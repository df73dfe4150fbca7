// The keys of a box of Black Jack: how its hands end, what is staked when the cards lie; and what is decided beside the cards.
import { w } from "tablet/frame/words";
import { deciderOf, isUnclear, stakesOn } from "tablet/blackjack/table";
import {
  cardGroups,
  deciding,
  fedHands,
  drawsOn,
  handsOf as hands,
  inCards,
  isDoubled,
  mayRest,
  nextCard,
  restedBefore,
  rests,
  worthWords,
} from "tablet/blackjack/cards";
import {
  bankOf,
  endOf,
  ending,
  endsOf,
  isApart,
  isDecided,
  isNatural,
} from "tablet/blackjack/ends";
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
} from "tablet/blackjack/later";

const ROWS_BESIDE_ACE = 3; // above them there is no room for its keys: the sheet of the box has them
const BESIDE = 2; // ends that lie side by side in a column; of more, one is chosen
export const SIGNS = { win: "+", lose: "−", push: "=", bust: ">21", blackjack: "BJ" };
const LIT = { win: "win", blackjack: "win", lose: "lose", bust: "lose", push: "tie" };
// What cannot be beside how the bank ended (BJ-3, BJ-4).
export const NEVER = { bust: ["lose", "push"], blackjack: ["win", "push"], 21: ["win"] };

const handName = (draft, box, hand, words) =>
  handsOn(draft, box) > 1 ? `${w("hand_of", { hand })} ${words}` : words;
const endName = (draft, { box, hand, part }, words) =>
  handName(draft, box, hand, part === "doubled" ? w("doubled_ends", { words }) : words);
// One card more than 9, 10 or 11 is no bust (BJ-6); a hard total only grows by drawing on.
const HARD = ["17", "18", "19"];
const LESS = { result: ["lose", "doubled", "push"], doubled: ["push", "result", "lose"] };
const isBustless = (draft, { box, hand, part }) =>
  isDoubled(draft, box, hand) &&
  (part === "doubled" || isOneHand(draft, { box, hand }) || !drawsOn(draft, box, hand));
export const isLess = (draft, { part, ...one }, result) => {
  const [end, other, otherEnd] = LESS[part];
  if (result !== end || !HARD.includes(bankOf(draft))) return false;
  return endOf(draft, { ...one, part: other }) === otherEnd;
};
const may = (draft, one, result) => {
  const { box, hand } = one;
  if (bankOf(draft) && NEVER[bankOf(draft)]?.includes(result)) return false;
  if (result === "bust" && isBustless(draft, one)) return false;
  if (isLess(draft, one, result)) return false;
  const kept =
    hand === 1 && stakesOn(draft, box).some((one) => hasEvenMoney(draft, box, one.guest));
  return !kept || result === "blackjack"; // even money was taken for it
};

// A Black Jack that was doubled has the keys of both its ends on one hand; else each end has its own, or one is chosen.
const isOneHand = (draft, one) => one.hand === 1 && isNatural(draft, one.box);
const idOf = ({ hand, part }) => (part === "doubled" ? `${hand}:doubled` : `${hand}`);
const columnsOf = (draft, box) =>
  endsOf(draft, box).filter((one) => one.part !== "doubled" || !isOneHand(draft, one));

function endKey(draft, one, result) {
  const { box, part } = one;
  const isTheirs = part === "doubled";
  const ends = isOneHand(draft, one) ? endsOf(draft, box) : [one];
  const on = ends.some((each) => endOf(draft, each) === result);
  return {
    id: `${result}:${idOf(one)}`,
    label: isTheirs ? `×2${SIGNS[result]}` : SIGNS[result],
    tone: LIT[result],
    on: on ? LIT[result] : "",
    disabled: !on && !may(draft, one, result),
    name: endName(draft, one, w(`ends_${result}`)),
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

// Where it is unclear who decides, the sheet behind the box's number asks for it.
const asked = (draft, box, words) =>
  isUnclear(draft, box) ? `${words} – ${w("who_decides")}` : words;
const doubleKey = (draft, box, hand) => ({
  ...besideKey(
    `double:${hand}`,
    "×2",
    asked(draft, box, handName(draft, box, hand, w("doubles"))),
    isPlaced(draft, box, `double_${hand}`),
    mayDouble(draft, box, hand) || mayUndouble(draft, box, hand),
  ),
  said: false,
});
const splitKey = (draft, box, hand) =>
  besideKey(
    `split:${hand}`,
    w("split"),
    asked(draft, box, w("split")),
    false,
    maySplit(draft, box),
  );
const chooseKey = (draft, one) => ({
  ...besideKey(
    `hand:${idOf(one)}`,
    one.part === "doubled" ? `${one.hand}.×2` : `${one.hand}.`,
    `${w("hand_of", { hand: one.hand })}${one.part === "doubled" ? " ×2" : ""}`,
    idOf(chosen(draft, one.box)) === idOf(one),
    true,
  ),
  said: false,
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

// Which of many ends the keys act on.
const chosen = (draft, box) => {
  const [ends, id] = [columnsOf(draft, box), `${draft.flags[`hand_${box}`]}`];
  return ends.find((one) => idOf(one) === id) ?? ends[0];
};

export function cells(draft, box) {
  const ends = columnsOf(draft, box);
  if (ends.length === BESIDE) return beside(draft, box, ends);
  const one = chosen(draft, box);
  const end = (result) => endKey(draft, one, result);
  const doubles = doubleKey(draft, box, one.hand);
  const ace = isAce(draft) ? [aceKeys(draft, box)] : [];
  const compared = [end("lose"), end("win")];
  if (ends.length === 1)
    return [
      [doubles, splitKey(draft, box, 1)],
      [end("blackjack"), end("bust")],
      ...ace,
      compared,
      [end("push")],
    ];
  const chooses = ends.map((each) => chooseKey(draft, each));
  const keys = inPairs([...chooses, end("bust"), doubles, end("push")]);
  return keys.length > ROWS_BESIDE_ACE ? [...keys, compared] : [...keys, ...ace, compared];
}

const inPairs = (keys) =>
  keys.flatMap((_, place) => (place % 2 ? [] : [keys.slice(place, place + 2)]));

// Two hands, or one of which those who doubled have an end of their own: it is never a bust.
function beside(draft, box, ends) {
  const [own, other] = ends;
  const both = (result) => ends.map((one) => endKey(draft, one, result));
  const compared = ["win", "push", "lose"].map(both);
  if (own.hand !== other.hand)
    return [ends.map((one) => doubleKey(draft, box, one.hand)), both("bust"), ...compared];
  const first = [doubleKey(draft, box, own.hand), endKey(draft, own, "blackjack")];
  return [first, [endKey(draft, own, "bust")], ...compared];
}

const asksWho = (box) => ({ sheet: { name: "acts", box } });

export function tapCell(draft, box, id) {
  const [what, number, part = "result"] = id.split(":");
  const hand = Number(number);
  if (what === "double" && mayUndouble(draft, box, hand))
    return unplace(draft, box, `double_${hand}`, deciderOf(draft, box));
  if (["double", "split"].includes(what) && isUnclear(draft, box)) return asksWho(box);
  if (what === "double") return double(draft, box, hand, deciderOf(draft, box));
  if (what === "split") return split(draft, box, hand);
  if (what === "hand") {
    const flags = { ...draft.flags, [`hand_${box}`]: idOf({ hand, part }) };
    return { draft: { ...draft, flags, current: box } };
  }
  if (!number) return tapBeside(draft, box, what);
  if (inCards(draft)) return { sheet: { name: "cards" } };
  const one = { box, hand, part };
  const isTheirs = isOneHand(draft, one) && isApart(draft, box, 1) && what !== "blackjack";
  const words = endName(draft, one, w(`ends_${what}`));
  return {
    draft: {
      ...draft,
      results: ending(draft, isTheirs ? { ...one, part: "doubled" } : one, what),
      current: box,
    },
    step: w("undo_cell", { box, words }),
  };
}

// Beside the cards: what is decided for the hand whose turn it is, and what it is worth.
export function cardKeys(draft) {
  const turn = deciding(draft);
  const before = fedHands(draft).map((one) => ({
    label: w("rested_before", one),
    turn: (now) => restedBefore(now, one),
  }));
  if (!turn) return before;
  const { box, hand } = turn;
  return [
    { label: w("rests"), disabled: !mayRest(draft, turn), turn: (now) => rests(now, turn) },
    ...before,
    {
      label: "×2",
      disabled: !mayDouble(draft, box, hand),
      turn: (now) =>
        isUnclear(now, box) ? asksWho(box) : double(now, box, hand, deciderOf(now, box)),
    },
    {
      label: w("split"),
      disabled: !maySplit(draft, box, hand),
      turn: (now) => (isUnclear(now, box) ? asksWho(box) : split(now, box, hand)),
    },
    { label: w("box_acts", { box }), turn: () => asksWho(box) },
  ];
}

export function cardsState(draft) {
  const next = nextCard(draft);
  if (!next) return null;
  const { label, cards } = cardGroups(draft).find((one) => one.id === next.id);
  const there = cards.filter(Boolean);
  const turn = deciding(draft);
  const mayStand = turn && mayRest(draft, turn);
  return {
    label: there.length ? worthWords(there) : label,
    sub: w(mayStand ? "card_or_rest" : "card_next", { whose: label }),
  };
}

export const hint = (draft) => w(inCards(draft) ? "cards_hint" : "hint_hand");
export const handOf = (draft, box) => {
  const ends = columnsOf(draft, box);
  if (ends.length === 1 || isDecided(draft, box)) return "";
  return ends
    .filter((one) => endOf(draft, one))
    .map((one) => endName(draft, one, w(`ends_${endOf(draft, one)}`)))
    .join(" · ");
};
