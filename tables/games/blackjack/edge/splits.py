"""What a pair is worth that is split, and split again (BJ-7)."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from tables.games.blackjack.edge.bank import with_card
from tables.games.blackjack.edge.hands import Hands
from tables.games.blackjack.points import ACE, RANKS, Counts


class SplitHand(NamedTuple):
    """Values of one hand of a split: as it comes, or with a second card that could be split but is
    not, because the box has its most hands.
    """

    dealt: Fraction
    pair: Fraction


@dataclass
class Split:
    """A pair that is split: the values of its hands by how many cards of the pair's rank are gone
    and how many others lie on the box's other hands.

    Each hand is played by the plan that is best for a hand alone, when nothing is known but its own
    cards, the other card of the pair and the bank's first.
    """

    hands: Hands
    place: int
    lost: int
    _known: dict[tuple[int, int], SplitHand] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plan = self._hands(1, plan=None)

    def _hands(self, away: int, plan: Hands | None) -> Hands:
        gone = tuple(away if place == self.place else 0 for place in RANKS)
        rules = self.hands.rules
        return Hands(self.hands.bank, rules, gone, split=True, lost=self.lost, plan=plan)

    def value(self, gone: int, others: int = 0) -> SplitHand:
        """`gone`: cards of the pair's rank on the box, this hand's own first one too; `others`:
        cards of any other rank, which nobody has looked at.

        A card that nobody has looked at changes nothing on average. It is of the pair's rank or of
        another, and so the value behind one more of another is known by that behind one more of the
        pair's.
        """
        known = self._known.get((gone, others))
        if known is None:
            if others:
                before, more = self.value(gone, others - 1), self.value(gone + 1, others - 1)
                same = self.chance(gone, others - 1)
                known = SplitHand(
                    *((a - same * b) / (1 - same) for a, b in zip(before, more, strict=True))
                )
            else:
                known = self._value(gone)
            self._known[gone, others] = known
        return known

    def other_rank(self, gone: int, others: int) -> Fraction:
        """The value of a hand whose second card is not of the pair's rank."""
        same = self.chance(gone, others)
        whole, pair = self.value(gone, others).dealt, self.value(gone + 1, others).pair
        return (whole - same * pair) / (1 - same)

    def chance(self, gone: int, others: int) -> Fraction:
        """How likely the next card is of the pair's rank."""
        gone_here = tuple(gone if place == self.place else 0 for place in RANKS)
        left = self.hands.bank.left(gone_here)
        return Fraction(left[self.place], sum(left) - others)

    def _value(self, gone: int) -> SplitHand:
        one = tuple(int(place == self.place) for place in RANKS)
        single = self._hands(gone - 1, self.plan if gone > 2 else None) if gone > 2 else self.plan
        if self.place == ACE:  # one card each (BJ-7)
            return SplitHand(_one_card(single, one), Fraction(0))
        pair = Fraction(0)
        if gone > 2 or self.hands.rules.max_hands_per_box > 2:
            pair = self._hands(gone - 2, self.plan).value(with_card(one, self.place))
        return SplitHand(single.value(one), pair)


def _one_card(hands: Hands, hand: Counts) -> Fraction:
    left = hands.bank.left(tuple(map(int.__add__, hand, hands.away)))
    return sum(
        (Fraction(left[place], sum(left)) * hands.stand(with_card(hand, place)) for place in RANKS),
        Fraction(0),
    )


def split_value(hands: Hands, place: int) -> Fraction:
    """What a pair wins when it is split, and split again whenever a card of its rank follows and
    the box may have one hand more (BJ-7); aces only once.
    """
    first = Split(hands, place, lost=1)
    further = first if hands.doubled else Split(hands, place, lost=0)
    if place == ACE or hands.rules.max_hands_per_box == 2:
        return first.value(2).dealt + further.value(2).dealt
    return _split_on(first, further, Dealt(hands=2, open=2, gone=2))


class Dealt(NamedTuple):
    """A split under way: hands on the box, those of them without a second card, cards of the
    pair's rank that are gone, hands whose second card is of another rank; and whether the second
    card of the first hand, once it has one, is of the pair's rank.
    """

    hands: int
    open: int
    gone: int
    others: int = 0
    first_is_pair: bool | None = None


def _split_on(first: Split, further: Split, dealt: Dealt) -> Fraction:
    if not dealt.open:
        pairs = dealt.hands - dealt.others
        value = Fraction(0)
        if dealt.others:
            value += dealt.others * further.other_rank(dealt.gone, dealt.others - 1)
        if pairs:
            value += pairs * further.value(dealt.gone, dealt.others).pair
        if further is not first:  # what a Black Jack of the bank takes of the first hand
            value += _of_first(first, dealt) - _of_first(further, dealt)
        return value
    same = first.chance(dealt.gone, dealt.others)
    pair = dealt.first_is_pair
    if dealt.hands < first.hands.rules.max_hands_per_box:
        after = Dealt(dealt.hands + 1, dealt.open + 1, dealt.gone + 1, dealt.others, pair)
    else:
        after = dealt._replace(
            open=dealt.open - 1, gone=dealt.gone + 1, first_is_pair=True if pair is None else pair
        )
    other = dealt._replace(
        open=dealt.open - 1,
        others=dealt.others + 1,
        first_is_pair=False if pair is None else pair,
    )
    return same * _split_on(first, further, after) + (1 - same) * _split_on(first, further, other)


def _of_first(split: Split, dealt: Dealt) -> Fraction:
    if dealt.first_is_pair:
        return split.value(dealt.gone, dealt.others).pair
    return split.other_rank(dealt.gone, dealt.others - 1)
