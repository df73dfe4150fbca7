"""Rows of a report by its kind's own statement: read once in one snapshot into a spool, from which
every format is made.

So all formats show the same figures whatever is booked meanwhile, no transaction stays open for a
slow reader, and memory does not grow with the rows.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import IO, Any

from django.db import connection, transaction
from django.db.utils import OperationalError
from django.utils.translation import get_language

from casino.audit.reports.errors import TooLong
from casino.audit.reports.shape import (
    Cell,
    Column,
    Kind,
    Query,
    cell,
    head_line,
    line,
    report_number,
)
from casino.audit.reports.shared import Shared
from casino.audit.reports.statements.coverage import Coverage, coverage_of
from casino.audit.verdict import Verdict, verdict
from casino.records.names import UUIDS, Names
from payouts.models import House

MEMORY_MOST = 4 << 20  # bytes of a spool that stay in memory
FETCHED = 2000  # rows at once
DIRECT_ROWS, DIRECT_S = 5000, 3.0  # of a report that is answered while somebody waits
LONG_S = 1800  # of one that the worker makes
Progress = Callable[[int, int], None]
READINGS: "Shared[Gathered]" = Shared()


@dataclass
class Gathered:
    """A report that was read: how many rows, totals by column (None: of what not every line knows),
    its data hash, how far it covers, the verdict of that moment.
    """

    kind: Kind
    query: Query
    spool: IO[bytes]
    count: int
    totals: dict[str, int | None]
    sha256: str
    coverage: Coverage | None
    verdict: Verdict
    at: datetime
    names: Names  # of what its columns name by id

    @property
    def number(self) -> str:
        """The report's number."""
        return report_number(self.kind, self.query, self.sha256)

    def rows(self, start: int = 0) -> Iterator[list[Cell]]:
        """The rows from a place on."""
        self.spool.seek(0)
        for place, text in enumerate(self.spool):
            if place >= start:
                yield json.loads(text)

    def copies(self, count: int) -> "list[Gathered]":
        """As many of the same with spools of their own."""
        self.spool.seek(0)
        content = self.spool.read() if count else b""
        return [replace(self, spool=BytesIO(content)) for _ in range(count)]

    def close(self) -> None:
        """Let go of the spool."""
        self.spool.close()


@contextmanager
def gathered(
    kind: Kind, query: Query, *, direct: bool = True, progress: Progress | None = None
) -> Iterator[Gathered]:
    """Read a report and give it while the block lasts. `progress` hears now and then how
    many rows were read, and of how many.

    Several who wait for the same one are given one reading (`shared.py`).
    Raises TooLong where `direct` and it has more than 5000 rows, or takes longer than 3 s.
    """
    if direct and not connection.in_atomic_block:
        key = (connection.settings_dict["NAME"], kind.code, query, get_language())
        found = READINGS.one(key, lambda: gather(kind, query))
    else:
        found = gather(kind, query, direct=direct, progress=progress)
    try:
        yield found
    finally:
        found.close()


def gather(
    kind: Kind, query: Query, *, direct: bool = True, progress: Progress | None = None
) -> Gathered:
    """As `gathered`; who calls closes it."""
    spool: IO[bytes] = SpooledTemporaryFile(MEMORY_MOST)  # noqa: SIM115  # closed by whoever has it
    try:
        with snapshot(DIRECT_S if direct else LONG_S):
            expected = 0 if progress is None else _count(kind, query)
            return _read(
                kind, query, spool, _Watch(direct=direct, progress=progress, expected=expected)
            )
    except OperationalError as error:
        spool.close()
        if direct and "statement timeout" in str(error):
            raise TooLong from None
        raise
    except BaseException:
        spool.close()
        raise


@contextmanager
def snapshot(seconds: float) -> Iterator[None]:
    """One moment of the books, for reading, and for so many seconds a statement; inside somebody's
    transaction, their moment.
    """
    outermost = not connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if outermost:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SET LOCAL statement_timeout = %s", [f"{seconds:.0f}s"])
        cursor.execute("SET LOCAL jit = off")  # compiling takes longer than these statements
        cursor.execute(
            "SET LOCAL work_mem = '64MB'; SET LOCAL random_page_cost = 1.1"
        )  # a month is hashed, a day found
        yield


class _Watch:
    """Ends what takes too long for somebody who waits, and tells how far it is."""

    def __init__(self, *, direct: bool, progress: Progress | None, expected: int) -> None:
        self.direct, self.progress, self.expected, self.end = (
            direct,
            progress,
            expected,
            monotonic() + DIRECT_S,
        )

    def seen(self, count: int) -> None:
        if self.direct and (count > DIRECT_ROWS or monotonic() > self.end):
            raise TooLong
        if self.progress and count % FETCHED == 0:
            self.progress(count, self.expected)


def _read(kind: Kind, query: Query, spool: IO[bytes], watch: _Watch) -> Gathered:
    digest, count = sha256(head_line(kind)), 0
    columns = () if kind.mixed(query) else tuple(enumerate(kind.columns))
    summed = [(place, column) for place, column in columns if column.total]
    totals: dict[str, int | None] = {column.code: 0 for _, column in summed}
    named = [place for place, column in enumerate(kind.columns) if column.names]
    ids: set[str] = set()
    for row in kind.made(_rows(kind, query)):
        text = line(row)
        digest.update(text)
        spool.write(text)
        count += 1
        ids.update(pk for place in named for pk in UUIDS.findall(str(row[place])))
        if kind.summed(row) and not kind.struck(row):
            for place, column in summed:
                totals[column.code] = _added(column, totals[column.code], row[place])
        watch.seen(count)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at = cursor.fetchone()[0]
    covered = coverage_of(query, kind.rounds) if kind.rounds else None
    stands = verdict(House.objects.get(pk=query.house_id))
    return Gathered(
        kind,
        query,
        spool,
        count,
        totals,
        digest.hexdigest(),
        covered,
        stands,
        at,
        Names.of(ids, query.house_id),
    )


def _added(column: Column, total: int | None, value: Cell) -> int | None:
    """A total with one more cell."""
    if column.complete and (total is None or value is None):
        return None
    return (total or 0) + int(value or 0)


def _count(kind: Kind, query: Query) -> int:
    """How many rows there will be, for who shows how far it is."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({kind.sql}) AS lines", query.bound())
        return int(cursor.fetchone()[0])


def _rows(kind: Kind, query: Query) -> Iterator[list[Cell]]:
    with connection.chunked_cursor() as cursor:
        inner: Any = cursor.cursor
        inner.itersize = FETCHED
        cursor.execute(kind.sql, query.bound())
        for row in cursor:
            yield [cell(value) for value in row]
