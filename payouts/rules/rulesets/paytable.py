"""Paytables of stakes that pay odds by hand class, such as Blind and Trips (UTH-6, UTH-7), as
posted data.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.odds import Odds, OddsField
from payouts.rules.rulesets.schema import EACH_ONCE, ONE_OF, Advice, Posted, of_kind, several, wrong

# The names that data uses (`three_of_a_kind`) and the words that people read, which are also the
# message ids of the catalogues.
BY_NAME = {category.name.lower(): category for category in Category}
WORDS = {
    Category.HIGH_CARD: mark("high card"),
    Category.ONE_PAIR: mark("one pair"),
    Category.TWO_PAIR: mark("two pair"),
    Category.THREE_OF_A_KIND: mark("three of a kind"),
    Category.STRAIGHT: mark("straight"),
    Category.FLUSH: mark("flush"),
    Category.FULL_HOUSE: mark("full house"),
    Category.FOUR_OF_A_KIND: mark("four of a kind"),
    Category.STRAIGHT_FLUSH: mark("straight flush"),
    Category.ROYAL_FLUSH: mark("royal flush"),
}


class MadeHand(NamedTuple):
    """What settling needs to know of seven cards: the class, and whether the board alone makes the
    very same five-card hand.
    """

    category: Category
    on_board: bool = False

    @property
    def own_royal(self) -> bool:
        """A royal flush that uses at least one hole card (PRG-3); only one box of a table can hold
        it.
        """
        return self.category is Category.ROYAL_FLUSH and not self.on_board

    @property
    def community_royal(self) -> bool:
        """A royal flush that lies on the board, so that every hand of the table has it (PRG-4)."""
        return self.category is Category.ROYAL_FLUSH and self.on_board


class CategoryField:
    """A posted field that holds a hand class, stored by name: `"full_house"`."""

    def check(self, value: object, where: str) -> None:
        """Raise ValueWrong unless the value is a class."""
        if type(value) is not Category:
            raise wrong(where, value, HAND)

    def dump(self, value: Any) -> object:
        """The name of the class."""
        return value.name.lower()

    def load(self, raw: object, where: str) -> object:
        """The class of that name; raises ValueWrong."""
        if not isinstance(raw, str) or raw not in BY_NAME:
            raise wrong(where, raw, ONE_OF, choices=list(BY_NAME))
        return BY_NAME[raw]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayLine(Posted):
    """One line of a paytable: this class pays these odds."""

    KIND: ClassVar[str] = "pay_line"

    hand: Category = of_kind(CategoryField())  # noqa: RUF009 - a field like all others
    odds: Odds = of_kind(OddsField())  # noqa: RUF009


@dataclass(frozen=True, slots=True, kw_only=True)
class Paytable(Posted):
    """Odds by hand class; a class without a line pays nothing. The order of the lines is the order
    on the posted sheet.
    """

    KIND: ClassVar[str] = "paytable"

    lines: tuple[PayLine, ...] = several(PayLine, low=1, high=len(Category))

    def verify(self) -> None:
        """Each class has one line at most."""
        classes = [line.hand for line in self.lines]
        if len(set(classes)) != len(classes):
            raise wrong("paytable.lines", [hand.name.lower() for hand in classes], EACH_ONCE)

    @classmethod
    def of(cls, **lines: str) -> "Paytable":
        """A paytable from names and odds as printed; raises ValueWrong.

        >>> Paytable.of(flush="3:2", straight="1:1").odds()[Category.FLUSH]
        Odds(pays=3, per=2)
        """
        return cls.from_fields(
            {"lines": [{"hand": hand, "odds": odds} for hand, odds in lines.items()]}, cls.KIND
        )

    def odds(self) -> dict[Category, Odds]:
        """The odds by class."""
        return {line.hand: line.odds for line in self.lines}

    def advice(self) -> tuple[Advice, ...]:
        """Warn of a higher class that pays less than a lower one, or nothing while a lower one
        pays.
        """
        return falling((line.hand, line.odds.pays, line.odds.per) for line in self.lines)


def falling(pays: Iterable[tuple[Category, int, int]]) -> tuple[Advice, ...]:
    """Warnings for a table of `(class, pays, per)` whose pays do not rise with the classes, or that
    leaves a class out above.
    """
    by_class = {hand: (paid, per) for hand, paid, per in pays}
    above = [
        (hand, *by_class.get(hand, (0, 1)))
        for hand in Category
        if hand >= min(by_class, default=Category.ROYAL_FLUSH)
    ]
    return tuple(
        Advice("paytable.falls", FALLS, {"hand": WORDS[high[0]], "lower": WORDS[low[0]]})
        for low, high in pairwise(above)
        if high[1] * low[2] < low[1] * high[2]
    )


HAND = mark("a class of hands")
FALLS = mark("A %(hand)s pays less than a %(lower)s.")


# UTH-6: only when the box beats the dealer.
UTH_BLIND = Paytable.of(
    straight="1:1",
    flush="3:2",
    full_house="3:1",
    four_of_a_kind="10:1",
    straight_flush="50:1",
    royal_flush="500:1",
)

# UTH-7: on the box's own hand, whatever the dealer has.
UTH_TRIPS = Paytable.of(
    three_of_a_kind="3:1",
    straight="4:1",
    flush="7:1",
    full_house="8:1",
    four_of_a_kind="30:1",
    straight_flush="40:1",
    royal_flush="50:1",
)
