"""A round is settled: evaluated before the transaction (locked stakes do not change), written by one call inside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from jackpot.errors import RoundClaims
from jackpot.hints import hint
from jackpot.rules.progressive import ProgressiveRules
from jackpot.services import SHARE, Winner, claims_set, jackpot_exclude, jackpot_share
from payouts.constraints import refusing, require_transaction
from payouts.idempotency import start_again
from payouts.prepared import calls
from payouts.rules import recipes
from payouts.rules.ledger import Leg, Posting
from payouts.rules.lines import Stake, StakeLine
from payouts.rules.recipes import Line, StakeResult
from payouts.services import posting_arguments
from tables.errors import CroupierWrong, GuestUnknown, RoundChanged, RoundState
from tables.models import Guest, HandOver, Table
from tables.rules.games import Ended, game_of
from tables.selectors import round_record
from tables.services.lock import round_lock
from tables.services.parts import dealt_by, legs_of, posted_of, rules_of
from tables.services.prizes import Owing, accounts_for, keep_waiting, pays_elsewhere, waiting

_WRITE = (
    "SELECT round_settle_v1($1::jsonb, $2::int[], $3::bigint[], $4::bigint[]),"
    " (SELECT phase FROM jackpot_jackpot WHERE id = $5::uuid)"
)
_NO_STAKE = ("coin", "envy")  # the coin was taken at the lock; Envy has no stake


@dataclass(slots=True)
class Prepared:
    """A round with the result worked out for it. `ended` is None when the round is not in a state that takes a result.

    `claims` turns true when writing shows that the round claims the jackpot by a call: the next try takes the exclusive lock.
    """

    record: Mapping[str, Any]
    ended: Ended | None
    claims: bool = False

    @property
    def exclusive(self) -> bool:
        """Whether its result is written under the jackpot's exclusive lock: it touches a claim, or rounds of other tables."""
        if not self.record["jackpot_id"] or self.ended is None:
            return False
        return bool(self.claims or self.ended.claims or pays_elsewhere(self.record, self.ended))


def round_evaluate(*, house_id: UUID, round_id: UUID, result: object, state: str = "locked") -> Prepared:
    """Work out what a result means for a round, before the transaction that writes it.

    `result` may say `{"feed": true}`: the cards are then those that the table's feed sent last, with what is entered beside them.
    Raises RoundUnknown, GuestUnknown (a guest named in the result is none of the table's) and what the game refuses.
    """
    record = round_record(house_id=house_id, round_id=round_id)
    if record["state"] != state:
        return Prepared(record, None)
    game, staked = game_of(record["game"]), {row["box"] for row in record["stakes"] if row["accepted_minor"]}
    dealt = game.with_feed(result, record["feed"], staked=staked, level=record["entry_level"])
    ended = end_again(record, dealt)
    named = set(ended.named)
    if named and Guest.objects.filter(session_id=record["session_id"], pk__in=named).count() < len(named):
        raise GuestUnknown
    return Prepared(record, ended)


def end_again(record: Mapping[str, Any], result: object) -> Ended:
    """Settle a recorded round by a result: the same record and result give the same lines, for ever."""
    stakes = [
        Stake(row["box"], row["guest"], row["kind"], row["accepted_minor"])
        for row in record["stakes"]
        if row["revision"] == 0 and row["accepted_minor"]
    ]
    rules = rules_of(record["versions"])
    return game_of(record["game"]).end(rules, stakes, result, level=record["entry_level"])


def round_settle(*, prepared: Prepared, person_id: UUID, supervisor: bool = False) -> dict[str, Any]:
    """Write the result of a locked round: lines, postings, the end of the jackpot's running round.

    A result that claims the jackpot, or ends a *Royal!* call, is written under the jackpot's exclusive lock, any other under the
    shared one; which of them is known before the transaction, so that nobody has to change from one to the other.

    `supervisor`: a pit boss acts for the croupier on duty. Raises RoundState, RoundChanged, CroupierWrong, NotListed, JackpotPhase.
    """
    require_transaction()
    record, ended = prepared.record, prepared.ended
    if ended is None:
        raise RoundState(state=record["state"])
    check_duty(record, person_id, supervisor=supervisor)
    exclusive = prepared.exclusive and hold_jackpot(prepared)
    duty = None if supervisor else person_id
    answer = write_result(
        prepared, was="locked", person_id=person_id, duty=duty, exclusive=exclusive, share=not exclusive
    )
    if exclusive:
        claims_follow(record, ended, origin="settled", person_id=person_id)
    keep_waiting(record, ended, person_id)
    return answer


def hold_jackpot(prepared: Prepared) -> bool:
    """Take the lock of the round's jackpot that its result needs; say whether it is the exclusive one."""
    if jackpot := prepared.record["jackpot_id"]:
        (jackpot_exclude if prepared.exclusive else jackpot_share)(UUID(jackpot))
    return prepared.exclusive


def claims_follow(record: Mapping[str, Any], ended: Ended, *, origin: str, person_id: UUID, reason: str = "") -> None:
    """Have the round's claims say what its result says; the exclusive lock is held. Raises as `claims_set`."""
    guests = {row["box"]: row["guest"] for row in record["stakes"] if row["kind"] == "coin" and row["revision"] == 0}
    claims_set(
        jackpot_id=UUID(record["jackpot_id"]),
        epoch_id=UUID(record["epoch_id"]),
        round_id=UUID(record["id"]),
        table_id=UUID(record["table_id"]),
        winners=[Winner(box, UUID(guests[box])) for box in ended.claims],
        dealers=dealt_by(record),
        origin=origin,
        person_id=person_id,
        **({"reason": reason} if reason else {}),
    )


def round_take_queued(
    *,
    house_id: UUID,
    table_id: UUID,
    round_id: UUID,
    stakes: object,
    result: object,
    person_id: UUID,
    supervisor: bool = False,
) -> dict[str, Any]:
    """Book a round that was played while the table had no server: locked and settled at once, exactly once.

    It is sent by a supervisor, or by who has the table or had it in this session. Raises CroupierWrong for anybody else, and what
    `round_lock`, `round_evaluate` and `round_settle` raise.
    """
    _hold_alone_for_envy(house_id, table_id)
    locked = round_lock(
        house_id=house_id,
        table_id=table_id,
        round_id=round_id,
        stakes=stakes,
        croupier_id=person_id,
        supervisor=True,
        queued=True,
    )
    if locked["state"] != "locked":
        return locked
    prepared = round_evaluate(house_id=house_id, round_id=round_id, result=result)
    if not supervisor and prepared.record["duty"] != str(person_id):
        before = HandOver.objects.filter(session_id=prepared.record["session_id"], from_croupier_id=person_id)
        if not before.exists():
            raise CroupierWrong
    return round_settle(prepared=prepared, person_id=person_id, supervisor=True)


def _hold_alone_for_envy(house_id: UUID, table_id: UUID) -> None:
    """Where a royal flush at the table would pay Envy at others, the lock is taken alone before the round takes it together with
    others: nobody changes from one to the other (PRG-6).
    """
    linked = Table.objects.filter(pk=table_id, house_id=house_id, jackpot__isnull=False)
    for jackpot_id, version in linked.values_list("jackpot_id", "jackpot__epoch__progressive_id"):
        rules = posted_of([str(version)])["progressive"]
        if isinstance(rules, ProgressiveRules) and rules.envy_of_link:
            jackpot_exclude(jackpot_id)


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
) -> dict[str, Any]:
    """Write a result as the next revision of a round that is still in the state it was evaluated in.

    `duty`: who must have the table when it is written; None asks nobody. `exclusive`: the jackpot's lock is held so;
    without it a round that claims starts again. `share`: take the shared lock in the same trip, by a statement before the one that
    writes. Raises RoundChanged, CroupierWrong.
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
    data, numbers = _written(record, ended, lines, legs, head)
    names = {"round_still_there": RoundChanged(), "round_duty": CroupierWrong(), "round_claims": RoundClaims()}
    try:
        with refusing(names):
            written = orjson.dumps(data | {"exclusive": exclusive}).decode()
            held = [(SHARE, [record["jackpot_id"]])] if share and record["jackpot_id"] else []
            phase = calls(*held, (_WRITE, [written, *numbers, record["jackpot_id"]]))[-1][1]
    except RoundClaims:
        prepared.claims = True
        start_again()
    if phase in ("draining", "suspended"):  # it may be the last round that a hit waits for
        hint(UUID(record["jackpot_id"]))
    return _answer(record, lines)


def _written(
    record: Mapping[str, Any],
    ended: Ended,
    lines: Sequence[Mapping[str, Any]],
    legs: Sequence[Leg],
    head: Mapping[str, Any],
) -> tuple[dict[str, Any], list[str]]:
    """What the one call writes: the round's new revision, stakes placed meanwhile, lines; and the postings' numbers."""
    round_id, revision = UUID(record["id"]), record["revision"] + 1
    data: dict[str, Any] = {
        "round": {
            "id": record["id"],
            "house": record["house_id"],
            "gaming_day": record["gaming_day"],
            "revision": revision,
            "source": ended.source,
            "result": ended.result,
            **head,
        },
        "stakes": [
            {"box": stake.box, "guest": stake.guest, "kind": stake.kind, "amount_minor": stake.amount_minor}
            for stake in ended.placed
        ],
        "lines": lines,
        "transfers": [],
    }
    if not legs:
        return data, ["{}", "{}", "{}"]
    key = f"round:{round_id}:settle:{revision}"
    posting = Posting(key, "settle", legs, subject_kind="round", subject_id=round_id)
    data["transfers"], *numbers = posting_arguments([posting])
    return data, numbers


def _answer(record: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A settled round as its command answers."""
    return {
        "id": record["id"],
        "table": record["table_id"],
        "number": record["number"],
        "state": "settled",
        "revision": record["revision"] + 1,
        "stakes": [
            {name: value for name, value in row.items() if name not in ("id", "revision")}
            for row in record["stakes"]
            if row["revision"] == 0
        ],
        "lines": [
            {**line, "paid_minor": line["returned_minor"] + line["won_minor"] + line["prize_minor"]} for line in lines
        ],
    }


def recipe_lines(ended: Ended, owed: Owing = ()) -> list[Line]:
    """The postings of a result: Play stakes are placed, all stakes are settled, prizes are paid, or wait (`owed`)."""
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
            lines += recipes.prize_from_meter(amount) if payer == "meter" else recipes.fixed_prize(amount)
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


__all__: Sequence[str] = (
    "Prepared",
    "check_duty",
    "claims_follow",
    "end_again",
    "hold_jackpot",
    "recipe_lines",
    "round_evaluate",
    "round_settle",
    "round_take_queued",
    "write_result",
)
