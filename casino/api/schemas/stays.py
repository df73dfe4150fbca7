"""Guests at the seats of a poker table: what is commanded, and the table as its tablet shows it."""

from datetime import date, datetime
from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.common import Json, Minor, codes
from casino.api.schemas.fields import Answer, Default, Detail, by_command, ids, text, whole
from casino.api.schemas.floor import SessionTable
from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from tables.games.poker.rules import FEES
from tables.games.poker.variants import SEATS_MOST, VARIANTS
from tables.models.stays import BOUGHT, GIVEN

Seat = Annotated[int, by_command(whole(1, SEATS_MOST))]
Amount = Annotated[int, by_command(whole(1, MAXIMUM_MINOR))]
Counted = Annotated[int, by_command(whole(0, MAXIMUM_MINOR))]


class StayBegin(TypedDict):
    seat: Seat
    amount_minor: Amount
    means: Annotated[str, text(1, 20, codes=BOUGHT)]


class StayChipsMove(TypedDict):
    kind: Annotated[str, text(1, 20, codes=("top_up", "tip"))]
    amount_minor: Amount
    means: Annotated[str, text(1, 20, codes=("cash", "chips", "stack"))]


class StayMove(TypedDict):
    """`table`: null for another seat of the same one; `counted_minor`: the chips that the guest
    takes to another one."""

    seat: Seat
    table: Annotated[UUID | None, Default(None)]
    counted_minor: Annotated[Counted, Default(0)]


class StayLeave(TypedDict):
    """`waived`: why half hours that are due are not paid."""

    counted_minor: Counted
    waived: Annotated[str, text(0, 500), Default("")]


class StacksCount(TypedDict):
    """`stacks`: what is counted, by the stay of each guest who sits there; `missing_minor`: the
    difference that the floor signs, null for none.
    """

    stacks: Annotated[
        Json,
        Detail(
            {
                "type": "object",
                "maxProperties": SEATS_MOST,
                "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MAXIMUM_MINOR},
            }
        ),
    ]
    missing_minor: Annotated[int | None, whole(-MAXIMUM_MINOR, MAXIMUM_MINOR), Default(None)]


class _CountedStack(Answer):
    stay: UUID
    counted_minor: Minor
    difference_minor: Minor


class StacksCounted(Answer):
    """What lies before each guest, by seat, and how far that was from the books; together
    `missing_minor` is what the books have on the table besides.
    """

    stacks: list[_CountedStack]
    counted_minor: Minor
    missing_minor: Minor


class TimeCollect(TypedDict):
    """`stays`: null for all."""

    stays: Annotated[list[UUID] | None, ids(SEATS_MOST), Default(None)]
    means: Annotated[str, text(1, 20, codes=GIVEN)]


class _StayTime(Answer):
    """Half hours that are due now, and until when the others are paid."""

    half_hours: int
    amount_minor: Minor
    paid_until: datetime


class Stay(Answer):
    """A guest at a seat. `bought_minor`: buy-in, top-ups and chips from another table;
    `stack_minor`: what is booked before them; `time`: null where it is free, or the guest has left.
    """

    id: UUID
    number: int
    seat: int | None
    state: Annotated[str, codes(("playing", "away", "left"))]
    began_at: datetime
    away_since: datetime | None
    bought_minor: Minor
    stack_minor: Minor
    time: _StayTime | None


class StayLeaving(Answer):
    """What a guest leaves with, how far that is from what is booked, and what was due for time."""

    stay: UUID
    counted_minor: Minor
    difference_minor: Minor
    time_minor: Minor


class _TimePayment(Answer):
    stay: UUID
    half_hours: int
    amount_minor: Minor


class TimePayments(Answer):
    """Half hours that guests have paid."""

    payments: list[_TimePayment]


class _Game(Answer):
    variants: list[Annotated[str, codes(VARIANTS)]]
    seats: int
    chip_minor: Minor
    buy_in_least_minor: Minor
    buy_in_most_minor: Minor | None
    fee: Annotated[str, codes((*FEES, "nothing"))]


class _Charge(Answer):
    half_hour_minor: Minor
    means: Annotated[str, codes(GIVEN)]


class _LastHand(Answer):
    """`button`: the seat that had it, null where it was not entered."""

    id: UUID
    number: int
    button: int | None
    variant: Annotated[str, codes(VARIANTS)]


class SeatsStanding(SessionTable):
    """A poker table in one answer: session, what is posted there, who sits at which seat, the
    newest hand. `carried_minor`: antes of hands before, in the next pot. What belongs to a session
    is null while the table is closed.
    """

    table: UUID
    gaming_day: date | None
    entry_level: str | None
    game: _Game | None
    time: _Charge | None
    tips_from_stack: bool
    stays: list[Stay]
    carried_minor: Minor
    last_hand: _LastHand | None


class SeatsSurface(SeatsStanding):
    """A poker table in one answer; `told` is null, as no jackpot is linked there."""

    told: Json | None


class _FreeSeats(Answer):
    """An open poker table, and its seats at which nobody sits."""

    id: UUID
    name: str
    seats: list[int]


class FreeSeats(Answer):
    """The other open poker tables of the house, in the order of the floor."""

    tables: list[_FreeSeats]
