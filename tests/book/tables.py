"""Short ways to lay a round of Ultimate Texas Hold'em, for the tests of the book."""

from collections.abc import Mapping

import pytest

from payouts.errors import Refused
from payouts.rules.hands.cards import Cards
from payouts.rules.lines import StakeLine
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import Settlement, UthCards, settle
from tables.games.uth.stakes import UthBox

GAME = UthGame()
# A board that helps nobody: no pair, no three to a straight, no three of a suit.
DRY = "2c 7d 9h Jc 4s"


def refused(code: str, rule: str) -> "pytest.RaisesExc[Refused]":
    """A block that must be refused with this code, by this rule."""
    return pytest.raises(Refused, check=lambda error: (error.code, error.rule) == (code, rule))


def box(number: int = 1, *, ante: int = 15_00, trips: int = 0, blind_play: int = 0, guest: str = "") -> UthBox:
    """A box with Ante and Blind; every box has a guest of its own unless one is named."""
    return UthBox(number, guest or f"g{number}", ante, ante, trips, blind_play)


def settled(
    board: str,
    dealer: str,
    hole: str,
    play: int = 1,
    *,
    trips: int = 0,
    ante: int = 15_00,
    rules: UthRules | None = None,
) -> Settlement:
    """One box against the dealer."""
    game = GAME if rules is None else UthGame(rules)
    return settle(game, [box(ante=ante, trips=trips)], UthCards.parse(board, dealer, {1: hole}), {1: play})


def by_kind(result: Settlement, number: int = 1) -> dict[str, StakeLine]:
    """The lines of one box by the kind of stake."""
    return {line.kind: line for line in result.lines if line.box == number}


def nets(result: Settlement, number: int = 1) -> dict[str, int]:
    """What each stake of a box gains or loses."""
    return {kind: line.net_minor for kind, line in by_kind(result, number).items()}


def round_of(holes: Mapping[int, Cards], board: str = DRY, dealer: str = "Kd 3h") -> UthCards:
    """Cards of several boxes."""
    return UthCards.parse(board, dealer, holes)
