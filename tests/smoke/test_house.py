"""A house as `make run` starts it: it comes up, a double royal goes from the freeze to the reopening, it goes down."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from casino.launcher.processes import die_with_parent
from tests.browser.conftest import WAIT_MS, watch
from tests.browser.desk.test_double_royal import HANGS_S, SCRIPTS, Script
from tests.browser.display_house import state, still
from tests.casino.launcher.clones import PROJECT, RunningHouse, copy_project, free_port, open_folder
from tests.casino.launcher.test_house import PROGRAMS

pytestmark = [
    pytest.mark.timeout(600),  # for a hang alone
    pytest.mark.random_order(disabled=True),  # one house, told as a story: it comes up, is played on, is killed
]


@pytest.fixture(scope="module")
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


def test_it_comes_up_and_says_how_to_sign_in(house: RunningHouse) -> None:
    assert f"http://127.0.0.1:{house.port}/" in house.said
    assert "croupier" in house.said
    for program in PROGRAMS:
        assert house.of(program), program


def test_a_double_royal_goes_from_the_freeze_to_the_reopening(chromium: Browser, house: RunningHouse) -> None:
    """Web, worker and display are real; the script plays tables, people and cage, and compares every figure."""
    output = house.clone / "royal.out"
    with (
        output.open("wb") as stream,
        chromium.new_context(base_url=house.address, locale="de-CH") as context,
        subprocess.Popen(
            [sys.executable, "docs/double_royal.py", house.address, "--screen"],
            cwd=house.clone,
            env={"PATH": os.environ["PATH"]},
            stdout=stream,
            stderr=stream,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  (one system call, made ready before the fork)
        ) as process,
    ):
        try:
            context.set_default_timeout(WAIT_MS)
            watched, page, script = watch(context, house.address), context.new_page(), Script(process, output)
            jackpot = script.jackpot(page)
            page.goto("/display/")
            page.get_by_role("button", name=jackpot).click()
            state(page, "open")
            script.wait(page, lambda: False, HANGS_S)
            assert process.returncode == 0, script.said
            still(page, "10’002.00")
            assert watched.breaches == []
        finally:
            process.kill()


def test_it_goes_down_and_leaves_nothing(house: RunningHouse) -> None:
    assert house.stop(signal.SIGINT) == 0
    assert house.left() == []
