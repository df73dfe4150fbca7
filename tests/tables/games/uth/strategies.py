"""Rounds of Ultimate Texas Hold'em for hypothesis: boxes, cards and decisions that the rules allow."""

from typing import NamedTuple

from hypothesis import strategies as st

from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.odds import Odds
from payouts.rules.rulesets.paytable import PayLine, Paytable
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import UthCards
from tables.games.uth.stakes import UthBox

# Boards and decks on which royals, straight flushes and full houses are common; a random deal shows them too rarely.
RICH = [48, 44, 40, 36, 32, 28, 51, 50, 49, 47, 46, 45, 0, 1, 2, 3, 4, 8, 12, 16, 20, 24, 33, 37, 41]


class Case(NamedTuple):
    """A round that may be settled."""

    game: UthGame
    boxes: tuple[UthBox, ...]
    cards: UthCards
    plays: dict[int, int]


@st.composite
def games(draw: st.DrawFn) -> UthGame:
    """Games with every Open either way, and paytables of their own."""
    rules = UthRules(
        no_play=draw(st.sampled_from(["fold", "showdown"])),
        side_bets_survive_fold=draw(st.booleans()),
        odds_round_to=draw(st.sampled_from([1, 50, 500])),
        odds_round=draw(st.sampled_from(["down", "up"])),
    )
    return UthGame(rules, draw(paytables()), draw(paytables()))


@st.composite
def paytables(draw: st.DrawFn) -> Paytable:
    """Any paytable of up to five classes."""
    classes = draw(st.lists(st.sampled_from(list(Category)), min_size=1, max_size=5, unique=True))
    odds = st.builds(Odds, st.integers(1, 500), st.integers(1, 5))
    return Paytable(lines=tuple(PayLine(hand=hand, odds=draw(odds)) for hand in classes))


@st.composite
def cases(draw: st.DrawFn, game: st.SearchStrategy[UthGame] | None = None) -> Case:
    """A round of one to seven boxes with all its cards."""
    chosen = draw(games() if game is None else game)
    numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
    rich = draw(st.booleans())
    deck = draw(st.permutations(RICH if rich else range(52)))
    boxes, plays, holes = [], {}, {}
    for place, number in enumerate(numbers):
        ante = draw(st.integers(1, 10)) * 500
        trips = draw(st.integers(0, 10)) * 500
        blind_play = draw(st.sampled_from([0, 0, 0, 1, 2, 3, 4]))
        boxes.append(UthBox(number, f"g{number}", ante, ante, trips, blind_play))
        plays[number] = blind_play or draw(st.sampled_from([0, 1, 2, 3, 4]))
        holes[number] = tuple(deck[7 + 2 * place : 9 + 2 * place])
    return Case(chosen, tuple(boxes), UthCards(tuple(deck[:5]), tuple(deck[5:7]), holes), plays)
