"""A count of a tray begins, and freezes it; or is given up (CNT-5, CNT-9)."""

from uuid import UUID, uuid4

from payouts.db.constraints import require_transaction
from payouts.models import Count
from payouts.models.count import RUNNING
from payouts.selectors import house_now
from payouts.services import event_record
from tables.errors import (
    CountNotYours,
    CountRunning,
    CountSigned,
    CroupierWrong,
    PurposeUnknown,
    RoundRunning,
    TableOpen,
    TableRetired,
)
from tables.models import Play, Round, Table, TableSession
from tables.services.counts.parts import CountedTable, count_locked
from tables.services.parts import session_of, table_locked
from tables.services.seats.between import check_no_hand


def count_begin(
    *,
    house_id: UUID,
    table_id: UUID,
    purpose: str,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> Count:
    """A tray is counted from now on, and nothing moves it until the count is signed or given up. An
    opener is counted at a closed table, all else within its session, between two rounds or hands.

    `croupier_id`: who must have an open table for this; None asks nobody (the pit). Raises
    TableUnknown, PurposeUnknown, TableClosed, TableOpen, TableRetired, CroupierWrong, RoundRunning,
    HandRuns, CountRunning, NoChipSet, PostedMissing.
    """
    require_transaction()
    if purpose not in Count.Purpose.values:
        raise PurposeUnknown(purpose=str(purpose)[:20])
    table = table_locked(house_id, table_id, any_jackpot=True)
    session = _session_counted(table, purpose, croupier_id)
    day = session.gaming_day if session else house_now(house_id=house_id).day
    CountedTable(table, day, session.versions if session else None).chips()
    _check_free(table, session)
    count = Count.objects.create(
        id=uuid4(),
        house_id=house_id,
        place_kind=Count.Place.TRAY,
        place_id=table.pk,
        session_id=session.pk if session else None,
        purpose=purpose,
        gaming_day=day,
        begun_by_id=actor_id,
    )
    if session is not None:
        session.counting = count
        session.save(update_fields=["counting"])
    after = {"table": str(table.pk), "purpose": purpose}
    after |= {"session": str(session.pk)} if session else {}
    event_record("count.begun", count, actor_id=actor_id, after=after)
    return count


def _session_counted(table: Table, purpose: str, croupier_id: UUID | None) -> TableSession | None:
    """Raises TableClosed, TableOpen, TableRetired, CroupierWrong, RoundRunning, HandRuns."""
    if purpose == Count.Purpose.OPENER:
        if table.session_id is not None:
            raise TableOpen
        if table.retired:
            raise TableRetired(place=table.name)
        return None
    session = session_of(table)
    if croupier_id is not None and session.croupier_id != croupier_id:
        raise CroupierWrong
    if Play.objects.filter(table=table, state=Round.State.LOCKED).exists():
        raise RoundRunning
    check_no_hand(session)
    return session


def _check_free(table: Table, session: TableSession | None) -> None:
    """Raises CountRunning."""
    trays = Count.objects.filter(place_id=table.pk, place_kind=Count.Place.TRAY)
    counts = trays.filter(state__in=RUNNING)
    if (session is not None and session.counting_id is not None) or counts.exists():
        raise CountRunning


def count_give_up(
    *, house_id: UUID, count_id: UUID, actor_id: UUID, croupier_id: UUID | None = None
) -> Count:
    """End a count without a signature, by who began it or the pit (`croupier_id` is None): the
    table plays on. A closer that is signed stands as a count between, until the table closes.

    Raises CountUnknown, CountNotYours, CountSigned.
    """
    require_transaction()
    count, at = count_locked(house_id, count_id)
    if croupier_id is not None and croupier_id != count.begun_by_id:
        raise CountNotYours
    freed = TableSession.objects.filter(table=at.table, counting=count, closed_at=None)
    if count.state in RUNNING:
        freed.update(counting=None)
        count.state, count.ended_by_id = Count.State.GIVEN_UP, actor_id
        count.save(update_fields=["state", "ended_by"])
        count.refresh_from_db(fields=["ended_at"])
    elif not freed.update(counting=None):
        raise CountSigned
    after = {"table": str(at.table.pk), "purpose": count.purpose}
    event_record("count.given_up", count, actor_id=actor_id, after=after)
    return count
