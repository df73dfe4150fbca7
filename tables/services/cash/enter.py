"""A buy-in or a tip is entered at the tablet as it falls (DRP-1, TRN-2)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.services import event_record, recipe_post
from tables.errors import BoxOutside, CashAtSeat, CashIdUsed, CroupierWrong, TableClosed
from tables.games import game_of
from tables.models import BuyIn, HandOver, Table, TableSession, Tip
from tables.services.cash.kinds import BUY_IN, TIP, CashKind, check_amount, entered
from tables.services.counts.back import Came, box_follow, session_follow
from tables.services.floor.frozen import check_uncounted
from tables.services.parts import session_of, table_locked


@dataclass(frozen=True, slots=True, kw_only=True)
class CashEntry:
    """What was entered at a table, and by whom. `queued_at`: when, as its tablet says, where it
    comes later.
    """

    house_id: UUID
    table_id: UUID
    session_id: UUID | None
    entry_id: UUID
    amount_minor: int
    queued_at: datetime | None
    actor_id: UUID
    supervisor: bool


def buyin_enter(
    *,
    house_id: UUID,
    table_id: UUID,
    buyin_id: UUID,
    amount_minor: int,
    actor_id: UUID,
    session_id: UUID | None = None,
    box: int | None = None,
    queued_at: datetime | None = None,
    supervisor: bool = False,
) -> BuyIn:
    """A guest buys chips for cash, under the id that the client made for it; the same again gives
    the first.

    `session_id`: in which it was entered, None for the one that runs; one that was queued may be
    of a session that has closed, by who had the table in it. `supervisor`: a pit boss acts for the
    croupier. Raises TableUnknown, TableClosed, CroupierWrong, TableBeingCounted, CashAtSeat,
    CashIdUsed, BoxOutside, BuyInAmountWrong.
    """
    entry = CashEntry(
        house_id=house_id,
        table_id=table_id,
        session_id=session_id,
        entry_id=buyin_id,
        amount_minor=amount_minor,
        queued_at=queued_at,
        actor_id=actor_id,
        supervisor=supervisor,
    )
    row = _enter(BUY_IN, entry, box=box)
    if not isinstance(row, BuyIn):
        raise TypeError("another kind than it is entered as")
    return row


def tip_enter(
    *,
    house_id: UUID,
    table_id: UUID,
    tip_id: UUID,
    amount_minor: int,
    actor_id: UUID,
    session_id: UUID | None = None,
    queued_at: datetime | None = None,
    supervisor: bool = False,
) -> Tip:
    """A guest gives chips to the staff (HSE-3); else as `buyin_enter`. Raises TipAmountWrong."""
    entry = CashEntry(
        house_id=house_id,
        table_id=table_id,
        session_id=session_id,
        entry_id=tip_id,
        amount_minor=amount_minor,
        queued_at=queued_at,
        actor_id=actor_id,
        supervisor=supervisor,
    )
    row = _enter(TIP, entry)
    if not isinstance(row, Tip):
        raise TypeError("another kind than it is entered as")
    return row


def _enter(kind: CashKind, entry: CashEntry, box: int | None = None) -> BuyIn | Tip:
    require_transaction()
    table = table_locked(entry.house_id, entry.table_id, any_jackpot=True)
    if (known := entered(kind, entry.entry_id)) is not None:
        return _same(known, entry)
    session = _session(table, entry)
    _check_duty(session, entry)
    check_uncounted(session)
    amount_minor = check_amount(kind, session, entry.amount_minor)
    _check_box(table, box)
    transfer_id = recipe_post(
        house_id=entry.house_id,
        gaming_day=session.gaming_day,
        key=f"{kind.name}:{entry.entry_id}",
        kind=kind.posting,
        lines=kind.recipe(amount_minor),
        owners={"house": entry.house_id, "table": table.pk},
        actor_id=entry.actor_id,
        subject_kind=kind.name,
        subject_id=entry.entry_id,
    )
    row = kind.model.objects.create(
        id=entry.entry_id,
        house_id=entry.house_id,
        session=session,
        croupier_id=entry.actor_id if entry.queued_at else session.croupier_id,
        amount_minor=amount_minor,
        transfer_id=transfer_id,
        queued_at=entry.queued_at,
        **({} if box is None else {"box": box}),
    )
    after = {"table": str(table.pk), "session": str(session.pk), "amount_minor": amount_minor}
    after |= {"box": box} if box is not None else {}
    after |= {"queued_at": entry.queued_at.isoformat()} if entry.queued_at else {}
    session_follow(session, Came(kind.name, entry.entry_id), actor_id=entry.actor_id)
    if isinstance(row, BuyIn) and entry.queued_at is not None:
        box_follow(row, actor_id=entry.actor_id)
    event_record(f"{kind.name}.entered", row, actor_id=entry.actor_id, after=after)
    return row


def _same(known: BuyIn | Tip, entry: CashEntry) -> BuyIn | Tip:
    booked = (known.house_id, known.session.table_id, known.amount_minor)
    if booked != (entry.house_id, entry.table_id, entry.amount_minor):
        raise CashIdUsed
    return known


def _session(table: Table, entry: CashEntry) -> TableSession:
    """The session in which it was entered. Raises CashAtSeat, TableClosed."""
    if game_of(table.game).stacks:
        raise CashAtSeat
    if entry.session_id in (None, table.session_id):
        return session_of(table)
    sessions = TableSession.objects.filter(pk=entry.session_id, table=table)
    session = sessions.first() if entry.queued_at else None
    if session is None:
        raise TableClosed
    return session


def _check_duty(session: TableSession, entry: CashEntry) -> None:
    """Raise CroupierWrong unless the person has the table, or had it where this was queued."""
    if entry.supervisor or session.croupier_id == entry.actor_id:
        return
    had = HandOver.objects.filter(session=session, from_croupier_id=entry.actor_id)
    if entry.queued_at is None or not had.exists():
        raise CroupierWrong


def _check_box(table: Table, box: int | None) -> None:
    if box is not None and not 1 <= box <= table.boxes:
        raise BoxOutside(layout=table.boxes, box=box)
