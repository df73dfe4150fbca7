"""The benchmark of Black Jack in short: it runs and yields all its figures. How high they are is nobody's business here."""

import pytest

from tables.games.blackjack.game import BLACKJACK
from tests.bench import blackjack, blackjack_floor


@pytest.mark.timeout(300)
def test_blackjack_benchmark_runs_and_yields_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blackjack, "ROUNDS", 50)
    for name, value in {"SECONDS": 0.3, "TIMES": 1, "ASKED": {2: 0.8}}.items():
        monkeypatch.setattr(blackjack_floor, name, value)
    rows = blackjack.measure()
    pure = [
        f"rounds of 7 boxes, {name}, {clock}" for name in ("cards", "taps") for clock in ("wall clock", "processor")
    ]
    assert [*rows] == [*pure, "round of 5 boxes, 3 later stakes, 2 workers"]
    for name, row in rows.items():
        assert min(row[figure] for figure in ("limit", "ours", "ratio")) > 0, name


def test_its_rounds_come_to_the_same_by_cards_and_by_taps() -> None:
    kinds = set()
    for one in blackjack.deal(300):
        cards, taps = (BLACKJACK.end(blackjack.RULES, *each, level="fast") for each in (one, blackjack.tapped(one)))
        assert (cards.lines, cards.source, taps.source) == (taps.lines, "cards", "taps")
        kinds |= {line.kind for line in cards.lines}
    assert kinds == {"stake", "double_1", "split_2", "insurance"}
