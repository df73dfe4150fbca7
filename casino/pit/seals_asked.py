"""The page on which two people sign, after a restore, from which seal it goes on."""

from datetime import datetime
from typing import Any

from casino.people.models import Person
from casino.people.pages.asked import Kind
from jackpot.services.continuation import ACTION
from payouts.models import Approval


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    payload = approval.payload
    taken_at = payload["taken_at"]
    return {"payload": payload, "taken_at": datetime.fromisoformat(taken_at) if taken_at else None}


KIND = Kind(ACTION, "seals-asked", "pit/seals_asked.html", _details)
