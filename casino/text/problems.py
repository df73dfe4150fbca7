"""Refusals as a person reads them, and as a program does (RFC 9457)."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.text.refusal_words import PLACES
from casino.text.wording import worded
from payouts.errors import Refused
from payouts.models import House

Response = TypeVar("Response", bound=HttpResponse)


API, API_PAGE = "/api/", "/api/docs/"


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: anything under /api/ but its page for people, or who prefers JSON to a page."""
    return (request.path.startswith(API) and request.path != API_PAGE) or (
        request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    )


_FIRST = re.compile(r"%\((\w+)\)s")


def sentences(refused: Refused, house: House | None = None) -> tuple[str, str]:
    """What happened and what to do next, in the language of the page, amounts in the house's money."""
    said = worded(refused.sentence, refused.data, house)
    first = _FIRST.match(gettext(refused.sentence))
    value = str(refused.data.get(first[1], "")) if first else ""
    ours = first and first[1] == "field" and value in PLACES  # in English some are called as programs call them
    as_it_came = first and not ours and said.startswith(value)  # a name, a key: not ours to write large
    return said if as_it_came else capfirst(said), worded(refused.remedy, refused.data, house)


def refusal_context(refused: Refused | None, house: House | None = None) -> dict[str, dict[str, str]]:
    """What a page shows of a refusal; of none, nothing."""
    if refused is None:
        return {}
    sentence, remedy = sentences(refused, house)
    return {"refused": {"sentence": sentence, "remedy": remedy, "code": refused.code}}


# What a refusal is in HTTP, by its code. One that is not named here is 422: understood, and not done because of what was given.
STATUS = {
    "data.refused": 400,
    "request.cursor_refused": 400,
    "request.field_missing": 400,
    "request.field_unknown": 400,
    "request.field_wrong": 400,
    "request.filter_missing": 400,
    "request.key_refused": 400,
    "request.not_an_object": 400,
    "request.parse_error": 400,
    "request.refused": 400,
    "text.refused": 400,
    "device.idle": 401,
    "device.not_enrolled": 401,
    "device.sign_in_required": 401,
    "sign_in.required": 401,
    "approval.person_resting": 403,
    "approval.signer_refused": 403,
    "device.foreign_page": 403,
    "jackpot.dealer_decides": 403,
    "person.demo": 403,
    "person.house_needed": 403,
    "person.not_allowed": 403,
    "person.not_yourself": 403,
    "request.csrf_refused": 403,
    "round.croupier_wrong": 403,
    "slip.not_yours": 403,
    "slip.signer_pays": 403,
    "alert.unknown": 404,
    "approval.unknown": 404,
    "clarify.unknown": 404,
    "device.jackpot_unknown": 404,
    "device.table_unknown": 404,
    "device.unknown": 404,
    "display.unknown": 404,
    "gate.unknown": 404,
    "guest.unknown": 404,
    "jackpot.claim_unknown": 404,
    "jackpot.hit_unknown": 404,
    "jackpot.unknown": 404,
    "ledger.account_unknown": 404,
    "ledger.actor_unknown": 404,
    "ledger.house_unknown": 404,
    "ledger.transfer_unknown": 404,
    "pit.unknown": 404,
    "posted_table.unknown": 404,
    "report.gone": 404,
    "request.not_found": 404,
    "round.unknown": 404,
    "prize.unknown": 404,
    "slip.unknown": 404,
    "table.unknown": 404,
    "request.method_not_allowed": 405,
    "request.not_acceptable": 406,
    "approval.changed": 409,
    "approval.closed": 409,
    "approval.expired": 409,
    "approval.raced": 409,
    "approval.signed_twice": 409,
    "shift.own": 409,
    "shift.seen_long_ago": 409,
    "shift.taken": 409,
    "approval.unsigned": 409,
    "command.key_old": 409,
    "award.prize_there": 409,
    "award.there": 409,
    "prize.not_to_ask": 409,
    "bootstrap.done": 409,
    "clarify.booked": 409,
    "clarify.closed": 409,
    "clarify.round_over": 409,
    "clarify.session_over": 409,
    "command.in_flight": 409,
    "device.revoked": 409,
    "display.last": 409,
    "display.list_closed": 409,
    "display.required": 409,
    "display.session_over": 409,
    "display.session_taken": 409,
    "gate.over": 409,
    "gate.version_wrong": 409,
    "guest.box_owned": 409,
    "house.opening_over": 409,
    "jackpot.call_not_running": 409,
    "jackpot.claim_state": 409,
    "jackpot.epoch_over": 409,
    "jackpot.hit_state": 409,
    "jackpot.meter_owes": 409,
    "jackpot.name_taken": 409,
    "jackpot.no_display": 409,
    "jackpot.not_listed": 409,
    "jackpot.not_open": 409,
    "jackpot.phase": 409,
    "jackpot.round_claims": 409,
    "jackpot.rounds_running": 409,
    "jackpot.second_call": 409,
    "jackpot.to_clarify_open": 409,
    "ledger.key_used": 409,
    "ledger.overdrawn": 409,
    "ledger.reversed": 409,
    "posted_table.not_first": 409,
    "posted_table.state_refused": 409,
    "round.changed": 409,
    "round.correction_waits": 409,
    "round.booked_otherwise": 409,
    "round.id_taken": 409,
    "round.cards_out": 409,
    "round.reopen_late": 409,
    "round.withdraw_late": 409,
    "round.stands": 409,
    "round.state_refused": 409,
    "round.withdrawn": 409,
    "sign_in.enrolment_over": 409,
    "slip.doubted": 409,
    "slip.state": 409,
    "slip.take_back_over": 409,
    "table.closed": 409,
    "table.croupier_elsewhere": 409,
    "table.day_closed": 409,
    "table.day_over": 409,
    "table.hours_closed": 409,
    "table.name_taken": 409,
    "table.open": 409,
    "verify.running": 409,
    "table.round_running": 409,
    "request.too_large": 413,
    "request.unsupported_media_type": 415,
    "display.too_often": 429,
    "sign_in.busy": 429,
    "command.answer_unknown": 503,
    "command.busy": 503,
    "service.database_away": 503,
    "service.database_busy": 503,
    "service.database_full": 503,
    "service.database_refused": 503,
}


def problem_body(refused: Refused, status: int | None = None, house: House | None = None) -> dict[str, Any]:
    """The fields of a refusal's problem document."""
    title, detail = sentences(refused, house)
    return {
        "type": "about:blank",
        "title": title,
        "detail": detail,
        "status": status or STATUS.get(refused.code, 422),
        "code": refused.code,
        "rule": refused.rule,
        "data": refused.data,
    }


def problem(
    refused: Refused,
    status: int | None = None,
    house: House | None = None,
    more: Mapping[str, Any] | None = None,
) -> JsonResponse:
    """The problem document of a refusal, with Retry-After where asking again is the way.

    `status`: another than its code's. `more`: fields beside the usual ones.
    """
    body = problem_body(refused, status, house) | dict(more or {})
    response = JsonResponse(body, status=body["status"], content_type="application/problem+json")
    return retry_after(response, refused)


def retry_after(response: Response, refused: Refused | None) -> Response:
    """The response to a refusal; where asking again is the way, with its status and Retry-After."""
    if refused is not None and "retry_after_s" in refused.data:
        response.status_code = STATUS.get(refused.code, 422)
        response["Retry-After"] = str(refused.data["retry_after_s"])
    return response
