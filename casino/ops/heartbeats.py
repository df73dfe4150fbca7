"""Signs of life that the worker leaves in the database, and what each audit found;
`casino/ops/health.py` reads both.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import connection, models
from django.db.models.functions import Now
from django.utils import timezone
from structlog import get_logger

from casino.ops.models import AuditRun, Heartbeat
from jackpot.selectors.fed import fed_keep
from payouts.audit import run_audits
from payouts.audit_recent import Marks, is_recent, marked
from payouts.decided import LOOK_BACK, Look
from payouts.models import Entry
from payouts.rules.plain import Json
from tables.models import TableSession

KEPT = timedelta(days=7)
# a second beat, or a queue that piled up, does not audit twice in a row
AUDIT_APART = timedelta(seconds=30)
WHOLE_APART, WHOLE_LATEST = timedelta(hours=20), timedelta(hours=30)
LOCK = 7_202_611_241  # advisory, and the number after it for a whole run
LARGE = 1_000_000  # entries: some 50 000 rounds, which are audited whole in ten seconds
ROWS_KEPT = 20  # of each breach: enough to see what it is

log = get_logger(__name__)


def heartbeat_write(*, worker: str) -> None:
    """Write one sign of life of this worker."""
    Heartbeat.objects.create(worker=worker)


def audit_store(*, whole: bool = False) -> AuditRun | None:
    """Run all audits and store the outcome; None if another one runs, or ended less than 30 s ago.
    Forgets what is over 7 days old.

    Each minute only what is new is asked about, above the marks of the last sound run, and what the
    last whole run found stays found. `whole`: everything is. A run that fails (a statement took too
    long, say) stores nothing and raises: `/readyz` sees the last run's age grow.
    """
    with _alone(whole=whole) as alone:
        if not alone or (not whole and _just_audited()):
            return None
        earlier = _marks()
        if (
            not earlier and not whole and _is_large()
        ):  # nothing was audited whole yet: that takes longer than a minute has
            return None
        whole = whole or not earlier
        started, marks = time.monotonic(), marked(earlier)
        results = run_audits(low=None if whole else earlier[0].low)
        breaches = [_report(result.name, result.breaches) for result in results if result.breaches]
        if not whole:
            if any(is_recent(str(breach["audit"])) for breach in breaches):
                # what is wrong is asked about again until it is put right
                marks = marks._replace(low=earlier[0].low)
            breaches += _found_whole(but={str(breach["audit"]) for breach in breaches})
        run = AuditRun.objects.create(
            seconds=time.monotonic() - started,
            ok=not breaches,
            breaches=breaches,
            whole=whole,
            marks={"low": marks.low, "look": marks.look._asdict()},
        )
    if breaches:
        log.error(
            "audit_in_breach", audits=[breach["audit"] for breach in breaches], audit_run=run.pk
        )
    fed_keep(upto=marks.low.get("jackpot_contribution", 0))
    _forget_old()
    return run


def audit_whole_due() -> bool:
    """Whether everything is to be asked about."""
    runs = AuditRun.objects.filter(whole=True).order_by("-pk")
    return is_daily_due(runs.values_list("at", flat=True).first())


def is_daily_due(last: datetime | None) -> bool:
    """Whether what was begun last at that time is to be done again: once a day while no table is
    open, and at the latest after 30 hours.
    """
    if last is None:
        return True
    age = timezone.now() - last
    if age < timedelta(0):  # the clock was set back since: nobody knows
        return True
    return age > WHOLE_LATEST or (
        age > WHOLE_APART and not TableSession.objects.filter(closed_at=None).exists()
    )


def _just_audited() -> bool:
    """Whether one ended a moment ago. One that lies ahead, by a clock that was set back since,
    tells nothing.
    """
    return AuditRun.objects.filter(at__range=(Now() - AUDIT_APART, Now() + AUDIT_APART)).exists()


@contextmanager
def _alone(*, whole: bool) -> Iterator[bool]:
    """Whether no other audit of this kind runs; none does, meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK + whole])
        [alone] = cursor.fetchone()
    try:
        yield alone
    finally:
        if alone and not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK + whole])


def _marks() -> list[Marks]:
    """Of the last runs, newest first."""
    kept = (
        AuditRun.objects.exclude(marks=None)
        .order_by("-pk")
        .values_list("marks", flat=True)[:LOOK_BACK]
    )
    return [Marks(one["low"], Look(**one["look"])) for one in kept if one]


def _is_large() -> bool:
    return (Entry.objects.aggregate(last=models.Max("pk"))["last"] or 0) > LARGE


def _report(name: str, rows: list[dict[str, Json]]) -> dict[str, Json]:
    return {"audit": name, "rows": list(rows[:ROWS_KEPT])}


def _found_whole(*, but: set[str]) -> list[dict[str, Json]]:
    """What the last whole run found of rows that are not asked about each minute."""
    last = AuditRun.objects.filter(whole=True).order_by("-pk").first()
    found: list[dict[str, Json]] = last.breaches if last else []
    return [one for one in found if is_recent(str(one["audit"])) and one["audit"] not in but]


def _forget_old() -> None:
    Heartbeat.objects.filter(at__lt=Now() - KEPT).delete()
    AuditRun.objects.filter(at__lt=Now() - KEPT, ok=True).delete()
