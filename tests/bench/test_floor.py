"""The floor's benchmark in short: it runs and yields all its figures. How high they are is nobody's business here."""

import pytest

from tests.bench import floor


@pytest.mark.timeout(300)
def test_floor_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {"SECONDS": 0.3, "TIMES": 1, "ASKED": {2: 0.8}, "TABLES": 4, "PROCESSES": 2, "TABLETS": 2}
    for name, value in short.items():
        monkeypatch.setattr(floor, name, value)
    rows = floor.measure()
    rounds = ["round of 5 boxes, 2 workers", "the same through HTTP, 2 web workers"]
    assert [*rows] == [*rounds, "64 tables at once"]
    for name in rounds:
        assert min(rows[name][figure] for figure in ("limit", "ours", "ratio")) > 0, name
    assert rows[rounds[-1]]["commands"] > 0
    assert 0 < rows[rounds[-1]]["p50, ms"] <= rows[rounds[-1]]["p99, ms"]
    assert min(rows["64 tables at once"][figure] for figure in ("ours", "samples", "backends seen at work")) > 0
