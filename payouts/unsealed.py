"""Rows that no seal holds: those that should be in one, and how many are too new to be."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from payouts.findings import Breach, Findings, Tell, tell_nobody
from payouts.rules import seal as rules
from payouts.rules.seal import Run, Statement
from payouts.sealed import Form, forms, rows
from payouts.verify import Link, dated_until

# bits: rows are counted by blocks of 65 536 numbers, and looked at one by one only where a count is
# wrong
BLOCK = 16


class Unsealed(NamedTuple):
    """Rows of a table that no seal holds: those that should be, and how many are too new to be."""

    added: Findings
    waiting: int


def check_unsealed(link: Link, table: str, newest: Statement, tell: Tell = tell_nobody) -> Unsealed:
    """Find the rows of a table that no seal holds."""
    form, added = forms()[table], Findings("no_row_was_slipped_in", tell)
    find = _unsealed_numbers if form.numbered else _unsealed_names
    return Unsealed(added, find(link, form, newest, added))


def _unsealed_numbers(link: Link, form: Form, newest: Statement, added: Findings) -> int:
    low = newest.low.get(form.table, 0)
    runs, above = _sealed_runs(link, form.table, low)
    expected = _by_block(runs)
    there = link.execute(
        f"SELECT {form.key} >> {BLOCK}, count(*), sum({form.key})::numeric::text FROM {form.table}"
        f" WHERE {form.key} <= {low} GROUP BY 1"
    )
    wrong = [block for block, count, total in there if expected.get(block) != (count, int(total))]
    for block in sorted(wrong):
        first, last = block << BLOCK, min((block + 1 << BLOCK) - 1, low)
        numbers = link.execute(
            f"SELECT {form.key} FROM {form.table} WHERE {form.key} BETWEEN {first} AND {last}"
        )
        sealed = {
            number for run in runs for number in range(max(run[0], first), min(run[1], last) + 1)
        }
        added.extend(_added(form, number) for (number,) in numbers if number not in sealed)
    [(newer,)] = link.execute(
        f"SELECT count(*) FROM {form.table} WHERE {form.key} > {low}"
    ).fetchall()
    return int(max(0, newer - above))


def _sealed_runs(link: Link, table: str, low: int) -> tuple[list[Run], int]:
    """Every number up to `low` that a seal holds, as runs in no order that touch where they can,
    and how many there are above.
    """
    runs: list[Run] = []
    above = 0
    with link.cursor(name="keys", binary=True) as cursor:
        cursor.execute(
            'SELECT keys FROM payouts_sealedrows WHERE "table" = %s ORDER BY seal_id', [table]
        )
        for (keys,) in cursor:
            for first, last in _runs(bytes(keys)):
                above += max(0, last - max(first - 1, low))
                if first <= low:
                    start = runs.pop()[0] if runs and runs[-1][1] == first - 1 else first
                    runs.append((start, min(last, low)))
    return runs, above


def _runs(keys: bytes) -> list[Run]:
    try:
        return rules.unpack_runs(keys)
    except ValueError:  # a spoiled part: the chain says so
        return []


def _by_block(runs: Sequence[Run]) -> dict[int, tuple[int, int]]:
    """By block, how many numbers there are in it and their sum."""
    blocks: dict[int, tuple[int, int]] = {}
    for first, last in runs:
        for block in range(first >> BLOCK, (last >> BLOCK) + 1):
            start, end = max(first, block << BLOCK), min(last, (block + 1 << BLOCK) - 1)
            count, total = blocks.get(block, (0, 0))
            many = end - start + 1
            blocks[block] = (count + many, total + (start + end) * many // 2)
    return blocks


def _unsealed_names(link: Link, form: Form, newest: Statement, added: Findings) -> int:
    sealed: set[bytes] = set()
    for (keys,) in link.execute(
        'SELECT keys FROM payouts_sealedrows WHERE "table" = %s', [form.table]
    ):
        sealed.update(bytes(keys[at : at + 16]) for at in range(0, len(keys), 16))
    closed = dated_until(newest.closed_at)
    waiting = 0
    with link.cursor() as cursor:
        for row in rows(cursor, form.sql(f"{form.table} AS t", form.columns[: 1 + form.dated])):
            key = form.key_of(row)
            if isinstance(key, UUID) and key.bytes in sealed:
                continue
            if form.dated and form.date_of(row) <= closed:
                added.add(_added(form, key))
            else:
                waiting += 1
    return waiting


def _added(form: Form, key: int | UUID) -> Breach:
    return {"table": form.table, "key": str(key), "seal": None, "what": "added"}
