"""A jackpot with enrolled displays that its tables wait for: what they hold, ask and tell."""

import itertools
import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.test import Client

from casino.devices.kinds import DISPLAYS
from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol, device_revoke
from jackpot.models import Gate, GateDisplay
from jackpot.services import display_require
from tests.floor import done
from tests.jackpot.linked import Linked, royal

_numbers = itertools.count(1)


@dataclass
class Screen:
    """An enrolled display, its token, and a session of its page."""

    device: Device
    token: str

    def __post_init__(self) -> None:
        self.session = uuid4()
        self.client = Client()
        self.client.cookies[DISPLAYS.cookie(self.device.pk)] = self.token

    def get(self, page: str = "", **headers: str) -> Any:
        headers = {"X-Saalchef-Device": str(self.device.pk)} | headers
        return self.client.get(f"/display/{self.device.pk}/{page}", headers=headers)

    def post(self, page: str, body: object, **headers: str) -> Any:
        """As the page's script posts: JSON, with the header that names the device."""
        content = body if isinstance(body, str | bytes) else json.dumps(body)
        headers = {"X-Saalchef-Device": str(self.device.pk)} | headers
        address = f"/display/{self.device.pk}/{page}"
        return self.client.post(address, content, content_type="application/json", headers=headers)

    def alive(self, **changes: object) -> Any:
        return self.post("alive/", {"session": str(self.session), "shown": "", "version": 0} | changes)

    def confirm(self, **changes: object) -> Any:
        """What the newest snapshot asks for, as an honest page would answer."""
        told = self.get("now/").json()
        gate = told["gate"] or {"number": 1, "nonce": "0" * 32, "version": 0}
        body = {"gate": gate["number"], "nonce": gate["nonce"], "version": gate["version"], "shown": told["text"]}
        return self.post("confirm/", {"session": str(self.session)} | body | changes)


class Shown(Linked):
    """Two open tables at one jackpot, and displays that their tables wait for."""

    def __init__(self, *, screens: int = 1, count: int = 2) -> None:
        super().__init__(count=count, displays=0, suffix=f".s{next(_numbers)}")
        self.screens = [self.enrol(f"Anzeige {number}") for number in range(1, screens + 1)]
        for screen in self.screens:
            self.require(screen)

    def enrol(self, name: str) -> Screen:
        _, code = device_code_make(kind="display", place_id=self.jackpot.pk, name=name, by=self.tim)
        return Screen(*device_enrol(kind="display", code=code))

    def require(self, screen: Screen) -> None:
        ids = {"house_id": self.house.pk, "jackpot_id": self.jackpot.pk, "display_id": screen.device.pk}
        done(display_require, **ids, name=screen.device.name, actor_id=self.tim.pk)

    def revoke(self, screen: Screen) -> None:
        device_revoke(device_id=screen.device.pk, reason="stolen", by=self.tim)

    def won(self, *tables: int) -> None:
        """A hit at these tables, up to its approval: the gate is open, displays show the new value."""
        rounds: dict[int, UUID] = {table: self.start(table) for table in tables}
        for table, round_id in rounds.items():
            self.end(table, round_id, royal("hdcs"[table]))
        self.advance()
        self.verify_all()
        self.approve()

    def gate(self) -> Gate:
        return Gate.objects.filter(jackpot=self.jackpot).latest("number")

    def states(self) -> list[str]:
        """What the newest gate knows of each display."""
        return list(GateDisplay.objects.filter(gate=self.gate()).order_by("name").values_list("state", flat=True))
