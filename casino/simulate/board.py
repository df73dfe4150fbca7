"""The pit boss's dashboard as their browser keeps it: asked for every moment and a half, and at
once when its socket says that a jackpot moved. What it shows when all is over must be the truth,
however often its socket and the house were broken meanwhile.
"""

import html
import json
import re
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from websockets.exceptions import WebSocketException

from casino.simulate.books.results import Results
from casino.simulate.clients import Refused, Unreachable
from casino.simulate.display import mark
from casino.simulate.people import Person

ASK_S, APART_S, SILENT_S = 1.5, 0.5, 5.0
WAIT_S, WAIT_MOST_S, LISTEN_S = 0.5, 5.0, 0.3
CONVERGES_S = 30.0
BOARD, SOCKET = "/pit/board/", "/ws/pit/"
TILE = re.compile(r'<li class="tile (\w+)[^"]*" id="tile-([0-9a-f-]+)">(.*?)</li>', re.DOTALL)
RESULT = re.compile(r'<span class="result"><span[^>]*>[^<]*</span>([^<]*)')
NOTHING = "–"
STATES = {"running": "open", "day_over": "open", "closed_day": "closed"}  # as the API calls them


class Tile(NamedTuple):
    """What the board says of a table: how it stands, and its result of the day in minor units; None
    where it says none.
    """

    state: str
    result: int | None


def tiles_of(tables: Iterable[Mapping[str, Any]], day: str, recorded: Results) -> dict[str, Tile]:
    """What a board must show of these tables, by their ids: as the API has them, and as the results
    of the day are recorded.
    """
    found = {}
    for table in tables:
        row = recorded.get((table["name"], day), {})
        found[table["id"]] = Tile(table["state"], row["result"] if row.get("rounds") else None)
    return found


class Board:
    """One dashboard, from sign-in to sign-out."""

    def __init__(self, person: Person) -> None:
        self.tally = person.client.tally
        self.client = person.client.beside()
        self.client.patience_s = 0.0  # what is not answered is asked for again by the next tick
        self.page, self.tag = "", ""
        self.jackpots: dict[str, dict[str, Any]] = {}  # as the socket told of each last
        self.signed_out = False
        self._stop, self._moved = threading.Event(), threading.Event()
        parts = (self._listen, self._keep)
        self._threads = [
            threading.Thread(target=one, daemon=True, name=f"pit's {one.__name__}") for one in parts
        ]

    def start(self) -> "Board":
        """Open it."""
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        """Shut it."""
        self._stop.set()
        self._moved.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(2 * SILENT_S)
        self.client.close()

    def _listen(self) -> None:
        wait = WAIT_S
        while not self._stop.is_set():
            try:
                with self.client.socket(SOCKET) as socket:
                    self.tally.count("sockets of the pit")
                    wait = self._read(socket, wait)
            except (OSError, WebSocketException):
                self._moved.set()  # whether there is a server at all is known by its answer
            self._stop.wait(wait)
            wait = min(2 * wait, WAIT_MOST_S)

    def _read(self, socket: Any, wait: float) -> float:
        """Hear what the socket says until it is silent for too long; gives how long to wait before
        the next one.
        """
        said = time.monotonic()
        while not self._stop.is_set() and time.monotonic() - said < SILENT_S:
            try:
                told = json.loads(socket.recv(timeout=LISTEN_S))
            except TimeoutError:
                continue
            said, wait = time.monotonic(), WAIT_S
            if told.get("type") == "jackpot":
                self.hear(told)
        return wait

    def hear(self, told: dict[str, Any]) -> None:
        """Keep the newer of two snapshots of a jackpot."""
        before = self.jackpots.get(told["jackpot"])
        if before is None or mark(told) >= mark(before):
            self.jackpots[told["jackpot"]] = told
        self._moved.set()

    def _keep(self) -> None:
        while not self._stop.is_set():
            self._moved.clear()
            try:
                self.ask()
            except (Refused, Unreachable, OSError):
                self.tally.count("boards not answered")
            self._stop.wait(APART_S)
            self._moved.wait(ASK_S - APART_S)

    def ask(self) -> None:
        """Ask for what moves on it; the same as before is not sent again. Raises Refused,
        Unreachable.
        """
        where, body = self.client.ask(
            BOARD, headers={"If-None-Match": self.tag} if self.tag else {}
        )
        self.signed_out = bool(where)
        if body and not where:
            self.page, self.tag = body.decode(), self.client.tag
        self.tally.count("boards shown" if body else "boards unchanged")

    def tiles(self) -> dict[str, Tile]:
        """By table's id what the board shows."""
        return {
            pk: Tile(STATES.get(state, state), _amount(text))
            for state, pk, text in TILE.findall(self.page)
        }

    def amiss(self, jackpot: Mapping[str, Any], tiles: Mapping[str, Tile]) -> list[str]:
        """What it shows otherwise than these are; nothing is done about it, it must come to the
        truth by itself.
        """
        end = time.monotonic() + CONVERGES_S
        while (found := self._otherwise(jackpot, tiles)) and time.monotonic() < end:
            time.sleep(LISTEN_S)
        return found

    def _otherwise(self, jackpot: Mapping[str, Any], tiles: Mapping[str, Tile]) -> list[str]:
        if self.signed_out:
            return ["the pit's board was signed out"]
        told, shown = self.jackpots.get(jackpot["id"], {}), self.tiles()
        wanted = {
            "phase": jackpot["phase"],
            "amount_minor": jackpot["shown_minor"],
            "version": jackpot["version"],
        }
        return [
            *(
                f"the pit's socket says {name} {told.get(name)!r}, the truth is {value!r}"
                for name, value in wanted.items()
                if told.get(name) != value
            ),
            *(
                f"the pit's board shows {shown.get(pk)} of table {pk}, the truth is {tile}"
                for pk, tile in tiles.items()
                if shown.get(pk) != tile
            ),
        ]


def _amount(text: str) -> int | None:
    """The result of a tile in minor units, however the house writes thousands; None for a dash and
    where there is none.

    >>> _amount('<span class="result"><span class="x">Result today </span>+1’234.50</span>')
    123450
    >>> _amount('<span class="result"><span>Result today </span>−70</span>')
    -7000
    """
    found = RESULT.search(text)
    said = html.unescape(found[1]).strip() if found else NOTHING
    if said == NOTHING:
        return None
    whole, _, part = re.sub(r"[^0-9.,]", "", said).replace(",", ".").rpartition(".")
    if len(part) != 2 or not whole:
        whole, part = whole + part, "00"
    sign = -1 if said[0] in "-−" else 1
    return sign * (100 * int(whole.replace(".", "")) + int(part))
