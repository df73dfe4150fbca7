// Black Jack on the tablet: shared boxes, the prime rule, hand by hand.
//
// The frame asks these functions and knows nothing of the game (docs/ARCHITECTURE.md, "What a game says").
import { signed, w } from "tablet/frame/words";
import { numbers, numberOf, rules } from "tablet/blackjack/table";
import { handOfKind } from "tablet/blackjack/unplaced";
import { isDecided, isIfLow } from "tablet/blackjack/ends";
import { linesOf } from "tablet/blackjack/pay";

export {
  GUESTS_MOST,
  clear,
  cut,
  drawer,
  guestsAt,
  join,
  named,
  owned,
  part,
  seat,
  warnings,
  without,
} from "tablet/blackjack/table";
export {
  chips,
  inShort,
  laid,
  seatsOf,
  stakes,
  tapChip,
  tapTile,
  tiles,
  wrongAmount,
} from "tablet/blackjack/stakes";
export { handsOn, placedOf } from "tablet/blackjack/later";
export { acts } from "tablet/blackjack/acts";
export { unplaced } from "tablet/blackjack/unplaced";
export { result, resultsOf } from "tablet/blackjack/result";
export { DECKS, cardGroups, nextCard, takeFed, takeOut } from "tablet/blackjack/cards";
export { cardKeys, cardsState, cells, handOf, hint, tapCell } from "tablet/blackjack/hands";
export { handKeys, missing, tapHand } from "tablet/blackjack/bank";

const known = new WeakMap();

// By box what it wins or loses, with the line of every stake; a box that is not decided yet is left out.
export function payouts(draft) {
  if (!known.has(draft)) known.set(draft, worked(draft));
  return known.get(draft);
}

function worked(draft) {
  const decided = numbers(draft.seats).filter((box) => isDecided(draft, box));
  return Object.fromEntries(
    decided.map((box) => {
      const lines = linesOf(draft, box);
      const [net, ifLow] = [netOf(lines), isIfLow(draft, box)];
      return [box, { net, game: net, prize: 0, meter: false, lines, ifLow }];
    }),
  );
}

const netOf = (lines) => lines.reduce((sum, line) => sum + line.paid - line.laid, 0);

// Of what a box gets in all, the parts: hand by hand where there are several, guest by guest where several stake on it; first, that a
// Black Jack gets it at once only against a low card of the bank (BJ-4).
export function partsOf({ lines, ifLow }) {
  const by = (keyOf, wordsOf) => {
    const keys = [...new Set(lines.map(keyOf))];
    if (keys.length < 2) return [];
    return keys.map(
      (key) => `${wordsOf(key)}\u00a0${signed(netOf(lines.filter((one) => keyOf(one) === key)))}`,
    );
  };
  const hands = by(
    ({ kind }) => (kind === "even_money" ? 1 : (handOfKind(kind) ?? 0)),
    (hand) => (hand ? w("hand_short", { hand }) : w("insurance_short")),
  );
  const guests = by(
    (line) => line.guest,
    (guest) => w("guest_short", { number: numberOf(guest) }),
  );
  return [ifLow && w("if_low"), ...hands, ...guests].filter(Boolean).join(" · ");
}

export const HELP = ["bj_bets", "bj_lock", "bj_hand", "bj_split", "bj_ace", "bj_bank", "finish"];
export const reason = ({ code }) => rules.reasons[code];
export const partWords = (kind) => w(`line_${kind}`);

// What this game has not: a hand made of own cards and a board, marks of a round, prizes.
export const verdict = () => null;
// Cards count as they lie: there is nothing to take over.
export const takeCards = (draft) => ({ draft });
export const flags = () => [];
export const royals = () => [];
export const royalKeys = () => [];
export const tapRoyal = () => null;
export const needsPit = () => [];
export const takesOthers = () => false;
export const handWithin = () => "";
