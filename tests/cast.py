"""The cast of the tests: one house, a few people, accounts with something in them."""

from datetime import date
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction

from casino.people.models import Person
from payouts.models import House
from payouts.rules.ledger import recipes
from payouts.services import house_create, recipe_post
from tests.brought import CAST

DAY = date(2026, 11, 21)
TABLE = UUID("00000000-0000-4000-8000-000000000001")
JACKPOT = UUID("00000000-0000-4000-8000-000000000002")
EPOCH = UUID("00000000-0000-4000-8000-000000000003")
NEXT_EPOCH = UUID("00000000-0000-4000-8000-000000000004")
OTHER_TABLE = UUID("00000000-0000-4000-8000-000000000005")


def make_house(name: str = "Casino Bad Ragaz", currency: str = "CHF") -> House:
    """A house with the default approval matrix, where the gaming day does not change while the tests run."""
    with transaction.atomic():
        return house_create(name=name, currency=currency, time_zone=settings.DEMO_TIME_ZONE)


def make_person(username: str, *roles: str, house: House | None = None) -> Person:
    """A person with these roles (default: pit boss) in this house (default: the only one there is)."""
    house = house or House.objects.get()
    return Person.objects.create(
        username=username, full_name=username.title(), house=house, roles=list(roles) or ["pit_boss"]
    )


def owners_of(house: House) -> dict[str, UUID]:
    """What a recipe finds its accounts by."""
    return {
        "house": house.pk,
        "table": TABLE,
        "other": OTHER_TABLE,
        "jackpot": JACKPOT,
        "epoch": NEXT_EPOCH,
        "old": EPOCH,
    }


def stock_house(house: House) -> None:
    """Cash and chips in the cage, chips in the tray of TABLE, chips with its guests."""
    for name, amount in (
        ("capital_in", 50_000_000),
        ("chips_in_service", 90_000_000),
        ("fill", 5_000_000),
        ("buy_in", 1_000_000),
    ):
        post(house, name, getattr(recipes, name)(amount))


def post(house: House, kind: str, lines: list[recipes.Line], **changes: object) -> int:
    """Post a recipe in a transaction of its own; give the transfer's id."""
    values = {"key": f"{kind}:{uuid4()}", "owners": owners_of(house), "gaming_day": DAY} | changes
    values["key"] = CAST + values["key"]
    with transaction.atomic():
        return recipe_post(house_id=house.pk, kind=kind, lines=lines, **values)
