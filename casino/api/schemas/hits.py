"""Hits with their claims, splits and awards, and the slips that pay them."""

from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.approvals import Approval, Pin
from casino.api.schemas.common import Json, Minor, Paging, Reason, codes
from casino.api.schemas.fields import Answer, Default, Detail, Field, WrongError, one_of, whole
from casino.api.schemas.jackpots import Gate
from jackpot import models
from jackpot.rules import slip_number
from jackpot.rules.jackpot_rules import CHECKS
from jackpot.services.verify import NOTE_MOST
from payouts.errors import mark
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR

A_SLIP_NUMBER = mark(
    "the number of a slip as it is written, such as 118, or 118-6B02EB8D after a restore"
)
_CHECKLIST = {
    "properties": {
        one: {"type": "string", "minLength": 1, "maxLength": NOTE_MOST} for one in CHECKS
    },
    "additionalProperties": False,
    "description": (
        "A note to each item that the house's rules ask for (`checklist` of the hit), and to no"
        " other."
    ),
}


def _number(value: Any, _name: str) -> tuple[int, int]:
    found = slip_number.read(value)
    if found is None:
        raise WrongError
    return found


class HitsQuery(Paging):
    jackpot: NotRequired[UUID]


class Verified(TypedDict):
    checklist: Annotated[Json, Detail(_CHECKLIST)]


class SlipsQuery(Paging):
    """Slips in a state, or the one with a number: as it is written, with its incarnation."""

    state: Annotated[str, one_of("", *models.Slip.State.values), Default("")]
    number: NotRequired[
        Annotated[
            tuple[int, int],
            Field(_number, A_SLIP_NUMBER, {"type": "string", "pattern": slip_number.PATTERN}),
        ]
    ]


class Pay(TypedDict):
    cash_minor: Annotated[int, whole(0, AMOUNT_MAX_MINOR)]
    secret: Pin


class TakeBack(TypedDict):
    reason: Reason
    secret: Pin


class SlipCancel(TypedDict):
    how: Annotated[str, one_of(*models.Slip.CANCELS)]
    reason: Reason


class SlipOfAward(Answer):
    """`written` is the number as it stands on paper; `to_pay_minor` the amount in coins that exist;
    `cash_minor` what was paid.
    """

    row = columns(
        models.Slip,
        "id house number incarnation state due_on made_at paid_at paid_by cash_minor cancelled_at"
        " reason",
    )
    written: str
    to_pay_minor: Minor
    cancelled_as: Annotated[str, codes(models.Slip.CANCELS, "")]


class _Award(Answer):
    row = columns(
        models.Award, "id jackpot hit claim prize kind amount_minor round table box guest reason at"
    )


class Slip(SlipOfAward):
    """What the cage pays: `written` is the number on paper, `to_pay_minor` in coins that exist,
    `cash_minor` what was paid.
    """

    award: _Award


class AwardPaid(_Award):
    """What a guest is owed, with its slip."""

    slip: SlipOfAward


class Claim(Answer):
    """A claim with what was noted and decided about it; `dealers` sign nothing about its hit."""

    row = columns(
        models.Claim,
        "id hit number round table box guest origin state dealers checklist made_by made_at"
        " decided_by decided_at reason",
    )


class HitRow(Answer):
    """A hit as lists show it."""

    row = columns(
        models.Hit, "id house jackpot number state shown_minor begun_at drained_at ended_at reason"
    )


class ListedRound(Answer):
    """A round that ran when the hit began: while one is running, the hit waits."""

    round: UUID
    table: UUID
    name: str
    running: bool
    ended_as: str
    ended_at: datetime | None


class _Share(Answer):
    row = columns(models.Share, "claim share_minor")


class Split(Answer):
    """A revision of what each claim gets; the newest counts."""

    row = columns(
        models.Split,
        "revision sum_minor won_minor unit_minor remainder_minor carried_minor overflow_minor"
        " shortfall_minor at",
    )
    shares: list[_Share]


class _OnGate(Answer):
    row = columns(models.GateDisplay, "display name state at shown reason")


class GateAfter(Gate):
    """The newest gate after a hit, and which displays have shown its value."""

    row = columns(models.Gate, "ended_at")
    displays: list[_OnGate]


class HitWhole(HitRow):
    """A hit with its whole life."""

    checklist: list[str]
    rounds: list[ListedRound]
    claims: list[Claim]
    splits: list[Split]
    approvals: list[Approval]
    awards: list[AwardPaid]
    gate: GateAfter | None
