"""Demo mode only: this browser becomes a display with one tap. There is nothing of it outside."""

import secrets
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from casino.devices import ENROL, display_code_make, display_enrol
from casino.models import Person
from casino.models_devices import Device
from casino.refusals import DemoRefused
from jackpot.errors import DisplayListClosed
from jackpot.models import Jackpot, RequiredDisplay
from jackpot.services import display_require


def demo_jackpots() -> QuerySet[Jackpot]:
    """The jackpots whose display this browser may become; none outside demo mode."""
    return Jackpot.objects.exclude(phase="retired").order_by("name") if settings.DEMO else Jackpot.objects.none()


def demo_display(*, jackpot_id: UUID) -> tuple[Device, str]:
    """Enrol one more display of a jackpot, as if the demo's technician had made a code; the tables wait for the first one, and take
    coins.

    Raises DemoRefused, DeviceJackpotUnknown.
    """
    technician = Person.objects.filter(is_demo=True, is_active=True, roles__contains=["technician"]).first()
    if not settings.DEMO or technician is None or not technician.has_perm(ENROL):
        raise DemoRefused
    # A name of its own: two browsers that look at the demo do not turn each other out.
    _, code = display_code_make(jackpot_id=jackpot_id, name=f"Display {secrets.token_hex(2)}", by=technician)
    display, token = display_enrol(code=code)
    if not RequiredDisplay.objects.filter(jackpot=jackpot_id, ended_at=None).exists():
        _name(display, technician)
    return display, token


def _name(display: Device, technician: Person) -> None:
    ids = {"house_id": display.house_id, "jackpot_id": display.own_jackpot.pk, "display_id": display.pk}
    with suppress(DisplayListClosed), transaction.atomic():  # while a value is to be shown, two people ask for it
        display_require(**ids, name=display.name, actor_id=technician.pk)
