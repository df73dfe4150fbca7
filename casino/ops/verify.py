"""Everything that can be verified about the books, in one go: seals and rows, audits, every round
and every split again.

The work is cut into jobs that processes share, each with a read-only connection of its own. All
that concerns seals looks at one snapshot; the others take one each. A small house is verified in
this process: starting others would take longer.
"""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import psycopg

from payouts.findings import KEPT, Breach, Findings, Tell, Written

if TYPE_CHECKING:
    from payouts.audit import AuditResult

SEALS_A_JOB, ROWS_A_JOB = 200, 50_000  # whichever comes first
ROUND_PIECES = 16
SMALL = 300  # seals and rounds up to which one process does it all
PROCESSES = 2


@dataclass(slots=True)
class Outcome:
    """What a job found, by check: the first breaches (at most KEPT), how many there are, how much
    it looked at.
    """

    breaches: dict[str, list[Breach]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    looked_at: dict[str, int] = field(default_factory=dict)

    def take(self, name: str, breaches: list[Breach], count: int | None) -> None:
        """Add to what one check found; no more than KEPT are ever held."""
        kept = self.breaches.setdefault(name, [])
        kept += breaches[: KEPT - len(kept)]
        self.counts[name] = self.counts.get(name, 0) + (len(breaches) if count is None else count)

    def add(self, other: "Outcome") -> None:
        """What another job found too."""
        for name, breaches in other.breaches.items():
            self.take(name, breaches, other.counts[name])
        for name, count in other.looked_at.items():
            self.looked_at[name] = self.looked_at.get(name, 0) + count


@dataclass(frozen=True, slots=True)
class Checked:
    """One check over the whole: its breaches (at most KEPT of `count`), and what it looked at."""

    name: str
    breaches: list[Breach]
    count: int
    looked_at: int | None


Job = Callable[[Tell], Outcome]
Progress = Callable[[int, int], None]


def verify_all(
    *,
    keys: Path,
    heads: Path | None,
    processes: int | None = None,
    progress: Progress,
    all_to: Path | None = None,
) -> list[Checked]:
    """Verify everything. `keys`: folder of public keys; `heads`: folder of heads that were kept
    elsewhere.

    `progress` is told how many jobs are done, of how many. `all_to`: a file that gets a line for
    every single finding, as it is found. Raises SealKeyRefused, SealUnreadable, OSError, ValueError
    where keys or heads cannot be read, or that file not written.
    """
    if all_to:
        all_to.write_bytes(b"")
    with _snapshot() as (_idle, snapshot):  # reads nothing: it would hold its tables for hours
        with _reading(snapshot) as link:
            jobs, size = _jobs(link, snapshot, keys, heads)
        many = processes or (PROCESSES if size > SMALL else 1)
        found = Outcome()
        for done, one in enumerate(_run(jobs, many, all_to), 1):
            found.add(one)
            progress(done, len(jobs))
    return [
        Checked(name, rows, found.counts[name], found.looked_at.get(name))
        for name, rows in found.breaches.items()
    ]


def _jobs(
    link: "psycopg.Connection[Any]", snapshot: str, keys: Path, heads: Path | None
) -> tuple[list[Job], int]:
    """All jobs, and how much there is to verify: seals and rounds."""
    from casino.ops.seals import stored_heads
    from jackpot.services.continuation import seals_lost
    from payouts import verify
    from payouts.seal_keys import public_keys
    from payouts.sealed import forms

    public_keys(keys)
    kept = stored_heads(heads) if heads else {}
    for number in seals_lost() & {*kept}:  # the books have others by these numbers, or none
        del kept[number]
    newest = verify.last_seal(link)
    last = max([newest.number if newest else 0, *kept])
    [(rounds,)] = link.execute("SELECT count(*) FROM tables_round").fetchall()
    jobs: list[Job] = [_audits, _agreement, _splits, partial(_signatures, snapshot)]
    for first, end in _spans(link, last):
        some = {number: head for number, head in kept.items() if first <= number <= end}
        jobs.append(partial(_seals, snapshot, first, end, keys, some))
    if newest:
        jobs += [partial(_unsealed, snapshot, table) for table in forms()]
    pieces = ROUND_PIECES if rounds > SMALL else 1
    jobs += [partial(_rounds, number, pieces) for number in range(pieces)]
    return jobs, last + int(rounds)


def _spans(link: "psycopg.Connection[Any]", last: int) -> Iterator[tuple[int, int]]:
    """The seals up to `last`, cut into jobs: first and last number of each."""
    counted = link.execute(
        "SELECT seal_id, sum(octet_length(leaves)) / 32 FROM payouts_sealedrows GROUP BY seal_id"
    )
    rows = {seal: int(count) for seal, count in counted}
    first, held = 1, 0
    for number in range(1, last + 1):
        held += rows.get(number, 0)
        if number == last or held >= ROWS_A_JOB or number - first + 1 == SEALS_A_JOB:
            yield first, number
            first, held = number + 1, 0


def _seals(
    snapshot: str, first: int, last: int, keys: Path, heads: Mapping[int, str], tell: Tell
) -> Outcome:
    from payouts import verify
    from payouts.seal_keys import public_keys

    with _reading(snapshot) as link:
        found = verify.check_seals(link, first, last, public_keys(keys), heads, tell)
    looked_at = {found.chain.name: last - first + 1, found.rows.name: found.read}
    return _found([found.chain, found.rows], looked_at)


def _unsealed(snapshot: str, table: str, tell: Tell) -> Outcome:
    from payouts import unsealed, verify

    with _reading(snapshot) as link:
        newest = verify.last_seal(link)
        if newest is None:
            raise RuntimeError("the seals are gone while they are verified")
        found = unsealed.check_unsealed(link, table, newest, tell)
    return _found([found.added], {"rows_too_new_to_be_sealed": found.waiting})


def _signatures(snapshot: str, tell: Tell) -> Outcome:
    from payouts import unattested

    with _reading(snapshot) as link:
        findings, looked_at = unattested.check_signatures(link, tell)
    return _found([findings], {findings.name: looked_at})


def _audits(tell: Tell) -> Outcome:
    from payouts.audit import run_audits

    return _results(run_audits(tell=tell))


def _agreement(tell: Tell) -> Outcome:
    from payouts.agreement import agreement

    result, looked_at = agreement(tell=tell)
    return _results([result], {result.name: looked_at})


def _splits(tell: Tell) -> Outcome:
    from jackpot.audit.replay import replay_splits
    from jackpot.models import Split

    result = replay_splits(tell=tell)
    return _results([result], {result.name: Split.objects.count()})


def _rounds(number: int, pieces: int, tell: Tell) -> Outcome:
    from tables.audit.replay import replay
    from tables.audit.replay_hands import replay_hands

    piece = (number, pieces)
    results = replay(everything=True, piece=piece, tell=tell)
    results.append(replay_hands(everything=True, piece=piece, tell=tell))
    return _results(results, {result.name: result.looked_at or 0 for result in results})


def _found(found: Iterable[Findings], looked_at: dict[str, int]) -> Outcome:
    outcome = Outcome(looked_at=looked_at)
    for one in found:
        outcome.take(one.name, one.rows, one.count)
    return outcome


def _results(results: "Iterable[AuditResult]", looked_at: dict[str, int] | None = None) -> Outcome:
    outcome = Outcome(looked_at=looked_at or {})
    for one in results:
        outcome.take(one.name, one.breaches, one.count)
    return outcome


def _run(jobs: list[Job], processes: int, all_to: Path | None) -> Iterator[Outcome]:
    """The outcome of each job, as they end."""
    if processes == 1:
        yield from (_do(job, all_to) for job in jobs)
        return
    with pool(processes) as running:
        for future in as_completed([running.submit(_do, job, all_to) for job in jobs]):
            yield future.result()


def _do(job: Job, all_to: Path | None) -> Outcome:
    """A job's outcome, after all that it found is written down."""
    written = Written(all_to)
    outcome = job(written.tell)
    written.flush()
    return outcome


def pool(processes: int) -> ProcessPoolExecutor:
    """Processes of ours on this one's database.

    A fork of this process would share its connections; one of a server that has none shares what is
    loaded, not what is open.
    """
    from django.db import connection

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["casino.ops.verify_start"])
    return ProcessPoolExecutor(processes, context, _begin, (connection.settings_dict["NAME"],))


def _begin(database: str) -> None:
    """Make a process of ours ready: on the database of the one that started it."""
    django.setup()  # at once where the server could load everything before
    from django.db import connection, connections

    connections.settings["default"]["NAME"] = connection.settings_dict["NAME"] = database


@contextmanager
def _snapshot() -> Iterator[tuple["psycopg.Connection[Any]", str]]:
    """A connection that holds a snapshot, and its name for others."""
    with _reading() as link:
        [(name,)] = link.execute("SELECT pg_export_snapshot()").fetchall()
        yield link, name


@contextmanager
def _reading(snapshot: str = "") -> Iterator["psycopg.Connection[Any]"]:
    """A read-only connection of the serving role outside Django's pool, in one snapshot."""
    from casino.database import plain_connection

    options = (
        "-c statement_timeout=600s -c idle_in_transaction_session_timeout=0 -c client_encoding=UTF8"
    )
    with plain_connection(options) as link, link.transaction():
        link.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if snapshot:
            link.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
        yield link
