"""Rounds that a table played without the server."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from jackpot.rules.progressive import ProgressiveRules
from jackpot.services import jackpot_exclude
from tables.errors import (
    CroupierWrong,
    RoundBooked,
    RoundPlacedOtherwise,
    RoundState,
    RoundWithdrawn,
)
from tables.models import HandOver, ReviewItem, Round, Table
from tables.selectors.rounds import round_record
from tables.services.counts.back import Came, count_follow
from tables.services.later.place import place_beside_feed
from tables.services.later.placements import placements_stand, read_placements, stakes_placed
from tables.services.later.staked import stakes_of
from tables.services.parts import posted_of
from tables.services.review.entries import result_was
from tables.services.rounds.evaluate import round_evaluate
from tables.services.rounds.lock import round_lock
from tables.services.rounds.much_won import TABLET
from tables.services.rounds.settle import round_settle

CAME_AGAIN = "it came again and was booked"


def round_take_queued(
    *,
    house_id: UUID,
    table_id: UUID,
    round_id: UUID,
    stakes: object,
    result: object,
    person_id: UUID,
    croupier_id: UUID | None = None,
    placed: object = (),
    supervisor: bool = False,
    clarified: bool = False,
    reason: str = "",
    entered: str = TABLET,
) -> dict[str, Any]:
    """Book a round that was played while the table had no server: locked and settled at once,
    exactly once.

    `placed`: what came after the lock, a list in its order of what `round_place` takes; who decides
    for a box is not asked. The round is sent by a supervisor, or by who has the table or had it in
    this session; `croupier_id`: who dealt it, where somebody else takes it. `clarified` as in
    `round_lock`. What waited of it to be clarified is taken with it, for `reason`; so is what the
    feed contradicts. `entered` as in `round_settle`.

    Raises CroupierWrong for anybody else, RoundBooked (it is in the books with another result),
    RoundPlacedOtherwise (with other stakes after its lock), RoundState (its stakes went back),
    RoundWithdrawn (the pit has dismissed a version of it), AgainstFeed, FeedNeedsSecond, and what
    `round_lock`, the placements, `round_evaluate` and `round_settle` raise.
    """
    _hold_alone_for_envy(house_id, table_id)
    ids: dict[str, Any] = {"house_id": house_id, "round_id": round_id}
    later: dict[str, Any] = {"supervisor": True, "queued": True, "clarified": clarified}
    later["croupier_id"] = croupier_id or person_id
    locked = round_lock(**ids, **later, table_id=table_id, stakes=stakes)
    if locked["state"] == Round.State.SETTLED:
        if not placements_stand(round_record(**ids), placed, ever=True):
            raise RoundPlacedOtherwise
        if not result_was(**ids, result=result, placed=placed):
            raise RoundBooked
        return locked
    if locked["state"] != Round.State.LOCKED:
        raise RoundState(state=locked["state"])
    dismissed = ReviewItem.objects.filter(**ids, kind="queued", state=ReviewItem.State.DISMISSED)
    if not clarified and dismissed.exists():
        raise RoundWithdrawn
    if read_placements(placed) or any(one["placed"] for one in locked["stakes"]):
        _place(round_record(**ids), placed, person_id, reason if supervisor else "")
    prepared = round_evaluate(**ids, result=result)
    if not supervisor:
        _check_dealt(prepared.record, person_id)
    why: dict[str, Any] = {"follow": reason or CAME_AGAIN, "reason": reason, "entered": entered}
    answer = round_settle(prepared=prepared, person_id=person_id, supervisor=True, **why)
    session_id = UUID(prepared.record["session_id"])
    count_follow(session_id, Came("round", round_id), actor_id=person_id)
    return answer


def _check_dealt(record: Mapping[str, Any], person_id: UUID) -> None:
    """Raise CroupierWrong unless the person has the round's table, or had it in its session."""
    if record["duty"] == str(person_id):
        return
    before = HandOver.objects.filter(session_id=record["session_id"], from_croupier_id=person_id)
    if not before.exists():
        raise CroupierWrong


def _place(record: dict[str, Any], placed: object, person_id: UUID, reason: str) -> None:
    """Write what came after the lock, unless the first of it was written before: the pit may have
    locked the round by itself, and a shoe read cards of it since.
    """
    entered = read_placements(placed)
    brought, written = stakes_placed(record, placed), stakes_of(record)[1]
    if brought[: len(written)] != written:
        raise RoundPlacedOtherwise
    for stake, placement in list(zip(brought, entered, strict=True))[len(written) :]:
        place_beside_feed(record, stake, person_id, placement, supervisor=True, reason=reason)


def _hold_alone_for_envy(house_id: UUID, table_id: UUID) -> None:
    """Where a royal flush at the table would pay Envy at others, the lock is taken alone before the
    round takes it together with others: nobody changes from one to the other (PRG-6).
    """
    linked = Table.objects.filter(pk=table_id, house_id=house_id, jackpot__isnull=False)
    for jackpot_id, version in linked.values_list("jackpot_id", "jackpot__epoch__progressive_id"):
        rules = posted_of([str(version)])["progressive"]
        if isinstance(rules, ProgressiveRules) and rules.envy_of_link:
            jackpot_exclude(jackpot_id)
