"""The page of kept runs: a column for each, read back as it was written."""

import json
import time
from types import SimpleNamespace

import pytest

from tests.bench import __main__ as bench
from tests.bench import kept

PAGE = "# Benchmarks\n\nWords.\n\n"
FIRST = {"floor": {"round, 1 worker": {"ratio": 0.76, "asked": 0.8, "ours": 105}, "p50": {"ours": 17.3}}}
SECOND = {
    "floor": {"round, 1 worker": {"ratio": 0.81, "asked": 0.8}},
    "hands": {"bulk": {"ratio": 34.0, "asked": 15.0}},
}


def test_runs_stand_side_by_side() -> None:
    assert kept.last(PAGE) == {}
    one = kept.with_run(PAGE, FIRST, "2026-11-21 aaaa")
    assert kept.last(one) == {"floor: round, 1 worker": 0.76}
    two = kept.with_run(kept.with_run(one, SECOND, "2026-11-22 bbbb"), FIRST, "2026-11-23 cccc")
    assert two == PAGE + (
        "| what | asked | 2026-11-21 aaaa | 2026-11-22 bbbb | 2026-11-23 cccc |\n"
        "| --- | --: | --: | --: | --: |\n"
        "| floor: round, 1 worker | 0.8 | 0.76 | 0.81 | 0.76 |\n"
        "| hands: bulk | 15 |  | 34 |  |\n"
    )
    assert kept.last(two) == {"floor: round, 1 worker": 0.76, "hands: bulk": 34.0}


def test_the_page_can_be_read() -> None:
    assert all(ratio > 0 for ratio in kept.last(kept.DOC.read_text(encoding="utf-8")).values())


def test_what_was_measured_is_kept_when_another_part_fails(monkeypatch, tmp_path, capsys) -> None:
    def broken() -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "PARTS", ("broken", "whole"))
    measures = {"broken": broken, "whole": lambda: {"bulk": {"ratio": 34.0, "asked": 15.0}}}
    monkeypatch.setattr(bench, "import_module", lambda name: SimpleNamespace(measure=measures[name.rpartition(".")[2]]))
    assert bench.main([]) == 1
    assert json.loads((tmp_path / "var" / "bench.json").read_text())["results"] == {
        "whole": {"bulk": {"ratio": 34.0, "asked": 15.0}}
    }
    assert "Failed, and not measured: broken." in capsys.readouterr().out
    assert bench.main(["whole"]) == 0


@pytest.mark.parametrize("dirty", [False, True])
def test_a_whole_run_says_what_it_took_and_of_which_tree(monkeypatch, tmp_path, capsys, dirty: bool) -> None:
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "PARTS", ("first", "second"))
    monkeypatch.setattr(bench, "_git", lambda *words: "abcd" if words[0] == "rev-parse" else " M README.md" * dirty)
    clock = iter((0.0, 300.0, 300.0, 1_200.0) * 2)
    monkeypatch.setattr(
        bench, "time", SimpleNamespace(monotonic=lambda: next(clock), strftime=time.strftime, gmtime=time.gmtime)
    )
    monkeypatch.setattr(bench, "import_module", lambda name: SimpleNamespace(measure=lambda: {"bulk": {"ratio": 2.0}}))
    assert bench.main([]) == 1  # 1200 s are more than 900
    report, told = json.loads((tmp_path / "var" / "bench.json").read_text()), capsys.readouterr().out
    assert (report["commit"], report["dirty"]) == ("abcd", dirty)
    assert report["seconds"] == {"first": 300.0, "second": 900.0, "total": 1_200.0}
    assert report["results"]["whole"]["all parts, s"] == {"limit": 900, "ours": 1_200.0, "ratio": 0.75, "asked": 1.0}
    assert "Seconds: first 300, second 900; in all 1,200." in told
    assert f"Commit abcd{', changed' * dirty}." in told
    assert "Below what is asked: all parts, s." in told
    assert bench.main(["first"]) == 0
    assert "whole" not in json.loads((tmp_path / "var" / "bench.json").read_text())["results"]
