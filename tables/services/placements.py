"""What a list of placements brings to a round: each as `round_place` takes one, on what lies there
before it. For rounds that were played without the server: who decided is not asked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from payouts.errors import Refused, mark
from tables.errors import TooManyStakes
from tables.games import Placed, PlacementWrong, game_of
from tables.rules.boxes import PUT_RIGHT
from tables.services.lock import STAKES_MOST
from tables.services.parts import rules_of
from tables.services.staked import (
    number_after,
    placed_of,
    row_back,
    row_placed,
    rows_after,
    stakes_of,
)

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


def stakes_put_right(record: Mapping[str, Any], raw: object) -> list[dict[str, Any]]:
    """The rows by which a settled round has just the later stakes that the placements bring: first
    those that take back what did not lie there, then what was missing; what did stays. Raises as
    `stakes_placed`.
    """
    missing = stakes_placed(record, raw)
    number, revision = number_after(record), record["revision"] + 1
    rows: list[dict[str, Any]] = []
    for row in rows_after(record):
        if placed_of(row) in missing:
            missing.remove(placed_of(row))
        else:
            rows.append(row_back(number + len(rows), row, PUT_RIGHT, revision))
    new = enumerate(missing, number + len(rows))
    return [*rows, *(row_placed(place, one, revision) for place, one in new)]


def placements_stand(record: Mapping[str, Any], raw: object, *, ever: bool = False) -> bool:
    """Whether a recorded round has just the later stakes that the placements bring, or (`ever`) had
    them by one of its results; in their order, unless a correction has put them right, since which
    nobody knows it.
    """
    results = range(1, record["revision"] + 1) if ever else (None,)
    lay = [stakes_of(record, one)[1] for one in results]
    try:
        brought = stakes_placed(record, raw)
    except Refused:
        return False
    corrected = any(row["placed"] and row["revision"] for row in record["stakes"])
    return brought in lay or (corrected and Counter(brought) in map(Counter, lay))
