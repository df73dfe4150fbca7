"""The commands of docs/API.md, typed as they stand there, on a fresh demo house: from nothing to a settled round."""

import json
import re
import subprocess
from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from tables.models import Round, Table
from tests.browser.conftest import Server
from tests.casino.api.demo_house import demo_house

GUIDE = (settings.BASE_DIR / "docs" / "API.md").read_text("utf-8")
TYPED = "\n".join(re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL))


@pytest.fixture
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    yield from demo_house("guide", django_db_blocker)


@pytest.mark.timeout(200)  # seconds, but on a machine that does other things besides
def test_what_the_guide_prints_runs_as_it_is_printed(house: Server) -> None:
    words = {"HOUSE": house.address, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-eu"], input=TYPED, env=words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    *opener, opened, surface, locked, settled, corrected, shown, left, counted, closer, closed = said
    assert [count["answer"]["state"] for count in (*opener, counted, closer)] == ["entered", "signed"] * 2
    assert [count["answer"]["signed"]["difference_minor"] for count in (opener[-1], closer)] == [0, 0]
    assert (opened["answer"]["entry_level"], len(surface["guests"])) == ("fast", 1)
    assert [one["present"]["revision"] for one in (locked, settled, corrected)] == [0, 1, 2]
    assert (shown["source"], shown["state"]) == ("cards", "settled")
    assert left["answer"]["left_at"]
    assert closed["answer"]["closed_at"]
    assert Round.objects.get().pk.hex == shown["id"].replace("-", "")
    assert not Table.objects.exclude(session=None).exists()
