"""The benchmark of poker in short: it runs and yields all its figures. How high they are is nobody's business here."""

import pytest

from tests.bench import poker


@pytest.mark.timeout(300)
def test_poker_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SECONDS": 0.3, "TIMES": 1, "LEAST": {2: 0.8}}.items():
        monkeypatch.setattr(poker, name, value)
    rows = poker.measure()
    assert [*rows] == ["hand of 9, 2 workers"]
    assert min(rows["hand of 9, 2 workers"][figure] for figure in ("limit", "ours", "ratio")) > 0
