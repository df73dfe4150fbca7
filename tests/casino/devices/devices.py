"""Tables, tablets and feeds for these tests."""

from uuid import UUID

from django.db import transaction
from django.test import Client

from casino.demo.floor import POSTED
from casino.demo.rulesets import DEMO_TABLES
from casino.devices.kinds import TABLETS
from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol, feed_enrol
from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.models import House, PostedTable
from payouts.services import posted_tables_seed
from tables.models import Pit, Table, TableSession
from tests.casino.people import people
from tests.cast import DAY

PIN = "270415"


def make_table(house: House, name: str = "UTH 1") -> Table:
    """A table in the house's pit."""
    pit = Pit.objects.get_or_create(house=house, name="Pit 1")[0]
    return Table.objects.create(house=house, pit=pit, name=name, game="uth", boxes=5, posted={})


def open_table(table: Table, croupier: Person) -> TableSession:
    """The table open under this croupier, with the demo's posted tables."""
    names = POSTED.values()
    if not PostedTable.objects.filter(house=table.house, name__in=names).exists():
        with transaction.atomic():
            posted_tables_seed(house_id=table.house_id, tables=DEMO_TABLES)
    posted = {
        kind: PostedTable.objects.get(house=table.house, kind=kind, name=name, version=1)
        for kind, name in POSTED.items()
    }
    session = TableSession.objects.create(
        house=table.house,
        table=table,
        gaming_day=DAY,
        entry_level="fast",
        versions={kind: str(version.pk) for kind, version in posted.items()},
        croupier=croupier,
        opened_by=croupier,
    )
    Table.objects.filter(pk=table.pk).update(session=session)
    return session


def dealer(house: House | None, username: str = "m.frei", *roles: str, **fields: object) -> Person:
    """A person with the PIN above."""
    person = people.make(house, username, *(roles or ["croupier"]), **fields)
    pin_set(person=person, pin=PIN)
    return person


def enrol(table: Table, by: Person, name: str = "Tablet") -> tuple[Device, str]:
    """A tablet and its token, by way of a code."""
    _, text = device_code_make(kind="tablet", place_id=table.pk, name=name, by=by)
    return device_enrol(kind="tablet", code=text)


def feed(table: Table, by: Person, name: str = "Shoe") -> tuple[Device, str]:
    """A card feed and its token."""
    return feed_enrol(place_id=table.pk, name=name, by=by)


def browser_of(device: Device, token: str, client: Client | None = None) -> Client:
    """A browser that holds the tablet's cookie."""
    client = client or Client()
    client.cookies[TABLETS.cookie(device.pk)] = token
    return client


def address(device: Device | UUID, page: str = "") -> str:
    """The address of a page of the tablet."""
    return f"/tablet/{device.pk if isinstance(device, Device) else device}/{page}"
