"""Demo mode only: this browser becomes a display with one tap. There is nothing of it outside."""

import secrets
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from casino.devices import ENROL, display_code_make, display_enrol
from casino.models import Person
from casino.models_devices import Device
from casino.refusals import DemoRefused
from jackpot.models import Jackpot


def demo_jackpots() -> QuerySet[Jackpot]:
    """The jackpots whose display this browser may become; none outside demo mode."""
    return Jackpot.objects.exclude(phase="retired").order_by("name") if settings.DEMO else Jackpot.objects.none()


def demo_display(*, jackpot_id: UUID) -> tuple[Device, str]:
    """Enrol one more display of a jackpot, as if the demo's technician had made a code.

    Raises DemoRefused, DeviceJackpotUnknown.
    """
    technician = Person.objects.filter(is_demo=True, is_active=True, roles__contains=["technician"]).first()
    if not settings.DEMO or technician is None or not technician.has_perm(ENROL):
        raise DemoRefused
    # A name of its own: two browsers that look at the demo do not turn each other out.
    _, code = display_code_make(jackpot_id=jackpot_id, name=f"Display {secrets.token_hex(2)}", by=technician)
    return display_enrol(code=code)
