"""Pits, tables with their sessions and guests, and a table as its tablet shows it."""

from datetime import datetime
from typing import Annotated, TypedDict
from uuid import UUID

from casino.api.schemas.answers import columns
from casino.api.schemas.common import Json, Minor, Paging, Person, Reason, codes
from casino.api.schemas.fields import Answer, Column, Default, Detail, digits, one_of, text, whole
from jackpot.models import Jackpot
from payouts.models import Count
from payouts.models import PostedTable as PostedRow
from tables import models
from tables.games import dealt_games
from tables.kinds import KINDS
from tables.selectors.calls import CALL_REASONS
from tables.services.parts import COUNT_KINDS, FLOOR_KINDS
from tables.services.rounds.lock import BOX_MOST

_NAMES = {
    "description": (
        "By kind, the name of the posted table that counts: exactly those that the game needs, and "
        + " and ".join(FLOOR_KINDS)
        + "; where it is counted "
        + ", ".join(COUNT_KINDS)
        + "."
    ),
    "additionalProperties": {"type": "string", "minLength": 2, "maxLength": 60},
}
_DEALT = {game.code: game for game in dealt_games()}
_LEVELS = tuple(dict.fromkeys(level for game in _DEALT.values() for level in game.levels))
Name = Annotated[str, text(1, 40)]
Position = Annotated[int, whole(0, 32_767), Default(0)]
EntryLevel = Annotated[str, text(1, 20, codes=_LEVELS)]
Box = Annotated[int | None, whole(1, BOX_MOST)]
Distance = Annotated[int, whole(0, 99)]
CallReason = Annotated[str | None, codes(CALL_REASONS)]


class PitCreate(TypedDict):
    name: Name
    position: Position


class _SetUp(TypedDict):
    pit: UUID
    name: Name
    boxes: Annotated[int, whole(1, max(game.boxes_most for game in _DEALT.values()))]
    posted: Annotated[Json, Detail(_NAMES)]


class TableCreate(_SetUp):
    game: Annotated[str, text(1, 20, codes=tuple(_DEALT))]
    position: Position


class TableChange(_SetUp):
    """All that a table is to be; `retired`: it opens no more."""

    position: Annotated[int, whole(0, 32_767)]
    retired: bool


class TableChangeRequest(TableChange):
    reason: Reason


class TableLink(TypedDict):
    jackpot: UUID | None


class TableOpen(TypedDict):
    croupier: UUID
    entry_level: Annotated[EntryLevel, Default("fast")]
    reason: Annotated[str, text(0, 500), Default("")]


class TableEnd(TypedDict):
    reason: Annotated[str, text(0, 500), Default("")]


class TableClosing(TableEnd):
    cards_complete: Annotated[bool, Default(value=False)]


class TableHandOver(TypedDict):
    croupier: UUID


class TableEntryLevel(TypedDict):
    entry_level: EntryLevel


class GuestArrive(TypedDict):
    box: Annotated[Box, Default(None)]
    seated: Annotated[bool, Default(value=False)]
    distance: Annotated[Distance, Default(0)]


class GuestMove(TypedDict):
    box: Box
    seated: bool
    distance: Distance


class Call(TypedDict):
    """Why the floor is called; nothing: it is seen to."""

    reason: Annotated[str, one_of("", *CALL_REASONS)]


class SurfaceQuery(TypedDict):
    """Whether the jackpot is told as well."""

    jackpot: Annotated[int, digits(0, 1), Default(0)]


class PostedTablesQuery(Paging):
    kind: Annotated[str, one_of("", *KINDS), Default("")]


class Pit(Answer):
    row = columns(models.Pit, "id house name position")


class Session(Answer):
    """A table from opening to closing."""

    row = columns(
        models.TableSession, "id table gaming_day entry_level croupier opened_at closed_at"
    )


class Table(Answer):
    """A table as it is set up: what its version of this number says, and its jackpot."""

    row = columns(models.Table, "id house pit name position game boxes version retired jackpot")
    posted: dict[str, str]


class VersionOfTable(Answer):
    """What a table is from the opening on before which it came; the newest counts when the table is
    closed.
    """

    row = columns(
        models.TableVersion,
        "id table number pit name position boxes retired approval created_at",
    )
    posted: dict[str, str]


class _RunningRound(Answer):
    row = columns(models.Round, "id locked_at")
    number: int


class TableNow(Table):
    """A table as it stands: session, who deals, the round that runs."""

    state: Annotated[str, codes(("open", "closed"))]
    session: Session | None
    croupier: Person | None
    running_round: _RunningRound | None


class HandOver(Answer):
    """Who has the table now, and who had it if that changed."""

    table: UUID
    from_croupier: UUID
    to_croupier: UUID


class _Place(Answer):
    row = columns(models.Guest, "id number box seated distance")


class Guest(_Place):
    row = columns(models.Guest, "session arrived_at left_at")


class FloorCall(Answer):
    table: UUID
    reason: CallReason


class PostedTable(Answer):
    row = columns(PostedRow, "id house kind name version in_force_from released_at data")


class _CallTaken(Answer):
    by: str
    at: datetime


class _Accepted(Answer):
    row = columns(models.RoundStake, "box guest kind placed source")
    amount_minor: Annotated[Minor, Column("accepted_minor")]


class NewestRound(Answer):
    """A round as its tablet shows it: which stakes lie there, and how it ended."""

    row = columns(models.Round, "id number state revision locked_at ended_at entry_level")
    called: bool
    correction_waits: bool
    stakes: list[_Accepted]
    result: Json | None
    fed: Json | None


class _Counting(Answer):
    """The count that freezes a tray: one that runs, or the signed closer of an open table."""

    row = columns(Count, "id purpose state begun_by")


class SessionTable(Answer):
    """What every table says of its session: who deals, whether the floor is called, whether its
    tray is counted, the versions that are played under.
    """

    at: datetime
    name: str
    session: Session | None
    croupier: Person | None
    call: CallReason
    call_taken: _CallTaken | None
    counting: _Counting | None
    jackpot: UUID | None
    offline: Annotated[str, codes(Jackpot.OFFLINE, "play")]
    versions: dict[str, UUID]


class TableCounting(SessionTable):
    """What every table says of its session, and no more."""


class Standing(SessionTable):
    """A table in one answer: session, guests, the newest round with stakes and result, the versions
    that are played under.
    """

    guests: list[_Place]
    round: NewestRound | None


class Surface(Standing):
    """A table in one answer, and what its socket would tell of the jackpot."""

    told: Json | None
