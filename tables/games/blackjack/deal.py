"""The cards of a shoe in the order of the game (BJ-2), as far as the order alone tells whose they
are: how many cards a hand draws is the guest's choice.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from payouts.rules.lines import Stake
from tables.games.blackjack.points import ACE, MOST, counted, may_double, place_of, points_of
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.shoe import parse_shoe
from tables.games.blackjack.stakes import doubled_on, hands_on


class ReadCards(NamedTuple):
    """The cards that were read so far. `first`: by box, the first two; `bank`: its first one."""

    first: Mapping[int, tuple[int, ...]]
    bank: tuple[int, ...]
    drawn: tuple[int, ...]


class DealtHand(NamedTuple):
    """A hand before it draws: the two first cards, or the one of a split. `apart`: it was doubled,
    and somebody's stake on it was not.
    """

    begun: tuple[int, ...]
    split: bool
    doubled: bool
    apart: bool

    @property
    def is_read(self) -> bool:
        """Whether all cards were read that it begins with."""
        return len(self.begun) == (1 if self.split else 2)

    @property
    def natural(self) -> bool:
        """Whether it is a Black Jack."""
        return self.is_read and not self.split and points_of(self.begun).total == MOST


def deal(fed: Mapping[str, Any], boxes: Collection[int]) -> ReadCards:
    """The cards of a feed, given to the boxes that play.

    >>> deal({"cards": "As 2s 3s 4s 5s"}, [4]).drawn == parse_shoe("4s 5s")
    True
    """
    cards = parse_shoe(fed["cards"])
    count = len(boxes)
    second = cards[count + 1 : 2 * count + 1]
    first = {
        box: (*cards[:count][place : place + 1], *second[place : place + 1])
        for place, box in enumerate(sorted(boxes))
    }
    return ReadCards(first, cards[count : count + 1], cards[2 * count + 1 :])


def fed_until(fed: Mapping[str, Any], boxes: Collection[int], drawn: int) -> dict[str, str]:
    """The same cards without those that were drawn later than so many."""
    cards = fed["cards"].split()
    return {"cards": " ".join(cards[: 2 * len(boxes) + 1 + drawn])}


def hands_dealt(stakes: Sequence[Stake], box: int, two: tuple[int, ...]) -> list[DealtHand]:
    """The hands of a box. A third and a fourth begin with a drawn card that counts as the second
    one.
    """
    doubled = doubled_on(stakes)
    count = hands_on(stakes, box)
    begun = [two] if count < 2 else [two[:1]] + [two[1:]] * (count - 1)
    return [
        DealtHand(cards, count > 1, (box, number) in doubled, doubled.get((box, number), False))
        for number, cards in enumerate(begun, 1)
    ]


def lengths(
    rules: BlackjackRules, hand: DealtHand, drawn: Sequence[int], start: int
) -> Iterator[tuple[int, tuple[int, ...] | None]]:
    """How a hand may end that draws from the card at `start`: the place of the next card, and the
    hand's cards; None for these where it drew more than was read.
    """
    ace = hand.split and hand.is_read and place_of(hand.begun[0]) == ACE
    plays_on = hand.apart and rules.coplayer_doubles == "always"
    least = hand.split + hand.doubled
    ends = ace or hand.natural or (hand.doubled and not plays_on)
    most = least if ends else max(len(drawn) + 1, least)
    for more in range(least, most + 1):
        end = start + more
        if end > len(drawn) or not hand.is_read:
            yield len(drawn), None
            return
        cards = (*hand.begun, *drawn[start:end])
        yield end, cards
        if points_of(cards).total > MOST:
            return


def is_doubling(rules: BlackjackRules, two: Sequence[int], *, split: bool) -> bool:
    """Whether two cards may be doubled: of a split no ace is (BJ-5 to BJ-7)."""
    if split and place_of(two[0]) == ACE:
        return False
    return may_double(counted(two), soft=rules.double_soft, split=split)


def is_pair(two: Sequence[int]) -> bool:
    """Whether two cards count the same (BJ-7)."""
    return len(two) == 2 and place_of(two[0]) == place_of(two[1])


def may_split(two: Sequence[int], count: int) -> bool:
    """Whether two cards may become so many hands (BJ-7)."""
    return is_pair(two) and (count < 3 or place_of(two[0]) != ACE)
