"""The page of kept runs: a column for each, read back as it was written."""

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
