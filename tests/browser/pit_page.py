"""The pit in a browser: its pages opened, what is found on them, and what a floor has for them."""

from playwright.sync_api import Page, expect

from casino.pit.models import Alert
from tables.services import floor_call
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.people import be
from tests.floor import done


def tile(page: Page, name: str):
    return page.locator(f"#board a[data-table='{name}']")


def alert(floor: FloorHouse, kind: str = "tablet_offline", **data: object) -> Alert:
    where = {} if "jackpot" in data else {"table": str(floor.table.pk)}
    data = {"since": "2026-11-21T22:14:05+00:00"} | where | data
    return Alert.objects.create(house=floor.house, kind=kind, subject=str(len(data)) + kind, data=data)


def call(floor: FloorHouse, reason: str | None = "dispute") -> None:
    done(floor_call, house_id=floor.house.pk, table_id=floor.table.pk, actor_id=floor.boss.pk, reason=reason)


def open_pit(page: Page, floor: FloorHouse, person: str = "boss", query: str = "") -> None:
    be(page, getattr(floor, person))
    page.goto(f"/pit/{query}")
    expect(page.locator("[data-stale]")).to_be_hidden()


def room(page: Page, house: HitHouse, person: str) -> None:
    be(page, getattr(house, person))
    page.goto(f"/pit/jackpots/{house.jackpot.pk}/")
