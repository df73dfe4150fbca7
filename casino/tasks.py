"""What the worker does by the clock. Each task calls one function, may come twice or not at all, and is safe to be killed."""

from celery import Task, shared_task

from casino import heartbeats


@shared_task(name="casino.heartbeat", bind=True)
def heartbeat(self: Task) -> None:
    """Prove that beat, broker, worker and database work together."""
    heartbeats.heartbeat_write(worker=self.request.hostname)


@shared_task(name="casino.audit")
def audit() -> None:
    """Check the books and keep the outcome."""
    heartbeats.audit_store()
