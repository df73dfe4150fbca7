"""Pages of reports: the list, one report on screen page by page, and the same report as a file."""

import re
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_GET, require_http_methods

from casino.audit.forms import FilterForm
from casino.audit.reports import filters, run_views
from casino.audit.reports.errors import FormatUnknown, PlaceWrong, TooLong
from casino.audit.reports.files.cells import cell_text
from casino.audit.reports.files.formats import FORMATS, Format, file_name
from casino.audit.reports.gather import Gathered, gathered
from casino.audit.reports.head import Head, head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.looks import look_record
from casino.audit.reports.shape import NUMBERS, Column, Kind
from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.pages.page import allowed, house_clock_of
from casino.people.permissions import VIEW_REPORT
from casino.text.problems import STATUS, refusal_context
from payouts.errors import Refused
from payouts.models import House

PAGE = 100  # rows on one page of the screen
# shown by its beginning; an id in words, as that of a report, is read whole
_LONG_ID = re.compile(r"[0-9a-f-]{32,}")


@require_GET
def reports(request: HttpRequest) -> HttpResponse:
    """The list of all reports."""
    person = allowed(request, VIEW_REPORT)
    here = house_clock_of(person)
    return render(
        request,
        "audit/reports/list.html",
        {"kinds": KINDS.values(), "house": here.house, "day": here.gaming_day},
    )


@require_http_methods(["GET", "POST"])
def report(request: HttpRequest, kind: str) -> HttpResponse:
    """One report: without a format on screen, page by page; with one as a file; posted, the worker
    makes it.
    """
    person = allowed(request, VIEW_REPORT)
    if kind not in KINDS:
        raise Http404
    here = house_clock_of(person)
    try:
        if request.method == "POST":
            return run_views.ask(request, person, here, KINDS[kind])
        return _answer(request, person, here, KINDS[kind])
    except Refused as refused:
        return _refused(request, here, KINDS[kind], refused)


def _answer(request: HttpRequest, person: Person, here: HouseClock, kind: Kind) -> HttpResponse:
    query = filters.query_of(kind, here.house, _asked(request), here.gaming_day)
    form = _format(request)
    with gathered(kind, query) as found:
        head = head_of(found, here.house, person.full_name)
        after = _after(request, found)
        look_record(person, query, kind, form.code if form else "screen", found.count, found.sha256)
        return _file(found, head, form) if form else _page(request, here, found, head, after)


def _asked(request: HttpRequest) -> dict[str, str]:
    return {name: str(value) for name, value in request.GET.items()}


def _format(request: HttpRequest) -> Format | None:
    code = request.GET.get("format", "")
    if code and code not in FORMATS:
        raise FormatUnknown(value=code[:20])
    return FORMATS.get(code)


def _after(request: HttpRequest, found: Gathered) -> int:
    """How many rows come before this page. Raises PlaceWrong."""
    text = request.GET.get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise PlaceWrong
    after = int(text)
    if after and (after % PAGE or after >= found.count):
        raise PlaceWrong
    return after


def _file(found: Gathered, head: Head, form: Format) -> HttpResponse:
    out: IO[bytes]
    with SpooledTemporaryFile(1 << 20) as out:
        form.write(found, head, out)
        out.seek(0)
        response = HttpResponse(_pieces(out), content_type=form.media)
    response["Content-Disposition"] = f'attachment; filename="{file_name(found, form)}"'
    response["X-Report-Number"], response["X-Data-SHA256"] = found.number, found.sha256
    return response


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(1 << 16):
        yield piece


def _page(
    request: HttpRequest, here: HouseClock, found: Gathered, head: Head, after: int
) -> HttpResponse:
    columns = found.kind.columns
    rows = []
    for row in found.rows(after):
        cells = [
            _cell(column, value, here, found) for column, value in zip(columns, row, strict=True)
        ]
        rows.append((found.kind.struck(row), cells))
        if len(rows) == PAGE:
            break
    asked = {
        name: value
        for name, value in _asked(request).items()
        if value and name not in ("after", "hash", "format", "house")
    }
    days = {"from": found.query.first.isoformat(), "to": found.query.last.isoformat()}
    address = urlencode(asked | days)
    before = request.GET.get("hash", "")
    context = _form(here, found.kind, asked | days)._asdict() | {
        "head": head,
        "found": found,
        "rows": rows,
        "columns": [(column, gettext(column.title), column.type in NUMBERS) for column in columns],
        "totals": list(zip(columns, head.totals, strict=True)) if found.totals else [],
        "address": address,
        "formats": FORMATS.values(),
        "first": after + 1,
        "last": after + len(rows),
        "next": after + PAGE if after + PAGE < found.count else None,
        "previous": after - PAGE if after else None,
        "moved": bool(before) and before != found.sha256,
        "language": get_language(),
    }
    return render(request, "audit/reports/report.html", context)


class Cell(NamedTuple):
    """A cell on the screen: its text, perhaps cut, and the whole of it; `behind`: an id stands
    behind its name; `to`: the name of the address that says more; `right`: a figure.
    """

    text: str
    whole: str
    behind: bool
    to: str
    column: Column
    right: bool


def _cell(column: Column, value: Any, here: HouseClock, found: Gathered) -> Cell:
    to = column.to if value is not None else ""
    text = cell_text(column, value, here.house, found.names)
    named = column.type == "id" and column.names and text != value
    whole = str(value) if named else text
    return Cell(
        text=text[:8] if column.type == "id" and _LONG_ID.match(text) else text,
        whole=whole,
        behind=bool(named),
        to=to,
        column=column,
        right=column.type in NUMBERS,
    )


class FilledIn(NamedTuple):
    """The form of a report as it was filled in; `least`: from which amount, where `takes_least`."""

    kind: Kind
    house: House
    asked: dict[str, str]
    form: FilterForm
    takes_least: bool
    least: str | int


def _form(here: HouseClock, kind: Kind, asked: dict[str, str]) -> FilledIn:
    form = FilterForm(asked | {"by": asked.get("by") or "day"})
    if "by" in kind.takes:
        spans = [(code, gettext(title)) for code, title in filters.SPANS.items()]
        lines_by = filters.FIELDS["by"]
        form.offer("by", gettext(lines_by), spans, every=False)
    offered = filters.choices(kind, here.house)
    for field, title in filters.FIELDS.items():
        if field in offered:
            form.offer(field, gettext(title), offered[field])
    least = asked.get("least", "") or filters.LEAST
    return FilledIn(kind, here.house, asked, form, "least" in kind.takes, least)


def _refused(request: HttpRequest, here: HouseClock, kind: Kind, refused: Refused) -> HttpResponse:
    asked = {
        name: str(value)
        for name, value in (request.POST if request.method == "POST" else request.GET).items()
    }
    context = _form(
        here,
        kind,
        {"from": asked.get("from", "")[:10], "to": asked.get("to", "")[:10]}
        | {name: value[:40] for name, value in asked.items() if name in filters.FIELDS},
    )._asdict()
    context |= {"long": isinstance(refused, TooLong), "formats": FORMATS.values()}
    context |= refusal_context(refused, here.house)
    return render(request, "audit/reports/report.html", context, status=STATUS[refused.kind])
