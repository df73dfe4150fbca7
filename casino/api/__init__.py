"""The HTTP API: every refusal and every error of the framework leaves as one kind of problem
document (RFC 9457).
"""

from typing import Any

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.http import Http404, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError
from rest_framework import exceptions as framework

from casino.people.context import house_clock_for
from casino.people.refusals import NotAllowed, SignInRequired
from casino.text import request_errors as errors
from casino.text.problems import problem
from payouts.errors import Refused

# The framework's own errors, in our words. The first that fits counts.
_OURS: tuple[tuple[type[Exception], type[Refused]], ...] = (
    (framework.ParseError, errors.Unreadable),
    (framework.UnsupportedMediaType, errors.MediaTypeRefused),
    (framework.MethodNotAllowed, errors.MethodRefused),
    (framework.NotAcceptable, errors.NotAcceptable),
    (framework.NotAuthenticated, SignInRequired),
    (framework.AuthenticationFailed, SignInRequired),
    (framework.PermissionDenied, NotAllowed),
    (framework.NotFound, errors.AddressUnknown),
    (PermissionDenied, NotAllowed),
    (Http404, errors.AddressUnknown),
    (RequestDataTooBig, errors.TooLarge),
    (SuspiciousOperation, errors.Unreadable),
    (BadRequest, errors.Unreadable),
    (MultiPartParserError, errors.Unreadable),
    (UnreadablePostError, errors.Unreadable),
)


def problem_response(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The API's exception handler. None: nobody expected this; it is rolled back and logged, and
    answered with 500.
    """
    request, view = context.get("request"), context.get("view")
    more = {"to_clarify": error.kept} if isinstance(error, errors.KeptForReview) else None
    error = error.refused if isinstance(error, errors.KeptForReview) else error
    refused = error if isinstance(error, Refused) else _ours(error)
    if refused is None:
        return None
    # The person as far as it is known: asking for them would try to sign them in again, and be
    # refused again.
    here = house_clock_for(getattr(request, "_user", None))
    response = problem(refused, house=here.house if here else None, more=more)
    if response.status_code == 401 and request is not None and view is not None:
        response["WWW-Authenticate"] = view.get_authenticate_header(request) or "Session"
    if response.status_code == 405 and view is not None:
        response["Allow"] = ", ".join(view.allowed_methods)
    return response


def _ours(error: Exception) -> Refused | None:
    found = next((ours for kind, ours in _OURS if isinstance(error, kind)), None)
    if found is None:
        return None
    return found(most=errors.BODY_MOST) if found is errors.TooLarge else found()
