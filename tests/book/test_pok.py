"""The book's section POK: poker, as far as its tables are posted and its chips bought."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any

import pytest

from payouts.rules.rulesets.rake import RakeSchedule, TimeCharge
from payouts.rules.rulesets.schema import Posted, ValueWrong
from tables.games.poker.buying import check_buy_in, check_top_up, top_up_of
from tables.games.poker.game import POKER
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.variants import HORSE, VARIANTS
from tests.book.tables import refused

SPLIT = {"limit": "split", "small_bet_minor": 20_00, "big_bet_minor": 40_00, "buy_in_least_minor": 200_00}
SPLIT |= {"buy_in_most_minor": None}
STUD = SPLIT | {"variants": ("stud",), "bring_in_minor": 5_00, "seats": 8}


def unfit(change: dict[str, Any]) -> tuple[str, object]:
    """The field of a game that is refused, and what would do."""
    with pytest.raises(ValueWrong) as caught:
        PokerGame(**change)
    return str(caught.value.data["field"]), caught.value.data["expected"]


def test_POK_1_one_variant_or_the_rotation() -> None:
    for code, variant in VARIANTS.items():
        game = (STUD if variant.doors else {}) | {"variants": (code,), "seats": variant.seats_most}
        assert PokerGame.from_data(PokerGame(**game).to_data()) == PokerGame(**game)
        most = variant.seats_most
        if most < 10:
            expected = f"at most {most}, as many as the deck feeds"
            assert unfit(game | {"seats": most + 1}) == ("poker_game.seats", expected)
    assert PokerGame(**STUD | {"variants": HORSE}).variants == HORSE
    for variants in (HORSE[:2], HORSE[::-1], ("holdem", "holdem")):
        field, _ = unfit(STUD | {"variants": variants})
        assert field == "poker_game.variants"


def test_POK_1_chips_bets_and_buy_ins_fit_one_another() -> None:
    for change, expected in (
        ({"small_blind_minor": 1_50, "big_blind_minor": 3_00}, ("poker_game.small_blind_minor", 1_00)),
        ({"big_blind_minor": 0}, ("poker_game.big_blind_minor", 1_00)),
        ({"small_blind_minor": 3_00}, ("poker_game.big_blind_minor", 3_00)),
        ({"buy_in_least_minor": 1_00}, ("poker_game.buy_in_least_minor", 2_00)),
        ({"buy_in_most_minor": 39_00}, ("poker_game.buy_in_most_minor", 40_00)),
        (SPLIT | {"small_bet_minor": 0}, ("poker_game.small_bet_minor", 1_00)),
        (SPLIT | {"big_bet_minor": 10_00}, ("poker_game.big_bet_minor", 20_00)),
        (SPLIT | {"variants": ("draw",), "seats": 6}, ("poker_game.big_from_round", 2)),
        (STUD | {"bring_in_minor": 0}, ("poker_game.bring_in_minor", 1_00)),
        (STUD | {"bring_in_minor": 25_00}, ("poker_game.bring_in_minor", 20_00)),
        ({"limit": "spread"}, ("poker_game.least_minor", 1_00)),
        ({"limit": "spread", "least_minor": 4_00, "most_minor": 2_00}, ("poker_game.most_minor", 4_00)),
    ):
        field, text = unfit(change)
        assert (field, str(expected[1]) in str(text)) == (expected[0], True), change
    short = PokerGame(buy_in_least_minor=10_00)
    assert [advice.code for advice in short.advice()] == ["poker.buy_in_short"]
    assert PokerGame().advice() == ()


def test_RAK_1_the_fee_that_a_game_names_is_posted_beside_it_and_on_its_chip() -> None:
    rake = RakeSchedule(step_minor=100)
    charge = TimeCharge(half_hour_minor=8_00)
    for fee, beside, field in (
        ("rake", {"rake": rake}, ""),
        ("time", {"time_charge": charge}, ""),
        ("nothing", {}, ""),
        ("rake", {}, "poker_game.fee"),
        ("time", {"time_charge": charge, "rake": rake}, "poker_game.fee"),
        ("nothing", {"rake": rake}, "poker_game.fee"),
        ("rake", {"rake": RakeSchedule(step_minor=50)}, "rake.step_minor"),
        ("time", {"time_charge": TimeCharge(half_hour_minor=8_50)}, "time_charge.half_hour_minor"),
    ):
        posted: dict[str, Posted] = {"poker_game": PokerGame(fee=fee), "poker_rules": PokerRules(), **beside}
        if not field:
            POKER.fit(posted)
            continue
        with pytest.raises(ValueWrong) as caught:
            POKER.fit(posted)
        assert caught.value.data["field"] == field


def test_POK_2_a_buy_in_is_within_the_posted_limits() -> None:
    game = PokerGame()
    assert [check_buy_in(game, minor) for minor in (40_00, 200_00)] == [40_00, 200_00]
    assert check_buy_in(PokerGame(buy_in_most_minor=None), 10_000_00) == 10_000_00
    for amount, code, nearest in (
        (39_00, "poker.buy_in_outside", 40_00),
        (201_00, "poker.buy_in_outside", 200_00),
        (39_50, "poker.buy_in_outside", 40_00),
        (40_50, "poker.off_chip", 40_00),
        (40_51, "poker.off_chip", 41_00),
    ):
        with refused(code, "POK-2") as caught:
            check_buy_in(game, amount)
        assert caught.value.data["nearest_minor"] == nearest
    assert check_buy_in(game, nearest) == nearest
    for bad, why, given in (
        (0, "zero", 0),
        (-100, "negative", -100),
        (10**12, "too large", 10**12),
        (10**18, "too large", 10**18),
        ("4000", "not a whole number", '"4000"'),
        (4000.0, "not a whole number", "4000.0"),
        (None, "not a whole number", "null"),
        (True, "not a whole number", "true"),
    ):
        with refused("poker.amount_refused", "POK-2") as caught:
            check_buy_in(game, bad)
        assert caught.value.data == {"amount": given, "why": why, "least_minor": 1_00, "most_minor": 10**11}


def test_POK_2_a_top_up_reaches_the_least_and_not_above_the_most() -> None:
    """Worked example 38: least 100, most 300."""
    game = PokerGame(
        chip_minor=1, buy_in_least_minor=100, buy_in_most_minor=300, small_blind_minor=1, big_blind_minor=2
    )
    assert [top_up_of(game, stack) for stack in (95, 120, 300, 400)] == [(5, 205), (1, 180), (1, 0), (1, 0)]
    assert [check_top_up(game, 95, amount) for amount in (5, 205)] == [5, 205]
    for stack, amount, code in (
        (95, 4, "poker.top_up_below"),
        (95, 206, "poker.buy_in_above"),
        (300, 1, "poker.buy_in_above"),
        (95, 0, "poker.amount_refused"),
    ):
        with refused(code, "POK-2"):
            check_top_up(game, stack, amount)
