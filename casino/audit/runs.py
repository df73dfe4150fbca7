"""Verifications that somebody asked for at the audit desk: asked, carried out by a worker, kept for
ever.

One runs at a time in the whole installation: the seals are one chain over all houses. Who carries
it out holds an advisory lock as long as they live, so that a run whose worker was killed is told
from one that takes long. The task is a hint: a run that nobody began is found again by the clock.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import connection, models, transaction
from django.db.models.functions import Now
from structlog import get_logger

from casino.database import alone
from casino.launcher.processes import die_with_parent
from casino.ops.heartbeats import is_daily_due
from casino.ops.models import BUSY, VerifyRun
from payouts.errors import Kind, Refused, mark
from payouts.models import Seal
from payouts.services import event_record

LOCK = 7_202_611_221  # advisory: held by who carries a run out
TOLD_S = 0.5  # between two writings of the progress
LOST = timedelta(seconds=15)  # after which a run whose lock nobody holds is over
LIMIT_S = 6 * 3600

log = get_logger(__name__)


class VerifyRunning(Refused):
    """A verification that is asked for while one runs."""

    code = "verify.running"
    kind = Kind.CONFLICT
    sentence = mark("Verification %(number)s runs already.")
    remedy = mark("Wait until it is done: its findings stand on this page.")


def verify_ask(*, person_id: UUID, house_id: UUID | None) -> VerifyRun:
    """Ask for a verification, in the caller's transaction. Raises VerifyRunning while another one
    waits or runs.
    """
    if busy := _busy():
        raise VerifyRunning(number=busy.pk)
    run = VerifyRun.objects.create(asked_by_id=person_id)
    event_record("verify.asked", run, house_id=house_id, actor_id=person_id)
    transaction.on_commit(_hint)
    return run


def verify_daily() -> None:
    """Ask for a verification in nobody's name, where none was asked for since the night before."""
    runs = VerifyRun.objects.order_by("-pk").values_list("asked_at", flat=True)
    if is_daily_due(runs.first()):
        with transaction.atomic():
            if not _busy():
                VerifyRun.objects.create()


def verify_next() -> VerifyRun | None:
    """Carry out the run that waits, if there is one and nobody else is at it. Gives the run that it
    ended.
    """
    if not VerifyRun.objects.filter(state=VerifyRun.State.WAITING).exists():
        return None
    with alone(LOCK) as free:
        run = VerifyRun.objects.filter(state=VerifyRun.State.WAITING).first() if free else None
        if run is None:
            return None
        newest = Seal.objects.aggregate(newest=models.Max("number"))["newest"] or 0
        began = VerifyRun.objects.filter(pk=run.pk, state=VerifyRun.State.WAITING)
        began.update(state=VerifyRun.State.RUNNING, begun_at=Now(), told_at=Now(), seal=newest)
        run.refresh_from_db()
        _carry_out(run)
    run.refresh_from_db()
    return run


def verify_lost(run: VerifyRun) -> bool:
    """Whether the worker of a running verification is gone."""
    own = VerifyRun.objects.filter(
        pk=run.pk, state=VerifyRun.State.RUNNING, told_at__lt=Now() - LOST
    )
    return own.exists() and not _is_locked()


def _carry_out(run: VerifyRun) -> None:
    """Have `manage.py verify` do it, as a process of its own: no worker keeps its memory, and it
    uses both cores.
    """
    program = [
        sys.executable,
        str(settings.BASE_DIR / "manage.py"),
        "verify",
        "--json",
        "--progress",
    ]
    with TemporaryFile("w+", encoding="utf-8") as answer:
        with subprocess.Popen(
            program,
            stdout=answer,
            stderr=subprocess.PIPE,
            text=True,
            env=_environment(),
            preexec_fn=_modest(),  # noqa: PLW1509  (system calls alone, made ready before the fork)
        ) as process:
            try:
                failed = _follow(run, process)
                process.wait(LIMIT_S)
            finally:
                process.kill()
        answer.seek(0)
        try:
            said = json.load(answer)
        except ValueError:
            _end(
                run, state=VerifyRun.State.FAILED, failed=(failed or "verify gave no answer")[-500:]
            )
            return
    _end(run, state=VerifyRun.State.DONE, ok=said["ok"], checks=said["checks"])


def _environment() -> dict[str, str]:
    """This process's, on the database that it is connected to."""
    database = urlsplit(os.environ.get("DATABASE_URL", ""))
    own = database._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    return os.environ | ({"DATABASE_URL": own} if database.scheme else {})


def _modest() -> Callable[[], None]:
    """What the new process does first: end with its worker, and leave the cores to whoever
    serves."""
    die = die_with_parent(signal.SIGKILL)

    def before() -> None:
        die()
        os.nice(10)

    return before


def _follow(run: VerifyRun, process: "subprocess.Popen[str]") -> str:
    """Write down how far it is, twice a second at most; gives what else it said."""
    other, told = [], 0.0
    for line in process.stderr or ():
        done, of, jobs = line.strip().partition("/")
        if not (of and done.isdecimal() and jobs.isdecimal()):
            other.append(line)
        elif time.monotonic() - told > TOLD_S or done == jobs:
            told = time.monotonic()
            # one that was given up meanwhile, as its worker had lost the database, stays so
            VerifyRun.objects.filter(pk=run.pk, state=VerifyRun.State.RUNNING).update(
                done=int(done), jobs=int(jobs), told_at=Now()
            )
    return "".join(other).strip()


def _end(run: VerifyRun, **fields: Any) -> None:
    VerifyRun.objects.filter(pk=run.pk, state=VerifyRun.State.RUNNING).update(
        ended_at=Now(), told_at=Now(), **fields
    )
    if fields["state"] == VerifyRun.State.FAILED or not fields["ok"]:
        log.error(
            "verify_found",
            run=run.pk,
            failed=fields.get("failed", ""),
            broken=broken_checks(fields.get("checks")),
        )


def broken_checks(checks: list[Mapping[str, Any]] | None) -> list[str]:
    """The names of the checks that found something."""
    return [str(one["name"]) for one in checks or () if one["count"]]


def _is_locked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND"
            " objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname ="
            " current_database()) AND (classid::bigint << 32 | objid::bigint) = %s)",
            [LOCK],
        )
        return bool(cursor.fetchone()[0])


def _give_up_lost() -> None:
    for run in VerifyRun.objects.filter(state=VerifyRun.State.RUNNING):
        if verify_lost(run):
            _end(run, state=VerifyRun.State.FAILED, failed="the worker ended before it was done")


def _busy() -> VerifyRun | None:
    """The verification that waits or runs, in the caller's transaction."""
    with connection.cursor() as cursor:
        # two who ask at once: the second sees the first
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK + 1])
    _give_up_lost()
    return VerifyRun.objects.filter(state__in=BUSY).first()


def _hint() -> None:
    """Tell a worker; where no broker answers, the clock does it."""
    try:
        current_app.send_task("casino.verify", expires=60)
    except Exception:  # whatever a broker's client raises: the run waits in the database
        log.warning("verify_not_hinted", exc_info=True)
