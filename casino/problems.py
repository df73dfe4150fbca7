"""Refusals as a person reads them, and as a program does (RFC 9457)."""

from django.http import HttpRequest, JsonResponse

from casino.wording import worded
from payouts.errors import Refused
from payouts.models import House


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: anything under /api/, or who prefers JSON to a page."""
    return (
        request.path.startswith("/api/")
        or request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    )


def sentences(refused: Refused, house: House | None = None) -> tuple[str, str]:
    """What happened and what to do next, in the language of the page, amounts in the house's money."""
    return worded(refused.sentence, refused.data, house), worded(refused.remedy, refused.data, house)


# What a refusal is in HTTP, by its code; a refusal of rule or of state that is not named here is 422 (understood, and not done).
STATUS = {
    "text.refused": 400,
    "data.refused": 400,
    "sign_in.required": 401,
    "person.not_allowed": 403,
    "approval.signer_refused": 403,
    "device.foreign_page": 403,
    "device.not_enrolled": 401,
    "device.sign_in_required": 401,
    "approval.unknown": 404,
    "device.table_unknown": 404,
    "device.unknown": 404,
    "ledger.account_unknown": 404,
    "ledger.house_unknown": 404,
    "ledger.transfer_unknown": 404,
    "posted_table.unknown": 404,
    "approval.changed": 409,
    "approval.closed": 409,
    "approval.expired": 409,
    "approval.signed_twice": 409,
    "command.in_flight": 409,
    "device.revoked": 409,
    "ledger.key_used": 409,
    "ledger.reversed": 409,
    "posted_table.not_first": 409,
    "posted_table.state_refused": 409,
    "command.answer_unknown": 503,
    "command.busy": 503,
}


def problem(refused: Refused, status: int | None = None, house: House | None = None) -> JsonResponse:
    """The problem document of a refusal, with Retry-After where asking again is the way. `status`: another than its code's."""
    title, detail = sentences(refused, house)
    status = status or STATUS.get(refused.code, 422)
    body = {
        "type": "about:blank",
        "title": title,
        "detail": detail,
        "status": status,
        "code": refused.code,
        "rule": refused.rule,
        "data": refused.data,
    }
    response = JsonResponse(body, status=status, content_type="application/problem+json")
    if "retry_after_s" in refused.data:
        response["Retry-After"] = str(refused.data["retry_after_s"])
    return response
