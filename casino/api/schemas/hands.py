"""Hands of poker: what is commanded, and what became of them."""

from datetime import datetime
from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.common import Json, Minor, Reason, codes
from casino.api.schemas.fields import (
    Answer,
    Column,
    Default,
    Detail,
    Schema,
    by_command,
    ids,
    moment,
    text,
    whole,
)
from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from tables import models
from tables.games.poker.entered import STREETS_MOST
from tables.games.poker.irregular import HAND_CASES, HAND_DECISIONS
from tables.games.poker.reading import CARDS_MOST
from tables.games.poker.variants import SEATS_MOST, VARIANTS
from tables.models.hands import ENTRY_WRONG, HAND_CORRECTIONS, HandState
from tables.models.pots import HALVES

Amount = Annotated[int | None, by_command(whole(0, MAXIMUM_MINOR)), Default(None)]
Variant = Annotated[str | None, text(1, 20, codes=tuple(VARIANTS)), Default(None)]
Revision = Annotated[int, whole(1, 32_767)]


def _items(schema: Schema, most: int) -> Schema:
    return {"type": "array", "maxItems": most, "items": schema}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


_MINOR: Schema = {"type": "integer", "minimum": 0, "maximum": MAXIMUM_MINOR}
_SEAT: Schema = {"type": "integer", "minimum": 1, "maximum": SEATS_MOST}
_SEATS = _items(_SEAT, SEATS_MOST)
_CARDS: Schema = {"type": "string", "maxLength": CARDS_MOST}
_BY_SEAT = {"type": "object", "propertyNames": {"pattern": "^[0-9]{1,2}$"}}
_SHARE = _object(
    seat=_SEAT,
    half={"type": "string", "enum": [*HALVES]},
    amount_minor=_MINOR,
    odd_minor=_MINOR,
)
_RESULT = _object(
    uncalled={"oneOf": [_object(seat=_SEAT, amount_minor=_MINOR), {"type": "null"}]},
    pots=_items(
        _object(amount_minor=_MINOR, rake_minor=_MINOR, shares=_items(_SHARE, 2 * SEATS_MOST)),
        SEATS_MOST,
    ),
)
Pots = Annotated[
    Json | None,
    Default(None),
    Detail(
        _object(
            seats=_SEATS,
            stacks_minor=_items(_MINOR, SEATS_MOST),
            button=_SEAT | {"minimum": 0},
            streets=_items(
                _object(to_minor=_MINOR, folds=_BY_SEAT | {"additionalProperties": _MINOR}),
                STREETS_MOST,
            ),
            dead=_BY_SEAT | {"additionalProperties": _MINOR},
            winners=_items(_object(high=_SEATS, low=_SEATS), SEATS_MOST),
            board=_CARDS,
            hands=_BY_SEAT | {"additionalProperties": _CARDS},
            passed={"type": "boolean"},
            carried_minor=_MINOR,
            expects=_RESULT,
        )
        | {
            "description": "A hand whose pots are entered. `seats`, `stacks_minor`: of those who"
            " were dealt in, in their order. Of each street what was to be matched, and by seat"
            " what who folded had paid in it. `winners`: of each pot, the main pot first."
            " `passed`: nobody opened, and the antes are carried; `carried_minor`: those of hands"
            " before, which lie in the pot.",
        }
    ),
]


class HandPlayed(TypedDict):
    """Who was dealt in, and the fee by a key (`rake_minor`), or the pot, whose fee the schedule
    says; or all of it (`pots`), where the table is entered so. `walk`: everybody folded to the
    blind. `variant`: null where one is posted alone.
    """

    dealt: Annotated[list[UUID], ids(SEATS_MOST)]
    rake_minor: Amount
    pot_minor: Amount
    flop: Annotated[bool, Default(value=True)]
    walk: Annotated[bool, Default(value=False)]
    variant: Variant
    pots: Pots


class HandBegin(TypedDict):
    """A hand at *pots* as it begins. `number`: as the tablet counts; `button`: the seat that has
    it, 0 where there is none.
    """

    number: Annotated[int, whole(1, 2_147_483_647)]
    button: Annotated[int, whole(0, SEATS_MOST), Default(0)]
    dealt: Annotated[list[UUID], ids(SEATS_MOST)]
    variant: Variant


class HandRunning(Answer):
    """A hand that runs, `since` when; `dealt`: stays of those who are dealt in, by seat."""

    id: Annotated[UUID, Column("hand_id")]
    number: int
    button: int
    variant: str
    dealt: list[UUID]
    since: Annotated[datetime, Column("at")]


class HandEnd(HandPlayed):
    """`began_at`: by the tablet's clock. `queued`: played while the table had no server; where it
    is refused from a tablet it waits to be clarified.
    """

    began_at: Annotated[datetime | None, moment(), Default(None)]
    queued: Annotated[bool, Default(value=False)]


class HandCorrectionRequest(HandPlayed):
    """`correction`: whether only the book was wrong, or chips are carried to another seat."""

    revision: Revision
    reason: Reason
    correction: Annotated[str, text(1, 20, codes=HAND_CORRECTIONS), Default(ENTRY_WRONG)]


class HandCorrection(HandCorrectionRequest):
    approval: Annotated[UUID | None, Default(None)]


class HandVoidRequest(TypedDict):
    revision: Revision
    reason: Reason


class HandVoid(HandVoidRequest):
    approval: UUID


class HandOverrideRequest(HandVoidRequest):
    """What a guest of a hand is paid beside what it gave them."""

    stay: UUID
    amount_minor: Annotated[int, by_command(whole(1, MAXIMUM_MINOR))]


class HandStanding(Answer):
    """A hand as it stands. `posted_minor`: what the schedule gives for the pot; null where the pot
    is not known. `passed`: all passed it in. `pots`: its result, null where its pots are not
    entered.
    """

    id: UUID
    table: UUID
    number: int
    state: Annotated[str, codes(HandState.values)]
    revision: int
    variant: str
    players: int
    flop: bool
    walk: bool
    pot_minor: Minor | None
    posted_minor: Minor | None
    rake_minor: Minor
    passed: bool
    pots: Annotated[Json | None, Detail(_RESULT)]
    ended_at: datetime


class HandEntered(Answer):
    """What was entered of a hand in one revision: who was dealt in, its pot and fee, by whom;
    `correction`: its kind, empty of what ended the hand.
    """

    revision: int
    dealt: list[UUID]
    flop: bool
    walk: bool
    pot_minor: Minor | None
    posted_minor: Minor | None
    rake_minor: Minor
    pots: Annotated[Json | None, Column("entered")]
    correction: Annotated[str, codes(("", *HAND_CORRECTIONS))]
    entered_by: UUID
    reason: str
    at: datetime


class HandWhole(HandStanding):
    """A hand as it stands, and all that was entered of it, the first entry first."""

    croupier: UUID
    queued: bool
    entries: list[HandEntered]


class HandIrregular(TypedDict):
    """What went wrong, as the list has it (POK-9), and a decision that the rule allows; `override`:
    the floor decides otherwise. `hand`: null between two hands; `seat`: where it happened, `card`:
    the card that it is about, if it is known.
    """

    hand: Annotated[UUID | None, Default(None)]
    kind: Annotated[str, text(1, 20, codes=tuple(HAND_CASES))]
    decision: Annotated[str, text(1, 20, codes=tuple(HAND_DECISIONS))]
    reason: Reason
    seat: Annotated[int | None, by_command(whole(1, SEATS_MOST)), Default(None)]
    card: Annotated[str, text(0, 2), Default("")]
    override: Annotated[bool, Default(value=False)]


class RecordedIrregularity(Answer):
    """What went wrong at a poker table, and what was decided about it; `rule`: what the rule says
    of it, in words.
    """

    row = columns(
        models.HandIrregularity, "id hand kind decision seat card override reason recorded_by at"
    )
    rule: str
