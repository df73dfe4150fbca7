"""The page on which an issue or a withdrawal of chips is signed: pieces by denomination, what they
are worth, why, who can sign.
"""

from typing import Any

from casino.cage.show import chip_lines, chips_of, worth_minor
from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.rulesets.signers import people_of, signers_of
from payouts.models import Approval, Event
from payouts.rules.chips import pieces_of
from payouts.services.chips import ISSUE


def details(approval: Approval, person: Person) -> dict[str, Any]:
    """What both pages of the cage on which something is signed show besides their own: why it is
    asked for, and who can sign it.
    """
    events = Event.objects.filter(
        name="approval.requested", subject_kind="approval", subject_id=str(approval.pk)
    )
    people = people_of(approval.house, approval.action) if approval.waits else []
    return {
        "reason": events.values_list("reason", flat=True).first(),
        "signers": signers_of([approval], {}, people)[approval.pk] if approval.waits else None,
    }


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    pieces = pieces_of(approval.payload["lines"])
    lines = chip_lines(chips_of(approval.house, pieces), pieces)
    return details(approval, person) | {
        "kind": approval.payload["kind"],
        "lines": lines,
        "pieces": sum(line.pieces for line in lines),
        "worth_minor": worth_minor(lines),
    }


KIND = Kind(ISSUE, "chips-asked", "cage/chips_asked.html", _details)
