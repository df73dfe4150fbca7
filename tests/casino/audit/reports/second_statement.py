"""The rows of the jackpot statement a second time: from contributions, splits, awards and slips, not from the ledger."""

from typing import Any
from uuid import UUID

from jackpot.models import Award, Contribution, Epoch, EpochEnd, Jackpot, Slip, Split
from payouts.models import Event, PostedTable
from tests.casino.audit.reports.second import Books


def statement(books: Books) -> list[list[Any]]:
    jackpots = {one.pk: one.name for one in Jackpot.objects.all()}
    ends = {one.epoch_id: one for one in EpochEnd.objects.all()}
    rows = []
    for epoch in sorted(Epoch.objects.all(), key=lambda one: (jackpots[one.jackpot_id], one.jackpot_id, one.number)):
        end = ends.get(epoch.pk)
        saved: dict[str, int] = {}
        parts = {"": [epoch.seed_minor + epoch.remainder_minor, 0, _put_back(epoch, end)]}
        for table_id in sorted(
            {one.table_id for one in Contribution.objects.filter(epoch=epoch)}, key=books.tables.get
        ):
            parts[books.tables[table_id]] = [0, *_fed(epoch, table_id)]
            saved[books.tables[table_id]] = sum(
                one.reserve_minor for one in Contribution.objects.filter(epoch=epoch, table_id=table_id)
            )
        days, level = [], 0
        for table, (start, fed, corrected) in parts.items():
            held = start + fed + corrected
            level += held
            days.append([start, fed, corrected, 0, level, -held if end else 0, 0 if end else held])
            nothing = [None] * 5
            where = [jackpots[epoch.jackpot_id], epoch.number, "day", books.only, table]
            rows.append([*where, *days[-1], *nothing, saved.get(table, 0)])
        whole = [sum(column) for column in zip(*days, strict=True)]
        whole[4] = level
        cap = PostedTable.objects.get(pk=epoch.funding_id).data["cap_minor"]
        shown = min(whole[-1], cap) if cap is not None else whole[-1]
        rows.append([jackpots[epoch.jackpot_id], epoch.number, "epoch", None, "", *whole, shown, whole[-1] - shown, 0])
        rows[-1] += [*_handed_out(end), sum(saved.values())]
    return rows


def _fed(epoch: Epoch, table_id: UUID) -> list[int]:
    """What a table's coins added, and what was taken back of it."""
    fed = list(Contribution.objects.filter(epoch=epoch, table_id=table_id))
    return [sum(one.meter_minor for one in fed if (one.reverses_id is None) is first) for first in (True, False)]


def _put_back(epoch: Epoch, end: EpochEnd | None) -> int:
    """What came to the base while the epoch lived: awards that were taken back, and faults that were put right."""

    def lived(moment: Any) -> bool:
        return moment is not None and epoch.opened_at <= moment and (end is None or moment < end.at)

    back = [one.award.amount_minor for one in Slip.objects.filter(award__kind="share") if lived(one.cancelled_at)]
    right = [one.after["amount_minor"] for one in Event.objects.filter(name="jackpot.adjusted") if lived(one.at)]
    return sum(back) + sum(right)


def _handed_out(end: EpochEnd | None) -> list[int | None]:
    """What its winners were awarded, and what of its last split went on to the next epoch."""
    if end is None:
        return [None, None]
    split = max(Split.objects.filter(hit_id=end.hit_id), key=lambda one: one.revision)
    awarded = sum(one.amount_minor for one in Award.objects.filter(hit_id=end.hit_id, kind="share"))
    return [awarded, split.sum_minor - awarded]
