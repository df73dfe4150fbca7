"""Who and what the tests of sockets need, and how they talk to them."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, unix_connect

from casino.devices.kinds import DISPLAYS, TABLETS
from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol
from casino.people.models import Person
from casino.text.formats import format_amount
from jackpot.models import Jackpot
from jackpot.selectors.jackpots import meter_read
from tests.casino.devices import devices
from tests.casino.people import people
from tests.floor import Floor, stakes_for, taps

IDLE_S = float(
    os.environ.get("LIVE_IDLE_S") or "12"
)  # longer than any pause of Redis' client; 60 also outlives the hub's own
# Patience with a busy machine; far less than the ten minutes after which a process that lives by hints reads by itself.
PATIENCE_S = 20.0
PROJECT = Path(__file__).resolve().parents[3]
__all__ = ["IDLE_S", "Place", "Web", "closed_with", "idle", "next_of", "until"]


class Place:
    """A house with a linked table and one without jackpot, a display, tablets; and another house with a jackpot."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.floor = Floor()
        self.guests = self.floor.open()
        self.jackpot: Jackpot = self.floor.jackpot
        self.away = Floor(suffix="-away", stocked=False)
        self.boss = people.make(self.floor.house, "peter.p", "pit_boss")

    def display(self, name: str = "Eingang", floor: Floor | None = None) -> tuple[Device, dict[str, str]]:
        """A new display of a house's jackpot, and its cookie."""
        floor = floor or self.floor
        boss = self.boss if floor is self.floor else floor.reto
        _, code = device_code_make(kind="display", place_id=floor.jackpot.pk, name=name, by=boss)
        device, token = device_enrol(kind="display", code=code)
        return device, {DISPLAYS.cookie(device.pk): token}

    def tablet(self, name: str = "Tablet", *, linked: bool = True) -> tuple[Device, dict[str, str]]:
        """A new tablet of the linked table, or of the other, and its cookie."""
        device, token = devices.enrol(self.floor.table if linked else self.floor.other, self.boss, name)
        return device, {TABLETS.cookie(device.pk): token}

    def session(self, person: Person) -> dict[str, str]:
        """The cookie of a session that is through the whole sign-in."""
        return {settings.SESSION_COOKIE_NAME: people.signed_in(person).cookies[settings.SESSION_COOKIE_NAME].value}

    def coin(self) -> str:
        """Play a coin: the meter grows, and so does its version. Gives the amount as it is written."""
        locked = self.floor.lock(stakes_for(self.guests[:1], coins=1))
        self.floor.settle(locked["id"], taps(b1={"result": "fold"}))
        return format_amount(meter_read(jackpot_id=self.jackpot.pk).shown_minor, "CHF", "de-CH")


@dataclass
class Web:
    """A web process: its socket, its log."""

    path: Path
    log: Path
    process: "subprocess.Popen[bytes]"

    @contextmanager
    def socket(self, path: str, cookies: dict[str, str] | None = None, **more: Any) -> Iterator[ClientConnection]:
        """A browser's socket, of a page of this house."""
        cookie = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
        values = {"origin": "http://localhost", "additional_headers": {"Cookie": cookie}} | more
        with unix_connect(
            str(self.path), f"ws://localhost{path}", open_timeout=60, close_timeout=2, **values
        ) as socket:
            yield socket


def next_of(socket: ClientConnection, kind: str = "jackpot", seconds: float = PATIENCE_S) -> dict[str, Any]:
    """The next message of a type."""
    return until(socket, lambda told: told["type"] == kind, seconds)


def until(
    socket: ClientConnection, found: Callable[[dict[str, Any]], bool], seconds: float = PATIENCE_S
) -> dict[str, Any]:
    """The first message of which this holds."""
    end = time.monotonic() + seconds
    while True:
        told: dict[str, Any] = json.loads(socket.recv(timeout=max(0.01, end - time.monotonic())))
        if found(told):
            return told


def idle(socket: ClientConnection, seconds: float = IDLE_S) -> None:
    """For so long the screen hears nothing but that all is fresh."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert next_of(socket, "heartbeat")["stale"] is False


def closed_with(socket: ClientConnection, seconds: float = PATIENCE_S) -> int | None:
    """The code that the server closes with; what it says before is passed over."""
    end = time.monotonic() + seconds
    try:
        while True:
            socket.recv(timeout=max(0.01, end - time.monotonic()))
    except ConnectionClosed:
        return socket.close_code
