"""Whatever is signed: the difference and the key are in sight without scrolling, on a screen of 800 px."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from payouts.models import Approval
from tables import services
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.people import be
from tests.floor import done, taps

pytestmark = pytest.mark.browser
SIZES = ({"width": 1280, "height": 800}, {"width": 800, "height": 1280})


def in_sight(new_page: Callable[..., Page], who: object, address: str) -> None:
    """At both sizes, in German and French."""
    for language, word in (("de", "Unterschreiben"), ("fr", "Signer")):
        page = new_page(language=language, **SIZES[0])
        be(page, who)
        for size in SIZES:
            page.set_viewport_size(size)
            page.goto(address)
            expect(page.locator(".differences").first).to_be_in_viewport(ratio=1)
            key = page.get_by_role("button", name=word, exact=True).first
            expect(key).to_be_in_viewport(ratio=1)
        page.close()


def test_correction_of_a_round(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    round_id = floor.lost()
    won = taps(b1={"play": 4, "result": "win", "hand": "flush"})
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=won, state="settled")
    done(services.round_correction_request, prepared=prepared, person_id=floor.boss.pk, reason="Kamera 4")
    in_sight(new_floor_page, floor.second, f"/floor/rounds/{round_id}/#sign")


def test_split_of_a_jackpot(new_floor_page: Callable[..., Page]) -> None:
    house = HitHouse()
    house.hit(winners=2)
    house.verify_all()
    request = Approval.objects.get(house=house.house, state="open")
    in_sight(new_floor_page, house.second, f"/floor/jackpots/{house.jackpot.pk}/#asked-{request.pk}")
