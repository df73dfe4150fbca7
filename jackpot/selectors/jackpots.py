"""Reads of the jackpot."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Sum

from jackpot.models import Epoch, Jackpot
from jackpot.rules.meter import meter
from payouts.models import Account
from payouts.rules.ledger.chart import METER
from payouts.rules.rulesets.funding import FundingSchedule

_SUM = f"""
    SELECT -coalesce(sum(balance_minor), 0), coalesce(sum(version), 0) FROM payouts_account
    WHERE house_id = %s AND detail_id = %s AND kind IN {METER}
"""
# The server that people last said these books lie on, and the one that they do lie on.
SERVERS = """
    SELECT i.system_identifier, i.timeline, s.system_identifier, s.timeline FROM server_v1() s LEFT
        JOIN LATERAL (
        SELECT system_identifier, timeline FROM jackpot_incarnation ORDER BY id DESC LIMIT 1
    ) i ON true
"""


class Server(NamedTuple):
    """A cluster of PostgreSQL, which copies of its files stay, and its timeline, which each
    recovery from a backup raises.
    """

    system_identifier: int
    timeline: int

    def succeeds(self, known: "Server") -> bool:
        """Whether it can be a standby of that server that has taken over; a restored copy looks the
        same.
        """
        return self.system_identifier == known.system_identifier and self.timeline > known.timeline


def servers() -> tuple[Server, Server]:
    """The server that is known, and the one that answers."""
    with connection.cursor() as cursor:
        cursor.execute(SERVERS)
        return row_servers(cursor.fetchone())


def row_servers(row: Sequence[int]) -> tuple[Server, Server]:
    """What SERVERS gives."""
    return Server(*row[:2]), Server(*row[2:])


@dataclass(frozen=True, slots=True)
class MeterReading:
    """What a meter holds in its running epoch, and what of it is shown and can be won (minor
    units).

    `version` moves with the amount alone, and never backwards.
    """

    epoch_number: int
    sum_minor: int
    shown_minor: int
    version: int


def meter_read(*, jackpot_id: UUID) -> MeterReading:
    """The meter of a jackpot: seed, remainder and all sub-meters. The jackpot must exist."""
    jackpot = Jackpot.objects.select_related("epoch", "epoch__funding").get(pk=jackpot_id)
    epoch = jackpot.epoch
    if epoch is None:
        raise RuntimeError("a jackpot without an epoch")
    with connection.cursor() as cursor:
        cursor.execute(_SUM, [jackpot.house_id, epoch.pk])
        total, versions = map(int, cursor.fetchone())
    return _reading(jackpot, epoch, total, versions)


def meters_read(jackpots: Sequence[Jackpot]) -> dict[UUID, MeterReading]:
    """By jackpot the meters of several, in one statement; their `epoch__funding` was selected with
    them.
    """
    of = {jackpot.pk: jackpot for jackpot in jackpots}
    epochs = {jackpot.pk: jackpot.epoch for jackpot in jackpots}
    held = Account.objects.filter(
        house_id__in={jackpot.house_id for jackpot in jackpots},
        detail_id__in=[epoch.pk for epoch in epochs.values() if epoch],
        kind__in=METER,
    )
    sums = {
        epoch_id: (int(total), int(versions))
        for epoch_id, total, versions in held.values_list("detail_id").annotate(
            total=-Sum("balance_minor"), versions=Sum("version")
        )
    }
    readings = {}
    for jackpot_id, epoch in epochs.items():
        if epoch is None:
            raise RuntimeError("a jackpot without an epoch")
        readings[jackpot_id] = _reading(of[jackpot_id], epoch, *sums.get(epoch.pk, (0, 0)))
    return readings


def _reading(jackpot: Jackpot, epoch: Epoch, total: int, versions: int) -> MeterReading:
    # Where the meter pays prizes it may, for a moment of bad luck, owe more than it holds: then it
    # shows nothing.
    shown = meter(FundingSchedule.from_data(epoch.funding.data), max(total, 0)).shown_minor
    return MeterReading(epoch.number, total, shown, jackpot.version_base + versions)
