"""Who decides for a box on which several guests have staked, at the moment when they do (BOX-2,
PRM-2).
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from tables.games import Decision
from tables.models import Guest
from tables.rules.boxes import check_decides
from tables.rules.prime import BoxStake


def check_decisions(record: Mapping[str, Any], decided: Sequence[Decision]) -> None:
    """Refuse a decision for a box by anybody but its owner, or who comes first where it has none or
    they are away.

    The stakes are those of the lock, the places those of this moment; who has left is away. One
    statement. Raises NotYourBox, NobodyDecides, DeciderUnclear.
    """
    staked: dict[tuple[int, str], int] = {}
    for row in record["stakes"]:
        if row["revision"] == 0 and row["accepted_minor"]:
            key = (row["box"], row["guest"])
            staked[key] = staked.get(key, 0) + row["accepted_minor"]
    there = Guest.objects.filter(
        session_id=record["session_id"], pk__in={UUID(guest) for _box, guest in staked}
    )
    places = {str(one.pk): one for one in there}
    gone = frozenset(guest for guest, one in places.items() if one.left_at is not None)
    for one in decided:
        stakes = [
            BoxStake(
                guest,
                amount,
                owner=places[guest].box == box and guest not in gone,
                seated=places[guest].seated,
                distance=places[guest].distance,
            )
            for (box, guest), amount in staked.items()
            if box == one.box
        ]
        check_decides(one.guest, stakes, gone | one.away)
