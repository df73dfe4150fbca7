// The sheet behind a box's number: what each of its guests may do when the cards lie, in the order of their rights (BOX-2, BJ-5 to BJ-9).
import { amount, w } from "tablet/frame/words";
import { awayFrom, deciderOf, isUnclear, numberOf, ranked, rules } from "tablet/blackjack/table";
import { handsOf } from "tablet/blackjack/cards";
import {
  KINDS,
  double,
  follow,
  handsOn,
  has,
  hasEvenMoney,
  insurable,
  insure,
  isAce,
  isBlackjack,
  isOver,
  isPlacing,
  isPutRight,
  mayDoubleFor,
  mayHaveEvenMoney,
  maySplit,
  maySplitFor,
  minorOf,
  split,
  takeEvenMoney,
  unplace,
} from "tablet/blackjack/later";

// What each guest of a box may do now, in the order of their rights: groups of keys for the box's sheet.
export function acts(draft, box) {
  const order = ranked(draft, box);
  const [decider, away] = [deciderOf(draft, box), awayFrom(draft, box)];
  const groups = order.map((guest) => ({
    title: guestWords(draft, box, guest, decider),
    keys: isPlacing(draft) ? ownKeys(draft, box, guest, decider) : [],
  }));
  const instead = isPlacing(draft)
    ? order.flatMap((source) => insteadOf(draft, box, source, order, decider))
    : [];
  const isAway = (guest) => away.includes(guest);
  const awayKeys = order.map((guest) => ({
    label: w("guest", { number: numberOf(guest) }),
    name: w("is_away", { number: numberOf(guest) }),
    on: isAway(guest),
    disabled: false,
    turn: (now) => turnAway(now, box, guest),
  }));
  const isUnsaid = isUnclear(draft, box);
  const title = w(isUnsaid ? "decider_unclear" : "away");
  const absent = order.length > 1 ? [{ title, keys: awayKeys }] : [];
  const all = isUnsaid ? [...absent, ...groups] : [...groups, ...instead, ...absent];
  return { groups: all.filter((one) => one.keys.length) };
}

const guestWords = (draft, box, guest, decider) =>
  [
    w("guest", { number: numberOf(guest) }),
    amount(minorOf(draft, box, 1, guest)),
    guest === decider && ranked(draft, box).length > 1 && w("decides"),
  ]
    .filter(Boolean)
    .join(" · ");

function turnAway(draft, box, guest) {
  const there = awayFrom(draft, box);
  const list = there.includes(guest) ? there.filter((one) => one !== guest) : [...there, guest];
  return {
    draft: { ...draft, flags: { ...draft.flags, [`away_${box}`]: list } },
    step: w("undo_cell", { box, words: w("is_away", { number: numberOf(guest) }) }),
  };
}

const handWords = (draft, box, hand, words) =>
  handsOn(draft, box) > 1 ? `${words} · ${w("hand_of", { hand })}` : words;

// What was done stays there, so that no key moves under the finger.
function ownKeys(draft, box, guest, decider) {
  const key = (label, on, isFree, turn, kind) => ({
    label,
    name: label,
    on,
    disabled: on ? !isPutRight(draft) : !isFree,
    turn: on ? (now) => unplace(now, box, kind, guest) : turn,
  });
  const isDecider = guest === decider;
  const isOn = (kind) => has(draft, box, kind, guest);
  const keys = handsOf(draft, box)
    .filter((hand) => minorOf(draft, box, hand, guest))
    .map((hand) =>
      key(
        handWords(draft, box, hand, w("doubles")),
        isOn(KINDS.double(hand)),
        mayDoubleFor(draft, box, hand, guest, decider),
        (now) => double(now, box, hand, guest),
        KINDS.double(hand),
      ),
    );
  const count = handsOn(draft, box);
  if (isDecider && count < rules.hands_most)
    keys.push(
      ...handsOf(draft, box).map((hand) =>
        key(handWords(draft, box, hand, w("split")), false, maySplit(draft, box, hand), (now) =>
          split(now, box, hand),
        ),
      ),
    );
  if (count > 1)
    keys.push(
      key(
        w(`line_split_${count}`),
        isOn(KINDS.split(count)),
        maySplitFor(draft, box, guest),
        (now) => follow(now, box, guest),
      ),
    );
  if (!isAce(draft)) return keys;
  const minor = insurable(draft, box, guest);
  const isFree = minor > 0 && !hasEvenMoney(draft, box, guest) && !isOver(draft, box, 1);
  const amounts = offered(minor, isOn("insurance"), isPutRight(draft));
  keys.push(
    ...amounts.map((one) =>
      key(
        one ? `${w("insurance")} ${amount(one)}` : w("insurance"),
        !one && isOn("insurance"),
        isFree,
        (now) => insure(now, box, guest, one),
        "insurance",
      ),
    ),
    key(
      w("even_money"),
      isOn("even_money"),
      mayHaveEvenMoney(draft, box, guest),
      (now) => takeEvenMoney(now, box, guest),
      "even_money",
    ),
  );
  return keys;
}

// All that may be insured, and half of it: any guest may insure less (BJ-8). Once they have, only what may be added, so that a finger
// that taps twice adds nothing.
function offered(minor, isInsured, mayTakeOff) {
  if (!minor || (isInsured && mayTakeOff)) return [0];
  if (isInsured) return [minor];
  const half = Math.floor(minor / 2);
  const less = half - (half % rules.insurance_step);
  return less ? [minor, less] : [minor];
}

// Another guest of the table doubles a co-player's stake, or takes their place on the second hand, in the order of their rights.
function insteadOf(draft, box, source, order, decider) {
  const others = order.filter((one) => one !== source);
  const keys = [];
  const key = (guest, words, turn) =>
    keys.push({
      label: `${w("guest", { number: numberOf(guest) })} · ${words}`,
      name: `${w("guest", { number: numberOf(guest) })} · ${words}`,
      on: false,
      disabled: false,
      turn,
    });
  for (const hand of isBlackjack(draft, box) ? [] : handsOf(draft, box))
    if (source !== decider && mayDoubleFor(draft, box, hand, source, decider))
      others.forEach((guest) =>
        key(guest, handWords(draft, box, hand, w("doubles")), (now) =>
          double(now, box, hand, guest, source),
        ),
      );
  if (maySplitFor(draft, box, source))
    others.forEach((guest) =>
      key(guest, w(`line_split_${handsOn(draft, box)}`), (now) => follow(now, box, guest, source)),
    );
  return keys.length ? [{ title: w("instead_of", { number: numberOf(source) }), keys }] : [];
}
