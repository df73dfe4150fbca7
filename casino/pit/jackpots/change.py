"""What a request about a jackpot as a whole, or about a slip, changes: before and after, for who
signs it.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.text import floor
from casino.text.differences import NOTHING, Difference, money_difference
from jackpot.models import Award, Jackpot, Phase, RunningRound, Slip
from jackpot.selectors.jackpots import MeterReading, meters_read
from jackpot.services import standing
from jackpot.services.slips import CANCEL
from payouts.models import Account, Approval, House


def changes_of(
    requests: Sequence[Approval],
    jackpot: Jackpot,
    reading: MeterReading,
    tables: Mapping[UUID, str],
) -> dict[UUID, list[Difference]]:
    """By request what changes once it is signed.

    `reading`: the jackpot's meter; `tables`: names. A fixed number of statements however many
    requests there are.
    """
    changes: dict[UUID, list[Difference]] = {}
    for one in requests:
        if one.action == standing.SUSPEND:
            changes[one.pk] = _suspended(jackpot, tables)
        elif one.action == standing.RESUME:
            changes[one.pk] = [
                _phase(
                    jackpot,
                    Phase.SHOWING if jackpot.kept_phase == Phase.OPEN else jackpot.kept_phase,
                )
            ]
        elif one.action == standing.ADJUST:
            changes[one.pk] = _adjusted(jackpot, reading, one.payload)
        elif one.action == standing.RETIRE:
            changes[one.pk] = _retired(jackpot, reading, UUID(one.payload["to"]))
    return changes | _cancelled([one for one in requests if one.action == CANCEL], jackpot, reading)


def _suspended(jackpot: Jackpot, tables: Mapping[UUID, str]) -> list[Difference]:
    running = RunningRound.objects.filter(jackpot=jackpot, ended_at=None).values_list(
        "table_id", flat=True
    )
    names = ", ".join(sorted(tables.get(one, "") for one in running))
    return [
        _phase(jackpot, Phase.SUSPENDED),
        Difference(_("Rounds that run"), names or _("none"), _("go on to their end")),
    ]


def _phase(jackpot: Jackpot, after: str) -> Difference:
    before = floor.say(Phase, jackpot.phase)
    return Difference(_("State"), before, floor.say(Phase, after))


def _adjusted(
    jackpot: Jackpot, reading: MeterReading, payload: Mapping[str, Any]
) -> list[Difference]:
    """As it was looked at, and as it is signed: where the meter has moved since, the signature is
    refused.
    """
    house, amount_minor = jackpot.house, payload["amount_minor"]
    before, after = (
        payload.get("before_minor", reading.sum_minor),
        payload.get("after_minor"),
    )
    shown = (
        payload.get("shown_before_minor", reading.shown_minor),
        payload.get("shown_after_minor"),
    )
    whose = _("The house adds") if amount_minor > 0 else _("The house gets back")
    return [
        money_difference(_("In the meter"), before, after, house),
        money_difference(_("Shown and winnable"), *shown, house),
        money_difference(whose, None, abs(amount_minor), house),
    ]


def _retired(jackpot: Jackpot, reading: MeterReading, to: UUID) -> list[Difference]:
    """Five statements: the heir, its meter, both reserves."""
    heir = Jackpot.objects.select_related("epoch__funding").get(pk=to, house_id=jackpot.house_id)
    house, held = jackpot.house, meters_read([heir])[heir.pk].sum_minor
    reserves = _reserve(jackpot), _reserve(heir)
    names = {"name": heir.name}
    return [
        _phase(jackpot, Phase.RETIRED),
        money_difference(_("In the meter"), reading.sum_minor, 0, house),
        money_difference(_("Reserve"), reserves[0], 0, house),
        money_difference(_("Meter of %(name)s") % names, held, held + reading.sum_minor, house),
        money_difference(_("Reserve of %(name)s") % names, reserves[1], sum(reserves), house),
    ]


def _reserve(jackpot: Jackpot) -> int:
    """Its reserve with what this epoch's coins brought to it (minor units)."""
    accounts = Account.objects.filter(
        house_id=jackpot.house_id, kind__in=("reserve", "reserve_share")
    )
    own = accounts.filter(owner_id=jackpot.pk) | accounts.filter(detail_id=jackpot.epoch_id)
    return -sum(own.values_list("balance_minor", flat=True))


def _cancelled(
    requests: Sequence[Approval], jackpot: Jackpot, reading: MeterReading
) -> dict[UUID, list[Difference]]:
    if not requests:
        return {}
    slips = Slip.objects.select_related("award").in_bulk(
        [UUID(one.payload["slip"]) for one in requests]
    )
    to, held = _running(jackpot, reading)
    return {
        one.pk: _cancel(
            slips[UUID(one.payload["slip"])], one.payload["how"], jackpot.house, to, held
        )
        for one in requests
    }


def _running(jackpot: Jackpot, reading: MeterReading) -> tuple[Jackpot, int]:
    """The jackpot into whose meter a share goes back, and what that holds: of a retired one its
    heir.
    """
    to = jackpot
    while heir := standing.heir_of(to.pk) if to.phase == Phase.RETIRED else None:
        to = Jackpot.objects.select_related("epoch__funding").get(pk=heir)
    return to, reading.sum_minor if to.pk == jackpot.pk else meters_read([to])[to.pk].sum_minor


def _cancel(slip: Slip, how: str, house: House, to: Jackpot, meter_minor: int) -> list[Difference]:
    award = slip.award
    state = floor.say(Slip.State, slip.state)
    changes = [Difference(_("Slip"), state, floor.say(Slip.State, Slip.State.CANCELLED))]
    if award.kind == "share":
        meter = _("Meter of %(name)s") % {"name": to.name}
        changes.append(
            money_difference(meter, meter_minor, meter_minor + award.amount_minor, house)
        )
    elif award.kind == "prize":
        changes.append(
            Difference(_("Prize"), NOTHING, _("waits at its table until its round is corrected"))
        )
    else:
        changes += _late(award, how, house)
    if how == "receivable":
        changes.append(money_difference(_("To be asked back"), None, award.amount_minor, house))
    elif how == "loss" and award.kind != "late":
        changes.append(money_difference(_("The house loses"), None, award.amount_minor, house))
    return changes


def _late(award: Award, how: str, house: House) -> list[Difference]:
    """A late award was the house's cost: it has that back, unless it is lost."""
    if how == "loss":
        return [
            money_difference(_("Cost of the house"), award.amount_minor, award.amount_minor, house)
        ]
    return [money_difference(_("The house gets back"), None, award.amount_minor, house)]
