"""The number pad says what may be staked, and never names an amount that may not."""

from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page, expect

from payouts.rules.rulesets.schema import Posted
from tables.games.uth.rules import UthRules
from tables.models import RoundStake
from tests.browser.floor_house import FloorHouse
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser


class Narrow(FloorHouse):
    """Antes are CHF 5 or CHF 10, Trips CHF 5 to CHF 15."""

    posted: ClassVar[dict[str, Posted]] = {"uth_rules": UthRules(ante_maximum_minor=1000, trips_maximum_minor=1500)}


class Rappen(FloorHouse):
    """Stakes in steps of fifty Rappen."""

    posted: ClassVar[dict[str, Posted]] = {"uth_rules": UthRules(stake_step=50)}


def test_parts_of_a_franc_are_typed_where_steps_have_them(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    floor = Rappen()
    floor.open_for()
    tablet = Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)
    tablet.seat(1)
    tablet.tile(1, "ante").tap()
    tablet.key("andere").tap()
    for sign in "7.5":
        tablet.page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    tablet.page.get_by_role("button", name="Betrag übernehmen").tap()
    tablet.lock()
    [played] = tablet.rounds()
    stakes = RoundStake.objects.filter(round=played, kind="ante").values_list("accepted_minor", flat=True)
    assert list(stakes) == [750]


def test_examples_end_at_the_maximum(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    floor = Narrow()
    floor.open_for()
    tablet = Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)
    page = tablet.page
    tablet.seat(1)
    for part, examples in (("ante", "10"), ("trips", "10, 15")):
        tablet.tile(1, part).tap()
        tablet.key("andere").tap()
        page.locator(".numbers").get_by_role("button", name="7", exact=True).tap()
        expect(page.locator(".pad-place .help")).to_have_text(
            f"Nur in Schritten von CHF\u00a05.00. zum Beispiel {examples}"
        )
        tablet.key("Zurück").tap()
