"""Drop boxes: which wait, and the count of one, made twice, each blind, and together where the two
differ (DRP-4).
"""

from typing import Any
from uuid import UUID

from django.forms import HiddenInput
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from casino.cage.show import PiecesField
from casino.people.models import Person
from casino.people.pages.fields import Tick, Whole
from casino.people.pages.page import Wrong, allowed, house_clock_of, page, row_of
from casino.people.pages.signed_step import ProvedStep
from casino.people.pages.steps import Page, by_name
from casino.people.permissions import COUNT_DROP
from casino.people.roles import check_counter
from payouts.errors import mark
from payouts.models import Count, CountEntry, CountSignature
from payouts.rules.cash import cash_values
from payouts.rules.plain import Json
from tables.errors import CountChanged, CountSigned
from tables.models import Table
from tables.selectors.drops import (
    TOGETHER,
    drop_boxes,
    drop_count_at,
    drop_differ,
    together_of,
)
from tables.services import (
    drop_count_begin,
    drop_count_enter,
    drop_count_give_up,
    drop_count_witness,
)


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """All boxes, those that wait first."""
    person = allowed(request, COUNT_DROP)
    house = house_clock_of(person).house
    context = {"boxes": drop_boxes(house_id=house.pk)}
    return page(request, person, "cage/drops.html", context, house)


@require_GET
def box(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The box of a table."""
    person = allowed(request, COUNT_DROP)
    return _page(request, person, _table(person, pk))


class _DropStep(ProvedStep[Table]):
    permission, subject = COUNT_DROP, "table"

    def counting(self) -> dict[str, UUID]:
        """Raises DropCounterPit, CountSigned where no count runs."""
        check_counter(self.person.roles)
        count = drop_count_at(self.row)
        if count is None:
            raise CountSigned
        return {"house_id": self.row.house_id, "count_id": count.pk}


class _TakeBox(_DropStep):
    step, command = "take", "drop.count_begin"
    done = mark("Taken: what is sold from now on lies in the next box.")

    def carry_out(self) -> Json:
        check_counter(self.person.roles)
        ids = {"house_id": self.row.house_id, "table_id": self.row.pk}
        return str(drop_count_begin(**ids, actor_id=self.person.pk).pk)


class _Enter(_DropStep):
    step, command = "enter", "drop.count_enter"
    done = mark("Entered.")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.values_minor = cash_values(self.row.house.currency)
        for value in self.values_minor:
            self.fields[f"pieces-{value}"] = PiecesField(value, least=0)

    def figures(self) -> list[tuple[int, Any]]:
        """Each note and coin with its field, the highest first."""
        return [(value, self[f"pieces-{value}"]) for value in reversed(self.values_minor)]

    def carry_out(self) -> Json:
        given = {value: self.values[f"pieces-{value}"] for value in self.values_minor}
        lines = [
            {"value_minor": value, "pieces": count}
            for value, count in given.items()
            if count is not None
        ]
        drop_count_enter(**self.counting(), lines=lines, counter_id=self.person.pk)
        return None


class _Agree(_DropStep):
    step, command = "agree", "drop.count_witness"
    entry = Whole(lambda _text: CountChanged())
    ok = Tick()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entry"].widget = HiddenInput()

    def carry_out(self) -> Json:
        values = self.values
        drop_count_witness(
            **self.counting(), entry=values["entry"], ok=values["ok"], witness_id=self.person.pk
        )
        return None


class _GiveUp(_DropStep):
    step, command = "give-up", "drop.count_give_up"
    done = mark("Given up: the cash is counted with what comes after it.")

    def carry_out(self) -> Json:
        drop_count_give_up(**self.counting(), actor_id=self.person.pk)
        return None


def _page(
    request: HttpRequest, person: Person, table: Table, refusal: Wrong | None = None
) -> HttpResponse:
    count = drop_count_at(table)
    entries = list(
        CountEntry.objects.filter(count=count).select_related("counter").order_by("number")
    )
    forms = _forms(table, person, count, entries, refusal)
    together = together_of(count, entries)
    context = {
        "table": table,
        "count": count,
        "counters": [entry.counter for entry in entries[:TOGETHER]],
        "state": str(Count.State(count.state).label) if count else "",
        "together": together,
        "lines": together.lines.filter(pieces__gt=0).order_by("-value_minor") if together else (),
        "differ": drop_differ(count) if count and len(entries) >= TOGETHER else (),
        "last": _last(table) if count is None else None,
        "steps": forms,
        "forms": {form.at for form in forms.values()},
    }
    return page(request, person, "cage/drop.html", context, house=table.house, wrong=refusal)


def _forms(
    table: Table,
    person: Person,
    count: Count | None,
    entries: list[CountEntry],
    refusal: Wrong | None,
) -> dict[str, _DropStep]:
    if count is None:
        return {"take": _TakeBox.offered(table, person, refusal)}
    forms: dict[str, _DropStep] = {"give_up": _GiveUp.offered(table, person, refusal)}
    waits = count.state == Count.State.ENTERED and entries[-1].counter_id == person.pk
    if waits:
        return forms  # for the other of the two
    if together_of(count, entries):
        forms["agree"] = _Agree.offered(table, person, refusal, entry=entries[-1].number)
    else:
        forms["enter"] = _Enter.offered(table, person, refusal)
    return forms


def _last(table: Table) -> CountSignature | None:
    """The newest that is signed, with its figures."""
    signed = CountSignature.objects.filter(
        count__place_kind=Count.Place.DROP, count__place_id=table.pk, stands=True
    )
    rows = signed.select_related("entry", "counter", "witness").order_by("-signed_at")
    return rows.first()


def _table(person: Person, pk: UUID) -> Table:
    return row_of(person, Table.objects.select_related("house"), pk)


PAGE = Page("cage-drop", _table, _page, by_name(_TakeBox, _Enter, _Agree, _GiveUp))
