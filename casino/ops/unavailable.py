"""The answer while the database is away, or others hold what is needed of it: 503 and what to do,
not 500.
"""

import sys

from django.http import HttpRequest, HttpResponse

from casino.ops import error_pages
from casino.text.problems import problem, sentences, wants_json
from payouts.db.constraints import database_away, database_busy, database_full, guard_refused
from payouts.errors import Kind, Refused, mark

RETRY_AFTER_S = 5


class DatabaseAway(Refused):
    """The database cannot be reached, or hung up in the middle."""

    code = "service.database_away"
    kind = Kind.LATER
    sentence = mark("The database does not answer at the moment.")
    remedy = mark(
        "Try again in %(retry_after_s)s s. Then check whether what you entered was taken:"
        " it may have been, just before the line broke."
    )


class DatabaseBusy(Refused):
    """Outside of a command under a key (tried again by itself): a lock was not given in time, or a
    statement took too long.

    What broke was rolled back; what the same request had committed before it, if anything, stands.
    """

    code = "service.database_busy"
    kind = Kind.LATER
    sentence = mark("The books are busy at the moment.")
    remedy = mark(
        "Try again in %(retry_after_s)s s. Before that, look whether what you entered was taken."
    )


class DatabaseFull(Refused):
    """The server of the database has no room on its disk, or in its memory."""

    code = "service.database_full"
    kind = Kind.LATER
    sentence = mark("The database has no room left: nothing was written.")
    remedy = mark("Call the technician, who makes room; try again in %(retry_after_s)s s.")


class DatabaseRefused(Refused):
    """A guard of the database refused what the program thought right: a fault of ours, or somebody
    who was faster.
    """

    code = "service.database_refused"
    kind = Kind.LATER
    sentence = mark("The books refused this: nothing was written.")
    remedy = mark(
        "Look at how things stand now, and try again in %(retry_after_s)s s. If it is refused"
        " again, call the technician."
    )


KINDS = (
    (database_away, DatabaseAway),
    (database_busy, DatabaseBusy),
    (database_full, DatabaseFull),
    (guard_refused, DatabaseRefused),
)


def _refusal(error: BaseException | None) -> Refused | None:
    return next(
        (refusal(retry_after_s=RETRY_AFTER_S) for is_it, refusal in KINDS if is_it(error)), None
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: whatever layer the error came from, middleware and sessions too, it ends
    here.
    """
    refused = _refusal(sys.exc_info()[1])
    if refused is None:
        return error_pages.server_error(request)
    if wants_json(request):
        return problem(refused, 503)
    sentence, remedy = sentences(refused)
    page = error_pages.error_html(request, 503, sentence, remedy, error_pages.error_traces())
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
