"""The edge of the API."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from rest_framework.views import exception_handler

from casino.context import here_for
from casino.problems import problem
from payouts.errors import Refused


def problem_response(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The API's exception handler: refusals as above, the framework's own errors (broken JSON, wrong method) in the same form."""
    if isinstance(error, Refused):
        here = here_for(getattr(context.get("request"), "user", None))
        return problem(error, house=here.house if here else None)
    response = exception_handler(error, context)
    if response is None:
        return None  # not expected: rolled back, logged, 500
    code = getattr(getattr(error, "detail", None), "code", "refused")
    body = {
        "type": "about:blank",
        "title": response.status_text,
        "detail": str(getattr(error, "detail", "")),
        "status": response.status_code,
        "code": f"request.{code}",
        "rule": None,
        "data": {},
    }
    answer = JsonResponse(body, status=response.status_code, content_type="application/problem+json")
    for name, value in response.headers.items():
        if name in ("Allow", "Retry-After", "WWW-Authenticate"):
            answer[name] = value
    return answer
