"""Demo mode only: the demo house's own display, which any browser becomes with one tap. There is
nothing of it outside.

A jackpot's tables wait for its own display from the beginning, as in every house: so coins are
taken, and after a hit betting opens when somebody has opened it. It is one device, whichever
browser shows it: the one that is open keeps it, and whoever taps meanwhile gets another display,
for which no table waits. Its token follows from its name: in a demo whoever may tap may have it.
"""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from casino.devices.models import DISPLAY, Device
from casino.devices.services import device_code_make, device_enrol, token_hash
from casino.people.models import Person
from casino.people.permissions import ENROL_DEVICE
from casino.people.refusals import DemoRefused
from jackpot.models import DisplaySession, Jackpot, Phase, RequiredDisplay
from jackpot.services import display_require
from jackpot.services.gate import SESSION_S

OWN = "Display Saal"


def demo_jackpots() -> QuerySet[Jackpot]:
    """The jackpots whose display this browser may become; none outside demo mode."""
    return (
        Jackpot.objects.exclude(phase=Phase.RETIRED).order_by("name")
        if settings.DEMO
        else Jackpot.objects.none()
    )


def demo_display(*, place_id: UUID) -> tuple[Device, str]:
    """The jackpot's own display if nobody shows it now; else one more, as if the demo's technician
    had made a code.

    Raises DemoRefused, DeviceJackpotUnknown.
    """
    technician = _technician()
    with transaction.atomic():
        jackpot = Jackpot.objects.select_for_update(no_key=True).filter(pk=place_id).first()
        own = _own(jackpot) if jackpot else None
        if own and not _is_live(own):
            return own, _token(place_id, _enrolled(place_id) - 1)
    # A name of its own: two browsers that look at the demo do not turn each other out.
    _, code = device_code_make(
        kind=DISPLAY, place_id=place_id, name=f"Display {secrets.token_hex(2)}", by=technician
    )
    return device_enrol(kind=DISPLAY, code=code)


def demo_displays_load() -> None:
    """Give each jackpot of the demo its own display, unless its tables wait for another that is in
    service; and have them wait for it where nobody has to sign for that.
    """
    technician = _technician()
    for jackpot in demo_jackpots().filter(house=technician.house):
        there = _own(jackpot)
        waited_for = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).values(
            "display_id"
        )
        replaced = (
            _enrolled(jackpot.pk)
            and Device.objects.filter(pk__in=waited_for, revoked_at=None).exists()
        )
        if there is None and not replaced:
            _, code = device_code_make(kind=DISPLAY, place_id=jackpot.pk, name=OWN, by=technician)
            there, _ = device_enrol(
                kind=DISPLAY, code=code, token=_token(jackpot.pk, _enrolled(jackpot.pk))
            )
            if jackpot.phase in (Phase.OPEN, Phase.CLOSED):
                display_require(
                    house_id=jackpot.house_id,
                    jackpot_id=jackpot.pk,
                    display_id=there.pk,
                    name=OWN,
                    actor_id=technician.pk,
                )


def demo_display_is_free(held: Collection[UUID]) -> bool:
    """Whether tables wait for a jackpot's own display that nobody shows, and that this browser is
    not (`held`: its displays).
    """
    own = [one for jackpot in demo_jackpots() if (one := _own(jackpot))]
    return any(one.pk not in held and not _is_live(one) for one in own)


def _technician() -> Person:
    """Raises DemoRefused."""
    technician = Person.objects.filter(
        is_demo=True, is_active=True, roles__contains=["technician"]
    ).first()
    if not settings.DEMO or technician is None or not technician.has_perm(ENROL_DEVICE):
        raise DemoRefused
    return technician


def _enrolled(jackpot_id: UUID) -> int:
    return Device.objects.filter(jackpot=jackpot_id, kind=DISPLAY, name=OWN).count()


def _own(jackpot: Jackpot) -> Device | None:
    """The jackpot's own display, if it is in service and nobody has enrolled another under its
    name.
    """
    device = Device.objects.filter(jackpot=jackpot, kind=DISPLAY, name=OWN, revoked_at=None).first()
    token = _token(jackpot.pk, _enrolled(jackpot.pk) - 1)
    return device if device and bytes(device.token_hash) == token_hash(token) else None


def _is_live(display: Device) -> bool:
    fresh = Now() - timedelta(seconds=SESSION_S)
    return DisplaySession.objects.filter(display_id=display.pk, seen_at__gte=fresh).exists()


def _token(jackpot_id: UUID, number: int) -> str:
    """`number`: how many of its name there were before."""
    return hashlib.sha256(f"the demo's display {number} of {jackpot_id}".encode()).hexdigest()
