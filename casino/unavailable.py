"""The answer while the database is away: 503 and what to do, not 500."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from casino import views
from casino.problems import problem, sentences, wants_json
from payouts.constraints import database_away
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


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: whatever layer the error came from, middleware and sessions too, it ends here."""
    if not database_away(sys.exc_info()[1]):
        return views.server_error(request)
    refused = DatabaseAway(retry_after_s=RETRY_AFTER_S)
    if wants_json(request):
        return problem(refused, 503)
    sentence, remedy = sentences(refused)
    page = render_to_string("errors/error.html", {"status": 503, "sentence": sentence, "remedy": remedy})
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
