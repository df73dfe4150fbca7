"""An evening with an attacker of each kind, on a house whose clock jumps: the books are equal, and nobody is paid who should not.

What it finds is in var/faults, as after a campaign.
"""

import os
from pathlib import Path

import pytest

from casino.simulate.clients import Refused, Unreachable
from tests.faults import report as reports
from tests.faults.attack import Attack, Try
from tests.faults.breaker import CLOCK
from tests.faults.campaign import Campaign

CODE = "table.unknown"
SEED, MINUTES, TABLES = 11, 2.5, 8
REPORT = Path("var/faults/attackers.json")


@pytest.mark.skipif(not os.environ.get("FAULTS"), reason="takes three minutes of a machine of its own: FAULTS=1")
@pytest.mark.timeout(900)
def test_an_evening_with_an_attacker_of_each_kind_ends_with_equal_books() -> None:
    told: list[str] = []
    run = Campaign(SEED, MINUTES, TABLES, say=told.append, only=(CLOCK,))
    report = run.run()
    reports.write(report, REPORT)
    if report["wrong"]:
        REPORT.with_suffix(".log").write_text("\n".join([*told, run.said]))
    summary = "\n".join([*reports.summary(report), *report["wrong"]])
    print(summary)
    assert report["wrong"] == [], summary


def came_of(error: Exception) -> tuple[int, int]:
    """How often a try that ends so was rightly refused, and how much is wrong."""

    def act() -> None:
        raise error

    attack = Attack()
    assert attack.attempt("croupier", Try("tries", act, CODE))
    return attack.refused["croupier tries"], len(attack.wrong)


def test_a_house_that_is_away_for_long_refuses_nothing_and_takes_nothing() -> None:
    ends = {status: came_of(Refused(status, {"title": ""})) for status in (502, 503, 504, 500, 404)}
    assert ends == {502: (0, 0), 503: (0, 0), 504: (0, 0), 500: (0, 1), 404: (0, 1)}
    assert came_of(Unreachable("nobody answers")) == (0, 0)
    assert came_of(Refused(404, {"code": CODE})) == (1, 0)
