// Which hand each stake lies on, and a round of Black Jack without one of the stakes that came later: the house does not have it, or it
// was not there.
import { cardsOn, countOf, idOf, restOf } from "tablet/blackjack/cards";
import { rules } from "tablet/blackjack/table";

const SPLITS = { stake: 1, split_2: 2, split_3: 3, split_4: 4 };
const DOUBLES = { double_1: 1, double_2: 2, double_3: 3, double_4: 4 };
const ON_HAND = { ...SPLITS, ...DOUBLES };

// The hand that a stake lies on, by its kind; none for insurance and even money.
export const handOfKind = (kind) => ON_HAND[kind];

// Without the placement of this key, and without what hangs on it: what is placed on hands that are no more, how they ended, and what
// doubles a stake that does not lie there. The cards of a hand that was parted lie together again.
export function unplaced(draft, key) {
  const gone = draft.placed.find((one) => one.key === key);
  if (!gone) return draft;
  const first = draft.placed.find((one) => one.box === gone.box && one.kind === gone.kind);
  const hand = SPLITS[gone.kind];
  const less = { ...draft, placed: draft.placed.filter((one) => one !== gone) };
  if (hand && first === gone) return joined(less, gone.box, hand, draft);
  const follows = (one) =>
    hand ? isDoubleOf(one, gone, hand) : first === gone && isAfter(draft, one, gone);
  const placed = less.placed.filter((one) => !follows(one));
  return singleEnds({ ...less, placed }, gone.box);
}

// Co-players double after who decides, and with them (BJ-5, BJ-6).
function isAfter(draft, one, { box, kind }) {
  const natural = draft.placed.some((other) => other.box === box && other.kind === "even_money");
  const alone = natural ? rules.coplayer_blackjack : rules.coplayer_doubles;
  return alone !== "always" && Boolean(DOUBLES[kind]) && one.box === box && one.kind === kind;
}

const isDoubleOf = (one, { box, source }, hand) =>
  one.box === box && one.source === source && DOUBLES[one.kind] === hand;

// The hands from this one on are no more: the latest first, each goes back to the one that it was parted from, which is open again.
function joined(less, box, from, { placed }) {
  const [results, cards] = [{ ...less.results[box] }, { ...less.cards }];
  const rests = new Set();
  for (let hand = countOf({ placed }, box); hand >= from; hand -= 1) {
    const split = placed.find((one) => one.box === box && SPLITS[one.kind] === hand);
    const whole = split?.placement?.hand ?? 1;
    const [first, ...more] = cardsOn({ cards }, box, whole);
    const [second, ...later] = cardsOn({ cards }, box, hand);
    if (second) cards[idOf(box, whole)] = [first, second, ...more, ...later].filter(Boolean);
    delete cards[idOf(box, hand)];
    for (const one of [whole, hand]) {
      delete results[one - 1];
      rests.add(restOf(box, one));
    }
  }
  const flags = Object.fromEntries(Object.entries(less.flags).filter(([name]) => !rests.has(name)));
  const lies = (one) => one.box !== box || (ON_HAND[one.kind] ?? 1) < from;
  const next = { ...less, placed: less.placed.filter(lies), cards, flags };
  return singleEnds({ ...next, results: { ...less.results, [box]: results } }, box);
}

// A hand that nobody has doubled has one end.
function singleEnds(draft, box) {
  const isDoubled = (place) =>
    draft.placed.some((one) => one.box === box && DOUBLES[one.kind] === Number(place) + 1);
  const ends = Object.entries(draft.results[box] ?? {}).map(([place, { doubled, ...one }]) => [
    place,
    doubled && isDoubled(place) ? { ...one, doubled } : one,
  ]);
  if (!ends.length && !draft.results[box]) return draft;
  return { ...draft, results: { ...draft.results, [box]: Object.fromEntries(ends) } };
}
