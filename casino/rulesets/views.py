"""Pages of posted tables: what is in force, one version with its odds, two side by side, drafts, requests, signatures."""

from collections.abc import Callable
from itertools import groupby
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.people.context import Here, here_for
from casino.people.models import Person
from casino.people.page import reach, row_of
from casino.people.permissions import DRAFT_POSTED_TABLE, VIEW_POSTED_TABLE, VIEW_RULE
from casino.people.proofs import run_signed
from casino.rulesets import show as posted_show
from casino.text import ruleset_fields as posted_fields
from casino.text.days import day_of
from casino.text.problems import STATUS, refusal_context
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import House, PostedState, PostedTable
from payouts.rules.plain import Json, check_text
from payouts.rules.rulesets.kinds import TableKind
from payouts.services import (
    posted_table_draft,
    posted_table_edit,
    posted_table_reject,
    posted_table_request,
    posted_table_sign,
    posted_table_withdraw,
)
from tables.rules.kinds import KINDS


# --- to read ------------------------------------------------------------------------------------------------------------------
@require_GET
def tables(request: HttpRequest) -> HttpResponse:
    """All tables by kind: the version in force, the next one, drafts and requests."""
    person = _allowed(request, VIEW_POSTED_TABLE)
    rows = _reach(person).defer("data").order_by("kind", "house__name", "name", "-version")
    by_kind = {code: list(found) for code, found in groupby(rows, key=lambda row: row.kind)}
    sections = [(kind, posted_show.named(by_kind.get(kind.code, []))) for kind in KINDS.values()]
    here = here_for(person)
    may = {"draft": here and person.has_perm(DRAFT_POSTED_TABLE), "matrix": here and person.has_perm(VIEW_RULE)}
    context = {"sections": sections, "may": may}
    return render(request, "rulesets/tables.html", context)


@require_GET
def version(request: HttpRequest, pk: UUID) -> HttpResponse:
    """One version: its data, its odds, its history, and what the person may do with it."""
    return _version_page(request, _allowed(request, VIEW_POSTED_TABLE), pk)


@require_GET
def compare(request: HttpRequest, pk: UUID, other: UUID) -> HttpResponse:
    """Two versions of one kind side by side: every difference, and what it does to the edge."""
    person = _allowed(request, VIEW_POSTED_TABLE)
    after, before = _table(person, pk), _table(person, other)
    if before.kind != after.kind or before.house_id != after.house_id:
        raise Http404
    context = {"before": before, "after": after, "kind": KINDS[after.kind]}
    return render(request, "rulesets/compare.html", context | posted_show.comparison(before, after))


# --- drafts -------------------------------------------------------------------------------------------------------------------
def new(request: HttpRequest, code: str) -> HttpResponse:
    """Draft the first version of a new table of this kind."""
    person = _allowed(request, DRAFT_POSTED_TABLE)
    here = here_for(person)
    if code not in KINDS or here is None:
        raise Http404
    kind, house = KINDS[code], here.house
    return _form_page(request, person, house, kind, posted_fields.texts_of(kind.start, house), "", None)


def copy(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Draft a version from an existing one: the next of the same name, or the first of another."""
    person = _allowed(request, DRAFT_POSTED_TABLE)
    table = _table(person, pk)
    kind = KINDS[table.kind]
    texts = posted_fields.texts_of(kind.read(table.data), table.house)
    return _form_page(request, person, table.house, kind, texts, table.name, None)


def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change a draft."""
    person = _allowed(request, DRAFT_POSTED_TABLE)
    table = _table(person, pk)
    if table.state != PostedState.DRAFT:
        raise Http404
    kind = KINDS[table.kind]
    texts = posted_fields.texts_of(kind.read(table.data), table.house)
    return _form_page(request, person, table.house, kind, texts, table.name, table)


def _form_page(
    request: HttpRequest,
    person: Person,
    house: House,
    kind: TableKind,
    texts: dict[str, str],
    name: str,
    table: PostedTable | None,
) -> HttpResponse:
    note, refused, wrong = table.note if table else "", None, ""
    if request.method == "POST":
        texts = {path[2:]: str(text) for path, text in request.POST.items() if path.startswith("f.")}
        name, note = request.POST.get("name", name).strip(), request.POST.get("note", "").strip()
        data = posted_fields.data_of(type(kind.start), texts, house)
        body: dict[str, Any] = {"house": str(house.pk), "kind": kind.code, "name": name, "note": note, "data": data}
        body["table"] = str(table.pk) if table else ""

        def work() -> Json:
            if table:
                return str(posted_table_edit(table_id=table.pk, kind=kind, data=data, note=note, actor_id=person.pk).pk)
            made = posted_table_draft(house_id=house.pk, kind=kind, name=name, data=data, note=note, actor_id=person.pk)
            return str(made.pk)

        try:
            pk = _run(request, person, "posted_table.draft", body, work)
        except Refused as error:
            refused, wrong = error, posted_fields.path_of(error.data.get("field", ""))
        else:
            return redirect("posted-table", pk)
    context = {
        "kind": kind,
        "house": house,
        "table": table,
        "name": name,
        "note": note,
        "groups": posted_fields.form(type(kind.start), texts, wrong),
        "key": uuid4(),
    }
    return _said(request, "rulesets/form.html", context, refused)


# --- steps of a version -------------------------------------------------------------------------------------------------------
@require_POST
def ask(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Request a draft's approval."""
    person = _allowed(request, DRAFT_POSTED_TABLE)
    table = _table(person, pk)
    day, reason = day_of(request.POST.get("in_force_from", "")), request.POST.get("reason", "").strip()
    body = {"table": str(pk), "day": day.isoformat() if day else "", "reason": reason}

    def work() -> Json:
        posted_table_request(table_id=pk, kind=KINDS[table.kind], in_force_from=day, reason=reason, actor_id=person.pk)
        return None

    return _step(request, person, pk, lambda: _run(request, person, "posted_table.request", body, work))


@require_POST
@sensitive_post_parameters("secret")
def sign(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Sign a requested version with one's code or PIN; the last signature puts it in force."""
    person = _allowed(request, VIEW_POSTED_TABLE)
    table = _table(person, pk)
    seen = request.POST.get("seen", "")
    method = table.approval.method if table.approval else "totp"

    def work() -> Json:
        posted_table_sign(
            table_id=pk,
            kind=KINDS[table.kind],
            payload_hash=bytes.fromhex(seen) if _is_hex(seen) else b"",
            signer_id=person.pk,
            signer_roles=person.roles,
            method=method,
        )
        return None

    def run() -> Json:
        secret = "".join(request.POST.get("secret", "").split())
        request_hash = request_fingerprint("posted_table.sign", person.pk, {"table": str(pk), "seen": seen})
        key = _key(request, person)
        return run_signed(key, request_hash, person=person, method=method, secret=secret, work=work).body

    return _step(request, person, pk, run)


@require_POST
def reject(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Refuse a requested version, with a reason."""
    person = _allowed(request, VIEW_POSTED_TABLE)
    table = _table(person, pk)
    reason = request.POST.get("reason", "").strip()

    def work() -> Json:
        posted_table_reject(
            table_id=pk, kind=KINDS[table.kind], person_id=person.pk, person_roles=person.roles, reason=reason
        )
        return None

    body = {"table": str(pk), "reason": reason}
    return _step(request, person, pk, lambda: _run(request, person, "posted_table.reject", body, work))


@require_POST
def withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Give up a draft or a request."""
    person = _allowed(request, DRAFT_POSTED_TABLE)
    table = _table(person, pk)

    def work() -> Json:
        posted_table_withdraw(table_id=pk, kind=KINDS[table.kind], actor_id=person.pk)
        return None

    return _step(request, person, pk, lambda: _run(request, person, "posted_table.withdraw", {"table": str(pk)}, work))


# --- parts --------------------------------------------------------------------------------------------------------------------
def _step(request: HttpRequest, person: Person, pk: UUID, run: Callable[[], Json]) -> HttpResponse:
    try:
        run()
    except Refused as refused:
        return _version_page(request, person, pk, refused)
    messages.success(request, _("Done."))
    return redirect("posted-table", pk)


def _version_page(request: HttpRequest, person: Person, pk: UUID, refused: Refused | None = None) -> HttpResponse:
    table = _table(person, pk)
    kind = KINDS[table.kind]
    context = {"table": table, "kind": kind, "key": uuid4()} | posted_show.details(table, kind, Here.at(table.house))
    may = posted_show.steps(table, person, may_draft=person.has_perm(DRAFT_POSTED_TABLE))
    typed = {"reason": request.POST.get("reason", ""), "day": request.POST.get("in_force_from", "")}
    return _said(request, "rulesets/table.html", context | {"may": may, "typed": typed}, refused)


def _said(request: HttpRequest, template: str, context: dict[str, Any], refused: Refused | None) -> HttpResponse:
    if refused is None:
        return render(request, template, context)
    context |= refusal_context(refused, context["house"])
    return render(request, template, context, status=STATUS[refused.kind])


def _run(request: HttpRequest, person: Person, command: str, body: object, work: Callable[[], Json]) -> Any:
    """Carry the command out once for the form's key: a second click gets the first one's answer."""
    return run_once(_key(request, person), request_fingerprint(command, person.pk, body), work).body


def _key(request: HttpRequest, person: Person) -> str:
    return f"posted:{person.pk}:{check_text(request.POST.get('key', ''), 'key', least=32, most=40)}"


def _allowed(request: HttpRequest, permission: str) -> Person:
    person = request.user
    if not isinstance(person, Person) or not person.has_perm(permission):
        raise PermissionDenied(permission)
    return person


def _reach(person: Person) -> QuerySet[PostedTable]:
    rows = PostedTable.objects.select_related("house", "drafted_by", "approval")
    return rows.filter(**reach(person))


def _table(person: Person, pk: UUID) -> PostedTable:
    return row_of(person, _reach(person).filter(kind__in=KINDS), pk)


def _is_hex(text: str) -> bool:
    return len(text) == 64 and all(letter in "0123456789abcdef" for letter in text)
