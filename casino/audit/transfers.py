"""A transfer at the audit desk, and taking it back: asked for on its page with what would be
posted, signed on another page.
"""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.audit.parts import auditor, looked, record, small
from casino.audit.postings import transfer_details
from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.pages.fields import Reason
from casino.people.pages.page import Wrong, row_of
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import REVERSE_TRANSFER, VIEW_AUDIT
from casino.text.problems import STATUS, refusal_context
from payouts.errors import mark
from payouts.models import Approval, Transfer
from payouts.models.approval import WAITING
from payouts.rules.plain import Json
from payouts.selectors import transfer_is_free
from payouts.services import transfer_correction_request
from payouts.services.approved import REVERSE


@require_GET
def transfer_record(request: HttpRequest, pk: int) -> HttpResponse:
    """A transfer with its entries, what it is about, what it reverses or is reversed by."""
    person = auditor(request)
    row = _found(person, pk)
    looked(person, row.house_id, "transfer", pk)
    return _page(request, person, row)


class _Reverse(Step[Transfer]):
    step, command, subject = "reverse", "transfer.reverse", "transfer"
    permission, done = REVERSE_TRANSFER, mark("Asked for.")
    reason = Reason(500, label=_("Reason"))

    def carry_out(self) -> Json:
        """Ask that the transfer be taken back."""
        ids = {"house_id": self.row.house_id, "requester_id": self.person.pk}
        asked = transfer_correction_request(
            **ids, transfer_id=self.row.pk, reason=self.values["reason"]
        )
        return str(asked.pk)

    def after(self, answer: Json) -> tuple[Any, ...]:
        return "transfer-asked", UUID(str(answer))


def _page(
    request: HttpRequest, person: Person, row: Transfer, wrong: Wrong | None = None
) -> HttpResponse:
    details = transfer_details(row)
    asked = Approval.objects.filter(
        WAITING, house=row.house, action=REVERSE, subject_id=str(row.pk)
    )
    stands = row.reverses_id is None and details.reversed_by is None
    may = stands and person.has_perm(REVERSE_TRANSFER) and person.house_id is not None
    context = details._asdict() | {
        "waits": asked.select_related("requester").first() if stands else None,
        "may_ask": may,
        "free": may and transfer_is_free(row),
        "reverse": _Reverse.offered(row, person, wrong),
    }
    if wrong is None:
        return record(request, "audit/transfer.html", context, row.house)
    context |= refusal_context(wrong.refused, row.house)
    return record(request, "audit/transfer.html", context, row.house, STATUS[wrong.refused.kind])


def _found(person: Person, pk: int) -> Transfer:
    if not person.has_perm(VIEW_AUDIT):
        raise PermissionDenied(VIEW_AUDIT)
    return row_of(person, Transfer.objects.select_related("house", "actor", "reverses"), small(pk))


PAGE = Page("audit-transfer", _found, _page, by_name(_Reverse))


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    row = Transfer.objects.select_related("house", "actor").get(
        house=approval.house, pk=int(approval.subject_id)
    )
    asked = {"reason": approval.payload["reason"], "may_open": person.has_perm(VIEW_AUDIT)}
    return transfer_details(row)._asdict() | asked


KIND = Kind(REVERSE, "transfer-asked", "audit/transfer_asked.html", _details)
