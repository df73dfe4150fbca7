"""The games that a table can deal: the one list. A game that stands here can be set up, opened and
shown, and the rounds of a `BankGame` locked and settled. The first is the one that a new house
begins with.
"""

from payouts.errors import Refused, mark
from tables.games.base import (
    NOBODY,
    BankGame,
    Decision,
    Ended,
    Game,
    HandGame,
    LevelRefused,
    Placed,
    PlacementWrong,
    ResultWrong,
    Rules,
)
from tables.games.blackjack.game import BLACKJACK
from tables.games.poker.game import POKER
from tables.games.uth.game import UTH

GAMES: dict[str, Game] = {game.code: game for game in (UTH, BLACKJACK, POKER)}


class GameUnknown(Refused):
    """A game that this installation does not deal."""

    code = "table.game_unknown"
    sentence = mark("“%(game)s” is not a game of this house.")
    remedy = mark("Choose a game from the list.")


class NoRounds(Refused):
    """A command about a round at a table whose game plays hands."""

    code = "table.no_rounds"
    sentence = mark(
        "At this table guests play “%(game)s” against one another, not against the bank."
    )
    remedy = mark("Choose a table whose game is played against the bank.")


def game_of(code: str) -> Game:
    """The game of this code. Raises GameUnknown."""
    if code not in GAMES:
        raise GameUnknown(game=code)
    return GAMES[code]


def dealt_games() -> list[Game]:
    """The games of the list that a table can be set up for: those with an entry level."""
    return [game for game in GAMES.values() if game.levels]


def bank_game(code: str) -> BankGame:
    """The game of this code, whose rounds can be played. Raises GameUnknown, NoRounds."""
    game = game_of(code)
    if not isinstance(game, BankGame):
        raise NoRounds(game=game.title)
    return game


def bank_games() -> list[BankGame]:
    """The games of the list that play rounds."""
    return [game for game in GAMES.values() if isinstance(game, BankGame)]


__all__ = [
    "GAMES",
    "NOBODY",
    "BankGame",
    "Decision",
    "Ended",
    "Game",
    "GameUnknown",
    "HandGame",
    "LevelRefused",
    "NoRounds",
    "Placed",
    "PlacementWrong",
    "ResultWrong",
    "Rules",
    "bank_game",
    "bank_games",
    "dealt_games",
    "game_of",
]
