"""The chips of a house: its denominations (CHP-1), what they can pay (CHP-3), and what belongs in a
tray.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import gcd
from typing import ClassVar

from payouts.errors import mark
from payouts.rules.rulesets.schema import EACH_ONCE, Posted, choice, several, whole, wrong

HIGHEST_MINOR = 100_000_000
DENOMINATIONS_MOST = 20
PIECES_MOST = 100_000
FINEST = 100  # of the smallest value, so that `pays` stays a matter of a hundred steps

COLOURS: Mapping[str, str] = {
    "white": mark("white"),
    "grey": mark("grey"),
    "pink": mark("pink"),
    "red": mark("red"),
    "burgundy": mark("burgundy"),
    "orange": mark("orange"),
    "yellow": mark("yellow"),
    "green": mark("green"),
    "turquoise": mark("turquoise"),
    "light_blue": mark("light blue"),
    "blue": mark("blue"),
    "violet": mark("violet"),
    "brown": mark("brown"),
    "black": mark("black"),
    "silver": mark("silver"),
    "gold": mark("gold"),
}
SHAPES: Mapping[str, str] = {"chip": mark("chip"), "plaque": mark("plaque")}

ABOVE = mark("more than %(low)s, the value before it")
EVEN = mark("values that share a step, no finer than a hundredth of the smallest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Denomination(Posted):
    """One kind of chip or plaque. `stack`: how many pieces make a stack."""

    KIND: ClassVar[str] = "denomination"

    value_minor: int = whole(low=1, high=HIGHEST_MINOR)
    colour: str = choice(*COLOURS)
    shape: str = choice(*SHAPES, default="chip")
    stack: int = whole(20, low=1, high=100)


_START = {
    2_50: "pink",
    5_00: "red",
    10_00: "blue",
    20_00: "yellow",
    50_00: "green",
    100_00: "black",
    500_00: "violet",
    1_000_00: "orange",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipSet(Posted):
    """The denominations that a house has in service, by rising value (CHP-1)."""

    KIND: ClassVar[str] = "chip_set"

    denominations: tuple[Denomination, ...] = several(
        Denomination,
        tuple(Denomination(value_minor=value, colour=colour) for value, colour in _START.items()),
        low=1,
        high=DENOMINATIONS_MOST,
    )

    def verify(self) -> None:
        """Values rise and share a step; no two of one shape have the same colour."""
        values = self.values()
        for number, (before, value) in enumerate(pairwise(values), 1):
            if value <= before:
                where = f"chip_set.denominations[{number}].value_minor"
                raise wrong(where, value, ABOVE, low=before)
        if self.smallest_minor > FINEST * gcd(*values):
            raise wrong("chip_set.denominations", list(values), EVEN)
        looks = [(chip.shape, chip.colour) for chip in self.denominations]
        for number, look in enumerate(looks):
            if look in looks[:number]:
                where = f"chip_set.denominations[{number}].colour"
                raise wrong(where, look[1], EACH_ONCE)

    def values(self) -> tuple[int, ...]:
        """In minor units, rising."""
        return tuple(chip.value_minor for chip in self.denominations)

    @property
    def smallest_minor(self) -> int:
        """The value of the smallest denomination."""
        return self.denominations[0].value_minor

    def pays(self, amount_minor: int) -> bool:
        """Whether pieces of the set come to exactly this amount, from 0 up (CHP-3).

        >>> ChipSet().pays(7_50), ChipSet().pays(6_00)
        (True, False)
        """
        least = _least(self.values())
        return amount_minor >= least.get(amount_minor % self.smallest_minor, amount_minor + 1)


@lru_cache(64)
def _least(values: tuple[int, ...]) -> Mapping[int, int]:
    """By the rest that it leaves of the smallest value, the lowest amount that chips make up: every
    smallest chip more leaves the same rest.
    """
    smallest, *larger = values
    least, waiting = {0: 0}, [0]
    while waiting:
        amount = heappop(waiting)
        for more in (amount + value for value in larger):
            if more < least.get(more % smallest, more + 1):
                least[more % smallest] = more
                heappush(waiting, more)
    return least


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatLine(Posted):
    """So many pieces of a value."""

    KIND: ClassVar[str] = "float_line"

    value_minor: int = whole(low=1, high=HIGHEST_MINOR)
    pieces: int = whole(high=PIECES_MOST)


_FLOAT = dict(zip(_START, (40, 200, 150, 120, 100, 150, 30, 10), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayFloat(Posted):
    """The pieces that a tray holds when a table opens. The start is 50 000 in the denominations of
    the first chip set.
    """

    KIND: ClassVar[str] = "tray_float"

    lines: tuple[FloatLine, ...] = several(
        FloatLine,
        tuple(FloatLine(value_minor=value, pieces=pieces) for value, pieces in _FLOAT.items()),
        low=1,
        high=DENOMINATIONS_MOST,
    )

    def verify(self) -> None:
        """No value stands twice."""
        values = [line.value_minor for line in self.lines]
        for number, value in enumerate(values):
            if value in values[:number]:
                raise wrong(f"tray_float.lines[{number}].value_minor", value, EACH_ONCE)
