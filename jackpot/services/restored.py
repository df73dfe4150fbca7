"""After a restore of a backup: what displays and guests saw since is not in these books, so every jackpot waits for people."""

import time

from jackpot.models import Jackpot
from jackpot.services.standing import requests_outdate
from jackpot.services.state import jackpot_held, log


def jackpots_restored() -> int:
    """Raise the incarnation of every jackpot and suspend it, until two people have reconciled the slips; give their number.

    Screens take a lower version only with a higher incarnation; it is that of no other restore of the same backup. To be
    called once after a restore, before anything serves.
    """
    ids = list(Jackpot.objects.exclude(phase="retired").order_by("pk").values_list("pk", flat=True))
    for jackpot_id in ids:
        jackpot = jackpot_held(jackpot_id=jackpot_id)
        jackpot.incarnation = max(jackpot.incarnation + 1, int(time.time()))
        if jackpot.phase != "suspended":
            jackpot.kept_phase, jackpot.phase = jackpot.phase, "suspended"
        jackpot.save(update_fields=["incarnation", "phase", "kept_phase"])
        log(jackpot, "jackpot.restored", after={"incarnation": jackpot.incarnation})
        requests_outdate(jackpot)  # who signed to go on had not reconciled anything
    return len(ids)
