"""A stake that comes after the lock: a hand is doubled or split, a guest takes insurance or even
money. What may be done, the game says.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import orjson

from jackpot.errors import RoundClaims
from payouts.db.constraints import refusing, require_transaction
from payouts.db.fast_calls import call, calls
from payouts.services import posting_arguments
from tables.errors import GuestUnknown, RoundChanged, RoundState, RoundUnknown
from tables.games import Placed, bank_game
from tables.games.base import AgainstFeed
from tables.models import Round
from tables.selectors.rounds import RECORD, stakes_answered
from tables.services.later.came import came_of, entered_of
from tables.services.later.staked import chips_posted, number_after, row_placed, stakes_of
from tables.services.parts import rules_of
from tables.services.rounds.against_feed import against_record, check_pit, contradiction
from tables.services.rounds.decide import decider_of, owner_left, owner_seated
from tables.services.rounds.doubts import OWNER_AWAY, OWNER_LEFT, doubt_record
from tables.services.rounds.hours import check_day_of
from tables.services.rounds.settle import check_duty

# Each a statement of its own: what is decided on is read under the locks.
_SHARE = (
    "SELECT jackpot_share_v1(jackpot_id) FROM tables_round WHERE id = $1::uuid AND jackpot_id IS"
    " NOT NULL"
)
# with the moment, by which the gaming day closes
_HOLD = (
    "SELECT clock_timestamp(), h.time_zone, gaming_day_v1(clock_timestamp(), h.time_zone,"
    " h.gaming_day_change) FROM tables_round r JOIN payouts_house h ON h.id = r.house_id WHERE"
    " r.id = $1::uuid AND r.house_id = $2::uuid FOR UPDATE OF r"
)
_WRITE = (
    "SELECT round_place_v1($1::jsonb, $2::int[], $3::bigint[], $4::bigint[]) FROM tables_guest"
    " WHERE id = $5::uuid AND (left_at IS NULL OR $6::boolean)"
)


def round_place(
    *,
    house_id: UUID,
    round_id: UUID,
    placement: object,
    person_id: UUID,
    supervisor: bool = False,
    reason: str = "",
) -> dict[str, Any]:
    """Take a stake that comes after the lock, and book it as it happens.

    `placement`: as the round's game reads it. `supervisor`: a pit boss acts for the croupier on
    duty, or after the closing; `reason`: why against the feed. Raises as `round_held`,
    GuestUnknown, RoundClaims, NobodyDecides, DeciderUnclear (BOX-2, PRM-2), AgainstFeed,
    FeedNeedsSecond, and what the game refuses.
    """
    require_transaction()
    record = round_held(house_id, round_id, person_id, supervisor=supervisor)

    decided: list[str | None] = []

    def decides(box: int, away: frozenset[str]) -> str | None:
        decided.append(None if record["queued"] else decider_of(record, box, away))
        return decided[-1]

    stakes, later = stakes_of(record)
    game = bank_game(record["game"])
    rules = rules_of(record["versions"])
    entered = entered_of(record) if later else []
    placed = game.place(rules, stakes, later, placement, decides, entered=entered)
    number = place_beside_feed(
        record, placed, person_id, placement, supervisor=supervisor, reason=reason
    )
    doubt_away(record, placement, person_id, placed=number)
    if placed.stake.guest in decided:
        doubt_left(record, placed, later, person_id, number=number)
    return answered(record)


def doubt_away(record: Mapping[str, Any], placement: object, person_id: UUID, **what: int) -> None:
    """Keep that an owner was entered as away who sits there, with a stake that the game takes."""
    entered = bank_game(record["game"]).particulars(placement)
    if not (away := entered.get("away", ())) or not isinstance(placement, dict):
        return
    box = placement["box"]
    if (owner := owner_seated(record, box)) in away:
        doubt_record(record, person_id, why=OWNER_AWAY, box=box, guest=owner, **what)


def doubt_left(
    record: Mapping[str, Any],
    placed: Placed,
    later: Sequence[Placed],
    person_id: UUID,
    *,
    number: int,
) -> None:
    """Keep that a guest decides since the owner left, in whose round it was, unless the owner has
    decided the same.
    """
    box, kind = placed.stake.box, placed.stake.kind
    if len({row["guest"] for row in record["stakes"] if row["box"] == box}) < 2:
        return
    same = {after.source for after in later if (after.stake.box, after.stake.kind) == (box, kind)}
    if (owner := owner_left(record, box)) and owner not in same:
        doubt_record(record, person_id, why=OWNER_LEFT, box=box, guest=owner, placed=number)


def place_beside_feed(
    record: dict[str, Any],
    placed: Placed,
    person_id: UUID,
    placement: object,
    *,
    supervisor: bool,
    reason: str,
) -> int:
    """Write a stake unless the newest feed contradicts it, or the pit takes it with a reason; its
    number. Raises AgainstFeed, FeedNeedsSecond, and as `place_written`.
    """
    against = _contradiction(record, placement)
    amount = placed.stake.amount_minor
    if against:
        by: Any = {"person_id": person_id, "supervisor": supervisor, "reason": reason}
        check_pit(record, against, amount, **by)
    number = place_written(record, placed, person_id, placement)
    if against:
        against_record(record, against, person_id, reason, placed=number, amount_minor=amount)
    return number


def _contradiction(record: Mapping[str, Any], placement: object) -> AgainstFeed | None:
    """What the newest feed has against a placement that the game takes."""
    if record["feed"] is None:
        return None
    stakes, later = stakes_of(record)
    game = bank_game(record["game"])
    rules = rules_of(record["versions"])
    came = came_of(record)
    return contradiction(
        lambda: game.check_fed_stake(rules, stakes, later, placement, record["feed"], came=came)
    )


def round_held(
    house_id: UUID, round_id: UUID, person_id: UUID, *, supervisor: bool
) -> dict[str, Any]:
    """The round as it is under the jackpot's shared lock and its row's own, in one trip, for a
    stake that comes or goes back. Raises RoundUnknown, RoundState, CroupierWrong, HoursOver,
    DayOver.
    """
    *_, held, found = calls(
        (_SHARE, [round_id]), (_HOLD, [round_id, house_id]), (RECORD, [round_id])
    )
    if not held or not found or found[0] is None:
        raise RoundUnknown
    record: dict[str, Any] = orjson.loads(found[0])
    if record["state"] != Round.State.LOCKED:
        raise RoundState(state=record["state"])
    check_duty(record, person_id, supervisor=supervisor)
    clock = dict(zip(("now", "zone", "day"), held, strict=True))
    check_day_of(record, clock, supervisor=supervisor)
    return record


def place_written(
    record: dict[str, Any], placed: Placed, person_id: UUID, placement: object
) -> int:
    """Write a stake that comes after the lock, with its posting and event, and add it to the
    record; its number. Who has left brings one only to a round that was played without the server.
    Raises RoundChanged, GuestUnknown, RoundClaims.
    """
    row = row_placed(number_after(record), placed)
    _write(record, row, person_id, judged_by(record, placement))
    record["stakes"].append(row)
    return int(row["placed"])


def judged_by(record: Mapping[str, Any], placement: object) -> dict[str, Any]:
    """By what a placement is judged again: what was entered with it, and how many drawn cards the
    feed had read then; None without a feed.
    """
    game = bank_game(record["game"])
    return {"entered": game.particulars(placement), "drawn": drawn_of(record)}


def drawn_of(record: Mapping[str, Any]) -> int | None:
    """How many cards the newest feed has read beyond the first ones."""
    if record["feed"] is None:
        return None
    staked = {stake.box for stake in stakes_of(record)[0]}
    return bank_game(record["game"]).drawn(record["feed"], staked)


def _write(
    record: Mapping[str, Any],
    row: Mapping[str, Any],
    person_id: UUID,
    judged: Mapping[str, Any],
) -> None:
    names = ("placed", "box", "guest", "source", "kind")
    stake = {name: row[name] for name in names} | {"amount_minor": row["accepted_minor"]}
    data: dict[str, Any] = {
        "round": {
            "id": record["id"],
            "house": record["house_id"],
            "session": record["session_id"],
            "gaming_day": record["gaming_day"],
            "person": str(person_id),
        },
        "stake": {**stake, **judged},
        "transfers": [],
    }
    numbers: list[str] = ["{}", "{}", "{}"]
    if postings := chips_posted(record, row):
        data["transfers"], *numbers = posting_arguments(postings)
    refusals = {
        "round_still_there": RoundChanged(),
        "round_stake_guest": GuestUnknown(),
        "round_claims": RoundClaims(),
    }
    with refusing(refusals):
        if not call(
            _WRITE, [orjson.dumps(data).decode(), *numbers, row["guest"], record["queued"]]
        ):
            raise GuestUnknown


def answered(record: Mapping[str, Any]) -> dict[str, Any]:
    """A round that runs as its command answers."""
    return {
        "id": record["id"],
        "table": record["table_id"],
        "number": record["number"],
        "state": record["state"],
        "revision": record["revision"],
        "stakes": stakes_answered(record),
        "lines": [],
    }
