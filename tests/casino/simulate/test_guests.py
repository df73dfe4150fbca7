"""Guests with habits, playing the cards that they see (UTH-3, UTH-9): each hand by the usual book, each habit as it is told."""

from itertools import islice
from types import SimpleNamespace

from casino.simulate.cards import luck
from casino.simulate.games.uth.guests import HABITS, Habit, decide, stake
from casino.simulate.games.uth.plan import UthPlan
from casino.simulate.plan import FAST, OFFLINE
from tests.casino.simulate.test_sums import GAME, JACKPOT, cards
from tests.turns import each

CAREFUL, REGULAR, HUNTER, ROLLER, _TRIPS = HABITS
BOLD = Habit("always brave", (0, 0), 0, 0, 100, 0)
DULL = "9c 7h 4d 2s Tc"  # no pair with what is held below, nothing to a flush

HANDS = [  # held, lying, the Play that a careful guest makes
    ("3s 3d", DULL, 4),
    ("As 3h", DULL, 4),
    ("Ks 5d", DULL, 4),
    ("Ks 3s", DULL, 4),
    ("Qs 8d", DULL, 4),
    ("Qs 6s", DULL, 4),
    ("Js Td", DULL, 4),
    ("Js 8s", DULL, 4),  # before the flop
    ("2s 2d", "9c 7h 4d Kc Js", 1),
    ("Qs 7d", "9c 5h 4d 2s Kc", 0),
    ("Js 6s", "9c 7h 4d 2c Kc", 0),  # one rank too low
    ("9s 5d", "9c 7h 4d 2s Kc", 2),
    ("8s 3d", "8c 3h Kd 2s Jc", 2),  # a pair of his own on the flop, two pair
    ("5s 3d", "9c 9h 7d 2s Kc", 0),  # the pair that lies there is everybody's
    ("2s 7d", "2c 9h Kd 4s Jc", 1),  # a pair of twos is not raised, and called at the end
    ("Ts 4d", "9s 6s 2s Kd Jc", 2),
    ("9s 4d", "8s 6s 2s Kd Jc", 0),  # four to a flush with a ten; with a nine
    ("3c 2d", "9s Ts Jh Qc Kd", 1),  # a straight for everybody: the Blind is not lost
    ("Kd 3c", "9s 7s 2h 8c Ad", 1),
    ("Kd 3c", "9s 7s 2s 8s Ad", 0),
    ("Qd 3c", "9s 7s 2h 8c Ad", 0),  # a king is called with, but not against four of a suit
]


@each(("held", "lying", "play"), HANDS)
def test_a_careful_guest_plays_by_the_book(held: str, lying: str, play: int) -> None:
    plays = {decide(luck(seed), GAME, CAREFUL, cards(held), cards(lying)) for seed in range(20)}
    assert plays == {play}


def test_a_brave_guest_raises_what_others_check_and_never_folds() -> None:
    raised = {decide(luck(seed), GAME, BOLD, cards("Js 2d"), cards(DULL)) for seed in range(20)}
    assert raised == {3, 4}
    assert decide(luck(1), GAME, BOLD, cards("6s 3d"), cards("9c 9h 7d 2s Kc")) == 1


def test_where_the_house_has_other_multiples_the_highest_and_the_lowest_of_them_are_played() -> None:
    rules = SimpleNamespace(multiples=(3, 2))
    assert decide(luck(1), rules, CAREFUL, cards("As Ad"), cards(DULL)) == 3
    assert decide(luck(1), rules, CAREFUL, cards("2s 7d"), cards("2c 9h Kd 4s Jc")) == 2


@each(
    ("habit", "amounts"),
    [(CAREFUL, {500}), (ROLLER, {3000, 3500, 4000, 4500, 5000}), (REGULAR, {500, 1000, 1500, 2000})],
)
def test_each_stakes_where_his_habit_lies(habit: Habit, amounts: set[int]) -> None:
    assert {stake(luck(seed), habit, GAME.ante, GAME.step) for seed in range(200)} == amounts


def test_a_jackpot_hunter_always_has_a_coin_and_others_not() -> None:
    habit_of, laid = {}, {one.name: set() for one in HABITS}
    for number in range(1, 7):
        for one in islice(UthPlan(3, number, 7, FAST, GAME, JACKPOT).rounds(), 60):
            habit_of |= {guest.name: guest.habit.name for guest in one.comes}
            for box in one.boxes if one.mishap != OFFLINE else ():
                laid[habit_of[box.guest]].add(box.coin)
    assert laid.pop(HUNTER.name) == {True}
    assert set(map(frozenset, laid.values())) == {frozenset({True, False})}
