"""What is sent of a hand at *pots*, field by field: plain JSON, refused by the name of the field
(POK-6). Each of these raises PotsWrong.
"""

from collections.abc import Callable, Mapping, Set
from typing import Any, TypeVar

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, sent
from tables.games.poker.variants import SEATS_MOST

_Item = TypeVar("_Item")
CARDS_MOST = 60  # characters


class PotsWrong(Refused):
    """A field of a hand that cannot be read."""

    code = "poker.entry_wrong"
    rule = "POK-6"
    sentence = mark("“%(field)s” of this hand cannot be %(given)s.")
    remedy = mark("Enter the hand again: what was matched on each street, who folded, who wins.")


def read_object(field: str, data: object, known: Set[str] | None = None) -> Mapping[str, Any]:
    """An object, of no other names than those that are `known`."""
    if not isinstance(data, dict):
        raise PotsWrong(field=field, given=sent(data))
    if known is not None and (unknown := data.keys() - known):
        raise PotsWrong(field=field, given=sent(min(unknown)))
    return data


def read_list(
    field: str, data: object, read: Callable[[str, object], _Item], most: int
) -> tuple[_Item, ...]:
    """A list of at most so many."""
    if not isinstance(data, list) or len(data) > most:
        raise PotsWrong(field=field, given=sent(data))
    return tuple(read(field, item) for item in data)


def read_by_seat(
    field: str, data: object, read: Callable[[str, object], _Item]
) -> dict[int, _Item]:
    """An object by the number of the seat."""
    items = read_object(field, data)
    if len(items) > SEATS_MOST:
        raise PotsWrong(field=field, given=len(items))
    by_seat = {}
    for name, value in items.items():
        if name not in _SEAT_NAMES:
            raise PotsWrong(field=field, given=sent(name))
        by_seat[int(name)] = read(field, value)
    return by_seat


_SEAT_NAMES = {str(seat) for seat in range(1, SEATS_MOST + 1)}


def read_whole(field: str, value: object, most: int, *, least: int = 0) -> int:
    """A whole number, both ends with it."""
    if type(value) is not int or not least <= value <= most:
        raise PotsWrong(field=field, given=sent(value))
    return value


def read_minor(field: str, value: object) -> int:
    """An amount in minor units."""
    return read_whole(field, value, MAXIMUM_MINOR)


def read_seat(field: str, value: object) -> int:
    """The number of a seat."""
    return read_whole(field, value, SEATS_MOST, least=1)


def read_seats(field: str, data: object) -> tuple[int, ...]:
    """Seats, each of them once."""
    seats = read_list(field, data, read_seat, SEATS_MOST)
    if len({*seats}) != len(seats):
        raise PotsWrong(field=field, given=", ".join(map(str, seats)))
    return seats


def read_cards(field: str, value: object) -> str:
    """Cards as text, not yet parsed."""
    if not isinstance(value, str) or len(value) > CARDS_MOST:
        raise PotsWrong(field=field, given=sent(value))
    return value
