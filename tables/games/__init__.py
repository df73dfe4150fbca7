"""The games that a table can deal: the one list. A game that stands here can be set up, opened,
locked, settled and shown. The first is the one that a new house begins with.
"""

from payouts.errors import Refused, mark
from tables.games.base import (
    NOBODY,
    Decision,
    Ended,
    Game,
    LevelRefused,
    Placed,
    PlacementWrong,
    ResultWrong,
    Rules,
)
from tables.games.blackjack.game import BLACKJACK
from tables.games.uth.game import UTH

GAMES: dict[str, Game] = {game.code: game for game in (UTH, BLACKJACK)}


class GameUnknown(Refused):
    """A game that this installation does not deal."""

    code = "table.game_unknown"
    sentence = mark("“%(game)s” is not a game of this house.")
    remedy = mark("Choose a game from the list.")


def game_of(code: str) -> Game:
    """The game of this code. Raises GameUnknown."""
    if code not in GAMES:
        raise GameUnknown(game=code)
    return GAMES[code]


__all__ = [
    "GAMES",
    "NOBODY",
    "Decision",
    "Ended",
    "Game",
    "GameUnknown",
    "LevelRefused",
    "Placed",
    "PlacementWrong",
    "ResultWrong",
    "Rules",
    "game_of",
]
