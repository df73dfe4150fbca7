"""How the hands of a round of Black Jack ended: by what the croupier tapped, or by the cards, which
outrank taps (BJ-1 to BJ-7, HAND-6).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import picture
from tables.games.blackjack.entries import (
    BankMissing,
    Ending,
    Entry,
    OutcomeMissing,
    asking,
)
from tables.games.blackjack.points import (
    ACE,
    MOST,
    TEN,
    bank_stands,
    counted,
    may_double,
    place_of,
    points_of,
)
from tables.games.blackjack.refusals import AcesOnce, NoAce, NoBlackjack, NotAPair, NotToDouble
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result, compare
from tables.games.blackjack.shoe import check_shoe
from tables.games.blackjack.stakes import (
    EVEN_MONEY,
    INSURANCE,
    BlackjackRefused,
    doubled_on,
    hands_on,
)
from tables.games.blackjack.taps import by_taps


class HandUnknown(BlackjackRefused):
    """A result for a hand that is not there."""

    code = "blackjack.hand_unknown"
    rule = "BJ-7"
    sentence = mark("Box %(box)s has no hand %(hand)s.")
    remedy = mark("Check the box: a second hand is there only after a split.")


class AcesOneCard(BlackjackRefused):
    """More than one card on a split ace."""

    code = "blackjack.aces_one_card"
    rule = "BJ-7"
    sentence = mark("Hand %(hand)s of box %(box)s is a split ace and gets one card, not %(given)s.")
    remedy = mark("Burn the surplus cards and enter the first one.")


class DoubledOneCard(BlackjackRefused):
    """A doubled hand that has not exactly three cards."""

    code = "blackjack.doubled_one_card"
    rule = "BJ-6"
    sentence = mark("Hand %(hand)s of box %(box)s was doubled and gets one card, not %(given)s.")
    remedy = mark("Burn the surplus cards and enter the first one.")


class CardsMissing(BlackjackRefused):
    """A hand without its cards."""

    code = "blackjack.cards_missing"
    rule = "BJ-2"
    sentence = mark("The cards of hand %(hand)s of box %(box)s are missing.")
    remedy = mark("Enter all cards of the hand.")


class CardTooMany(BlackjackRefused):
    """A card on a hand that was bust, or on a bank that stands."""

    code = "blackjack.card_too_many"
    rule = "BJ-11"
    sentence = mark("There is a card too many: %(total)s was reached before the last one.")
    remedy = mark("Burn the surplus card, note why, and enter the hand without it.")


class BankDrawsOn(BlackjackRefused):
    """A bank that has to draw and did not."""

    code = "blackjack.bank_draws_on"
    rule = "BJ-1"
    sentence = mark("The bank has %(total)s and must draw.")
    remedy = mark("Enter the bank's other cards.")


class CardsContradict(BlackjackRefused):
    """Taps that the cards contradict."""

    code = "blackjack.cards_contradict"
    rule = "HAND-6"
    sentence = mark("The cards say “%(says)s”, but “%(tapped)s” was entered.")
    remedy = mark(
        "Cards count. Correct the card that was mistyped, or take the results from the cards."
    )


def ending_of(rules: BlackjackRules, stakes: Sequence[Stake], entry: Entry) -> Ending:
    """How a round ended, by cards where all of them are entered, else by taps. `stakes`: all that
    lie.

    Raises the refusals of this module, of `entries` and `taps`, NotAPair, AcesOnce, NotToDouble,
    NotInShoe, NoAce, NoBlackjack.
    """
    hands = {box: hands_on(stakes, box) for box in sorted({one.box for one in stakes})}
    _check_places(hands, entry)
    cards = list(entry.bank_cards)
    for entered in entry.boxes.values():
        for one in entered:
            cards += one.cards
    check_shoe(tuple(cards))
    by_cards = entry.bank_cards or any(one.cards for box in entry.boxes.values() for one in box)
    found = (_by_cards if by_cards else by_taps)(rules, stakes, hands, entry)
    _check_beside(stakes, entry, found)
    return found


def _check_beside(stakes: Sequence[Stake], entry: Entry, found: Ending) -> None:
    """Refuse an ending that even money or insurance, placed before, cannot be beside (BJ-8, BJ-9).
    Raises NoBlackjack, NoAce.
    """
    for one in stakes:
        if one.kind == EVEN_MONEY and found.outcomes[one.box][0].result is not Result.BLACKJACK:
            raise NoBlackjack(box=one.box)
        against = entry.bank_cards and one.kind in (EVEN_MONEY, INSURANCE)
        if against and place_of(entry.bank_cards[0]) != ACE:
            raise NoAce


def _check_places(hands: Mapping[int, int], entry: Entry) -> None:
    for box, entered in entry.boxes.items():
        if len(entered) > hands.get(box, 0):
            raise HandUnknown(box=picture(box), hand=hands.get(box, 0) + 1)
    for box, count in hands.items():
        found = entry.boxes.get(box, ())
        if len(found) < count:
            raise OutcomeMissing(box=box, hand=len(found) + 1)


def _by_cards(
    rules: BlackjackRules, stakes: Sequence[Stake], hands: Mapping[int, int], entry: Entry
) -> Ending:
    always = rules.coplayer_doubles == "always"
    doubled = doubled_on(stakes)
    found: dict[int, list[_Hand]] = {}
    for box, count in hands.items():
        entered, split = entry.boxes[box], count > 1
        found[box] = [
            _hand(
                rules,
                (box, hand),
                one.cards,
                split=split,
                doubled=(box, hand) in doubled,
                plays_on=always and doubled.get((box, hand), False),
            )
            for hand, one in enumerate(entered, 1)
        ]
        first = {place_of(one.cards[0]) for one in entered}
        if split and len(first) > 1:
            raise NotAPair(box=box, hand=1)
        if count > 2 and ACE in first:
            raise AcesOnce(box=box)
    bank = _bank(rules, stakes, found, entry)
    outcomes = {box: [_outcome(one, bank) for one in cards] for box, cards in found.items()}
    _check_taps(entry, outcomes, bank)
    return Ending(outcomes, bank, by_cards=True)


class _Hand(NamedTuple):
    """What a hand counts in the end; `doubled`: and with the one card that its doubled stakes get,
    None where nothing is doubled. `natural`: a Black Jack in its first two cards.
    """

    total: int
    natural: bool
    doubled: int | None

    @property
    def waits(self) -> bool:
        """Whether it is compared with the bank's total."""
        own = self.total <= MOST and not self.natural
        return own or (self.doubled is not None and self.doubled <= MOST)


def _hand(
    rules: BlackjackRules,
    place: tuple[int, int],
    cards: tuple[int, ...],
    *,
    split: bool,
    doubled: bool,
    plays_on: bool,
) -> _Hand:
    """What the hand counts, if its cards could have come to it. `place`: its box and number;
    `plays_on`: somebody's stake on it is undoubled, for which it may draw on.
    """
    box, hand = place
    if len(cards) < 2:
        raise CardsMissing(box=box, hand=hand)
    if split and place_of(cards[0]) == ACE and len(cards) != 2:
        raise AcesOneCard(box=box, hand=hand, given=len(cards) - 1)
    two = points_of(cards[:2])
    natural = two.total == MOST and not split
    if doubled:
        if not may_double(counted(cards[:2]), soft=rules.double_soft, split=split):
            raise NotToDouble(box=box, hand=hand, total=two.total)
        if len(cards) < 3 or (len(cards) > 3 and (natural or not plays_on)):
            raise DoubledOneCard(box=box, hand=hand, given=len(cards) - 2)
    elif len(cards) == 2:
        return _Hand(two.total, natural, None)
    elif natural:
        raise CardTooMany(total=MOST)
    if len(cards) > 3 and (before := points_of(cards[:-1]).total) > MOST:
        raise CardTooMany(total=before)
    return _Hand(points_of(cards).total, natural, points_of(cards[:3]).total if doubled else None)


def _bank(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    found: Mapping[int, Sequence[_Hand]],
    entry: Entry,
) -> Bank:
    cards, hits = entry.bank_cards, rules.bank_hits_soft_17
    held = [points_of(cards[:number]) for number in range(2, len(cards) + 1)]
    stands = [bank_stands(one, hits_soft_17=hits) for one in held]
    if any(stands[:-1]):
        raise CardTooMany(total=held[stands.index(True)].total)
    waiting = [box for box, hands in found.items() if any(one.waits for one in hands)]
    if waiting and not held:
        raise BankMissing(box=waiting[0])
    if waiting and not stands[-1]:
        raise BankDrawsOn(total=held[-1].total)
    naturals = {box for box, hands in found.items() if hands[0].natural}
    low = bool(cards) and place_of(cards[0]) not in (ACE, TEN)
    if not held and (boxes := asking(stakes, naturals, low=low)):
        raise BankMissing(box=boxes[0])
    if not held or not stands[-1]:
        return Bank.NONE
    total = held[-1].total
    if total == MOST and len(cards) == 2:
        return Bank.BLACKJACK
    return Bank.BUST if total > MOST else Bank(str(total))


def _outcome(hand: _Hand, bank: Bank) -> HandOutcome:
    result = Result.BLACKJACK if hand.natural else compare(hand.total, bank)
    if hand.doubled is None or (hand.doubled == hand.total and not hand.natural):
        return HandOutcome(result)
    return HandOutcome(result, compare(hand.doubled, bank))


def _check_taps(entry: Entry, outcomes: Mapping[int, Sequence[HandOutcome]], bank: Bank) -> None:
    """Refuse taps beside cards that say otherwise."""
    if entry.bank is not None and entry.bank is not bank:
        raise CardsContradict(says=str(bank), tapped=str(entry.bank), box=None)
    for box, entered in entry.boxes.items():
        for one, outcome in zip(entered, outcomes[box], strict=True):
            if one.outcome is None:
                continue
            for says, tapped in zip(_both(outcome), _both(one.outcome), strict=True):
                if says is not tapped:
                    raise CardsContradict(says=str(says), tapped=str(tapped), box=box)


def _both(outcome: HandOutcome) -> HandOutcome:
    """Also where what was doubled ends with the rest."""
    return outcome._replace(doubled=outcome.doubled or outcome.result)
