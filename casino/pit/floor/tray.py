"""The tray of a table is counted: the pit begins a count or gives it up, and witnesses what was
entered at the tablet. Until both have signed nothing here says what the books have (CNT-2).
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.forms import HiddenInput
from django.utils.translation import gettext_lazy as _

from casino.people.models import Person
from casino.people.pages.fields import Choice, Tick, Whole
from casino.people.pages.page import Wrong
from casino.people.pages.signed_step import ProvedStep
from casino.people.pages.steps import Step
from casino.people.permissions import RUN_FLOOR, WITNESS_COUNT
from payouts.errors import mark
from payouts.models import Count, CountEntry
from payouts.models.count import RUNNING
from payouts.rules.plain import Json
from tables.errors import CountChanged, CountSigned
from tables.models import Table
from tables.services import count_begin, count_give_up, count_witness


@dataclass(frozen=True, slots=True)
class CountedTray:
    """The count that freezes a tray, if there is one, its newest entry, and what may be done."""

    count: Count | None
    entry: CountEntry | None
    begin: Step[Table] | None = None
    witness: Step[Table] | None = None
    give_up: Step[Table] | None = None

    @property
    def purpose(self) -> str:
        """In words."""
        return str(Count.Purpose(self.count.purpose).label) if self.count else ""

    @property
    def state(self) -> str:
        """In words."""
        return str(Count.State(self.count.state).label) if self.count else ""

    @property
    def forms(self) -> set[str]:
        """Where they are on the page."""
        return {form.at for form in (self.begin, self.witness, self.give_up) if form}


class BeginCount(Step[Table]):
    """Begin a count."""

    step = "count-tray"
    command = "floor.count_tray"
    permission, subject = RUN_FLOOR, "table"
    done = mark("Begun: the croupier enters the pieces on the tablet.")
    purpose = Choice(label=_("What for"))

    def offer(self) -> None:
        """An opener at a closed table."""
        is_open = self.row.session_id is not None
        offered = [
            (code, word)
            for code, word in Count.Purpose.choices
            if (code != Count.Purpose.OPENER) == is_open
        ]
        self.options("purpose", offered)

    def carry_out(self) -> Json:
        """Raises what `count_begin` refuses."""
        ids = {"house_id": self.row.house_id, "table_id": self.row.pk}
        begun = count_begin(**ids, actor_id=self.person.pk, purpose=self.values["purpose"])
        return str(begun.pk)


class WitnessCount(ProvedStep[Table]):
    """Sign what was entered, or have it entered anew."""

    step = "witness-count"
    command = "floor.count_witness"
    permission, subject = WITNESS_COUNT, "table"
    entry = Whole(lambda _text: CountChanged())
    ok = Tick()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entry"].widget = HiddenInput()

    def carry_out(self) -> Json:
        """Raises what `count_witness` refuses."""
        values = self.values
        count_witness(
            house_id=self.row.house_id,
            count_id=_counting(self.row),
            entry=values["entry"],
            ok=values["ok"],
            witness_id=self.person.pk,
        )
        return None


class GiveUpCount(Step[Table]):
    """Give a count up."""

    step = "give-up-count"
    command = "floor.count_give_up"
    permission, subject = RUN_FLOOR, "table"
    done = mark("Given up: the table plays on.")

    def carry_out(self) -> Json:
        """Raises what `count_give_up` refuses."""
        ids = {"house_id": self.row.house_id, "count_id": _counting(self.row)}
        count_give_up(**ids, actor_id=self.person.pk)
        return None


def _counting(table: Table) -> UUID:
    """Raises CountSigned where no count freezes the tray."""
    count = counting_at(table)
    if count is None:
        raise CountSigned
    return count.pk


STEPS = (BeginCount, WitnessCount, GiveUpCount)


def counting_at(table: Table) -> Count | None:
    """The count that freezes a table's tray: one that runs, or its signed closer."""
    if table.session is not None:
        return table.session.counting
    trays = Count.objects.filter(place_id=table.pk, place_kind=Count.Place.TRAY)
    return trays.filter(state__in=RUNNING).first()


def counted_tray(table: Table, person: Person, wrong: Wrong | None) -> CountedTray | None:
    """The tray as a person sees it who may run the floor, or witness; None where no chips are
    named.
    """
    may_run, may_witness = (person.has_perm(right) for right in (RUN_FLOOR, WITNESS_COUNT))
    versions = table.session.versions if table.session else table.posted
    if "chip_set" not in versions or table.retired or not (may_run or may_witness):
        return None
    count = counting_at(table)
    if count is None:
        return CountedTray(
            None, None, begin=BeginCount.offered(table, person, wrong) if may_run else None
        )
    entry = CountEntry.objects.filter(count=count).select_related("counter").last()
    waits = may_witness and entry is not None and count.state == Count.State.ENTERED
    number = {"entry": entry.number} if entry else {}
    return CountedTray(
        count,
        entry,
        witness=WitnessCount.offered(table, person, wrong, **number) if waits else None,
        give_up=GiveUpCount.offered(table, person, wrong) if may_run else None,
    )
