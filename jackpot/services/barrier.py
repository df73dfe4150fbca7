"""The barrier's lock: shared by everybody who plays at a linked table, alone for whoever changes
the phase.

Each is a statement of its own, in the outermost transaction: what is decided under the lock is read
by a later statement, whose snapshot is younger than the lock. In one statement, or inside a
savepoint that rolls back, a stake could slip past a freeze.
"""

from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.db.fast_calls import call

SHARE = "SELECT jackpot_share_v1($1::uuid)"


def jackpot_share(jackpot_id: UUID) -> None:
    """Hold the lock together with others until the transaction ends; waits while somebody has it
    alone.
    """
    require_transaction()
    call(SHARE, [jackpot_id])


def jackpot_exclude(jackpot_id: UUID) -> None:
    """Hold the lock alone until the transaction ends; waits for everybody who holds it."""
    require_transaction()
    call("SELECT jackpot_exclude_v1($1::uuid)", [jackpot_id])
