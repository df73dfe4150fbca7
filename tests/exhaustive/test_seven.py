"""The campaign over all seven-card hands, on a small share: it covers every hand once, and it does find what is wrong."""

from math import comb
from typing import Any

import numpy as np
import pytest

from payouts.rules.hands.ranks import rank_bulk
from tests.exhaustive import seven
from tests.exhaustive.seven import HANDS, compare, fives, shares

LOW_FIVES = fives()[-comb(20, 5) :]


def test_the_shares_are_all_hands() -> None:
    every = list(shares())
    assert len(set(every)) == len(every)
    assert all(first > second for first, second in every)
    assert sum(comb(second, 5) for _, second in every) == HANDS


def test_a_share_agrees_with_phevaluator() -> None:
    done = compare((51, 20), LOW_FIVES)
    assert int(done.counts.sum()) == comb(20, 5)
    assert done.disagreement == ""


def test_one_hand_ranked_wrongly_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong_once(hands: Any) -> Any:
        ranks = rank_bulk(hands)
        ranks[77] += np.uint16(1)
        return ranks

    monkeypatch.setattr(seven, "rank_bulk", wrong_once)
    found = compare((51, 20), LOW_FIVES).disagreement
    cards, _, rank = found.partition(": ")
    assert (len(cards.split()), cards[:5], rank.isdigit()) == (7, "As 7c", True)
