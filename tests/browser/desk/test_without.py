"""Where no browser is found the tests of this folder are skipped and say so; in continuous integration they fail instead."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.casino.launcher.clones import open_folder

pytestmark = pytest.mark.timeout(300)  # a test run within the test run, where other work shares the machine
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
TESTS = ["tests/browser/look/test_admin.py", "tests/browser/desk/test_sign_in.py"]


@pytest.fixture
def path_without_browser() -> Iterator[str]:
    """A folder of everything on the PATH but browsers; as root the servers' user must be able to enter it."""
    with open_folder() as here:
        for folder in os.environ["PATH"].split(os.pathsep):
            for program in Path(folder).glob("*"):
                link = here / program.name
                if program.name not in BROWSERS and not link.is_symlink():
                    link.symlink_to(program)
        yield str(here)


def run(path: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The tests of this folder, in a shell with this PATH."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("CI", "CHROMIUM", "DJANGO_ALLOW_ASYNC_UNSAFE")
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--maxfail=3", *TESTS],
        cwd=settings.BASE_DIR, env=kept | {"PATH": path} | more, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_without_a_browser_its_tests_are_skipped_and_say_why(path_without_browser: str) -> None:
    done = run(path_without_browser)
    assert done.returncode == 0, done.stdout
    *_, summary = done.stdout.splitlines()
    assert "skipped" in summary
    assert not {"passed", "failed", "error"} & set(summary.replace(",", " ").split())
    assert "no Chromium was found: install it, or name it in CHROMIUM" in done.stdout


def test_without_a_browser_continuous_integration_fails(path_without_browser: str) -> None:
    done = run(path_without_browser, CI="1")
    assert done.returncode == 1, done.stdout
    assert "skipped" not in done.stdout.splitlines()[-1]
    assert "no Chromium was found" in done.stdout
