"""What rows of the admin point at, by its name: read for all rows of a page at once, one statement for each kind of record."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.admin import site
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino import admin_codes
from casino.audit_links import about
from casino.floor_words import colon
from casino.formats import format_money
from casino.models_people import Person
from casino.wording import guest_name
from jackpot.models import Jackpot
from jackpot.rules import slip_number
from payouts.models import Account, House
from tables.models import Table

UUIDS = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


class Kind(NamedTuple):
    """A kind of record that others point at: what is joined to name it, and where else it can be looked at (page, right)."""

    said: Callable[[Any], str]
    joined: tuple[str, ...] = ()
    pages: tuple[tuple[str, str], ...] = ()


def _round(row: Any) -> str:
    number = _("%(table)s, round %(number)s") % {"table": row.table.name, "number": row.number or "–"}
    return f"{number}, {row.session.gaming_day:%d.%m.%Y}" if row.session else number


def _of(row: Any, words: str) -> str:
    return f"{row.jackpot.name}, {words % {'number': row.number}}"


def _hit(row: Any) -> str:
    return _of(row, _("hit %(number)s"))


def _money(row: Any, field: str = "amount_minor") -> str:
    return format_money(getattr(row, field), row.house.currency, row.house.locale)


def _slip(row: Any) -> str:
    return _("Slip %(number)s") % {"number": slip_number.written(row.number, row.incarnation)}


def _posted(row: Any) -> str:
    words = {"name": row.name, "version": row.version}
    return colon(admin_codes.word(row, "kind", row.kind), _("%(name)s, version %(version)s") % words)


def _asked(row: Any) -> str:
    return f"{admin_codes.word(row, 'action', row.action)}, {localtime(row.requested_at):%d.%m.%Y %H:%M}"


def _named(model: Any) -> Subquery:
    return Subquery(model.objects.filter(pk=OuterRef("owner_id")).values("name"))


def _place(row: Any) -> str:
    return f"{row.table.name}, {row.gaming_day:%d.%m.%Y}"


AUDIT, FLOOR = "casino.view_audit", "tables.view_table"
_SESSION = ("session__table",)
KINDS: dict[str, Kind] = {
    "casino.alert": Kind(lambda row: admin_codes.word(row, "kind", row.kind)),
    "casino.device": Kind(lambda row: row.name, (), (("audit-device", AUDIT),)),
    "casino.devicecode": Kind(lambda row: row.name),
    "casino.devicesession": Kind(lambda row: f"{row.device.name}, {row.person.full_name}", ("device", "person")),
    "casino.person": Kind(lambda row: row.full_name, (), (("audit-person", AUDIT),)),
    "casino.shifthandover": Kind(lambda row: f"{capfirst(row._meta.verbose_name)} {row.number}"),
    "casino.verifyrun": Kind(
        lambda row: f"{capfirst(row._meta.verbose_name)} {row.pk}", (), (("audit-verify-run", AUDIT),)
    ),
    "jackpot.award": Kind(lambda row: f"{admin_codes.word(row, 'kind', row.kind)}, {_money(row)}", ("house",)),
    "jackpot.claim": Kind(
        lambda row: f"{_hit(row.hit)}, " + _("Claim %(number)s") % {"number": row.number}, ("hit__jackpot",)
    ),
    "jackpot.contribution": Kind(lambda row: f"{capfirst(row._meta.verbose_name)} {row.pk}"),
    "jackpot.epoch": Kind(lambda row: _of(row, pgettext("row", "epoch %(number)s")), ("jackpot",)),
    "jackpot.epochend": Kind(lambda row: KINDS["jackpot.epoch"].said(row.epoch), ("epoch__jackpot",)),
    "jackpot.fed": Kind(lambda row: KINDS["jackpot.epoch"].said(row.epoch), ("epoch__jackpot",)),
    "jackpot.gate": Kind(lambda row: _of(row, pgettext("row", "gate %(number)s")), ("jackpot",)),
    "jackpot.gatedisplay": Kind(lambda row: f"{KINDS['jackpot.gate'].said(row.gate)}, {row.name}", ("gate__jackpot",)),
    "jackpot.hit": Kind(_hit, ("jackpot",), (("audit-hit", AUDIT),)),
    "jackpot.jackpot": Kind(lambda row: row.name, (), (("floor-jackpot", "jackpot.view_hit"),)),
    "jackpot.requireddisplay": Kind(lambda row: row.name),
    "jackpot.share": Kind(lambda row: f"{capfirst(row._meta.verbose_name)}, {_money(row, 'share_minor')}", ("house",)),
    "jackpot.slip": Kind(_slip, (), (("floor-slip", "jackpot.view_slip"),)),
    "jackpot.split": Kind(
        lambda row: f"{_hit(row.hit)}, {_('revision')} {row.revision}",
        ("hit__jackpot",),
    ),
    "jackpot.standstill": Kind(lambda row: row.jackpot.name, ("jackpot",)),
    "jackpot.takenback": Kind(lambda row: _slip(row.slip), ("slip",)),
    "jackpot.waitingprize": Kind(lambda row: f"{admin_codes.word(row, 'kind', row.kind)}, {_money(row)}", ("house",)),
    "payouts.account": Kind(
        lambda row: f"{admin_codes.word(row, 'kind', row.kind)}, {row.owner or '–'}", (), (("audit-account", AUDIT),)
    ),
    "payouts.approval": Kind(_asked),
    "payouts.approvalrule": Kind(
        lambda row: (
            _("%(name)s, version %(version)s")
            % {"name": admin_codes.word(row, "action", row.action), "version": row.version}
        )
    ),
    "payouts.event": Kind(lambda row: admin_codes.word(row, "name", row.name)),
    "payouts.house": Kind(lambda row: row.name),
    "payouts.postedtable": Kind(_posted, (), (("audit-posted", AUDIT),)),
    "payouts.seal": Kind(lambda row: capfirst(_("seal %(number)s") % {"number": row.pk})),
    "payouts.transfer": Kind(
        lambda row: _("Transfer %(number)s") % {"number": row.pk}, (), (("audit-transfer", AUDIT),)
    ),
    "tables.guest": Kind(lambda row: f"{guest_name(row.number)}, {_place(row.session)}", _SESSION),
    "tables.handover": Kind(lambda row: _place(row.session), _SESSION),
    "tables.pit": Kind(lambda row: row.name),
    "tables.round": Kind(_round, ("table", "session"), (("audit-round", AUDIT), ("floor-round", "tables.view_round"))),
    "tables.table": Kind(lambda row: row.name, (), (("floor-table", FLOOR),)),
    "tables.tablesession": Kind(_place, ("table",)),
    "tables.toclarify": Kind(
        lambda row: f"{row.table.name}, {admin_codes.word(row, 'kind', row.kind)}",
        ("table",),
        (("floor-clarify", FLOOR),),
    ),
}
# Ids that are no keys of the database, because what they point at stands on a floor above: by field.
LOOSE: dict[str, tuple[str, ...]] = {
    "round_id": ("tables.round",),
    "source_id": ("tables.round",),
    "table_id": ("tables.table",),
    "guest_id": ("tables.guest",),
    "device_id": ("casino.device",),
    "display_id": ("casino.device",),
    "approval_id": ("payouts.approval",),
    "transfer_id": ("payouts.transfer",),
    "owner_id": ("tables.table", "jackpot.jackpot", "payouts.house"),
    "detail_id": ("jackpot.epoch",),
    "dealers": ("casino.person",),
    "excluded": ("casino.person",),
}
# What acts, requests and transfers call the kind of their subject.
SUBJECTS: dict[str, str] = {
    **{one: f"tables.{one}" for one in ("guest", "pit", "round", "table")},
    **{one: f"jackpot.{one}" for one in ("award", "claim", "epoch", "gate", "hit", "jackpot", "slip")},
    **{one: f"payouts.{one}" for one in ("account", "approval", "event", "house", "transfer")},
    **{one: f"casino.{one}" for one in ("alert", "device", "person")},
    "approval_rule": "payouts.approvalrule",
    "clarify": "tables.toclarify",
    "device_code": "casino.devicecode",
    "display": "casino.device",
    "posted_table": "payouts.postedtable",
    "prize": "jackpot.waitingprize",
    "shift": "casino.shifthandover",
    "to_clarify": "tables.toclarify",
    "verify_run": "casino.verifyrun",
}
IN_DATA = tuple(  # what data may name by id
    f"{app}.{name}"
    for app, names in {
        "casino": "person device devicecode",
        "tables": "round table guest tablesession",
        "payouts": "postedtable approval",
        "jackpot": "jackpot epoch hit claim award waitingprize slip gate",
    }.items()
    for name in names.split()
)


_ABOUT = {  # records that stand on another one's page of the audit desk
    **{f"jackpot.{one}": one for one in ("award", "claim", "epoch", "slip")},
    "jackpot.waitingprize": "prize",
}


def kinds_of(row: Any, field: Any) -> tuple[str, ...]:
    """The kinds of record that a field's value may be an id of; none for a field that holds no id."""
    if field.name in ("round_id", "display_id") and field.primary_key:
        return LOOSE[field.name]
    if field.remote_field:
        return (field.related_model._meta.label_lower,)
    if field.name == "subject_id":
        kind = SUBJECTS.get(row.subject_kind)
        return (kind,) if kind in KINDS else ()
    return LOOSE.get(field.name, ())


class Refs:
    """The names of what the shown fields of some rows point at."""

    def __init__(self, request: HttpRequest, rows: Iterable[Any], fields: Iterable[Any], *, data: bool = False) -> None:
        self.request = request
        self.house_id = getattr(request.user, "house_id", None)
        wanted: dict[str, set[str]] = {}
        shown = list(fields)
        for row in rows:
            for field in shown:
                for kind, text in _ids(row, field, data=data):
                    wanted.setdefault(kind, set()).add(text)
        self.found: Mapping[str, dict[str, Any]] = {kind: self._read(kind, ids) for kind, ids in wanted.items()}

    def _read(self, kind: str, ids: set[str]) -> dict[str, Any]:
        model, how = apps.get_model(kind), KINDS.get(kind)
        keys = [key for key in map(model._meta.pk.to_python, filter(_fits(model), ids)) if key is not None]
        if how is None or not keys:
            return {}
        rows: Any = model._default_manager.filter(pk__in=keys).select_related(*how.joined)
        if model is Account:
            rows = rows.annotate(owner=Coalesce(*(_named(one) for one in (Table, Jackpot, House))))
        if self.house_id and model is not Person and any(one.name == "house" for one in model._meta.fields):
            rows = rows.filter(house_id=self.house_id)
        return {str(row.pk): row for row in rows}

    def name(self, kinds: Iterable[str], pk: object) -> str:
        """What the record is called; that nobody knows it, with its id, where there is none."""
        kind, row = self._row(kinds, pk)
        return KINDS[kind].said(row) if row else pgettext("row", "not known here (%(id)s)") % {"id": pk}

    def link(self, kinds: Iterable[str], pk: object) -> SafeString | str:
        """The record's name, leading to its row if the person may look at it."""
        kind, row = self._row(kinds, pk)
        name = self.name(kinds, pk)
        address = self.address(kind, row) if row else ""
        return format_html('<a href="{}">{}</a>', address, name) if address else name

    def address(self, kind: str, row: Any) -> str:
        """The page of a row; empty where there is none or the person may not look at it."""
        model = apps.get_model(kind)
        there = site._registry.get(model)
        if there is None or not there.has_view_permission(self.request):
            return ""
        if model is Person and self.house_id and row.house_id != self.house_id:
            return ""
        return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk])

    def in_text(self, text: str) -> str:
        """A text with every id in it that is known as the name of what it stands for."""
        return UUIDS.sub(lambda match: self._called(match[0]), text)

    def _called(self, pk: str) -> str:
        kind, row = self._row(IN_DATA, pk)
        return KINDS[kind].said(row) if row else pk

    def _row(self, kinds: Iterable[str], pk: object) -> tuple[str, Any]:
        for kind in kinds:
            if row := self.found.get(kind, {}).get(str(pk)):
                return kind, row
        return "", None


def pages(request: HttpRequest, row: Any) -> list[tuple[str, str]]:
    """Where else a record can be looked at, as the person may: what the place is called, and the address."""
    how = KINDS.get(row._meta.label_lower)
    user = request.user
    found = []
    for page, right in how.pages if how else ():
        if user.has_perm(right):
            found.append((_("Audit desk") if page.startswith("audit") else _("Floor"), reverse(page, args=[row.pk])))
    kind, subject = _ABOUT.get(row._meta.label_lower, ""), row.pk
    if hasattr(row, "subject_kind"):
        kind, subject = row.subject_kind, row.subject_id
    if not found and kind and row.house_id and user.has_perm(AUDIT):
        there = about(row.house_id, kind, str(subject))
        found += [(_("Audit desk"), there)] if there else []
    return found


def _ids(row: Any, field: Any, *, data: bool) -> Iterator[tuple[str, str]]:
    value = field.value_from_object(row)
    if value in (None, "", []):
        return
    if field.get_internal_type() == "JSONField" or field.name == "text":
        texts = UUIDS.findall(str(value)) if data else []
        yield from ((kind, text) for kind in IN_DATA for text in texts)
        return
    several = value if isinstance(value, list) else [value]
    yield from ((kind, str(one)) for kind in kinds_of(row, field) for one in several)


def _fits(model: Any) -> Callable[[str], bool]:
    if model._meta.pk.get_internal_type() == "UUIDField":
        return lambda text: bool(UUIDS.fullmatch(text))
    return lambda text: text.isdecimal() and len(text) < 19
