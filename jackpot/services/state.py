"""What every step of a jackpot stands on: its row under the exclusive lock, its phase, its meter,
and the log.
"""

from typing import Any
from uuid import UUID

from jackpot.errors import JackpotUnknown
from jackpot.models import Jackpot, Phase
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.services.barrier import jackpot_exclude
from payouts.services import event_record

RELATED = ("epoch__progressive", "epoch__funding", "epoch__rules", "hit", "gate")


def jackpot_lock(*, jackpot_id: UUID, house_id: UUID | None = None) -> Jackpot:
    """The jackpot as it is under its exclusive lock, held until the transaction ends. Raises
    JackpotUnknown.

    `house_id` is asked before the lock: nobody holds up another house's tables.
    """
    own = Jackpot.objects.filter(pk=jackpot_id)
    if not (own if house_id is None else own.filter(house_id=house_id)).exists():
        raise JackpotUnknown
    jackpot_exclude(jackpot_id)
    return jackpot_read(jackpot_id)


def jackpot_read(jackpot_id: UUID) -> Jackpot:
    """The jackpot with all that a step needs; its lock is the caller's."""
    return Jackpot.objects.select_related(*RELATED).get(pk=jackpot_id)


def phase_of(jackpot: Jackpot) -> str:
    """The phase that counts inside: that of a suspended jackpot goes on (`jackpot_v2.sql`, Note
    [Suspended]).
    """
    return jackpot.kept_phase or jackpot.phase


def rules_of(jackpot: Jackpot) -> JackpotRules:
    """What is posted about hits in the running epoch; the rules' own defaults where nothing is."""
    epoch = jackpot.epoch
    return (
        JackpotRules()
        if epoch is None or epoch.rules is None
        else JackpotRules.from_data(epoch.rules.data)
    )


def enter(jackpot: Jackpot, phase: str, *, actor_id: UUID | None = None, **after: Any) -> None:
    """Take a step: save the phase (inside a suspension the kept one) with whatever else was set on
    the jackpot, and log it.
    """
    before = phase_of(jackpot)
    if jackpot.phase == Phase.SUSPENDED:
        jackpot.kept_phase = phase
    else:
        jackpot.phase = phase
    jackpot.save(update_fields=["phase", "kept_phase", "epoch", "hit", "gate", "version_base"])
    log(
        jackpot,
        f"jackpot.{phase}",
        actor_id=actor_id,
        before={"phase": before},
        after=after or None,
    )


def log(
    jackpot: Jackpot,
    name: str,
    *,
    actor_id: UUID | None = None,
    before: object = None,
    after: object = None,
    reason: str = "",
) -> None:
    """One event about the jackpot."""
    event_record(name, jackpot, actor_id=actor_id, before=before, after=after, reason=reason)
