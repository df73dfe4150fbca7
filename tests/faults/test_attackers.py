"""An evening with an attacker of each kind, on a house whose clock jumps: the books are equal, and nobody is paid who should not.

What it finds is in var/faults, as after a campaign.
"""

import os
from pathlib import Path

import pytest

from tests.faults import report as reports
from tests.faults.breaker import CLOCK
from tests.faults.campaign import Campaign

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
