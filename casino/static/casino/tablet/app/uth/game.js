// Ultimate Texas Hold'em on the tablet: what is paid, and what goes to the server.
//
// The frame asks these functions and knows nothing of the game (docs/ARCHITECTURE.md, "What a game says"). Each takes the draft of a
// round; those that change it give `{draft, step}`: the new draft, and the words of the step for the undo key.
import { page } from "tablet/frame/page";
import { amount, signed, w } from "tablet/frame/words";
import { coinsOnly, numbers } from "tablet/uth/seats";
import { coins, settle } from "tablet/uth/pay";
import { coinOf } from "tablet/uth/stakes";
import {
  areAll,
  cardGroups,
  dealerHand,
  endOf,
  inFull,
  outcome,
  verdict,
  wantsCards,
} from "tablet/uth/hands";

export {
  GUESTS_MOST,
  clear,
  drawer,
  guestsAt,
  named,
  owned,
  seat,
  without,
} from "tablet/uth/seats";
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
} from "tablet/uth/stakes";
export {
  cardGroups,
  cells,
  flags,
  handKeys,
  handOf,
  hint,
  needsPit,
  royalKeys,
  royals,
  takeCards,
  takesOthers,
  tapCell,
  tapHand,
  tapRoyal,
  verdict,
} from "tablet/uth/hands";

const rules = page.game;
const { progressive } = rules;

const known = new WeakMap();

// By box what it wins or loses, with the line of every stake; a box that is not decided yet is left out.
export function payouts(draft) {
  if (!known.has(draft)) known.set(draft, worked(draft));
  return known.get(draft);
}

function worked(draft) {
  const outcomes = outcomesOf(draft);
  const decided = numbers(draft.seats).filter((box) => outcomes[box]);
  const laidOut = decided.map((box) => ({ ...draft.seats[box], box, coin: coinOf(draft, box) }));
  const others = coinsOnly(draft)
    ? Object.keys(outcomes)
        .map(Number)
        .filter((box) => !decided.includes(box))
        .map((box) => ({ box, coin: 0 }))
    : [];
  const lines = coinsOnly(draft)
    ? coins(rules, [...laidOut, ...others], outcomes)
    : settle(rules, laidOut, outcomes, noPair(draft));
  const sum = (list, value) => list.reduce((total, one) => total + value(one), 0);
  return Object.fromEntries(
    decided.map((box) => {
      const own = lines.filter((line) => line.box === box).map(counted);
      const [net, prize] = [
        sum(own, (line) => line.paid - line.laid),
        sum(own, (line) => (line.waits ? 0 : line.prize)),
      ];
      return [
        box,
        { net, game: net - prize, prize, meter: own.some((line) => line.meter), lines: own },
      ];
    }),
  );
}

// What of a line moves now: a coin went into the jackpot at the lock, and a prize of some size is paid when people have approved it.
function counted(line) {
  const waits =
    line.prize > 0 && progressive.waits_from !== null && line.prize >= progressive.waits_from;
  return {
    ...line,
    waits,
    laid: line.kind === "coin" ? 0 : line.stake,
    paid: line.returned + line.won + (waits ? 0 : line.prize),
  };
}

function outcomesOf(draft) {
  if (coinsOnly(draft))
    return Object.fromEntries(
      [...numbers(draft.seats), ...Object.keys(draft.results)].map((box) => [
        box,
        { result: "stay", ...outcome(draft, box) },
      ]),
    );
  if (inFull(draft)) return fromCards(draft);
  return Object.fromEntries(
    numbers(draft.seats)
      .filter((box) => outcome(draft, box).result)
      .map((box) => [box, outcome(draft, box)]),
  );
}

function fromCards(draft) {
  const bank = dealerHand(draft);
  const found = {};
  for (const box of numbers(draft.seats)) {
    const { play, result } = outcome(draft, box);
    const own = verdict(draft, box);
    if (result === "fold" && (own || !wantsCards(draft, box)))
      found[box] = { play: 0, result, ...own };
    else if (play !== undefined && own && bank !== null)
      found[box] = { play, result: endOf(own, bank), ...own };
  }
  return found;
}

function noPair(draft) {
  if (inFull(draft)) return dealerHand(draft)?.hand === "high_card";
  return Boolean(draft.flags.dealer_without_pair);
}

// What is still to be entered: boxes, then cards.
export function missing(draft) {
  const boxes = coinsOnly(draft)
    ? []
    : numbers(draft.seats).filter(
        (box) => outcome(draft, box)[inFull(draft) ? "play" : "result"] === undefined,
      );
  return {
    boxes,
    cards: boxes.length ? [] : cardGroups(draft).filter((one) => !areAll(one.cards, one.count)),
  };
}

// The result as the server reads it.
export function result(draft) {
  const groups = cardGroups(draft);
  const cards = Object.fromEntries(
    groups
      .filter((one) => areAll(one.cards, one.count))
      .map((one) => [one.id, one.cards.join(" ")]),
  );
  const named = coinsOnly(draft)
    ? Object.keys(draft.results).filter((box) => outcome(draft, box).hand)
    : numbers(draft.seats);
  const boxes = Object.fromEntries(named.map((box) => [box, boxResult(draft, box, cards[box])]));
  const whole = {
    boxes,
    ...(cards.board && { board: cards.board }),
    ...(cards.dealer && { dealer: cards.dealer }),
  };
  for (const flag of ["dealer_without_pair", "dispute"]) if (draft.flags[flag]) whole[flag] = true;
  return whole;
}

function boxResult(draft, box, cards) {
  const { play = 0, result: ends, hand, on_board } = outcome(draft, box);
  const there = draft.seats[box];
  const own = { ...(cards && { cards }) };
  if (inFull(draft)) return { ...own, play };
  if (hand) Object.assign(own, { hand, on_board: Boolean(on_board) });
  if (coinsOnly(draft))
    return coinOf(draft, box) ? own : { ...own, guest: there?.guest ?? draft.owners[box] };
  return { ...own, play, result: ends };
}

// A result that the server keeps, as taps again.
export function resultsOf(kept) {
  const split = (text) => (text ? text.split(" ") : []);
  const results = {};
  const cards = { board: split(kept?.board), dealer: split(kept?.dealer) };
  for (const [box, one] of Object.entries(kept?.boxes ?? {})) {
    const folds =
      one.result === "fold" ||
      (one.result === undefined && one.play === 0 && rules.no_play === "fold");
    results[box] = {
      play: one.play ?? 0,
      result: folds ? "fold" : (one.result ?? null),
      hand: one.hand ?? null,
      on_board: Boolean(one.on_board),
    };
    if (one.cards) cards[box] = split(one.cards);
  }
  const kinds = ["dealer_without_pair", "dispute"].filter((flag) => kept?.[flag]);
  return { results, cards, flags: Object.fromEntries(kinds.map((flag) => [flag, true])) };
}

// What the help says of this game, in the order of a round; the frame says the rest.
export const HELP = ["bets", "lock", "result", "hand", "cards", "finish"];

export const reason = (line) => rules.reasons[line.code];
export const handWithin = (hand) => rules.hands_within[hand] ?? "";
// Of what a box gets in all, its parts where the jackpot pays one: "+80 · JP 50 · Envy 500". What waits, and the meter, come later.
export function partsOf({ game, lines, meter }) {
  const prizes = (kind, words) => {
    const own = lines.filter((line) => line.kind === kind && line.prize);
    const text = own.length
      ? words(amount(own.reduce((total, line) => total + line.prize, 0))).replaceAll(" ", "\u00a0")
      : "";
    return own[0]?.waits ? w("waits", { part: text }) : text;
  };
  const found = [
    meter && w("jackpot"),
    prizes("coin", (sum) => w("jp_amount", { amount: sum })),
    prizes("envy", (sum) => `${w("line_envy")} ${sum}`),
  ].filter(Boolean);
  const isGame = lines.some((line) => line.laid);
  return (isGame && found.length ? [signed(game), ...found] : found).join(" · ");
}
export const partWords = (kind) => w(`line_${kind}`);
