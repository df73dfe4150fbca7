"""Guests at the seats of poker tables as they are shown: what they bought, what they owe for time
(POK-2, RAK-2).
"""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum

from payouts.models import Account, Event, PostedTable
from payouts.rules.rulesets.rake import HALF_HOUR, ChargeDue, TimeCharge, time_charge
from payouts.selectors import house_now
from tables.models import Hand, PokerStay, StackCount, StayChips, TableSession

NOTHING = ChargeDue(0, 0)
BROUGHT = (StayChips.Kind.BUY_IN, StayChips.Kind.TOP_UP, StayChips.Kind.MOVED_IN)


class StayTime(NamedTuple):
    """Half hours that a guest owes now, and until when the others are paid."""

    half_hours: int
    amount_minor: int
    paid_until: datetime


class StayNow(NamedTuple):
    """A guest at a seat. `bought_minor`: buy-in, top-ups and chips from another table;
    `stack_minor`: what is booked before them, which is all of it where hands are booked; `time`:
    None where time is free, or the guest has left.
    """

    id: UUID
    number: int
    seat: int | None
    state: str
    began_at: datetime
    away_since: datetime | None
    bought_minor: int
    stack_minor: int
    time: StayTime | None


def stays_at(*, session_id: UUID) -> QuerySet[PokerStay]:
    """Who sits at a table now."""
    return PokerStay.objects.filter(guest__session_id=session_id, left_at=None)


def in_play_minor(table_id: UUID) -> int:
    """What lies on a poker table and is booked before nobody, less than nothing where stacks have
    more than came (minor units).
    """
    balances = Account.objects.filter(kind="in_play", owner_id=table_id)
    return -(balances.values_list("balance_minor", flat=True).first() or 0)


def stacks_known(session: TableSession) -> bool:
    """Whether what lies before the guests of a session is what the books have: nobody sits there,
    or all of it was counted and no hand, tip or fee has moved chips since.
    """
    if not stays_at(session_id=session.pk).exists():
        return True
    count = StackCount.objects.filter(session=session).order_by("-pk").first()
    if count is None or count.missing_minor != in_play_minor(session.table_id):
        return False
    return not Hand.objects.filter(session=session, number__gt=count.last_hand).exists()


def level_stood(session: TableSession, level: str) -> bool:
    """Whether hands of a session were entered at this level at some time."""
    levels = Event.objects.filter(
        name__in=("table.opened", "table.entry_level_set"),
        subject_kind="table",
        subject_id=str(session.table_id),
        after__session=str(session.pk),
        after__entry_level=level,
    )
    return levels.exists()


def stays_shown(
    stays: QuerySet[PokerStay], *, house_id: UUID, charge: TimeCharge | None
) -> list[StayNow]:
    """These stays by seat, at tables with this charge (None: time is free). Two statements at most,
    however many there are.
    """
    rows = stays.select_related("guest").annotate(
        bought=Sum("chips__amount_minor", filter=Q(chips__kind__in=BROUGHT), default=0),
        paid=Sum("chips__half_hours", default=0),
        stack=Subquery(
            Account.objects.filter(
                house_id=house_id,
                kind="stack",
                owner_id=OuterRef("guest__session__table_id"),
                detail_id=OuterRef("pk"),
            ).values("balance_minor")
        ),
    )
    sitting = list(rows.order_by("guest__box", "guest__number"))
    moment = house_now(house_id=house_id).moment if sitting and charge else None
    return [
        StayNow(
            id=stay.pk,
            number=stay.guest.number,
            seat=stay.guest.box,
            state=stay.state,
            began_at=stay.began_at,
            away_since=stay.away_since,
            bought_minor=int(stay.bought),
            stack_minor=-(stay.stack or 0),
            time=_time(stay, charge, moment),
        )
        for stay in sitting
    ]


def time_unpaid(*, house_id: UUID) -> dict[UUID, int]:
    """By session what guests owe for time now, together (minor units), at tables with a charge.
    Three statements at most, however many tables there are.
    """
    stays = PokerStay.objects.filter(
        house_id=house_id, left_at=None, guest__session__versions__has_key="time_charge"
    )
    sitting = list(
        stays.select_related("guest__session").annotate(paid=Sum("chips__half_hours", default=0))
    )
    moment = house_now(house_id=house_id).moment if sitting else None
    versions = {stay.guest.session.versions["time_charge"] for stay in sitting}
    rows = PostedTable.objects.filter(pk__in=versions) if versions else ()
    charges = {str(row.pk): TimeCharge.from_data(row.data) for row in rows}
    unpaid: dict[UUID, int] = {}
    for stay in sitting:
        session = stay.guest.session
        due = _time(stay, charges[session.versions["time_charge"]], moment)
        unpaid[session.pk] = unpaid.get(session.pk, 0) + (due.amount_minor if due else 0)
    return unpaid


def _time(stay: PokerStay, charge: TimeCharge | None, moment: datetime | None) -> StayTime | None:
    if charge is None or moment is None or stay.left_at is not None:
        return None
    paid: int = stay.paid  # type: ignore[attr-defined]  # counted with the row
    due = charge_due(charge, stay, paid=paid, moment=moment)
    return StayTime(due.half_hours, due.amount_minor, paid_until(stay, paid=paid))


def charge_due(charge: TimeCharge, stay: PokerStay, *, paid: int, moment: datetime) -> ChargeDue:
    """What a guest who has paid so many half hours owes at a moment."""
    minutes = (moment - stay.time_from) // timedelta(minutes=1)
    if minutes < 0:  # paid in advance before they came from another stay
        return NOTHING
    return time_charge(charge, minutes=minutes, paid=paid)


def paid_until(stay: PokerStay, *, paid: int) -> datetime:
    """Until when a guest who has paid so many half hours has paid for time."""
    return stay.time_from + timedelta(minutes=HALF_HOUR * paid)
