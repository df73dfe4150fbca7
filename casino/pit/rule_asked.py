"""The page on which a line of the approval matrix is signed: as it was, as it is to be, why, and
who could sign by it.
"""

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import VIEW_RULE
from casino.rulesets.matrix import rule_texts, title
from casino.rulesets.signers import Signers, signers_by
from casino.text.differences import NOTHING, Difference, Differences, differences
from payouts.models import Approval, ApprovalRule, Event
from payouts.services.approved import RULE_CHANGE, asked_rule, need_of


class _Line(NamedTuple):
    """A line of the matrix, and what changes in it; `short`: who could sign by it."""

    what: str
    version: int
    differences: Differences
    reason: str | None
    short: Signers | None
    may_open: bool


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    after, version = asked_rule(approval), approval.payload["version"]
    lines = ApprovalRule.objects.filter(house_id=approval.house_id, action=approval.subject_id)
    before = lines.filter(version=version - 1).first()
    names = (_("Signatures of others"), _("Roles"), _("Proof"), _("Time allowed"))
    asked = Event.objects.filter(
        name="approval.requested", subject_kind="approval", subject_id=str(approval.pk)
    )
    was = rule_texts(need_of(before)) if before else (NOTHING,) * 4
    rows = zip(names, was, rule_texts(after), strict=True)
    return _Line(
        title(approval.subject_id),
        version,
        differences(Difference(*row) for row in rows),
        asked.values_list("reason", flat=True).first(),
        signers_by(approval.subject_id, after, approval.house) if approval.waits else None,
        person.has_perm(VIEW_RULE),
    )._asdict()


KIND = Kind(RULE_CHANGE, "approval-rule-asked", "pit/rule_asked.html", _details)
