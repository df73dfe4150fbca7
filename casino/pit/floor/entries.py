"""The buy-ins and tips of a session on its table's page, and that the pit takes one back."""

from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _

from casino.people.models import Person
from casino.people.pages.fields import Reason, Subject
from casino.people.pages.page import Wrong
from casino.people.pages.steps import Step
from casino.people.permissions import RUN_FLOOR
from payouts.errors import mark
from payouts.rules.plain import Json
from tables.errors import CashUnknown
from tables.models import BuyIn, Table, TableSession, Tip
from tables.selectors.cash import session_entries
from tables.services import buyin_take_back, tip_take_back
from tables.services.cash.kinds import BUY_IN, TIP, CashKind


class _Back(Step[Table]):
    """Take one back."""

    permission, subject, about = RUN_FLOOR, "table", "entry"
    done = mark("Taken back.")
    kind: ClassVar[CashKind]
    entry = Subject(CashUnknown)
    reason = Reason(500, label=_("Reason"))

    @property
    def ids(self) -> dict[str, Any]:
        """Which one, of this table. Raises CashUnknown."""
        entry_id = self.values["entry"]
        rows = self.kind.model.objects.filter(pk=entry_id, session__table=self.row)
        if not rows.exists():
            raise CashUnknown
        by = {"actor_id": self.person.pk, "supervisor": True, "reason": self.values["reason"]}
        return {"house_id": self.row.house_id, f"{self.kind.name}_id": entry_id} | by


class BuyInBack(_Back):
    """A buy-in."""

    step, command, kind = "buy-in-back", "floor.buy-in-back", BUY_IN

    def carry_out(self) -> Json:
        """Raises what `buyin_take_back` refuses."""
        return buyin_take_back(**self.ids).pk


class TipBack(_Back):
    """A tip."""

    step, command, kind = "tip-back", "floor.tip-back", TIP

    def carry_out(self) -> Json:
        """Raises what `tip_take_back` refuses."""
        return tip_take_back(**self.ids).pk


class EntryRow(NamedTuple):
    """A buy-in or a tip, and the form that takes it back; None where that is not done."""

    row: BuyIn | Tip
    back: Step[Table] | None


class EntryLists(NamedTuple):
    """The buy-ins and tips of a session, newest first, with what stands of each in minor units."""

    buy_ins: list[EntryRow]
    tips: list[EntryRow]
    drop_minor: int
    tips_minor: int


def table_entries(
    table: Table, session: TableSession, person: Person, refused: Wrong | None
) -> EntryLists:
    """As the page shows them. Two statements."""
    stand = session_entries(session)

    def listed(rows: list[BuyIn] | list[Tip], step: type[_Back]) -> list[EntryRow]:
        may = person.has_perm(RUN_FLOOR)
        return [
            EntryRow(
                row,
                step.offered(table, person, refused, entry=str(row.pk))
                if may and row.stay_chips_id is None and not hasattr(row, "taken_back")
                else None,
            )
            for row in rows
        ]

    return EntryLists(
        buy_ins=listed(stand.buy_ins, BuyInBack),
        tips=listed(stand.tips, TipBack),
        drop_minor=stand.drop_minor,
        tips_minor=stand.tips_minor,
    )


def forms_of(entries: EntryLists | None) -> set[str]:
    """Where the page has forms of them."""
    rows = [*entries.buy_ins, *entries.tips] if entries else []
    return {row.back.at for row in rows if row.back}
