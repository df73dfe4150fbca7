// Results of Ultimate Texas Hold'em on the tablet: what is tapped for a box, its hand, its cards and what they say.
import { page } from "tablet/frame/page";
import { amount, money, w } from "tablet/frame/words";
import { coinsOnly, numbers } from "tablet/uth/seats";
import { RANKS, kickers, made, rankSign } from "tablet/frame/ranks";
import { atLeast, prizeOf } from "tablet/uth/pay";
import { coinOf } from "tablet/uth/stakes";

const rules = page.game;
const { progressive } = rules;
const HAND_KEYS = [
  "three_of_a_kind",
  "straight",
  "flush",
  "full_house",
  "four_of_a_kind",
  "straight_flush",
  "royal_flush",
];
export const inFull = (draft) => draft.level === "full_cards";

export const outcome = (draft, box) => draft.results[box] ?? {};
const enter = (draft, box, more, step) => ({
  draft: {
    ...draft,
    results: { ...draft.results, [box]: { ...outcome(draft, box), ...more } },
    current: box,
  },
  step,
});

// Rows of keys for a box: `id` is tapped, `sign` says how it ends.
export function cells(draft, box) {
  if (coinsOnly(draft)) return [];
  const { play, result } = outcome(draft, box);
  const { blind } = draft.seats[box];
  const plays = rules.no_play === "showdown" ? [...rules.plays, 0] : rules.plays;
  const key = (times, ends) => ({
    id: `${times}:${ends}`,
    label: `${times}×`,
    sign: ends,
    on:
      play === times && (inFull(draft) || result === ends || result === "tie")
        ? (result ?? "on")
        : "",
    disabled: Boolean(blind) && blind !== times,
    name: inFull(draft)
      ? `${times}×`
      : w(ends === "win" ? "times_wins" : "times_loses", { play: times }),
  });
  const rows = plays.map((times) =>
    inFull(draft) ? [key(times, "")] : [key(times, "lose"), key(times, "win")],
  );
  const fold = {
    id: "0:fold",
    label: w("fold"),
    name: w("fold"),
    said: true,
    on: result === "fold" ? "fold" : "",
    disabled: Boolean(blind),
  };
  return rules.no_play === "fold" ? [...rows, [fold]] : rows;
}

export function tapCell(draft, box, id) {
  const [times, ends] = id.split(":");
  const play = Number(times);
  const words =
    ends === "fold"
      ? w("fold")
      : ends
        ? w(ends === "win" ? "times_wins" : "times_loses", { play })
        : `${play}×`;
  return enter(draft, box, { play, result: ends || null }, w("undo_cell", { box, words }));
}

export function handKeys(draft) {
  const box = draft.current;
  if (!box || inFull(draft) || !(draft.seats[box] || takesOthers(draft))) return null;
  const { result, hand } = outcome(draft, box);
  const coin = coinOf(draft, box) > 0;
  const found = draft.seats[box] ? HAND_KEYS : ["royal_flush"];
  const keys = found
    .filter(
      (one) =>
        (progressive && prizeOf(progressive, { hand: one })) ||
        (!coinsOnly(draft) && (rules.blind[one] || rules.trips[one])),
    )
    .map((one) => ({
      id: one,
      label: rules.hands[one],
      sub: coin ? prizeOfHand(one) : "",
      gold: coin && Boolean(prizeOfHand(one)),
      on: hand === one,
    }));
  const noTie = result === "fold" ? w("fold") : result ? "" : w("result_first");
  if (!coinsOnly(draft))
    keys.unshift({
      id: "tie",
      label: w("tie"),
      sub: noTie,
      on: result === "tie",
      disabled: Boolean(noTie),
    });
  return { title: w("box", { box }), sub: w(coinsOnly(draft) ? "hand" : "hand_or_result"), keys };
}

export const hint = (draft) =>
  w(coinsOnly(draft) ? "hint_box" : inFull(draft) ? "hint_play" : "hint_result");

// With coins alone a royal flush in a box without one is entered, too, and its guest: it pays the coins Envy (PRG-6).
export const takesOthers = (draft) => coinsOnly(draft) && Boolean(progressive?.envy);
export const handOf = (draft, box) => rules.hands[outcome(draft, box).hand] ?? "";

function prizeOfHand(hand) {
  const prize = progressive && prizeOf(progressive, { hand });
  if (!prize) return "";
  return prize.amount === null ? w("jackpot") : w("jp_amount", { amount: amount(prize.amount) });
}

export function tapHand(draft, id) {
  const box = draft.current;
  const { hand, result, was } = outcome(draft, box);
  if (id === "tie")
    return enter(
      draft,
      box,
      result === "tie" ? { result: was } : { result: "tie", was: result },
      w("undo_cell", { box, words: w("tie") }),
    );
  const { [box]: _cards, ...cards } = draft.cards;
  return enter(
    { ...draft, cards },
    box,
    { hand: hand === id ? null : id, on_board: false },
    w("undo_cell", { box, words: rules.hands[id] }),
  );
}

// Boxes that have a royal flush as entered: by their cards, where all are entered.
export function royals(draft) {
  const every = [...new Set([...numbers(draft.seats), ...numbers(draft.results)])];
  return every.filter(
    (box) =>
      (inFull(draft) ? verdict(draft, box)?.hand : outcome(draft, box).hand) === "royal_flush",
  );
}

// Boxes that can be named as the one that has it; also without a coin, as it pays the others Envy (PRG-6).
export function royalKeys(draft) {
  const isLive = (box) => rules.survive || outcome(draft, box).result !== "fold";
  const named = royals(draft);
  return inFull(draft)
    ? []
    : numbers(draft.seats)
        .filter(isLive)
        .map((box) => {
          const coin = coinOf(draft, box) > 0;
          return {
            box,
            sub: w(coin ? "jackpot" : "no_stake"),
            gold: coin,
            on: named.includes(box),
          };
        });
}

export const tapRoyal = (draft, box) => tapHand({ ...draft, current: box }, "royal_flush");

export function flags(draft) {
  if (coinsOnly(draft) || inFull(draft)) return [];
  return [
    {
      id: "dealer_without_pair",
      label: w("no_pair"),
      sub: w("no_pair_sub"),
      on: Boolean(draft.flags.dealer_without_pair),
    },
  ];
}

// Cards
// Whose cards have to be entered. The board comes first, then the boxes, the dealer last.
export function cardGroups(draft) {
  const boxes = numbers(draft.seats).filter((box) => wantsCards(draft, box));
  const others = coinsOnly(draft)
    ? Object.keys(draft.results)
        .map(Number)
        .filter((box) => !coinOf(draft, box) && outcome(draft, box).hand)
    : [];
  const every = [...new Set([...boxes, ...others])];
  const isDealer =
    (inFull(draft) || draft.flags.dispute) &&
    numbers(draft.seats).some((box) => outcome(draft, box).result !== "fold");
  if (!every.length && !isDealer) return [];
  const group = (id, label, count, short = label) => ({
    id,
    label,
    short,
    count,
    cards: draft.cards[id] ?? [],
  });
  const own = every.map((box) => group(String(box), w("own_cards", { box }), 2, String(box)));
  return [
    { ...group("board", w("board"), 5), wipe: w("clear_board") },
    ...own,
    ...(isDealer ? [group("dealer", w("dealer"), 2)] : []),
  ];
}

export function wantsCards(draft, box) {
  const { hand, result } = outcome(draft, box);
  const there = draft.seats[box];
  if (inFull(draft))
    return result !== "fold" || (rules.survive && (there.trips > 0 || coinOf(draft, box) > 0));
  if (draft.flags.dispute && result !== "fold") return true;
  return (
    Boolean(hand) &&
    (hand === "royal_flush" || (coinOf(draft, box) > 0 && atLeast(hand, rules.cards_from)))
  );
}

// Slots are filled in any order: a card may lie in the second one while the first is empty.
export const areAll = (cards, count) => cards.filter(Boolean).length === count;

// What the cards of a box say: its class, whether another one was tapped, and what the coin wins.
export function verdict(draft, box) {
  const { board = [], [box]: hole = [] } = draft.cards;
  if (!areAll(board, 5) || !areAll(hole, 2)) return null;
  const found = made(board, hole);
  const tapped = outcome(draft, box).hand;
  const prize = coinOf(draft, box) ? prizeOf(progressive, found) : null;
  const won = prize
    ? prize.amount === null
      ? `· ${w("claims_jackpot")}`
      : w("wins_prize", { amount: money(prize.amount) })
    : "";
  const bank = dealerHand(draft);
  const ends = bank && outcome(draft, box).result !== "fold" ? endOf(found, bank) : "";
  const differs = Boolean(tapped) && tapped !== found.hand;
  return {
    ...found,
    ends,
    label: rules.hands[found.hand],
    ranks: ranksOf(found),
    differs,
    agrees: tapped === found.hand,
    tapped: rules.hands[tapped],
    won,
  };
}

// Of which ranks a hand is made, in words: "kings with eights", "up to K".
function ranksOf({ value, hand }) {
  const [first, second] = kickers(value).map((place) => RANKS[place]);
  const many = (rank) => w(`ranks_${rank}`);
  if (["two_pair", "full_house"].includes(hand))
    return w("ranks_two", { first: many(first), second: many(second) });
  if (["one_pair", "three_of_a_kind", "four_of_a_kind"].includes(hand)) return many(first);
  return hand === "royal_flush" ? "" : w("ranks_up_to", { rank: rankSign(first) });
}

export const endOf = (own, bank) =>
  own.value > bank.value ? "win" : own.value < bank.value ? "lose" : "tie";

// Boxes whose prize the pit has to see while the house cannot be told of it: their coins were taken before the network went.
export const needsPit = (draft) =>
  numbers(draft.seats).filter(
    (box) =>
      coinOf(draft, box) > 0 &&
      outcome(draft, box).hand &&
      atLeast(outcome(draft, box).hand, rules.cards_from),
  );

export function dealerHand(draft) {
  const { board = [], dealer = [] } = draft.cards;
  return areAll(board, 5) && areAll(dealer, 2) ? made(board, dealer) : null;
}

// Cards count: every box whose cards are there takes its class from them, and with the dealer's also how it ends.
export function takeCards(draft) {
  const results = { ...draft.results };
  for (const { id } of cardGroups(draft)) {
    const found = Number(id) ? verdict(draft, id) : null;
    if (!found) continue;
    results[id] = { ...results[id], hand: found.hand, on_board: found.on_board };
    if (found.ends && results[id].play !== undefined) results[id].result = found.ends;
  }
  const bank = dealerHand(draft);
  const flags =
    bank && !inFull(draft)
      ? { ...draft.flags, dealer_without_pair: bank.hand === "high_card" }
      : draft.flags;
  return { draft: { ...draft, results, flags }, step: w("undo_cards") };
}
