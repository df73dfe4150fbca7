"""Whether what seals hold still stands: the chain, and each row under it. Rows that nobody sealed:
`payouts/unsealed.py`.

Works on plain connections in one read-only snapshot, in pieces that processes can share
(`casino/ops/verify.py`), and holds some ten thousand rows at a time. Each check counts what it
found wrong, names it row by row, and keeps the first (`payouts/findings.py`). See `docs/SEALS.md`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from payouts.errors import Refused
from payouts.findings import Findings, Tell, tell_nobody
from payouts.rules import seal as rules
from payouts.rules.seal import Part, Run, Statement
from payouts.seal_keys import verifies
from payouts.sealed import Form, forms, microseconds, rows

GROUP = 20_000  # rows that are read in one go; they may be those of many seals
NEAR = 64  # numbers that nobody asked for are cheaper to read over than to leave out
CLOCK_S = 60  # a clock that is set back by no more than that accuses nobody
Link = psycopg.Connection[Any]


class SealRow(NamedTuple):
    """A seal as it stands in the database."""

    number: int
    taken_at: str
    text: str
    signature: bytes


@dataclass(slots=True)
class Found:
    """What a piece of work found: breaches of the chain and of rows, and how many rows it read."""

    chain: Findings
    rows: Findings
    read: int = 0


def last_seal(link: Link) -> Statement | None:
    """The statement of the newest seal; None without one. Raises SealUnreadable."""
    newest = link.execute("SELECT max(number) FROM payouts_seal").fetchone()
    if newest is None or newest[0] is None:
        return None
    [row] = _seals(link, newest[0], newest[0])
    return Statement.read(row.text, row.number)


def check_seals(
    link: Link,
    first: int,
    last: int,
    keys: Mapping[str, Ed25519PublicKey],
    heads: Mapping[int, str] | None = None,
    tell: Tell = tell_nobody,
) -> Found:
    """Verify the seals of these numbers, and every row that they hold. `heads`: by number, what was
    kept elsewhere.
    """
    found = Found(
        Findings("seals_are_a_chain", tell), Findings("rows_are_as_they_were_sealed", tell)
    )
    group = _Group()
    seals = {row.number: row for row in _seals(link, first - 1, last)}
    known = {number: _read(row) for number, row in seals.items()}
    parts = _parts(link, first, last)
    waiting = next(parts, None)
    for number in range(first, last + 1):
        own: list[_StoredPart] = []
        while waiting and waiting.seal <= number:
            own.append(waiting)
            waiting = next(parts, None)
        row, said, before = seals.get(number), known.get(number), known.get(number - 1)
        kept = (heads or {}).get(number, "")
        wrong = _wrong_in_chain(row, said, before, own, keys, kept)
        found.chain.extend({"seal": number, "why": why} for why in wrong)
        for part in own:
            if group.size >= GROUP:
                _check_group(link, group, found)
            why = _wrong_in_part(link, part)
            if why:
                found.chain.add({"seal": number, "table": part.table, "why": why})
            else:
                group.add(part, before.closed_at if before else "")
    _check_group(link, group, found)
    return found


def _wrong_in_chain(
    row: SealRow | None,
    said: Statement | None,
    before: Statement | None,
    parts: "Sequence[_StoredPart]",
    keys: Mapping[str, Ed25519PublicKey],
    kept: str,
) -> Iterator[str]:
    """What is wrong with a seal itself."""
    if row is None:
        yield "is missing"
        return
    if kept and rules.head_of(row.text) != kept:
        yield "is not the one whose head was kept elsewhere"
    if said is None:
        yield "cannot be read"
        return
    if said.number != row.number or microseconds(said.taken_at) != microseconds(row.taken_at):
        yield "says another number or time than its row"
    if said.key not in keys:
        yield f"was signed by a key that is not ours: {said.key}"
    elif not verifies(keys[said.key], row.text, row.signature):
        yield "its signature is wrong"
    yield from _wrong_place(row, said, before)
    yield from _wrong_parts(said, before, [part.plain() for part in parts])


def _wrong_place(row: SealRow, said: Statement, before: Statement | None) -> Iterator[str]:
    if row.number > 1 and (before is None or said.previous != before.head()):
        yield "does not follow the seal before it"
    if row.number == 1 and said.previous:
        yield "is the first, and names one before it"


def _wrong_parts(said: Statement, before: Statement | None, parts: Sequence[Part]) -> Iterator[str]:
    if any(len(part.leaves) % rules.HASH or not part.leaves for part in parts):
        yield "holds half a digest"
    elif rules.root_of_parts(parts).hex() != said.root:
        yield "the rows that it lists are not those that were sealed"
    elif {part.table: part.count for part in parts} != _more(said, before):
        yield "counts other rows than it lists"


def _more(said: Statement, before: Statement | None) -> dict[str, int]:
    """By table, how many rows a statement counts beyond those of the one before."""
    earlier = before.rows if before else {}
    more = {table: count - earlier.get(table, 0) for table, count in said.rows.items()}
    return {table: count for table, count in more.items() if count}


def _seals(link: Link, first: int, last: int) -> list[SealRow]:
    rows = link.execute(
        "SELECT number, to_char(taken_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US+00:00'),"
        " statement, signature FROM payouts_seal WHERE number BETWEEN %s AND %s ORDER BY number",
        [first, last],
    )
    return [SealRow(number, at, text, bytes(signature)) for number, at, text, signature in rows]


def _read(row: SealRow) -> Statement | None:
    try:
        return Statement.read(row.text, row.number)
    except Refused:
        return None


class _StoredPart(NamedTuple):
    """A part as it stands in the database."""

    seal: int
    table: str
    columns: tuple[str, ...]
    last: int | None
    keys: bytes
    leaves: bytes

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What rows of several seals must share to be read in one go."""
        return self.table, self.columns

    def plain(self) -> Part:
        """The part as it was sealed."""
        return Part(self.table, self.columns, self.keys, self.leaves)

    def numbers(self) -> list[int | UUID]:
        """The keys of its rows."""
        if forms()[self.table].numbered:
            return list(rules.numbers_in(rules.unpack_runs(self.keys)))
        return [UUID(bytes=self.keys[at : at + 16]) for at in range(0, len(self.keys), 16)]


def _parts(link: Link, first: int, last: int) -> Iterator[_StoredPart]:
    """The parts of some seals, a few at a time: one may be a megabyte."""
    with link.cursor(name="parts", binary=True) as cursor:
        cursor.itersize = 20
        cursor.execute(
            'SELECT seal_id, "table", columns, last, keys, leaves FROM payouts_sealedrows'
            ' WHERE seal_id BETWEEN %s AND %s ORDER BY seal_id, "table"',
            [first, last],
        )
        for seal, table, columns, number, keys, leaves in cursor:
            yield _StoredPart(seal, table, tuple(columns), number, bytes(keys), bytes(leaves))


def _wrong_in_part(link: Link, part: _StoredPart) -> str:
    """Why a part cannot be held against its table; empty if it can."""
    form = forms().get(part.table)
    if form is None:
        return "is of a table that is not sealed"
    if part.columns[:1] != form.columns[:1] or not set(part.columns) <= _columns(link, part.table):
        return "names columns that the table does not have"
    try:
        keys = part.numbers()
    except ValueError:
        return "lists its rows in no order"
    if len(keys) != part.plain().count or part.last != (keys[-1] if form.numbered else None):
        return "lists another number of rows than it has digests"
    return ""


def _columns(link: Link, table: str) -> set[str]:
    names = link.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT"
        " attisdropped",
        [table],
    )
    return {name for (name,) in names}


class _Group:
    """Parts that are checked together, by table and columns."""

    def __init__(self) -> None:
        self.parts: dict[tuple[str, tuple[str, ...]], list[tuple[_StoredPart, int]]] = {}
        self.size = 0

    def add(self, part: _StoredPart, closed_at: str) -> None:
        """One part more; `closed_at`: that of the seal before its own."""
        closed = dated_until(closed_at)
        self.parts.setdefault(part.key, []).append((part, closed))
        self.size += part.plain().count


def _check_group(link: Link, group: _Group, found: Found) -> None:
    for (table, columns), parts in group.parts.items():
        _check_rows(link, forms()[table], columns, parts, found)
    found.read += group.size
    group.parts, group.size = {}, 0


def _check_rows(
    link: Link,
    form: Form,
    columns: tuple[str, ...],
    parts: list[tuple[_StoredPart, int]],
    found: Found,
) -> None:
    """Hold the rows of some parts against their digests and the time in which they were sealed."""
    wanted: dict[int | UUID, tuple[bytes, int, int]] = {}
    for part, closed in parts:
        for place, key in enumerate(part.numbers()):
            wanted[key] = (
                part.leaves[place * rules.HASH : (place + 1) * rules.HASH],
                closed,
                part.seal,
            )
    dated = form.dated and columns[:2] == form.columns[:2]

    def breach(key: int | UUID, seal: int, what: str) -> None:
        found.rows.add({"table": form.table, "key": str(key), "seal": seal, "what": what})

    with link.cursor() as cursor:
        for row in rows(cursor, form.sql(_source(form, parts), columns)):
            key = form.key_of(row)
            if key in wanted:  # else it is one of another seal, or of none
                digest, closed, seal = wanted.pop(key)
                if rules.leaf(row) != digest:
                    breach(key, seal, "changed")
                elif dated and form.date_of(row) <= closed:
                    breach(key, seal, "dated before it was added")
    for key, (_, _, seal) in wanted.items():
        breach(key, seal, "missing")


def _source(form: Form, parts: list[tuple[_StoredPart, int]]) -> str:
    """FROM and WHERE of the rows of some parts."""
    if not form.numbered:
        keys = ", ".join(f"'{key}'" for part, _ in parts for key in part.numbers())
        return f"{form.source} AS t WHERE t.{form.key} IN ({keys})"
    spans: list[Run] = []
    for first, last in sorted(run for part, _ in parts for run in rules.unpack_runs(part.keys)):
        if spans and first <= spans[-1][1] + NEAR:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    if len(spans) == 1:
        return f"{form.table} AS t WHERE t.{form.key} BETWEEN {spans[0][0]} AND {spans[0][1]}"
    values = ", ".join(f"({first}, {last})" for first, last in spans)
    return (
        f"(VALUES {values}) AS s(first, last) JOIN {form.table} AS t ON t.{form.key} BETWEEN"
        " s.first AND s.last"
    )


def dated_until(closed_at: str) -> int:
    """No row that was added after `closed_at` is dated so far back, unless a clock was set back by
    more than a minute.
    """
    return microseconds(closed_at) - CLOCK_S * 1_000_000 if closed_at else -(2**63)
