"""A round of Black Jack on the tablet without a stake that the house has not taken: what hung on it goes with it (BJ-6, BJ-7)."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.blackjack import Blackjack
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)
UNPLACED = "async ([draft, key]) => (await import('tablet/game')).unplaced(draft, key)"


@pytest.fixture
def page(floor_server: object, new_floor_page: Callable[..., Page]) -> Page:
    floor = Blackjack(suffix=f".bju{next(_numbers)}")
    return Tablet(new_floor_page(has_touch=True), floor.bj, floor.martina).page


def later(key: str, kind: str, guest: str = "a", box: int = 1, *, hand: int = 1) -> dict[str, Any]:
    placement = {"box": box, "guest": guest, "act": kind.split("_")[0], "hand": hand}
    return {"key": key, "box": box, "guest": guest, "source": guest, "kind": kind, "minor": 10, "placement": placement}


def draft(*placed: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A round on box 1, of two guests, and box 2."""
    seats = {"1": {"stakes": [{"guest": one, "minor": 10} for one in "ab"]}}
    seats |= {"2": {"stakes": [{"guest": "c", "minor": 10}]}}
    return {"seats": seats, "placed": list(placed), "results": {}, "cards": {}, "flags": {}} | more


def test_what_hung_on_a_stake_goes_with_it(page: Page) -> None:
    split, follow = later("s2", "split_2"), later("f2", "split_2", "b")
    own, theirs = later("d2", "double_2"), later("e2", "double_2", "b")
    again, elsewhere = later("s3", "split_3", hand=2), later("x", "double_1", "c", 2)

    def left(whole: dict[str, Any], key: str) -> dict[str, Any]:
        found: dict[str, Any] = page.evaluate(UNPLACED, [whole, key])
        return found

    # The split: both hands are one again, still open, with the cards of both; another box stays as it is.
    whole = draft(
        *(split, follow, own, again, elsewhere),
        results={"1": {"0": {"result": "win"}, "1": {"result": "lose"}, "2": {"result": "push"}}, "2": {"0": {}}},
        cards={"1.1": ["8s", "3c"], "1.2": ["8d", "2h"], "1.3": ["8h", "Kc"], "2.1": ["5s"]},
        flags={"rest_1.2": True, "rest_2.1": True, "bank": "19"},
    )
    cards = {"1.1": ["8s", "8d", "3c", "8h", "2h", "Kc"], "2.1": ["5s"]}
    rest = {"results": {"1": {}, "2": {"0": {}}}, "cards": cards, "flags": {"rest_2.1": True, "bank": "19"}}
    assert left(whole, "s2") == whole | {"placed": [elsewhere]} | rest

    # The second split: the hand that it came from is one again, the first is not touched.
    cards = {"1.1": ["8s", "3c"], "1.2": ["8d", "8h", "2h", "Kc"], "2.1": ["5s"]}
    rest = {"results": {"1": {"0": {"result": "win"}}, "2": {"0": {}}}, "cards": cards}
    rest["flags"] = {"rest_2.1": True, "bank": "19"}
    assert left(whole, "s3") == whole | {"placed": [split, follow, own, elsewhere]} | rest

    # A co-player's stake for the second hand: what doubles it goes with it, the hand stays.
    whole = draft(split, follow, own, theirs, results={"1": {"1": {"result": "lose"}}})
    assert left(whole, "f2") == whole | {"placed": [split, own]}

    # A co-player's double goes, and the hand has two ends; the decider's takes theirs with it (BJ-5), and the hand has one.
    one, other = later("d1", "double_1"), later("e1", "double_1", "b")
    whole = draft(one, other, results={"1": {"0": {"result": "blackjack", "doubled": "win"}}})
    assert left(whole, "e1") == whole | {"placed": [one]}
    single = {"placed": [], "results": {"1": {"0": {"result": "blackjack"}}}}
    assert left(whole, "d1") == whole | single

    # Insurance hangs on nothing, and what is not there changes nothing.
    whole = draft(later("i", "insurance"), split)
    assert left(whole, "i") == whole | {"placed": [split]}
    assert left(whole, "none") == whole
