"""A croupier whom the tablet does not let in any more: the shift's time is over in the middle of a round, the PIN is locked."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from playwright.sync_api import Page, expect

from casino.devices.models import DeviceSession
from casino.people.tries_model import SlowedPin
from tests.browser.floor_house import FloorHouse
from tests.browser.tablets import Tablet
from tests.casino.devices.devices import PIN

pytestmark = pytest.mark.browser
WRONG = "000001"
NOT_RIGHT = (
    "Die PIN stimmt nicht. Versuchen Sie es noch einmal. "
    "Nach 5 falschen Versuchen ist die PIN gesperrt, bis die Aufsicht sie entsperrt, "
    "oder jeder weitere muss warten."
)
SLOWED = "Zu viele falsche PINs zu diesem Namen an diesem Tablet: Im Moment wird keine geprüft."


@pytest.fixture
def floor(floor_server: object) -> FloorHouse:
    floor = FloorHouse()
    floor.open_for()
    return floor


def types(tablet: Tablet, pin: str) -> None:
    for digit in pin:
        tablet.page.locator(".pad button", has_text=digit).tap()


def runs_out(tablet: Tablet) -> QuerySet[DeviceSession]:
    """The sign-in's time is over from now on: its end is written once, so another one takes its place that began longer ago."""
    hers, now = DeviceSession.objects.filter(device=tablet.device), timezone.now()
    with transaction.atomic():
        hers.filter(ended_at=None).update(ended_at=now, ended_as="replaced")
        row = {"device": tablet.device, "person": tablet.person, "expires_at": now - timedelta(seconds=1)}
        DeviceSession.objects.create(**row)
    return hers


def test_a_shift_that_ends_in_the_middle_of_a_round_keeps_it(
    floor: FloorHouse, new_floor_page: Callable[..., Page]
) -> None:
    """Nobody signs her out: her time is over. The table asks for her PIN, and the round is there again with its taps."""
    tablet = Tablet(new_floor_page(has_touch=True, allowed="status of 401"), floor.table, floor.martina)
    tablet.seat(1, 2)
    tablet.tile(2, "coin").tap()
    tablet.lock()
    tablet.cell(1, "2+")
    tablet.written()
    hers = runs_out(tablet)
    tablet.page.wait_for_url("**/sign-in/")
    assert [one.state for one in tablet.rounds()] == ["locked"]
    tablet.page.locator(".people").get_by_role("radio", name="Martina Frei").check()
    types(tablet, PIN)
    tablet.phase("play")
    assert list(hers.order_by("began_at").values_list("ended_as", flat=True)) == ["replaced", "expired", ""]
    expect(tablet.box(1).locator(".paid")).to_have_text("+15")
    expect(tablet.box(2).locator(".laid")).to_have_text("5 · JP")
    tablet.cell(2, "1-")
    tablet.finish()
    assert [one.state for one in tablet.rounds()] == ["settled"]


def test_wrong_pins_at_a_table_that_is_dealt_are_slowed(floor: FloorHouse, new_floor_page: Callable[..., Page]) -> None:
    """After the last wrong try none is checked for a while, not the right one either; then the round goes on."""
    tablet = Tablet(new_floor_page(has_touch=True, allowed="status of 4(01|29)"), floor.table, floor.martina)
    page, alert = tablet.page, tablet.page.get_by_role("alert")
    tablet.seat(1)
    tablet.lock()
    page.locator(".person").tap()
    page.get_by_role("link", name="Jemand anderes meldet sich an").tap()
    for number, pin in enumerate((*[WRONG] * settings.SIGN_IN_TRIES, PIN), start=1):
        page.locator(".people").get_by_role("radio", name="Martina Frei").check()
        with page.expect_navigation():
            types(tablet, pin)
        expect(alert).to_contain_text(NOT_RIGHT if number < settings.SIGN_IN_TRIES else SLOWED, use_inner_text=True)
    SlowedPin.objects.update(until=timezone.now() - timedelta(minutes=1))
    page.locator(".people").get_by_role("radio", name="Martina Frei").check()
    types(tablet, PIN)
    tablet.phase("play")
    tablet.cell(1, "1+")
    tablet.finish()
    assert [one.state for one in tablet.rounds()] == ["settled"]
