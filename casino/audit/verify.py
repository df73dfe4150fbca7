"""The verify page: a whole verification is asked for, watched, and its findings are kept, each row
by its name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.apps import apps
from django.contrib import messages
from django.db import models, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.audit import verdict
from casino.audit.found_rounds import GivenAward, OfRounds, of_rounds
from casino.audit.parts import auditor, looked, page
from casino.audit.runs import verify_ask, verify_lost
from casino.ops.models import BUSY, VerifyRun
from casino.people.context import house_clock_for, name_for
from casino.people.models import Person
from casino.records.findings import WHAT, WORDS, field, record
from casino.text.problems import STATUS, sentences
from payouts.agreement import NAME as AGREEMENT
from payouts.errors import Refused
from payouts.findings import Breach
from payouts.models import House
from tables.audit.replay import DOUBTED
from tables.models import Round

KEPT = 20
SEALS = ("seals_are_a_chain", "rows_are_as_they_were_sealed", "no_row_was_slipped_in", AGREEMENT)


@require_http_methods(["GET", "POST"])
def runs(request: HttpRequest) -> HttpResponse:
    """The newest verification and those before it; a post asks for another."""
    person = auditor(request)
    if request.method == "GET":
        return _page(
            request, person, VerifyRun.objects.select_related("asked_by").order_by("-pk").first()
        )
    try:
        with transaction.atomic(durable=True):
            run = verify_ask(person_id=person.pk, house_id=person.house_id)
    except Refused as refused:
        newest = VerifyRun.objects.select_related("asked_by").order_by("-pk").first()
        return _page(request, person, newest, refused)
    messages.success(request, _("Verification %(number)s was asked for.") % {"number": run.pk})
    return redirect("audit-verify-run", run.pk)


@require_GET
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """One verification: how far it is, or what it found."""
    person = auditor(request)
    found = (
        VerifyRun.objects.select_related("asked_by").filter(pk=pk).first() if pk < 2**63 else None
    )
    if found is None:
        raise Http404
    return _page(request, person, found)


def _page(
    request: HttpRequest, person: Person, shown: VerifyRun | None, refused: Refused | None = None
) -> HttpResponse:
    if shown and shown.ended_at:
        looked(person, person.house_id, "verify_run", shown.pk)
    here = house_clock_for(person)
    house = here.house if here else None
    context: dict[str, Any] = {
        "place": "verify",
        "verdict": verdict.verdict(house),
        "run": shown,
        "lost": bool(shown and shown.state == VerifyRun.State.RUNNING and verify_lost(shown)),
        "busy": bool(shown and shown.state in BUSY),
        "percent": 100 * shown.done // shown.jobs if shown and shown.jobs else 0,
        "checks": _checks(shown, person) if shown else [],
        "asker": _asker(shown, person) if shown else "",
        "runs": [
            (run, _asker(run, person))
            for run in VerifyRun.objects.select_related("asked_by")
            .defer("checks")
            .order_by("-pk")[:KEPT]
        ],
    }
    if refused:
        sentence, remedy = sentences(refused, house)
        context["refused"] = {"sentence": sentence, "remedy": remedy}
    return page(
        request, "audit/verify.html", context, house, STATUS[refused.kind] if refused else 200
    )


def _asker(run: VerifyRun, person: Person) -> str:
    """Who asked for it, as far as the person may know."""
    return name_for(person, run.asked_by) if run.asked_by else _("daily verification")


class Finding(NamedTuple):
    """A finding: the record in words and by its raw name, what is wrong there, and everything else
    that was said.
    """

    seal: object
    record: str
    table: object
    key: object
    round: Round | None
    box: object
    awards: list[GivenAward]
    what: str
    rest: str


@dataclass(frozen=True)
class Check:
    """A check with what it found. `elsewhere`: how many findings are not shown."""

    name: str
    words: str
    count: int
    looked_at: int | None
    rows: list[Finding]
    elsewhere: int


def _checks(shown: VerifyRun, person: Person) -> list[Check]:
    """The checks, those that found something first. Rows of another house are counted, not
    shown."""
    checks: Sequence[Mapping[str, Any]] = shown.checks or []
    several = person.house_id is not None and House.objects.count() > 1
    found, about = [], of_rounds([row for one in checks for row in one["breaches"]])
    for one in sorted(checks, key=lambda check: not check["count"]):
        name, rows = one["name"], one["breaches"]
        mine = _mine(name, rows, person.house_id) if several and rows and person.house_id else rows
        words = _(WORDS.get(name, name))  # kept runs may name a check that is no more
        findings, elsewhere = [_finding(row, about) for row in mine], one["count"] - len(mine)
        found.append(Check(name, words, one["count"], one["looked_at"], findings, elsewhere))
    return found


def _mine(check: str, rows: Sequence[Breach], house_id: UUID) -> list[Breach]:
    """The rows that are of the house, and of the seals' those that are of no house: missing ones,
    and the chain itself.
    """
    if check not in SEALS:
        return [row for row in rows if str(row.get("house_id", "")) == str(house_id)]
    by_table: dict[str, list[str]] = {}
    for row in rows:
        if "key" in row:
            by_table.setdefault(str(row["table"]), []).append(str(row["key"]))
    others = {
        (table, key) for table, keys in by_table.items() for key in _others(table, keys, house_id)
    }
    return [row for row in rows if (row.get("table"), row.get("key")) not in others]


def _others(table: str, keys: Sequence[str], house_id: UUID) -> list[str]:
    """Those of the keys whose rows are another house's."""
    model: type[models.Model] | None = next(
        (one for one in apps.get_models() if one._meta.db_table == table), None
    )
    if model is None:
        return []
    names = {field.name for field in model._meta.fields}
    house = "house" if "house" in names else "pk" if table == "payouts_house" else ""
    rows = model._default_manager.filter(pk__in=keys)
    if not house:  # of no house by itself: shown to who is of none
        return list(keys)
    return [
        str(pk)
        for pk in (
            rows.exclude(**{house: house_id}).exclude(**{house: None}).values_list("pk", flat=True)
        )
    ]


def _finding(row: Mapping[str, Any], about: OfRounds) -> Finding:
    round_id, box = str(row.get("round_id", "")), row.get("box")
    what = str(row.get("what") or row.get("why") or "")
    rest = {
        name: value
        for name, value in row.items()
        if name not in ("what", "why", "table", "key", "seal") and value is not None
    }
    if round_id in about.rounds:
        rest.pop("round_id", None)
        rest.pop("box", None)
    if not what and "columns" in row:
        what = "differs"
    return Finding(
        seal=row.get("seal"),
        record=record(str(row.get("table", ""))),
        table=row.get("table", ""),
        key=row.get("key", ""),
        round=about.rounds.get(round_id),
        box=box,
        awards=about.awards.get((round_id, box), []) if what == DOUBTED else [],
        what=_(WHAT[what]) if what in WHAT else what,
        rest=", ".join(_more(name, value) for name, value in rest.items()),
    )


def _more(name: str, value: object) -> str:
    if name == "columns":
        columns = value.split(", ") if isinstance(value, str) else value
        return (
            ", ".join(field(str(one)) for one in columns)
            if isinstance(columns, list)
            else str(columns)
        )
    return f"{field(name)} = {value}"
