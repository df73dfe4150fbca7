"""The shape of a report: its columns and their types, what may be asked for, the canonical form of
its rows and their hash. Pure.

A row holds plain values of no language: whole minor units, whole numbers, ISO days, moments in UTC,
ids, codes, texts. Words, zones and separators come when a format is made, so all formats of all
languages show the same figures and the same hash.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

from casino.text.states import Words

Cell = str | int | None
Type = Literal["text", "money", "number", "day", "moment", "id", "code"]
NUMBERS = ("money", "number")  # types that are summed, and stand to the right
# of a form of their own; whatever else is said may be what somebody typed
TYPED = (*NUMBERS, "day", "moment")


@dataclass(frozen=True)
class Column:
    """One column. `total`: its cells are summed; `complete`: only where each is known. `words`: of
    a code, by code the message id. `wide`: it may take more room.

    `tells`: what a text that holds names of data is in the reader's words, by the text and the
    house.
    `names`: ids in it are shown by the names of what they stand for.
    `to`: the name of the address that tells more of an id, with it as its only part.
    """

    code: str
    title: str
    type: Type = "text"
    total: bool = False
    complete: bool = False
    words: Words | None = None
    tells: Callable[[str, Any], str] | None = None
    wide: bool = False
    names: bool = False
    to: str = ""


@dataclass(frozen=True)
class Query:
    """What was asked for: a house, the first and last gaming day (both are in it), and what else
    the report takes.

    `since`, `until`: the moments between which these days lie. Everything after them is None where
    it was not asked for. Amounts are minor units.
    """

    house_id: UUID
    first: date
    last: date
    since: datetime
    until: datetime
    table: UUID | None = None
    croupier: UUID | None = None
    version: UUID | None = None
    person: UUID | None = None
    game: str | None = None
    by: str | None = None
    least_minor: int | None = None

    def plain(self) -> dict[str, Cell]:
        """As plain data, without what was not asked for: the key of a computation, and what the log
        keeps.
        """
        said: dict[str, object] = {"from": self.first, "to": self.last}
        said |= {
            "table": self.table,
            "croupier": self.croupier,
            "version": self.version,
            "by": self.by,
        }
        said["game"] = self.game
        said["person"] = self.person
        told: dict[str, Cell] = {
            name: str(value) for name, value in said.items() if value is not None
        }
        return told if self.least_minor is None else told | {"least_minor": self.least_minor}

    def bound(self) -> dict[str, Any]:
        """The parameters of the report's SQL."""
        ids: dict[str, Any] = {
            "house": self.house_id,
            "table": self.table,
            "croupier": self.croupier,
            "version": self.version,
            "person": self.person,
        }
        days = {"first": self.first, "last": self.last, "since": self.since, "until": self.until}
        return ids | days | {"by": self.by, "least": self.least_minor, "game": self.game}


Row = Sequence[Cell]


@dataclass(frozen=True)
class Kind:
    """One report. `sql` gives its rows in the order of `columns`; its parameters are those of
    `Query.bound`.

    `about`: one sentence of what it says. `takes`: what it is filtered by besides the days.
    `days_most`: how many days at once.
    `rounds`: its figures come from rounds, so it says how those were entered: those of the days, of
    whole epochs of the jackpot, or of the lists of its hits; any other report says how many records
    it holds.
    `aside`: what is said where a table or a croupier was asked for and lines of all stay beside
    theirs; nothing is summed then.
    `summed`: which rows the totals add up. `struck`: which stand there and no longer count, in no
    total either. `made`: what becomes of each row as the database gives it, where SQL cannot say
    it.
    """

    code: str
    title: str
    about: str
    columns: tuple[Column, ...]
    sql: str
    takes: frozenset[str] = frozenset()
    days_most: int = 93
    rounds: Literal["", "days", "epochs", "hits"] = ""
    note: str = ""  # one more sentence on what the figures are
    aside: str = ""
    summed: Callable[[Row], bool] = field(default=lambda row: True)
    struck: Callable[[Row], bool] = field(default=lambda row: False)
    made: Callable[[Iterable[Row]], Iterable[Row]] = field(default=lambda rows: rows)

    def mixed(self, query: Query) -> bool:
        """Whether its lines are of one table or croupier and of all side by side: their sum is of
        nothing.
        """
        return bool(self.aside and (query.table or query.croupier))


def cell(value: Any) -> Cell:
    """A value of the database as a plain one: moments in UTC to the microsecond, days and ids as
    text.
    """
    if value is None or isinstance(value, str | int):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    whole = int(value)  # numeric, as PostgreSQL sums
    if whole != value:
        raise ValueError("a figure that is not whole")
    return whole


def line(value: object) -> bytes:
    """One line of the canonical form: JSON in one spelling, UTF-8, ended by a line feed."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def head_line(kind: Kind) -> bytes:
    """The first line that is hashed: which report, which columns of which type."""
    return line([kind.code, [[column.code, column.type] for column in kind.columns]])


def report_number(kind: Kind, query: Query, sha256_hex: str) -> str:
    """What a report is called by, in every format and language: of its house, its filters and what
    it says, so a report that says the same is the same report.
    """
    said = line([str(query.house_id), kind.code, sorted(query.plain().items()), sha256_hex])
    digits = sha256(said).hexdigest()[:12].upper()
    return "-".join(digits[place : place + 4] for place in range(0, 12, 4))


def data_hash(kind: Kind, rows: Iterable[Row]) -> str:
    """SHA-256 over the canonical form of columns and rows: what every format prints, and anybody
    can compute again.
    """
    digest = sha256(head_line(kind))
    for row in rows:
        digest.update(line(list(row)))
    return digest.hexdigest()
