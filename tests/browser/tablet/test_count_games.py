"""The tray of a poker and of a Black Jack table is counted on its tablet as any other (CNT-2, CNT-9)."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.people.pins import pin_set
from payouts.models import Count
from payouts.rules.ledger import recipes
from tables import services
from tables.models import Table
from tests.blackjack import blackjack_table
from tests.browser.tablet.test_count import CountTablet
from tests.casino.devices.devices import PIN
from tests.counts import COUNTED, VALUES, CountedFloor
from tests.floor import done
from tests.poker import at_table, poker_table, sit

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)
FULL = (0, 0, 0, 0, 0, 100, 0, 0)  # 10 000.00


class CountedGames(CountedFloor):
    """Poker 1 with two guests, and Black Jack 2, both open on their openers."""

    def __init__(self) -> None:
        super().__init__(suffix=f".cg{next(_numbers)}")
        pin_set(person=self.reto, pin=PIN)
        self.poker = poker_table(self, "Poker 1", rake="Poker", **COUNTED)
        posted = blackjack_table(self).posted | COUNTED
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "blackjack", "boxes": 7}
        self.jack: Table = done(services.table_create, **values, name="Black Jack 2", posted=posted)
        self.move("fill", recipes.fill(1_000_000), self.jack)
        for table in (self.poker, self.jack):
            self.sign("opener", *FULL, table=table)
        at_table(self, "table_open", self.poker, croupier_id=self.martina.pk, entry_level="rake_only")
        for seat in (1, 2):
            sit(self, seat, self.poker, means="chips")
        self.open(self.jack, self.nora)


@pytest.fixture
def games(floor_server: object) -> CountedGames:
    return CountedGames()


def counted(games: CountedGames, page: Page, table: Table, person: Any) -> None:
    """From the menu of the table to the signature, and back to the table."""
    tablet = CountTablet(page, table, person)
    page.locator(".round").wait_for()
    page.locator(".person").tap()
    page.locator("#menu").get_by_role("link", name="Tray zählen").tap()
    tablet.state("none")
    expect(page.locator("[data-purpose]")).to_have_count(5)
    tablet.tap("[data-purpose=relief]")
    tablet.state("begun")
    expect(page.locator(".line")).to_have_count(len(VALUES))
    tablet.pieces(*FULL)
    tablet.pin()
    tablet.state("entered")
    tablet.witness(games.reto.username)
    tablet.state("signed")
    count = Count.objects.get(place_id=table.pk, purpose="relief")
    assert (count.state, count.ended_by) == ("signed", games.reto)
    tablet.tap("[data-act=table]")
    page.locator(".round").wait_for()


def test_CNT_2_the_tray_of_a_poker_table_is_counted(  # noqa: N802
    games: CountedGames, new_floor_page: Callable[..., Page]
) -> None:
    page = new_floor_page(has_touch=True, allowed="403|409|422|Service Worker|DISCONN")
    counted(games, page, games.poker, games.martina)
    expect(page.locator(".round")).to_have_attribute("data-phase", "between")


def test_CNT_2_the_tray_of_a_black_jack_table_is_counted(  # noqa: N802
    games: CountedGames, new_floor_page: Callable[..., Page]
) -> None:
    page = new_floor_page(has_touch=True, allowed="403|409|422|Service Worker|DISCONN")
    counted(games, page, games.jack, games.nora)
    expect(page.locator(".round")).to_have_attribute("data-phase", "bets")
