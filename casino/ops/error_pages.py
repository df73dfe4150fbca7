"""What to say when something goes wrong: a page for a person, a problem document for a program."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from casino.ops.logs import request_id
from casino.people.roles import label, who_may
from casino.people.web_app import screen_of
from casino.text.problems import API, problem, wants_json
from casino.text.request_errors import AddressUnknown, TooLarge
from payouts.errors import Refused


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400"""
    return _error_page(
        request,
        400,
        _("This request was not understood."),
        _("Go back, load the page again, and repeat it."),
    )


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403. Whoever refused may name the permission that is missing; then the page says which roles
    hold it.
    """
    sentence, remedy = (
        _("Your role does not open this page."),
        _("Go to your own start page. If you need this page, ask a manager."),
    )
    missing = str(exception.args[0]) if exception is not None and exception.args else ""
    told = (
        [(_("It opens to"), " · ".join(map(label, who_may(missing))))] if who_may(missing) else []
    )
    return _error_page(request, 403, sentence, remedy, told)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404"""
    if request.path.startswith(API):
        return problem(AddressUnknown())
    return _error_page(
        request,
        404,
        _("There is nothing at this address."),
        _("Check the address, or go to the start page."),
    )


def too_large(request: HttpRequest) -> HttpResponse:
    """413: a body that is longer than anything that is sent to us."""
    if wants_json(request):
        return problem(TooLarge(most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE))
    return _error_page(
        request,
        413,
        _("More was sent than any form of ours takes."),
        _("Send less: no form takes a file."),
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """500: whatever broke may break templates too, so this page asks nothing of database or
    session.
    """
    sentence = _("Something broke on our side.")
    remedy = _(
        "Check whether what you entered was taken, then try again. If it happens again, tell a"
        " technician the time."
    )
    return _error_page(request, 500, sentence, remedy, error_traces())


def csrf_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form was older than the session, or came from another site."""
    sentence = _("This form is too old, or it did not come from this page.")
    return _error_page(
        request, 403, sentence, _("Go back, load the page again, and send the form once more.")
    )


class _Problem(Refused):
    """An error page for a program."""

    def __init__(self, status: int, sentence: str, remedy: str) -> None:
        self.code, self.sentence, self.remedy = f"http.{status}", sentence, remedy
        super().__init__()


def error_traces() -> list[tuple[str, str]]:
    """What a technician finds the error by: the time and the request's id, as the log has them."""
    now = datetime.now(UTC).strftime("%d.%m.%Y %H:%M:%S UTC")
    return [(_("Time"), now)] + ([(_("Request"), request_id())] if request_id() else [])


def _error_page(
    request: HttpRequest,
    status: int,
    sentence: str,
    remedy: str,
    told: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    if wants_json(request):
        return problem(_Problem(status, sentence, remedy), status)
    return HttpResponse(error_html(request, status, sentence, remedy, told), status=status)


def error_html(
    request: HttpRequest,
    status: int,
    sentence: str,
    remedy: str,
    told: Sequence[tuple[str, str]] = (),
) -> str:
    """The page of an error. `told`: names and values below it. What broke is tried again where that
    only reads.
    """
    again = request.get_full_path() if status >= 500 and request.method == "GET" else ""
    words = {"status": status, "sentence": sentence, "remedy": remedy, "told": told, "again": again}
    return render_to_string("errors/error.html", words | {"screen": screen_of(request.path)})
