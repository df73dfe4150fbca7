"""The short form of `make faults`: three minutes with a fixed seed. What it finds is in var/faults, as after a long one."""

import os
from pathlib import Path

import pytest

from tests.faults import report as reports
from tests.faults.campaign import Campaign

SEED, MINUTES = 7, 3.0
REPORT = Path("var/faults/short.json")


@pytest.mark.skipif(not os.environ.get("FAULTS"), reason="takes four minutes of a machine of its own: FAULTS=1")
@pytest.mark.timeout(2400)  # for a hang alone; three minutes of faults, the rest is the house's beginning and end
def test_a_floor_beneath_which_everything_is_killed_loses_nothing() -> None:
    told: list[str] = []
    run = Campaign(SEED, MINUTES, say=told.append)
    report = run.run()
    reports.write(report, REPORT)
    if report["wrong"]:
        REPORT.with_suffix(".log").write_text("\n".join([*told, run.said]))
    summary = "\n".join([*reports.summary(report), *report["wrong"], f"Again: {reports.again(run)}"])
    print(summary)
    assert report["wrong"] == [], summary
