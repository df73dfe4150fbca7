"""Who counts the drop boxes of tables: never the pit (DRP-4)."""

from casino.people.models import Person
from payouts.errors import Kind, Refused, mark

PIT = frozenset({"pit_boss", "croupier"})


class DropCounterPit(Refused):
    """Somebody of the pit counts a drop box."""

    code = "count.drop_pit"
    kind = Kind.FORBIDDEN
    rule = "DRP-4"
    sentence = mark("Who works in the pit does not count a drop box.")
    remedy = mark("Have two people of cage or management count it who do not.")


def check_counter(person: Person) -> None:
    """Raise DropCounterPit where the person works in the pit, whatever else they do."""
    if PIT & {*person.roles}:
        raise DropCounterPit
