"""A whole round with coins: the sum of its parts, from cards and from taps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules.progressive import ProgressiveRules
from payouts.errors import Refused
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import Stake
from payouts.rules.rulesets.paytable import MadeHand
from tables.games.uth.possible import UthTaps
from tables.games.uth.round import RoundRules, check_round, settle_cards, settle_taps, stakes_of
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import Outcome, Result, UthCards, settle
from tables.games.uth.stakes import UthBox
from tests.tables.games.uth.strategies import Case, cases

ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text()
)


def coins_of(case: Case, data: st.DataObject) -> dict[int, int]:
    return dict.fromkeys(data.draw(st.sets(st.sampled_from([box.box for box in case.boxes]))), 500)


@given(cases(), st.data())
def test_a_round_is_the_games_lines_then_a_line_for_each_coin_then_envy(case: Case, data: st.DataObject) -> None:
    coins = coins_of(case, data)
    result = settle_cards(RoundRules(case.game), case.boxes, case.cards, case.plays, coins)
    game = settle(*case).lines
    assert result.lines[: len(game)] == game
    rest = result.lines[len(game) :]
    assert [line.box for line in rest if line.kind == "coin"] == [box.box for box in case.boxes if box.box in coins]
    assert {line.kind for line in rest} <= {"coin", "envy"}
    assert result.unknown == ()


@given(cases(), st.data())
def test_taps_with_every_class_settle_as_the_cards_do(case: Case, data: st.DataObject) -> None:
    coins, rules = coins_of(case, data), RoundRules(case.game)
    by_cards = settle_cards(rules, case.boxes, case.cards, case.plays, coins)
    taps = UthTaps(by_cards.outcomes, dealer_without_pair=by_cards.dealer_pair is False)
    for cards in (None, case.cards):
        tapped = settle_taps(rules, case.boxes, taps, coins, cards)
        assert (tapped.lines, tapped.claims, tapped.royals) == (by_cards.lines, by_cards.claims, by_cards.royals)


@given(cases(), st.data())
def test_stakes_one_by_one_make_the_same_round(case: Case, data: st.DataObject) -> None:
    coins = coins_of(case, data)
    stakes = [stake for box in case.boxes for stake in box.stakes()]
    stakes += [Stake(number, f"g{number}", "coin", amount) for number, amount in coins.items()]
    found = stakes_of(data.draw(st.permutations(stakes)))
    assert found == (tuple(sorted(case.boxes, key=lambda box: box.box)), coins)
    check_round(RoundRules(case.game), found.boxes, found.coins, layout=7)


def test_a_coin_whose_class_nobody_stated_is_reported() -> None:
    box = UthBox(1, "g1", 500, 500)
    result = settle_taps(RoundRules(), [box], UthTaps({1: Outcome(1, Result.WIN)}), {1: 500})
    assert (result.unknown, result.lines[-1].reason.code) == ((1,), "prg.coin_lost")
    stated = settle_taps(
        RoundRules(), [box], UthTaps({1: Outcome(1, Result.WIN, MadeHand(Category.FULL_HOUSE))}), {1: 500}
    )
    assert (stated.unknown, stated.lines[-1].prize_minor) == ((), 5000)


def test_a_coin_needs_its_class_where_the_board_alone_makes_one_that_wins() -> None:
    """PRG-5: four of a kind on the board is in every hand; the coin of a box that nobody stated would be underpaid."""
    boxes = [UthBox(number, f"g{number}", 500, 500) for number in (1, 2)]
    cards = UthCards.parse("2c 2d 2h 2s 4s", "", {1: "9s 8d"})
    taps = {1: Outcome(1, Result.LOSE), 2: Outcome(0, Result.FOLD)}
    with pytest.raises(Refused) as refusal:
        settle_taps(RoundRules(), boxes, UthTaps(taps), {1: 500, 2: 500}, cards)
    assert (refusal.value.code, refusal.value.data["box"]) == ("uth.board_in_every_hand", 2)
    stated = {**taps, 2: Outcome(0, Result.FOLD, MadeHand(Category.FOUR_OF_A_KIND, on_board=True))}
    lines = settle_taps(RoundRules(), boxes, UthTaps(stated), {1: 500, 2: 500}, cards).lines
    assert [line.prize_minor for line in lines if line.kind == "coin"] == [50_000, 50_000]
    assert settle_taps(RoundRules(), boxes, UthTaps(taps), {1: 500}, cards).unknown == ()


def test_a_folded_coin_needs_its_cards_while_side_stakes_survive() -> None:
    box, cards = UthBox(1, "g1", 500, 500), UthCards.parse("2c 7d 9h Jc 4s", "Kd 3h")
    with pytest.raises(Refused) as refusal:
        settle_cards(RoundRules(), [box], cards, {1: 0}, {1: 500})
    assert (refusal.value.code, refusal.value.rule) == ("uth.cards_missing", "HAND-7")
    gone = RoundRules(UthGame(UthRules(side_bets_survive_fold=False)))
    assert settle_cards(gone, [box], cards, {1: 0}, {1: 500}).lines[-1].reason.code == "prg.coin_folded"


@given(
    cases(),
    st.dictionaries(st.one_of(st.integers(0, 8), ANYTHING.filter(lambda value: value == value)), ANYTHING, max_size=3),
)
def test_fuzz_coins(case: Case, coins: dict[object, object]) -> None:
    for rules in (
        RoundRules(case.game),
        RoundRules(case.game, None),
        RoundRules(case.game, ProgressiveRules(coin_minor=1)),
    ):
        for call in (
            lambda rules=rules: check_round(rules, case.boxes, coins),  # type: ignore[misc]
            lambda rules=rules: settle_cards(rules, case.boxes, case.cards, case.plays, coins),  # type: ignore[misc]
        ):
            try:
                call()
            except Refused as refusal:
                assert refusal.code.startswith("uth.")
                assert refusal.text()
                assert refusal.rule == "PRG-1"


@given(st.lists(st.builds(Stake, ANYTHING, ANYTHING, st.sampled_from(["ante", "blind", "coin"]), ANYTHING), max_size=3))
def test_fuzz_stakes(stakes: list[Stake]) -> None:
    for given_ in (stakes, [Stake(1, "g", "ante", 500), Stake(1, "g", "blind", 500), *stakes]):
        try:
            found = stakes_of(given_)
            check_round(RoundRules(), found.boxes, found.coins)
        except Refused as refusal:
            assert refusal.text()
