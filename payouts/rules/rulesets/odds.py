"""Odds "to one": `3:2` pays three for every two staked, on top of the returned stake, in whole
minor units (UTH-11).
"""

import re
from typing import Any, NamedTuple, Self

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import picture, wrong

LONGEST = 10_000
_WRITTEN = re.compile(r"([1-9][0-9]{0,4}):([1-9][0-9]{0,4})", re.ASCII)


class OddsUnknown(Refused):
    """A text that is not odds."""

    code = "odds.unknown"
    rule = "UTH-11"
    sentence = mark("“%(text)s” are not odds.")
    remedy = mark("Write odds as two whole numbers from 1 to 10000 with a colon, for example 3:2.")


class Odds(NamedTuple):
    """`pays` for every `per` staked. Written and stored as `pays:per`, never shortened: 10:1 stays
    10:1, 4:2 stays 4:2.
    """

    pays: int
    per: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read odds as printed at the table; raises OddsUnknown.

        >>> Odds.parse("3:2")
        Odds(pays=3, per=2)
        """
        written = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
        if written is None or max(map(int, written.groups())) > LONGEST:
            raise OddsUnknown(text=picture(text, 40))
        return cls(int(written[1]), int(written[2]))

    def __str__(self) -> str:
        return f"{self.pays}:{self.per}"

    def won(self, stake_minor: int, round_to: int = 1, *, up: bool = False) -> int:
        """What a stake wins, in minor units, rounded to a multiple of `round_to` (UTH-11); the
        stake itself is not in it.

        >>> Odds(3, 2).won(1500), Odds(3, 2).won(1500, 500), Odds(3, 2).won(1500, 500, up=True)
        (2250, 2000, 2500)
        """
        share, unit = stake_minor * self.pays, self.per * round_to
        return (-(-share // unit) if up else share // unit) * round_to


ODDS = mark("odds such as 3:2")


class OddsField:
    """A posted field that holds odds, stored as `"3:2"`."""

    def check(self, value: object, where: str) -> None:
        """Raise ValueWrong unless the value is odds within bounds."""
        if type(value) is not Odds or any(
            type(part) is not int or not 1 <= part <= LONGEST for part in value
        ):
            raise wrong(where, value, ODDS)

    def dump(self, value: Any) -> object:
        """The odds as text."""
        return str(value)

    def load(self, raw: object, where: str) -> object:
        """Odds from text; raises ValueWrong."""
        try:
            return Odds.parse(raw)  # type: ignore[arg-type]  # it refuses what is not a text
        except OddsUnknown:
            raise wrong(where, raw, ODDS) from None
