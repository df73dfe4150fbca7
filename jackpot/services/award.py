"""Awards and their slips, written together."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from jackpot.models import Award, Slip
from payouts.rules.ledger.recipes import Line
from payouts.selectors import gaming_day_at
from payouts.services import event_record, recipe_post

WORKING_DAYS = 5  # in which a slip is to be paid


def award_write(award: Award, lines: Sequence[Line], *, actor_id: UUID | None = None) -> Award:
    """Post what an award moves, and write it with its slip; `lines` are of its table and
    jackpot."""
    owners = {"house": award.house_id, "jackpot": award.jackpot_id, "table": award.table_id}
    award.transfer_id = recipe_post(
        house_id=award.house_id,
        gaming_day=gaming_day_at(house_id=award.house_id),
        key=f"award:{award.pk}",
        kind=f"award_{award.kind}",
        lines=lines,
        owners=owners,
        actor_id=actor_id,
        reason=award.reason,
        subject_kind="award",
        subject_id=award.pk,
    )
    award.save(force_insert=True)
    slip_make(award)
    return award


class Awarded(NamedTuple):
    """Boxes of a round that have an award of the meter: `once`, which rules out another one, and
    `standing`, not cancelled.
    """

    once: frozenset[int]
    standing: frozenset[int]


def boxes_awarded(round_id: UUID) -> Awarded:
    """What a round was awarded, prizes apart. A slip that was cancelled unpaid makes room for
    another award (PRG-8).
    """
    awards = Award.objects.filter(round_id=round_id).exclude(kind="prize")
    once = awards.exclude(slip__cancelled_as="unpaid").values_list("box", flat=True)
    standing = awards.exclude(slip__state=Slip.State.CANCELLED)
    return Awarded(frozenset(once), frozenset(standing.values_list("box", flat=True)))


def slip_make(award: Award) -> Slip:
    """The numbered slip of an award, to be paid within five working days."""
    slip = Slip.objects.create(
        id=uuid4(),
        house_id=award.house_id,
        number=0,  # the database numbers them
        award=award,
        due_on=working_days_after(gaming_day_at(house_id=award.house_id), WORKING_DAYS),
    )
    slip.refresh_from_db()
    event_record(
        "slip.made",
        slip,
        after={
            "number": slip.number,
            "incarnation": slip.incarnation,
            "amount_minor": award.amount_minor,
        },
    )
    return slip


def working_days_after(day: date, count: int) -> date:
    """The day so many working days (Monday to Friday) after another one."""
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day
