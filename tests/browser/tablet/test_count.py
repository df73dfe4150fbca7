"""The tray is counted on the tablet: one number pad, two PINs, nothing of the books (CNT-1 to CNT-3, CNT-6, CNT-9)."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.devices.signin import device_sign_in
from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.models import Count, CountLine, CountSignature
from payouts.rules.ledger import recipes
from tests.browser.cable import Cable
from tests.browser.floor_house import FloorHouse
from tests.browser.tablet.test_cash import COUNT
from tests.browser.tablet.test_jackpot import off, on
from tests.browser.tablet.test_unanswered import wait_for_rounds
from tests.browser.tablets import Tablet
from tests.casino.devices.devices import PIN
from tests.counts import CLOSER, OPENER, VALUES, CountedFloor

pytestmark = pytest.mark.browser


class CountedHouse(FloorHouse, CountedFloor):
    """A floor for the browser, with UTH 3 whose tray is counted."""


class CountTablet(Tablet):
    """The tablet of a counted table."""

    def sign_in(self) -> None:
        """At a closed table there is no round to wait for."""
        device_sign_in(device=self.device, pin=PIN, username=self.person.username)
        self.page.goto(f"/tablet/{self.device.pk}/")

    def count(self) -> None:
        self.page.goto(f"/tablet/{self.device.pk}/count/")

    def state(self, name: str) -> None:
        expect(self.page.locator(".count")).to_have_attribute("data-state", name)

    def tap(self, selector: str) -> None:
        """As late as a finger that has seen it."""
        self.page.evaluate("passed += 650")
        self.page.locator(selector).tap()

    def digits(self, text: object) -> None:
        for sign in str(text):
            self.page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()

    def pieces(self, *pieces: int) -> None:
        """Each typed, then on to the next; the last one is followed by Done."""
        for number, count in enumerate(pieces, 1):
            self.digits(count)
            self.tap("[data-act=done]" if number == len(pieces) else "[data-act=next]")

    def pin(self) -> None:
        self.page.evaluate("passed += 650")
        for sign in PIN:
            self.page.locator(".pad").get_by_role("button", name=sign, exact=True).tap()

    def witness(self, username: str = "", ok: str = "yes") -> None:
        if username:
            self.page.locator("#count-username").fill(username)
        self.tap(f"[data-ok={ok}]")
        self.pin()


@pytest.fixture
def house(floor_server: object) -> CountedHouse:
    house = CountedHouse()
    pin_set(person=house.reto, pin=PIN)
    return house


@pytest.fixture
def counting(house: CountedHouse, new_floor_page: Callable[..., Page]) -> CountTablet:
    page = new_floor_page(has_touch=True, allowed="403|409|422|Service Worker")
    return CountTablet(page, house.counted, house.martina)


def offers(tablet: Tablet, person: Person) -> None:
    """Who signed in there before is offered by name."""
    device_sign_in(device=tablet.device, pin=PIN, username=person.username)
    device_sign_in(device=tablet.device, pin=PIN, username=tablet.person.username)


def entered(count: Count) -> list[tuple[Any, ...]]:
    return list(
        CountLine.objects.filter(entry__count=count).order_by("value_minor").values_list("value_minor", "pieces")
    )


def test_CNT_3_the_opener_is_counted_at_the_closed_table(house: CountedHouse, counting: CountTablet) -> None:  # noqa: N802
    page = counting.page
    expect(page.locator(".lone .notice.warn")).to_contain_text("Anfangsbestand")
    page.get_by_role("link", name="Anfangsbestand zählen").tap()
    counting.state("none")
    counting.tap("[data-purpose=opener]")
    counting.state("begun")
    counting.pieces(*OPENER)
    counting.pin()
    counting.state("entered")
    counting.witness(house.reto.username)
    counting.state("signed")
    count = Count.objects.get(place_id=house.counted.pk)
    assert (count.state, entered(count)) == ("signed", list(zip(VALUES, OPENER, strict=True)))
    counting.tap("[data-act=table]")
    expect(page.locator(".lone")).to_contain_text("gezählt und unterschrieben")


def test_a_count_of_eight_takes_so_many_taps(house: CountedHouse, counting: CountTablet) -> None:
    """17 digits, 8 × on, two PINs of six digits, and one that says it is right."""
    offers(counting, house.reto)
    counting.count()
    counting.tap("[data-purpose=opener]")
    counting.state("begun")
    counting.page.evaluate(COUNT)
    counting.pieces(*CLOSER)
    counting.pin()
    counting.state("entered")
    counting.witness()
    counting.state("again")  # 38 272.50 where 36 600.00 lie by the books
    assert counting.page.evaluate("window.taps") == 17 + 8 + len(PIN) + 1 + len(PIN)


def test_CNT_2_nothing_of_the_books_and_CNT_6_once_more_without_an_amount(  # noqa: N802
    house: CountedHouse, counting: CountTablet
) -> None:
    page = counting.page
    heard = list[str]()
    page.on("response", lambda answer: heard.append(answer.text()) if "/api/" in answer.url else None)
    house.move("fill", recipes.fill(1_234_567))
    recorded, difference = 3_660_000 + 1_234_567, 1_234_567
    offers(counting, house.reto)
    counting.count()
    counting.tap("[data-purpose=opener]")
    counting.pieces(*OPENER)
    counting.pin()
    counting.state("entered")
    counting.witness()
    counting.state("again")
    expect(page.locator("[data-why=again]")).to_contain_text("Noch einmal zählen")
    expect(page.locator(".line .pieces")).to_have_text(["–"] * 8)
    texts = [*heard, page.content()]
    assert [text for text in texts if str(recorded) in text or str(difference) in text] == []
    counting.pieces(*OPENER)
    counting.pin()
    counting.state("entered")
    counting.witness()
    counting.state("signed")


def test_stacks_zeros_and_corrections_by_finger_and_keys(house: CountedHouse, counting: CountTablet) -> None:
    page = counting.page
    counting.count()
    counting.tap("[data-purpose=opener]")
    line = page.locator(".line").first
    done = page.locator("[data-act=done]")
    for _ in range(10):
        counting.tap("[data-act=stack]")
    counting.digits(8)
    expect(line).to_contain_text("208")
    expect(line).to_contain_text("10 Stapel + 8")
    expect(done).to_be_disabled()
    expect(done).to_contain_text("7 Werte")
    page.get_by_role("button", name="Löschen").tap()
    expect(line.locator(".pieces")).to_have_text("200")
    counting.tap(".line:nth-child(8)")
    page.keyboard.press("7")
    page.keyboard.press("Backspace")
    page.keyboard.press("0")
    expect(page.locator(".line").nth(7).locator(".pieces")).to_have_text("0")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("5")
    expect(page.locator(".line").nth(6).locator(".pieces")).to_have_text("5")
    page.reload()
    expect(page.locator(".line .pieces")).to_have_text(["200", "–", "–", "–", "–", "–", "5", "0"])
    expect(page.locator("[data-act=next]")).to_contain_text("1’000")


def test_sent_back_by_its_witness_it_is_put_right_and_a_wrong_pin_signs_nothing(
    house: CountedHouse, counting: CountTablet
) -> None:
    page = counting.page
    offers(counting, house.reto)
    counting.count()
    counting.tap("[data-purpose=opener]")
    counting.pieces(*OPENER[:-1], 11)
    page.evaluate("passed += 650")
    for _ in range(6):
        page.locator(".pad").get_by_role("button", name="1", exact=True).tap()
    expect(page.get_by_role("alert")).to_contain_text("PIN")
    counting.pin()
    counting.state("entered")
    counting.witness(ok="no")
    counting.state("begun")
    expect(page.locator("[data-why=anew]")).to_be_visible()
    expect(page.locator(".line .pieces")).to_have_text([*map(str, OPENER[:-1]), "11"])
    counting.tap(".line:nth-child(8)")
    page.get_by_role("button", name="Löschen").tap()
    counting.digits(0)
    counting.tap("[data-act=done]")
    counting.pin()
    counting.state("entered")
    counting.witness()
    counting.state("signed")


def test_CNT_9_the_round_waits_while_the_pit_has_the_tray_counted(house: CountedHouse, counting: CountTablet) -> None:  # noqa: N802
    """The page of the round gives way to that of the count, and comes back when it is given up."""
    page = counting.page
    house.opened()
    counting.page.goto(f"/tablet/{counting.device.pk}/")
    counting.phase("bets")
    house.begin("spot", by=house.reto)
    counting.state("begun")
    counting.tap("[data-act=give-up]")
    counting.tap("[data-act=give-up]")
    expect(page.get_by_role("alert")).to_be_visible()  # the pit has begun it
    house.give_up(Count.objects.get(purpose="spot", place_id=house.counted.pk))
    counting.state("given_up")
    counting.tap("[data-act=table]")
    counting.phase("bets")
    page.locator(".person").tap()
    page.locator("#menu").get_by_role("link", name="Tray zählen").tap()
    counting.state("none")
    counting.tap("[data-purpose=closer]")
    counting.pieces(*OPENER)
    counting.pin()
    counting.state("entered")
    counting.witness(house.reto.username)
    counting.state("signed")
    counting.tap("[data-act=table]")
    expect(page.locator("[data-why=count]")).to_be_visible()
    house.close()
    expect(page.locator(".lone")).to_be_visible()


def test_without_the_server_the_pieces_stay_and_what_was_queued_goes_after_the_signature(
    cable: Cable, house: CountedHouse, new_floor_page: Callable[..., Page]
) -> None:
    """A round that was played without the server comes while the tray is counted: it waits on the tablet until both have signed."""
    page = new_floor_page(has_touch=True, allowed=".*", address=cable.address)
    house.opened()
    tablet = CountTablet(page, house.counted, house.martina)
    tablet.phase("bets")
    tablet.has_worker()
    tablet.seat(1)
    off(tablet, cable)
    expect(page.locator(".link")).to_have_text("Offline")
    tablet.lock()
    tablet.cell(1, "fold")
    tablet.finish()
    tablet.written()
    count = house.begin("spot", by=house.martina)
    on(tablet, cable)
    tablet.state("begun")
    tablet.digits(40)
    off(tablet, cable)
    expect(page.locator(".told")).to_contain_text("Server")
    tablet.tap("[data-act=next]")
    tablet.digits(200)
    on(tablet, cable)
    for pieces in OPENER[2:]:
        tablet.tap("[data-act=next]")
        tablet.digits(pieces)
    tablet.tap("[data-act=done]")
    tablet.pin()
    tablet.state("entered")
    assert entered(count) == list(zip(VALUES, OPENER, strict=True))
    assert tablet.rounds() == []
    tablet.witness(house.reto.username)
    tablet.state("signed")
    tablet.tap("[data-act=table]")
    [booked] = wait_for_rounds(tablet, 1)
    signed = CountSignature.objects.get(count=count)
    assert (booked.state, booked.queued, booked.ended_at > signed.signed_at) == ("settled", True, True)
    tablet.phase("bets")
