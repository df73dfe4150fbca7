"""A poker table that plays several variants in turn: which one is on, for how long, and that each hand has it (POK-1)."""

from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page, expect

from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables.games.poker.rules import PokerGame
from tables.games.poker.variants import HORSE
from tables.models import Hand
from tests.browser.hands import HandTablet, PatientRoom, hand_tablet
from tests.browser.poker_house import FIXED
from tests.poker import GAME, PokerRoom, opened, poker_table

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


class HorseRoom(PatientRoom):
    """Two tables more, of HORSE: by the orbit, and two hands each."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [
        *PokerRoom.also_posted,
        (GAME, "HORSE", PokerGame(variants=HORSE, **FIXED)),
        (GAME, "HORSE 2", PokerGame(variants=HORSE, rotate_hands=2, fee="nothing", **FIXED)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.orbit = opened(self, poker_table(self, "HORSE 1", "HORSE"))
        self.pairs = opened(self, poker_table(self, "HORSE 2", "HORSE 2", poker_rules="Bad Ragaz"))


def variants(tablet: HandTablet, count: int) -> list[str]:
    """What was dealt, hand by hand, once the server has so many."""
    tablet.hands(count)
    return list(Hand.objects.filter(table=tablet.table).order_by("number").values_list("variant", flat=True))


def turn(tablet: HandTablet, title: str, words: str) -> None:
    expect(tablet.page.locator("[data-opens=variant]")).to_have_text(f"{title}{words}")


def test_the_next_variant_comes_after_an_orbit(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """POK-1: as many hands as were dealt in at its first one; undone, a hand does not count; a key deals another one."""
    room = HorseRoom()
    tablet = hand_tablet(new_floor_page, room, room.orbit)
    page = tablet.page
    for seat in (1, 2, 3):
        tablet.buy_in(seat, 4_000)
    turn(tablet, "Texas Hold’em", "Variante")
    tablet.next_hand()
    turn(tablet, "Texas Hold’em", "Hand 1 von 3")
    tablet.later()
    tablet.head(3).tap()  # two are dealt in: so long is the orbit
    turn(tablet, "Texas Hold’em", "Hand 1 von 2")
    tablet.rake("100")
    tablet.next_hand()
    turn(tablet, "Texas Hold’em", "Hand 2 von 2")
    tablet.rake("100")
    turn(tablet, "Texas Hold’em", "dann Omaha Hi-Lo")
    tablet.later()
    tablet.key("Rückgängig").tap()
    tablet.phase("dealt")
    turn(tablet, "Texas Hold’em", "Hand 2 von 2")
    tablet.rake("200")
    tablet.next_hand()
    turn(tablet, "Omaha Hi-Lo", "Hand 1 von 3")
    tablet.rake("100")
    tablet.reload()
    turn(tablet, "Omaha Hi-Lo", "Hand 1 von 3")
    page.locator("[data-opens=variant]").tap()
    tablet.later()
    page.locator("[data-variant=stud_hilo]").tap()
    tablet.next_hand()
    turn(tablet, "Seven Card Stud Hi-Lo", "Hand 1 von 3")
    tablet.rake("100")
    tablet.next_hand()
    assert variants(tablet, 4) == ["holdem", "holdem", "omaha_hilo", "stud_hilo"]
    assert page.get_by_role("alert").count() == 0

    other = hand_tablet(new_floor_page, room, room.orbit)  # knows of no hand but what the server says
    turn(other, "Seven Card Stud Hi-Lo", "Variante")
    expect(other.page.locator(".head .number")).to_have_text("Hand 5")


def test_the_next_variant_comes_after_the_posted_hands(
    floor_server: object, new_floor_page: Callable[..., Page]
) -> None:
    """POK-1: also where a hand is one tap; from the last variant on with the first."""
    room = HorseRoom()
    tablet = hand_tablet(new_floor_page, room, room.pairs)
    for seat in (1, 2, 3):
        tablet.buy_in(seat, 4_000)
    for _hand in range(12):
        tablet.next_hand()
    turn(tablet, "Texas Hold’em", "Hand 2 von 2")
    assert variants(tablet, 10) == [variant for variant in HORSE for _twice in range(2)]
