"""The fee for the time at a poker table: each half hour in advance (RAK-2)."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Sum

from payouts.db.constraints import require_transaction
from payouts.rules.ledger import stacks
from payouts.rules.rulesets.rake import ChargeDue
from payouts.selectors import house_now
from payouts.services import event_record
from tables.errors import ChipsRefused, NothingDue, NoTimeCharge, StayGone
from tables.models import PokerStay, StayChips
from tables.models.stays import GIVEN
from tables.selectors.stays import NOTHING, charge_due, paid_until
from tables.services.floor.frozen import check_uncounted
from tables.services.seats.between import check_between
from tables.services.seats.parts import PokerTable, chips_move, poker_table, stack_source

MEANS = {"stack": "stack", "pocket": "chips"}  # by what the house posts (`PokerRules.time_from`)


def time_collect(
    *,
    house_id: UUID,
    table_id: UUID,
    stay_ids: Collection[UUID] | None = None,
    means: str = "stack",
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> list[StayChips]:
    """Take the half hours that are due from these guests of a table, None: from all. `means`:
    `stack`, chips on the table, or `chips` from the pocket.

    Raises TableUnknown, TableClosed, CroupierWrong, NoStacks, NoTimeCharge, ChipsRefused, StayGone,
    NothingDue, MidHand, TableBeingCounted, AboveStack.
    """
    require_transaction()
    at = poker_table(house_id, table_id, croupier_id=croupier_id)
    if at.posted.charge is None:
        raise NoTimeCharge
    check_given(at, StayChips.Kind.TIME, means)
    stays = PokerStay.objects.filter(guest__session=at.session, left_at=None)
    if stay_ids is not None:
        stays = stays.filter(pk__in=stay_ids)
    sitting = list(stays.select_related("guest").order_by("guest__box"))
    if stay_ids is not None and len(sitting) != len({*stay_ids}):
        raise StayGone
    owing = [(stay, due) for stay in sitting if (due := time_due(at, stay)).half_hours]
    check_between(at.session, [stay.pk for stay, _due in owing], actor_id)
    payments = [time_take(at, stay, due, means=means, actor_id=actor_id) for stay, due in owing]
    if not payments:
        until = [paid_until(stay, paid=paid_half_hours(stay)) for stay in sitting]
        first = min(until, default=at.session.opened_at)
        zone = house_now(house_id=house_id).zone
        raise NothingDue(time=f"{first.astimezone(zone):%H:%M}")
    return payments


def time_due(at: PokerTable, stay: PokerStay) -> ChargeDue:
    """What a guest owes for time now."""
    if at.posted.charge is None:
        return NOTHING
    moment = house_now(house_id=stay.house_id).moment
    return charge_due(at.posted.charge, stay, paid=paid_half_hours(stay), moment=moment)


def paid_half_hours(stay: PokerStay) -> int:
    """How many half hours a guest has paid."""
    return stay.chips.aggregate(paid=Sum("half_hours"))["paid"] or 0


def time_take(
    at: PokerTable, stay: PokerStay, due: ChargeDue, *, means: str, actor_id: UUID
) -> StayChips:
    """Take half hours that are due from a guest, as in `time_collect`. Raises
    TableBeingCounted.
    """
    check_uncounted(at.session)
    lines = []
    if due.amount_minor and means == "stack":
        lines = stacks.time(due.amount_minor, source=stack_source(at, stay, due.amount_minor))
    elif due.amount_minor:
        lines = stacks.time(due.amount_minor, source="circulation")
    row = chips_move(
        at,
        stay,
        lines,
        kind=StayChips.Kind.TIME,
        amount_minor=due.amount_minor,
        means=means,
        half_hours=due.half_hours,
        actor_id=actor_id,
    )
    after = {"half_hours": due.half_hours, "amount_minor": due.amount_minor, "means": means}
    event_record("chips.time_paid", stay, actor_id=actor_id, after=after)
    return row


def check_given(at: PokerTable, kind: str, means: object) -> None:
    """Refuse a way to pay tips or time that the house does not post (POK-2). Raises
    ChipsRefused.
    """
    house = at.posted.house
    from_stack = {
        StayChips.Kind.TIP: house.tips_from_stack,
        StayChips.Kind.TIME: house.time_from == "stack",
    }
    if means not in GIVEN or (means == "stack" and not from_stack[StayChips.Kind(kind)]):
        raise ChipsRefused(chips=str(kind), means=str(means)[:20])
