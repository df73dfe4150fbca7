"""The tablet's browser is killed in the middle of an evening without a network, as a flat battery does it, and started again."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from casino.devices.kinds import TABLETS
from casino.devices.services import device_code_make, device_enrol
from casino.devices.signin import device_sign_in
from casino.launcher.processes import wait_until
from casino.people.pins import pin_set
from tables.models import Round, RoundResult
from tests.browser.cable import cable_to
from tests.browser.conftest import CHROMIUM, WAIT_MS, Server
from tests.browser.floor_house import FloorHouse
from tests.browser.tablets import CONTROLLED, DEAD_MS, KEPT, STOP_WATCH, WRITTEN
from tests.casino.devices.devices import PIN

pytestmark = pytest.mark.browser
STARTS_S = 60


@contextmanager
def browser_of(program: str, profile: Path, chromium: Browser) -> Iterator[Page]:
    """A browser on this profile, killed at the end with all its processes and no word of warning."""
    told = profile / "DevToolsActivePort"
    told.unlink(missing_ok=True)
    command = [
        program,
        *CHROMIUM,
        "--headless",
        f"--user-data-dir={profile}",
        "--remote-debugging-port=0",
        "about:blank",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        assert wait_until(lambda: told.exists() and "\n" in told.read_text(), STARTS_S)
        port = told.read_text().split()[0]
        link = chromium.browser_type.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=STARTS_S * 1_000)
        [context] = link.contexts
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(STOP_WATCH)
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 800})
        yield page
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


def act(page: Page) -> None:
    page.evaluate(f"passed += {DEAD_MS}")
    page.locator(".action").click()


@pytest.mark.timeout(300)  # a busy machine is no failure
def test_rounds_outlive_their_browser(
    floor_server: Server, chromium_program: str, chromium: Browser, tmp_path: Path
) -> None:
    """One round is stored, the next one is half tapped; both are there when the browser is started again, and are sent."""
    floor = FloorHouse()
    floor.open(floor.other, floor.martina)
    device, token = device_enrol(
        kind="tablet", code=device_code_make(kind="tablet", place_id=floor.other.pk, name="Tablet", by=floor.boss)[1]
    )
    pin_set(person=floor.martina, pin=PIN)
    device_sign_in(device=device, pin=PIN, username=floor.martina.username)
    with cable_to(floor_server.address) as cable:
        address = f"{cable.address}/tablet/{device.pk}/"
        # A browser writes its cookies down twice a minute; the one of an enrolled tablet has been there for long.
        cookie = {"name": TABLETS.cookie(device.pk), "value": token, "url": cable.address}
        with browser_of(chromium_program, tmp_path, chromium) as page:
            page.context.add_cookies([cookie])
            page.goto(address)
            page.locator(".columns > *").first.click()
            expect(page.locator(".guest")).not_to_be_empty()
            page.evaluate(CONTROLLED)
            page.evaluate(KEPT)
            cable.pull()
            expect(page.locator(".link")).to_contain_text("Offline")
            act(page)
            page.locator("[data-cell='2:win']").click()
            act(page)
            expect(page.locator(".link")).to_contain_text("1")
            act(page)
            page.locator("[data-cell='3:lose']").click()
            expect(page.locator(".paid")).to_have_text("−25")
            page.evaluate(WRITTEN)  # a battery that is flat in this very moment may take the last tap with it
        with browser_of(chromium_program, tmp_path, chromium) as page:
            page.context.add_cookies([cookie])
            page.goto(address)  # from the worker: there is no network
            expect(page.locator(".paid")).to_have_text("−25")
            expect(page.locator(".link")).to_contain_text("1")
            act(page)
            cable.plug()
            expect(page.locator(".link.ok")).to_be_visible()
            played = Round.objects.filter(table=floor.other).order_by("number")
            assert wait_until(lambda: played.count() == 2, STARTS_S)
            plays = [RoundResult.objects.get(round=one).result["boxes"]["1"] for one in played]
            assert [(one["play"], one["result"]) for one in plays] == [(2, "win"), (3, "lose")]
