"""What checks find: counted to the last row, the first of them kept, and each told at once to
whoever writes them all down.

A table that was rewritten may have ten million rows in breach. No check, no process and no page
holds them.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from errno import ENOSPC
from pathlib import Path

import orjson

from payouts.rules.plain import Json

Breach = dict[str, Json]
Tell = Callable[[str, Breach], None]
KEPT = 1000  # of one check: more than anybody reads on a page
PORTION = 64 * 1024  # bytes that are written down together


def tell_nobody(_check: str, _breach: Breach) -> None:
    """Who only wants the count and the first rows."""


@dataclass(slots=True)
class Findings:
    """What one check finds: `count` of all, `rows` the first of them (at most `most`)."""

    name: str
    tell: Tell = tell_nobody
    most: int | None = None  # None: KEPT
    count: int = 0
    rows: list[Breach] = field(default_factory=list)

    def add(self, breach: Breach) -> None:
        """One row in breach."""
        self.count += 1
        if len(self.rows) < (KEPT if self.most is None else self.most):
            self.rows.append(breach)
        self.tell(self.name, breach)

    def extend(self, breaches: Iterable[Breach]) -> None:
        """Some rows in breach."""
        for breach in breaches:
            self.add(breach)


class Written:
    """A file that takes every finding as a line of JSON. Processes share it: each appends whole
    lines, in one write.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lines = bytearray()

    def tell(self, check: str, breach: Breach) -> None:
        """Write a finding down, soon."""
        if self.path is None:
            return
        self._lines += orjson.dumps({"check": check, **breach}, option=orjson.OPT_APPEND_NEWLINE)
        if len(self._lines) >= PORTION:
            self.flush()

    def flush(self) -> None:
        """Write down what waits. Raises OSError."""
        if self.path is None or not self._lines:
            return
        with self.path.open("ab", buffering=0) as file:
            written = os.write(file.fileno(), self._lines)
        if written != len(self._lines):
            raise OSError(
                ENOSPC, f"only {written} of {len(self._lines)} bytes were written", str(self.path)
            )
        self._lines.clear()
