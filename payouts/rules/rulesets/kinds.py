"""Kinds of posted tables, the states of a version, and what is refused about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from payouts.errors import Kind, Refused, mark
from payouts.rules.plain import Json
from payouts.rules.rulesets.schema import Advice, Posted

# Newest approved data of the tables that a kind is weighed together with, by the code of their
# kind.
Beside: TypeAlias = Mapping[str, Sequence[Json]]

STARTS = ("day", "next_epoch")
ACTION = "posted_table.release"


def own_advice(posted: Any, beside: Beside) -> tuple[Advice, ...]:
    """The warnings that a table gives of itself."""
    found: tuple[Advice, ...] = posted.advice()
    return found


class Edges(NamedTuple):
    """What the house wins on average under rules whose edges take long to work out. `words`: by
    name, what each edge is of, that of the game first; `work_out`: all of them, exactly.
    """

    words: Mapping[str, str]
    work_out: Callable[[Any], Mapping[str, Fraction]]


@dataclass(frozen=True, slots=True)
class TableKind:
    """One kind of table: how it is called, which rules read it, from when a version counts, what is
    likely a mistake.

    `start`: what a first draft begins with. `starts`: from a gaming day, or with the next epoch of
    a jackpot (a meter keeps the tables it began with). `beside`: kinds whose newest tables `advise`
    needs. `pays`: of a paytable, whether a hand is paid whatever the dealer has, or only where it
    beats the dealer's. `edges`: of rules that a worker weighs.
    """

    code: str
    title: str
    start: Posted
    starts: Literal["day", "next_epoch"] = "day"
    advise: Callable[[Any, Beside], tuple[Advice, ...]] = own_advice
    beside: tuple[str, ...] = ()
    pays: Literal["", "own_hand", "beating"] = ""
    edges: Edges | None = None

    def read(self, data: object) -> Posted:
        """The table that the data states; raises PostedRefused and what the rules refuse beyond."""
        return type(self.start).from_data(data)


class TableRefused(Refused):
    """A version of a posted table cannot be drafted, requested, released or rejected."""

    code = "posted_table.refused"


class TableUnknown(TableRefused):
    """There is no such version, or it is of another kind."""

    code = "posted_table.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such version of a posted table.")
    remedy = mark("Open it again from the list.")


class TableStateRefused(TableRefused):
    """What is asked for does not fit the version's state."""

    code = "posted_table.state_refused"
    kind = Kind.CONFLICT
    sentence = mark("This version cannot be changed that way: it is %(state)s.")
    remedy = mark(
        "Load the page again; to change what was requested or approved, draft a new version."
    )


class TableOfAnother(TableRefused):
    """A request of somebody else that waits for signatures."""

    code = "posted_table.of_another"
    kind = Kind.FORBIDDEN
    sentence = mark("Another person asked for this version, and it waits for signatures.")
    remedy = mark("They withdraw it; whoever may sign rejects it, with a reason.")


class TableWarned(TableRefused):
    """The table is likely a mistake, and nobody has said why it is meant so."""

    code = "posted_table.warned"
    sentence = mark("This table looks like a mistake.")
    remedy = mark("Correct it, or give the reason why it is meant so.")


class StartRefused(TableRefused):
    """From when a version should count makes no sense."""

    code = "posted_table.start_refused"
    sentence = mark("In force from: %(why)s.")
    remedy = mark(
        "Choose a gaming day that has not begun and on which no other version of this table begins."
    )


class NotFirst(TableRefused):
    """A house is furnished with tables only while it has none."""

    code = "posted_table.not_first"
    kind = Kind.CONFLICT
    sentence = mark("This house has posted tables already.")
    remedy = mark("Draft a new version; two others approve it.")


BEGUN = mark("this gaming day has begun or is over")
TAKEN = mark("another version begins on this gaming day")
DAY_NEEDED = mark("give a gaming day")
EPOCH_ONLY = mark("this kind of table counts from the next epoch of the jackpot")
