"""Campaigns on a house of which a guard was taken away must end red: one that remembers no keys, or books twice what comes after a
lock, beneath which all is killed; and in an evening with attackers one that lets work at once whom somebody else has made, or whose
shoes bind nobody.

The other guards are taken away one at a time in `test_can_fail.py`. What is found ends a campaign within a minute, as Ctrl-C does.
"""

import os
import re

import pytest

from casino.simulate import board
from tests.faults.breaker import CLOCK
from tests.faults.campaign import Campaign

SEED, MINUTES, TABLES = 7, 0.3, 8
ENDED_S = 60.0
# As the clients' history tells of a key that was not kept, and attackers of what they were given.
TWICE = re.compile(r"was refused .*, and is there|was answered in \d+ ways|another answer than is on record")
PLACED = re.compile(r"after its lock is booked .*, was placed ")
TAKEN = re.compile(r"^manager .* ((with the|as that) colleague|by the cashier).*: was taken")
CHEATED = re.compile(r"^croupier of Black Jack .* the shoe .*: was taken")
pytestmark = [
    pytest.mark.skipif(
        not (os.environ.get("CI") or os.environ.get("FAULTS")), reason="takes a minute or two: FAULTS=1"
    ),
    pytest.mark.timeout(900),
]


def quiet(_text: str) -> None:
    """Nobody listens."""


def test_a_campaign_without_keys_ends_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        board, "CONVERGES_S", 0
    )  # processes that look at their guards do not start again: it never will
    report = Campaign(SEED, MINUTES, TABLES, quiet, "key", attackers=False).run()
    assert [one for one in report["wrong"] if TWICE.search(one)], report["wrong"]
    assert report["told_s"] < ENDED_S, report["seconds"]


def test_a_campaign_that_books_twice_what_comes_after_a_lock_ends_red() -> None:
    report = Campaign(SEED, MINUTES, TABLES, quiet, "once", attackers=False).run()
    assert [one for one in report["wrong"] if PLACED.search(one)], report["wrong"]
    assert report["told_s"] < ENDED_S, report["seconds"]


def test_an_evening_in_which_a_second_person_works_at_once_ends_red() -> None:
    report = Campaign(SEED, MINUTES, TABLES, quiet, "rest", only=(CLOCK,)).run()
    assert [one for one in report["wrong"] if TAKEN.search(one)], report["wrong"]


def test_an_evening_in_which_the_cards_of_a_shoe_bind_nobody_ends_red() -> None:
    report = Campaign(SEED, MINUTES, TABLES, quiet, "feed", only=(CLOCK,)).run()
    assert [finding for finding in report["wrong"] if CHEATED.search(finding)], report["wrong"]


def test_a_campaign_that_is_broken_off_ends_with_its_report() -> None:
    run = Campaign(SEED, 5.0, TABLES, attackers=False)
    run.say = lambda text: (
        run.break_off() if text.endswith("tables play") else None
    )  # Ctrl-C, as soon as there is a floor
    report = run.run()
    assert (report["wrong"], report["told_s"] < ENDED_S) == (["broken off by hand"], True), report
