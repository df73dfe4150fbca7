"""The book's POK-4 and POK-5 as a hand is entered: who has the button, what is posted, who opens."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any

import pytest

from payouts.errors import Refused
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier
from tables.games.poker.entered import HandRuling, PotsEntry, play
from tables.games.poker.posts import check_posts
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Betting, Street

POSTED = {"chip_minor": 1, "small_blind_minor": 1, "big_blind_minor": 2, "bring_in_minor": 1, "ante_minor": 1}
GAME = PokerGame(**POSTED, buy_in_least_minor=40, buy_in_most_minor=None)
RAKE = RakeSchedule(tiers=(RakeTier(fixed_minor=1),), step_minor=1)
ALL_CHECK = PokerRules(first_round_check=True)


def ruling(variant: str = "holdem", house: PokerRules | None = None) -> HandRuling:
    return HandRuling(GAME, house or PokerRules(), HandRules(), RAKE, variant)


def entry(*streets: Street, stacks: Any = (50, 50, 50), button: int = 1, **more: Any) -> PotsEntry:
    """Seats 1, 3 and 5, or the first of them."""
    betting = Betting(streets, more.pop("dead", {}))
    return PotsEntry((1, 3, 5)[: len(stacks)], stacks, button, betting, **more)


def refusal(entered: PotsEntry, by: HandRuling) -> tuple[str, dict[str, object]] | None:
    try:
        check_posts(entered, by)
    except Refused as caught:
        return caught.code, dict(caught.data)
    return None


def test_POK_5_the_button_is_at_a_seat_that_is_dealt_in_and_stud_has_none() -> None:
    for variant, button, seat in (
        ("holdem", 1, None),
        ("holdem", 5, None),
        ("holdem", 2, 2),
        ("holdem", 0, "–"),
        ("draw", 0, "–"),
        ("stud", 0, None),
        ("stud", 1, 1),
    ):
        refused = refusal(entry(Street(2), button=button), ruling(variant))
        assert (refused and (refused[0], refused[1]["seat"])) == (seat and ("poker.button_wrong", seat)), (
            variant,
            button,
        )


def test_POK_4_blinds_and_the_bring_in_are_posted() -> None:
    """By who follows the button, of two players the small one by who has it; as far as the stack goes."""
    free = PokerRules(button_posts_small=False)
    for variant, house, entered, wanted in (
        ("holdem", None, entry(Street(4, {1: 0, 3: 1})), None),
        ("holdem", None, entry(Street(4, {3: 0})), ("poker.post_wrong", (3, 0, 1))),
        ("holdem", None, entry(Street(4, {5: 1})), ("poker.post_wrong", (5, 1, 2))),
        ("holdem", None, entry(Street(4, {3: 0}), stacks=(50, 50)), ("poker.post_wrong", (3, 0, 2))),
        ("holdem", free, entry(Street(4, {3: 0}), stacks=(50, 50)), ("poker.post_wrong", (3, 0, 1))),
        ("holdem", None, entry(Street(1)), ("poker.post_missing", (1, 2))),
        ("holdem", None, entry(), ("poker.post_missing", (0, 2))),
        ("holdem", None, entry(Street(1), stacks=(2, 2, 2)), None),
        ("holdem", None, entry(stacks=(1, 1, 1)), None),
        ("stud", None, entry(Street(1, {3: 0}), button=0), None),
        ("stud", None, entry(Street(0), button=0), ("poker.post_missing", (0, 1))),
        ("draw", ALL_CHECK, entry(Street(1, {3: 0})), None),
    ):
        refused = refusal(entered, ruling(variant, house))
        assert (refused and (refused[0], tuple(refused[1].values()))) == wanted, entered


def test_POK_4_dead_chips_are_a_missed_small_blind() -> None:
    for variant, house, minor, most in (
        ("holdem", None, 1, None),
        ("holdem", None, 2, 1),
        ("stud", None, 1, 0),
        ("draw", ALL_CHECK, 1, 0),
        ("holdem", PokerRules(missed_blinds="free"), 1, 0),
    ):
        entered = entry(Street(2), dead={5: minor}, button=0 if variant == "stud" else 1)
        wanted = {"seat": 5, "amount_minor": minor, "most_minor": most}
        assert refusal(entered, ruling(variant, house)) == (None if most is None else ("poker.dead_above", wanted))


def test_POK_4_a_draw_that_nobody_opened_was_passed() -> None:
    """But where a guest is all-in by the ante, or is left alone."""
    missing = ("poker.opener_missing", {"variant": "Five Card Draw"})
    for entered, wanted in (
        (entry(Street(0), Street(4)), missing),
        (entry(Street(0, {1: 0}), Street(0)), missing),
        (entry(), missing),
        (entry(Street(4), Street(0)), None),
        (entry(Street(0, {1: 0, 3: 0})), None),
        (entry(Street(0), Street(4), stacks=(50, 50, 1)), None),
        (entry(passed=True), None),
    ):
        assert refusal(entered, ruling("draw", ALL_CHECK)) == wanted, entered


@pytest.mark.parametrize(("house", "fee"), [(PokerRules(), 0), (ALL_CHECK, 1)], ids=["blinds", "antes alone"])
def test_POK_4_RAK_3_who_opens_where_antes_alone_are_posted_has_no_walk(house: PokerRules, fee: int) -> None:
    entered = entry(Street(2, {1: 0, 3: 1}), winners=(PotWinners((5,)),))
    played = play(entered, ruling("draw", house))
    assert (played.course.walk, played.settled.pots[0].rake_minor) == (not fee, fee)
