"""Demo mode only: this browser becomes a tablet with one tap, and the PINs are shown. There is
nothing of it outside.
"""

import secrets
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from casino.demo.people import PEOPLE
from casino.devices.models import TABLET, Device
from casino.devices.services import device_code_make, device_enrol
from casino.people.models import Person
from casino.people.permissions import ENROL_DEVICE, USE_TABLET
from casino.people.refusals import DemoRefused
from casino.people.roles import may
from tables.models import Table


@dataclass(frozen=True)
class DemoPin:
    """What a demo person types on a tablet."""

    username: str
    full_name: str
    pin: str


def demo_pins() -> list[DemoPin]:
    """The demo people who work at tables, with their PINs; empty outside demo mode."""
    if not settings.DEMO:
        return []
    return [
        DemoPin(username, full_name, pin)
        for username, full_name, codes, pin in PEOPLE
        if may(codes, USE_TABLET)
    ]


def demo_tables() -> QuerySet[Table]:
    """The tables whose tablet this browser may become; none outside demo mode."""
    return (
        Table.objects.filter(retired=False).order_by("pit__position", "position", "name")
        if settings.DEMO
        else Table.objects.none()
    )


def demo_tablet(*, place_id: UUID) -> tuple[Device, str]:
    """Enrol one more tablet of a table, as if the demo's pit boss had made a code. Raises
    DemoRefused, DeviceTableUnknown.
    """
    boss = Person.objects.filter(is_demo=True, is_active=True, roles__contains=["pit_boss"]).first()
    if not settings.DEMO or boss is None or not boss.has_perm(ENROL_DEVICE):
        raise DemoRefused
    # A name of its own: two browsers that look at the demo do not turn each other out.
    _, code = device_code_make(
        kind=TABLET, place_id=place_id, name=f"Tablet {secrets.token_hex(2)}", by=boss
    )
    return device_enrol(kind=TABLET, code=code)
