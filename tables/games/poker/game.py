"""Poker on the floor: seats, what is posted for its tables, and what stands on their sign."""

from collections.abc import Mapping

from payouts.errors import mark
from payouts.rules.lines import Reason
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables.games.base import HandGame
from tables.games.poker import labels
from tables.games.poker.irregular import HAND_DECISIONS, LISTED
from tables.games.poker.rules import FEES, PokerGame, PokerRules
from tables.games.poker.variants import SEATS_MOST, VARIANTS


class Poker(HandGame):
    """The variants of POK-1."""

    code = "poker"
    title = mark("Poker")
    posted: tuple[str, ...] = ("poker_game", "poker_rules", "hand_rules")
    optional = tuple(FEES.values())
    kinds: tuple[TableKind, ...] = (
        TableKind("poker_game", mark("Game of a poker table"), PokerGame()),
        TableKind("poker_rules", mark("House rules of poker"), PokerRules()),
    )
    levels: Mapping[str, str] = {"rake_only": mark("Rake only"), "pots": mark("Pots")}
    boxes_most = SEATS_MOST
    stacks = True
    pace = (10, 60)
    reasons: Mapping[str, Reason] = {}
    stakes: Mapping[str, str] = {}
    fields = labels.FIELDS
    choices = labels.CHOICES
    logged = labels.LOGGED
    words: Mapping[str, Mapping[str, str]] = {
        "chips": {
            "buy_in": mark("buy-in"),
            "top_up": mark("top-up"),
            "tip": mark("tip"),
            "time": mark("time charge"),
        },
        "variant": {code: variant.title for code, variant in VARIANTS.items()},
        "means": {
            "cash": mark("cash"),
            "chips": mark("chips from the pocket"),
            "stack": mark("chips on the table"),
        },
    }
    places = labels.PLACES
    irregularities = LISTED
    decisions = HAND_DECISIONS
    sign_kind = "poker_game"

    def sign(self, posted: Posted) -> tuple[int, int | None]:
        """The least and the greatest buy-in (POK-2)."""
        game = _poker_game(posted)
        return game.buy_in_least_minor, game.buy_in_most_minor

    def places_at(self, posted: Posted) -> int:
        """As many as its deck feeds, or fewer (POK-1)."""
        return _poker_game(posted).seats

    def fit(self, posted: Mapping[str, Posted]) -> None:
        """As `PokerGame.fit_fees`."""
        game = posted["poker_game"]
        if isinstance(game, PokerGame):
            game.fit_fees(posted)


def _poker_game(posted: Posted) -> PokerGame:
    if not isinstance(posted, PokerGame):
        raise TypeError(f"{posted.KIND} is no game of poker")
    return posted


POKER = Poker()
