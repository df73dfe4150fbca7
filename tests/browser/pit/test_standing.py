"""The control room in a browser: what is asked about a jackpot as a whole and about a wrong slip, each control by its own."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from jackpot.models import Slip
from jackpot.selectors.jackpots import meter_read
from payouts.models import Approval
from tables.services import table_link
from tests.browser.hit_house import HitHouse
from tests.browser.pit_page import room
from tests.casino.people import people
from tests.floor import done, second_jackpot

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
REFUSED = "status of 4(0[09]|22)"


def panel(page: Page) -> Locator:
    return page.locator("#room-standing")


def form(page: Page, step: str) -> Locator:
    return page.locator(f"form[action$='/{step}/']")


def opened(page: Page, step: str) -> Locator:
    """The form of a step, opened by a tap on its button."""
    page.locator("details", has=form(page, step)).locator("summary").click()
    return form(page, step)


def sign(new_page: NewPage, house: HitHouse, who: str = "second") -> Page:
    """Another person comes and signs the only request there is."""
    page = new_page(width=1440, height=900, has_touch=True)
    room(page, house, who)
    page.locator(".waits form[action$='/sign/'] [name=secret]").fill(people.code(getattr(house, who)))
    page.locator(".waits").get_by_role("button", name="Unterschreiben", exact=True).tap()
    expect(page.locator("#room-said")).to_contain_text("Unterschrieben.")
    return page


def test_suspended_and_brought_on_by_two(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=1)
    house.start(0)
    page = new_floor_page(width=1440, height=900, allowed=REFUSED)
    room(page, house, "boss")
    asking = opened(page, "suspend")
    asking.get_by_label("Grund").fill("zu")
    page.keyboard.press("Enter")
    expect(asking.get_by_role("alert")).to_be_focused()
    asking.get_by_label("Grund").fill("Mischmaschine wird geprüft")
    asking.get_by_role("button", name="Aussetzung beantragen").click()
    expect(page.locator("#room-said")).to_contain_text("Beantragt")
    expect(page.locator(".waits .differences")).to_contain_text("ausgesetzt")
    expect(page.locator(".waits .differences")).to_contain_text("UTH 1")
    expect(form(page, "suspend")).to_have_count(0)
    sign(new_floor_page, house)
    expect(page.locator("#room-head .word")).to_contain_text("Ausgesetzt")
    summary = page.locator("details", has=form(page, "resume")).locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Mischmaschine in Ordnung")
    page.keyboard.press("Enter")
    expect(page.locator(".waits")).to_contain_text("Mischmaschine in Ordnung")
    sign(new_floor_page, house, "manager")
    expect(page.locator("#room-head .word")).to_contain_text("Neuer Stand ist anzuzeigen")
    assert house.confirm_all() == "open"


def test_meter_is_adjusted_by_two(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=1)
    page = new_floor_page(width=1440, height=900, allowed=REFUSED)
    room(page, house, "boss")
    asking = opened(page, "adjust")
    asking.get_by_label("Der Stand zeigt").select_option(label="zu viel: senken")
    asking.get_by_label("Betrag (CHF)").fill("fünfzehn")
    asking.get_by_label("Grund").fill("drei Münzen doppelt erfasst")
    page.keyboard.press("Enter")
    expect(asking.get_by_role("alert")).to_contain_text("«fünfzehn» ist kein Betrag in CHF.")
    asking.get_by_label("Betrag (CHF)").fill("15.50")
    asking.get_by_role("button", name="Anpassung beantragen").click()
    rows = page.locator(".waits .differences li")
    expect(rows.first).to_contain_text("CHF 10’000.00")
    expect(rows.first.locator("ins")).to_have_text("CHF 9’984.50")
    sign(new_floor_page, house)
    expect(page.locator("#room-head .gold")).to_have_text("CHF 9’984.50")
    assert meter_read(jackpot_id=house.jackpot.pk).sum_minor == 998_450


def test_closed_reopened_and_retired(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=1)
    heir = second_jackpot(house.house, name="Nachfolger")
    page = new_floor_page(width=1440, height=900, allowed=REFUSED)
    room(page, house, "manager")
    running = house.start(0)
    asking = opened(page, "close")
    asking.get_by_label("Grund").fill("Ende des Turniers")
    page.keyboard.press("Enter")
    expect(asking.get_by_role("alert")).to_be_focused()
    house.void(running)
    asking.get_by_role("button", name="Jackpot schliessen").click()
    expect(page.locator("#room-said")).to_contain_text("Der Jackpot ist geschlossen.")
    expect(page.locator("#room-head .word")).to_contain_text("Geschlossen")
    panel(page).get_by_role("button", name="Jackpot wieder öffnen").click()
    expect(page.locator("#room-head .word")).to_contain_text("Neuer Stand ist anzuzeigen")
    assert house.confirm_all() == "open"
    asking = opened(page, "close")
    asking.get_by_label("Grund").fill("Er wird ersetzt")
    page.keyboard.press("Enter")
    expect(page.locator("#room-head .word")).to_contain_text("Geschlossen")
    ids = {"house_id": house.house.pk, "actor_id": house.tim.pk, "jackpot_id": heir.pk}
    for table in house.tables:
        done(table_link, **ids, table_id=table.pk)
    asking = opened(page, "retire")
    asking.get_by_label("An den Jackpot").select_option(label="Nachfolger")
    asking.get_by_label("Grund").fill("Er wird ersetzt")
    asking.get_by_role("button", name="Stilllegung beantragen").click()
    expect(page.locator(".waits .differences")).to_contain_text("Stand von Nachfolger")
    sign(new_floor_page, house)
    expect(page.locator("#room-head .word")).to_contain_text("Ausser Betrieb")
    expect(panel(page)).to_be_hidden()
    assert meter_read(jackpot_id=heir.pk).sum_minor == 2_000_000


@pytest.mark.parametrize("place", ["room", "floor"])
def test_slip_is_cancelled_by_two(new_floor_page: NewPage, place: str) -> None:
    house = HitHouse(displays=1)
    house.hit(winners=1)
    house.verify_all()
    house.approve()
    house.confirm_all()
    slip = Slip.objects.get(award__jackpot=house.jackpot)
    page = new_floor_page(width=1440, height=900, allowed=REFUSED)
    room(page, house, "boss")
    if place == "floor":  # the page without the room's script
        page.goto(house.page)
    asking = opened(page, "cancel")
    asking.get_by_label("Grund").fill("zu")
    page.keyboard.press("Enter")
    expect(form(page, "cancel").get_by_role("alert")).to_be_visible()
    form(page, "cancel").get_by_label("Was daraus wird").select_option("unpaid")
    form(page, "cancel").get_by_label("Grund").fill("Box 2 hatte gewonnen")
    form(page, "cancel").get_by_role("button", name="Storno beantragen").click()
    expect(page.locator(".waits .differences")).to_contain_text("Stand von Progressive")
    expect(page.locator(".waits .evidence")).to_contain_text("UTH 1")
    expect(form(page, "cancel")).to_have_count(0)
    sign(new_floor_page, house)
    slip.refresh_from_db()
    assert (slip.state, slip.cancelled_as) == ("cancelled", "unpaid")
    assert Approval.objects.get(action="jackpot.award_cancel", subject_id=str(slip.pk)).requester == house.boss
