"""A shift of the pit passes from one pit boss to the next, with what is open then, since when."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from casino.pit.models import ShiftHandOver
from payouts.db.constraints import refusing, require_transaction
from payouts.errors import Kind, Refused, mark
from payouts.rules.plain import check_text
from payouts.services import Subject, event_record


class ShiftTaken(Refused):
    """Somebody took the shift over since the page was shown."""

    code = "shift.taken"
    kind = Kind.CONFLICT
    sentence = mark("Somebody has just taken the shift over.")
    remedy = mark("See who has it now, and what is open.")


class ShiftSeenLongAgo(Refused):
    """What is kept with the hand-over is what was shown; that was too long ago, or on another
    page."""

    code = "shift.seen_long_ago"
    kind = Kind.CONFLICT
    sentence = mark("What you saw is too old to take the shift over with it.")
    remedy = mark("Look at what is open now, and take the shift over then.")


class ShiftOwn(Refused):
    """Who has the shift takes it over from themselves."""

    code = "shift.own"
    kind = Kind.CONFLICT
    sentence = mark("You have the shift already.")
    remedy = mark("Who comes next takes it over, under their own sign-in.")


def shift_newest(*, house_id: UUID) -> ShiftHandOver | None:
    """The last hand-over: who has the shift, since when; None before the first. One statement."""
    rows = ShiftHandOver.objects.filter(house_id=house_id).select_related("given_by", "taken_by")
    return rows.order_by("-number").first()


def shifts_before(*, house_id: UUID, number: int, most: int) -> list[ShiftHandOver]:
    """Hand-overs before that number, the newest first. One statement."""
    rows = ShiftHandOver.objects.filter(house_id=house_id, number__lt=number).select_related(
        "given_by", "taken_by"
    )
    return list(rows.order_by("-number")[:most])


def shift_take_over(
    *,
    house_id: UUID,
    person_id: UUID,
    seen: int,
    was_open: Callable[[], Sequence[Mapping[str, Any]]],
    note: str,
) -> ShiftHandOver:
    """Take the shift over from whoever has it. `seen`: the number of the hand-over that the page
    showed, 0 for none.

    `was_open` gives what is kept as it was shown; it is asked once the shift can be taken, so that
    who comes second is told that rather than how old their page is. Raises ShiftTaken (of two who
    come at once the unique number has one winner), ShiftOwn, TextRefused, and what `was_open`
    raises.
    """
    require_transaction()
    before = _before(house_id=house_id, person_id=person_id, seen=seen)
    taken = ShiftHandOver(
        house_id=house_id,
        number=seen + 1,
        given_by=before.taken_by if before else None,
        taken_by_id=person_id,
        was_open=was_open(),
        note=check_text(note, "note", most=500),
    )
    with refusing({"shift_hand_over_once": ShiftTaken()}, ShiftHandOver):
        taken.save(force_insert=True)
    event_record(
        "shift.taken",
        Subject("shift", taken.number),
        house_id=house_id,
        actor_id=person_id,
        reason=note,
    )
    return taken


def _before(*, house_id: UUID, person_id: UUID, seen: int) -> ShiftHandOver | None:
    """The hand-over that the page showed, if it is still the newest and another person's. Raises
    ShiftTaken, ShiftOwn.
    """
    before = shift_newest(house_id=house_id)
    if (before.number if before else 0) != seen:
        raise ShiftTaken
    if before and before.taken_by_id == person_id:
        raise ShiftOwn
    return before
