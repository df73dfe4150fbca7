"""Rounds: the stakes of a lock, a result, what becomes of them; and what the pit has to clarify."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.common import Json, Kept, Minor, Paging, Problem, Reason, Why, codes
from casino.api.schemas.fields import Answer, Default, Detail, Schema, one_of, text, whole
from casino.api.schemas.hands import HandStanding
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR
from tables import models
from tables.games import bank_games
from tables.games.base import BY_BOX, CARDS, HANDS_MOST
from tables.games.irregular import DECISIONS
from tables.models.rounds import SOURCES
from tables.services.rounds.lock import BOX_MOST, STAKES_MOST

ROUNDS_MOST = 50  # queued ones, in one request
AWAY_MOST = 99  # guests

Box = Annotated[int, whole(1, BOX_MOST)]
Amount = Annotated[int, whole(1, AMOUNT_MAX_MINOR)]
# of the lines that the caller saw and now puts right
Revision = Annotated[int | None, whole(1, 32_767), Default(None)]
Approval = Annotated[UUID | None, Default(None)]


def _fields(of_games: Iterable[Mapping[str, Schema]], says: str = "", **common: Schema) -> Schema:
    """An object with the fields that the games say, and common ones."""
    schema: Schema = {"description": says} if says else {}
    properties = {name: field for game in of_games for name, field in game.items()} | common
    return schema | {"type": "object", "properties": properties, "additionalProperties": False}


_Hand = Annotated[Any, Detail(CARDS)]
_BOX = _fields(game.box for game in bank_games())
Result = Annotated[
    Json,
    Detail(
        _fields(
            (game.result for game in bank_games()),
            "How a round ended: by its cards, or by what the croupier tapped; each game has its own"
            " fields.",
            feed={"type": "boolean"},
            boxes=BY_BOX | {"additionalProperties": _BOX},
        )
    ),
]
Cards = Annotated[Json, Detail(_fields(game.fed for game in bank_games()))]


class RoundsQuery(Paging):
    table: NotRequired[UUID]
    session: NotRequired[UUID]
    gaming_day: NotRequired[date]


class Stake(TypedDict):
    box: Box
    guest: UUID
    kind: Annotated[str, Detail({"minLength": 1, "maxLength": 20, "pattern": "^[ -~]{1,20}$"})]
    amount_minor: Amount


Stakes = Annotated[list[Stake], Detail({"maxItems": STAKES_MOST})]


class Lock(TypedDict):
    stakes: Stakes


# of a supervisor: why it is taken though the feed contradicts it
WhyAgainst = Annotated[str, text(0, 500), Default("")]


class PaidAtBox(TypedDict):
    """What a tablet has a box paid, in minor units: stakes that go back, wins and prizes."""

    box: Box
    paid_minor: Annotated[int, whole(0, AMOUNT_MAX_MINOR)]


# for the pit's page of what was refused; what is booked the server reckons itself
Reckoned = Annotated[list[PaidAtBox], Detail({"maxItems": BOX_MOST}), Default([])]


class Settle(TypedDict):
    """The result of a round. `keep`: whatever refuses it, a tablet's result is kept for the pit.
    `reckoned`: what the tablet had the boxes paid. `reason`: a supervisor's, why it is taken though
    the feed contradicts it; `approval`: of the second person who has looked at that.
    """

    result: Result
    reckoned: Reckoned
    keep: Annotated[bool, Default(value=False)]
    reason: WhyAgainst
    approval: Approval


class Placement(TypedDict, total=False):
    """A stake that comes after the lock, as the round's game reads it. `amount_minor`: of an
    insurance. `instead_of`: for whom the guest doubles, or whose second hand the guest takes.
    `hand`: the hand that is doubled or split, 1 where it is left out; who follows a split names the
    hand that was split, not the new one. `bank`: the bank's first card; `cards`: those of the hand.
    `away`: guests who are not at the table at the moment.
    """

    box: Box
    guest: UUID
    act: Annotated[str, Detail({"maxLength": 20})]
    hand: Annotated[int, whole(1, HANDS_MOST)]
    amount_minor: Annotated[int, whole(0, AMOUNT_MAX_MINOR)]
    instead_of: UUID | None
    bank: _Hand
    cards: _Hand
    away: Annotated[list[UUID], Detail({"maxItems": AWAY_MOST})]


class CorrectedStake(Placement, total=False):
    """A stake that came after the lock, in a correction. `placed`, alone: the number of one that
    lies there and stays, as it is and unasked; else as it is placed, on those that stay.
    """

    placed: Annotated[int, whole(1, 32_767)]


class Place(TypedDict):
    """`reason`: a supervisor's, why it is taken though the feed contradicts it."""

    placement: Placement
    reason: WhyAgainst


_KINDS = list(dict.fromkeys(code for game in bank_games() for code in game.irregularities))


class Irregular(TypedDict):
    """What went wrong, as the round's game lists it, and a decision that it allows. `box`, `hand`:
    where it happened, if it was at one; `card`: the card that it is about, if it is known.
    """

    kind: Annotated[str, one_of(*_KINDS)]
    decision: Annotated[str, one_of(*DECISIONS)]
    reason: Reason
    box: Annotated[int | None, whole(1, BOX_MOST), Default(None)]
    hand: Annotated[int | None, whole(1, HANDS_MOST), Default(None)]
    card: Annotated[str, text(0, 2), Default("")]


class TakeBack(TypedDict):
    """Which stake is taken back, by its number after the lock: the newest that lies there.
    `reason`: a supervisor's, why it goes back though the feed has read on.
    """

    placed: Annotated[int, whole(1, 32_767)]
    reason: WhyAgainst


class Void(Why):
    approval: Approval


class CorrectionRequest(TypedDict):
    """A round as it should have been settled. `placed`: all that should have come after its lock,
    in its order; what lies there already by its number. Left out, its stakes stay as they are.
    """

    result: Result
    reason: Reason
    revision: Revision
    placed: Annotated[list[CorrectedStake] | None, Detail({"maxItems": STAKES_MOST}), Default(None)]


class Correction(CorrectionRequest):
    approval: Approval


class LateAward(TypedDict):
    box: Box
    amount_minor: Amount
    reason: Reason


class Override(TypedDict):
    """What a guest is paid, for a box of a settled round, beside what the rules give."""

    box: Box
    guest: UUID
    amount_minor: Amount
    reason: Reason


class Feed(TypedDict):
    cards: Cards


class QueuedRound(TypedDict):
    """A round that was played without the server. `placed`: what came after its lock, in its order.
    `reckoned`: what the tablet had the boxes paid. `locked_at`: by the clock of the device that had
    no other.
    """

    round: UUID
    stakes: Stakes
    placed: Annotated[list[Placement], Detail({"maxItems": STAKES_MOST}), Default([])]
    result: Result
    reckoned: Reckoned
    locked_at: Annotated[str, text(20, 30), Default("")]


class Queued(TypedDict):
    rounds: Annotated[list[QueuedRound], Detail({"maxItems": ROUNDS_MOST})]


class Dismissed(Why):
    """`never_played`: no card was dealt, and all chips went back; asked for where the books would
    take it.
    """

    never_played: Annotated[bool, Default(value=False)]


class ToClarifyQuery(Paging):
    state: Annotated[
        str, one_of(*models.ReviewItem.State.values), Default(models.ReviewItem.State.OPEN.value)
    ]


class Present(Answer):
    """How the round stands now."""

    row = columns(models.Round, "state revision")


class _StakeLeft(Answer):
    row = columns(
        models.RoundStake,
        "box guest kind offered_minor accepted_minor returned_minor rank reason rule placed source"
        " takes_back",
    )
    data: Any


class _Line(Answer):
    row = columns(
        models.RoundLine,
        "place box guest kind stake_minor returned_minor won_minor prize_minor odds hand paid_by"
        " code rule",
    )
    paid_minor: Minor


class Round(TypedDict):
    """As the command left it. One that was withdrawn before its lock came has no stakes."""

    id: UUID
    table: UUID
    number: NotRequired[int | None]
    state: Annotated[str, codes(models.Round.State.values)]
    revision: NotRequired[int]
    stakes: NotRequired[list[_StakeLeft]]
    lines: NotRequired[list[_Line]]


class RoundRow(Answer):
    """A round as lists show it."""

    row = columns(
        models.Round,
        "id house table session number state revision entry_level queued croupier locked_at"
        " ended_at ended_by reason",
    )


class StakeInWords(_StakeLeft):
    """A stake: what was offered, what stayed, and why not all of it. `placed`: its number after the
    lock; `takes_back`: that of the stake which it takes back, and in whose place it stands here.
    """

    revision: int
    words: str


class LineInWords(_Line):
    """What became of a stake, with the rule and the words."""

    words: str


class Irregularity(Answer):
    """What went wrong in a round, and what was decided about it."""

    row = columns(models.Irregularity, "id round kind decision box hand card reason recorded_by at")


class RoundWhole(RoundRow):
    """A round with its stakes, result and lines, and what went wrong in it."""

    stakes: list[StakeInWords]
    result: Json | None
    source: Annotated[str | None, codes(SOURCES)]
    lines: list[LineInWords]
    irregularities: list[Irregularity]


class CardFeed(Answer):
    row = columns(models.CardFeed, "round cards at")


class _QueuedTaken(Answer):
    round: UUID
    outcome: Annotated[str, codes(("taken", "known", "to_clarify", "refused"))]
    answer: Round | None
    problem: Problem | None
    to_clarify: Kept | None


class QueuedAnswer(Answer):
    rounds: list[_QueuedTaken]


class ToClarify(Answer):
    """Something that the pit has to look at, as it came."""

    row = columns(
        models.ReviewItem,
        "id table round payload code sent_by received_at closed_by closed_at reason",
    )
    kind: Annotated[str, codes(("lock", "settle", "queued", "withdraw", "hand_end"))]
    state: Annotated[str, codes(models.ReviewItem.State.values)]
    data: Any


class ClosedTogether(Answer):
    """How many entries were closed: those that are in the books, and those that were dismissed."""

    booked: int
    dismissed: int


class Taken(Answer):
    """What was booked after all, a round or a hand, and its entry."""

    round: Round | None
    hand: HandStanding | None
    entry: ToClarify
