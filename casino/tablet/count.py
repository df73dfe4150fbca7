"""The tray is counted on its tablet: the page of it, and what a table that waits says of it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.demo.tablet import demo_pins
from casino.devices.door import DeviceRequest, at_tablet
from casino.devices.names import offered
from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.permissions import WITNESS_COUNT
from casino.tablet.count_texts import count_texts
from casino.tablet.left import was_left
from casino.tablet.round import imports, page_of
from casino.tablet.surface import RELATED, counting_standing
from casino.tablet.texts import round_texts
from casino.tablet.works import counts_at
from payouts.models import Count
from payouts.models.count import PIECES_MOST
from payouts.rules.rulesets.chips import COLOURS, SHAPES, ChipSet
from payouts.selectors import house_now
from tables.errors import PostedMissing
from tables.models import Table
from tables.selectors.counts import counting_at, opener_signed
from tables.services.counts.parts import CountedTable

PLAY = {"tablet/play": "count/play", "tablet/game": "count/play"}


@at_tablet
@require_GET
def count_page(request: DeviceRequest) -> HttpResponse:
    """The count of the table's tray, for the person who is signed in."""
    person, device = request.device_person, request.device
    if person is None or (device.own_table.session is None and was_left(request)):
        return redirect("tablet-sign-in", device.pk)
    table = Table.objects.select_related(*RELATED).get(pk=device.own_table.pk)
    chips = _chips(table) if counts_at(person, table) else None
    if chips is None:
        return redirect("tablet-device", device.pk)
    context = {
        "device": device,
        "table": table,
        "person": person,
        "here": HouseClock.at(device.house),
        "imports": imports(table.game, PLAY),
        "words": round_texts() | count_texts(),
        "page": _page(request, person, table, chips),
        "demo_pins": demo_pins(),
    }
    return render(request, "tablet/count.html", context)


def _page(request: DeviceRequest, person: Person, table: Table, chips: ChipSet) -> dict[str, Any]:
    """`chips`: amounts in minor units."""
    at_table = page_of(request, person, table, counting_standing(table))
    people = offered(request.device)
    witnesses = [person for person in people if person.has_perm(WITNESS_COUNT)]
    return at_table | {
        "chips": [
            {
                "value_minor": chip.value_minor,
                "colour": chip.colour,
                "shape": chip.shape,
                "words": f"{_(COLOURS[chip.colour])}, {_(SHAPES[chip.shape])}",
                "stack": chip.stack,
            }
            for chip in chips.denominations
        ],
        "pieces_most": PIECES_MOST,
        "purposes": {code: capfirst(str(word)) for code, word in Count.Purpose.choices},
        "witnesses": [{"id": str(witness.pk), "name": witness.full_name} for witness in witnesses],
        "table_page": reverse("tablet-device", args=[request.device.pk]),
    }


def _counted(table: Table) -> CountedTable:
    day = table.session.gaming_day if table.session else house_now(house_id=table.house_id).day
    return CountedTable(table, day, table.session.versions if table.session else None)


def _chips(table: Table) -> ChipSet | None:
    try:
        return _counted(table).chips()[1]
    except PostedMissing:
        return None


def opener_of_page(person: Person, table: Table) -> dict[str, Any]:
    """What the page of a closed table says of its opener: whether it may be counted here, runs, is
    signed, or must be before the table opens.
    """
    if not counts_at(person, table):
        return {}
    try:
        rules = _counted(table).rules()
    except PostedMissing:
        rules = None
    signed = opener_signed(table) is not None
    must = rules is not None and rules.counts_required and not signed
    return {
        "counts": True,
        "counting": counting_at(table),
        "is_counted": signed,
        "must_count": must,
    }
