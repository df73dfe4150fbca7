"""No more bets: a round is locked with its stakes, before a card is dealt.

Statements, whatever the number of boxes: the jackpot's shared lock; the table's row and all that is
decided on; the one call that writes (and around them the key's claim and the answer).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from jackpot.errors import DisplayMissing, JackpotNotOpen
from jackpot.models.states import FROZEN, Phase
from jackpot.rules.jackpot_rules import JackpotRules
from payouts.commands import start_again
from payouts.db.constraints import refusing, require_transaction
from payouts.db.fast_calls import call, calls
from payouts.errors import mark
from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR, Posting
from payouts.rules.lines import Stake
from payouts.rules.plain import fingerprint
from payouts.rules.rulesets.funding import Cut, FundingSchedule
from payouts.rules.rulesets.schema import sent
from payouts.services import posting_arguments
from tables.errors import (
    CroupierWrong,
    GuestUnknown,
    QueuedCoins,
    QueuedStopped,
    RoundRunning,
    RoundTaken,
    RoundWithdrawn,
    StakesWrong,
    StakeWrong,
    TableBeingCounted,
    TableClosed,
    TableUnknown,
    TooManyStakes,
)
from tables.games import BankGame, Rules, bank_game
from tables.models import Round
from tables.rules.prime import BoxStake, allocate
from tables.selectors.rounds import round_answer
from tables.services.parts import legs_of, posted_of, rules_of, start_over_if_moved
from tables.services.rounds.hours import check_day
from tables.services.rounds.played import guests_played, session_played

STAKES_MOST, BOX_MOST = 200, 99
A_NUMBER = mark("a whole number from %(least)s to %(most)s")
A_KIND = mark("a kind such as ante")
A_GUEST = mark("the id of a guest")
_GUEST = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
_SHARE = (
    "SELECT jackpot_id, jackpot_share_v1(jackpot_id) FROM tables_table WHERE id = $1::uuid AND"
    " house_id = $2::uuid"
)
_CONTEXT = "SELECT round_lock_context_v1($1::uuid, $2::uuid)"
_WRITE = "SELECT round_lock_v1($1::jsonb, $2::int[], $3::bigint[], $4::bigint[])"


@dataclass(frozen=True, slots=True)
class AcceptedStake:
    """A stake as it lies on the table after the lock; `returned` went back before the cards."""

    stake: Stake
    accepted_minor: int
    rank: int | None = None
    reason: str = ""
    rule: str = ""
    data: dict[str, object] | None = None
    standing: dict[str, object] | None = None

    def to_data(self) -> dict[str, object]:
        """As it is answered, and stored with what the prime rule decided on."""
        return {
            "box": self.stake.box,
            "guest": self.stake.guest,
            "kind": self.stake.kind,
            "offered_minor": self.stake.amount_minor,
            "accepted_minor": self.accepted_minor,
            "returned_minor": self.stake.amount_minor - self.accepted_minor,
            "rank": self.rank,
            "reason": self.reason,
            "rule": self.rule,
            "data": self.data,
            "placed": 0,
            "source": None,
            "takes_back": None,
        }


def round_lock(
    *,
    house_id: UUID,
    table_id: UUID,
    round_id: UUID,
    stakes: object,
    croupier_id: UUID,
    supervisor: bool = False,
    queued: bool = False,
    clarified: bool = False,
) -> dict[str, Any]:
    """Lock a round under the id that the client made for it; the same lock again gives the round as
    it is by then.

    `stakes`: a list of objects with `box`, `guest`, `kind`, `amount_minor`. `supervisor`: a pit
    boss acts for the croupier on duty. `queued`: the round was played while the table had no
    server, perhaps by guests who have left since, and is of the session in which they staked, open
    or closed. `clarified`: the pit has looked at it, though the table ought to have stopped or
    closed.

    Raises TableUnknown, TableBeingCounted, TableClosed, DayOver, HoursOver, CroupierWrong,
    RoundRunning, RoundTaken, RoundWithdrawn, StakesWrong, TooManyStakes, GuestUnknown,
    JackpotNotOpen, DisplayMissing, QueuedStopped, QueuedCoins, what the prime rule and the game
    refuse.
    """
    require_transaction()
    offered = read_stakes(stakes)
    asked = lock_print(table_id, offered, queued=queued)
    jackpot_id, context = _begin(house_id, table_id, round_id)
    start_over_if_moved(jackpot_id, context["jackpot"])
    if context["known"]:
        return _known(house_id, table_id, round_id, context["known"], asked)
    if context["frozen"]:
        raise TableBeingCounted
    if queued:
        context["session"] = session_played(table_id, context["session"], offered)
    session = _check_table(context, croupier_id, supervisor=supervisor)
    check_day(context, queued=queued, clarified=clarified)
    versions = dict(session["versions"])
    if context["link"]:
        _check_link(context["link"], offered, queued=queued, clarified=clarified)
        kinds = ("progressive", "funding", "jackpot_rules")
        versions |= {kind: context["link"][kind] for kind in kinds if context["link"][kind]}
    game, rules = bank_game(context["game"]), rules_of(versions)
    guests = guests_played(session, offered, queued=queued)
    kept = _keep(game, rules, offered, guests)
    accepted = _accepted(kept)
    owners = {} if queued else {box: guest for guest, (box, *_) in guests.items() if box}
    level = session["entry_level"]
    layout = session.get("boxes") or context["boxes"]
    game.check(rules, accepted, layout=layout, level=level, owners=owners)
    number = _write(
        round_id, table_id, context, versions, kept, accepted, asked, croupier_id, queued=queued
    )
    return {
        "id": str(round_id),
        "table": str(table_id),
        "number": number,
        "state": Round.State.LOCKED.value,
        "revision": 0,
        "stakes": [k.to_data() for k in kept],
        "lines": [],
    }


def _accepted(kept: Sequence[AcceptedStake]) -> list[Stake]:
    return [
        Stake(one.stake.box, one.stake.guest, one.stake.kind, one.accepted_minor)
        for one in kept
        if one.accepted_minor
    ]


def lock_print(table_id: UUID, stakes: Sequence[Stake], *, queued: bool) -> bytes:
    """What "the same lock" means: table, stakes as `read_stakes` gives them, and whether it was
    played without the server.
    """
    return fingerprint(
        [str(table_id), [[s.box, s.guest, s.kind, s.amount_minor] for s in stakes], queued]
    )


def read_stakes(raw: object) -> list[Stake]:
    """The stakes of a lock, in the order of boxes, kinds and guests. Raises StakesWrong,
    TooManyStakes.
    """
    if not isinstance(raw, list):
        raise StakesWrong(place=0, field="stakes")
    if len(raw) > STAKES_MOST:
        raise TooManyStakes(count=len(raw), most=STAKES_MOST)
    return sorted(
        (_read_stake(place, one) for place, one in enumerate(raw, 1)),
        key=lambda stake: (stake.box, stake.kind, stake.guest),
    )


def _read_stake(place: int, raw: object) -> Stake:
    if not isinstance(raw, dict) or set(raw) != {"box", "guest", "kind", "amount_minor"}:
        raise StakesWrong(place=place, field="box, guest, kind, amount_minor")
    box, guest, kind, amount = raw["box"], raw["guest"], raw["kind"], raw["amount_minor"]
    if type(box) is not int or not 1 <= box <= BOX_MOST:
        raise _wrong(place, "box", box, A_NUMBER, least=1, most=BOX_MOST)
    if (
        not isinstance(kind, str)
        or not 1 <= len(kind) <= 20
        or not kind.isascii()
        or not kind.isprintable()
    ):
        raise _wrong(place, "kind", kind, A_KIND)
    if type(amount) is not int or not 0 < amount <= AMOUNT_MAX_MINOR:
        raise _wrong(place, "amount_minor", amount, A_NUMBER, least=1, most=AMOUNT_MAX_MINOR)
    # as everybody writes it, at a fifth of what parsing it takes
    if type(guest) is str and _GUEST(guest):
        return Stake(box, guest, kind, amount)
    try:
        return Stake(box, str(UUID(guest)), kind, amount)
    except (AttributeError, TypeError, ValueError) as error:
        raise _wrong(place, "guest", guest, A_GUEST) from error


def _wrong(place: int, field: str, value: object, expected: str, **limits: int) -> StakeWrong:
    expects = {"sentence": expected, "data": limits}  # for people, in their language
    told = expected % limits if limits else expected
    return StakeWrong(place=place, field=field, value=sent(value), expected=told, expects=expects)


def _begin(house_id: UUID, table_id: UUID, round_id: UUID) -> tuple[UUID | None, dict[str, Any]]:
    """Hold the lock of the table's jackpot, then the table's row, and read what is decided on: in
    one trip, but by two statements, so that the second one sees what was committed while the first
    one waited.
    """
    shared, found = calls((_SHARE, [table_id, house_id]), (_CONTEXT, [table_id, round_id]))
    context: dict[str, Any] = orjson.loads(found[0]) if shared else {"house": None}
    if context["house"] != str(house_id):
        raise TableUnknown
    return UUID(shared[0]) if shared[0] else None, context


def _known(
    house_id: UUID, table_id: UUID, round_id: UUID, known: Mapping[str, str], asked: bytes
) -> dict[str, Any]:
    if known["table"] != str(table_id):
        raise RoundTaken
    if known["state"] == Round.State.WITHDRAWN:
        raise RoundWithdrawn
    if known["lock_hash"] != asked.hex():
        raise RoundTaken
    return round_answer(house_id=house_id, round_id=round_id)


def _check_table(
    context: Mapping[str, Any], croupier_id: UUID, *, supervisor: bool
) -> Mapping[str, Any]:
    session: Mapping[str, Any] | None = context["session"]
    if session is None:
        raise TableClosed
    if not supervisor and session["croupier"] != str(croupier_id):
        raise CroupierWrong
    if context["locked"]:
        raise RoundRunning
    return session


def _check_link(
    link: Mapping[str, Any], offered: Sequence[Stake], *, queued: bool, clarified: bool
) -> None:
    with_coins = any(stake.kind == "coin" for stake in offered)
    if queued:  # played before, and without coins: nothing of it may wait for the jackpot
        if link["offline"] == "stop" and not clarified:
            raise QueuedStopped
        if with_coins:
            raise QueuedCoins
    elif link["phase"] != Phase.OPEN and (
        with_coins or link["phase"] not in FROZEN or not _coins_alone_blocked(link)
    ):
        raise JackpotNotOpen
    elif with_coins and not link["displays"]:
        raise DisplayMissing


def _coins_alone_blocked(link: Mapping[str, Any]) -> bool:
    """Whether the house lets rounds without coins begin between a hit and the reopening (PRG-9)."""
    if link["jackpot_rules"] is None:
        return False
    rules = posted_of([link["jackpot_rules"]])["jackpot_rules"]
    return isinstance(rules, JackpotRules) and rules.blocked_after_hit == "coins"


def _keep(
    game: BankGame, rules: Rules, offered: Sequence[Stake], guests: Mapping[str, Sequence[Any]]
) -> list[AcceptedStake]:
    """What stays of each stake: all of it, or at shared boxes what the prime rule leaves (BOX-3,
    PRM-1, PRM-3).
    """
    for stake in offered:
        if stake.guest not in guests:
            raise GuestUnknown
    if not game.shared:
        return [AcceptedStake(stake, stake.amount_minor) for stake in offered]
    kept: list[AcceptedStake] = []
    for box, kind in dict.fromkeys((stake.box, stake.kind) for stake in offered):
        together = [stake for stake in offered if (stake.box, stake.kind) == (box, kind)]
        kept += _share_box(game, rules, together, guests)
    return kept


def _share_box(
    game: BankGame, rules: Rules, stakes: Sequence[Stake], guests: Mapping[str, Sequence[Any]]
) -> list[AcceptedStake]:
    # Who sits there since one of them left was no owner yet.
    owner = next((one for one, (box, *_) in guests.items() if box == stakes[0].box), None)
    standing = [
        BoxStake(s.guest, s.amount_minor, s.guest == owner, *guests[s.guest][1:]) for s in stakes
    ]
    by_guest = {one.guest: one for one in allocate(game.limits(rules, stakes[0].kind), standing)}
    return [
        AcceptedStake(
            stake,
            by_guest[stake.guest].accepted_minor,
            by_guest[stake.guest].rank,
            by_guest[stake.guest].reason.code,
            by_guest[stake.guest].reason.rule,
            by_guest[stake.guest].data,
            {"owner": place.owner, "seated": place.seated, "distance": place.distance},
        )
        for stake, place in zip(stakes, standing, strict=True)
    ]


def _cut(versions: Mapping[str, str], coins: int) -> Cut:
    funding = posted_of([versions["funding"]])["funding"]
    if not isinstance(funding, FundingSchedule):
        raise TypeError("a funding of another kind")
    return funding.cut(coins)


def _write(
    round_id: UUID,
    table_id: UUID,
    context: Mapping[str, Any],
    versions: Mapping[str, str],
    kept: Sequence[AcceptedStake],
    accepted: Sequence[Stake],
    asked: bytes,
    croupier_id: UUID,
    *,
    queued: bool,
) -> int:
    session, link = context["session"], context["link"]
    coins = {str(stake.box): stake.guest for stake in accepted if stake.kind == "coin"}
    data: dict[str, Any] = {
        "round": {
            "id": str(round_id),
            "house": context["house"],
            "table": str(table_id),
            "session": session["id"],
            "gaming_day": session["gaming_day"],
            "entry_level": session["entry_level"],
            "versions": versions,
            "jackpot": context["jackpot"],
            "epoch": link["epoch"] if link else None,
            "lock_hash": asked.hex(),
            "croupier": str(croupier_id),
            "queued": queued,
            "coins": coins,
        },
        "stakes": [k.to_data() | {"standing": k.standing} for k in kept],
    }
    if len(coins) != sum(stake.kind == "coin" for stake in accepted):
        # only one of them would be cut (PRG-1)
        raise ValueError("a game that lets two coins lie on one box")
    staked = sum(stake.amount_minor for stake in accepted if stake.kind != "coin")
    cuts = []
    if coins:
        cut = _cut(versions, len(coins))
        data["contribution"] = {"coins": len(coins), **cut._asdict()}
        cuts = [(cut.meter_minor, cut.reserve_minor, cut.house_minor, "")]
    lines = recipes.lock([(staked, "")] if staked else [], cuts)
    legs = legs_of(lines, context["accounts"])
    posting = Posting(
        f"round:{round_id}:lock", "lock", legs, subject_kind="round", subject_id=round_id
    )
    data["transfers"], places, accounts, amounts = posting_arguments([posting])
    try:
        with refusing(
            dict.fromkeys(
                ("tables_round_pkey", "round_number_once", "round_one_locked"), RoundRunning()
            )
        ):
            number = int(call(_WRITE, [orjson.dumps(data).decode(), places, accounts, amounts])[0])
    except RoundRunning:
        # a lock or a withdrawal came between, of this round or at this table: the next try sees
        # which
        start_again()
    return number
