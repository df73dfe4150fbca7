"""Who calls the API in these tests: each role at the office, a croupier and a pit boss at a tablet, a card feed."""

import json
from typing import Any
from uuid import uuid4

from django.test import Client

from casino.api.schemas.openapi import ID
from casino.devices.door import HEADER
from casino.devices.models import Device
from casino.devices.signin import device_sign_in
from casino.people.models import Person
from casino.people.pins import pin_set
from tables.models import Table
from tests.casino.devices import devices
from tests.casino.people import people
from tests.floor import Floor

NO_ID = ID
OFFICE = ("croupier", "pit_boss", "cage", "auditor", "surveillance", "technician", "manager")


class Caller:
    """One caller: a browser, or a program, with what proves him. Answers are (status, body)."""

    def __init__(self, client: Client, device: Device | None = None, token: str = "") -> None:
        self.client, self.device = client, device
        self.headers: dict[str, str] = {"Accept-Language": "en"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        elif device:
            self.headers[HEADER] = str(device.pk)

    def get(self, path: str, **query: object) -> tuple[int, Any]:
        response = self.client.get(f"/api/{path}", query, headers=self.headers)
        return response.status_code, response.json()

    def post(self, path: str, body: object = None, key: str | None = None, **headers: str) -> tuple[int, Any]:
        return self.raw(path, json.dumps({} if body is None else body).encode(), key, **headers)

    def raw(self, path: str, body: bytes, key: str | None = None, **headers: str) -> tuple[int, Any]:
        sent = self.headers | {"Idempotency-Key": key or str(uuid4())} | headers
        kind = sent.pop("Content-Type", "application/json")
        response = self.client.post(f"/api/{path}", body, content_type=kind, headers=sent)
        return response.status_code, response.json()


class Callers:
    """The floor of `tests/floor.py`, its people signed in, and tablets and a feed at its linked table."""

    def __init__(self, floor: Floor | None = None) -> None:
        self.floor = floor or Floor()
        self.house = self.floor.house
        self.offices: dict[str, Caller] = {}
        for role in OFFICE:
            person = people.make(self.house, f"o.{role.replace('_', '')}", role)
            self.offices[role] = Caller(people.signed_in(person))
            if role == "cage":
                pin_set(person=person, pin=devices.PIN)
        self.technician, self.boss = self.offices["technician"], self.offices["pit_boss"]
        self.manager, self.auditor = self.offices["manager"], self.offices["auditor"]
        self.tablet = self.at_tablet(self.floor.table, self.floor.martina)
        self.feed = self.feed_at(self.floor.table)

    def at_tablet(self, table: Table, person: Person, name: str = "Tablet") -> Caller:
        """The person signed in on a tablet of this table."""
        pin_set(person=person, pin=devices.PIN)
        device, token = devices.enrol(table, self.floor.reto, name)
        device_sign_in(device=device, pin=devices.PIN, username=person.username)
        return Caller(devices.browser_of(device, token), device)

    def feed_at(self, table: Table, name: str = "Shoe") -> Caller:
        """A card feed of this table."""
        device, token = devices.feed(table, self.floor.reto, name)
        return Caller(Client(), device, token)

    def without(self) -> Caller:
        """Nobody."""
        return Caller(Client())
