"""A stake that came after the lock was a mistake: its chips go back before the round ends."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from jackpot.errors import RoundClaims
from payouts.db.constraints import refusing, require_transaction
from payouts.db.fast_calls import call
from tables.errors import NothingPlaced, NotNewestStake, RoundChanged
from tables.games.base import FeedReadOn
from tables.rules.boxes import TAKEN_BACK
from tables.selectors.rounds import stakes_answered
from tables.services.later.came import events_of
from tables.services.later.place import answered, drawn_of, round_held
from tables.services.later.staked import number_after, row_back
from tables.services.rounds.against_feed import against_record, check_pit

_WRITE = "SELECT round_take_back_v1($1::uuid, $2::uuid, $3::uuid, $4::date, $5::int)"


def round_take_back(
    *,
    house_id: UUID,
    round_id: UUID,
    placed: int,
    person_id: UUID,
    supervisor: bool = False,
    reason: str = "",
) -> dict[str, Any]:
    """Take back the newest stake that came after the lock, `placed` its number: the last one first,
    since others may go with an earlier one.

    `supervisor`: a pit boss acts for the croupier on duty, or after the closing; `reason`: why
    against the feed. Raises as `round_held`, NothingPlaced, NotNewestStake (BOX-5), FeedReadOn,
    FeedNeedsSecond, RoundClaims.
    """
    require_transaction()
    record = round_held(house_id, round_id, person_id, supervisor=supervisor)
    later = [row for row in stakes_answered(record) if row["placed"] and not row["takes_back"]]
    if not later:
        raise NothingPlaced
    newest = later[-1]
    if placed != newest["placed"]:
        raise NotNewestStake(box=newest["box"], kind=newest["kind"], placed=newest["placed"])
    against = _contradiction(record, newest)
    amount = newest["accepted_minor"]
    if against:
        by: Any = {"person_id": person_id, "supervisor": supervisor, "reason": reason}
        check_pit(record, against, amount, **by)
    with refusing({"round_still_there": RoundChanged(), "round_claims": RoundClaims()}):
        call(_WRITE, [house_id, round_id, person_id, record["gaming_day"], placed])
    number = number_after(record)
    record["stakes"].append(row_back(number, newest, TAKEN_BACK))
    if against:
        against_record(record, against, person_id, reason, placed=number, amount_minor=amount)
    return answered(record)


def _contradiction(record: Mapping[str, Any], newest: Mapping[str, Any]) -> FeedReadOn | None:
    """A card was read since the stake came, which may be the one that decides it, or before it, and
    the pit took it all the same.
    """
    drawn = drawn_of(record)
    if drawn is None:
        return None
    number = newest["placed"]
    events = events_of(record)
    came = [event.get("drawn") or 0 for event in events["came"] if event["placed"] == number]
    overruled = ("placed", number) in events["overruled"]
    return FeedReadOn(box=newest["box"]) if overruled or drawn > max(came, default=0) else None
