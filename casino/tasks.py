"""What the worker does by the clock. Each task calls one function, may come twice or not at all,
and is safe to be killed.
"""

from uuid import UUID

from celery import Task, shared_task
from django.core.management import call_command

from casino.audit import runs as audit_runs
from casino.audit.reports import runs
from casino.ops import heartbeats, seals
from casino.people.authenticators import reseal
from casino.pit import alerts
from casino.rulesets import edges
from payouts.commands import answers_forget

AUDIT_S = 6 * 3600
EDGES_S = 600


@shared_task(name="casino.heartbeat", bind=True)
def heartbeat(self: Task) -> None:
    """Prove that beat, broker, worker and database work together."""
    heartbeats.heartbeat_write(worker=self.request.hostname)


@shared_task(name="casino.audit")
def audit() -> None:
    """Check what is new in the books and keep the outcome."""
    heartbeats.audit_store()


@shared_task(name="casino.audit_whole", soft_time_limit=AUDIT_S, time_limit=AUDIT_S + 60)
def audit_whole() -> None:
    """Once a day, while no table is open, check all of the books."""
    if heartbeats.audit_whole_due():
        heartbeats.audit_store(whole=True)


@shared_task(name="casino.tidy", soft_time_limit=AUDIT_S, time_limit=AUDIT_S + 60)
def tidy() -> None:
    """Throw away what nobody asks for any more: answers to commands of a month ago, sessions that
    are over; seal secrets anew.
    """
    reseal()
    while answers_forget():
        pass
    call_command("clearsessions")


@shared_task(name="casino.seal", soft_time_limit=seals.LIMIT_S, time_limit=seals.LIMIT_S + 15)
def seal() -> None:
    """Seal what was committed, and keep the heads elsewhere."""
    seals.seals_take()


@shared_task(name="casino.alerts", bind=True)
def alerts_task(self: Task) -> None:
    """Raise what the pit has to be told, and mark what is over."""
    alerts.alerts_derive(worker=self.request.hostname or "")


@shared_task(
    name="casino.verify", time_limit=audit_runs.LIMIT_S + 60, soft_time_limit=audit_runs.LIMIT_S
)
def verify() -> None:
    """Carry out the verification that waits, or that is due today."""
    audit_runs.verify_daily()
    audit_runs.verify_next()


@shared_task(name="casino.report", soft_time_limit=3500, time_limit=3600)
def report(run_id: str) -> None:
    """Make a report that somebody waits for."""
    runs.report_make(UUID(run_id))


@shared_task(name="casino.reports")
def reports() -> None:
    """Take up reports whose maker died, and forget files that were kept long enough."""
    runs.reports_sweep()


@shared_task(name="casino.edges", soft_time_limit=EDGES_S, time_limit=EDGES_S + 60)
def edges_task() -> None:
    """Work out the edges of a rule set that waits for it, if one does."""
    edges.edges_next()
