"""Hands of poker: what is commanded, and what became of them."""

from datetime import datetime
from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.common import Minor, Reason, codes
from casino.api.schemas.fields import Answer, Default, by_command, ids, moment, text, whole
from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from tables.games.poker.variants import SEATS_MOST, VARIANTS
from tables.models.hands import HandState

Amount = Annotated[int | None, by_command(whole(0, MAXIMUM_MINOR)), Default(None)]
Variant = Annotated[str | None, text(1, 20, codes=tuple(VARIANTS)), Default(None)]
Revision = Annotated[int, whole(1, 32_767)]


class HandPlayed(TypedDict):
    """Who was dealt in, and the fee by a key (`rake_minor`), or the pot, whose fee the schedule
    says. `walk`: everybody folded to the blind. `variant`: null where one is posted alone.
    """

    dealt: Annotated[list[UUID], ids(SEATS_MOST)]
    rake_minor: Amount
    pot_minor: Amount
    flop: Annotated[bool, Default(value=True)]
    walk: Annotated[bool, Default(value=False)]
    variant: Variant


class HandEnd(HandPlayed):
    """`began_at`: by the tablet's clock. `queued`: played while the table had no server; where it
    is refused from a tablet it waits to be clarified.
    """

    began_at: Annotated[datetime | None, moment(), Default(None)]
    queued: Annotated[bool, Default(value=False)]


class HandCorrectionRequest(HandPlayed):
    revision: Revision
    reason: Reason


class HandCorrection(HandCorrectionRequest):
    approval: Annotated[UUID | None, Default(None)]


class HandVoidRequest(TypedDict):
    revision: Revision
    reason: Reason


class HandVoid(HandVoidRequest):
    approval: UUID


class HandStanding(Answer):
    """A hand as it stands. `posted_minor`: what the schedule gives for the pot; null where the pot
    is not known.
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
    ended_at: datetime


class HandEntered(Answer):
    """What was entered of a hand in one revision: who was dealt in, its pot and fee, by whom."""

    revision: int
    dealt: list[UUID]
    flop: bool
    walk: bool
    pot_minor: Minor | None
    posted_minor: Minor | None
    rake_minor: Minor
    entered_by: UUID
    reason: str
    at: datetime


class HandWhole(HandStanding):
    """A hand as it stands, and all that was entered of it, the first entry first."""

    croupier: UUID
    queued: bool
    entries: list[HandEntered]
