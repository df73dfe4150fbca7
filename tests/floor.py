"""A floor for tests: a house with its posted tables, a pit, tables, a jackpot, people who deal and watch."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import transaction

from casino.demo.floor import POSTED
from casino.demo.rulesets import DEMO_TABLES
from casino.people.models import Person
from jackpot.models import Jackpot
from jackpot.services import display_require, jackpot_create, jackpot_create_request, jackpot_sign
from payouts.models import House
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from payouts.services import posted_tables_seed
from tables import services
from tables.models import Guest, Table
from tests.cast import make_house, make_person, post, stock_house

__all__ = ["POSTED", "Floor", "done", "second_jackpot", "stakes_for", "taps"]


def done(work: Callable[..., Any], **values: object) -> Any:
    """Carry a command out in a transaction of its own."""
    with transaction.atomic():
        return work(**values)


def second_jackpot(house: House, **fields: str) -> Jackpot:
    """A jackpot as a house gets it that plays: somebody signs for it."""
    usual = {"name": "Second", "progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}
    approval = done(jackpot_create_request, house_id=house.pk, **(usual | fields))
    signer = Person.objects.filter(house=house, roles__overlap=approval.roles, is_active=True).earliest("created_at")
    by = {"signer_id": signer.pk, "signer_roles": signer.roles, "method": approval.method}
    ids = {"house_id": house.pk, "approval_id": approval.pk, "payload_hash": bytes(approval.payload_hash)}
    done(jackpot_sign, **ids, **by)
    return Jackpot.objects.get(pk=approval.subject_id)


class Floor:
    """One house with a linked table and one without; `open()` opens both with their croupiers.

    `suffix` ends the names of house and people, for a database that holds several floors. Tables wait for as many `displays`, each
    with a session: without one the jackpot takes no coin (PRG-9).
    """

    posted: ClassVar[dict[str, Posted]] = {}  # what the house posts instead of the demo's tables, by kind
    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = []
    # what some fixtures add to it
    guests: list[Guest]
    others: list[Guest]
    laid: list[dict[str, Any]]
    round_id: UUID

    def __init__(self, *, stocked: bool = True, linked: bool = True, displays: int = 1, suffix: str = "") -> None:
        self.house: House = make_house(f"Casino Bad Ragaz{suffix}")
        tables = [(kind, name, self.posted.get(kind.code, data)) for kind, name, data in DEMO_TABLES]
        with transaction.atomic():
            posted_tables_seed(house_id=self.house.pk, tables=[*tables, *self.also_posted])
        self.martina: Person = make_person(f"martina{suffix}", "croupier", house=self.house)
        self.nora: Person = make_person(f"nora.f{suffix}", "croupier", house=self.house)
        self.reto: Person = make_person(f"reto{suffix}", "pit_boss", house=self.house)
        self.ines: Person = make_person(f"ines.f{suffix}", "manager", house=self.house)
        self.tim: Person = make_person(f"tim.f{suffix}", "technician", house=self.house)
        house_id = {"house_id": self.house.pk}
        self.pit = done(services.pit_create, **house_id, name="Pit 1")
        values = {**house_id, "pit_id": self.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED}
        self.table: Table = done(services.table_create, **values, name="UTH 1")
        self.other: Table = done(services.table_create, **values, name="UTH 2")
        self.jackpot: Jackpot = done(
            jackpot_create,
            **house_id,
            name="Progressive",
            progressive="Bad Ragaz Progressive",
            funding="Bad Ragaz Progressive",
            rules="Bad Ragaz Progressive" if "jackpot_rules" in self.posted else "",
        )
        self.displays = [self.hang(f"Display {number}") for number in range(1, displays + 1)]
        self.sessions = {display: uuid4() for display in self.displays}
        if linked:
            done(
                services.table_link,
                **house_id,
                table_id=self.table.pk,
                jackpot_id=self.jackpot.pk,
                actor_id=self.tim.pk,
            )
        if stocked:
            stock_house(self.house)
            for table in (self.table, self.other):
                owners = {"house": self.house.pk, "table": table.pk}
                post(self.house, "fill", recipes.fill(10_000_000), owners=owners, key=f"fill:{table.pk}")

    def hang(self, name: str, jackpot: Jackpot | None = None) -> UUID:
        """Have the tables of the jackpot wait for a display."""
        display, to = uuid4(), jackpot or self.jackpot
        ids = {"house_id": self.house.pk, "jackpot_id": to.pk, "display_id": display}
        done(display_require, **ids, name=name, actor_id=self.tim.pk)
        return display

    def open(self, table: Table | None = None, croupier: Person | None = None, **changes: object) -> list[Guest]:
        """Open a table and seat a guest at each of its boxes; give the guests."""
        table = table or self.table
        done(
            services.table_open,
            **{
                "house_id": self.house.pk,
                "table_id": table.pk,
                "croupier_id": (croupier or self.martina).pk,
                "actor_id": self.reto.pk,
            }
            | changes,
        )
        return [self.seat(table, box) for box in range(1, table.boxes + 1)]

    def seat(self, table: Table, box: int | None, **changes: object) -> Guest:
        values = {"house_id": self.house.pk, "table_id": table.pk, "box": box, "seated": box is not None}
        return done(services.guest_arrive, **(values | {"actor_id": self.martina.pk} | changes))

    def lock(self, stakes: list[dict[str, Any]], round_id: UUID | None = None, **changes: object) -> dict[str, Any]:
        values = {
            "house_id": self.house.pk,
            "table_id": self.table.pk,
            "round_id": round_id or uuid4(),
            "stakes": stakes,
            "croupier_id": self.martina.pk,
        }
        return done(services.round_lock, **(values | changes))

    def settle(self, round_id: object, result: object, **changes: object) -> dict[str, Any]:
        prepared = services.round_evaluate(house_id=self.house.pk, round_id=UUID(str(round_id)), result=result)
        return done(services.round_settle, **({"prepared": prepared, "person_id": self.martina.pk} | changes))

    def correct(self, round_id: object, result: object, placed: object = None, **changes: object) -> dict[str, Any]:
        where = {"house_id": self.house.pk, "round_id": UUID(str(round_id))}
        prepared = services.round_evaluate(**where, result=result, state="settled", placed=placed)
        values = {"prepared": prepared, "person_id": self.martina.pk, "reason": "mistyped"}
        return done(services.round_correct, **(values | changes))

    def elsewhere(self) -> Callable[[], dict[str, Any]]:
        """A part of a command: *Royal!* is called at the other table, linked for it and with a round; the jackpot freezes."""
        values = {"house_id": self.house.pk, "table_id": self.other.pk}
        done(services.table_link, **values, jackpot_id=self.jackpot.pk, actor_id=self.tim.pk)
        guests = self.open(self.other, self.nora)
        locked = self.lock(stakes_for(guests[:1], coins=1), table_id=self.other.pk, croupier_id=self.nora.pk)
        of = {"house_id": self.house.pk, "round_id": UUID(locked["id"]), "person_id": self.nora.pk}
        return lambda: services.round_call(**of)


def stakes_for(guests: list[Guest], *, ante: int = 1500, coins: int = 0, trips: int = 0) -> list[dict[str, Any]]:
    """Ante and Blind for each guest on his box, Trips if asked for, and coins on the first boxes."""
    stakes = []
    for place, guest in enumerate(guests):
        kinds = {"ante": ante, "blind": ante, "trips": trips, "coin": 500 if place < coins else 0}
        stakes += [
            {"box": guest.box, "guest": str(guest.pk), "kind": kind, "amount_minor": amount}
            for kind, amount in kinds.items()
            if amount
        ]
    return stakes


def taps(**boxes: dict[str, Any]) -> dict[str, Any]:
    """A tapped result: `taps(b1={"play": 4, "result": "win"})`."""
    return {"boxes": {name.removeprefix("b"): box for name, box in boxes.items()}}
