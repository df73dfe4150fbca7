"""Poker on the screens: its hands are entered on a tablet."""

from casino.games.poker import tablet
from payouts.rules.plain import Json
from tables.games import Game, Rules

PLAY = "hand/play"
TABLET = "poker/game"
tablet_texts = tablet.tablet_texts


def surface(game: Game, rules: Rules) -> dict[str, Json]:
    """As `tablet.poker_data`."""
    return tablet.poker_data(rules)
