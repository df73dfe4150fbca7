"""Refusals as a person reads them, and as a program does (RFC 9457)."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.text.refusal_words import PLACES
from casino.text.wording import worded
from payouts.errors import Kind, Refused
from payouts.models import House

Response = TypeVar("Response", bound=HttpResponse)


API, API_PAGE = "/api/", "/api/docs/"


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: anything under /api/ but its page for people, or who prefers JSON to
    a page.
    """
    return (request.path.startswith(API) and request.path != API_PAGE) or (
        request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    )


_FIRST = re.compile(r"%\((\w+)\)s")


def sentences(refused: Refused, house: House | None = None) -> tuple[str, str]:
    """What happened and what to do next, in the language of the page, amounts in the house's
    money."""
    said = worded(refused.sentence, refused.data, house)
    first = _FIRST.match(gettext(refused.sentence))
    value = str(refused.data.get(first[1], "")) if first else ""
    # in English some are called as programs call them
    ours = first and first[1] == "field" and value in PLACES
    # a name, a key: not ours to write large
    as_it_came = first and not ours and said.startswith(value)
    return said if as_it_came else capfirst(said), worded(refused.remedy, refused.data, house)


def refusal_context(
    refused: Refused | None, house: House | None = None
) -> dict[str, dict[str, str]]:
    """What a page shows of a refusal; of none, nothing."""
    if refused is None:
        return {}
    sentence, remedy = sentences(refused, house)
    return {"refused": {"sentence": sentence, "remedy": remedy, "code": refused.code}}


STATUS = {
    Kind.MALFORMED: 400,
    Kind.SIGN_IN: 401,
    Kind.FORBIDDEN: 403,
    Kind.UNKNOWN: 404,
    Kind.METHOD: 405,
    Kind.NOT_ACCEPTABLE: 406,
    Kind.CONFLICT: 409,
    Kind.TOO_LARGE: 413,
    Kind.MEDIA_TYPE: 415,
    Kind.INVALID: 422,
    Kind.TOO_OFTEN: 429,
    Kind.LATER: 503,
}


def problem_body(
    refused: Refused, status: int | None = None, house: House | None = None
) -> dict[str, Any]:
    """The fields of a refusal's problem document."""
    title, detail = sentences(refused, house)
    return {
        "type": "about:blank",
        "title": title,
        "detail": detail,
        "status": status or STATUS[refused.kind],
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

    `status`: another than its kind's. `more`: fields beside the usual ones.
    """
    body = problem_body(refused, status, house) | dict(more or {})
    response = JsonResponse(body, status=body["status"], content_type="application/problem+json")
    return retry_after(response, refused)


def retry_after(response: Response, refused: Refused | None) -> Response:
    """The response to a refusal; where asking again is the way, with its status and Retry-After."""
    if refused is not None and "retry_after_s" in refused.data:
        response.status_code = STATUS[refused.kind]
        response["Retry-After"] = str(refused.data["retry_after_s"])
    return response
