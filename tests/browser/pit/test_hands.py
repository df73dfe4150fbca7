"""Poker in the pit: every control of a hand's page and of a poker table's, and the table's tile (RAK-1, RAK-2)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tables.models import HandResult
from tests.browser.people import be
from tests.browser.pit.test_floor import REFUSED, form, said
from tests.browser.pit_page import open_pit, tile
from tests.browser.poker_house import PokerHouse
from tests.poker import at_table, deal, of_stay

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
LEFT = f"{REFUSED}|WebSocket"  # a page that is left at once ends what it has just begun


@pytest.fixture
def house(floor_server: object) -> PokerHouse:
    return PokerHouse()


@pytest.fixture
def boss(new_floor_page: Callable[..., Page], house: PokerHouse) -> Page:
    page = new_floor_page(allowed=LEFT, reduced_motion="reduce")
    be(page, house.boss)
    return page


def request_form(page: Page, step: str) -> Locator:
    """The form of a request about a hand, opened."""
    if not form(page, step).is_visible():
        page.locator(f"details:has(form[action$='/{step}/']) summary").click()
    return form(page, step)


def rows(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name).locator("tbody tr")


def entries(house: PokerHouse) -> list[tuple[list[int], bool, int | None, int]]:
    """Of the only hand, entry by entry: who was dealt in, flop, pot and rake in minor units."""
    results = HandResult.objects.filter(hand__table=house.raked).order_by("revision")
    numbers = {stay.pk: number for number, stay in enumerate(house.stays, 1)}
    return [
        ([numbers[stay] for stay in result.dealt], result.flop, result.pot_minor, result.rake_minor)
        for result in results
    ]


def test_a_hand_is_put_right_and_voided(boss: Page, new_floor_page: Callable[..., Page], house: PokerHouse) -> None:
    """One asks, another signs: a refusal keeps what was typed, a request is rejected, signed, and what is void offers nothing."""
    [hand] = house.deal()
    boss.goto(f"/floor/tables/{house.raked.pk}/")
    boss.get_by_role("link", name="1", exact=True).click()
    expect(boss.get_by_role("heading", level=1)).to_have_text("Hand 1")
    boss.locator(".way").get_by_role("link", name="Poker 1").click()
    expect(boss.get_by_role("heading", level=1)).to_have_text("Poker 1")
    boss.go_back()

    correct = request_form(boss, "correct")
    first, second, third = (correct.locator(f"[name='dealt.{stay.pk}']") for stay in house.stays)
    for box, checked in ((first, True), (second, True), (third, False)):
        expect(box).to_be_checked(checked=checked)
    expect(correct.locator("[name=rake]")).to_have_value("5.00")
    second.uncheck()
    third.check()
    correct.locator("[name=flop]").uncheck()
    correct.locator("[name=walk]").check()
    for name, value in (("pot", "80"), ("rake", "5"), ("reason", "Kamera 4")):
        correct.locator(f"[name={name}]").fill(value)
    correct.locator("button").click()
    expect(correct.get_by_role("alert")).to_contain_text("RAK-")  # nothing comes off a walk
    expect(correct.locator("[name=reason]")).to_have_value("Kamera 4")
    expect(third).to_be_checked()
    correct.locator("[name=walk]").uncheck()
    correct.locator("[name=flop]").check()
    correct.locator("[name=rake]").fill("")
    correct.locator("button").click()
    said(boss, "Beantragt")
    expect(boss.locator(".waits")).to_contain_text("unterschreibt")

    pin = house.pin(house.second)
    other = new_floor_page(allowed=LEFT, reduced_motion="reduce")
    be(other, house.second)
    other.goto(f"/floor/hands/{hand.pk}/")
    expect(other.locator(".waits ins")).to_have_text(["1 (Gast 1), 5 (Gast 3)", "CHF 80.00", "CHF 4.00", "CHF 4.00"])
    reject = request_form(other, "reject")
    reject.locator("[name=reason]").fill("Kamera 2 zeigt es anders")
    reject.locator("[name=secret]").fill(pin)
    reject.locator("button").click()
    expect(other.locator(".waits")).to_have_count(0)
    expect(request_form(other, "void")).to_be_visible()

    boss.reload()
    correct = request_form(boss, "correct")
    correct.locator("[name=pot]").fill("80")
    correct.locator("[name=rake]").fill("")
    correct.locator("[name=reason]").fill("Kamera 4")
    correct.locator("button").click()
    other.reload()
    for secret in ("7" * len(pin), pin):
        form(other, "sign").locator("[name=secret]").fill(secret)
        form(other, "sign").locator("button").click()
        if secret != pin:
            expect(form(other, "sign").get_by_role("alert")).to_contain_text("PIN")
    said(other, "Korrigiert.")
    expect(other.locator(".top .word")).to_contain_text(["beendet", "korrigiert"])
    expect(rows(other, "Erfasst").nth(1).locator("del")).to_have_text("CHF 5.00")

    void = request_form(other, "void")
    void.locator("[name=reason]").fill("Karte zweimal im Paket")
    void.locator("button").click()
    house.pin(house.boss)
    boss.reload()
    form(boss, "sign").locator("[name=secret]").fill(pin)
    form(boss, "sign").locator("button").click()
    said(boss, "Annulliert.")
    for step in ("correct", "void", "sign"):  # what went wrong in it can still be recorded
        expect(form(boss, step)).to_have_count(0)
    assert entries(house) == [([1, 2], True, None, 500), ([1, 2], True, 8_000, 400)]
    hand.refresh_from_db()
    assert hand.state == "voided"


def test_a_poker_table_lists_seats_and_hands(boss: Page, house: PokerHouse) -> None:
    """What happens comes by itself; hands twenty at a time; while somebody sits there it is not closed; then who sat there."""
    house.deal(20)
    boss.goto(f"/floor/tables/{house.raked.pk}/")
    expect(rows(boss, "Hände")).to_have_count(20)
    deal(house, *house.stays[:2], pot={"pot_minor": 60_00})
    expect(rows(boss, "Hände").first).to_contain_text("21")  # nobody has asked
    expect(boss.locator(".sums .fact", has_text="Taxen heute")).to_contain_text("CHF 103.00")
    expect(rows(boss, "Plätze").nth(2)).to_contain_text("Pause seit")
    boss.get_by_role("link", name="Ältere Hände").click()
    expect(rows(boss, "Hände")).to_have_count(1)
    boss.get_by_role("link", name="1", exact=True).click()
    expect(boss.get_by_role("heading", level=1)).to_have_text("Hand 1")
    boss.go_back()
    boss.get_by_role("link", name="Neueste Hände").click()
    expect(rows(boss, "Hände")).to_have_count(20)

    form(boss, "close").locator("button").click()
    expect(form(boss, "close").get_by_role("alert")).to_contain_text("1, 2, 5")
    for stay in house.stays:
        of_stay(house, stay, "stay_leave", counted_minor=60_00)
    expect(rows(boss, "Plätze")).to_have_count(0)
    form(boss, "close").locator("button").click()
    expect(boss.locator(".top .state")).to_have_text("Geschlossen")
    expect(rows(boss, "Plätze")).to_have_count(3)
    expect(rows(boss, "Plätze").first).to_contain_text("gegangen")

    boss.goto(f"/floor/tables/{house.timed.pk}/")
    expect(rows(boss, "Plätze").locator("strong")).to_have_text("CHF 5.00")
    at_table(house, "time_collect", house.timed, stay_ids=None, means="stack")
    expect(rows(boss, "Plätze")).to_contain_text("bezahlt bis")


def test_a_table_goes_on_in_the_next_gaming_day(boss: Page, house: PokerHouse) -> None:
    """The control is there from the day's change on, and gone when it was used; guests keep their seats (HSE-1)."""
    boss.goto(f"/floor/tables/{house.raked.pk}/")
    expect(rows(boss, "Plätze")).to_have_count(3)
    expect(form(boss, "roll")).to_have_count(0)
    house.opened_yesterday()
    boss.reload()
    expect(boss.locator(".top .state")).to_have_text("Spieltag vorbei")
    form(boss, "roll").locator("button").click()
    expect(boss.locator(".top .state")).to_have_text("Offen")
    expect(form(boss, "roll")).to_have_count(0)
    expect(rows(boss, "Plätze")).to_have_count(3)


def test_the_tile_of_a_poker_table(new_floor_page: Callable[..., Page], house: PokerHouse) -> None:
    """Seats, hands and rake an hour, time unpaid; a pause longer than usual stands out; the table is run beside the board."""
    page = new_floor_page(width=1440, height=900, allowed="WebSocket")
    house.opened_an_hour_ago()
    house.deal(5, apart_s=0.4)
    open_pit(page, house)
    raked = tile(page, "Poker 1")
    timed = tile(page, "Poker 2")
    expect(raked).to_contain_text("3 von 9 Plätzen besetzt")
    expect(raked.locator(".pace").first).to_have_text(re.compile(r"^5/h"))
    expect(raked.locator(".pace").last).to_have_text(re.compile(r"Taxe 25\s+/h"))
    expect(raked.locator(".slow")).to_have_count(0)  # what is usual here nobody knows yet
    expect(timed).to_contain_text("Zeit offen 5")
    house.deal(1)
    expect(raked.locator(".pace").first).to_have_text(re.compile(r"^6/h"))
    expect(raked.locator("time.long")).to_be_visible()  # it is a second since the last one, and they came at once
    expect(raked.locator(".slow")).to_be_visible()
    at_table(house, "time_collect", house.timed, stay_ids=None, means="stack")
    expect(timed).not_to_contain_text("Zeit offen")
    raked.click()
    panel = page.get_by_role("dialog")
    panel.get_by_role("link", name="6", exact=True).click()
    expect(panel.get_by_role("heading", level=1)).to_have_text("Hand 6")
    request_form(panel, "void").locator("[name=reason]").fill("Karte zweimal im Paket")
    request_form(panel, "void").locator("button").click()
    expect(panel.locator(".waits")).to_be_visible()
    page.keyboard.press("Escape")
    expect(raked).to_contain_text("Zu unterschreiben")
