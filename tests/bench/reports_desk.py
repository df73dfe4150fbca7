"""What the audit desk is measured by, as a program in the environment of a house of five weeks: it prints one line of JSON.

`times HOUSE FIRST LAST`: milliseconds of each report over a day and over 31 days. `loop HOUSE FIRST LAST`: reports for ever.
`export KIND HOUSE FIRST LAST`: a month of a report in each format. `seals KEYS`, `rounds`: rows or rounds a second, by us and by
the library. `plans HOUSE FIRST LAST`: how PostgreSQL reads for each report and search (`plans.py`).
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import django

CORES = 2
SAMPLE = 200_000  # rows of which the limit is taken; they lie in memory
ROUNDS = 4_000


def main(what: str, values: list[str]) -> None:
    """Do what is named, and print it."""
    django.setup()
    from tests.bench.plans_desk import plans

    done = {"times": times, "loop": loop, "export": export, "seals": seals, "rounds": rounds, "plans": plans}
    print(json.dumps(done[what](*values)), flush=True)


def asked_of(house_id: str, first: str, last: str) -> Iterator[tuple[str, int, Any, Any]]:
    """Each report over a day in the middle, and over as many days as it takes at once, up to 31."""
    from casino.audit.reports import filters
    from casino.audit.reports.kinds import KINDS
    from payouts.models import House

    house = House.objects.get(pk=house_id)
    begins, ends = date.fromisoformat(first), date.fromisoformat(last)
    for kind in KINDS.values():
        for days in (1, 31):
            start = begins + (ends - begins) // 2 if days == 1 else max(begins, ends - timedelta(days=30))
            given = {"from": start.isoformat(), "to": min(ends, start + timedelta(days=days - 1)).isoformat()}
            yield kind.code, days, kind, filters.query_of(kind, house, given, begins)


def times(*at: str) -> dict[str, dict[str, dict[str, float]]]:
    """By report, milliseconds of the day and of the month, the better of two, and how many lines each has."""
    from casino.audit.reports.gather import gathered

    found: dict[str, dict[str, dict[str, float]]] = {}
    for code, days, kind, query in asked_of(*at):
        spent = []
        for _ in range(2):
            began = time.perf_counter()
            with gathered(kind, query, direct=False) as made:
                lines = made.count
            spent.append(1_000 * (time.perf_counter() - began))
        found.setdefault(code, {})["day" if days == 1 else "month"] = {"ms": min(spent), "lines": lines}
    return found


def loop(*at: str) -> None:
    """Reports one after the other, for ever: who started it ends it."""
    from casino.audit.reports.gather import gathered

    print("begun", flush=True)
    while True:
        for _, days, kind, query in asked_of(*at):
            if days == 1 or kind.code in ("results", "jackpot-statement"):
                with gathered(kind, query, direct=False):
                    pass


def export(wanted: str, *at: str) -> dict[str, int]:
    """A month of a report in each format, as long as it gets: payouts from 20 on, results by the hour. Lines, and bytes of each."""
    from django.utils import translation

    from casino.audit.reports.files.formats import FORMATS
    from casino.audit.reports.gather import gathered
    from casino.audit.reports.head import head_of
    from payouts.models import House

    query, kind = next((query, kind) for code, days, kind, query in asked_of(*at) if code == wanted and days == 31)
    longest = replace(query, least_minor=2_000, by="hour")
    with gathered(kind, longest, direct=False) as made, translation.override("de"):
        head, sizes = head_of(made, House.objects.get(pk=at[0]), "Bench"), {"lines": made.count}
        for code, form in FORMATS.items():
            with TemporaryFile() as out:
                form.write(made, head, out)
                sizes[code] = out.seek(0, 2)
    return sizes


def seals(keys: str) -> dict[str, float]:
    """Rows a second: SHA-256 called once for each of the same rows in memory, and all seals verified by two processes."""
    from casino.ops import verify
    from payouts.sealed import forms
    from payouts.sealed import rows as rows_of

    with verify._reading() as link, link.cursor() as cursor:
        form = forms()["tables_roundline"]
        source = f"(SELECT * FROM {form.table} ORDER BY {form.key} LIMIT {SAMPLE}) AS t"
        sample = list(rows_of(cursor, form.sql(source)))
    began = time.perf_counter()
    for row in sample:
        sha256(row).digest()
    limit = len(sample) / (time.perf_counter() - began)
    with verify._snapshot() as (link, name):
        jobs = [job for job in verify._jobs(link, name, Path(keys), None)[0] if _is(job, "_seals", "_unsealed")]
        [(backend,)] = link.execute("SELECT pg_backend_pid()").fetchall()
        outcomes, seconds, cores = _shared(jobs, backend)
        read = sum(one.looked_at.get("rows_are_as_they_were_sealed", 0) for one in outcomes)
    return {"limit": limit, "ours": read / seconds, "rows": read, "cores": cores}


def rounds() -> dict[str, float]:
    """Rounds a second: settled again from records in memory, and read and settled again by two processes."""
    from casino.ops import verify
    from tables.audit import replay
    from tables.services.rounds.evaluate import end_again

    sample = list(islice(replay._records(""), ROUNDS))
    results = [(record, one[1]) for record in sample for one in record["results"]]
    began = time.perf_counter()
    for record, result in results:
        end_again(record, result)
    limit = len(sample) / (time.perf_counter() - began)
    with verify._snapshot() as (link, name):
        [(count,)] = link.execute("SELECT count(*) FROM tables_round WHERE state <> 'withdrawn'").fetchall()
        jobs = [job for job in verify._jobs(link, name, Path("/nowhere"), None)[0] if _is(job, "_rounds")]
        [(backend,)] = link.execute("SELECT pg_backend_pid()").fetchall()
        _, seconds, cores = _shared(jobs, backend)
    return {"limit": limit, "ours": count / seconds, "rounds": count, "cores": cores}


def _shared(jobs: list[Any], backend: int) -> tuple[list[Any], float, float]:
    """The outcomes of jobs that two processes share, the seconds from when both had loaded the application, and the cores at work.

    `backend`: the process of one connection, by which the server is found; its work is part of a verification's.
    """
    from casino.ops import verify

    server = int(_stat(backend)[1])
    with verify.pool(CORES) as running:
        list(running.map(time.sleep, [2] * CORES))
        worked, began = _worked(os.getpid()) + _worked(server), time.perf_counter()
        outcomes = list(running.map(_done, jobs))
        seconds = time.perf_counter() - began
        worked = _worked(os.getpid()) + _worked(server) - worked
    assert not any(count for one in outcomes for count in one.counts.values())
    return outcomes, seconds, round(worked / seconds, 2)


def _worked(pid: int) -> float:
    """Processor seconds of a process and all that it started, those too that have ended."""
    try:
        spent = sum(int(ticks) for ticks in _stat(pid)[11:15])
        children = [one for path in Path(f"/proc/{pid}/task").glob("*/children") for one in path.read_text().split()]
    except OSError:  # it has just ended, and stands in its parent's account
        return 0
    return spent / os.sysconf("SC_CLK_TCK") + sum(_worked(int(child)) for child in children)


def _stat(pid: int) -> list[str]:
    """The figures of a process, from its state on: its name may hold anything."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def _done(job: Any) -> Any:
    from casino.ops import verify

    return verify._do(job, None)


def _is(job: Any, *names: str) -> bool:
    return getattr(getattr(job, "func", job), "__name__", "") in names


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
