"""What became of stakes, of whichever game they are."""

from typing import NamedTuple, Protocol


class Line(NamedTuple):
    """What became of one stake, in minor units: the stake, what went back of it, what odds won, and
    a fixed prize.
    """

    stake: int
    returned: int = 0
    won: int = 0
    prize: int = 0

    @property
    def paid(self) -> int:
        """All that the guest is given."""
        return self.returned + self.won + self.prize


Lines = dict[tuple[int, str], Line]  # by box and what lies there


class Outcome(Protocol):
    """A round worked out, as far as every game has it."""

    @property
    def lines(self) -> Lines:
        """What became of each stake."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The boxes that win the meter."""


def add(lines: Lines, place: tuple[int, str], line: Line) -> None:
    """Add a line; a second one of the same place stands beside the first.

    >>> lines: Lines = {}
    >>> for stake in (5, 7):
    ...     add(lines, (1, "coin"), Line(stake))
    >>> list(lines)
    [(1, 'coin'), (1, 'coin again')]
    """
    while place in lines:
        place = place[0], f"{place[1]} again"
    lines[place] = line
