"""Pages of posted tables: what is in force, one version with its odds, two side by side, drafts,
requests, signatures.
"""

from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from casino.people.acts import ACTS
from casino.people.context import HouseClock, house_clock_for
from casino.people.models import Person
from casino.people.pages.fields import Hash, Reason, Text
from casino.people.pages.page import Wrong, allowed, house_filter, row_of, run
from casino.people.pages.signed_step import RefusalStep, SignedStep
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import DRAFT_POSTED_TABLE, VIEW_POSTED_TABLE, VIEW_RULE
from casino.rulesets import show
from casino.rulesets.forms import DraftForm
from casino.text import ruleset_fields
from casino.text.problems import STATUS, refusal_context
from casino.text.typed import day_of
from payouts.errors import Refused
from payouts.models import Approval, House, PostedState, PostedTable
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.rules.rulesets.kinds import ACTION as RELEASE
from payouts.rules.rulesets.kinds import TableKind
from payouts.services import (
    posted_table_draft,
    posted_table_edit,
    posted_table_request,
    posted_table_withdraw,
)
from tables.kinds import KINDS


@require_GET
def tables(request: HttpRequest) -> HttpResponse:
    """All tables by kind: the version in force, the next one, drafts and requests."""
    person = allowed(request, VIEW_POSTED_TABLE)
    rows = _posted_rows(person).defer("data").order_by("kind", "house__name", "name", "-version")
    by_kind = {code: list(found) for code, found in groupby(rows, key=lambda row: row.kind)}
    sections = [(kind, show.named(by_kind.get(kind.code, []))) for kind in KINDS.values()]
    here = house_clock_for(person)
    may = {
        "draft": here and person.has_perm(DRAFT_POSTED_TABLE),
        "matrix": here and person.has_perm(VIEW_RULE),
    }
    context = {"sections": sections, "may": may}
    return render(request, "rulesets/tables.html", context)


@require_GET
def version(request: HttpRequest, pk: UUID) -> HttpResponse:
    """One version: its data, its odds, its history, and what the person may do with it."""
    person = allowed(request, VIEW_POSTED_TABLE)
    return _version_page(request, person, _table(person, pk))


@require_GET
def compare(request: HttpRequest, pk: UUID, other: UUID) -> HttpResponse:
    """Two versions of one kind side by side: every difference, and what it does to the edge."""
    person = allowed(request, VIEW_POSTED_TABLE)
    after, before = _table(person, pk), _table(person, other)
    if before.kind != after.kind or before.house_id != after.house_id:
        raise Http404
    return render(request, "rulesets/compare.html", show.comparison(before, after)._asdict())


def new(request: HttpRequest, code: str) -> HttpResponse:
    """Draft the first version of a new table of this kind."""
    person = allowed(request, DRAFT_POSTED_TABLE)
    here = house_clock_for(person)
    if code not in KINDS or here is None:
        raise Http404
    kind, house = KINDS[code], here.house
    return _form_page(
        request, person, house, kind, ruleset_fields.texts_of(kind.start, house), "", None
    )


def copy(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Draft a version from an existing one: the next of the same name, or the first of another."""
    person = allowed(request, DRAFT_POSTED_TABLE)
    table = _table(person, pk)
    kind = KINDS[table.kind]
    texts = ruleset_fields.texts_of(kind.read(table.data), table.house)
    return _form_page(request, person, table.house, kind, texts, table.name, None)


def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change a draft."""
    person = allowed(request, DRAFT_POSTED_TABLE)
    table = _table(person, pk)
    if table.state != PostedState.DRAFT:
        raise Http404
    kind = KINDS[table.kind]
    texts = ruleset_fields.texts_of(kind.read(table.data), table.house)
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
        sent = DraftForm(request.POST)
        texts, note = sent.texts, sent.values["note"]
        name = sent.values["name"] if "name" in sent.data else name
        data = ruleset_fields.data_of(type(kind.start), texts, house)
        body: dict[str, Any] = {
            "house": str(house.pk),
            "kind": kind.code,
            "name": name,
            "note": note,
            "data": data,
        }
        body["table"] = str(table.pk) if table else ""

        def work() -> Json:
            if table:
                return str(
                    posted_table_edit(
                        table_id=table.pk, kind=kind, data=data, note=note, actor_id=person.pk
                    ).pk
                )
            made = posted_table_draft(
                house_id=house.pk, kind=kind, name=name, data=data, note=note, actor_id=person.pk
            )
            return str(made.pk)

        try:
            pk = run(request, person, "posted_table.draft", body, work)
        except Refused as error:
            refused, wrong = error, ruleset_fields.path_of(error.data.get("field", ""))
        else:
            return redirect("posted-table", UUID(str(pk)))
    form = DraftForm(name=name, note=note)
    form.fields["name"].widget.attrs["readonly"] = table is not None
    groups = form.groups(ruleset_fields.form(type(kind.start), texts, wrong))
    context = {"kind": kind, "house": house, "table": table, "form": form, "groups": groups}
    return _response(request, "rulesets/form.html", context, refused)


class _VersionStep(Step[PostedTable]):
    permission, subject = DRAFT_POSTED_TABLE, "table"

    @property
    def ids(self) -> dict[str, Any]:
        return {"table_id": self.row.pk, "kind": KINDS[self.row.kind]}


class _Request(_VersionStep):
    step, command = "request", "posted_table.request"
    in_force_from = Text()
    reason = Reason(500, label=gettext_lazy("Why it is meant so"))

    def carry_out(self) -> Json:
        """Request the draft's approval."""
        day, reason = day_of(self.values["in_force_from"]), self.values["reason"]
        posted_table_request(**self.ids, in_force_from=day, reason=reason, actor_id=self.person.pk)
        return None


class _Sign(SignedStep[PostedTable], _VersionStep):
    step, command, permission = "sign", "posted_table.sign", VIEW_POSTED_TABLE
    seen = Hash()

    def method(self) -> str:
        return self.row.approval.method if self.row.approval else "totp"

    def carry_out(self) -> Json:
        """Sign the requested version; the last signature puts it in force."""
        return (
            ACTS[RELEASE]
            .sign(
                approval_id=self.row.approval_id,
                house_id=self.row.house_id,
                payload_hash=self.values["seen"],
                signer_id=self.person.pk,
                signer_roles=self.person.roles,
                method=self.proof,
            )
            .state
        )


class _Reject(RefusalStep[PostedTable], _VersionStep):
    step, command, permission = "reject", "posted_table.reject", VIEW_POSTED_TABLE
    reason = Reason(500, label=gettext_lazy("Reason"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.row.approval:
            self.refuse(self.row.approval)

    def pending(self) -> Approval:
        if self.row.approval is None:
            raise ApprovalUnknown
        return self.row.approval

    def carry_out(self) -> Json:
        """Refuse the requested version."""
        return (
            ACTS[RELEASE]
            .reject(
                approval_id=self.row.approval_id,
                house_id=self.row.house_id,
                person_id=self.person.pk,
                person_roles=self.person.roles,
                reason=self.values["reason"],
            )
            .state
        )


class _Withdraw(_VersionStep):
    step, command = "withdraw", "posted_table.withdraw"

    def carry_out(self) -> Json:
        """Give up a draft or a request."""
        posted_table_withdraw(**self.ids, actor_id=self.person.pk)
        return None


def _version_page(
    request: HttpRequest, person: Person, table: PostedTable, wrong: Wrong | None = None
) -> HttpResponse:
    shown = show.details(table, HouseClock.at(table.house))
    context = shown._asdict() | {
        "may": show.rights(table, person, may_draft=person.has_perm(DRAFT_POSTED_TABLE)),
        "ask": _Request.offered(table, person, wrong, in_force_from=shown.first_day.isoformat()),
        "sign": _Sign.offered(table, person, wrong, seen=shown.payload_hash),
        "reject": _Reject.offered(table, person, wrong),
    }
    return _response(request, "rulesets/table.html", context, wrong.refused if wrong else None)


def _response(
    request: HttpRequest, template: str, context: dict[str, Any], refused: Refused | None
) -> HttpResponse:
    if refused is None:
        return render(request, template, context)
    context |= refusal_context(refused, context["house"])
    return render(request, template, context, status=STATUS[refused.kind])


def _posted_rows(person: Person) -> QuerySet[PostedTable]:
    rows = PostedTable.objects.select_related("house", "drafted_by", "approval")
    return rows.filter(**house_filter(person))


def _table(person: Person, pk: UUID) -> PostedTable:
    return row_of(person, _posted_rows(person).filter(kind__in=KINDS), pk)


PAGE = Page("posted-table", _table, _version_page, by_name(_Request, _Sign, _Reject, _Withdraw))
