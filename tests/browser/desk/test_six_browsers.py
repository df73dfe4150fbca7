"""A double royal by hand, in a house as `make run` starts it: two tablets, a display, the pit, a second signer, and an office
browser in which first the technician and then the cage sits. From the first bet to the reopening and the paid slips nothing is
done but what these people tap, type and click; Redis is killed between the two signatures.
"""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from casino.launcher.processes import wait_until
from tests.browser.conftest import Watched, watch
from tests.browser.display_house import state, still
from tests.browser.tablets import STOP_WATCH, Tablet
from tests.casino.launcher.clones import RunningHouse, copy_project, free_port, open_folder

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
CUT_LINE = "WebSocket|ERR_|Failed to load"  # what Chromium itself writes while Redis, and what hangs on it, is gone
PATIENT_MS = 60_000
PINS = {"Martina Frei": "270415", "Nora Egli": "947582"}
CARDS = ("Ah Kh Qh Jh 2d Th 9s", "As Ks Qs Js 2c Ts 9h")  # the board, and the two cards of box 1


class HandTablet(Tablet):
    """A tablet that knows of its house what its croupier sees."""

    def __init__(self, page: Page, table: str, croupier: str) -> None:
        self.page = page
        page.add_init_script(STOP_WATCH)
        page.goto("/tablet/")
        page.locator(".demo-tables").get_by_role("button", name=table, exact=True).tap()
        page.locator(".people label", has_text=croupier).tap()
        page.locator("#pin").fill(PINS[croupier])  # which sends it with the sixth digit
        self.phase("bets")


class Evening:
    """The house and the six browsers in it."""

    def __init__(self, house: RunningHouse, chromium: Browser, stack: ExitStack) -> None:
        self.house, self.chromium, self.stack = house, chromium, stack
        self.watched: list[Watched] = []

    def browser(self, width: int = 1440, height: int = 900, **options: object) -> Page:
        context = self.chromium.new_context(
            base_url=self.house.address, locale="de-CH", viewport={"width": width, "height": height}, **options
        )
        self.stack.callback(context.close)
        context.set_default_timeout(PATIENT_MS)
        watched = watch(context, self.house.address)
        watched.allowed = re.compile(CUT_LINE)
        self.watched.append(watched)
        return context.new_page()

    def person(self, page: Page, username: str) -> None:
        """Sign in by the form."""
        page.goto("/sign-in/")
        page.locator(f"[data-username='{username}']").click()
        page.locator("form.sign-in button[type=submit]").click()
        page.wait_for_url(lambda url: "/sign-in/" not in url)

    def code(self, username: str) -> str:
        """A code that the person's app shows and that was not used yet: each is good once."""
        with urllib.request.urlopen(f"{self.house.address}/sign-in/demo/", timeout=30) as answer:
            return str(json.load(answer)["codes"][username])

    def sign(self, page: Page, username: str) -> None:
        form = page.locator("#step-approved form[action$='/sign/']")
        form.locator("[name=secret]").fill(self.code(username))
        form.get_by_role("button", name="Unterschreiben").click()


@pytest.fixture
def evening(chromium: Browser) -> Iterator[Evening]:
    with open_folder() as folder, ExitStack() as stack:
        house = RunningHouse(copy_project(folder / "clone"), free_port())
        try:
            house.wait_ready()
            yield Evening(house, chromium, stack)
        finally:
            if house.process.poll() is None:
                house.stop(signal.SIGTERM)


def open_table(pit: Page, table: str, croupier: str) -> None:
    """In the panel beside the board."""
    pit.locator(f"#board a[data-table='{table}']").click()
    panel = pit.get_by_role("dialog")
    panel.locator("#open-croupier").select_option(label=croupier)
    panel.get_by_role("button", name="Tisch öffnen").click()
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    pit.keyboard.press("Escape")


def enrol(evening: Evening, office: Page, display: Page) -> None:
    """One tap makes the TV the house's own display; the technician sees that the tables wait for it, and for no other."""
    display.goto("/display/")
    display.get_by_role("button", name="Bad Ragaz Progressive").click()
    state(display, "open")
    evening.person(office, "a.gantenbein")
    office.goto("/devices/")
    expect(office.get_by_text("Display Saal").first).to_be_visible()
    expect(office.locator("form[action$='/require/']")).to_have_count(0)


def royal(tablet: Tablet, cards: str) -> None:
    """Box 1 has the royal flush, box 2 folds."""
    tablet.cell(1, "4+")
    tablet.hand("royal_flush")
    tablet.cards(cards)
    tablet.action.tap()
    tablet.cell(2, "fold")
    tablet.finish()


def verify(pit: Page) -> None:
    """Both claims, each with its checklist."""
    for left in (2, 1):
        form = pit.locator("#step-verified .claim form[action$='/verify/']").locator("visible=true")
        expect(form).to_have_count(left)
        for name in ("cards_seen", "deck_counted", "camera_time"):
            form.first.locator(f"[name={name}]").fill("gesehen 22:14")
        form.first.get_by_role("button", name="Gewinnmeldung bestätigen").click()
    expect(pit.locator("#step-split")).to_contain_text("Fassung 1")


def test_double_royal_by_hand_in_six_browsers(evening: Evening) -> None:
    office, display = evening.browser(), evening.browser(1920, 1080)
    pit, second = evening.browser(), evening.browser()
    touch = {"has_touch": True, "width": 1280, "height": 800}
    enrol(evening, office, display)
    still(display, "10’000.00")

    evening.person(pit, "r.caduff")
    pit.goto("/pit/")
    for table, croupier in (("UTH 1", "Martina Frei"), ("UTH 2", "Nora Egli")):
        open_table(pit, table, croupier)
    tablets = [
        HandTablet(evening.browser(**touch), table, croupier)
        for table, croupier in (("UTH 1", "Martina Frei"), ("UTH 2", "Nora Egli"))
    ]
    for tablet in tablets:
        tablet.seat(1, 2)
        for box in (1, 2):
            tablet.tile(box, "coin").tap()
        tablet.lock()

    first, other = tablets
    first.key("Royal").tap()
    first.page.get_by_role("button", name="Royal: Alle Tische sperren").tap()
    state(display, "draining")
    expect(pit.locator("#board a[data-table='UTH 2']")).to_contain_text("Runde läuft")
    royal(first, CARDS[0])
    royal(other, CARDS[1])
    state(display, "verifying")

    pit.goto("/pit/jackpots/")
    verify(pit)
    evening.sign(pit, "r.caduff")
    expect(pit.locator("#step-approved")).to_contain_text("Sie haben unterschrieben")
    evening.person(second, "b.zumstein")
    second.goto("/pit/jackpots/")
    evening.house.kill(*evening.house.of("redis"))
    evening.sign(second, "b.zumstein")

    expect(display.locator("html")).to_have_attribute("data-view", "hit", timeout=PATIENT_MS)
    expect(display.locator("[data-part=hit-tag]")).to_have_text("Jackpot gewonnen · 2 Gewinner")
    expect(display.locator("[data-part=hit-amount]")).to_have_text("5’002.00")
    state(display, "open")
    still(display, "10’000.00")
    expect(pit.locator("#step-reopened time")).to_be_visible(timeout=PATIENT_MS)

    other.lock()  # betting is open: a round with the coins of before
    for box in (1, 2):
        other.cell(box, "fold")
    other.finish()
    still(display, "10’002.00")
    slips(evening, office)
    after(evening)


def slips(evening: Evening, office: Page) -> None:
    """The cage pays both, in the browser that the technician has left."""
    office.get_by_role("button", name="Abmelden").click()
    evening.person(office, "l.bianchi")
    for number in (1, 2):
        office.goto("/floor/slips/")
        office.locator(".slips li").nth(number - 1).get_by_role("link").click()
        office.locator("#pin").fill("492037")
        office.keyboard.press("Enter")
        expect(office.locator(".slip .word")).to_have_text("ausgezahlt")


def after(evening: Evening) -> None:
    """Nothing failed behind the pages: the audits agree, and Redis is back."""
    house = evening.house
    assert wait_until(lambda: "redis ended and was started again" in house.said, 60)
    audited = subprocess.run(
        [sys.executable, "-m", "casino.launcher", "manage", "audit"],
        cwd=house.clone, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert audited.returncode == 0, audited.stdout + audited.stderr
    assert "request_failed" not in (house.clone / "var" / "log" / "web.log").read_text()
    assert [breach for one in evening.watched for breach in one.breaches] == []
