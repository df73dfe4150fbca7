"""Refusals as a person reads them, and as a program does (RFC 9457)."""

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext

from payouts.errors import Refused


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: anything under /api/, or who prefers JSON to a page."""
    return (
        request.path.startswith("/api/")
        or request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    )


def sentences(refused: Refused) -> tuple[str, str]:
    """What happened and what to do next, in the language of the page."""
    data = dict(refused.data)
    if isinstance(data.get("why"), str):
        data["why"] = gettext(str(data["why"]))
    return gettext(refused.sentence) % data, gettext(refused.remedy) % data


def problem(refused: Refused, status: int) -> JsonResponse:
    """The problem document of a refusal."""
    title, detail = sentences(refused)
    body = {
        "type": "about:blank",
        "title": title,
        "detail": detail,
        "status": status,
        "code": refused.code,
        "rule": refused.rule,
    }
    return JsonResponse(body, status=status, content_type="application/problem+json")
