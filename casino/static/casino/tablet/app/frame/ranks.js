// What up to seven cards make. A card is written as the server writes it: "Ah", "Td", "2c".
export const RANKS = "23456789TJQKA";
export const SUITS = { s: "spade", h: "heart", d: "diamond", c: "club" };
export const HANDS = [
  "high_card",
  "one_pair",
  "two_pair",
  "three_of_a_kind",
  "straight",
  "flush",
  "full_house",
  "four_of_a_kind",
  "straight_flush",
  "royal_flush",
];
const ACE = 12;
const BASE = 15;

// A number by which hands compare; `handOf` names its class.
export function rank(cards) {
  const flush = flushOf(cards);
  const run = flush && straight(flush);
  if (run) return code(run - 1 === ACE ? 9 : 8, [run - 1]);
  const groups = grouped(cards);
  const [[first, most], [second, next] = [0, 0]] = groups;
  const rest = (...used) =>
    groups
      .map(([one]) => one)
      .filter((one) => !used.includes(one))
      .sort((a, b) => b - a);
  if (most === 4) return code(7, [first, rest(first)[0]]);
  if (most === 3 && next >= 2) return code(6, [first, second]);
  if (flush) return code(5, flush.toSorted((a, b) => b - a).slice(0, 5));
  const high = straight(groups.map(([one]) => one));
  if (high) return code(4, [high - 1]);
  if (most === 3) return code(3, [first, ...rest(first).slice(0, 2)]);
  if (most === 2 && next === 2) return code(2, [first, second, rest(first, second)[0]]);
  if (most === 2) return code(1, [first, ...rest(first).slice(0, 3)]);
  return code(0, rest().slice(0, 5));
}

export const handOf = (value) => HANDS[Math.floor(value / BASE ** 5)];

// The ranks that a value is made of, the highest group first: places in RANKS.
export const kickers = (value) =>
  [4, 3, 2, 1, 0].map((place) => Math.floor(value / BASE ** place) % BASE);
export const rankSign = (rank) => (rank === "T" ? "10" : rank);

// What a box has: its class, and whether the board alone makes as much.
export function made(board, hole) {
  const value = rank([...board, ...hole]);
  return { value, hand: handOf(value), on_board: value === rank(board) };
}

const code = (category, kickers) =>
  [0, 1, 2, 3, 4].reduce((sum, place) => sum * BASE + (kickers[place] ?? 0), category);
const place = (card) => RANKS.indexOf(card[0]);

function grouped(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(place(card), (counts.get(place(card)) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || b - a);
}

function flushOf(cards) {
  const suited = Object.keys(SUITS).map((one) =>
    cards.filter((card) => card[1] === one).map(place),
  );
  return suited.find((found) => found.length >= 5);
}

// One more than the highest rank of five in a row, 0 for none; the ace also stands below the two.
function straight(ranks) {
  const there = new Set(ranks);
  const has = (one) => there.has(one < 0 ? ACE : one);
  for (let high = ACE; high >= 3; high -= 1)
    if ([0, 1, 2, 3, 4].every((down) => has(high - down))) return high + 1;
  return 0;
}
