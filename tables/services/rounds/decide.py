"""Who decides for a box on which several guests have staked, at the moment when they do (BOX-2,
PRM-2).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from payouts.db.fast_calls import call
from tables.games import Decision
from tables.rules.boxes import check_decides, decider
from tables.rules.prime import BoxStake

By = Mapping[tuple[int, str], BoxStake]  # by box and guest
_PLACES = (
    "SELECT json_object_agg(id, json_build_object('box', box, 'seated', seated, 'distance',"
    " distance, 'gone', left_at IS NOT NULL)) FROM tables_guest WHERE session_id = $2::uuid AND id"
    " IN (SELECT guest_id FROM tables_roundstake WHERE round_id = $1::uuid)"
)
_OWNER_LEFT = (
    "SELECT g.id::text FROM tables_roundstake k JOIN tables_guest g ON g.id = k.guest_id WHERE"
    " k.round_id = $1::uuid AND k.revision = 0 AND k.box = $2::int AND (k.standing ->>"
    " 'owner')::boolean AND (g.left_at IS NOT NULL OR g.box IS DISTINCT FROM k.box) LIMIT 1"
)


def check_decisions(record: Mapping[str, Any], decided: Sequence[Decision]) -> None:
    """Refuse a decision for a box by anybody but its owner, or who comes first where it has none or
    they are away.

    One statement. Raises NotYourBox, NobodyDecides, DeciderUnclear.
    """
    staked, gone = _standing(record)
    for one in decided:
        check_decides(one.guest, _on(staked, one.box), gone | one.away)


def decider_of(record: Mapping[str, Any], box: int, away: frozenset[str]) -> str:
    """Who decides for a box now, "" where nobody has staked on it. One statement. Raises
    NobodyDecides, DeciderUnclear.
    """
    staked, gone = _standing(record)
    stakes = _on(staked, box)
    return decider(stakes, gone | away) if stakes else ""


def owner_seated(record: Mapping[str, Any], box: int) -> str | None:
    """The guest whose box it is, who sits at it now and has staked on it. One statement."""
    staked, _gone = _standing(record)
    owners = (stake.guest for stake in _on(staked, box) if stake.owner and stake.seated)
    return next(owners, None)


def owner_left(record: Mapping[str, Any], box: int) -> str | None:
    """The guest whose box it was at the lock, and who has left it since. One statement."""
    return next(iter(call(_OWNER_LEFT, [record["id"], box])), None)


def _standing(record: Mapping[str, Any]) -> tuple[By, frozenset[str]]:
    """The stakes of the lock with the places of this moment; and who has left: they are away."""
    staked: dict[tuple[int, str], int] = {}
    for row in record["stakes"]:
        if not row["revision"] and not row["placed"] and row["accepted_minor"]:
            key = (row["box"], row["guest"])
            staked[key] = staked.get(key, 0) + row["accepted_minor"]
    places = orjson.loads(call(_PLACES, [record["id"], record["session_id"]])[0] or "{}")
    gone = frozenset(guest for guest, one in places.items() if one["gone"])
    found = {
        (box, guest): BoxStake(
            guest,
            amount,
            owner=places[guest]["box"] == box and guest not in gone,
            seated=places[guest]["seated"],
            distance=places[guest]["distance"],
        )
        for (box, guest), amount in staked.items()
    }
    return found, gone


def _on(staked: By, box: int) -> list[BoxStake]:
    return [stake for (number, _guest), stake in staked.items() if number == box]
