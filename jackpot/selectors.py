"""Reads of the jackpot."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from jackpot.models import Jackpot
from jackpot.rules.meter import meter
from payouts.rules.funding import FundingSchedule

_SUM = """
    SELECT -coalesce(sum(balance_minor), 0) FROM payouts_account
    WHERE house_id = %s AND detail_id = %s AND kind IN ('meter_base', 'sub_meter')
"""


@dataclass(frozen=True, slots=True)
class MeterReading:
    """What a meter holds in its running epoch, and what of it is shown and can be won (minor units)."""

    epoch_number: int
    sum_minor: int
    shown_minor: int


def meter_read(*, jackpot_id: UUID) -> MeterReading:
    """The meter of a jackpot: seed, remainder and all sub-meters. The jackpot must exist."""
    jackpot = Jackpot.objects.select_related("epoch", "epoch__funding").get(pk=jackpot_id)
    epoch = jackpot.epoch
    if epoch is None:
        raise RuntimeError("a jackpot without an epoch")
    with connection.cursor() as cursor:
        cursor.execute(_SUM, [jackpot.house_id, epoch.pk])
        total = int(cursor.fetchone()[0])
    shown = meter(FundingSchedule.from_data(epoch.funding.data), total).shown_minor
    return MeterReading(epoch.number, total, shown)
