"""A floor to measure on: one house, as many linked open tables as there are clients, five guests at each; one jackpot, or more.

Run as a program in the environment of `bench_place`, it prints what both sides need to know, as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from subprocess import PIPE
from typing import Any
from uuid import UUID, uuid4

from tests.bench.place import Bench

ROOT = Path(__file__).parents[2]
BOXES, COINS, ANTE = 5, 3, 1500
PLAYS = (4, 0, 2, 1, 3)  # by box; 0 folds
PIN = "270415"
RESULTS = ("win", "fold", "lose", "win", "tie")


@dataclass(frozen=True)
class Seat:
    """One client's table: everything as text."""

    house: str
    table: str
    session: str
    day: str
    jackpot: str
    epoch: str
    croupier: str
    versions: dict[str, str]
    guests: list[str]
    accounts: dict[str, int] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)  # with which the croupier's tablet calls the API

    @property
    def device(self) -> str:
        """The id of its tablet."""
        return self.headers["X-Saalchef-Device"]

    def stakes(self) -> list[dict[str, Any]]:
        """Ante and Blind on five boxes, a coin on three of them."""
        found = []
        for place, guest in enumerate(self.guests):
            kinds = ["ante", "blind", *(["coin"] if place < COINS else [])]
            amounts = {"coin": 500}
            found += [
                {"box": place + 1, "guest": guest, "kind": kind, "amount_minor": amounts.get(kind, ANTE)}
                for kind in kinds
            ]
        return found

    def result(self) -> dict[str, Any]:
        """Tapped: two boxes win, one loses, one folds, one ties; nobody has a hand that pays."""
        boxes = zip(range(1, BOXES + 1), PLAYS, RESULTS, strict=True)
        return {"boxes": {str(box): {"play": play, "result": result} for box, play, result in boxes}}


def new_seats(place: Bench, count: int, *, jackpots: int = 1, tablets: bool = False) -> list[Seat]:
    """Open `count` tables in a new house, linked to its jackpots in turn; if asked with tablets, whose croupiers are signed in."""
    told = _run(place, ["make", str(count), str(jackpots), str(int(tablets))])
    return [Seat(**one) for one in json.loads(told.splitlines()[-1])]


def boss_of(place: Bench, seat: Seat) -> tuple[str, str]:
    """A pit boss of the seat's house who has signed in: name and value of his browser's cookie."""
    name, _, value = _run(place, ["boss", seat.house]).strip().splitlines()[-1].partition("=")
    return name, value


@contextmanager
def jackpot_desk(place: Bench, seat: Seat) -> Iterator[Callable[[str], None]]:
    """Somebody who is told to `close` or `reopen` the jackpot of a seat's table, as the floor does: in a process of its own that
    stays, so that nothing starts while it is measured.
    """
    command = [sys.executable, "-m", "tests.bench.floor_place", "desk", seat.house, seat.jackpot, seat.croupier]
    environment = {**place.environment, "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, cwd=ROOT, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def do(what: str) -> None:
            print(what, file=process.stdin, flush=True)
            assert process.stdout is not None
            assert process.stdout.readline() == f"{what}\n"

        yield do
        process.stdin.close()
    assert process.returncode == 0


def _run(place: Bench, values: list[str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.floor_place", *values],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**place.environment, "PATH": "/usr/bin:/bin"},
    )
    return done.stdout


def _desk(house: str, jackpot: str, person: str) -> None:
    """Do what is read, a word a line, and say the word again."""
    import django

    django.setup()
    for line in sys.stdin:
        _do(line.strip(), {"house_id": UUID(house), "jackpot_id": UUID(jackpot)}, UUID(person))
        print(line, end="", flush=True)


def _do(what: str, there: dict[str, UUID], person: UUID) -> None:
    from django.db import transaction

    from jackpot.services import jackpot_advance, jackpot_close, jackpot_reopen

    ids: dict[str, Any] = there | {"actor_id": person}
    with transaction.atomic():
        if what == "reopen":
            jackpot_reopen(**ids)
        else:
            jackpot_close(**ids, reason="measured")
    if what == "reopen":
        with transaction.atomic():
            _confirm(there)
        jackpot_advance(jackpot_id=there["jackpot_id"])


def _confirm(there: dict[str, UUID]) -> None:
    """The only display shows the value."""
    from jackpot.models import Gate, GateDisplay
    from jackpot.services import display_heard, gate_confirm

    gate = Gate.objects.get(jackpot=there["jackpot_id"], state="open")
    display_id = GateDisplay.objects.get(gate=gate).display_id
    mine = there | {"display_id": display_id, "session_id": display_id}  # the same page each time
    display_heard(**mine)
    shown = f"{gate.amount_minor / 100:.2f}"
    gate_confirm(**mine, gate=gate.number, nonce=gate.nonce, version=gate.version, shown=shown)


def _make(count: int, jackpots: int, tablets: int) -> list[Seat]:
    import django

    django.setup()
    from django.db import transaction

    from casino.demo.rulesets import DEMO_TABLES
    from jackpot.services import display_require, jackpot_create
    from payouts.models import Account
    from payouts.services import house_create, posted_tables_seed
    from tables import services
    from tables.models import Guest
    from tests.floor import POSTED
    from tests.zone import quiet_zone

    with transaction.atomic():
        house = house_create(name=f"Bench {uuid4()}", currency="CHF", time_zone=quiet_zone())
        posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
        of_house: dict[str, Any] = {"house_id": house.pk}
        tables = {"progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}
        made = [jackpot_create(**of_house, name=f"Progressive {number}", **tables) for number in range(jackpots)]
        for jackpot in made:  # without a display it takes no coin
            display_require(**of_house, jackpot_id=jackpot.pk, display_id=uuid4(), name="Display")
        pit = services.pit_create(**of_house, name="Pit")
        boss, seats = person_of(house, "pit_boss"), []
        for number in range(count):
            jackpot = made[number % jackpots]
            croupier = person_of(house, "croupier")
            table = services.table_create(
                **of_house, pit_id=pit.pk, name=f"UTH {number}", game="uth", boxes=7, posted=POSTED
            )
            services.table_link(**of_house, table_id=table.pk, jackpot_id=jackpot.pk)
            session = services.table_open(**of_house, table_id=table.pk, croupier_id=croupier.pk, actor_id=croupier.pk)
            guests: list[Guest] = [
                services.guest_arrive(**of_house, table_id=table.pk, box=box, seated=True, actor_id=croupier.pk)
                for box in range(1, BOXES + 1)
            ]
            seats.append(
                Seat(
                    str(house.pk),
                    str(table.pk),
                    str(session.pk),
                    session.gaming_day.isoformat(),
                    str(jackpot.pk),
                    str(jackpot.epoch_id),
                    str(croupier.pk),
                    session.versions,
                    [str(guest.pk) for guest in guests],
                    dict(Account.objects.filter(owner_id=table.pk).values_list("kind", "pk")),
                    _tablet(table, boss) if tablets else {},
                )
            )
    for seat in seats if tablets else ():
        _sign_in(seat)
    return seats


def _boss(house: str) -> str:
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from casino.people.authenticators import Authenticator
    from payouts.models import House

    boss = person_of(House.objects.get(pk=house), "pit_boss")
    device = Authenticator.objects.create(user=boss, name="bench", confirmed=True)
    client = Client()
    client.force_login(boss)
    session = client.session
    session["otp_device_id"] = device.persistent_id
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def person_of(house: Any, role: str) -> Any:
    from casino.people.models import Person

    return Person.objects.create(username=f"p{uuid4().hex[:20]}", full_name=role, house=house, roles=[role])


def _tablet(table: Any, boss: Any) -> dict[str, str]:
    """A tablet enrolled at the table; what its calls carry."""
    from casino.devices.door import HEADER
    from casino.devices.kinds import TABLETS
    from casino.devices.services import device_code_make, device_enrol

    _, code = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    device, token = device_enrol(kind="tablet", code=code)
    return {HEADER: str(device.pk), "Cookie": f"{TABLETS.cookie(device.pk)}={token}"}


def _sign_in(seat: Seat) -> None:
    from casino.devices.door import HEADER
    from casino.devices.models import Device
    from casino.devices.signin import device_sign_in
    from casino.people.models import Person
    from casino.people.pins import pin_set

    croupier = Person.objects.get(pk=seat.croupier)
    pin_set(person=croupier, pin=PIN)
    device_sign_in(device=Device.objects.get(pk=seat.headers[HEADER]), pin=PIN, username=croupier.username)


if __name__ == "__main__":
    command, *values = sys.argv[1:]
    if command == "make":
        print(json.dumps([asdict(seat) for seat in _make(*map(int, values))]))
    elif command == "boss":
        print(_boss(*values))
    else:
        _desk(*values)
