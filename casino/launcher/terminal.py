"""What a person at the terminal sees of a start: one line per step, alive while it runs. Standard
library only.
"""

import io
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


class Step:
    """One step of a start; `note` shows how far it is."""

    QUIET_S = 5.0  # without a live terminal: how often a step that takes long says so

    def __init__(self, stream: TextIO, title: str, *, live: bool) -> None:
        self._stream, self._title, self._live = stream, title, live
        self.remark = ""  # what the finished line says beside the seconds
        self._begun = self._said = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long the step has run."""
        return time.monotonic() - self._begun

    def note(self, text: str = "") -> None:
        """Show how far the step is; cheap enough to be called in every loop."""
        now = time.monotonic()
        if self._live and now - self._said > 0.1:
            line = f"  {self._title:<24} {self.seconds:5.1f} s  {text}"[
                : shutil.get_terminal_size().columns - 1
            ]
            _write(self._stream, f"\r\x1b[K{line}")
            self._said = now
        elif not self._live and now - self._said > self.QUIET_S:
            _write(self._stream, f"  {self._title:<24} {self.seconds:5.1f} s  {text} ...\n")
            self._said = now

    def done(self) -> None:
        """Close the step's line."""
        start = "\r\x1b[K" if self._live else ""
        _write(
            self._stream,
            f"{start}  {self._title:<24} {self.seconds:5.1f} s  {self.remark}".rstrip() + "\n",
        )

    def broken(self) -> None:
        """Leave the line of a step that failed."""
        _write(self._stream, "\n" if self._live else "")


class Terminal:
    """Standard output, whether or not somebody is there to read it (a closed terminal must not
    break the clean-up).
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        if isinstance(self._stream, io.TextIOWrapper):
            self._stream.reconfigure(errors="replace")  # a terminal may lack our letters
        self._live = self._stream.isatty()

    @property
    def gone(self) -> bool:
        """Whether there was a terminal and it was closed (nobody tells us when `make` itself leads
        its session).
        """
        return self._live and not self._stream.isatty()

    def say(self, text: str = "") -> None:
        """Write a line."""
        _write(self._stream, text + "\n")

    @contextmanager
    def step(self, title: str) -> Iterator[Step]:
        """Show a step while the block runs, and its seconds afterwards."""
        step = Step(self._stream, title, live=self._live)
        if self._live:
            _write(self._stream, f"  {title} ...")
        try:
            yield step
        except BaseException:
            step.broken()
            raise
        step.done()


def _write(stream: TextIO, text: str) -> None:
    with suppress(OSError, ValueError):
        stream.write(text)
        stream.flush()
