"""Records by the names that people know them by: read for all that a page shows at once, one
statement for each kind of record.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection
from django.db.models import Model, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.people.models import Person
from casino.people.permissions import (
    VIEW_AUDIT,
    VIEW_COUNT,
    VIEW_HIT,
    VIEW_ROUND,
    VIEW_SLIP,
    VIEW_TABLE,
)
from casino.records import codes
from casino.text.floor import colon
from casino.text.formats import format_money
from casino.text.wording import guest_name
from jackpot.models import Jackpot
from jackpot.rules import slip_number
from payouts.models import Account, House
from tables.models import Table
from tables.selectors.sessions import table_then

UUIDS = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


class Kind(NamedTuple):
    """A kind of record that others point at: what is joined to name it, and where else it can be
    looked at (page, right). `then`: the paths to session and table, by which it has `table_then`.
    """

    label: Callable[[Any], str]
    joined: tuple[str, ...] = ()
    pages: tuple[tuple[str, str], ...] = ()
    then: tuple[str, ...] = ()


def _round(row: Any) -> str:
    number = _("%(table)s, round %(number)s") % {
        "table": row.table_then,
        "number": row.number or "–",
    }
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
    return colon(codes.word(row, "kind", row.kind), _("%(name)s, version %(version)s") % words)


def _asked(row: Any) -> str:
    return f"{codes.word(row, 'action', row.action)}, {localtime(row.requested_at):%d.%m.%Y %H:%M}"


def _named(model: Any) -> Subquery:
    return Subquery(model.objects.filter(pk=OuterRef("owner_id")).values("name"))


def _place(row: Any, session: Any = None) -> str:
    return f"{row.table_then}, {(session or row).gaming_day:%d.%m.%Y}"


def _guest(row: Any, guest: Any, session: Any) -> str:
    return f"{guest_name(guest.number)}, {_place(row, session)}"


KINDS: dict[str, Kind] = {
    "casino.alert": Kind(lambda row: codes.word(row, "kind", row.kind)),
    "casino.device": Kind(lambda row: row.name, (), (("audit-device", VIEW_AUDIT),)),
    "casino.devicecode": Kind(lambda row: row.name),
    "casino.devicesession": Kind(
        lambda row: f"{row.device.name}, {row.person.full_name}", ("device", "person")
    ),
    "casino.person": Kind(lambda row: row.full_name, (), (("audit-person", VIEW_AUDIT),)),
    "casino.shifthandover": Kind(lambda row: f"{capfirst(row._meta.verbose_name)} {row.number}"),
    "casino.verifyrun": Kind(
        lambda row: f"{capfirst(row._meta.verbose_name)} {row.pk}",
        (),
        (("audit-verify-run", VIEW_AUDIT),),
    ),
    "jackpot.award": Kind(
        lambda row: f"{codes.word(row, 'kind', row.kind)}, {_money(row)}", ("house",)
    ),
    "jackpot.claim": Kind(
        lambda row: f"{_hit(row.hit)}, " + _("Claim %(number)s") % {"number": row.number},
        ("hit__jackpot",),
    ),
    "jackpot.contribution": Kind(lambda row: f"{capfirst(row._meta.verbose_name)} {row.pk}"),
    "jackpot.epoch": Kind(lambda row: _of(row, pgettext("row", "epoch %(number)s")), ("jackpot",)),
    "jackpot.epochend": Kind(
        lambda row: KINDS["jackpot.epoch"].label(row.epoch), ("epoch__jackpot",)
    ),
    "jackpot.selectors.fed": Kind(
        lambda row: KINDS["jackpot.epoch"].label(row.epoch), ("epoch__jackpot",)
    ),
    "jackpot.gate": Kind(lambda row: _of(row, pgettext("row", "gate %(number)s")), ("jackpot",)),
    "jackpot.gatedisplay": Kind(
        lambda row: f"{KINDS['jackpot.gate'].label(row.gate)}, {row.name}", ("gate__jackpot",)
    ),
    "jackpot.hit": Kind(_hit, ("jackpot",), (("audit-hit", VIEW_AUDIT),)),
    "jackpot.jackpot": Kind(lambda row: row.name, (), (("floor-jackpot", VIEW_HIT),)),
    "jackpot.requireddisplay": Kind(lambda row: row.name),
    "jackpot.share": Kind(
        lambda row: f"{capfirst(row._meta.verbose_name)}, {_money(row, 'share_minor')}", ("house",)
    ),
    "jackpot.slip": Kind(_slip, (), (("floor-slip", VIEW_SLIP),)),
    "jackpot.split": Kind(
        lambda row: f"{_hit(row.hit)}, {_('revision')} {row.revision}",
        ("hit__jackpot",),
    ),
    "jackpot.standstill": Kind(lambda row: row.jackpot.name, ("jackpot",)),
    "jackpot.takenback": Kind(lambda row: _slip(row.slip), ("slip",)),
    "jackpot.waitingprize": Kind(
        lambda row: f"{codes.word(row, 'kind', row.kind)}, {_money(row)}", ("house",)
    ),
    "payouts.account": Kind(
        lambda row: f"{codes.word(row, 'kind', row.kind)}, {row.owner or '–'}",
        (),
        (("audit-account", VIEW_AUDIT),),
    ),
    "payouts.approval": Kind(_asked),
    "payouts.approvalrule": Kind(
        lambda row: (
            _("%(name)s, version %(version)s")
            % {
                "name": codes.word(row, "action", row.action),
                "version": row.version,
            }
        )
    ),
    "payouts.count": Kind(
        lambda row: (
            f"{capfirst(codes.word(row, 'purpose', row.purpose))}, {row.gaming_day:%d.%m.%Y}"
        )
    ),
    "payouts.countentry": Kind(
        lambda row: f"{KINDS['payouts.count'].label(row.count)}, {row.number}", ("count",)
    ),
    "payouts.event": Kind(lambda row: codes.word(row, "name", row.name)),
    "payouts.house": Kind(lambda row: row.name),
    "payouts.postedtable": Kind(_posted, (), (("audit-posted", VIEW_AUDIT),)),
    "payouts.seal": Kind(lambda row: capfirst(_("seal %(number)s") % {"number": row.pk})),
    "payouts.transfer": Kind(
        lambda row: _("Transfer %(number)s") % {"number": row.pk},
        (),
        (("audit-transfer", VIEW_AUDIT),),
    ),
    "tables.difference": Kind(
        lambda row: f"{row.table.name}, {row.gaming_day:%d.%m.%Y}",
        ("table",),
        (("cage-difference", VIEW_COUNT),),
    ),
    **dict.fromkeys(
        ("tables.explanation", "tables.explanationwords"),
        Kind(lambda row: KINDS["tables.difference"].label(row.difference), ("difference__table",)),
    ),
    "tables.guest": Kind(
        lambda row: _guest(row, row, row.session), ("session",), then=("session", "session__table")
    ),
    **dict.fromkeys(
        ("tables.buyin", "tables.tip"),
        Kind(
            lambda row: f"{_money(row)}, {_place(row, row.session)}",
            ("house", "session"),
            then=("session", "session__table"),
        ),
    ),
    "tables.handover": Kind(
        lambda row: _place(row, row.session), ("session",), then=("session", "session__table")
    ),
    "tables.pokerstay": Kind(
        lambda row: _guest(row, row.guest, row.guest.session),
        ("guest__session",),
        then=("guest__session", "guest__session__table"),
    ),
    "tables.hand": Kind(
        lambda row: capfirst(
            _("hand %(number)s, %(table)s") % {"number": row.number, "table": row.table_then}
        ),
        (),
        (("audit-hand", VIEW_AUDIT), ("floor-hand", VIEW_ROUND)),
        then=("session",),
    ),
    "tables.pit": Kind(lambda row: row.name),
    "tables.round": Kind(
        _round,
        ("session",),
        (("audit-round", VIEW_AUDIT), ("floor-round", VIEW_ROUND)),
        then=("session",),
    ),
    "tables.table": Kind(lambda row: row.name, (), (("floor-table", VIEW_TABLE),)),
    "tables.tableversion": Kind(
        lambda row: _("%(name)s, version %(version)s") % {"name": row.name, "version": row.number}
    ),
    "tables.tablesession": Kind(_place, then=("",)),
    "tables.reviewitem": Kind(
        lambda row: f"{row.table.name}, {codes.word(row, 'kind', row.kind)}",
        ("table",),
        (("floor-clarify", VIEW_TABLE),),
    ),
}
# Ids that are no keys of the database, because what they point at stands on a floor above: by
# field.
LOOSE: dict[str, tuple[str, ...]] = {
    "round_id": ("tables.round",),
    "hand_id": ("tables.hand",),
    "source_id": ("tables.round",),
    "place_id": ("tables.table",),
    "table_id": ("tables.table",),
    "guest_id": ("tables.guest",),
    "device_id": ("casino.device",),
    "display_id": ("casino.device",),
    "approval_id": ("payouts.approval",),
    "transfer_id": ("payouts.transfer",),
    "owner_id": ("tables.table", "jackpot.jackpot", "payouts.house"),
    "detail_id": ("jackpot.epoch", "tables.guest"),
    "dealers": ("casino.person",),
    "dealt": ("tables.guest",),  # whose keys stays have
    "excluded": ("casino.person",),
}
# What acts, requests and transfers call the kind of their subject.
SUBJECTS: dict[str, str] = {
    **{one: f"tables.{one}" for one in ("buyin", "tip", "guest", "hand", "pit", "round", "table")},
    **{
        one: f"jackpot.{one}"
        for one in ("award", "claim", "epoch", "gate", "hit", "jackpot", "slip")
    },
    **{
        one: f"payouts.{one}"
        for one in ("account", "approval", "count", "event", "house", "transfer")
    },
    **{one: f"casino.{one}" for one in ("alert", "device", "person")},
    "approval_rule": "payouts.approvalrule",
    "clarify": "tables.reviewitem",
    "device_code": "casino.devicecode",
    "difference": "tables.difference",
    "display": "casino.device",
    "override": "tables.round",
    "posted_table": "payouts.postedtable",
    "prize": "jackpot.waitingprize",
    "shift": "casino.shifthandover",
    "stay": "tables.guest",  # whose key it has
    "to_clarify": "tables.reviewitem",
    "verify_run": "casino.verifyrun",
}
IN_DATA = tuple(  # what data may name by id
    f"{app}.{name}"
    for app, names in {
        "casino": "person device devicecode devicesession",
        "tables": "round hand table guest tablesession pit difference explanationwords buyin tip",
        "payouts": "house postedtable approval count",
        "jackpot": "jackpot epoch hit claim award waitingprize slip gate",
    }.items()
    for name in names.split()
)


class Names:
    """What records are called, by kind and id; of those that a house has, where one is given."""

    def __init__(self, wanted: Mapping[str, Iterable[str]], house_id: object = None) -> None:
        self.house_id = house_id
        self.found: Mapping[str, dict[str, Model]] = {
            kind: self._read(kind, ids) for kind, ids in wanted.items()
        }

    @classmethod
    def of(cls, values: Iterable[object], house_id: object = None) -> "Names":
        """The names of whatever texts or data hold the ids of: one statement to find of which kind
        each is, one for each kind.
        """
        ids = sorted({pk for value in values for pk in UUIDS.findall(str(value))})
        wanted: dict[str, list[str]] = {}
        for kind, pk in _kinds(ids) if ids else ():
            wanted.setdefault(kind, []).append(pk)
        return cls(wanted, house_id)

    def _read(self, kind: str, ids: Iterable[str]) -> dict[str, Model]:
        model, how = apps.get_model(kind), KINDS.get(kind)
        keys = [
            key
            for key in map(model._meta.pk.to_python, filter(_fits(model), ids))
            if key is not None
        ]
        if how is None or not keys:
            return {}
        rows: Any = model._default_manager.filter(pk__in=keys).select_related(*how.joined)
        if how.then:
            rows = rows.annotate(table_then=table_then(*how.then))
        if model is Account:
            rows = rows.annotate(owner=Coalesce(*(_named(one) for one in (Table, Jackpot, House))))
        if (
            self.house_id
            and model is not Person
            and any(one.name == "house" for one in model._meta.fields)
        ):
            rows = rows.filter(house_id=self.house_id)
        return {str(row.pk): row for row in rows}

    def name(self, kinds: Iterable[str], pk: object) -> str:
        """What the record is called; that nobody knows it, with its id, where there is none."""
        kind, row = self.row(kinds, pk)
        return (
            KINDS[kind].label(row)
            if row
            else pgettext("row", "not known here (%(id)s)") % {"id": pk}
        )

    def in_text(self, text: str) -> str:
        """A text with every id in it that is known as the name of what it stands for."""
        return UUIDS.sub(lambda match: self._called(match[0]), text)

    def _called(self, pk: str) -> str:
        kind, row = self.row(self.found, pk)
        return KINDS[kind].label(row) if row else pk

    def row(self, kinds: Iterable[str], pk: object) -> tuple[str, Model | None]:
        """The record and its kind, of those that it may be of; nothing where none is known."""
        for kind in kinds:
            if row := self.found.get(kind, {}).get(str(pk)):
                return kind, row
        return "", None


def _kinds(ids: list[str]) -> list[tuple[str, str]]:
    """Each id that is known, after the kind of its record."""
    tables = {kind: apps.get_model(kind)._meta.db_table for kind in IN_DATA}
    one = "SELECT '{}', id::text FROM {} WHERE id = ANY(%(ids)s::uuid[])"
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(one.format(*pair) for pair in tables.items()), {"ids": ids}
        )
        found: list[tuple[str, str]] = cursor.fetchall()
    return found


def _fits(model: Any) -> Callable[[str], bool]:
    key = model._meta.pk
    while key.remote_field:  # a one-to-one key is what it points at
        key = key.target_field
    if key.get_internal_type() == "UUIDField":
        return lambda text: bool(UUIDS.fullmatch(text))
    return lambda text: text.isdecimal() and len(text) < 19
