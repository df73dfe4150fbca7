"""The book's section PRG, as far as it needs tables that play: what a win waits for, and what it blocks."""
# ruff: noqa: N802 - tests are named after the rules

from typing import ClassVar

import pytest

from jackpot.errors import JackpotNotOpen, NotListed
from jackpot.models import Award, ListedRound
from jackpot.rules.jackpot_rules import JackpotRules
from payouts.rules.rulesets.schema import Posted
from tests.jackpot.linked import Linked, dull, royal
from tests.jackpot.test_prizes import approved_correction
from tests.worlds import world


@world(Linked, count=3)
def test_PRG_8_every_running_round_must_end_first_by_settlement_or_by_void(floor: Linked) -> None:
    rounds = [floor.start(table) for table in range(3)]
    floor.end(1, rounds[1], royal("d"))
    assert floor.advance() == "draining"
    floor.void(rounds[2])
    assert floor.advance() == "draining"
    floor.end(0, rounds[0], dull())
    assert floor.advance() == "verifying"


@world(Linked, count=3)
def test_PRG_8_at_the_same_time_is_what_ran_when_the_first_claim_was_written(floor: Linked) -> None:
    over = floor.start(2)
    floor.end(2, over, dull())
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal("h"))
    assert set(ListedRound.objects.values_list("round_id", flat=True)) == {first, second}
    with pytest.raises(NotListed):
        approved_correction(floor, over, royal("c"))
    floor.end(1, second, royal("d"))
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert set(Award.objects.values_list("round_id", flat=True)) == {first, second}


@world(Linked)
def test_PRG_9_no_stake_from_the_win_until_the_displays_show_the_new_meter(floor: Linked) -> None:
    first, running = floor.start(0), floor.start(1)
    floor.end(0, first, royal("h"))

    def blocked() -> None:
        for coins in (0, 1):
            with pytest.raises(JackpotNotOpen):
                floor.start(0, coins=coins)

    blocked()
    floor.end(1, running, {"boxes": {"1": {"play": 4, "result": "win"}, "2": {"result": "fold"}}})
    floor.advance()
    blocked()
    floor.verify_all()
    floor.approve()
    blocked()
    assert floor.confirm_all() == "open"
    assert floor.start(0)


def test_PRG_9_with_coins_alone_blocked_rounds_without_coins_go_on(db: None) -> None:
    class Coins(Linked):
        posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(blocked_after_hit="coins")}

    floor = Coins()
    floor.end(0, floor.start(0), royal("h"))
    with pytest.raises(JackpotNotOpen):
        floor.start(0)
    assert floor.start(0, coins=0)
