"""The keys under the boxes: each says what its hand wins from the jackpot, where a coin lies."""

import pytest

from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser


def test_a_hand_says_its_prize_only_where_a_coin_lies(tablet: Tablet) -> None:
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    wins = []
    for box in (1, 2):
        tablet.cell(box, "4+")
        wins.append([one.replace("\n", " ") for one in tablet.page.locator(".dock .key.hand").all_inner_texts()])
    assert wins == [
        [
            "Egalité",
            "Drilling",
            "Strasse",
            "Farbe",
            "Full House JP 50",
            "Vierling JP 500",
            "Straight Flush JP 1’500",
            "Royal Flush Jackpot",
        ],
        ["Egalité", "Drilling", "Strasse", "Farbe", "Full House", "Vierling", "Straight Flush", "Royal Flush"],
    ]
