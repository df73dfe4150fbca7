// Whose cards win a pot: the page's copy of `tables.games.poker.showdown` (HAND-2 to HAND-5).
import { RANKS, rank } from "tablet/frame/ranks";

const BASE = 15;
const place = (card) => RANKS.indexOf(card[0]);
const pips = (card) => ((place(card) + 1) % RANKS.length) + 1; // the ace counts 1

// By pot the seats with the best high hand and, where the game is halved, the best low one: of the
// `board` and the `hands` by seat; who shows none wins nothing. Of the game the `hole` cards of a
// guest, `low`, the `qualifier` and the kind of low hand that is drawn for, `draw_low`.
export function winnersByCards(pots, { board, hands }, game) {
  const found = Object.entries(hands).map(([seat, hole]) => [Number(seat), hole]);
  const high = new Map(found.map(([seat, hole]) => [seat, highOf(board, hole, game)]));
  const low = new Map(
    game.low === "half" ? found.map(([seat, hole]) => [seat, halfOf(board, hole, game)]) : [],
  );
  return pots.map(({ seats }) => ({ high: best(seats, high), low: best(seats, low) }));
}

function best(seats, values) {
  const there = seats.filter((seat) => (values.get(seat) ?? null) !== null);
  const least = Math.min(...there.map((seat) => values.get(seat)));
  return there.filter((seat) => values.get(seat) === least);
}

// The less, the better.
function highOf(board, hole, { hole: count, low, draw_low: drawn }) {
  if (low === "only") {
    const kind = count === 5 ? drawn : "ace_to_five";
    return lowest(fives([...hole, ...board]), (five) => LOWS[kind](five));
  }
  if (count === 4) return -Math.max(...twoAndThree(hole, board).map(rank));
  return -rank([...board, ...hole]);
}

function halfOf(board, hole, { hole: count, qualifier }) {
  const every = count === 4 ? twoAndThree(hole, board) : fives([...hole, ...board]);
  return lowest(every, (five) => qualified(five, qualifier));
}

function lowest(every, valueOf) {
  const values = every.map(valueOf).filter((value) => value !== null);
  return values.length ? Math.min(...values) : null;
}

const LOWS = {
  ace_to_five: (five) => code(shapeOf(five, pips), 0),
  ace_to_six: (five) => counted(five, pips),
  deuce_to_seven: (five) => counted(five, place),
};

function qualified(five, most) {
  const { counts, values } = shapeOf(five, pips);
  return counts.length === 5 && values[0] <= most ? code({ counts, values }, 0) : null;
}

// Straights and flushes count against the hand.
function counted(five, valueOf) {
  const shape = shapeOf(five, valueOf);
  const isFlush = five.every((card) => card[1] === five[0][1]);
  const isRun = shape.counts.length === 5 && shape.values[0] - shape.values[4] === 4;
  return code(shape, isFlush && isRun ? 8 : isFlush ? 5 : isRun ? 4 : 0);
}

const SHAPES = ["11111", "2111", "221", "311", "", "", "32", "41"];

function code({ counts, values }, made) {
  const category = made || SHAPES.indexOf(counts.join(""));
  return values.reduce((sum, value) => sum * BASE + value, category * BASE ** (5 - values.length));
}

// How many there are of each value, the largest group first.
function shapeOf(five, valueOf) {
  const times = new Map();
  for (const card of five) times.set(valueOf(card), (times.get(valueOf(card)) ?? 0) + 1);
  const groups = [...times].sort(([a, many], [b, more]) => more - many || b - a);
  return { counts: groups.map(([, count]) => count), values: groups.map(([value]) => value) };
}

function choose(cards, count) {
  if (!count) return [[]];
  return cards.flatMap((card, at) =>
    choose(cards.slice(at + 1), count - 1).map((others) => [card, ...others]),
  );
}

const fives = (cards) => choose(cards, 5);
const twoAndThree = (hole, board) =>
  choose(hole, 2).flatMap((two) => choose(board, 3).map((three) => [...two, ...three]));
