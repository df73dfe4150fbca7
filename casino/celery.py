"""The Celery app and its whole timetable. Tasks are hints: a lost or doubled one is harmless."""

import os
from contextlib import suppress
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.beat import Scheduler, SchedulingError
from celery.signals import beat_init, setup_logging, worker_init
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu.exceptions import OperationalError
from structlog import get_logger

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

PILE = 200  # beat sends 50 tasks a minute

log = get_logger(__name__)
app = Celery("saalchef")
# else threads that did not load this file (gunicorn's, Django's) would send by an app without our
# settings
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)

# Seconds. What a worker finds older than `expires` in the queue, it drops: after a night without
# worker one audit is enough.
app.conf.beat_schedule = {
    "heartbeat": {"task": "casino.heartbeat", "schedule": 10.0, "options": {"expires": 60}},
    "audit": {"task": "casino.audit", "schedule": 60.0, "options": {"expires": 60}},
    "audit-whole": {"task": "casino.audit_whole", "schedule": 600.0, "options": {"expires": 300}},
    "tidy": {"task": "casino.tidy", "schedule": 3600.0, "options": {"expires": 600}},
    "seal": {"task": "casino.seal", "schedule": 10.0, "options": {"expires": 10}},
    "verify": {"task": "casino.verify", "schedule": 30.0, "options": {"expires": 30}},
    "alerts": {"task": "casino.alerts", "schedule": 5.0, "options": {"expires": 5}},
    "reports": {"task": "casino.reports", "schedule": 20.0, "options": {"expires": 20}},
    "edges": {"task": "casino.edges", "schedule": 60.0, "options": {"expires": 60}},
    "jackpot-sweep": {"task": "jackpot.sweep", "schedule": 2.0, "options": {"expires": 2}},
}
# What may take hours has a worker of its own: nothing that the floor waits for stands behind it.
LONG = "long"
app.conf.task_routes = {
    task: {"queue": LONG}
    for task in (
        "casino.audit_whole",
        "casino.tidy",
        "casino.verify",
        "casino.report",
        "casino.edges",
    )
}


class Beat(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's scheduler without its file: the timetable above is all there is to know, and all of
    it is due at the start.
    """

    away = False

    def setup_schedule(self) -> None:
        """Have no waiting after a start: `/readyz` can say yes once one audit is done."""
        super().setup_schedule()
        for entry in self.schedule.values():
            entry.last_run_at -= timedelta(days=1)

    def tick(self, *given: Any, **named: Any) -> float:
        """Send what is due; what was sent at a time that lies ahead again since a clock was set
        back counts as sent now.
        """
        now, entries = self.app.now(), self.schedule.values()
        if any(entry.last_run_at > now for entry in entries):
            for entry in entries:
                entry.last_run_at = min(entry.last_run_at, now)
            self._heap = None  # the order in which they are due has those times too
        wait: float = super().tick(*given, **named)
        return wait

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send one due task. Without Redis say so in one line for the whole outage; what was due
        meanwhile is not sent later.
        """
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            if not self.away:
                log.warning(
                    "beat_cannot_send", task=entry.task, reason=str(error.__cause__ or error)
                )
            self.away = True
        else:
            if self.away:
                log.warning("beat_sends_again", task=entry.task)
            self.away = False


@setup_logging.connect
def _keep_our_logs(**_: object) -> None:
    """Django has set up logging already (`casino/ops/logs.py`); that somebody listens here keeps
    Celery from doing it again.
    """


@worker_init.connect
def _drop_what_piled_up(**_: object) -> None:
    """After a night without worker thousands of sweeps wait, all expired: dropping one by one would
    hold up hints for minutes.
    """
    with suppress(OperationalError), app.connection_for_write() as link:
        waiting = link.default_channel.queue_declare(app.conf.task_default_queue).message_count
        if waiting > PILE:
            app.control.purge(connection=link)
            log.warning("piled_up_tasks_dropped", tasks=waiting)


@worker_init.connect
def _warn_of_lone_heads(**_: object) -> None:
    from casino.ops.startup import warn_of_lone_heads

    warn_of_lone_heads()


@worker_init.connect
def _warn_of_the_sealer(sender: Any = None, **_: object) -> None:
    """Of the worker that takes seals, not of the one of what takes long."""
    from casino.ops.startup import warn_of_the_sealer

    if app.conf.task_default_queue in app.amqp.queues.consume_from:
        warn_of_the_sealer()


@worker_init.connect
@beat_init.connect
def _refuse_unsafe_database(**_: object) -> None:
    from casino.ops.startup import refuse_unsafe_database

    refuse_unsafe_database()
