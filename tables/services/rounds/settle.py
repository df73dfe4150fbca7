"""A round is settled: what was evaluated before the transaction is written by one call inside
it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from uuid import UUID

import orjson

from jackpot.errors import RoundClaims
from jackpot.hints import hint
from jackpot.models import Phase
from jackpot.services import SHARE, Winner, claims_set, jackpot_exclude, jackpot_share
from payouts.commands import start_again
from payouts.db.constraints import refusing, require_transaction
from payouts.db.fast_calls import calls
from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import Leg, Posting
from payouts.rules.ledger.recipes import Line, StakeResult
from payouts.rules.lines import StakeLine
from payouts.services import posting_arguments
from tables.errors import CroupierWrong, RoundChanged, RoundState
from tables.games import Ended
from tables.models import Round
from tables.selectors.rounds import stakes_answered
from tables.services.later.staked import chips_posted
from tables.services.parts import legs_of, took_part
from tables.services.review.entries import entries_follow
from tables.services.rounds.against_feed import against_record, check_pit
from tables.services.rounds.approved import result_approved
from tables.services.rounds.doubts import FEED_WAITS, doubt_record
from tables.services.rounds.evaluate import Prepared, evaluate_anew, feed_waits
from tables.services.rounds.much_won import TABLET, check_entered, much_record
from tables.services.rounds.prizes import Owing, accounts_for, keep_waiting, waiting

_WRITE = (
    "SELECT round_settle_v1($1::jsonb, $2::int[], $3::bigint[], $4::bigint[]), (SELECT phase FROM"
    " jackpot_jackpot WHERE id = $5::uuid), (SELECT nullif(count(*), 0) FROM tables_toclarify WHERE"
    " house_id = $6::uuid AND round_id = $7::uuid AND state = 'open')"
)
BOOKED = "its result was booked"
_NO_STAKE = ("coin", "envy")  # the coin was taken at the lock; Envy has no stake


def round_settle(
    *,
    prepared: Prepared,
    person_id: UUID,
    supervisor: bool = False,
    follow: str = BOOKED,
    reason: str = "",
    approval_id: UUID | None = None,
    entered: str = TABLET,
) -> dict[str, Any]:
    """Write the result of a locked round: lines, postings, the end of the jackpot's running round.

    A result that claims the jackpot, or ends a *Royal!* call, is written under the jackpot's
    exclusive lock, any other under the shared one; which of them is known before the transaction,
    so that nobody has to change from one to the other.

    `supervisor`: a pit boss acts for the croupier on duty. `follow`: as in `write_result`.
    `reason`: why it is taken against the feed; `approval_id`: who else has looked at that.
    `entered`: where, as `much_won` names it. Raises RoundState, RoundChanged, CroupierWrong,
    AgainstFeed, FeedNeedsSecond, WinNeedsSecond, NotListed, JackpotPhase, and as `approval_use`.
    """
    require_transaction()
    if prepared.is_old:
        evaluate_anew(prepared)
    record, ended, against = prepared.record, prepared.ended, prepared.against
    if ended is None:
        raise RoundState(state=record["state"])
    check_duty(record, person_id, supervisor=supervisor)
    if approval_id is not None:
        hold_jackpot(prepared)  # and the round, before the approval
        Round.objects.select_for_update(of=("self",)).get(pk=UUID(record["id"]))
        result_approved(prepared, approval_id, person_id, reason)
    else:
        if against:
            by: Any = {"person_id": person_id, "supervisor": supervisor, "reason": reason}
            check_pit(record, against, _most_at_stake(ended), **by)
        check_entered(record, ended, entered, person_id)
    exclusive = prepared.exclusive and hold_jackpot(prepared)
    duty = None if supervisor else person_id
    answer = write_result(
        prepared,
        was=Round.State.LOCKED,
        person_id=person_id,
        duty=duty,
        exclusive=exclusive,
        share=not exclusive,
        approval_id=approval_id,
        reason=reason if against else "",
        follow=follow,
    )
    _record_witness(prepared, ended, person_id, reason, answer["revision"])
    if approval_id is None and entered == TABLET:
        much_record(record, ended, person_id)
    if exclusive:
        claims_follow(record, ended, origin="settled", person_id=person_id)
    keep_waiting(record, ended, person_id)
    return answer


def _record_witness(
    prepared: Prepared, ended: Ended, person_id: UUID, reason: str, revision: int
) -> None:
    """Keep that a result was taken against the feed, or before its last cards were read."""
    record, against = prepared.record, prepared.against
    if against:
        amount = _most_at_stake(ended)
        against_record(record, against, person_id, reason, revision=revision, amount_minor=amount)
    elif feed_waits(record):
        fed = {"revision": revision, "feed": record["feed_id"]}
        doubt_record(record, person_id, why=FEED_WAITS, **fed)


def _most_at_stake(ended: Ended) -> int:
    """Of a box or a guest, all that was staked, or is paid where that is more."""
    staked = Counter[int | str]()
    paid = Counter[int | str]()
    for line in ended.lines:
        for whose in (line.box, line.guest):
            staked[whose] += line.stake_minor
            paid[whose] += line.paid_minor
    return max([*staked.values(), *paid.values()], default=0)


def hold_jackpot(prepared: Prepared) -> bool:
    """Take the lock of the round's jackpot that its result needs; say whether it is the exclusive
    one.
    """
    if jackpot := prepared.record["jackpot_id"]:
        (jackpot_exclude if prepared.exclusive else jackpot_share)(UUID(jackpot))
    return prepared.exclusive


def claims_follow(
    record: Mapping[str, Any], ended: Ended, *, origin: str, person_id: UUID, reason: str = ""
) -> None:
    """Have the round's claims say what its result says; the exclusive lock is held. Raises as
    `claims_set`.
    """
    guests = {
        row["box"]: row["guest"]
        for row in record["stakes"]
        if row["kind"] == "coin" and row["revision"] == 0
    }
    claims_set(
        jackpot_id=UUID(record["jackpot_id"]),
        epoch_id=UUID(record["epoch_id"]),
        round_id=UUID(record["id"]),
        table_id=UUID(record["table_id"]),
        winners=[Winner(box, UUID(guests[box])) for box in ended.claims],
        dealers=took_part(record),
        origin=origin,
        person_id=person_id,
        **({"reason": reason} if reason else {}),
    )


def check_duty(record: Mapping[str, Any], person_id: UUID, *, supervisor: bool) -> None:
    """Raise CroupierWrong unless the person deals at the round's table, or is a supervisor."""
    if not supervisor and record["duty"] != str(person_id):
        raise CroupierWrong


def write_result(
    prepared: Prepared,
    *,
    was: str,
    person_id: UUID,
    duty: UUID | None = None,
    exclusive: bool = False,
    share: bool = False,
    approval_id: UUID | None = None,
    reason: str = "",
    follow: str = BOOKED,
) -> dict[str, Any]:
    """Write a result as the next revision of a round that is still in the state it was evaluated
    in.

    `duty`: who must have the table when it is written; None asks nobody. `exclusive`: the jackpot's
    lock is held so; without it a round that claims starts again. `share`: take the shared lock in
    the same trip, by a statement before the one that writes. `follow`: why an entry to be clarified
    is taken that says the same. Raises RoundChanged, CroupierWrong.
    """
    record, ended = prepared.record, prepared.ended
    if ended is None:
        raise RoundState(state=record["state"])
    lines = [_line(place, line) for place, line in enumerate(ended.lines, 1)]
    head = {
        "was": was,
        "person": str(person_id),
        "duty": str(duty) if duty else None,
        "approval": str(approval_id) if approval_id else None,
        "reason": reason,
    }
    owed = waiting(record, ended)
    legs = legs_of(recipe_lines(ended, owed), accounts_for(record, ended, owed))
    data, numbers = _written(prepared, ended, lines, legs, head)
    newer_feed = RoundChanged()
    names = {
        "round_still_there": RoundChanged(),
        "round_duty": CroupierWrong(),
        "round_claims": RoundClaims(),
        "round_feed": newer_feed,
    }
    try:
        with refusing(names):
            written = orjson.dumps(data | {"exclusive": exclusive}).decode()
            shared = [(SHARE, [record["jackpot_id"]])] if share and record["jackpot_id"] else []
            values = [written, *numbers, record["jackpot_id"], record["house_id"], record["id"]]
            _, phase, waits = calls(*shared, (_WRITE, values))[-1]
    except RoundClaims:
        prepared.claims = True
        start_again()
    except RoundChanged as changed:
        _start_with(prepared, changed, newer_feed)
    if phase in (Phase.DRAINING, Phase.SUSPENDED):  # it may be the last round that a hit waits for
        hint(UUID(record["jackpot_id"]))
    if waits:
        ids = {"house_id": UUID(record["house_id"]), "round_id": UUID(record["id"])}
        entries_follow(**ids, actor_id=person_id, reason=reason or follow)
    return _answer({**record, "stakes": [*record["stakes"], *prepared.changed]}, lines)


def _start_with(prepared: Prepared, changed: RoundChanged, newer_feed: RoundChanged) -> NoReturn:
    """Start again with a feed that has come meanwhile; raise any other change."""
    if changed is not newer_feed:
        raise changed
    prepared.is_old = True
    start_again()


def _written(
    prepared: Prepared,
    ended: Ended,
    lines: Sequence[Mapping[str, Any]],
    legs: Sequence[Leg],
    head: Mapping[str, Any],
) -> tuple[dict[str, Any], list[str]]:
    """What the one call writes: the round's new revision, stakes placed meanwhile or put right
    (`changed`), lines; and the postings' numbers.
    """
    record = prepared.record
    round_id, revision = UUID(record["id"]), record["revision"] + 1
    data: dict[str, Any] = {
        "round": {
            "id": record["id"],
            "house": record["house_id"],
            "gaming_day": record["gaming_day"],
            "revision": revision,
            "source": ended.source,
            "result": ended.result,
            "placed": sum(row["placed"] > 0 for row in record["stakes"]),
            "feed": record["feed_id"],
            **head,
        },
        "stakes": [
            {
                "box": stake.box,
                "guest": stake.guest,
                "kind": stake.kind,
                "amount_minor": stake.amount_minor,
            }
            for stake in ended.placed
        ],
        "changed": list(prepared.changed),
        "lines": lines,
        "transfers": [],
    }
    postings = [one for row in prepared.changed for one in chips_posted(record, row)]
    if legs:
        key = f"round:{round_id}:settle:{revision}"
        postings.append(Posting(key, "settle", legs, subject_kind="round", subject_id=round_id))
    if not postings:
        return data, ["{}", "{}", "{}"]
    data["transfers"], *numbers = posting_arguments(postings)
    return data, numbers


def _answer(record: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A settled round as its command answers."""
    return {
        "id": record["id"],
        "table": record["table_id"],
        "number": record["number"],
        "state": Round.State.SETTLED.value,
        "revision": record["revision"] + 1,
        "stakes": stakes_answered(record),
        "lines": [
            {**line, "paid_minor": line["returned_minor"] + line["won_minor"] + line["prize_minor"]}
            for line in lines
        ],
    }


def recipe_lines(ended: Ended, owed: Owing = ()) -> list[Line]:
    """The postings of a result: Play stakes are placed, all stakes are settled, prizes are paid, or
    wait (`owed`).
    """
    staked = [line for line in ended.lines if line.kind not in _NO_STAKE]
    placed = sum(stake.amount_minor for stake in ended.placed)
    held = {place for place, _ in owed}
    prizes = {(payer, wait): 0 for payer in ("house", "meter") for wait in (False, True)}
    for place, line in enumerate(ended.lines, 1):
        if line.prize_minor:
            prizes[line.paid_by, place in held] += line.prize_minor
    lines = recipes.lock([(placed, "")]) if placed else []
    if staked:
        total = StakeResult(
            sum(line.stake_minor for line in staked),
            sum(line.returned_minor for line in staked),
            sum(line.won_minor for line in staked),
        )
        lines += recipes.settle([total])
    for (payer, wait), amount in prizes.items():
        if amount and wait:
            lines += recipes.prize_waits(amount, of_meter=payer == "meter")
        elif amount:
            lines += (
                recipes.prize_from_meter(amount)
                if payer == "meter"
                else recipes.fixed_prize(amount)
            )
    return lines


def _line(place: int, line: StakeLine) -> dict[str, Any]:
    return {
        "place": place,
        "box": line.box,
        "guest": line.guest,
        "kind": line.kind,
        "stake_minor": line.stake_minor,
        "returned_minor": line.returned_minor,
        "won_minor": line.won_minor,
        "prize_minor": line.prize_minor,
        "odds": "" if line.odds is None else str(line.odds),
        "hand": "" if line.hand is None else line.hand.name.lower(),
        "paid_by": line.paid_by,
        "code": line.reason.code,
        "rule": line.rule,
    }
