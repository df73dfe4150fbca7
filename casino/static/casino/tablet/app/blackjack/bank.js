// The bank of Black Jack as it is tapped: its first card, its total, the rest of the hands with one tap; and what is still to be entered.
import { w } from "tablet/frame/words";
import { numbers } from "tablet/blackjack/table";
import { cardGroups, handsOf as hands, inCards } from "tablet/blackjack/cards";
import { isAce, isInsured, isLow, isPlaced } from "tablet/blackjack/later";
import {
  asks,
  bankOf,
  endOf,
  ended,
  ending,
  everyEnd,
  isIfLow,
  isOpen,
  isWaiting,
} from "tablet/blackjack/ends";
import { NEVER, SIGNS, isLess } from "tablet/blackjack/hands";

const TOTALS = ["17", "18", "19", "20", "21", "blackjack", "bust"];
const FIRST = { ace: "low", low: "ace" }; // what the first card was said to be gives way to the other

export function handKeys(draft) {
  if (inCards(draft)) return null;
  const [bank, ace, low] = [bankOf(draft), isAce(draft), isLow(draft)];
  const open = everyEnd(draft).some((one) => !endOf(draft, one));
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
    name: w("undo_bank", { words: bankWords(one) }),
    sub: one === "bust" ? w("bust") : "",
    figure: true,
    on: bank === one,
    disabled: low && one === "blackjack" && bank !== one,
  });
  const first = (id, on, disabled) => ({
    id,
    label: w(id),
    sub: w("first_card"),
    on,
    disabled: isAsked || disabled,
  });
  return {
    title: w("bank"),
    sub: "",
    keys: [
      first("ace", ace, false),
      first("low", low, bank === "blackjack" && !low),
      ...TOTALS.map(total),
      ...["lose", "push", "win"].map(rest),
    ],
  };
}

export function tapHand(draft, id) {
  const flags = { ...draft.flags };
  if (FIRST[id])
    return {
      draft: { ...draft, flags: { ...flags, [FIRST[id]]: false, [id]: !flags[id] } },
      step: w("undo_bank", { words: w(id) }),
    };
  const [what, result] = id.split(":");
  if (what === "rest")
    return {
      draft: {
        ...draft,
        results: together({ ...draft, results: ended(draft, result, (end) => !end) }),
      },
      step: w(`rest_${result}`),
    };
  const before = { ...draft, results: reopened(draft) };
  const filled = FILLS[id] ? everyEnd(before).filter((one) => lives(endOf(before, one))) : [];
  const next = { ...before, flags: { ...flags, bank: id, filled } };
  return {
    draft: { ...next, results: together({ ...next, results: byBank(next, id) }) },
    step: w("undo_bank", { words: bankWords(id) }),
  };
}

const bankWords = (id) => (id === "bust" ? w("bust") : id === "blackjack" ? "Black Jack" : id);

// A bust bank pays every hand that lives, a Black Jack of the bank takes it; what cannot be beside 21 is open again.
const FILLS = { bust: "win", blackjack: "lose" };
const lives = (end) => !["bust", "blackjack"].includes(end);

// What the bank's key filled in is open again when the bank turns out to have ended otherwise.
function reopened(draft) {
  const { bank, filled = [] } = draft.flags;
  return filled
    .filter((one) => endOf(draft, one) === FILLS[bank])
    .reduce((now, one) => ({ ...now, results: ending(now, one) }), draft).results;
}

const byBank = (draft, id) =>
  FILLS[id]
    ? ended(draft, FILLS[id], lives)
    : ended(draft, undefined, (end) => NEVER[id]?.includes(end));

// Both ends of a hand that cannot be beside each other are open again.
const together = (draft) =>
  everyEnd(draft)
    .filter((one) => isLess(draft, one, endOf(draft, one)))
    .reduce((now, one) => ({ ...now, results: ending(now, one) }), draft).results;

// What is still to be entered: hands, then the bank where one waits for it.
export function missing(draft) {
  if (inCards(draft)) {
    const isFilled = ({ cards, count }) => cards.filter(Boolean).length === count;
    return { boxes: [], cards: cardGroups(draft).filter((one) => !isFilled(one)) };
  }
  const boxes = numbers(draft.seats).filter((box) =>
    hands(draft, box).some((hand) => isOpen(draft, box, hand)),
  );
  const asking =
    boxes.length || bankOf(draft) ? [] : numbers(draft.seats).filter((box) => asks(draft, box));
  if (!asking.length) return { boxes, cards: [] };
  const isFirstEnough = asking.every((box) => isIfLow(draft, box) && !isWaiting(draft, box));
  const sub = w(isFirstEnough ? "bank_or_low" : "bank_missing_help");
  return { boxes, cards: [], other: { label: w("bank_missing"), sub } };
}
