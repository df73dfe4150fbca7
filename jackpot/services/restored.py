"""After a restore of a backup: what displays and guests saw since is not in these books, so every
jackpot waits for people.
"""

from jackpot.models import Incarnation, Jackpot, Phase
from jackpot.services.standing import requests_outdate
from jackpot.services.state import jackpot_lock, log


def jackpots_restored(*, lost_head: str = "") -> int:
    """Begin a new incarnation and suspend every jackpot, until two people have reconciled the
    slips; give their number.

    Screens take a lower version only with a higher incarnation, slips bear it behind their number;
    it is that of no other restore of the same backup. `lost_head`: the newest head kept elsewhere
    that these books lack. To be called once after a restore, before anything serves.
    """
    begun = Incarnation.objects.create(how="restored", lost_head=lost_head)
    begun.refresh_from_db()
    ids = list(
        Jackpot.objects.exclude(phase=Phase.RETIRED).order_by("pk").values_list("pk", flat=True)
    )
    for jackpot_id in ids:
        jackpot = jackpot_lock(jackpot_id=jackpot_id)
        jackpot.incarnation = begun.number
        if jackpot.phase != Phase.SUSPENDED:
            jackpot.kept_phase, jackpot.phase = jackpot.phase, Phase.SUSPENDED
        jackpot.save(update_fields=["incarnation", "phase", "kept_phase"])
        log(jackpot, "jackpot.restored", after={"incarnation": jackpot.incarnation})
        requests_outdate(jackpot)  # who signed to go on had not reconciled anything
    return len(ids)


def standby_promoted() -> None:
    """A standby has taken over and nothing is lost: the incarnation goes on here. The database
    takes it of no other server.
    """
    Incarnation.objects.create(how="promoted")
