"""Long reports, made by the worker: computed once however many ask at a time, taken up again when
whoever made one died.

The row says how far a report is (`casino.audit.models.ReportRun`), the file lies in the folder
REPORTS_DIR until REPORTS_KEEP_H hours are over. Nothing here is the books': what is lost is
computed again.
"""

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import translation
from kombu.exceptions import OperationalError
from structlog import get_logger

from casino.audit.models import RUNNING, ReportRun
from casino.audit.reports import filters
from casino.audit.reports.files.formats import FORMATS, Format, file_name
from casino.audit.reports.gather import Gathered, gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import Kind, Query, line
from casino.people.models import Person
from payouts.models import House

TASK = "casino.report"
PULSE_S = 1.0  # how often a report that is made says how far it is
DEAD = timedelta(seconds=30)  # who says nothing for so long is not coming back
TRIES = 3
INTERRUPTED, FAULT = "interrupted", "fault"
UNSENT = timedelta(seconds=5)  # queued for so long without a worker: sent again by the sweep
# how names in the folder begin
OURS = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:[0-9]+\.)?")

log = get_logger(__name__)


def report_ask(
    *, kind: Kind, query: Query, form: Format, language: str, person: Person
) -> ReportRun:
    """Have the worker make a report, or find the one that is being made: the same report is
    computed once at a time.
    """
    asked = query.plain()
    key = sha256(
        line([str(query.house_id), kind.code, sorted(asked.items()), form.code, language])
    ).hexdigest()
    run = ReportRun(
        house_id=query.house_id,
        kind=kind.code,
        asked=asked,
        form=form.code,
        language=language,
        key=key,
    )
    run.asked_by = person
    for _ in range(3):  # the one that was in the way may be over when it is looked for
        try:
            with transaction.atomic():
                run.save(force_insert=True)
                transaction.on_commit(lambda: send(run.pk))
            return run
        except IntegrityError:
            there = ReportRun.objects.filter(key=key, state__in=RUNNING).first()
            if there:
                return there
    raise RuntimeError("a report that is over and running")


def send(run_id: UUID) -> None:
    """Tell a worker. Without Redis nothing is lost: the sweep finds what waits."""
    with suppress(OperationalError, OSError):
        current_app.send_task(TASK, args=[str(run_id)], expires=DEAD.total_seconds())


def query_again(run: ReportRun, house: House) -> Query:
    """The query that a run was asked for. Raises what `query_of` raises where a filter names what
    is gone.
    """
    asked = {str(name): str(value) for name, value in run.asked.items() if name != "least_minor"}
    query = filters.query_of(KINDS[run.kind], house, asked, date.fromisoformat(run.asked["from"]))
    least = run.asked.get("least_minor")
    return query if least is None else Query(**{**query.__dict__, "least_minor": int(least)})


def report_make(run_id: UUID) -> bool:
    """Make a report that waits, or whose maker died; whether there was one to make. What fails is
    written down.
    """
    claimed = ReportRun.objects.filter(
        Q(state="queued") | Q(state="running", alive_at__lt=Now() - DEAD), pk=run_id
    )
    if not claimed.update(
        state="running", tries=F("tries") + 1, alive_at=Now(), lines=0, expected=None
    ):
        return False
    run = ReportRun.objects.select_related("house", "asked_by").get(pk=run_id)
    try:
        with _pulse(run) as pulse, translation.override(run.language):
            name, found = _write(run, pulse)
    except Exception:  # whatever it is, somebody waits for the answer
        log.exception("report_failed", run=str(run.pk), kind=run.kind)
        _end(run, state="failed", failed=FAULT)
        return True
    _end(
        run,
        state="done",
        lines=found.count,
        expected=found.count,
        sha256=found.sha256,
        file_name=name,
    )
    return True


def _write(run: ReportRun, pulse: "_Pulse") -> tuple[str, Gathered]:
    """Compute and write the file: whole under its name, or not there at all."""
    kind, form = KINDS[run.kind], FORMATS[run.form]
    with gathered(kind, query_again(run, run.house), direct=False, progress=pulse.update) as found:
        head = head_of(found, run.house, run.asked_by.full_name)
        path = path_of(run)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        half = path.with_name(f"{run.pk}.{run.tries}.half")
        try:
            with open(str(half), "w+b", opener=_private) as out:
                form.write(found, head, out)
                out.flush()
                os.fsync(out.fileno())
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
        return file_name(found, form), found


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _end(run: ReportRun, **values: Any) -> None:
    # of two makers the later one counts
    mine = ReportRun.objects.filter(pk=run.pk, state="running", tries=run.tries)
    mine.update(ended_at=Now(), alive_at=Now(), **values)


class _Pulse:
    """How far the reading is: kept by the reader, written by a thread of its own, for the reader's
    snapshot writes nothing.
    """

    def __init__(self) -> None:
        self.lines, self.expected = 0, 0
        self.over = threading.Event()

    def update(self, lines: int, expected: int) -> None:
        self.lines, self.expected = lines, expected


@contextmanager
def _pulse(run: ReportRun) -> Iterator[_Pulse]:
    pulse = _Pulse()

    def beat() -> None:
        try:
            while not pulse.over.wait(PULSE_S):
                mine = ReportRun.objects.filter(pk=run.pk, state="running", tries=run.tries)
                mine.update(alive_at=Now(), lines=pulse.lines, expected=pulse.expected or None)
        finally:
            connection.close()

    thread = threading.Thread(target=beat, daemon=True, name=f"report {run.pk}")
    thread.start()
    try:
        yield pulse
    finally:
        pulse.over.set()
        thread.join()


def path_of(run: ReportRun) -> Path:
    """Where the file of a run lies: each try has its own, so that a maker who was followed by
    another overwrites nothing.
    """
    return Path(settings.REPORTS_DIR) / f"{run.pk}.{run.tries}.{FORMATS[run.form].ending}"


def reports_sweep() -> None:
    """Send again what nobody makes, give up what failed three times, forget what was kept long
    enough.
    """
    lost = Q(state="running", alive_at__lt=Now() - DEAD) | Q(
        state="queued", alive_at__lt=Now() - UNSENT
    )
    for run in ReportRun.objects.filter(lost).order_by("asked_at")[:20]:
        if run.state == "running" and run.tries >= TRIES:
            _end(run, state="failed", failed=INTERRUPTED)
        else:
            send(run.pk)
    kept = timedelta(hours=settings.REPORTS_KEEP_H)
    ReportRun.objects.filter(ended_at__lt=Now() - kept).delete()
    _forget_files(kept)


def _forget_files(kept: timedelta) -> None:
    """Halves and parts of makers that died or were followed by another, files of rows that are gone
    for as long as one is kept.

    Files are listed before the rows are read, and a row is there before its files, so that none of
    a new one is taken.
    """
    folder = Path(settings.REPORTS_DIR)
    if not folder.is_dir():
        return
    found = [
        (path, named[1], named[0]) for path in folder.iterdir() if (named := OURS.match(path.name))
    ]
    rows = {str(row.pk): row for row in ReportRun.objects.filter(pk__in={pk for _, pk, _ in found})}
    old = time.time() - kept.total_seconds()
    for path, pk, begins in found:
        row = rows.get(pk)
        if row is None:
            over = path.lstat().st_mtime < old
        else:
            over = row.state not in ("running", "done") or begins != f"{pk}.{row.tries}."
        if over and path.is_dir():
            rmtree(path, ignore_errors=True)
        elif over:
            path.unlink(missing_ok=True)
