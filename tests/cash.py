"""A floor whose tables sell chips and take tips: one linked, one not, and a poker table, all open."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from payouts.models import Account
from payouts.selectors import HouseNow, house_now
from tables import services
from tables.models import BuyIn, EntryReversal, PokerStay, Table, TableSession, Tip
from tables.services.cash import take_back
from tests.floor import Floor, done
from tests.poker import opened, poker_table, sit


class CashFloor(Floor):
    """`enter("buyin", 200_00)` and `back(row)` are the croupier's, unless something else is said."""

    def __init__(self) -> None:
        super().__init__()
        self.guests = self.open()
        self.open(self.other, self.nora)
        self.poker, self.stay = seated(self)

    def session(self, table: Table | None = None) -> TableSession:
        return TableSession.objects.get(table=table or self.table, closed_at=None)

    def enter(self, kind: str, amount_minor: Any, entry_id: UUID | None = None, **values: Any) -> BuyIn | Tip:
        ids = {"house_id": self.house.pk, "table_id": self.table.pk, "actor_id": self.martina.pk}
        own = {f"{kind}_id": entry_id or uuid4(), "amount_minor": amount_minor}
        row: BuyIn | Tip = done(getattr(services, f"{kind}_enter"), **ids | own | values)
        return row

    def back(self, row: BuyIn | Tip, **values: Any) -> EntryReversal:
        kind = row.event_kind if isinstance(row, BuyIn) else "tip"
        ids = {"house_id": self.house.pk, f"{kind}_id": row.pk, "actor_id": self.martina.pk}
        back: EntryReversal = done(getattr(services, f"{kind}_take_back"), **ids | values)
        return back

    def balances(self, table: Table | None = None) -> dict[str, int]:
        """What is in the accounts of a table."""
        rows = Account.objects.filter(owner_id=(table or self.table).pk, detail_id=None).exclude(balance_minor=0)
        return dict(rows.values_list("kind", "balance_minor"))

    def moved(self, before: dict[str, int], table: Table | None = None) -> dict[str, int]:
        now = self.balances(table)
        moves = {kind: now.get(kind, 0) - before.get(kind, 0) for kind in {**before, **now}}
        return {kind: minor for kind, minor in moves.items() if minor}


def seated(floor: Floor) -> tuple[Table, PokerStay]:
    """A poker table where somebody sits with 150.00."""
    table = opened(floor, poker_table(floor))
    return table, sit(floor, 1, table, 150_00)


def later(patch: pytest.MonkeyPatch, seconds: int) -> None:
    """So long after it was entered something is taken back."""
    now = house_now

    def moved_on(**house: UUID) -> HouseNow:
        clock = now(**house)
        return clock._replace(moment=clock.moment + timedelta(seconds=seconds))

    patch.setattr(take_back, "house_now", moved_on)
