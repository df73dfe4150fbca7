"""The simulator's book of a poker table: the rake by the rules (RAK-1, RAK-3), and whatever the service has otherwise."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from casino.simulate.books.compare import Books
from casino.simulate.books.poker import (
    AMOUNTS,
    HAND,
    VOIDED,
    Answers,
    ChipsMoved,
    GuestStay,
    PostedAtTable,
    RakedHand,
    Recorded,
    TableBook,
    fee,
)
from casino.simulate.books.results import FIGURES
from casino.simulate.poker.plan import EVERY, LESS, MISHAPS, MISTAPPED, luck_of, mishap_of, plan_hand
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier, rake
from tests.turns import each

FIVE = RakeTier(percent_bp=500, cap_minor=1000)
SCHEDULES = {
    "5 % to 10": RakeSchedule(step_minor=100),
    "also without a flop": RakeSchedule(step_minor=100, no_flop_no_drop=False),
    "a fixed fee without a flop": RakeSchedule(step_minor=100, no_flop_no_drop=False, no_flop_minor=300),
    "fixed, from 20 on": RakeSchedule(tiers=(RakeTier(fixed_minor=250),), minimum_pot_minor=2000),
    "by players and pot": RakeSchedule(
        tiers=(
            RakeTier(players_from=3, percent_bp=1000),
            RakeTier(players_from=5, percent_bp=500, cap_minor=600),
            RakeTier(players_from=5, pot_from_minor=20_000, fixed_minor=900),
        )
    ),
}
POSTED = PostedAtTable(
    chip=100, blind=200, seats=9, buy_in_least=4000, buy_in_most=20_000, tips_from_stack=True, less_booked=True,
    rake=SCHEDULES["5 % to 10"].to_data(),
)  # fmt: skip


@each(
    ("pot", "players", "flop", "walk", "posted"),
    [
        (5_900, 6, True, False, 200),  # 2.95, down to whole chips
        (20_000, 6, True, False, 1_000),
        (50_000, 2, True, False, 1_000),
        (50_000, 6, False, False, 0),  # no flop, no drop
        (200, 6, False, True, 0),
        (1_900, 6, True, False, 0),
    ],
)
def test_rak_1_and_3_what_is_posted_for_a_pot(pot: int, players: int, flop: bool, walk: bool, posted: int) -> None:
    assert fee(POSTED.rake, pot, players=players, flop=flop, walk=walk) == posted


@each("name", SCHEDULES)
def test_our_sums_of_the_rake_are_those_of_the_house(name: str) -> None:
    schedule = SCHEDULES[name]
    pots = (1, 100, 249, 250, 1_999, 2_000, 5_950, 11_999, 12_000, 19_999, 20_000, 123_456)
    for pot, players, flop, walk in product(pots, (2, 3, 4, 5, 9), (True, False), (True, False)):
        theirs = rake(schedule, [pot], players=players, flop=flop, walk=walk).total_minor
        assert fee(schedule.to_data(), pot, players=players, flop=flop, walk=walk) == theirs


def played(number: int, rake_minor: int, **other: Any) -> RakedHand:
    body = {"dealt": ["a", "b", "c"], "flop": True, "walk": False}
    return RakedHand(f"hand {number}", number, body, rake_minor, **other)


def evening() -> TableBook:
    """Hands by key and by pot, one put right, one with less than posted, one void; one guest leaves, one changes tables, one comes
    from there, and a chip is lost.
    """
    hands = [
        played(1, 300),
        played(2, 600, pot_minor=12_000, posted_minor=600),
        played(3, 400, pot_minor=8_000, posted_minor=400, revision=2),
        played(4, 500, pot_minor=12_000, posted_minor=600),
        played(5, 300, state=VOIDED),
    ]
    first = [ChipsMoved("buy_in", "cash", 10_000), ChipsMoved("top_up", "cash", 4_000)]
    stays = [
        GuestStay("a", 1, [*first, ChipsMoved("tip", "stack", 100), ChipsMoved("out", "", 15_100)]),
        GuestStay("b", 2, [ChipsMoved("buy_in", "cash", 5_000), ChipsMoved("moved_out", "", 3_000)]),
        GuestStay("c", 4, [ChipsMoved("moved_in", "", 2_000), ChipsMoved("out", "", 900)]),
    ]
    return TableBook("Poker 1", hands, stays, {"a": 1, "c": 4}, lost=100)


def answers(book: TableBook) -> Answers:
    """What the API would answer."""
    return Answers(
        stays={"a": {"bought_minor": 14_000}, "b": {"bought_minor": 5_000}, "c": {"bought_minor": 2_000}},
        leaving={
            "a": {"counted_minor": 15_100, "difference_minor": 1_100, "time_minor": 0},
            "c": {"counted_minor": 900, "difference_minor": -1_100, "time_minor": 0},
        },
        seats=[{"id": "a", "seat": 1}, {"id": "c", "seat": 4}],
        hands={hand.id: {part: getattr(hand, part) for part in (*HAND, *AMOUNTS)} for hand in book.hands},
    )


def recorded() -> Recorded:
    """What its reports would have."""
    return Recorded(
        results=dict.fromkeys(FIGURES, 0) | {"drop": 19_000, "rake": 1_800, "tips": 100},
        rake={"hands": 4, "known": 3, "rake": 1_800, "checked": 1_500, "posted": 1_600, "difference": -100},
        less=[4],
        cleared=[100],
        emptied=1,
    )


def differences(spoil: Callable[[TableBook, Answers, Recorded], object] = lambda *_parts: None) -> list[str]:
    book = evening()
    parts = book, answers(book), recorded()
    spoil(*parts)
    books: Any = Books([], rules=None)  # type: ignore[arg-type]
    book.compare(*parts[1:], books.same)
    return list(books.differences)


def test_an_evening_as_our_book_has_it_differs_in_nothing() -> None:
    assert differences() == []
    assert evening().totals() == {
        "hands": 4, "bought": 19_000, "moved_in": 2_000, "moved_out": 3_000, "left": 16_000, "rake": 1_800,
        "time_charge": 0, "tips": 100, "lost": 100,
    }  # fmt: skip


SPOILED: dict[str, tuple[Callable[[TableBook, Answers, Recorded], object], list[str]]] = {
    "a wrong rake": (
        lambda _book, answers, _recorded: answers.hands["hand 2"].update(rake_minor=500),  # type: ignore[attr-defined]
        ["Poker 1, hand 2: rake_minor: the service says 500, our books 600"],
    ),
    "a hand is missing": (
        lambda _book, answers, _recorded: answers.hands.pop("hand 1"),
        [
            f"Poker 1, hand 1: {figure}: the service says None, our books {ours!r}"
            for figure, ours in (("number", 1), ("state", "ended"), ("revision", 1), ("players", 3), ("flop", True),
                                 ("walk", False), ("rake_minor", 300))
        ],
    ),
    "a correction is missing": (
        lambda _book, answers, _recorded: answers.hands["hand 3"].update(revision=1),  # type: ignore[attr-defined]
        ["Poker 1, hand 3: revision: the service says 1, our books 2"],
    ),
    "a void hand counts": (
        lambda _book, answers, _recorded: answers.hands["hand 5"].update(state="ended"),  # type: ignore[attr-defined]
        ["Poker 1, hand 5: state: the service says 'ended', our books 'voided'"],
    ),
    "a hand that nobody played": (
        lambda _book, _answers, recorded: recorded.rake.update(hands=5),  # type: ignore[attr-defined]
        ["Poker 1: hands by the report of the rake: the service says 5, our books 4"],
    ),
    "less than posted, not named": (
        lambda _book, _answers, recorded: recorded.less.clear(),  # type: ignore[attr-defined]
        ["Poker 1: hands with less than posted: the service says [], our books [4]"],
    ),
    "a buy-in twice": (
        lambda _book, answers, recorded: (answers.stays["a"].update(bought_minor=24_000),  # type: ignore[attr-defined]
                                          recorded.results.update(drop=29_000)),  # type: ignore[attr-defined]
        [
            "Poker 1, seat 1: bought: the service says 24000, our books 14000",
            "Poker 1: drop recorded: the service says 29000, our books 19000",
        ],
    ),
    "a chip is lost of which our book knows nothing": (
        lambda book, _answers, _recorded: setattr(book, "lost", 0),
        [
            "Poker 1: cleared when all had left: the service says [100], our books []",
            "Poker 1: how often the pit was told of it: the service says 1, our books 0",
            "Poker 1: chips that came and that went: the service says 21000, our books 20900",
        ],
    ),
    "a lost chip of which the pit hears nothing": (
        lambda _book, _answers, recorded: setattr(recorded, "emptied", 0),
        ["Poker 1: how often the pit was told of it: the service says 0, our books 1"],
    ),
    "a guest leaves with another amount": (
        lambda _book, answers, _recorded: answers.leaving["c"].update(difference_minor=-1_000),  # type: ignore[attr-defined]
        ["Poker 1, seat 4: difference: the service says -1000, our books -1100"],
    ),
    "a guest who is gone sits there": (
        lambda _book, answers, _recorded: answers.seats.append({"id": "b", "seat": 2}),  # type: ignore[attr-defined]
        ["Poker 1: who sat there at the end: the service says {'a': 1, 'c': 4, 'b': 2}, our books {'a': 1, 'c': 4}"],
    ),
    "tips": (
        lambda _book, _answers, recorded: recorded.results.update(tips=0),  # type: ignore[attr-defined]
        ["Poker 1: tips recorded: the service says 0, our books 100"],
    ),
}  # fmt: skip


@each("what", SPOILED)
def test_whatever_else_the_service_has_is_a_sentence(what: str) -> None:
    spoil, sentences = SPOILED[what]
    assert differences(spoil) == sentences


# What the seed plans
def test_each_mishap_comes_before_any_comes_again_and_the_same_seed_has_the_same() -> None:
    for seed in range(20):
        first = [mishap_of(seed, "Poker 1", number) for number in range(1, len(MISHAPS) * EVERY + 1)]
        assert sorted(filter(None, first)) == sorted(MISHAPS)
        assert first == [mishap_of(seed, "Poker 1", number) for number in range(1, len(first) + 1)]


@pytest.mark.parametrize("guests", [2, 6, 9])
def test_a_hand_as_planned_has_two_players_at_least_and_chips_of_the_table(guests: int) -> None:
    for number in range(300):
        hand = plan_hand(luck_of(1, "Poker 1", number), POSTED, guests)
        assert 2 <= len(hand.dealt) == len({*hand.dealt}) == len(hand.chips) <= guests
        assert not any(chips % POSTED.chip for chips in hand.chips)
        assert not (hand.walk and hand.flop)
        for mishap in (LESS, MISTAPPED):  # there is something to drop less of
            pays = plan_hand(luck_of(1, "Poker 1", number), POSTED, guests, mishap=mishap)
            assert fee(POSTED.rake, pays.pot, players=len(pays.dealt), flop=pays.flop, walk=pays.walk) >= 100
