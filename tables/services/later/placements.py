"""What a list of placements brings to a round: each as `round_place` takes one, on what lies there
before it. For rounds that were played without the server: who decided is not asked; and for
corrections, where it is by who is there now. A correction names by its number what lies there
already and stays.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from payouts.errors import Refused, mark
from tables.errors import TooManyStakes
from tables.games import Placed, PlacementWrong, bank_game
from tables.games.base import Decider, Entered
from tables.rules.boxes import PUT_RIGHT, DeciderUnclear, NobodyDecides
from tables.services.later.came import entered_of
from tables.services.later.staked import (
    number_after,
    placed_of,
    row_back,
    row_placed,
    rows_after,
    stakes_of,
)
from tables.services.parts import rules_of
from tables.services.rounds.decide import decider_of
from tables.services.rounds.lock import STAKES_MOST

PLACEMENTS = mark("a list of stakes in their order")
A_STAKE = mark("the number of a stake that came after the lock and lies there")


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
    locked, _later = stakes_of(record)
    game = bank_game(record["game"])
    rules = rules_of(record["versions"])
    brought: list[Placed] = []
    entered: list[Entered] = []
    for placement in read_placements(raw):
        placed = game.place(
            rules, locked, brought, placement, lambda _box, _away: None, entered=entered
        )
        brought.append(placed)
        entered.append((placed.stake.box, game.particulars(placement)))
    return brought


def guests_deciding(record: Mapping[str, Any], raw: object) -> set[str]:
    """The guests who decide, by the places of this moment, about stakes that a correction adds."""
    decided: set[str] = set()

    def decides(box: int, away: frozenset[str]) -> str | None:
        guest = _decided(record, box, away)
        decided.update({guest} if guest else ())
        return guest

    placements = read_placements(raw)
    lay = rows_after(record)
    numbers = _numbers_named(placements, lay)
    stay = [row for row in lay if row["placed"] in numbers]
    _put_right(record, stay, [part for part in placements if number_named(part) is None], decides)
    return decided


def _put_right(
    record: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    placements: Sequence[object],
    decider: Decider | None = None,
) -> list[Placed]:
    """The stakes that the placements of a correction bring on those of the lock and what stays of
    what came later, `rows`.
    """
    decider = decider or partial(_decided, record)
    stay = [placed_of(row) for row in rows]
    before = _ever_lay(record)
    locked, _later = stakes_of(record)
    game = bank_game(record["game"])
    rules = rules_of(record["versions"])
    game.check_later(rules, locked, stay, before)
    lies = [*stay]
    entered = entered_of({**record, "stakes": rows})
    for placement in placements:
        placed = game.place(rules, locked, lies, placement, decider, entered=entered)
        lies.append(placed)
        entered.append((placed.stake.box, game.particulars(placement)))
    game.check_later(rules, locked, lies, before)
    return lies[len(stay) :]


def _ever_lay(record: Mapping[str, Any]) -> list[Placed]:
    """What came after the lock by any of the round's results, in its order."""
    lay = {
        row["placed"]: placed_of(row)
        for result in range(1, record["revision"] + 1)
        for row in rows_after(record, result)
    }
    return [lay[number] for number in sorted(lay)]


def _decided(record: Mapping[str, Any], box: int, away: frozenset[str]) -> str | None:
    """Who decides for the box by the places of this moment; None where nobody knows it."""
    try:
        return None if record["queued"] else decider_of(record, box, away)
    except (NobodyDecides, DeciderUnclear):
        return None


def stakes_put_right(record: Mapping[str, Any], raw: object) -> list[dict[str, Any]]:
    """The rows by which a settled round has just the later stakes that are named by their number,
    which are not asked again, and those that the placements bring on them: first those that take
    back what did not lie there, then what was missing; what did stays. Raises as `stakes_placed`.
    """
    sent, lay = read_placements(raw), rows_after(record)
    numbers = _numbers_named(sent, lay)
    stay = [row for row in lay if row["placed"] in numbers]
    missing = _put_right(record, stay, [one for one in sent if number_named(one) is None])
    number, revision = number_after(record), record["revision"] + 1
    rows: list[dict[str, Any]] = []
    for row in lay:
        if row["placed"] in numbers:
            continue
        if placed_of(row) in missing:
            missing.remove(placed_of(row))
        else:
            rows.append(row_back(number + len(rows), row, PUT_RIGHT, revision))
    new = enumerate(missing, number + len(rows))
    return [*rows, *(row_placed(place, one, revision) for place, one in new)]


def number_named(sent: object) -> object:
    """What is sent as the number of a stake that stays; None of a placement."""
    return sent["placed"] if isinstance(sent, dict) and sent.keys() == {"placed"} else None


def _numbers_named(sent: Sequence[object], lay: Sequence[Mapping[str, Any]]) -> set[int]:
    """The numbers that are named. Raises PlacementWrong for one that is not of what lay there, or
    comes twice.
    """
    left = {row["placed"] for row in lay}
    found: set[int] = set()
    for number in filter(lambda one: one is not None, map(number_named, sent)):
        if type(number) is not int or number not in left - found:
            raise PlacementWrong(field="placed", expected=A_STAKE)
        found.add(number)
    return found


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
