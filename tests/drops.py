"""A floor whose drop boxes are counted: UTH 3 sells chips, Sina and Dario of the cage count."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from casino.people.models import Person
from payouts.models import Count
from payouts.rules.cash import cash_values
from tables import services
from tables.models import BuyIn, EntryReversal, Table
from tables.services.counts.drop import DropCounted
from tests.cast import make_person
from tests.counts import CountedFloor
from tests.floor import done

FULL = {100_00: 40, 50_00: 35, 20_00: 80, 10_00: 50}  # 7 850.00


def cash_lines(pieces: Mapping[int, int], currency: str = "CHF") -> list[dict[str, object]]:
    """What is entered of a box, 0 of what is not named."""
    return [{"value_minor": value, "pieces": pieces.get(value, 0)} for value in cash_values(currency)]


class DropFloor(CountedFloor):
    """The table is open on its opener."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.first: Person = make_person("sina", "cage", house=self.house)
        self.second: Person = make_person("dario", "cage", house=self.house)
        self.opened()

    def bought(self, amount_minor: int, **changes: object) -> BuyIn:
        values = {"buyin_id": uuid4(), "amount_minor": amount_minor, "actor_id": self.martina.pk}
        where = {"house_id": self.house.pk, "table_id": self.counted.pk}
        row: BuyIn = done(services.buyin_enter, **where | values | changes)
        return row

    def back(self, row: BuyIn) -> EntryReversal:
        values = {"house_id": self.house.pk, "buyin_id": row.pk, "actor_id": self.reto.pk}
        reversal: EntryReversal = done(services.buyin_take_back, **values, supervisor=True, reason="twice")
        return reversal

    def take(self, table: Table | None = None, **changes: object) -> Count:
        ids = {"house_id": self.house.pk, "table_id": (table or self.counted).pk, "actor_id": self.first.pk}
        count: Count = done(services.drop_count_begin, **ids | changes)
        return count

    def counts(self, count: Count, person: Any, pieces: Mapping[int, int]) -> DropCounted:
        ids = {"house_id": self.house.pk, "count_id": count.pk, "counter_id": person.pk}
        counted: DropCounted = done(services.drop_count_enter, **ids, lines=cash_lines(pieces))
        return counted

    def agrees(self, count: Count, person: Any, entry: int = 3, *, ok: bool = True) -> DropCounted:
        ids = {"house_id": self.house.pk, "count_id": count.pk, "witness_id": person.pk}
        counted: DropCounted = done(services.drop_count_witness, **ids, entry=entry, ok=ok)
        return counted

    def counted_drop(self, pieces: Mapping[int, int]) -> Count:
        """Taken and counted alike by both."""
        count = self.take()
        self.counts(count, self.first, pieces)
        self.counts(count, self.second, pieces)
        count.refresh_from_db()
        return count
