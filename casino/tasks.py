"""What the worker does by the clock. Each task calls one function, may come twice or not at all, and is safe to be killed."""

from uuid import UUID

from celery import Task, shared_task

from casino import alerts, audit_runs, heartbeats, seals
from casino.reports import runs


@shared_task(name="casino.heartbeat", bind=True)
def heartbeat(self: Task) -> None:
    """Prove that beat, broker, worker and database work together."""
    heartbeats.heartbeat_write(worker=self.request.hostname)


@shared_task(name="casino.audit")
def audit() -> None:
    """Check the books and keep the outcome."""
    heartbeats.audit_store()


@shared_task(name="casino.seal")
def seal() -> None:
    """Seal what was committed, and keep the heads elsewhere."""
    seals.seals_take()


@shared_task(name="casino.alerts", bind=True)
def alerts_task(self: Task) -> None:
    """Raise what the pit has to be told, and mark what is over."""
    alerts.alerts_derive(worker=self.request.hostname or "")


@shared_task(name="casino.verify", time_limit=audit_runs.LIMIT_S + 60, soft_time_limit=audit_runs.LIMIT_S)
def verify() -> None:
    """Carry out the verification that waits, if one does."""
    audit_runs.verify_next()


@shared_task(name="casino.report", soft_time_limit=3500, time_limit=3600)
def report(run_id: str) -> None:
    """Make a report that somebody waits for."""
    runs.report_make(UUID(run_id))


@shared_task(name="casino.reports")
def reports() -> None:
    """Take up reports whose maker died, and forget files that were kept long enough."""
    runs.reports_sweep()
