"""The answer while the database is away, or others hold what is needed of it: 503 and what to do, not 500."""

import sys

from django.http import HttpRequest, HttpResponse

from casino import views
from casino.problems import problem, sentences, wants_json
from payouts.constraints import database_away, database_busy
from payouts.errors import Refused, mark

RETRY_AFTER_S = 5


class DatabaseAway(Refused):
    """The database cannot be reached, or hung up in the middle."""

    code = "service.database_away"
    sentence = mark("The database does not answer at the moment.")
    remedy = mark(
        "Try again in %(retry_after_s)s s. Then check whether what you entered was taken:"
        " it may have been, just before the line broke."
    )


class DatabaseBusy(Refused):
    """Outside of a command under a key (tried again by itself): a lock was not given in time, or a statement took too long.

    What broke was rolled back; what the same request had committed before it, if anything, stands.
    """

    code = "service.database_busy"
    sentence = mark("The books are busy at the moment.")
    remedy = mark("Try again in %(retry_after_s)s s. Before that, look whether what you entered was taken.")


def _refusal(error: BaseException | None) -> Refused | None:
    if database_away(error):
        return DatabaseAway(retry_after_s=RETRY_AFTER_S)
    return DatabaseBusy(retry_after_s=RETRY_AFTER_S) if database_busy(error) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: whatever layer the error came from, middleware and sessions too, it ends here."""
    refused = _refusal(sys.exc_info()[1])
    if refused is None:
        return views.server_error(request)
    if wants_json(request):
        return problem(refused, 503)
    sentence, remedy = sentences(refused)
    page = views.error_html(request, 503, sentence, remedy, views.error_traces())
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
