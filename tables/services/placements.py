"""What a list of placements brings to a round: each as `round_place` takes one, on what lies there
before it. For rounds that were played without the server: who decided is not asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from payouts.errors import Refused, mark
from tables.errors import TooManyStakes
from tables.games import Placed, PlacementWrong, game_of
from tables.services.evaluate import stakes_of
from tables.services.lock import STAKES_MOST
from tables.services.parts import rules_of

PLACEMENTS = mark("a list of stakes in their order")


def read_placements(raw: object) -> Sequence[object]:
    """The list; each is read by its game. Raises PlacementWrong, TooManyStakes."""
    if not isinstance(raw, list | tuple):
        raise PlacementWrong(field="placed", expected=PLACEMENTS)
    if len(raw) > STAKES_MOST:
        raise TooManyStakes(count=len(raw), most=STAKES_MOST)
    return raw


def stakes_placed(record: Mapping[str, Any], raw: object) -> list[Placed]:
    """The stakes that the placements bring on those of a recorded round's lock. Raises
    PlacementWrong, TooManyStakes, and what the game refuses.
    """
    laid, _later = stakes_of(record)
    game, rules = game_of(record["game"]), rules_of(record["versions"])
    found: list[Placed] = []
    for placement in read_placements(raw):
        found.append(game.place(rules, laid, found, placement, lambda _box, _away: None))
    return found


def placements_stand(record: Mapping[str, Any], raw: object) -> bool:
    """Whether a recorded round has just the later stakes that the placements bring."""
    try:
        return stakes_of(record)[1] == stakes_placed(record, raw)
    except Refused:
        return False
