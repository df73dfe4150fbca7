"""The chips of a tray a second time: how an amount lies there in pieces, and what rounds have moved
into it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from casino.simulate.books.lines import Lines
from casino.simulate.books.rules import NotPlayable

Row = Mapping[str, Any]


def change(minor: int, values: Iterable[int]) -> list[dict[str, int]]:
    """So much in pieces of a chip set, the highest first; each denomination is named, also of 0
    pieces. An empty tray is never below nothing. Raises NotPlayable.

    >>> [tuple(line.values()) for line in change(1_250, [250, 500, 1_000])]
    [(1000, 1), (500, 0), (250, 1)]
    """
    lines, rest = [], max(minor, 0)
    for value in sorted(values, reverse=True):
        pieces, rest = divmod(rest, value)
        lines.append({"value_minor": value, "pieces": pieces})
    if rest:
        raise NotPlayable(f"The chips that are posted cannot make up {minor / 100:.2f}.")
    return lines


def worth(lines: Iterable[Row]) -> int:
    """What pieces are worth together, in minor units."""
    return sum(line["value_minor"] * line["pieces"] for line in lines)


def into_tray(lines: Lines) -> int:
    """What a round has moved into the tray, in minor units: what was staked, less what was paid.
    The meter is paid by a slip, so its winner's line has no prize.
    """
    return sum(line.stake - line.paid for line in lines.values())


def into_tray_by_rows(rows: Iterable[Row]) -> int:
    """The same of a round as the API gives it."""
    return sum(row["stake_minor"] - row["paid_minor"] for row in rows)
