"""What workers do for jackpots: the hinted step at once, and by the clock every step that nobody
did.

Each may come twice, late or never, in any number of workers, and is safe to be killed:
`jackpot_advance` sees to that.
"""

from uuid import UUID

from celery import Task, shared_task
from django.db.models.functions import Now
from structlog import get_logger

from jackpot import services
from jackpot.models import SignOfLife

log = get_logger(__name__)


@shared_task(name="jackpot.advance")
def advance(jackpot_id: str) -> None:
    """Do what is due at this jackpot: somebody's hint."""
    if services.jackpot_steps_do(UUID(jackpot_id)):
        log.info("jackpot_advanced", jackpot=jackpot_id, by="hint")


@shared_task(name="jackpot.sweep", bind=True)
def sweep(self: Task) -> None:
    """Do what is due at any jackpot, ask anew for prizes that nobody is asked about, and leave a
    sign of life if all went well.

    One that fails holds up no other.
    """
    failed = False
    for jackpot_id in services.jackpots_due():
        try:
            if services.jackpot_steps_do(jackpot_id):
                log.info("jackpot_advanced", jackpot=str(jackpot_id), by="sweep")
        except Exception:
            log.exception("jackpot_not_advanced", jackpot=str(jackpot_id))
            failed = True
    for prize_id in services.prizes_unasked():
        try:
            services.prize_ask_again(prize_id)
        except Exception:
            log.exception("prize_not_asked_for", prize=str(prize_id))
            failed = True
    if not failed:
        sign = SignOfLife(kind="sweep", at=Now(), worker=self.request.hostname)
        SignOfLife.objects.bulk_create(
            [sign], update_conflicts=True, unique_fields=["kind"], update_fields=["at", "worker"]
        )
