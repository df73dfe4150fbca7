"""A guest of a poker table goes on at another one, from the tablet of the table that they leave (POK-2)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tables.models import PokerStay, Table
from tests.browser.hands import HandTablet, PatientRoom, hand_tablet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
NewPage = Callable[..., Page]


@pytest.fixture
def room(floor_server: object) -> PatientRoom:
    return PatientRoom()


def sitting(table: Table, count: int) -> list[tuple[int | None, int]]:
    """Seat and chips of everybody who sits at a table, once there are so many."""
    for _ in range(600):
        stays = list(PokerStay.objects.filter(guest__session__table=table, left_at=None).order_by("guest__box"))
        if len(stays) == count:
            break
    return [(stay.guest.box, sum(stay.chips.values_list("amount_minor", flat=True))) for stay in stays]


def move_from(tablet: HandTablet, seat: int) -> Locator:
    """Open the sheet in which a guest takes another seat."""
    sheet = tablet.open_seat(seat)
    sheet.locator("[data-part=move]").tap()
    tablet.later()
    return sheet


def test_a_guest_goes_on_at_another_table(room: PatientRoom, new_floor_page: NewPage) -> None:
    """A table, a seat, the chips that are counted; who was dealt in goes when the hand has ended."""
    room.sit(3, table=room.timed)
    tablet = hand_tablet(new_floor_page, room, allowed="Service Worker|DISCONN|409")
    page = tablet.page
    for seat in (1, 2, 9):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    sheet = move_from(tablet, 2)
    tables = sheet.locator("[data-table]")
    expect(tables).to_have_text(["Poker 1 dieser Tisch", "Poker 2 8 frei"])  # Poker 3 is closed
    expect(tables.first).to_have_attribute("aria-pressed", "true")
    expect(sheet.locator("[data-to]")).to_have_text(["3", "4", "5", "6", "7", "8"])
    tables.last.tap()
    expect(sheet.locator("[data-to]")).to_have_text(["1", "2", "4", "5", "6", "7", "8", "9"])
    sheet.locator("[data-to='4']").tap()
    expect(sheet).to_have_accessible_name("Platz 2 · Gast 2 · Poker 2 · Platz 4")
    page.locator(".rail-key").first.tap()  # back: another seat after all
    sheet.locator("[data-to='5']").tap()
    expect(tablet.action).to_have_attribute("aria-disabled", "true")  # nothing is counted yet
    tablet.later()
    for sign in "55":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    expect(tablet.action).to_contain_text("mit 55 · nach dieser Hand")
    tablet.green()
    assert len(sitting(room.timed, 1)) == 1
    tablet.rake("100")
    tablet.next_hand()
    expect(tablet.seat_key(2)).to_contain_text("Gast platzieren")
    assert sitting(room.timed, 2) == [(3, 10_000), (5, 5_500)]
    assert page.get_by_role("alert").count() == 0

    sheet = move_from(tablet, 9)
    sheet.locator("[data-table]").last.tap()
    sheet.locator("[data-to='8']").tap()
    sheet.locator("[data-minor='4000']").tap()
    room.sit(8, table=room.timed)  # meanwhile
    tablet.green()
    tablet.rake("100")
    tablet.next_hand()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Der Gast wurde nicht umplatziert. Platz 8 ist besetzt.")
    expect(alert).to_contain_text("Einen freien Platz wählen. (BOX-1)")
    expect(tablet.box(9).locator(".value")).to_have_text("40")


def test_without_the_server_no_other_table_is_offered(room: PatientRoom, new_floor_page: NewPage) -> None:
    tablet = hand_tablet(new_floor_page, room)
    page = tablet.page
    tablet.buy_in(1, 4_000)
    sheet = move_from(tablet, 1)
    sheet.locator("[data-table]").last.tap()
    sheet.locator("[data-to='8']").tap()
    sheet.locator("[data-minor='4000']").tap()
    expect(tablet.action).to_have_attribute("aria-disabled", "false")
    page.context.set_offline(True)
    expect(tablet.action).to_have_attribute("aria-disabled", "true")
    page.locator(".rail-key").first.tap()
    expect(sheet.locator("[data-table]")).to_have_text(["Poker 1 dieser Tisch"])
    expect(sheet.locator("[data-to]")).to_have_count(0)
    sheet.locator("[data-table]").tap()
    sheet.locator("[data-to='7']").tap()
    tablet.green()
    expect(tablet.box(7).locator(".value")).to_have_text("40")  # another seat of this table is stored
