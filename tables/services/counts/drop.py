"""The drop box of a table is taken and counted twice, each blind; where the two counts differ, both
count it together (DRP-4, DRP-8).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID, uuid4

from payouts.db.constraints import refusing, require_transaction
from payouts.models import Count, CountEntry, CountLine, CountSignature, House
from payouts.rules.cash import cash_values
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.cage import CageRules
from payouts.selectors import house_now
from payouts.services import event_record, recipe_post
from tables.errors import (
    CountChanged,
    CountEntered,
    DropCounterDealt,
    DropCounterOther,
    DropCountRunning,
    SamePerson,
    SecondCounterSame,
)
from tables.models import BuyIn, TableSession
from tables.selectors.drops import TOGETHER, drop_differ
from tables.services.counts.back import box_follow
from tables.services.counts.boxes import box_count, boxed_croupiers
from tables.services.counts.differences import difference_open
from tables.services.counts.enter import read_pieces
from tables.services.counts.parts import CountedTable, check_running, count_locked
from tables.services.parts import table_locked


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCounted:
    """A count of a drop box after an entry. `differ`: the denominations of which the two have not
    counted as many, in minor units by rising value; how many, nobody hears. The figures are None
    until it is signed.
    """

    count: Count
    number: int
    differ: tuple[int, ...] = ()
    value_minor: int | None = None
    recorded_minor: int | None = None
    difference_minor: int | None = None


class _Sides(NamedTuple):
    """An entry with who signs it beside its counter."""

    entry: CountEntry
    witness_id: UUID


def drop_count_begin(*, house_id: UUID, table_id: UUID, actor_id: UUID) -> Count:
    """The drop box of a table, open or closed, is taken at this moment: what is entered from now on
    lies in the next one.

    Raises TableUnknown, DropCountRunning, DropCounterDealt.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    sessions = TableSession.objects.filter(pk__in=filter(None, [table.session_id]))
    day = sessions.values_list("gaming_day", flat=True).first()
    with refusing({"count_one_running": DropCountRunning()}):
        count = Count.objects.create(
            id=uuid4(),
            house_id=house_id,
            place_kind=Count.Place.DROP,
            place_id=table.pk,
            session_id=table.session_id,
            purpose=Count.Purpose.DROP,
            gaming_day=day or house_now(house_id=house_id).day,
            begun_by_id=actor_id,
        )
    count.refresh_from_db(fields=["begun_at", "taken_version"])
    _check_away(count, actor_id)
    after = {"table": str(table.pk), "purpose": count.purpose, "place": count.place_kind}
    after |= {"session": str(table.session_id)} if table.session_id else {}
    event_record("count.begun", count, actor_id=actor_id, after=after)
    return count


def drop_count_enter(
    *, house_id: UUID, count_id: UUID, lines: object, counter_id: UUID
) -> DropCounted:
    """Enter the pieces of each note and coin of the house's currency; the second person, who sees
    nothing of the first count, ends it where both are equal. Where they are not, one of the two
    enters what they count together. `lines`: as `count_enter` takes them.

    Raises CountUnknown, CountSigned, CountEntered, DropCounterDealt, SecondCounterSame,
    DropCounterOther, DenominationUnknown, PiecesWrong, CountIncomplete.
    """
    require_transaction()
    count, at = count_locked(house_id, count_id, Count.Place.DROP)
    check_running(count)
    counters = _counters(count)
    is_second = count.state == Count.State.ENTERED and at.entries == 1
    if count.state == Count.State.ENTERED and not is_second:
        raise CountEntered
    _check_away(count, counter_id)
    if is_second and counter_id in counters:
        raise SecondCounterSame
    if at.entries > 1 and counter_id not in counters:
        raise DropCounterOther
    currency = House.objects.values_list("currency", flat=True).get(pk=house_id)
    entry = _entered(count, at, read_pieces(lines, cash_values(currency)), counter_id)
    if not is_second:
        return DropCounted(count=count, number=entry.number)
    differ = drop_differ(count)
    sides = _Sides(entry, *counters)
    if not differ:
        return _sign(count, at, sides)
    _signature(count, sides, stands=False)
    _step(count, Count.State.AGAIN)
    after = {"table": str(at.table.pk), "number": entry.number, "denominations": list(differ)}
    event_record("count.differs", count, actor_id=counter_id, after=after)
    return DropCounted(count=count, number=entry.number, differ=differ)


def drop_count_witness(
    *, house_id: UUID, count_id: UUID, entry: int, ok: bool, witness_id: UUID
) -> DropCounted:
    """The other of the two signs what they counted together; where it is not `ok`, it is entered
    anew.

    Raises CountUnknown, CountSigned, CountChanged, SamePerson, DropCounterOther.
    """
    require_transaction()
    count, at = count_locked(house_id, count_id, Count.Place.DROP)
    check_running(count)
    newest = CountEntry.objects.filter(count=count).order_by("-number").first()
    is_waiting = count.state == Count.State.ENTERED and at.entries > TOGETHER
    if newest is None or not is_waiting or newest.number != entry:
        raise CountChanged
    if newest.counter_id == witness_id:
        raise SamePerson
    if witness_id not in _counters(count):
        raise DropCounterOther
    if ok:
        return _sign(count, at, _Sides(newest, witness_id))
    _step(count, Count.State.BEGUN)
    after = {"table": str(at.table.pk), "number": newest.number}
    event_record("count.refused", count, actor_id=witness_id, after=after)
    return DropCounted(count=count, number=newest.number)


def drop_count_give_up(*, house_id: UUID, count_id: UUID, actor_id: UUID) -> Count:
    """End a count without a signature: the box is counted with what comes after it. Raises
    CountUnknown, CountSigned.
    """
    require_transaction()
    count, at = count_locked(house_id, count_id, Count.Place.DROP)
    check_running(count)
    _step(count, Count.State.GIVEN_UP, actor_id)
    after = {"table": str(at.table.pk), "purpose": count.purpose}
    event_record("count.given_up", count, actor_id=actor_id, after=after)
    return count


def _check_away(count: Count, person_id: UUID) -> None:
    """Raises DropCounterDealt."""
    if person_id in boxed_croupiers(count):
        raise DropCounterDealt


def _counters(count: Count) -> list[UUID]:
    """Who made the first count, and who the second, as far as they were made."""
    first = CountEntry.objects.filter(count=count, number__lte=TOGETHER).order_by("number")
    return list(first.values_list("counter_id", flat=True))


def _entered(
    count: Count, at: CountedTable, pieces: Mapping[int, int], counter_id: UUID
) -> CountEntry:
    """What one has counted; the event says no figure, for the other counts blind."""
    entry = CountEntry.objects.create(
        house_id=count.house_id,
        count=count,
        number=at.entries + 1,
        counter_id=counter_id,
        value_minor=sum(value * number for value, number in pieces.items()),
    )
    CountLine.objects.bulk_create(
        CountLine(house_id=count.house_id, entry=entry, value_minor=value, pieces=number)
        for value, number in pieces.items()
    )
    if count.state != Count.State.ENTERED:
        _step(count, Count.State.ENTERED)
    after = {"table": str(at.table.pk), "number": entry.number}
    event_record("count.entered", count, actor_id=counter_id, after=after)
    return entry


def _sign(count: Count, at: CountedTable, sides: _Sides) -> DropCounted:
    """Both sign: the books and the cash in the cage are as it was counted."""
    signed = _signature(count, sides, stands=True)
    entry = sides.entry
    _step(count, Count.State.SIGNED, sides.witness_id)
    figures = {
        "value_minor": entry.value_minor,
        "recorded_minor": signed.recorded_minor,
        "difference_minor": signed.difference_minor,
    }
    after = {"table": str(at.table.pk), "number": entry.number, "counter": str(entry.counter_id)}
    event_record("count.signed", count, actor_id=sides.witness_id, after=after | figures)
    _book(count, signed, sides)
    difference_open(
        count, signed.difference_minor, at.rules() or CageRules(), actor_id=sides.witness_id
    )
    for row in _late(count, signed):
        box_follow(row, actor_id=sides.witness_id)
    return DropCounted(
        count=count,
        number=entry.number,
        value_minor=entry.value_minor,
        recorded_minor=signed.recorded_minor,
        difference_minor=signed.difference_minor,
    )


def _book(count: Count, signed: CountSignature, sides: _Sides) -> None:
    """An empty box that should be empty moves nothing."""
    if not signed.recorded_minor and not sides.entry.value_minor:
        return
    lines = recipes.drop_count(signed.recorded_minor, counted=sides.entry.value_minor)
    recipe_post(
        house_id=count.house_id,
        gaming_day=count.gaming_day,
        key=f"count:{count.pk}",
        kind="drop_count",
        lines=lines,
        owners={"house": count.house_id, "table": count.place_id},
        actor_id=sides.witness_id,
        subject_kind="count",
        subject_id=count.pk,
    )


def _late(count: Count, signed: CountSignature) -> list[BuyIn]:
    """Buy-ins that lie in the box by their tablet's time and came while it was counted."""
    came = BuyIn.objects.filter(
        session__table_id=count.place_id,
        queued_at__lt=count.begun_at,
        transfer__entries__account__kind=count.place_kind,
        transfer__entries__account_version__gt=signed.account_version,
    )
    return [row for row in came.order_by("at", "pk") if _is_here(row, count)]


def _is_here(row: BuyIn, count: Count) -> bool:
    box = box_count(row.pk)
    return box is not None and box.pk == count.pk


def _signature(count: Count, sides: _Sides, *, stands: bool) -> CountSignature:
    signed = CountSignature.objects.create(
        house_id=count.house_id,
        count=count,
        entry=sides.entry,
        counter_id=sides.entry.counter_id,
        witness_id=sides.witness_id,
        stands=stands,
    )
    signed.refresh_from_db()
    return signed


def _step(count: Count, state: str, person_id: UUID | None = None) -> None:
    count.state, count.ended_by_id = state, person_id
    count.save(update_fields=["state", "ended_by"])
    if person_id is not None:
        count.refresh_from_db(fields=["ended_at"])
