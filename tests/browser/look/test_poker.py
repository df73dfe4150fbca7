"""How a poker table at *rake only* looks on the tablet: every state in every language and three sizes, with nine guests.

`SHOTS=<folder>` keeps the pictures.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from tables.models import Table
from tests.browser.hands import HandTablet, PatientRoom, hand_tablet
from tests.browser.look.test_tablet import wrong
from tests.browser.people import LOOKED_AT

pytestmark = pytest.mark.browser


def opened(new_floor_page: Callable[..., Page], room: PatientRoom, table: Table, language: str) -> HandTablet:
    Person.objects.filter(pk=room.martina.pk).update(language=language, full_name="Jean-Baptiste Oberholzer")
    return hand_tablet(new_floor_page, room, table, language=language, reduced_motion="reduce")


@pytest.mark.timeout(600)  # a busy machine is no failure
@pytest.mark.parametrize("language", LOOKED_AT)
def test_every_state(floor_server: object, new_floor_page: Callable[..., Page], language: str) -> None:
    room = PatientRoom()
    amiss: list[str] = []
    tablet = opened(new_floor_page, room, room.raked, language)
    page = tablet.page
    back = page.locator(".rail-key").first

    def look(name: str) -> None:
        amiss.extend(wrong(tablet, f"poker_{name}", language))
        tablet.later()

    look("empty")
    page.keyboard.press("F1")
    look("help")
    page.keyboard.press("Escape")
    tablet.open_seat(5)
    look("buy_in")
    back.tap()
    tablet.later()
    for seat in range(1, 10):
        tablet.buy_in(seat, 20_000)
    tablet.next_hand()
    look("dealt")
    sheet = tablet.open_seat(2)
    look("seat")
    sheet.locator("[data-part=tip]").tap()
    look("tip")
    sheet.locator("[data-minor='200']").tap()
    tablet.green()
    sheet = tablet.open_seat(3)
    sheet.locator("[data-part=away]").tap()
    expect(page.locator("[data-why=waiting]")).to_be_visible()
    look("waiting")
    sheet = tablet.open_seat(4)
    sheet.locator("[data-part=move]").tap()
    look("move")
    back.tap()  # to the seat's sheet
    tablet.later()
    sheet.locator("[data-part=leave]").tap()
    look("leave")
    back.tap()
    tablet.later()
    back.tap()
    tablet.dock("other").tap()
    for sign in "240":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    look("pot")
    page.locator(".sheet .do.large").tap()
    tablet.phase("between")
    look("ended")
    tablet.next_hand()
    look("correctable")
    page.locator(".rail-key").first.tap()
    assert not amiss, "\n".join(amiss)

    timed = opened(new_floor_page, room, room.timed, language)
    for seat in (1, 2, 9):
        timed.buy_in(seat, 20_000)
    expect(timed.page.locator("[data-takes=time]")).to_be_visible()
    amiss.extend(wrong(timed, "poker_time", language))
    timed.open_seat(9).locator("[data-part=leave]").tap()
    timed.later()
    amiss.extend(wrong(timed, "poker_owes", language))
    assert not amiss, "\n".join(amiss)
