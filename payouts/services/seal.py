"""Taking a seal: which rows came since the last one, their digests, the statement, the signature;
`docs/SEALS.md` says why none is missed.

A number is given to a row before its transaction commits, so a later row may be seen before an
earlier one. The sealer therefore looks again at every number above `low`, and raises `low` only to
what is decided (`payouts/decided.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from payouts.db.sealer import as_sealer
from payouts.decided import Look, decided, look
from payouts.models import Seal, SealedRows
from payouts.rules import seal as rules
from payouts.rules.seal import Part, Statement
from payouts.seal_keys import Signer
from payouts.sealed import Form, forms, rows

LOOK_BACK = 60  # seals of which one may have no open transaction left: ten minutes of a busy house
LOCK = 0x5EA1  # an advisory lock of its own: who seals waits for nobody, and nobody for them
# of one table in one seal: what a seal holds fits into memory, however long none was taken
ROWS_MOST = 20_000


class Taken(NamedTuple):
    """A seal that was taken, and whether rows are left for the next one."""

    seal: Seal
    statement: Statement
    full: bool


def seal_take(
    *, signer: Signer, idle_s: int = 0, check: Callable[[Statement | None], None] | None = None
) -> Taken | None:
    """Seal what was committed since the last seal, in a transaction and by a role of its own; None
    if somebody else is at it, or if there is nothing new and the last seal is less than `idle_s`
    seconds old.

    `check` may refuse to go on from the newest statement. At most 20 000 rows of each table: while
    `full`, call again. Raises SealUnreadable if the last seal was spoiled, SealRoleRefused.
    """
    with as_sealer(), transaction.atomic(durable=True):
        if not _ask("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])[0][0]:
            return None
        last = Seal.objects.order_by("-number").first()
        before = Statement.read(last.statement, last.number) if last else None
        if check:
            check(before)
        now = look({form.table: form.key for form in forms().values() if form.numbered})
        bound, closed_at = _decided(now, before)
        found = {name: _take(form, before, bound.get(name, 0)) for name, form in forms().items()}
        full = any(len(take.part.leaves) >= ROWS_MOST * rules.HASH for take in found.values())
        parts = [take.part for take in found.values() if take.part.leaves]
        if before and not parts and _age_s(now, before) < idle_s:
            return None
        statement = Statement(
            number=before.number + 1 if before else 1,
            previous=before.head() if before else "",
            root=rules.root_of_parts(parts).hex(),
            key=signer.id,
            low={name: take.low for name, take in found.items() if forms()[name].numbered},
            # Rows that are left over are older than this seal: the time up to which all is decided
            # stays where it was.
            closed_at=(before.closed_at if before else "") if full else closed_at,
            rows={
                name: _rows_before(before, name) + take.part.count for name, take in found.items()
            },
            **now._asdict(),
        )
        return Taken(_write(statement, parts, signer), statement, full)


def _age_s(now: Look, before: Statement) -> float:
    return (
        datetime.fromisoformat(now.taken_at) - datetime.fromisoformat(before.taken_at)
    ).total_seconds()


def _write(statement: Statement, parts: Sequence[Part], signer: Signer) -> Seal:
    text = statement.text()
    seal = Seal.objects.create(
        number=statement.number,
        taken_at=datetime.fromisoformat(statement.taken_at),
        statement=text,
        signature=signer.sign(text),
    )
    SealedRows.objects.bulk_create(
        SealedRows(
            seal=seal,
            table=part.table,
            columns=list(part.columns),
            last=rules.unpack_runs(part.keys)[-1][1] if forms()[part.table].numbered else None,
            keys=part.keys,
            leaves=part.leaves,
        )
        for part in parts
    )
    return seal


def _decided(now: Look, before: Statement | None) -> tuple[Mapping[str, int], str]:
    """Up to which number of each table, and up to when, every transaction that could write has
    ended; nothing new if none is.
    """
    recent = Seal.objects.order_by("-number").values_list("statement", "number")[:LOOK_BACK]
    read = (Statement.read(text, number) for text, number in recent)
    found = decided(now, (Look(one.taken_at, one.server, one.highest, one.open) for one in read))
    return (found.highest, found.taken_at) if found else ({}, before.closed_at if before else "")


class _Take(NamedTuple):
    """The rows of one table for this seal, and its new `low`."""

    part: Part
    low: int


def _take(form: Form, before: Statement | None, bound: int) -> _Take:
    return _take_numbered(form, before, bound) if form.numbered else _take_named(form, before)


def _take_numbered(form: Form, before: Statement | None, bound: int) -> _Take:
    """All rows above `low` that no seal holds, lowest first."""
    low = before.low.get(form.table, 0) if before else 0
    held = SealedRows.objects.filter(table=form.table, last__gt=low).values_list("keys", flat=True)
    sealed = {
        number
        for keys in held
        for number in rules.numbers_in(rules.unpack_runs(bytes(keys)))
        if number > low
    }
    limit = ROWS_MOST + len(sealed)
    source = (
        f"(SELECT * FROM {form.table} WHERE {form.key} > {low} ORDER BY {form.key} LIMIT {limit})"
        " AS t"
    )
    numbers: list[int] = []
    leaves, seen = bytearray(), 0
    for row in _rows(form.sql(source)):
        seen = int(form.key_of(row))
        if seen not in sealed and len(numbers) < ROWS_MOST:
            numbers.append(seen)
            leaves += rules.leaf(row)
    if len(numbers) == ROWS_MOST:  # what lies above was not taken, whatever is decided
        bound = min(bound, numbers[-1])
    part = Part(form.table, form.columns, rules.pack_runs(rules.runs_of(numbers)), bytes(leaves))
    return _Take(part, max(low, bound))


def _take_named(form: Form, before: Statement | None) -> _Take:
    """All rows whose UUIDs no seal holds. Such tables are small; nothing is read while as many rows
    stand as were sealed.
    """
    there = int(_ask(f"SELECT count(*) FROM {form.table}")[0][0])
    if there == _rows_before(before, form.table):
        return _Take(Part(form.table, form.columns, b"", b""), 0)
    held = SealedRows.objects.filter(table=form.table).values_list("keys", flat=True)
    sealed = {keys[at : at + 16] for keys in map(bytes, held) for at in range(0, len(keys), 16)}
    present = sorted(key.bytes for (key,) in _ask(f"SELECT {form.key} FROM {form.table}"))
    new = [key for key in present if key not in sealed][:ROWS_MOST]
    listed = ", ".join(f"'{UUID(bytes=key)}'" for key in new)
    copy = form.sql(f"{form.source} AS t WHERE t.{form.key} IN ({listed})") if new else ""
    leaves = b"".join(rules.leaf(row) for row in _rows(copy)) if new else b""
    return _Take(Part(form.table, form.columns, b"".join(new), leaves), 0)


def _rows_before(before: Statement | None, table: str) -> int:
    return before.rows.get(table, 0) if before else 0


def _rows(copy: str) -> Any:
    with connection.cursor() as cursor:
        yield from rows(cursor.cursor, copy)


def _ask(sql: str, parameters: Sequence[int] = ()) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters or None)
        return list(cursor.fetchall())


__all__: Sequence[str] = ("Taken", "seal_take")
