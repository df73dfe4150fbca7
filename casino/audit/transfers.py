"""A transfer at the audit desk, and taking it back: asked for on its page with what would be posted, signed on another page."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from casino.audit.parts import auditor, looked, record, small
from casino.audit.records import transfer_details
from casino.people.asked import Kind
from casino.people.models import Person
from casino.people.page import allowed, reason_of, row_of, run, typed
from casino.people.permissions import REVERSE_TRANSFER, VIEW_AUDIT
from casino.text.problems import STATUS, refusal_context
from payouts.errors import Refused
from payouts.models import Approval, Transfer
from payouts.models.approval import WAITING
from payouts.rules.plain import Json
from payouts.selectors import transfer_is_free
from payouts.services import act_sign, transfer_correction_request
from payouts.services.approved import REVERSE


@require_GET
def transfer_record(request: HttpRequest, pk: int) -> HttpResponse:
    """A transfer with its entries, what it is about, what it reverses or is reversed by."""
    person = auditor(request)
    row = _transfer(person, pk)
    looked(person, row.house_id, "transfer", pk)
    return _page(request, person, row)


@require_POST
def reverse(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask that a transfer be taken back."""
    person = allowed(request, REVERSE_TRANSFER)
    auditor(request)
    row, words = _transfer(person, pk), typed(request)

    def work() -> Json:
        ids = {"house_id": row.house_id, "requester_id": person.pk}
        return str(transfer_correction_request(**ids, transfer_id=row.pk, reason=reason_of(words)).pk)

    try:
        asked = run(request, person, "transfer.reverse", words | {"transfer": str(pk)}, work)
    except Refused as refused:
        return _page(request, person, row, refused)
    messages.success(request, _("Asked for."))
    return redirect("transfer-asked", UUID(str(asked)))


def _page(request: HttpRequest, person: Person, row: Transfer, refused: Refused | None = None) -> HttpResponse:
    details = transfer_details(row)
    asked = Approval.objects.filter(WAITING, house=row.house, action=REVERSE, subject_id=str(row.pk))
    stands = row.reverses_id is None and details["reversed_by"] is None
    may = stands and person.has_perm(REVERSE_TRANSFER) and person.house_id is not None
    context = details | {
        "waits": asked.select_related("requester").first() if stands else None,
        "may_ask": may,
        "free": may and transfer_is_free(row),
        "legs": _legs(details),
        "words": typed(request),
        "key": uuid4(),
    }
    if refused is None:
        return record(request, "audit/transfer.html", context, row.house)
    context |= refusal_context(refused, row.house)
    return record(request, "audit/transfer.html", context, row.house, STATUS[refused.kind])


def _transfer(person: Person, pk: int) -> Transfer:
    return row_of(person, Transfer.objects.select_related("house", "actor", "reverses"), small(pk))


def _legs(details: dict[str, Any]) -> list[tuple[str, str, int]]:
    """What taking it back posts: account, owner, amount."""
    return [(account, owner, -one.amount_minor) for one, account, owner in details["entries"]]


# --- to sign ------------------------------------------------------------------------------------------------------------------
def _details(approval: Approval, person: Person) -> dict[str, Any]:
    row = Transfer.objects.select_related("house", "actor").get(house=approval.house, pk=int(approval.subject_id))
    details = transfer_details(row)
    return details | {
        "legs": _legs(details),
        "reason": approval.payload["reason"],
        "may_open": person.has_perm(VIEW_AUDIT),
    }


KIND = Kind(REVERSE, "transfer-asked", "audit/transfer_asked.html", act_sign, _details, needs=REVERSE_TRANSFER)
