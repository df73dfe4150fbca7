// Stakes that come when the cards lie: doubling, splitting, insurance, even money (BJ-5 to BJ-9). What may be done and for how much;
// each is a placement as the server reads it, with the stake that it brings. The server looks again, and books.
import { w } from "tablet/frame/words";
import {
  awayFrom,
  deciderOf,
  firstOn,
  isUnclear,
  numberOf,
  rules,
  stakesOn,
} from "tablet/blackjack/table";
import {
  bankCards,
  cardsOn,
  countOf,
  inCards,
  isBust,
  isLowCard,
  isNaturalIn,
  mayDoubleCards,
  maySplitCards,
  parted,
  restOf,
} from "tablet/blackjack/cards";
import { handOfKind, unplaced } from "tablet/blackjack/unplaced";

export const KINDS = { double: (hand) => `double_${hand}`, split: (hand) => `split_${hand}` };
const NATURAL = ["As", "Kd"];
const ACE = "As"; // where cards are not entered only its rank counts

const placedOn = (draft, box) => draft.placed.filter((one) => one.box === box);
export const handsOn = countOf;
export const isAce = (draft) =>
  inCards(draft)
    ? bankCards(draft)[0]?.[0] === "A"
    : Boolean(draft.flags.ace) ||
      draft.placed.some((one) => ["insurance", "even_money"].includes(one.kind));
// Said of the bank's first card: it is 2 to 9, and no Black Jack can follow.
export const isLow = (draft) =>
  inCards(draft) ? isLowCard(bankCards(draft)[0]) : Boolean(draft.flags.low) && !isAce(draft);
export const has = (draft, box, kind, source) =>
  placedOn(draft, box).some((one) => one.kind === kind && one.source === source);
export const isPlaced = (draft, box, kind) => placedOn(draft, box).some((one) => one.kind === kind);
export const isInsured = (draft, box) => isPlaced(draft, box, "insurance");
export const hasEvenMoney = (draft, box, guest) => has(draft, box, "even_money", guest);

// By guest, what lies on one hand of a box without what doubles it.
function stakedOn(draft, box, hand) {
  if (hand === 1) return stakesOn(draft, box);
  return placedOn(draft, box).filter((one) => one.kind === KINDS.split(hand));
}
export const minorOf = (draft, box, hand, guest) =>
  stakedOn(draft, box, hand)
    .filter((one) => one.guest === guest)
    .reduce((sum, one) => sum + one.minor, 0);

// Everything that lies on a box, with what came later: `{box, guest, kind, minor}`.
export const lyingOn = (draft, box) => [
  ...stakesOn(draft, box).map(({ guest, minor }) => ({ box, guest, kind: "stake", minor })),
  ...placedOn(draft, box),
];

// From the stakes that the server has of a round: those that came after its lock.
export const placedOf = (list) =>
  list
    .filter((one) => one.placed)
    .sort((one, other) => one.placed - other.placed)
    .map(({ box, guest, source, kind, amount_minor: minor, placed }) => {
      const stake = { box, guest, source, kind, minor };
      return { ...stake, key: `${placed}`, number: placed, placement: placementOf(stake) };
    });

// A stake that the server has, as it would be placed.
function placementOf({ box, guest, source, kind, minor }) {
  const [act, hand] = kind.startsWith("double_") ? ["double", handOfKind(kind)] : [kind, 1];
  const isSplit = kind.startsWith("split_");
  const placement = { box, guest, act: isSplit ? "split" : act };
  if (hand > 1 || kind === KINDS.split(2)) placement.hand = hand;
  if (source !== guest) placement.instead_of = source;
  if (kind === "insurance") placement.amount_minor = minor;
  if (kind === "insurance" || kind === "even_money") placement.bank = ACE;
  return placement;
}

// Placing
// Whether stakes may still come: the cards lie, and the result is not on its way; or the round is put right.
export const isPlacing = ({ mode, offline }) => mode !== "again" || offline;

// Too late: the bank has drawn or its total is tapped, or the hand stands or has ended (a Black Jack may still be doubled, or paid
// at once).
export function isOver(draft, box, hand) {
  if (draft.mode !== "new") return false;
  if (inCards(draft))
    return (
      bankCards(draft).length > 1 ||
      Boolean(draft.flags[restOf(box, hand)]) ||
      isBust(draft, box, hand)
    );
  const { result } = draft.results[box]?.[hand - 1] ?? {};
  return Boolean(draft.flags.bank) || Boolean(result && result !== "blackjack");
}

// A round that is put right, or was not sent yet: the stake did not lie there, nor what hangs on it.
export function unplace(draft, box, kind, source) {
  const isIt = (one) => one.box === box && one.kind === kind && one.source === source;
  return {
    draft: { ...unplaced(draft, draft.placed.find(isIt).key), current: box },
    step: w("undo_cell", { box, words: w("not_there", { words: w(`line_${kind}`) }) }),
  };
}
export const isPutRight = ({ mode, offline }) =>
  mode === "correct" || Boolean(mode === "again" && offline);

// Where cards are not entered, a Black Jack is known all the same.
const knownOn = (draft, box, hand) =>
  inCards(draft) ? cardsOn(draft, box, hand) : isBlackjack(draft, box) ? NATURAL : [];

function placing(draft, { box, guest, act, hand, minor = 0, instead, kind }) {
  const placement = { box, guest, act };
  if (hand && ["double", "split"].includes(act)) placement.hand = hand;
  if (instead) placement.instead_of = instead;
  if (act === "insurance") placement.amount_minor = minor;
  if (act === "insurance" || act === "even_money") placement.bank = bankCards(draft)[0] ?? ACE;
  const cards = knownOn(draft, box, hand ?? 1).slice(0, 2); // what decides is decided on two
  if (cards.length && act !== "insurance") placement.cards = cards.join(" ");
  if (awayFrom(draft, box).length) placement.away = awayFrom(draft, box);
  const stake = { box, guest, source: instead ?? guest, kind, minor, placement };
  return { ...draft, placed: [...draft.placed, stake], current: box };
}

const also = (draft, box, guest) =>
  stakesOn(draft, box).length > 1 ? ` · ${w("guest", { number: numberOf(guest) })}` : "";
const said = (draft, box, words, guest) =>
  w("undo_cell", { box, words: `${words}${also(draft, box, guest)}` });

// A finger that taps twice means one: what is placed already is placed no second time.
export const mayUndouble = (draft, box, hand) =>
  isPutRight(draft) && has(draft, box, KINDS.double(hand), deciderOf(draft, box));

export function double(draft, box, hand, guest, instead) {
  if (has(draft, box, KINDS.double(hand), instead ?? guest)) return null;
  const minor = minorOf(draft, box, hand, instead ?? guest);
  const kind = KINDS.double(hand);
  const { [hand - 1]: end, ...others } = draft.results[box] ?? {};
  const results = end?.result === "bust" ? { ...draft.results, [box]: others } : draft.results;
  return {
    draft: {
      ...placing(draft, { box, guest, act: "double", hand, minor, instead, kind }),
      results,
    },
    step: said(draft, box, w("doubles"), guest),
  };
}

// The decider's: a hand more. Others bring their stake for it afterwards, or do not.
export function split(draft, box, hand) {
  const guest = deciderOf(draft, box);
  const [minor, kind] = [minorOf(draft, box, hand, guest), KINDS.split(handsOn(draft, box) + 1)];
  const { [hand - 1]: _split, ...others } = draft.results[box] ?? {};
  const next = placing(draft, { box, guest, act: "split", hand, minor, kind });
  return {
    draft: {
      ...next,
      results: { ...draft.results, [box]: others },
      cards: parted(draft, box, hand),
    },
    step: said(draft, box, w("split"), guest),
  };
}

// The hand that was split last: who brings a stake for the new one, has one on this. Of what another page has split again it is not
// known; the server finds it, where it can be no other.
const partedFrom = (draft, box) => {
  const kind = KINDS.split(handsOn(draft, box));
  return placedOn(draft, box).find((one) => one.kind === kind)?.placement.hand;
};
const bringsFor = (draft, box, source) => minorOf(draft, box, partedFrom(draft, box) ?? 1, source);

export function follow(draft, box, guest, instead) {
  if (!maySplitFor(draft, box, instead ?? guest)) return null;
  const hand = partedFrom(draft, box);
  const minor = bringsFor(draft, box, instead ?? guest);
  const kind = KINDS.split(handsOn(draft, box));
  return {
    draft: placing(draft, { box, guest, act: "split", hand, minor, instead, kind }),
    step: said(draft, box, w("split"), guest),
  };
}

// How much more a guest may insure: half of all that they have there, in the house's steps (BJ-8).
export function insurable(draft, box, guest) {
  const own = lyingOn(draft, box).filter((one) => one.guest === guest);
  const sum = (list) => list.reduce((total, one) => total + one.minor, 0);
  const insured = sum(own.filter((one) => one.kind === "insurance"));
  const half = Math.floor((sum(own) - insured) / 2) - insured;
  return Math.max(0, half - (half % rules.insurance_step));
}

export function insure(draft, box, guest, minor) {
  if (!minor || minor > insurable(draft, box, guest)) return null;
  return {
    draft: placing(draft, { box, guest, act: "insurance", minor, kind: "insurance" }),
    step: said(draft, box, w("insurance"), guest),
  };
}

export const isBlackjack = (draft, box) =>
  inCards(draft) ? isNaturalIn(draft, box) : draft.results[box]?.[0]?.result === "blackjack";
export const mayHaveEvenMoney = (draft, box, guest) =>
  isAce(draft) &&
  !isOver(draft, box, 1) &&
  isBlackjack(draft, box) &&
  handsOn(draft, box) === 1 &&
  !["insurance", "even_money", "double_1"].some((kind) => has(draft, box, kind, guest));

export function takeEvenMoney(draft, box, guest) {
  if (!mayHaveEvenMoney(draft, box, guest)) return null;
  return {
    draft: placing(draft, { box, guest, act: "even_money", kind: "even_money" }),
    step: said(draft, box, w("even_money"), guest),
  };
}

// Keys of a box: what its decider does with one tap; where several stake, insurance and even money are chosen guest by guest.
export function mayDouble(draft, box, hand) {
  if (!isPlacing(draft) || isOver(draft, box, hand)) return false;
  if (inCards(draft) && !mayDoubleCards(draft, box, hand)) return false;
  const isFree = (guest) =>
    minorOf(draft, box, hand, guest) > 0 &&
    !(hand === 1 && hasEvenMoney(draft, box, guest)) &&
    !has(draft, box, KINDS.double(hand), guest);
  return firstOn(draft, box).some(isFree);
}

// Who decides since another has left brings their stake for the last split before they split on.
const isOnAll = (draft, box) => {
  const [hands, decider] = [handsOn(draft, box), deciderOf(draft, box)];
  return hands === 1 || !decider || has(draft, box, KINDS.split(hands), decider);
};

export const maySplit = (draft, box, hand = 1) =>
  isPlacing(draft) &&
  isOnAll(draft, box) &&
  !isOver(draft, box, hand) &&
  (!inCards(draft) || maySplitCards(draft, box, hand)) &&
  firstOn(draft, box).length > 0 &&
  handsOn(draft, box) < rules.hands_most &&
  !isBlackjack(draft, box) &&
  !isPlaced(draft, box, KINDS.double(hand));

export const mayInsure = (draft, box) =>
  isPlacing(draft) &&
  !isOver(draft, box, 1) &&
  stakesOn(draft, box).some(
    ({ guest }) => !hasEvenMoney(draft, box, guest) && insurable(draft, box, guest) > 0,
  );
export const mayTakeEven = (draft, box) =>
  isPlacing(draft) && stakesOn(draft, box).some(({ guest }) => mayHaveEvenMoney(draft, box, guest));

export function tapBeside(draft, box, act) {
  const there = stakesOn(draft, box);
  if (there.length > 1) return { sheet: { name: "acts", box } };
  const [{ guest }] = there;
  if (isPutRight(draft) && has(draft, box, act, guest)) return unplace(draft, box, act, guest);
  if (act === "even_money") return takeEvenMoney(draft, box, guest);
  return insure(draft, box, guest, insurable(draft, box, guest));
}

// Whether this guest may double the hand now: co-players when the decider has, or where the house lets them always (BJ-5, BJ-6).
export function mayDoubleFor(draft, box, hand, source, decider) {
  const kind = KINDS.double(hand);
  if (!minorOf(draft, box, hand, source) || has(draft, box, kind, source)) return false;
  if (isOver(draft, box, hand) || isUnclear(draft, box)) return false;
  if (inCards(draft) && !isPlaced(draft, box, kind) && !mayDoubleCards(draft, box, hand))
    return false;
  if (hand === 1 && hasEvenMoney(draft, box, source)) return false;
  const natural = isBlackjack(draft, box);
  const always = (natural ? rules.coplayer_blackjack : rules.coplayer_doubles) === "always";
  return source === decider || always || has(draft, box, kind, decider);
}

export const maySplitFor = (draft, box, source) => {
  const hands = handsOn(draft, box);
  if (hands === 1 || isOver(draft, box, hands) || isUnclear(draft, box)) return false;
  if (!bringsFor(draft, box, source)) return false;
  return !has(draft, box, KINDS.split(hands), source);
};
