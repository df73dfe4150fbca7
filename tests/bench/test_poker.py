"""The benchmark of poker in short: it runs and yields all its figures. How high they are is nobody's business here."""

import pytest

from tests.bench import poker
from tests.bench.poker import REPORTS


@pytest.mark.timeout(300)
def test_poker_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SECONDS": 0.3, "TIMES": 1, "LEAST": {2: 0.8}}.items():
        monkeypatch.setattr(poker, name, value)
    rows = poker.measure()
    reports = [f"{kind}, day, ms" for kind in REPORTS]
    hands = ["hand of 9, 2 workers", "hand at pots of 9, 2 workers", "hands replayed, a second"]
    assert [*rows] == [*hands, *reports]
    assert min(row[figure] for row in rows.values() for figure in ("limit", "ours", "ratio")) > 0
    assert min(rows[name]["lines"] for name in reports) > 0
