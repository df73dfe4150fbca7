"""How PostgreSQL reads for each report and for what is searched at the desk: rows and blocks of each step, no times."""

import re
import sys
import time
from collections.abc import Iterator
from datetime import date
from datetime import time as time_of_day
from typing import Any

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) "
WIDE = 150  # of a line that is kept: conditions can be as long as a page
Plans = dict[str, dict[str, str]]


def plans(*at: str) -> Plans:
    """By report and kind of search, then by what was asked, the plan."""
    return _reports(*at) | _searches(*at)


def _reports(*at: str) -> Plans:
    from casino.audit.reports.gather import LONG_S, snapshot
    from tests.bench.reports_desk import asked_of

    found: Plans = {}
    for code, days, kind, query in asked_of(*at):
        with snapshot(LONG_S):
            title = "a day" if days == 1 else f"{(query.last - query.first).days + 1} days"
            found.setdefault(f"report-{code}", {})[title] = _plan(f"{code}, {title}", kind.sql, query.bound())
    return found


def _searches(house_id: str, first: str, last: str) -> Plans:
    from django.db import connection, transaction

    from casino.audit.lists import KINDS, PAGE, TIMEOUT_MS, _answers

    found: Plans = {}
    for title, asked in _asked(house_id, date.fromisoformat(first), date.fromisoformat(last)):
        for kind in KINDS:
            if not _answers(kind, asked):
                continue
            said: list[tuple[str, Any]] = []

            def heard(execute: Any, sql: str, values: Any, many: bool, context: Any, said: Any = said) -> Any:
                said.append((sql, values))
                return execute(sql, values, many, context)

            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = %s", [100 * TIMEOUT_MS])
                with connection.execute_wrapper(heard):
                    kind.rows(asked, [], PAGE + 1)
                texts = [_plan(f"{kind.code}, {title}", sql, values) for sql, values in said]
            found.setdefault(f"search-{kind.code}", {})[title] = "\n".join(texts)
    return found


def _asked(house_id: str, first: date, last: date) -> Iterator[tuple[str, Any]]:
    """What is looked for at the desk, each by itself and some of it together."""
    from casino.audit.search import Asked
    from casino.people.models import Person
    from payouts.models import House
    from tables.models import Table

    house = House.objects.get(pk=house_id)
    table = Table.objects.filter(house=house, rounds__isnull=False).order_by("-position").first()
    dealer = Person.objects.filter(house=house, username__startswith="dealer").order_by("username").first()
    middle = first + (last - first) // 2
    for title, values in {
        "nothing": {},
        "a number": {"number": 7},
        "an amount": {"amount_minor": 12_500, "first": middle, "last": middle},
        "a table": {"table": table},
        "a person": {"person": dealer},
        "a day": {"first": middle, "last": middle},
        "a table at a time": {"table": table, "first": middle, "at": time_of_day(18, 30)},
        "a name": {"name": "dealer01"},
    }.items():
        yield title, Asked(house=house, today=last, **values)


def _plan(title: str, sql: str, values: Any) -> str:
    """The plan of the second run: the first has read what it reads from the disk."""
    from django.db import connection

    spent = []
    with connection.cursor() as cursor:
        for _ in range(2):
            began = time.perf_counter()
            cursor.execute(EXPLAIN + sql, values)
            lines = [row[0] for row in cursor.fetchall()]
            spent.append(1_000 * (time.perf_counter() - began))
    print(f"{title}: {min(spent):.0f} ms", file=sys.stderr)
    if "Planning:" in lines:
        lines = lines[: lines.index("Planning:")]
    return "\n".join(_short(_ID.sub("…", line)) for line in lines)


def _short(line: str) -> str:
    return line if len(line) <= WIDE else line[: WIDE - 1] + "…"
