"""The fan-out's benchmark in short: it runs and yields its figures. How high they are is nobody's business here."""

import pytest

from tests.bench import fanout


@pytest.mark.timeout(300)
def test_fan_out_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanout, "SOCKETS", 20)
    monkeypatch.setattr(fanout, "TIMES", 3)
    [(name, row)] = fanout.measure().items()
    assert name == "20 displays told, ms"
    assert min(row[figure] for figure in ("limit", "ours", "ratio", "worst, ms", "worst of the limit, ms")) > 0
    assert row["asked"] == 0.5
    assert row["bytes"] > 500
