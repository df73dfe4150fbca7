"""A display over the tables: it lives, hears, shows, and confirms: promptly, late, wrongly at
first, or never.
"""

import json
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from websockets.exceptions import WebSocketException

from casino.simulate.clients import Client, Refused, Tally, Unreachable

PROMPT, LATE, WRONG, NEVER = "prompt", "late", "wrong", "never"
MANNERS = (PROMPT, LATE, WRONG, NEVER)
ALIVE_S, LATE_S, LISTEN_S, SILENT_S = 1.0, 3.0, 0.3, 5.0
GONE_S = 5.0


def mark(told: Mapping[str, Any]) -> tuple[int, ...]:
    """By which of two snapshots the newer one is told."""
    return tuple(told.get(name, 0) for name in ("incarnation", "version", "phase_number", "turn"))


class Display:
    """One display. `manner`: how it confirms. The one that never does goes dark with the first new
    value.
    """

    tell: Callable[[str], None] = staticmethod(lambda _text: None)  # set by whoever hangs it up

    def __init__(
        self,
        address: str,
        name: str,
        manner: str,
        tally: Tally,
        *,
        code: str = "",
        jackpot: str = "",
    ) -> None:
        """Enrol with a code; or for a jackpot, as the demo allows with one tap."""
        self.client, self.name, self.manner, self.tally = (
            Client(address, tally),
            name,
            manner,
            tally,
        )
        self.session = str(uuid.uuid4())
        self.told: dict[str, Any] = {}
        self._heard_at = 0.0
        self.dark = False
        self.wrong_refused = 0
        self.wrong_taken = 0
        self.late_taken = 0
        self._confirmed: set[int] = set()
        self._asked_at: dict[int, float] = {}
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self.id = ""
        if code:
            self._enrol("/display/enrol/", code=code)
        elif jackpot:
            self._enrol("/display/demo/", jackpot=jackpot)

    def _enrol(self, page: str, **fields: str) -> None:
        self.client.ask("/display/enrol/")
        where, _page = self.client.form(page, **fields)
        self.id = self.client.headers["X-Saalchef-Device"] = urllib.parse.urlsplit(
            where
        ).path.split("/")[2]

    def start(self) -> "Display":
        """Live from now on."""
        parts = (self._listen, self._live)
        self._threads = [
            threading.Thread(target=one, daemon=True, name=f"{self.name} {one.__name__}")
            for one in parts
        ]
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        """Go out."""
        self._stop.set()
        for thread in self._threads:
            thread.join(GONE_S)
        self.client.close()

    def _listen(self) -> None:
        while not self._stop.is_set() and not self.dark:
            try:
                with self.client.socket(f"/ws/display/?device={self.id}") as socket:
                    while not self._stop.is_set() and not self.dark:
                        try:
                            self._hear(json.loads(socket.recv(timeout=LISTEN_S)))
                        except TimeoutError:
                            continue
            except (OSError, WebSocketException):
                self._stop.wait(ALIVE_S)

    def _hear(self, told: dict[str, Any]) -> None:
        """Keep the newer of two snapshots."""
        if not told.get("stale"):
            self._heard_at = time.monotonic()
        if told.get("type") != "jackpot":
            return
        self.tally.count("snapshots heard")
        if mark(told) >= mark(self.told):
            self.told = told

    def _live(self) -> None:
        spoke = 0.0
        while not self._stop.is_set() and not self.dark:
            try:
                if time.monotonic() - self._heard_at > SILENT_S:  # its socket is shut
                    self._hear(json.loads(self.client.ask(f"/display/{self.id}/now/")[1]))
                if time.monotonic() - spoke >= ALIVE_S and self.told:
                    spoke = time.monotonic()
                    self._post("alive", shown=self.told["text"], version=self.told["version"])
                self._answer(self.told)
            except (Refused, Unreachable, ValueError):
                self._stop.wait(ALIVE_S)
            self._stop.wait(0.1)

    def _post(self, what: str, **body: object) -> None:
        data = json.dumps(body | {"session": self.session}).encode()
        self.client.ask(f"/display/{self.id}/{what}/", data, {"Content-Type": "application/json"})

    def _answer(self, told: dict[str, Any]) -> None:
        """If a new value waits for this display, say what it shows, in its own manner."""
        gate = told.get("gate")
        if not gate or gate["number"] in self._confirmed:
            return
        waiting = [
            one["display"] for one in told["waiting_for"]["displays"] if one["state"] == "waiting"
        ]
        if self.id not in waiting:
            return
        first = gate["number"] not in self._asked_at
        asked_at = self._asked_at.setdefault(gate["number"], time.monotonic())
        if self.manner == NEVER:
            self.dark = True
            self.tell(f"{self.name} goes dark.")
            return
        if self.manner == LATE and time.monotonic() - asked_at < LATE_S:
            return
        if self.manner == WRONG and first:
            self._confirm_wrongly(gate, told)
        self._post(
            "confirm",
            gate=gate["number"],
            nonce=gate["nonce"],
            version=gate["version"],
            shown=told["text"],
        )
        self._confirmed.add(gate["number"])
        self.late_taken += self.manner == LATE
        self.tell(f"{self.name} shows {told['text']} and confirms it.")

    def _confirm_wrongly(self, gate: dict[str, Any], told: dict[str, Any]) -> None:
        """One digit is wrong, then the gate's nonce: the service must not open a table for
        either."""
        digit = next(sign for sign in reversed(told["text"]) if sign.isdigit())
        place = told["text"].rindex(digit)
        shown = f"{told['text'][:place]}{(int(digit) + 1) % 10}{told['text'][place + 1 :]}"
        right = {
            "gate": gate["number"],
            "nonce": gate["nonce"],
            "version": gate["version"],
            "shown": told["text"],
        }
        self._lie("gate.value_wrong", right | {"shown": shown}, f"shows {shown}")
        self._lie(
            "gate.nonce_wrong",
            right | {"nonce": "0" * len(gate["nonce"])},
            "answers to another gate's call",
        )

    def _lie(self, code: str, body: dict[str, Any], what: str) -> None:
        try:
            self._post("confirm", **body)
        except Refused as refused:
            self.wrong_refused += refused.code == code
            self.tell(f"{self.name} {what}: its confirmation is refused, the tables stay shut.")
        else:
            self.wrong_taken += 1
