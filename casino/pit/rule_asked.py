"""The page on which a line of the approval matrix is signed: as it was, as it is to be, why, and
who could sign by it.
"""

from typing import Any

from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import VIEW_RULE
from casino.pit.signers import signers_by
from casino.rulesets.matrix import said, title
from payouts.models import Approval, ApprovalRule, Event
from payouts.services import act_sign
from payouts.services.approved import RULE_CHANGE, asked_rule, need_of


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    after, version = asked_rule(approval), approval.payload["version"]
    rows = ApprovalRule.objects.filter(house_id=approval.house_id, action=approval.subject_id)
    before = rows.filter(version=version - 1).first()
    names = (_("Signatures of others"), _("Roles"), _("Proof"), _("Waits for them"))
    asked = Event.objects.filter(
        name="approval.requested", subject_kind="approval", subject_id=str(approval.pk)
    )
    return {
        "what": title(approval.subject_id),
        "version": version,
        "rows": list(
            zip(names, said(need_of(before)) if before else ("–",) * 4, said(after), strict=True)
        ),
        "reason": asked.values_list("reason", flat=True).first(),
        "short": signers_by(approval.subject_id, after, approval.house) if approval.waits else None,
        "may_open": person.has_perm(VIEW_RULE),
    }


KIND = Kind(RULE_CHANGE, "approval-rule-asked", "pit/rule_asked.html", act_sign, _details)
