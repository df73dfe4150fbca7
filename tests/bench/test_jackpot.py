"""The jackpot's benchmark in short: it runs and yields all its figures. How high they are is nobody's business here."""

import pytest

from tests.bench import jackpot

TIMED = [
    "last round ended to verifying, ms",
    "approved to 5 displays, ms",
    "last confirmation to open, ms",
    "… by another, process killed, ms",
    "… by itself, nobody else lives, ms",
]


@pytest.mark.timeout(300)
def test_jackpot_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {
        "SECONDS": 0.3,
        "TIMES": 2,
        "TABLES": 4,
        "PROCESSES": 2,
        "HITS": 2,
        "OVERDUE": 1,
        "DISPLAYS": 5,
        "REQUIRED": 2,
    }
    for name, value in short.items():
        monkeypatch.setattr(jackpot, name, value)
    rows = jackpot.measure()
    one, freeze, settled, *timed = rows
    assert one == "4 tables, one jackpot, rounds a second"
    assert min(rows[one][figure] for figure in ("limit", "ours", "ratio")) > 0
    assert [freeze, settled] == ["claim to last refusal, 4 tables, ms", "settling the claim, 4 tables, ms"]
    assert (
        min(rows[freeze][figure] for figure in ("ours", "p50, ms", "a round takes, ms", "a refusal takes, p99, ms")) > 0
    )
    assert rows[freeze]["stakes after the claim"] == 0
    assert timed == TIMED
    for name in TIMED:
        assert 0 < rows[name]["p50, ms"] <= rows[name]["ours"], name
        assert rows[name]["limit"] in (250, 500, 3_000)
