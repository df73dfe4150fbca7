"""The reports' benchmark in short: it runs and yields all its figures. How high they are is nobody's business here."""

import pytest

from casino.audit.reports.kinds import KINDS
from tests.bench import reports
from tests.bench.poker import REPORTS

VERIFIED = ["seals verified, rows a second", "rounds settled again, a second", "cores at work while seals are verified"]
EACH_DAY = ("hits", "slips", "access", "looks", "results", "day-protocol")


@pytest.mark.timeout(300)
def test_reports_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCALE", "5000")
    for name, value in {"LOCKS_S": 3, "EXPORTED": ("corrections",)}.items():
        monkeypatch.setattr(reports, name, value)
    rows = reports.measure()
    spans = [f"{kind}, {span}, ms" for kind in KINDS for span in ("day", "month")]
    memory = [f"memory of {what}, MB" for what in ("reports", "exports, corrections", "verify")]
    assert list(rows) == ["the house, s", *spans, *VERIFIED, *memory, "lock p99 beside reports, ms"]
    assert rows["the house, s"]["stakes"] > 4_000
    for name, row in rows.items():
        assert row["ours"] > 0, name
    for kind in KINDS.keys() - {
        *REPORTS
    }:  # a report of nothing measures nothing; those of hands: tests/bench/test_poker.py
        day, month = (rows[f"{kind}, {span}, ms"]["lines"] for span in ("day", "month"))
        assert (kind in EACH_DAY) <= day <= month, kind
        assert month > 0, kind
    assert rows["lock p99 beside reports, ms"]["locks"] > 0
