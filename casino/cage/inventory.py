"""The first inventory: which chips lie at which table, what was counted, looked at once more, and
asked for.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from casino.cage.inventory_asked import details_before
from casino.cage.show import Chip, PiecesField, chips_of
from casino.people.models import Person
from casino.people.pages.fields import Choice, Reason, Text
from casino.people.pages.page import Wrong, allowed, form_data, house_clock_of, page
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import REQUEST_INVENTORY, VIEW_CHIPS
from casino.rulesets.signers import signers_besides
from casino.text.typed import minor_typed
from payouts.errors import Refused, mark
from payouts.models import Approval, House, Inventory
from payouts.models.approval import WAITING
from payouts.rules.plain import Json
from tables.models import Table, TableVersion
from tables.selectors.floor import posted_names
from tables.services import inventory_request
from tables.services.inventory.booked import as_signed
from tables.services.inventory.counted import (
    HouseCount,
    TableCount,
    check_count,
    denominations,
    hold_tables,
    tables_to_count,
)
from tables.services.inventory.take import FIRST

NAMED = ("cage_rules", "tray_float")


@require_GET
def first(request: HttpRequest) -> HttpResponse:
    """The form; what waits to be signed; or what was taken over."""
    person = allowed(request, VIEW_CHIPS)
    return _page(request, person, _house(person))


@require_POST
def review(request: HttpRequest) -> HttpResponse:
    """What was typed, in sums and beside the books, before it is asked for; `back` leads to the
    form, with all of it.
    """
    person = allowed(request, REQUEST_INVENTORY)
    house = _house(person)
    typed = form_data(request)
    if "back" in typed:
        return _page(request, person, house, typed=typed)
    form = _InventoryRequest(house, person, request.POST)
    try:
        with transaction.atomic():
            checked = check_count(house.pk, form.count(), hold_tables(house.pk))
            signed = as_signed(checked)
    except Refused as refused:
        return _page(request, person, house, Wrong(form.at, refused, typed))
    context = {
        "form": form,
        "typed": [(name, text) for name, text in typed.items() if name in form.fields],
        "signers": signers_besides(person, FIRST, house),
        "forms": {form.at},
    } | details_before(house, signed)
    return page(request, person, "cage/inventory_review.html", context, house)


class TableFields(NamedTuple):
    """A table of the form: its denominations with their fields, and its other fields."""

    table: Table
    chip_set: str
    pieces: list[tuple[Chip, Any]]
    fields: list[Any]


class _InventoryRequest(Step[House]):
    step, command, permission, subject = "ask", "inventory.request", REQUEST_INVENTORY, "house"
    done = mark("Asked for: others look at it and sign.")
    cash = Text(label=gettext_lazy("Cash in the vault"))
    reason = Reason(500, label=gettext_lazy("Reason"))

    def __init__(self, row: House, person: Person, typed: Any = None, **initial: Any) -> None:
        super().__init__(row, person, typed, **initial)
        given = initial if typed is None else typed
        self.tables = sorted(tables_to_count(house_id=row.pk), key=_place_of)
        self.known = denominations(house_id=row.pk)
        self.chips = chips_of(row, self.known.every)
        self.sets = {table.pk: str(given.get(f"set-{table.pk}", "")) for table in self.tables}
        for value in self.known.every:
            for place in ("vault", "issued"):
                self.fields[f"{place}-{value}"] = PiecesField(value, least=0)
        for table in self.tables:
            self._add(table)

    def _add(self, table: Table) -> None:
        for value in self.values_at(table):
            self.fields[f"tray-{table.pk}-{value}"] = PiecesField(value, least=0)
        amounts = {
            "drop": gettext_lazy("Cash in the drop box"),
            "tronc": gettext_lazy("Chips in the tronc box"),
        }
        for name, label in amounts.items():
            self.fields[f"{name}-{table.pk}"] = Text(label=label, widget=_amount())
        if not table.retired:
            self.fields[f"set-{table.pk}"] = Text(widget=forms.HiddenInput)
            names = (gettext_lazy("Counts and differences"), gettext_lazy("Tray float"))
            for kind, label in zip(NAMED, names, strict=True):
                self.fields[f"{kind}-{table.pk}"] = Choice(label=label)

    def values_at(self, table: Table) -> tuple[int, ...]:
        """The denominations that may lie at a table."""
        if table.retired:
            return tuple(self.known.every)
        return self.known.sets.get(self.sets[table.pk], ())

    def offer(self) -> None:
        self.fields["cash"].widget = _amount()
        posted = posted_names(house_id=self.row.pk)
        for table in self.tables:
            if table.retired:
                continue
            for kind in NAMED:
                none = [("", "–")] if kind == "tray_float" else []
                names = [(name, name) for name in posted.get(kind, [])]
                self.options(f"{kind}-{table.pk}", [*none, *names])

    def cage_figures(self) -> list[tuple[Chip, Any, Any]]:
        """Each denomination with the fields of the vault and of what was issued."""
        return [
            (chip, self[f"vault-{value}"], self[f"issued-{value}"])
            for value, chip in self.chips.items()
        ]

    def table_figures(self) -> list[TableFields]:
        """The tables with their fields."""
        return [self._figures(table) for table in self.tables]

    def _figures(self, table: Table) -> TableFields:
        pieces = [
            (self.chips[value], self[f"tray-{table.pk}-{value}"]) for value in self.values_at(table)
        ]
        names = ("drop", "tronc") if table.retired else ("drop", "tronc", *NAMED)
        others = [self[f"{name}-{table.pk}"] for name in names]
        return TableFields(table, self.sets[table.pk], pieces, others)

    def count(self) -> HouseCount:
        """What was typed. Raises PiecesRefused, AmountRefused."""
        return HouseCount(
            cash_minor=minor_typed(self.values["cash"], self.row),
            vault=self._pieces("vault"),
            issued=self._pieces("issued"),
            tables=[self._counted(table) for table in self.tables],
        )

    def _counted(self, table: Table) -> TableCount:
        rules, tray_float = (self.values.get(f"{kind}-{table.pk}", "") for kind in NAMED)
        return TableCount(
            table_id=table.pk,
            pieces=self._pieces(f"tray-{table.pk}"),
            chip_set=self.sets[table.pk],
            cage_rules=rules,
            tray_float=tray_float,
            drop_minor=minor_typed(self.values[f"drop-{table.pk}"] or "0", self.row),
            tronc_minor=minor_typed(self.values[f"tronc-{table.pk}"] or "0", self.row),
        )

    def _pieces(self, place: str) -> dict[int, int]:
        """By value what was typed; what was left empty is missing."""
        given = {value: self.values.get(f"{place}-{value}") for value in self.known.every}
        return {value: count for value, count in given.items() if count is not None}

    def carry_out(self) -> Json:
        approval = inventory_request(
            house_id=self.row.pk,
            count=self.count(),
            reason=self.values["reason"],
            requester_id=self.person.pk,
        )
        return str(approval.pk)

    def after(self, answer: Json) -> tuple[Any, ...]:
        return "inventory-asked", UUID(str(answer))


def _place_of(table: Table) -> tuple[int, int, str]:
    return table.pit.position, table.position, table.name


def _amount() -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": "decimal", "maxlength": 18, "autocomplete": "off"})


def _page(
    request: HttpRequest,
    person: Person,
    house: House,
    refusal: Wrong | None = None,
    typed: Mapping[str, str] | None = None,
) -> HttpResponse:
    done = Inventory.objects.filter(pk=house.pk).select_related("approval").first()
    waiting = Approval.objects.filter(WAITING, house=house, action=FIRST).first()
    form = None
    if done is None and person.has_perm(REQUEST_INVENTORY):
        known = refusal.form_data if refusal else typed or request.GET
        initial = _initial(house, known) | (dict(typed) if typed else {})
        form = _InventoryRequest.offered(house, person, refusal, **initial)
    offered = form is not None and bool(form.known.sets)
    context = {
        "done": done,
        "asked": waiting,
        "form": form,
        "offered": offered,
        "sets": sorted(form.known.sets) if form else [],
        "open": [table.name for table in form.tables if table.session_id] if form else [],
        "signers": signers_besides(person, FIRST, house) if offered else None,
        "forms": {form.at} if form and offered else set(),
    }
    return page(request, person, "cage/inventory.html", context, house=house, wrong=refusal)


def _initial(house: House, known: Mapping[str, str]) -> dict[str, Any]:
    """By table the chip set that was chosen, or that the table names, or the first one; and the
    rules that it counts by.
    """
    posted = posted_names(house_id=house.pk)
    newest = TableVersion.objects.filter(house=house).order_by("table_id", "-number")
    initial: dict[str, Any] = {}
    for version in newest.distinct("table_id"):
        for field, kind in (("set", "chip_set"), *((kind, kind) for kind in NAMED)):
            default = "" if kind == "tray_float" else next(iter(posted.get(kind, [])), "")
            name = f"{field}-{version.table_id}"
            initial[name] = known.get(name) or version.posted.get(kind) or default
    return initial


def _house(person: Person, _pk: None = None) -> House:
    return house_clock_of(person).house


PAGE = Page("cage-inventory", _house, _page, by_name(_InventoryRequest))
