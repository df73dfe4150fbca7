"""What may explain a difference (RES-4): another one that cancels it, or a prize of another class.
People confirm.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from payouts.errors import mark

PROPOSED_MOST = 5

CLASSES: Mapping[str, str] = {
    "entry": mark("entry"),
    "payout": mark("payout"),
    "count": mark("count"),
    "fill": mark("fill"),
    "buy_in": mark("buy-in"),
    "tip": mark("tip"),
    "false_money": mark("false money"),
    "theft": mark("theft"),
    "unknown": mark("unknown"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A count of a place at a table and how far it is from the books, in minor units; `number`: 1
    is the table's first of that place.
    """

    count: UUID
    place: str
    number: int
    difference_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """A line of a round between two counts: what a box was paid, and what other classes of the same
    paytable would have paid on it, in minor units by class.
    """

    round: UUID
    box: int
    hand: str
    paid_minor: int
    others: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """`code`: the class of explanation. A pair names the other `count`; a prize its round and box,
    the class that was entered and the one that was paid.
    """

    code: str
    count: UUID | None = None
    round: UUID | None = None
    box: int | None = None
    entered: str = ""
    paid: str = ""


def proposals(of: Counted, beside: Iterable[Counted], lines: Iterable[Paid]) -> list[Proposal]:
    """Pairs first, then prizes of another class, the newest round last; at most `PROPOSED_MOST`.

    >>> tray = Counted(count=UUID(int=1), place="tray", number=3, difference_minor=-200)
    >>> drop = Counted(count=UUID(int=2), place="drop", number=1, difference_minor=200)
    >>> [proposal.code for proposal in proposals(tray, [drop], [])]
    ['buy_in']
    """
    if not of.difference_minor:
        return []
    proposed = [
        Proposal(code=code, count=other.count)
        for other in beside
        if other.difference_minor == -of.difference_minor and (code := _pair(of, other))
    ]
    if of.place == "tray":
        proposed += [
            Proposal(
                code="entry",
                round=line.round,
                box=line.box,
                entered=line.hand,
                paid=hand,
            )
            for line in lines
            for hand, minor in line.others.items()
            if line.paid_minor - minor == of.difference_minor
        ]
    return proposed[:PROPOSED_MOST]


def _pair(of: Counted, other: Counted) -> str:
    """A buy-in that nobody entered is too much in the drop and too little in the tray; a mistake in
    counting one tray comes back at its next count (CNT-5).
    """
    if {of.place, other.place} == {"tray", "drop"}:
        tray = of if of.place == "tray" else other
        return "buy_in" if tray.difference_minor < 0 else ""
    is_next = of.place == other.place and abs(of.number - other.number) == 1
    return "count" if is_next else ""
