"""The audit desk: one search over every record of the house, and the page of each record. It is
read, and that is recorded.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.db.utils import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.formats import date_format, time_format
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.audit import lists as audit_lists
from casino.audit import postings as audit_postings
from casino.audit import records, verdict
from casino.audit.forms import FilterForm
from casino.audit.hand_checks import hand_checks
from casino.audit.hands import hand_file, hand_record
from casino.audit.parts import SEARCHED, auditor, looked, page, record, small
from casino.audit.search import TEXT_MOST, Asked, FilterStrange, understood
from casino.devices.models import Device
from casino.people.context import HouseClock, current_house, look_at
from casino.people.models import Person
from casino.people.pages.page import row_of
from casino.pit.hands import show as hand_show
from casino.pit.jackpots import course as jackpot_course
from casino.pit.rounds import show as round_show
from casino.records import labels
from casino.rulesets import show
from casino.text.floor import uuid_or_none
from casino.text.problems import STATUS, refusal_context
from jackpot.models import Hit
from jackpot.rules.slip_number import written
from payouts.errors import Refused, mark
from payouts.models import Account, House, PostedTable
from tables.models import Hand, Round
from tables.selectors.sessions import table_then

FILTERS = ("q", "kind", "from", "to", "table", "person")


class SearchTooWide(Refused):
    """A search that PostgreSQL did not end in time."""

    code = "audit.too_wide"
    sentence = mark("That takes too long to be searched for.")
    remedy = mark("Name a gaming day or a table besides.")


@require_GET
def desk(request: HttpRequest) -> HttpResponse:
    """The verdict, the field, and what it finds: some of each kind, or a page of one."""
    person = auditor(request)
    house = _house(person, request.GET.get("house", ""))
    said = {name: request.GET.get(name, "").replace("\0", "") for name in FILTERS}
    context: dict[str, Any] = {
        "said": said,
        "place": "records",
        "status": 200,
    }
    try:
        asked = understood(house, said)
        if asked.kind and asked.kind not in labels.KINDS:
            raise FilterStrange(text=asked.kind[:TEXT_MOST])
        if asked.ident and (address := audit_lists.record_of(asked)):
            return redirect(address)
        context |= _found(person, asked, said, request.GET.get("after", ""))._asdict()
    except Refused as refused:
        context |= refusal_context(refused, house)
        context |= {
            "lists": [],
            "status": STATUS[refused.kind],
            "tables": audit_lists.tables_of(house),
        }
    context |= {
        "verdict": verdict.verdict(house),
        "form": _filters(said, context["tables"], person, house),
        "query": _query(request),
    }
    return page(request, "audit/desk.html", context, house, context["status"])


class SearchResult(NamedTuple):
    """What a search found. `passed`: kinds that cannot answer it; `meant`: whom a name may mean;
    `chips`: how it was understood.
    """

    lists: list[audit_lists.Listed]
    passed: list[audit_lists.Passed]
    meant: list[Person]
    asked: Asked
    chips: list[tuple[str, object]]
    tables: Iterable[tuple[UUID, str]]
    paged: bool


def _found(person: Person, asked: Asked, said: dict[str, str], after: str) -> SearchResult:
    if any(said.values()):
        looked(
            person,
            asked.house.pk,
            "search",
            asked.words,
            SEARCHED,
            {name: text for name, text in said.items() if text},
        )
    try:
        lists = audit_lists.search(asked, after)
    except OperationalError as error:
        if "statement timeout" not in str(error):
            raise
        raise SearchTooWide from error
    passed = audit_lists.passed(asked) if not asked.ident else []
    return SearchResult(
        lists=[one for one in lists if one.rows or not passed],
        passed=passed,
        meant=[asked.person] if asked.person else list(asked.people),
        asked=asked,
        chips=_chips(asked),
        tables=asked.tables.items(),
        paged=bool(after),
    )


def _chips(asked: Asked) -> list[tuple[str, object]]:
    """What the words were understood as."""
    days = asked.first if asked.first == asked.last else None
    day = days or (asked.today if asked.given & {"at", "amount_minor"} and not asked.last else None)
    span = (
        asked.first
        and asked.last
        and f"{date_format(asked.first, 'd.m.Y')} – {date_format(asked.last, 'd.m.Y')}"
    )
    chips: list[tuple[str, object]] = [
        (_("Table"), asked.table.name if asked.table else None),
        (_("Gaming day"), date_format(day, "d.m.Y") if day else span),
        (_("Time"), asked.at and time_format(asked.at, "H:i:s")),
        (_("No."), asked.number),
        (_("Slip"), written(*asked.slip) if asked.slip else None),
        (_("Name"), None if asked.people else asked.name),
    ]
    return [(name, value) for name, value in chips if value not in (None, "")]


def _house(person: Person, wanted: str) -> House:
    """The house whose records are searched. Who is of none says which, the first by its name
    otherwise. Raises Http404.
    """
    if kept := current_house(person):
        return kept
    houses = House.objects.order_by("name")
    pk = uuid_or_none(wanted)
    chosen = houses.filter(pk=pk).first() if pk else houses.first()
    if chosen is None:
        raise Http404
    look_at(person, chosen)
    return chosen


def _filters(
    said: dict[str, str], tables: Iterable[tuple[UUID, str]], person: Person, house: House
) -> FilterForm:
    houses = [] if current_house(person) else list(House.objects.order_by("name"))
    form = FilterForm(said | {"house": house.pk})
    form.offer("kind", _("Kind"), [(code, _(title)) for code, title in labels.KINDS.items()])
    form.offer("table", _("Table"), tables)
    if len(houses) > 1:
        form.offer("house", _("House"), [(one.pk, one.name) for one in houses], every=False)
    return form


def _query(request: HttpRequest) -> str:
    """What was asked for, to be carried to the next page."""
    query = request.GET.copy()
    query.pop("after", None)
    query.pop("kind", None)
    return query.urlencode()


@require_GET
def round_record(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A round: stakes, cards, lines with rules and odds, versions, who, when, device, corrections
    beside what was struck.
    """
    person = auditor(request)
    rows = Round.objects.select_related(
        "house", "table", "session", "croupier", "ended_by", "jackpot"
    ).annotate(table_then=table_then())
    row = row_of(person, rows, pk)
    looked(person, row.house_id, "round", pk)
    context = round_show.details(row, person)._asdict() | records.round_details(row)._asdict()
    return record(request, "audit/round.html", context, row.house)


@require_GET
def hand_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A hand: every entry beside the one that counts, versions, who, when, what it moved."""
    person = auditor(request)
    rows = Hand.objects.select_related("house", "table", "session", "croupier")
    rows = rows.annotate(table_then=table_then())
    row = row_of(person, rows, pk)
    looked(person, row.house_id, "hand", pk)
    context = hand_show.details(row, person)._asdict() | hand_record(row)._asdict()
    context["checks"] = hand_checks(row)
    return record(request, "audit/hand.html", context, row.house)


@require_GET
def hand_json(request: HttpRequest, pk: UUID) -> JsonResponse:
    """A hand as the API shows it, with its day, posted versions and transfers, as a file."""
    person = auditor(request)
    rows = Hand.objects.select_related("house", "table", "session")
    row: Any = row_of(person, rows.annotate(table_then=table_then()), pk)
    looked(person, row.house_id, "hand", pk)
    answer = JsonResponse(
        hand_file(row) | {"table_name": row.table_then}, json_dumps_params={"indent": 1}
    )
    name = f"hand-{slugify(row.table_then)}-{row.session.gaming_day}-{row.number}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_GET
def hit_record(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A hit: everything of its life, and what it moved."""
    person = auditor(request)
    row = row_of(person, Hit.objects.select_related("house", "jackpot__house", "epoch"), pk)
    looked(person, row.house_id, "hit", pk)
    return record(request, "audit/hit.html", records.hit_details(row)._asdict(), row.house)


@require_GET
def hit_meter(request: HttpRequest, pk: UUID) -> JsonResponse:
    """The meter over the epoch of a hit, to be drawn."""
    person = auditor(request)
    row = row_of(person, Hit.objects.select_related("jackpot__house"), pk)
    course = jackpot_course.course(row.jackpot, row.epoch_id)
    if course is None:
        raise Http404
    return JsonResponse(course)


@require_GET
def account_record(request: HttpRequest, pk: int) -> HttpResponse:
    """An account and a page of its entries, newest first; `?before=` a version of it."""
    person = auditor(request)
    row = row_of(person, Account.objects.select_related("house"), small(pk))
    looked(person, row.house_id, "account", pk)
    details = audit_postings.account_details(row, _before(request))
    return record(request, "audit/account.html", details._asdict(), row.house)


@require_GET
def person_record(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A person: roles, what they did, signed and were signed in at; a page of acts, newest
    first."""
    person = auditor(request)
    row = row_of(person, Person.objects.select_related("house"), pk)
    looked(person, row.house_id, "person", pk)
    details = records.person_details(row, _before(request))
    return record(request, "audit/person.html", details._asdict(), row.house or _house(person, ""))


@require_GET
def device_record(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A device: where it stands, who was signed in on it, what was done with it."""
    person = auditor(request)
    row = row_of(
        person,
        Device.objects.select_related("house", "table", "jackpot", "enrolled_by", "revoked_by"),
        pk,
    )
    looked(person, row.house_id, "device", pk)
    details = records.device_details(row, _before(request))
    return record(request, "audit/device.html", details._asdict(), row.house)


@require_GET
def posted_record(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A posted version: what it says, every version of its name with from and to, who asked,
    signed, released.
    """
    person = auditor(request)
    row = row_of(
        person, PostedTable.objects.select_related("house", "approval__requester", "drafted_by"), pk
    )
    looked(person, row.house_id, "posted_table", pk)
    shown = show.details(row, HouseClock.at(row.house))
    context = shown._asdict() | records.posted_details(row, shown.versions)._asdict()
    return record(request, "audit/posted.html", context, row.house)


def _before(request: HttpRequest) -> int | None:
    """Where a page of a record's list begins. Raises Http404 for what is no number."""
    text = request.GET.get("before", "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 18:
        raise Http404
    return int(text)
