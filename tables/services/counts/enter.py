"""What was counted is entered, by pieces (CNT-1)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.models import Count, CountEntry, CountLine
from payouts.models.count import PIECES_MOST
from payouts.rules.rulesets.chips import ChipSet
from payouts.rules.rulesets.schema import sent
from payouts.services import event_record
from tables.errors import (
    CountEntered,
    CountIncomplete,
    CountNotYours,
    DenominationUnknown,
    PiecesWrong,
)
from tables.models import TableSession
from tables.services.counts.parts import check_running, count_locked


def count_enter(*, house_id: UUID, count_id: UUID, lines: object, counter_id: UUID) -> CountEntry:
    """Enter the pieces of each denomination of the table's chips, by who has the table or has begun
    the count; before its opening, by whoever deals. `lines`: objects with `value_minor` and
    `pieces`, in any order.

    Raises CountUnknown, CountSigned, CountEntered, CountNotYours, NoChipSet, PostedMissing,
    DenominationUnknown, PiecesWrong, CountIncomplete.
    """
    require_transaction()
    count, at = count_locked(house_id, count_id)
    check_running(count)
    if count.state == Count.State.ENTERED:
        raise CountEntered
    _check_counter(count, counter_id)
    version, chips = at.chips()
    pieces = read_lines(lines, chips)
    entry = CountEntry.objects.create(
        house_id=house_id,
        count=count,
        number=at.entries + 1,
        counter_id=counter_id,
        posted_id=UUID(version),
        value_minor=sum(value * number for value, number in pieces.items()),
    )
    CountLine.objects.bulk_create(
        CountLine(house_id=house_id, entry=entry, value_minor=value, pieces=number)
        for value, number in pieces.items()
    )
    count.state = Count.State.ENTERED
    count.save(update_fields=["state"])
    # no figure: the log is read by people who may count it anew (CNT-6)
    after = {"table": str(at.table.pk), "number": entry.number}
    event_record("count.entered", count, actor_id=counter_id, after=after)
    return entry


def _check_counter(count: Count, counter_id: UUID) -> None:
    """Raises CountNotYours."""
    if count.session_id is None or counter_id == count.begun_by_id:
        return
    if not TableSession.objects.filter(pk=count.session_id, croupier=counter_id).exists():
        raise CountNotYours


def read_lines(raw: object, chips: ChipSet) -> Mapping[int, int]:
    """By rising value of the chips, how many pieces there are. Raises DenominationUnknown,
    PiecesWrong, CountIncomplete.
    """
    return read_pieces(raw, chips.values())


def read_pieces(raw: object, values: Sequence[int]) -> Mapping[int, int]:
    """As `read_lines`, of any denominations by rising value."""
    counted: dict[int, int] = {}
    for line in raw if isinstance(raw, list) else [raw]:
        if not isinstance(line, dict) or {*line} != {"value_minor", "pieces"}:
            raise DenominationUnknown(value=sent(line))
        value, pieces = line["value_minor"], line["pieces"]
        if type(value) is not int or value not in values or value in counted:
            raise DenominationUnknown(value=sent(value))
        if type(pieces) is not int or not 0 <= pieces <= PIECES_MOST:
            raise PiecesWrong(value_minor=value, pieces=sent(pieces), most=PIECES_MOST)
        counted[value] = pieces
    if missing := len(values) - len(counted):
        raise CountIncomplete(missing=missing)
    return {value: counted[value] for value in values}
