"""Chips as the cage's pages draw them: value, colour, shape, in which chip sets."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _

from casino.people.pages.fields import Text
from payouts.models import House
from payouts.rules.chips import PiecesRefused, worth
from payouts.rules.rulesets.chips import COLOURS, SHAPES
from payouts.selectors import chip_sets


class ChipLook(NamedTuple):
    """How a denomination looks; `colour` and `shape` are codes, `words` say both."""

    colour: str
    shape: str
    words: str


class Chip(NamedTuple):
    """A denomination. `sets`: the names of the chip sets in force that have it."""

    value_minor: int
    looks: list[ChipLook]
    sets: list[str]


class ChipLine(NamedTuple):
    """So many pieces of a denomination."""

    chip: Chip
    pieces: int
    worth_minor: int


class PiecesField(Text):
    """A number of pieces; None for nothing. Raises PiecesRefused for what is no number."""

    def __init__(self, value_minor: int, *, least: int, **options: Any) -> None:
        digits = {"inputmode": "numeric", "maxlength": 7, "autocomplete": "off"}
        super().__init__(widget=forms.TextInput(attrs=digits), **options)
        self.value_minor, self.least = value_minor, least

    def clean(self, value: Any) -> Any:
        """The number."""
        text = super().clean(value)
        if not text:
            return None
        if not (text.isascii() and text.isdigit()):
            raise PiecesRefused(text, self.value_minor, self.least)
        return int(text)


def chips_of(house: House, values: Iterable[int] = ()) -> dict[int, Chip]:
    """By rising value, the denominations of the chip sets in force, and these values besides. Two
    statements.
    """
    chips: dict[int, Chip] = {value: Chip(value, [], []) for value in values}
    for name, chip_set in sorted(chip_sets(house_id=house.pk).items()):
        for denomination in chip_set.denominations:
            value = denomination.value_minor
            chip = chips.setdefault(value, Chip(value, [], []))
            look = _look(denomination.colour, denomination.shape)
            chip.sets.append(name)
            if look not in chip.looks:
                chip.looks.append(look)
    return dict(sorted(chips.items()))


def chip_lines(chips: Mapping[int, Chip], pieces: Mapping[int, int]) -> list[ChipLine]:
    """The pieces in the order of the denominations, which are among the chips."""
    return [ChipLine(chips[value], count, value * count) for value, count in pieces.items()]


def worth_minor(lines: Iterable[ChipLine]) -> int:
    """The sum of the lines."""
    return worth({line.chip.value_minor: line.pieces for line in lines})


def _look(colour: str, shape: str) -> ChipLook:
    words = _(COLOURS[colour])
    if shape != "chip":
        words = f"{words}, {_(SHAPES[shape])}"
    return ChipLook(colour, shape, words)
