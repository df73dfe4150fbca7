"""The pit's benchmark in short: it runs and yields its figures. How high they are is nobody's business here."""

import pytest

from tests.bench import pit


@pytest.mark.timeout(300)
def test_pit_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TABLES": 3, "UPDATES": 10, "READS": 2}.items():
        monkeypatch.setattr(pit, name, value)
    rows = pit.measure()
    assert list(rows) == [
        "longest task, 3 tiles 10 times a second, ms",
        "longest task, 4× slower, ms",
        "boards shown of 10",
        "board of 3 tables read, ms",
    ]
    assert rows["boards shown of 10"]["ours"] > 5
    assert rows["board of 3 tables read, ms"]["ours"] > 0
