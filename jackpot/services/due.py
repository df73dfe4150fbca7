"""What is due at a jackpot, done now: by a worker, or by the command's own thread where no worker
can be told.
"""

from uuid import UUID

from jackpot import hints
from jackpot.services import standstill
from jackpot.services.advance import jackpot_advance


def jackpot_steps_do(jackpot_id: UUID) -> bool:
    """Do every step of a jackpot that is due, outside a transaction; whether there was one. What it
    commits, only screens hear of: whoever advances looks whether more is due. That a step
    fails is recorded, so that the pit hears of it.
    """
    before = hints.advancing.set(jackpot_id)
    try:
        done = jackpot_advance(jackpot_id=jackpot_id)
    except Exception as error:
        standstill.stands(jackpot_id, error)
        raise
    else:
        standstill.moves(jackpot_id)
        return done
    finally:
        hints.advancing.reset(before)


hints.by_hand.append(jackpot_steps_do)
