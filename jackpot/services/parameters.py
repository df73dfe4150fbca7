"""A jackpot's parameters; the accounts of a linked table."""

from uuid import UUID

from jackpot.errors import JackpotNotOpen, JackpotUnknown, OfflineUnknown, RoundsRunning
from jackpot.models import Jackpot, Phase, RunningRound
from jackpot.services.barrier import jackpot_exclude
from payouts.db.constraints import require_transaction
from payouts.services import AccountKey, accounts_open, event_record

# accounts of a linked table in an epoch
EPOCH_KINDS = ("sub_meter", "reserve_share", "meter_prizes")


def jackpot_parameters_set(
    *, house_id: UUID, jackpot_id: UUID, offline_linked: str, actor_id: UUID | None = None
) -> Jackpot:
    """Say what linked tables do without the server. Refused while a round is locked or the jackpot
    is not open.

    Raises JackpotUnknown, OfflineUnknown, JackpotNotOpen, RoundsRunning.
    """
    require_transaction()
    check_offline(offline_linked)
    own = Jackpot.objects.filter(pk=jackpot_id, house_id=house_id)
    if not own.exists():  # before its lock: nobody holds up another house's tables
        raise JackpotUnknown
    jackpot_exclude(jackpot_id)
    jackpot = own.get()
    if jackpot.phase != Phase.OPEN:
        raise JackpotNotOpen
    if RunningRound.objects.filter(jackpot=jackpot, ended_at=None).exists():
        raise RoundsRunning
    before = parameters(jackpot)
    jackpot.offline_linked = offline_linked
    jackpot.save(update_fields=["offline_linked"])
    event_record(
        "jackpot.parameters_set",
        jackpot,
        actor_id=actor_id,
        before=before,
        after=parameters(jackpot),
    )
    return jackpot


def epoch_accounts_open(*, house_id: UUID, table_id: UUID, epoch_id: UUID) -> None:
    """Open a linked table's accounts of an epoch: its part of the meter and of the reserve."""
    kinds = EPOCH_KINDS
    accounts_open(house_id=house_id, keys=[AccountKey(kind, table_id, epoch_id) for kind in kinds])


def check_offline(offline_linked: str) -> None:
    """Raise OfflineUnknown for what a table cannot do."""
    if offline_linked not in Jackpot.OFFLINE:
        raise OfflineUnknown(offline=str(offline_linked)[:40])


def parameters(jackpot: Jackpot) -> dict[str, object]:
    """What the log keeps of them."""
    return {
        "name": jackpot.name,
        "progressive": jackpot.progressive,
        "funding": jackpot.funding,
        "rules": jackpot.rules,
        "offline_linked": jackpot.offline_linked,
    }
