"""Chips by the piece: how many of each denomination come into service and go out (CHP-4). Pure."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from payouts.errors import Kind, Refused, mark
from payouts.rules.plain import Json
from payouts.rules.rulesets.chips import PIECES_MOST

Pieces: TypeAlias = dict[int, int]  # by value in minor units, rising


class PiecesRefused(Refused):
    """A number of pieces is no whole one, or out of bounds."""

    code = "chips.pieces_wrong"
    rule = "CHP-4"
    sentence = mark(
        "“%(given)s” pieces of %(value_minor)s: a whole number from %(least)s to %(most)s."
    )
    remedy = mark("Count the pieces and enter them in digits.")

    def __init__(self, given: object, value_minor: int, least: int) -> None:
        super().__init__(
            given=str(given)[:20], value_minor=value_minor, least=least, most=PIECES_MOST
        )


class NoPieces(Refused):
    """Nothing is asked for."""

    code = "chips.nothing"
    rule = "CHP-4"
    sentence = mark("No pieces are named.")
    remedy = mark("Enter how many pieces of which denomination.")


class NotOfSet(Refused):
    """A value that no chip set in force has."""

    code = "chips.not_of_set"
    rule = "CHP-1"
    sentence = mark("%(value_minor)s is no denomination of the chip set in force.")
    remedy = mark("Enter the pieces of its denominations, or post another chip set first.")


class ChipsTooFew(Refused):
    """More pieces are to go out than came in, or than the vault holds."""

    code = "chips.too_few"
    kind = Kind.CONFLICT
    rule = "CHP-4"
    sentence = mark(
        "So many pieces of %(value_minor)s are not there: %(pieces)s are wanted, %(there)s are."
    )
    remedy = mark("Count again, and take at most what is there.")


class VaultTooLow(ChipsTooFew):
    """By value the vault holds less."""

    sentence = mark("The vault holds less than %(amount_minor)s in chips by the books.")
    remedy = mark("Bring chips back from the tables first, or take fewer out of service.")


class ChipsTooMany(Refused):
    """More is counted than was ever put into service: false chips, or a wrong figure."""

    code = "chips.too_many"
    kind = Kind.CONFLICT
    rule = "CHP-5"
    sentence = mark(
        "%(counted)s pieces of %(value_minor)s are counted, and %(issued)s were ever put into"
        " service."
    )
    remedy = mark("Count them again, and read again what the supplier delivered.")


class TooManyOutside(ChipsTooMany):
    """Tronc boxes hold more than is outside."""

    sentence = mark(
        "The tronc boxes hold %(amount_minor)s, more than is neither in the vault nor in a tray."
    )
    remedy = mark("Count the boxes again, and read again what the supplier delivered.")


def check_pieces(pieces: Mapping[int, object], *, least: int = 1) -> Pieces:
    """Give the pieces back by rising value. Raises NoPieces, PiecesRefused."""
    if not isinstance(pieces, Mapping) or not pieces:
        raise NoPieces
    checked: Pieces = {}
    for value, count in sorted(pieces.items()):
        if type(count) is not int or not least <= count <= PIECES_MOST:
            raise PiecesRefused(count, value, least)
        checked[value] = count
    return checked


def check_of_set(pieces: Iterable[int], values: Iterable[int]) -> None:
    """Refuse a denomination that is none of these values. Raises NotOfSet."""
    known = set(values)
    for value in pieces:
        if value not in known:
            raise NotOfSet(value_minor=value)


def check_none_over(counted: Mapping[int, int], issued: Mapping[int, int]) -> None:
    """Refuse a count above what was issued (CHP-5). Raises ChipsTooMany."""
    for value, pieces in counted.items():
        if pieces > issued.get(value, 0):
            raise ChipsTooMany(value_minor=value, counted=pieces, issued=issued.get(value, 0))


def worth(pieces: Mapping[int, int]) -> int:
    """In minor units.

    >>> worth({250: 40, 500: 2})
    11000
    """
    return sum(value * count for value, count in pieces.items())


def together(several: Iterable[Mapping[int, int]]) -> Pieces:
    """All of them by rising value."""
    sums: Pieces = {}
    for pieces in several:
        for value, count in pieces.items():
            sums[value] = sums.get(value, 0) + count
    return dict(sorted(sums.items()))


def lines_of(pieces: Mapping[int, int]) -> list[Json]:
    """As they are signed."""
    return [{"value_minor": value, "pieces": count} for value, count in sorted(pieces.items())]


def pieces_of(lines: Iterable[Mapping[str, int]]) -> Pieces:
    """What was signed."""
    return {line["value_minor"]: line["pieces"] for line in lines}
