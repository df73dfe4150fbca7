"""Buy-ins and tips on the tablet: two taps each, whatever the round does; later without a server; taken back (DRP-1, TRN-2)."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tables.models import BuyIn, Tip
from tables.services import table_close
from tests.browser.cable import Cable
from tests.browser.floor_house import FloorHouse
from tests.browser.tablet.test_jackpot import off, on
from tests.browser.tablets import Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
WAIT_MS = 30_000
COUNT = "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"
PLACES = """() => [...document.querySelectorAll(".columns > *, .rail-key, .action, .dock")].map(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.className, x, y, width, height];
})"""


def amount(tablet: Tablet, kind: str, minor: int) -> Locator:
    return tablet.page.locator(f"[data-cash={kind}][data-minor='{minor}']")


def enter(tablet: Tablet, kind: str, minor: int) -> None:
    """As a finger does it: the key in the head, the amount."""
    tablet.page.evaluate("passed += 650")
    tablet.page.locator(".cash-key").tap()
    amount(tablet, kind, minor).tap()
    expect(tablet.page.locator(".sheet")).to_have_count(0)


def booked(tablet: Tablet, model: Any, count: int) -> list[int]:
    """The amounts that the server has of this table, in the order in which they came, once there are so many."""
    rows = model.objects.filter(session__table=tablet.table).order_by("at")
    for _ in range(WAIT_MS // 100):
        if len(amounts := list(rows.values_list("amount_minor", flat=True))) >= count:
            return amounts
        tablet.page.wait_for_timeout(100)
    raise AssertionError(amounts)


def test_two_taps_each_and_no_key_of_the_round_moves(tablet: Tablet) -> None:
    """While bets are open and while the round is played; the key for the round is where it was."""
    page = tablet.page
    tablet.seat(1)
    page.evaluate(COUNT)
    for number, phase in enumerate(("bets", "play")):
        if phase == "play":
            tablet.lock()
        page.evaluate("window.taps = 0")
        before = page.evaluate(PLACES)
        for kind, minor, model in (("buyin", 200_00, BuyIn), ("tip", 5_00, Tip)):
            enter(tablet, kind, minor)
            assert booked(tablet, model, number + 1) == [minor] * (number + 1)
        assert page.evaluate("window.taps") == 4
        assert page.evaluate(PLACES) == before
        tablet.phase(phase)
    tablet.cell(1, "fold")
    tablet.finish()


def test_taken_back_at_once_or_from_the_list(tablet: Tablet) -> None:
    page = tablet.page
    enter(tablet, "buyin", 500_00)
    expect(page.locator(".say")).to_contain_text("Buy-in CHF 500.00 erfasst.")
    booked(tablet, BuyIn, 1)
    page.locator(".say .do").tap()
    expect(page.locator(".say")).to_contain_text("Buy-in CHF 500.00 zurückgenommen.")
    enter(tablet, "tip", 10_00)
    booked(tablet, Tip, 1)
    page.locator(".cash-key").tap()
    page.evaluate("passed += 650")
    page.locator("[data-back=tip]").tap()
    expect(page.locator(".cash li").first).to_contain_text("zurückgenommen")
    expect(page.locator(".cash [data-back]")).to_have_count(0)
    for model in (BuyIn, Tip):
        row = model.objects.get(session__table=tablet.table)
        for _ in range(WAIT_MS // 100):
            if model.objects.filter(pk=row.pk, taken_back__isnull=False).exists():
                break
            page.wait_for_timeout(100)
        else:
            raise AssertionError(model)
    page.keyboard.press("Escape")
    expect(page.locator(".columns")).to_be_visible()


def test_another_amount_is_typed(tablet: Tablet) -> None:
    page = tablet.page
    page.locator(".cash-key").tap()
    page.locator("[data-cash=buyin][data-pad]").tap()
    take = page.locator(".sheet .do.large")
    numbers = page.locator(".numbers")
    page.evaluate("passed += 650")
    for sign in "150.02":
        numbers.get_by_role("button", name=sign, exact=True).tap()
    expect(take).to_be_disabled()
    expect(page.locator(".sheet output")).to_have_class("wrong")
    numbers.get_by_role("button", name="Löschen").tap()
    numbers.get_by_role("button", name="5", exact=True).tap()
    take.tap()
    assert booked(tablet, BuyIn, 1) == [150_05]


def test_without_the_server_they_wait_and_go_in_order(cable: Cable, new_floor_page: Callable[..., Page]) -> None:
    """They are shown as waiting, and lie on the tablet when its page is loaded anew."""
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, allowed=".*", address=cable.address)
    tablet = Tablet(page, floor.table, floor.martina)
    tablet.has_worker()
    off(tablet, cable)
    expect(page.locator(".link")).to_have_text("Offline")
    for minor in (100_00, 50_00, 1_000_00):
        enter(tablet, "buyin", minor)
    enter(tablet, "tip", 2_50)
    expect(page.locator(".cash-key > b")).to_have_text("4")
    page.locator(".cash-key").tap()
    expect(page.locator(".cash li").first).to_contain_text("noch zu senden")
    page.keyboard.press("Escape")
    tablet.reload()
    expect(page.locator(".cash-key > b")).to_have_text("4")
    on(tablet, cable)
    assert booked(tablet, BuyIn, 3) == [100_00, 50_00, 1_000_00]
    assert booked(tablet, Tip, 1) == [2_50]
    assert all(row.queued_at for model in (BuyIn, Tip) for row in model.objects.filter(session__table=tablet.table))
    expect(page.locator(".cash-key > b")).to_have_count(0)


def test_one_that_was_on_its_way_while_the_table_closed_comes_later(new_floor_page: Callable[..., Page]) -> None:
    """Held back on its way, as by a network that is full: it is booked in the session in which it was entered."""
    floor = FloorHouse()
    floor.open_for()
    page = new_floor_page(has_touch=True, allowed="409|Service Worker", service_workers="block")
    routes = list[Route]()
    tablet = Tablet(page, floor.table, floor.martina)

    def hold(route: Route) -> None:
        if routes:
            route.continue_()
        else:
            routes.append(route)

    page.route("**/buy-ins/", hold)
    enter(tablet, "buyin", 200_00)
    while not routes:
        page.wait_for_timeout(50)
    where = {"house_id": floor.house.pk, "table_id": floor.table.pk}
    done(table_close, **where, actor_id=floor.reto.pk, reason="the evening is over")
    page.evaluate("(() => { const now = Date.now.bind(Date); Date.now = () => now() + 6000; })()")
    routes[0].continue_()
    assert booked(tablet, BuyIn, 1) == [200_00]
    row = BuyIn.objects.get(session__table=floor.table)
    assert row.queued_at is not None
    assert row.session.closed_at is not None
