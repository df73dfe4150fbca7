"""The evening of docs/evening.py, played by that very script against a real server of a demo house; then the books are audited,
and every round is settled again from its record.
"""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from payouts.audit import run_audits
from tables.audit.replay import replay
from tables.models import Round
from tests.browser.conftest import Server
from tests.casino.api.demo_house import demo_house


@pytest.fixture
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    yield from demo_house("evening", django_db_blocker)


@pytest.mark.timeout(300)  # half a minute, but on a machine that does other things besides
def test_an_evening_through_the_api_and_the_books_balance(house: Server) -> None:
    script = [sys.executable, "docs/evening.py", house.address, "--rounds", "60"]
    done = subprocess.run(script, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr + house.log.read_text()[-4000:]
    assert done.stdout.splitlines()[-1] == "Every round reads as it was played; the tables are closed."
    states = dict.fromkeys(("settled", "voided", "reopened", "withdrawn"), 0)
    for state in Round.objects.values_list("state", flat=True):
        states[state] += 1
    assert set(states) == {"settled", "voided", "reopened", "withdrawn"}
    assert states["settled"] >= 60
    assert min(states.values()) >= 1
    assert set(Round.objects.filter(state="settled").values_list("entry_level", flat=True)) == {
        "fast",
        "full_cards",
        "jackpot_only",
    }
    audits = run_audits()
    assert len(audits) > 10
    assert [one for one in audits if one.breaches] == []
    again = replay(everything=True)
    assert all(one.looked_at == Round.objects.exclude(state="withdrawn").count() for one in again)
    assert [one for one in again if one.breaches] == []
