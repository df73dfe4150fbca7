"""Jackpots with their meters and displays, and what people do to one as a whole."""

from datetime import datetime
from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.common import Minor, Reason, codes
from casino.api.schemas.fields import Answer, Default, text, whole
from jackpot import models
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR

PostedName = Annotated[str, text(2, 60)]
Offline = Annotated[str, text(1, 20, codes=tuple(models.Jackpot.OFFLINE))]


class JackpotCreate(TypedDict):
    name: PostedName
    progressive: PostedName
    funding: PostedName
    rules: Annotated[str, text(0, 60), Default("")]
    offline_linked: Annotated[Offline, Default("stop")]


class Parameters(TypedDict):
    offline_linked: Offline


class Adjust(TypedDict):
    amount_minor: Annotated[int, whole(-AMOUNT_MAX_MINOR, AMOUNT_MAX_MINOR)]
    reason: Reason


class Retire(TypedDict):
    to: UUID
    reason: Reason


class DisplayRequire(TypedDict):
    display: UUID


class Jackpot(Answer):
    """A jackpot's parameters and phase."""

    row = columns(models.Jackpot, "id house name progressive funding rules offline_linked phase")
    kept_phase: Annotated[str, codes(models.Phase.values, "")]


class _HitNow(Answer):
    row = columns(models.Hit, "id number state")


class Gate(Answer):
    """A new value that displays have to show first; its nonce is for them alone."""

    row = columns(models.Gate, "number state version amount_minor made_at")


class JackpotNow(Jackpot):
    """A jackpot with its meter, the hit and the gate at hand."""

    row = columns(models.Jackpot, "phase_at incarnation")
    epoch: int
    version: int
    shown_minor: Minor
    hit: _HitNow | None
    gate: Gate | None


class _LastHit(Answer):
    row = columns(models.Hit, "number state shown_minor begun_at ended_at")
    won_minor: int | None


class _Hour(Answer):
    table: UUID
    hour: datetime
    rounds: int
    coins: int


class ControllerMeters(Answer):
    """Controller meters, with the hours in which tables fed more than they can."""

    coins: int
    coins_in_minor: Minor
    hits: int
    hits_paid: int
    won_minor: Minor
    overflow_minor: Minor
    reserve_minor: Minor
    last_hits: list[_LastHit]
    unreasonable: list[_Hour]


class RequiredDisplay(Answer):
    row = columns(models.RequiredDisplay, "display name added_at")


class Display(Answer):
    """In service or revoked, since when it is required, what it said last, what the gate at hand
    knows of it.
    """

    display: UUID
    name: str
    in_service: bool
    required_since: datetime | None
    seen_at: datetime | None
    shown: str
    version: int | None
    gate: Annotated[str | None, codes(models.GateDisplay.State.values)]
