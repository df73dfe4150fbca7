"""What an evening has set up and not cleared away yet, on file: whoever comes after one that was
killed can clear it away.
"""

import json
import os
import threading
from pathlib import Path
from typing import Any

KINDS = ("sessions", "tables", "trays", "stays", "tablets", "displays")


def command_of(process: int) -> bytes:
    """What a process was started as; nothing if it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


class Left:
    """`sessions`: cookies of people who are signed in; `tables`: those that were opened, with the
    session that was begun; `trays`: of poker tables, with what lies in them; `stays`: guests there,
    with what they bought; `tablets` and `displays`: devices that were enrolled. Without a file it
    is kept in memory alone.
    """

    def __init__(self, path: str = "") -> None:
        """Read what lies there. A file that cannot be read says nothing."""
        self._path = Path(path) if path else None
        self._lock = threading.Lock()
        self.jackpot, self.player = "", 0  # `player`: the process that wrote it
        self._rows: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        try:
            found = json.loads(self._path.read_text()) if self._path else {}
            self.jackpot, self.player = str(found.get("jackpot", "")), int(found.get("player", 0))
            self._rows |= {kind: list(found.get(kind, [])) for kind in KINDS}
        except (OSError, ValueError, TypeError, AttributeError):
            pass

    def __bool__(self) -> bool:
        return any(self._rows.values())

    def rows(self, kind: str) -> list[Any]:
        """What is noted of a kind."""
        return list(self._rows[kind])

    @property
    def is_played(self) -> bool:
        """Whether the evening that set it up still plays, in another process."""
        words = command_of(self.player) if self.player != os.getpid() else b""
        return b"casino.launcher" in words or b"simulate" in words

    def note(self, kind: str, what: Any) -> None:
        """Something is set up, or is about to be."""
        with self._lock:
            self._rows[kind].append(what)
            self._write()

    def cleared(self, kind: str, what: Any) -> None:
        """It was cleared away."""
        with self._lock:
            self._rows[kind] = [one for one in self._rows[kind] if one != what]
            self._write()

    def of(self, jackpot: str) -> "Left":
        """All of it belongs to an evening at this jackpot."""
        with self._lock:
            self.jackpot = jackpot
            self._write()
        return self

    def _write(self) -> None:
        """At once and whole, readable by its owner alone: there are cookies in it. Nothing left is
        no file.
        """
        if self._path is None:
            return
        if not self:
            self._path.unlink(missing_ok=True)
            return
        work = self._path.with_suffix(".new")
        work.unlink(missing_ok=True)
        with os.fdopen(os.open(work, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
            json.dump({"player": os.getpid(), "jackpot": self.jackpot} | self._rows, output)
        work.rename(self._path)
