"""The page on which the explanation of a difference is signed."""

from typing import Any

from django.utils.translation import gettext as _

from casino.cage.chips_asked import details
from casino.cage.differences import words_shown
from casino.people.models import Person
from casino.people.pages.asked import Kind
from payouts.models import Approval
from tables.rules.pairs import CLASSES
from tables.services.counts.differences import EXPLAIN


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    payload = approval.payload
    return details(approval, person) | {
        "difference": payload["difference"],
        "table": payload["table"],
        "amount_minor": payload["amount_minor"],
        "code": _(CLASSES[payload["class"]]),
        "words": words_shown(payload["explanation"], payload["class"], person),
    }


KIND = Kind(EXPLAIN, "difference-asked", "cage/difference_asked.html", _details)
