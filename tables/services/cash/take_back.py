"""A buy-in or a tip that was entered by mistake is taken back, once (DRP-1)."""

from uuid import UUID

from payouts.db.constraints import refusing, require_transaction
from payouts.rules.plain import check_text
from payouts.selectors import house_now
from payouts.services import event_record, transfer_reverse
from tables.errors import CashAtSeat, CashTakenBack, CashUnknown
from tables.models import BuyIn, EntryReversal, Tip
from tables.services.cash.kinds import BUY_IN, TIP, CashKind, entered, undo_s
from tables.services.counts.back import Came, session_follow
from tables.services.counts.boxes import check_box_uncounted
from tables.services.floor.frozen import check_uncounted
from tables.services.parts import table_locked

MISTAKE = "taken back"


def buyin_take_back(
    *, house_id: UUID, buyin_id: UUID, actor_id: UUID, supervisor: bool = False, reason: str = ""
) -> EntryReversal:
    """Take a buy-in back: its croupier within `undo_s`, else a pit boss (`supervisor`) with a
    reason.

    Raises CashUnknown, CashAtSeat, CashTakenBack, TableBeingCounted, BoxCounted, TextRefused,
    BuyInTakeBackOver.
    """
    return _take_back(BUY_IN, house_id, buyin_id, actor_id, reason=reason, supervisor=supervisor)


def tip_take_back(
    *, house_id: UUID, tip_id: UUID, actor_id: UUID, supervisor: bool = False, reason: str = ""
) -> EntryReversal:
    """As `buyin_take_back`. Raises TipTakeBackOver."""
    return _take_back(TIP, house_id, tip_id, actor_id, reason=reason, supervisor=supervisor)


def _take_back(
    kind: CashKind,
    house_id: UUID,
    entry_id: UUID,
    actor_id: UUID,
    *,
    supervisor: bool,
    reason: str,
) -> EntryReversal:
    require_transaction()
    rows = kind.model.objects.filter(pk=entry_id, house_id=house_id)
    table_id = rows.values_list("session__table_id", flat=True).first()
    if table_id is None:
        raise CashUnknown
    table_locked(house_id, table_id, any_jackpot=True)
    row = entered(kind, entry_id)
    if row is None:
        raise CashUnknown
    if row.stay_chips_id is not None:
        raise CashAtSeat
    if hasattr(row, "taken_back"):
        raise CashTakenBack
    check_uncounted(row.session)
    if kind is BUY_IN:
        check_box_uncounted(row.pk)
    if supervisor and reason:
        check_text(reason, "reason", least=3, most=500)
    else:
        _check_alone(kind, row, actor_id)
    transfer_id = transfer_reverse(
        house_id=house_id,
        transfer_id=row.transfer_id,
        gaming_day=row.session.gaming_day,
        reason=reason or MISTAKE,
        actor_id=actor_id,
    )
    with refusing({f"tables_entryreversal_{kind.column}_id_key": CashTakenBack()}):
        back = EntryReversal.objects.create(
            house_id=house_id,
            by_id=actor_id,
            reason=reason,
            transfer_id=transfer_id,
            **{kind.column: row},
        )
    session_follow(row.session, Came(kind.name, row.pk), actor_id=actor_id)
    after = {"amount_minor": row.amount_minor, "session": str(row.session_id)}
    event_record(f"{kind.name}.taken_back", row, actor_id=actor_id, after=after, reason=reason)
    return back


def _check_alone(kind: CashKind, row: BuyIn | Tip, actor_id: UUID) -> None:
    """Raises BuyInTakeBackOver, TipTakeBackOver."""
    seconds = undo_s(row.session)
    passed = house_now(house_id=row.house_id).moment - row.at
    if row.croupier_id != actor_id or abs(passed.total_seconds()) > seconds:
        raise kind.over(seconds=seconds)
