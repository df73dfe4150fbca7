"""Counts of a tray and of a drop box by the piece."""

from datetime import datetime
from typing import Annotated, NotRequired, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.approvals import Pin
from casino.api.schemas.common import Json, Minor, Paging
from casino.api.schemas.fields import Answer, Default, Detail, one_of, text, whole
from payouts import models
from payouts.models.count import PIECES_MOST
from payouts.rules.cash import DENOMINATIONS_MOST as CASH_MOST
from payouts.rules.rulesets.chips import DENOMINATIONS_MOST, HIGHEST_MINOR
from tables.models import Table

_LINE = {
    "type": "object",
    "required": ["value_minor", "pieces"],
    "additionalProperties": False,
    "properties": {
        "value_minor": {"type": "integer", "minimum": 1, "maximum": HIGHEST_MINOR},
        "pieces": {"type": "integer", "minimum": 0, "maximum": PIECES_MOST},
    },
}
_LINES = {
    "description": "Each denomination of the table's chip set once, also those of 0 pieces.",
    "maxItems": DENOMINATIONS_MOST,
    "items": _LINE,
}
_CASH_LINES = {
    "description": "Each note and coin of the house's currency once, also those of 0 pieces.",
    "maxItems": CASH_MOST,
    "items": _LINE,
}


class CountBegin(TypedDict):
    purpose: Annotated[str, text(1, 20, codes=models.Count.Purpose.values)]


class CountEnter(TypedDict):
    """`secret`: the PIN of the person who asks, and has counted."""

    lines: Annotated[list[Json], Detail(_LINES)]
    secret: Pin


class CountWitness(TypedDict):
    """`entry`: the number of what the witness saw; `person` (one whom the tablet offers) or
    `username`: the witness at a table, by the PIN `secret`; elsewhere it is the caller.
    """

    entry: Annotated[int, whole(1, 32_767)]
    ok: bool
    person: Annotated[UUID | None, Default(None)]
    username: Annotated[str, text(0, 150), Default("")]
    secret: Pin


class CountsQuery(Paging):
    table: NotRequired[UUID]
    state: Annotated[str, one_of("", *models.Count.State.values), Default("")]


class _CountLine(Answer):
    value_minor: Minor
    pieces: int


class _CountEntry(Answer):
    number: int
    counter: UUID
    value_minor: Minor
    entered_at: datetime
    lines: list[_CountLine]


class _Signed(Answer):
    """What the books had when both had signed, and how far the count is from it."""

    row = columns(
        models.CountSignature, "counter witness recorded_minor difference_minor signed_at"
    )


class CountStanding(Answer):
    """A count with all that was entered. `place_id`: the table; `signed`: null until both have
    signed an entry that stands.
    """

    row = columns(
        models.Count,
        "id place_kind place_id session_id purpose gaming_day state begun_by begun_at ended_by"
        " ended_at",
    )
    entries: list[_CountEntry]
    signed: _Signed | None


class DropProof(TypedDict):
    """`secret`: the PIN of the person who asks."""

    secret: Pin


class DropPieces(DropProof):
    lines: Annotated[list[Json], Detail(_CASH_LINES)]


class DropAgreement(DropProof):
    """`entry`: the number of what both have counted together."""

    entry: Annotated[int, whole(1, 32_767)]
    ok: bool


class DropBoxStanding(Answer):
    """The drop box of a table (`id`). `is_waiting`: something lies in it by the books; `count`: the
    one that runs; `counted_at`: when the last was signed.
    """

    row = columns(Table, "id name retired")
    is_waiting: bool
    count: UUID | None
    counted_at: datetime | None


class DropCountStanding(Answer):
    """A count of a drop box. `counters`: who has counted, the first and the second; `differ`: the
    denominations of which the two have not counted as many; `together`: what they have counted
    together, while it waits for a signature. `entries` are empty and `signed` is null until both
    have signed.
    """

    row = columns(
        models.Count,
        "id place_id session_id gaming_day state begun_by begun_at ended_by ended_at",
    )
    counters: list[UUID]
    differ: list[Minor]
    together: _CountEntry | None
    entries: list[_CountEntry]
    signed: _Signed | None
