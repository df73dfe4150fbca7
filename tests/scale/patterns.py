"""What was played, read back as text that can be written again: rows as COPY has them, with places for ids, times and numbers."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg

from tests.scale.house import HIT, PRIZE, Played, PlayedSession

Link = psycopg.Connection[Any]
Leg = tuple[
    str, tuple[str, bool] | int, int, str
]  # transfer; kind and whether of the epoch, or another's account; amount; note
KEYS = {"payouts_transfer": "x", "jackpot_contribution": "k"}  # tables whose ids others name
OF_ROUND = (
    "tables_round",
    "tables_roundstake",
    "tables_roundresult",
    "tables_roundline",
    "jackpot_runninground",
    "jackpot_contribution",
)
# What a prize that waits, and a hit, bring with them: which rows, and by which letter the places of their ids are named, if any.
_HIT = "SELECT hit_id FROM jackpot_claim WHERE round_id = %(id)s"
BESIDE = {
    "jackpot_waitingprize": ("p", "round_id = %(id)s"),
    "jackpot_award": ("w", "round_id = %(id)s"),
    "jackpot_slip": ("l", "award_id IN (SELECT id FROM jackpot_award WHERE round_id = %(id)s)"),
    "jackpot_hit": ("i", f"id IN ({_HIT})"),
    "jackpot_claim": ("q", "round_id = %(id)s"),
    "jackpot_listedround": ("", f"hit_id IN ({_HIT})"),
    "jackpot_gate": ("e", f"hit_id IN ({_HIT})"),
    "jackpot_gatedisplay": ("", f"gate_id IN (SELECT id FROM jackpot_gate WHERE hit_id IN ({_HIT}))"),
}
# Columns that count on, or say what the meter shows then; and where events say the same.
PLACES = {
    "jackpot_slip": {"number": "slip", "due_on": "due"},
    "jackpot_hit": {"number": "hit", "shown_minor": "shown"},
    "jackpot_gate": {"number": "gate", "amount_minor": "shown"},
    "jackpot_gatedisplay": {"shown": "told"},
}
_SAID = (
    (re.compile(r"(\tslip\.made\t[^\n]*\"number\": )\d+"), "slip"),
    (re.compile(r"(\tgate\.made\t[^\n]*\"amount_minor\": )\d+"), "shown"),
    (re.compile(r"(\t(?:jackpot|gate|claim)\.\w+\t[^\n]*\"hit\": )\d+"), "hit"),
    (re.compile(r"(\t(?:jackpot|gate)\.\w+\t[^\n]*\"gate\": )\d+"), "gate"),
    (re.compile(r"(\tgate\.confirmed\t[^\n]*\"shown\": \")[^\"]+"), "told"),
)
# Of the jackpot's own events those that a hit brought; it is the last that is played of one.
_OF_JACKPOT = f"""subject_kind = 'jackpot' AND at >= (SELECT min(begun_at) FROM jackpot_hit WHERE id IN ({_HIT}))
    AND at < (SELECT max(g.ended_at) + interval '1 second' FROM jackpot_gate g WHERE g.hit_id IN ({_HIT}))"""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_REVERSAL = re.compile(r"reversal:(\d+)")  # the key of a transfer that takes another one back
_MOVED = "({0}_kind = 'round' AND {0}_id = %(id)s OR {0}_kind = 'award' AND {0}_id = ANY (%(others)s))"
_MARK = re.compile(r"<([mxk])(-?\d+)>")
# What only jackpots do: a round that has one of these took another course than its rows tell.
_OTHERWISE = """
    SELECT EXISTS (SELECT FROM jackpot_waitingprize WHERE round_id = %(id)s)
        OR EXISTS (SELECT FROM jackpot_claim WHERE round_id = %(id)s)
        OR EXISTS (SELECT FROM jackpot_award WHERE round_id = %(id)s)
        OR EXISTS (SELECT FROM payouts_approval WHERE subject_id = %(id)s::text AND (action <> 'round.correct' OR state <> 'used'))
"""


@dataclass(eq=False)
class Pattern:
    """Rows of a round or of a session: by table a text for `%` and a mapping; what the mapping needs besides ids."""

    what: str
    texts: dict[str, str] = field(default_factory=dict)
    moments: dict[str, int] = field(default_factory=dict)  # microseconds after the beginning
    later: set[str] = field(default_factory=set)  # moments at its end: of a round, after its lock
    keys: dict[str, list[str]] = field(default_factory=lambda: {"x": [], "k": []})
    legs: list[Leg] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)  # of rows beside the round that have ids of their own
    approvals: list[tuple[int, str, str, str, int, str]] = field(
        default_factory=list
    )  # number, action, kind of its subject, place of the subject's id, revision, payload
    stakes: int = 0
    laid: list[tuple[int, str, str, int]] = field(
        default_factory=list
    )  # box, place of the guest's id, kind, amount: of the lock
    queued: bool = False
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # as they are, for those who add up


class Reader:
    """Reads patterns from the database in which they were played."""

    def __init__(self, link: Link, house: UUID, epoch: UUID) -> None:
        self.link, self.house, self.epoch = link, house, epoch
        self.columns: dict[str, list[tuple[str, str]]] = {}

    def rounds(self, played: PlayedSession) -> list[Pattern]:
        """A pattern of each round of a session that took no other course."""
        names = {str(played.table.pk): "t", str(played.session.pk): "s", str(played.session.croupier_id): "c"}
        names |= {str(guest.pk): f"g{guest.box}" for guest in played.guests}
        return [
            self._round(one, names)
            for one in played.rounds
            if one.what in (PRIZE, HIT) or not self._one(_OTHERWISE, id=one.round_id)
        ]

    def _round(self, one: Played, names: dict[str, str]) -> Pattern:
        made = Pattern(one.what)
        at = self._one("SELECT locked_at FROM tables_round WHERE id = %(id)s", id=one.round_id)
        there = {"id": one.round_id, "text": str(one.round_id), "at": at, "split": one.locked_by}
        beside = self._beside(there)
        there["others"] = [UUID(pk) for pk in beside]
        made.ids = list(beside.values())
        found = self.link.execute(
            "SELECT id::text, action, revision, payload::text, '\\\\x' || encode(payload_hash, 'hex'), subject_kind, subject_id"
            " FROM payouts_approval WHERE subject_id = %(text)s OR subject_id = ANY (%(others)s::text[]) ORDER BY requested_at",
            there,
        ).fetchall()
        names = names | {str(one.round_id): "r"} | {row[0]: f"a{place}" for place, row in enumerate(found)} | beside
        hashes = {row[4]: f"%(h{place})s" for place, row in enumerate(found)}
        lock = self._one(
            "SELECT '\\\\x' || encode(lock_hash, 'hex') FROM tables_round WHERE id = %(id)s", id=one.round_id
        )
        hashes[lock] = "%(lock)s"
        wheres = dict.fromkeys(OF_ROUND, "round_id = %(id)s") | {
            "tables_round": "id = %(id)s",
            "payouts_transfer": _MOVED.format("subject"),
            "payouts_approval": "subject_id = %(text)s OR subject_id = ANY (%(others)s::text[])",
            "payouts_approvalsignature": "approval_id = ANY (%(approvals)s)",
            "payouts_event": "subject_id = %(text)s OR subject_id = ANY (%(approvals)s::text[] || %(others)s::text[])"
            f" OR ({_OF_JACKPOT})",
        }
        if beside:
            wheres |= {table: where for table, (_, where) in BESIDE.items()}
        there["approvals"] = [UUID(row[0]) for row in found]
        for table, where in wheres.items():
            self._read(made, table, where, there, names)
        for table, text in made.texts.items():
            for bare, name in hashes.items():
                text = text.replace(bare, name)
            made.texts[table] = text
        made.texts["tables_round"] = self._placed(made.texts["tables_round"], "tables_round", number="n")
        for table, places in PLACES.items() if beside else ():
            made.texts[table] = self._placed(made.texts[table], table, **places)
        for said, place in _SAID:
            made.texts["payouts_event"] = said.sub(rf"\1%({place})s", made.texts["payouts_event"])
        made.approvals = [
            (n, row[1], row[5], names[row[6]], row[2], _named(row[3].replace("%", "%%"), names))
            for n, row in enumerate(found)
        ]
        made.legs = list(self._legs(_MOVED.format("t.subject"), there, names))
        made.stakes = len(made.rows["tables_roundstake"])
        made.queued = made.rows["tables_round"][0]["queued"]
        made.laid = [
            (row["box"], names[str(row["guest_id"])], row["kind"], row["offered_minor"])
            for row in made.rows["tables_roundstake"]
            if row["revision"] == 0
        ]
        return made

    def _beside(self, there: dict[str, Any]) -> dict[str, str]:
        """The ids of a prize that waited, of its award and slip, of a hit, its claims and gates, with their places."""
        return {
            pk: f"{letter}{place}"
            for table, (letter, where) in BESIDE.items()
            if letter
            for place, (pk,) in enumerate(
                self.link.execute(f"SELECT id::text FROM {table} WHERE {where} ORDER BY id", there).fetchall()
            )
        }

    def _placed(self, text: str, table: str, **places: str) -> str:
        """Rows with a place instead of each of these columns."""
        columns = [name for name, _ in self._kept(table)]
        lines = []
        for line in text.splitlines():
            cells = line.split("\t")
            for name, place in places.items():
                cells[columns.index(name)] = f"%({place})s"
            lines.append("\t".join(cells) + "\n")
        return "".join(lines)

    def event(self, pk: int, names: dict[str, str]) -> Pattern:
        """One event of somebody's, that somebody else may have done as well."""
        made = Pattern(self._one("SELECT name FROM payouts_event WHERE id = %(id)s", id=pk))
        at = self._one("SELECT at FROM payouts_event WHERE id = %(id)s", id=pk)
        self._read(made, "payouts_event", "id = %(id)s", {"id": pk, "at": at, "split": at}, names)
        return made

    def session(self, played: PlayedSession) -> Pattern:
        """A session from its opening to its end, with its guests, events, and money beside rounds."""
        made = Pattern(played.pool)
        names = {str(played.table.pk): "t", str(played.session.pk): "s"}
        names |= {str(guest.pk): f"g{guest.box}" for guest in played.guests}
        crew = (
            played.session.croupier_id,
            self._one("SELECT to_croupier_id FROM tables_handover WHERE session_id = %(id)s", id=played.session.pk),
        )
        names |= {str(crew[0]): "c", str(crew[1]): "d"}
        there = {"id": played.session.pk, "first": played.events[0], "last": played.events[1]}
        there |= {"transfers": played.transfers, "at": played.session.opened_at, "split": played.closing}
        for table, where in {
            "tables_tablesession": "id = %(id)s",
            "tables_guest": "session_id = %(id)s",
            "tables_handover": "session_id = %(id)s",
            "payouts_transfer": "id = ANY (%(transfers)s)",
            "payouts_event": "id > %(first)s AND id <= %(last)s"
            " AND subject_kind NOT IN ('round', 'approval', 'prize', 'hit', 'slip', 'claim', 'jackpot')",
        }.items():
            self._read(made, table, where, there, names)
        made.legs = list(self._legs("t.id = ANY (%(transfers)s)", there, names))
        day = self._one("SELECT gaming_day::text FROM tables_tablesession WHERE id = %(id)s", id=played.session.pk)
        made.texts = {table: text.replace(day, "%(day)s") for table, text in made.texts.items()}
        return made

    # Rows
    def _read(self, made: Pattern, table: str, where: str, there: dict[str, Any], names: dict[str, str]) -> None:
        """Add the rows of a table to a pattern, in the order of their keys."""
        columns, kept = self._columns(table), self._kept(table)
        cells = ", ".join(_cell(table, name, kind) for name, kind in kept)
        order = columns[0][0]
        with (
            self.link.cursor() as cursor,
            cursor.copy(
                f"COPY (SELECT {cells} FROM {table} WHERE {_bound(where, there)} ORDER BY {order}) TO STDOUT".replace(
                    "$at", _bound("%(at)s", there)
                )
            ) as copy,
        ):
            text = b"".join(bytes(part) for part in copy).decode()
        split = (there["split"] - there["at"]).total_seconds() * 1_000_000
        text = _MARK.sub(lambda mark: _place(made, mark, split), _named(text.replace("%", "%%"), names))
        made.texts[table] = _with_day(table, kept, _REVERSAL.sub(r"reversal:%(x\1)s", text))
        cursor = self.link.execute(f"SELECT * FROM {table} WHERE {_bound(where, there)} ORDER BY {order}")
        titles = [column.name for column in cursor.description or ()]
        made.rows[table] = [dict(zip(titles, row, strict=True)) for row in cursor]

    def _legs(self, where: str, there: dict[str, Any], names: dict[str, str]) -> Iterable[Leg]:
        sql = f"""SELECT e.transfer_id, a.id, a.kind, a.owner_id::text, a.detail_id, e.amount_minor, e.note
            FROM payouts_entry e JOIN payouts_transfer t ON t.id = e.transfer_id JOIN payouts_account a ON a.id = e.account_id
            WHERE {where} ORDER BY e.id"""
        for transfer, account, kind, owner, detail, amount, note in self.link.execute(sql, there).fetchall():
            assert detail in (None, self.epoch)
            at = (kind, detail is not None) if names.get(owner) == "t" else account
            yield f"x{transfer}", at, amount, note.replace("\\", "\\\\").replace("\t", "\\t")

    def _columns(self, table: str) -> list[tuple[str, str]]:
        """Names and types of a table's columns."""
        if table not in self.columns:
            sql = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position"
            self.columns[table] = self.link.execute(sql, [table]).fetchall()
        return self.columns[table]

    def written(self, table: str) -> str:
        """The columns that a pattern's text of this table has, for COPY."""
        return ", ".join(f'"{name}"' for name, _ in self._kept(table))

    def _kept(self, table: str) -> list[tuple[str, str]]:
        """A table's columns without the number that the database gives."""
        columns = self._columns(table)
        return columns[1:] if columns[0] == ("id", "bigint") and table not in KEYS else columns

    def _one(self, sql: str, **values: object) -> Any:
        row = self.link.execute(sql, values).fetchone()
        assert row
        return row[0]


def _cell(table: str, name: str, kind: str) -> str:
    """How a column is read: ids that others name, moments, and everything else as it is."""
    key = KEYS.get(table)
    if key and name in ("id", "reverses_id"):
        return f"'<{key}' || {name} || '>'"
    if name == "transfer_id":
        return f"'<x' || {name} || '>'"
    if kind == "timestamp with time zone":
        return f"'<m' || (extract(epoch FROM {name} - $at) * 1000000)::bigint || '>'"
    return f'"{name}"'


def _with_day(table: str, columns: list[tuple[str, str]], text: str) -> str:
    """The rows with a place for the gaming day, where they have one."""
    names = [name for name, _ in columns]
    if table not in ("payouts_transfer", "tables_tablesession"):
        return text
    place, lines = names.index("gaming_day"), []
    for line in text.splitlines():
        cells = line.split("\t")
        lines.append("\t".join([*cells[:place], "%(day)s", *cells[place + 1 :]]) + "\n")
    return "".join(lines)


def _named(text: str, names: dict[str, str]) -> str:
    return _ID.sub(lambda one: f"%({names[one[0]]})s" if one[0] in names else one[0], text)


def _place(made: Pattern, mark: re.Match[str], split: float) -> str:
    """The place of a moment or of a key, noted in the pattern."""
    name = f"{mark[1]}{mark[2]}"
    if mark[1] == "m":
        made.moments[name] = int(mark[2])
        if int(mark[2]) > split:
            made.later.add(name)
    elif name not in made.keys[mark[1]]:
        made.keys[mark[1]].append(name)
    return f"%({name})s"


def _bound(where: str, there: dict[str, Any]) -> str:
    """Parameters written into the text: COPY takes none. All of them are ours."""

    def literal(value: object) -> str:
        if isinstance(value, list):
            cells = ", ".join(literal(one) for one in value)
            return f"ARRAY[{cells}]::{'bigint' if value and isinstance(value[0], int) else 'uuid'}[]"
        return (
            str(value) if isinstance(value, int) else f"'{value}'" + ("::timestamptz" if hasattr(value, "hour") else "")
        )

    return where % {name: literal(value) for name, value in there.items()}


def payload_of(text: str, values: dict[str, Any]) -> Any:
    """An approval's payload under other ids."""
    return json.loads(text % values)
