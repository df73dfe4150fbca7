"""A whole campaign on a house that remembers no keys, `make faults WITHOUT=key` in its short form: it must end red.

The other guards are taken away one at a time in `test_can_fail.py`. In the continuous integration, as it takes about a minute.
"""

import os
import re

import pytest

from casino.simulate import board
from tests.faults.campaign import Campaign

SEED, MINUTES, TABLES = 7, 0.3, 8
# As the clients' history tells of a key that was not kept.
TWICE = re.compile(r"was refused .*, and is there|was answered in \d+ ways|another answer than is on record")


@pytest.mark.skipif(not (os.environ.get("CI") or os.environ.get("FAULTS")), reason="takes a minute: FAULTS=1")
@pytest.mark.timeout(600)
def test_a_campaign_without_keys_ends_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        board, "CONVERGES_S", 0
    )  # processes that look at their guards do not start again: it never will
    report = Campaign(SEED, MINUTES, TABLES, lambda _text: None, "key").run()
    assert [one for one in report["wrong"] if TWICE.search(one)], report["wrong"]
