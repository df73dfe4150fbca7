"""The double royal of docs/double_royal.py in a house as `make run` starts it. Web, worker and Redis are killed on the way, and a
real Chromium is the display: it ends on the new value, with betting open."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from casino.launcher.processes import die_with_parent, wait_until
from tests.browser.conftest import WAIT_MS, watch
from tests.browser.display_house import state, still
from tests.casino.launcher.clones import PROJECT, RunningHouse, copy_project, free_port, open_folder

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
]  # a minute, but on a machine that does other things besides
SCRIPTS = ("evening.py", "running_house.py", "double_royal.py")
ASKED = re.compile(r"/display/ in a browser and tap (.+)")
CUT_LINE = re.compile("WebSocket|ERR_|Failed to load")  # what Chromium itself writes while the web is gone
HANGS_S = 240  # a machine that does other things besides is no failure


@pytest.fixture
def house() -> Iterator[RunningHouse]:
    with open_folder() as folder:
        clone = copy_project(folder / "clone")
        (clone / "docs").mkdir()
        for name in SCRIPTS:
            shutil.copy(PROJECT / "docs" / name, clone / "docs")
        house = RunningHouse(clone, free_port())
        try:
            house.wait_ready()
            yield house
        finally:
            if house.process.poll() is None:
                house.stop(signal.SIGTERM)


class Script:
    """The script as a person starts it, and what it says."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: Path) -> None:
        self.process, self.output = process, output

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait(self, page: Page, done: Callable[[], object], seconds: int) -> None:
        """Wait for something, or for the end of the script; the page goes on hearing meanwhile."""
        end = time.monotonic() + seconds
        while not done() and self.process.poll() is None:
            assert time.monotonic() < end, self.said
            page.wait_for_timeout(100)

    def jackpot(self, page: Page) -> str:
        """The jackpot whose display is asked for."""
        self.wait(page, lambda: ASKED.search(self.said), HANGS_S)
        found = ASKED.search(self.said)
        assert found, self.said
        return found[1]


@pytest.fixture
def script(house: RunningHouse) -> Iterator[Script]:
    output = house.clone / "royal.out"
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "docs/double_royal.py", house.address, "--kill", "--screen"],
            cwd=house.clone,
            stdout=stream,
            stderr=stream,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  (one system call, made ready before the fork)
        )
    with process:
        yield Script(process, output)
        process.kill()  # if it still runs, the test has failed


def test_a_double_royal_with_web_worker_and_redis_killed(
    chromium: Browser, house: RunningHouse, script: Script
) -> None:
    address = house.address
    with chromium.new_context(base_url=address, locale="de-CH", viewport={"width": 1920, "height": 1080}) as context:
        context.set_default_timeout(WAIT_MS)
        watched = watch(context, address)
        watched.allowed = CUT_LINE
        page = context.new_page()
        jackpot = script.jackpot(page)
        page.goto("/display/")
        page.get_by_role("button", name=jackpot).click()
        state(page, "open")
        still(page, "10’000.00")
        script.wait(page, lambda: False, HANGS_S)
        assert script.process.returncode == 0, script.said
        # 10’009.00 at the hit, 10’008.00 won, 10’000.00 confirmed, and two coins since.
        assert script.said.splitlines()[-1].endswith("the meter stands at 10002.00, and betting is open.")
        state(page, "open")
        expect(page.locator("html")).to_have_attribute("data-view", "hit")
        still(page, "10’002.00")
        assert watched.breaches == []
    audited = subprocess.run(
        [sys.executable, "-m", "casino.launcher", "manage", "audit"],
        cwd=house.clone, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert audited.returncode == 0, audited.stdout + audited.stderr
    assert "request_failed" not in (house.clone / "var" / "log" / "web.log").read_text()
    for program in ("web", "worker", "redis"):
        assert f"{program} killed" in script.said
        assert wait_until(lambda: f"{program} ended and was started again" in house.said, 60)  # noqa: B023  (called at once)
