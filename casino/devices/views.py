"""Pages about devices and PINs at the office: enrol, revoke, free a tablet, open a locked PIN, set
one's own.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.devices import services as devices
from casino.devices import signin
from casino.devices.forms import ENROL, JackpotForm, PinForm, RevokeForm, TableForm
from casino.devices.heard import may_hold_rounds
from casino.devices.kinds import TABLETS, BrowserKind
from casino.devices.models import DISPLAY, Device, DeviceSession
from casino.devices.names import may_use
from casino.devices.refusals import DeviceJackpotUnknown, DeviceTableUnknown, DeviceUnknown
from casino.people import pins
from casino.people.context import people_of
from casino.people.models import Person
from casino.people.pages.page import allowed
from casino.people.permissions import ENROL_DEVICE, SET_UP, UNLOCK_PIN
from casino.people.roles import ROLES
from casino.people.views import person_of
from casino.text.problems import refusal_context, sentences
from jackpot.models import Jackpot, RequiredDisplay
from jackpot.services import display_require
from jackpot.services.gate import LIST_OPEN
from jackpot.services.state import phase_of
from payouts.errors import Refused
from tables.models import Table

REVOKED_SHOWN = 20


@require_GET
def device_list(request: HttpRequest) -> HttpResponse:
    """Every table with its devices: since when, last seen, who is signed in; the last ones that
    were revoked.
    """
    person = allowed(request, ENROL_DEVICE)
    tables, jackpots = list(devices.tables_of(person)), list(devices.jackpots_of(person))
    there = list(devices.devices_of(person).filter(revoked_at=None).order_by("kind", "name"))
    equipped = {device.table_id for device in there}
    standing = [table for table in tables if not table.retired]
    signed_in = _signed_in(there)
    context = {
        "rows": [
            TableDevices(
                table,
                [
                    TableDevice(one, signed_in.get(one.pk), _revoke(one), may_hold_rounds(one))
                    for one in there
                    if one.table_id == table.pk
                ],
            )
            for table in tables
            if not table.retired or table.pk in equipped
        ],
        "tablet": TableForm.offered("tablet", standing, person, "Tablet"),
        "feed": TableForm.offered("feed", standing, person, _("Shoe")),
        "display": JackpotForm.offered("display", jackpots, person, _("Entrance")),
        "jackpots": _jackpot_displays(jackpots, there),
        "may_require": person.has_perm(SET_UP),
        "revoked": (
            devices.devices_of(person)
            .exclude(revoked_at=None)
            .order_by("-revoked_at")[:REVOKED_SHOWN]
        ),
    }
    return _page(request, person, "devices/devices.html", context)


class TableDevice(NamedTuple):
    """A device of a table, with who is signed in on it; `holds`: it may have unsent rounds."""

    device: Device
    session: DeviceSession | None
    revoke: RevokeForm
    holds: bool


class TableDevices(NamedTuple):
    """A table with its devices."""

    table: Table
    devices: list[TableDevice]


class JackpotDisplay(NamedTuple):
    """A display of a jackpot; `required`: its tables wait for it."""

    device: Device
    required: bool
    revoke: RevokeForm


class JackpotDisplays(NamedTuple):
    """A jackpot with its displays, and those for which its tables wait in vain; `is_list_open`: a
    display is asked for.
    """

    jackpot: Jackpot
    is_list_open: bool
    displays: list[JackpotDisplay]
    gone: list[str]


def _revoke(device: Device) -> RevokeForm:
    return RevokeForm(auto_id=f"%s-{device.pk}")


def _jackpot_displays(jackpots: list[Jackpot], there: list[Device]) -> list[JackpotDisplays]:
    required = RequiredDisplay.objects.filter(jackpot__in=jackpots, ended_at=None)
    names = {(one.jackpot_id, one.display_id): one.name for one in required}
    in_service = {(one.jackpot_id, one.pk) for one in there}
    found = []
    for jackpot in jackpots:
        displays = [
            JackpotDisplay(one, (jackpot.pk, one.pk) in names, _revoke(one))
            for one in there
            if one.jackpot_id == jackpot.pk
        ]
        gone = [
            name for key, name in names.items() if key[0] == jackpot.pk and key not in in_service
        ]
        found.append(JackpotDisplays(jackpot, phase_of(jackpot) in LIST_OPEN, displays, gone))
    return found


@require_POST
def code_make(request: HttpRequest, kind: BrowserKind) -> HttpResponse:
    """Make a code for a tablet or display and show it, this once: loading the page again makes
    another.
    """
    return _enrolled(
        request, "devices/code.html", kind, partial(devices.device_code_make, kind=kind.name)
    )


@require_POST
def feed_enrol(request: HttpRequest) -> HttpResponse:
    """Enrol a card feed and show its token, this once: loading the page again makes another in its
    place.
    """
    return _enrolled(request, "devices/token.html", TABLETS, devices.feed_enrol)


@require_POST
def revoke(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take a device out of service, with a reason."""
    person = allowed(request, ENROL_DEVICE)
    given = RevokeForm(request.POST).values
    return _done(
        request, lambda: devices.device_revoke(device_id=pk, by=person, **given), "devices"
    )


@require_POST
def free(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Sign out whoever is signed in on a tablet."""
    person = allowed(request, ENROL_DEVICE)
    return _done(request, lambda: signin.device_free(device_id=pk, by=person), "devices")


@require_POST
def require(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Have the jackpot's tables wait, from the next new value on, until this display shows it."""
    person = allowed(request, SET_UP)

    def act() -> None:
        display = devices.devices_of(person).filter(pk=pk, kind=DISPLAY, revoked_at=None).first()
        if display is None:
            raise DeviceUnknown
        with transaction.atomic(durable=True):
            display_require(
                house_id=display.house_id,
                jackpot_id=display.own_jackpot.pk,
                display_id=display.pk,
                name=display.name,
                actor_id=person.pk,
            )

    return _done(request, act, "devices")


def _enrolled(
    request: HttpRequest, template: str, kind: BrowserKind, act: Callable[..., tuple[Any, str]]
) -> HttpResponse:
    person = allowed(request, ENROL_DEVICE)
    try:
        values = ENROL[kind.place](request.POST).values
        made, secret = act(place_id=values[kind.place], name=values["name"], by=person)
    except (DeviceTableUnknown, DeviceJackpotUnknown):
        raise Http404 from None
    except Refused as refused:
        messages.error(request, " ".join(sentences(refused)))
        return redirect("devices")
    context = {
        "made": made,
        "secret": secret,
        "minutes": devices.CODE_MINUTES,
        "enrol": reverse(f"{kind.name}-enrol"),
    }
    return _page(request, person, template, context)


def _signed_in(there: list[Device]) -> dict[UUID, DeviceSession]:
    sessions = DeviceSession.objects.filter(device__in=there, ended_at=None, expires_at__gt=Now())
    return {
        session.device_id: session
        for session in sessions.select_related("person", "device")
        if may_use(session.device, session.person)
    }


@require_GET
def locked_pins(request: HttpRequest) -> HttpResponse:
    """Whose PIN is locked after wrong tries."""
    person = allowed(request, UNLOCK_PIN)
    people = people_of(person).exclude(pin_locked_at=None).order_by("-pin_locked_at")
    return _page(request, person, "devices/pins.html", {"people": people})


@require_POST
def unlock_pin(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Open a locked PIN."""
    person = allowed(request, UNLOCK_PIN)
    other = get_object_or_404(people_of(person), pk=pk)
    return _done(request, lambda: pins.pin_unlock(person=other, by=person), "locked-pins")


@sensitive_post_parameters()
def own_pin(request: HttpRequest) -> HttpResponse:
    """Set one's own PIN."""
    person = person_of(request)
    form, refused = PinForm(request.POST or None), None
    if form.is_valid():
        data = form.cleaned_data
        try:
            signin.pin_change(person=person, present=data["present"], pin=data["pin"])
        except Refused as error:
            refused = error
        else:
            messages.success(request, _("Your PIN was set."))
            return redirect("home")
    return _page(request, person, "devices/own_pin.html", {"form": form} | refusal_context(refused))


def _done(request: HttpRequest, act: Callable[[], None], back: str) -> HttpResponse:
    try:
        act()
    except DeviceUnknown:
        raise Http404 from None
    except Refused as refused:
        messages.error(request, " ".join(sentences(refused)))
    else:
        messages.success(request, _("Done."))
    return redirect(back)


def _page(
    request: HttpRequest, person: Person, template: str, context: dict[str, Any]
) -> HttpResponse:
    theme = ROLES[person.known_roles()[0]].theme
    return render(request, template, context | {"theme": theme})
