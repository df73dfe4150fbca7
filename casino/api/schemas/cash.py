"""Buy-ins and tips at a table."""

from datetime import datetime
from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.common import codes
from casino.api.schemas.fields import Answer, Default, by_command, moment, text, whole
from casino.api.schemas.floor import Box
from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from tables import models
from tables.services.cash.kinds import KINDS


class TipEnter(TypedDict):
    """`id`: a new one of the client's own; `session`: in which it was entered, null for the one
    that runs; `queued_at`: when the table entered it, where it comes later.
    """

    id: UUID
    amount_minor: Annotated[int, by_command(whole(1, MAXIMUM_MINOR))]
    session: Annotated[UUID | None, Default(None)]
    queued_at: Annotated[datetime | None, moment(), Default(None)]


class BuyInEnter(TipEnter):
    """As a tip; `box`: of the layout, null where it is not said."""

    box: Annotated[Box, Default(None)]


class CashTakeBack(TypedDict):
    """`reason`: what a pit boss gives."""

    reason: Annotated[str, text(0, 500), Default("")]


class TableEntry(Answer):
    """A buy-in or a tip; `alone_until`: so long its croupier takes it back alone."""

    row = columns(models.Tip, "id session croupier amount_minor queued_at at")
    kind: Annotated[str, codes(KINDS)]
    box: int | None
    alone_until: datetime
    taken_back_at: datetime | None
