"""The clock of a house under trial: its programs see the machine's time of day plus seconds that can be set. What runs by itself
(pauses, time limits of Python, the trial's own clock) goes on as ever, as when an operator sets a machine's clock.

It takes a C compiler, for a few lines that are loaded before the C library (`clock.c`); without one clocks stand as they are.
"""

import os
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")


class HouseClock:
    """Made in `folder`. `environment` is what a program needs to see it; nothing without a compiler."""

    def __init__(self, folder: Path) -> None:
        self.ahead, self.jumps, self.right = 0, 0, threading.Event()
        self.right.set()
        self._still = threading.Lock()
        self.environment: dict[str, str] = {}
        compiler, library = shutil.which("gcc") or shutil.which("cc"), folder / "clock.so"
        self.there = compiler is not None
        if compiler is None:
            return
        self._file = folder / "clock"
        self._file.write_bytes(struct.pack("l", 0))
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True, timeout=60)
        for path in (self._file, library):  # the servers' user reads them too
            path.chmod(0o644)
        self.environment = {"LD_PRELOAD": str(library), "HOUSE_CLOCK": str(self._file)}

    def set(self, ahead: int) -> None:
        """From now on it is so many seconds ahead of the machine's; negative, behind."""
        with self._still:
            self.jumps += self.ahead != ahead
            if ahead:
                self.right.clear()
            with self._file.open("r+b") as file:
                os.pwrite(file.fileno(), struct.pack("l", ahead), 0)
            self.ahead = ahead
            if not ahead:
                self.right.set()

    @contextmanager
    def stands(self) -> Iterator[bool]:
        """It does not jump meanwhile; whether it is right."""
        with self._still:
            yield self.ahead == 0
