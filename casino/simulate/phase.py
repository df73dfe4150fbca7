"""What a tablet hears of its table's jackpot."""

import json
import threading
import time
from typing import Any

from websockets.exceptions import WebSocketException

from casino.simulate.clients import Client

LISTEN_S, LOOK_S = 0.5, 1.0


class PhaseSocket:
    """The tablet's socket: the phase of its table's jackpot as it is told; asked by HTTP while no
    socket is open.
    """

    def __init__(self, client: Client, device: str, stop: threading.Event) -> None:
        self.client, self.device, self.stop = client, device, stop
        self.phase, self.heard_at, self.currency = "", 0.0, ""
        self.changed = threading.Event()
        self._thread = threading.Thread(
            target=self._listen, daemon=True, name=f"tablet {device[:8]}"
        )
        self._thread.start()

    def join(self) -> None:
        """Wait until it is shut; `stop` is set."""
        self._thread.join(5 * LOOK_S)

    def now(self) -> str:
        """The phase; by HTTP if the socket has been silent."""
        if time.monotonic() - self.heard_at > 3 * LOOK_S:
            rows = self.client.get("jackpots/")["results"]
            self.phase, self.heard_at = (rows[0]["phase"] if rows else "open"), time.monotonic()
        return self.phase

    def _listen(self) -> None:
        while not self.stop.is_set():
            try:
                with self.client.socket(f"/ws/tablet/?device={self.device}") as socket:
                    self._read(socket)
            except (OSError, WebSocketException):
                self.stop.wait(LOOK_S)

    def _read(self, socket: Any) -> None:
        while not self.stop.is_set():
            try:
                told = json.loads(socket.recv(timeout=LISTEN_S))
            except TimeoutError:
                continue
            if told.get("type") == "jackpot":
                self.client.tally.count("snapshots heard")
                self.phase, self.heard_at = told["phase"], time.monotonic()
                self.currency = told["currency"]
                self.changed.set()
            elif not told.get("stale"):
                self.heard_at = time.monotonic()
