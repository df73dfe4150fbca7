"""Pages of reports that the worker makes: asked for, how far they are, their files."""

from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from casino.audit.models import RUNNING, ReportRun
from casino.audit.reports import filters
from casino.audit.reports.errors import FormatUnknown, ReportGone
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.files.streams import pieces
from casino.audit.reports.head import days_text, filter_facts
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.looks import look_record
from casino.audit.reports.runs import path_of, query_again, report_ask
from casino.audit.reports.shape import Kind, report_number
from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.pages.page import allowed, row_of
from casino.people.permissions import VIEW_REPORT
from casino.text.formats import digits_of, plain_decimal
from casino.text.problems import STATUS, refusal_context


def ask(request: HttpRequest, person: Person, here: HouseClock, kind: Kind) -> HttpResponse:
    """Have the worker make a report; who asks for what is being made already comes to the same
    page.

    Raises FormatUnknown and what reading the filters raises.
    """
    asked = {name: str(value) for name, value in request.POST.items()}
    form = FORMATS.get(asked.get("format", ""))
    if form is None:
        raise FormatUnknown(value=asked.get("format", "")[:20])
    query = filters.query_of(kind, here.house, asked, here.gaming_day)
    made = report_ask(
        kind=kind, query=query, form=form, language=get_language() or "en", person=person
    )
    return redirect("audit_report_run", made.pk)


@require_GET
def run(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A report that the worker makes: how far it is, and the file when it is there."""
    return _page(request, _found(allowed(request, VIEW_REPORT), pk))


@require_GET
def run_file(request: HttpRequest, pk: UUID) -> HttpResponse | StreamingHttpResponse:
    """The file of a report that the worker made. Raises Http404 before it is there."""
    person = allowed(request, VIEW_REPORT)
    made = _found(person, pk)
    if made.state != "done":
        raise Http404
    path = path_of(made)
    if not path.is_file():
        return _page(request, made, gone=ReportGone())
    query = query_again(made, made.house)
    look_record(person, query, KINDS[made.kind], made.form, made.lines, made.sha256)
    response = StreamingHttpResponse(pieces(request, path), content_type=FORMATS[made.form].media)
    response["Content-Disposition"] = f'attachment; filename="{made.file_name}"'
    response["Content-Length"] = str(path.stat().st_size)
    response["X-Report-Number"] = report_number(KINDS[made.kind], query, made.sha256)
    response["X-Data-SHA256"] = made.sha256
    return response


def _page(request: HttpRequest, made: ReportRun, gone: ReportGone | None = None) -> HttpResponse:
    kind = KINDS[made.kind]
    query = query_again(made, made.house)
    context = {
        "run": made,
        "kind": kind,
        "form": FORMATS[made.form],
        "house": made.house,
        "number": report_number(kind, query, made.sha256) if made.sha256 else "",
        "days": days_text(query),
        "asked": filter_facts(query, made.house),
        "waits": made.state in RUNNING,
        "percent": min(made.lines * 100 // made.expected, 99) if made.expected else None,
        "kept_h": settings.REPORTS_KEEP_H,
        "again": _again(made) if gone or made.state == "failed" else {},
    }
    if gone is None:
        return render(request, "audit/reports/run.html", context)
    context |= refusal_context(gone, made.house)
    return render(request, "audit/reports/run.html", context, status=STATUS[gone.kind])


def _again(made: ReportRun) -> dict[str, str]:
    """What asks for the same report once more, as the form of the report would."""
    asked = {name: str(value) for name, value in made.asked.items() if name != "least_minor"} | {
        "format": made.form
    }
    if "least_minor" in made.asked:
        digits = digits_of(made.house.currency)
        asked["least"] = plain_decimal(int(made.asked["least_minor"]), digits, made.house.locale)
    return asked


def _found(person: Person, pk: UUID) -> ReportRun:
    """A run of the person's house, or of any for who is of no house. Raises Http404."""
    rows = ReportRun.objects.select_related("house", "asked_by").filter(
        kind__in=KINDS, form__in=FORMATS
    )
    return row_of(person, rows, pk)
