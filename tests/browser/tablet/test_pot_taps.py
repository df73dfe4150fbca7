"""How many taps a hand at *pots* costs, counted over two hundred fixed hands that the house books as they were entered."""

import random  # noqa: TID251 - the hands are fixed by the seed
from collections.abc import Callable
from statistics import median
from typing import ClassVar

import pytest
from playwright.sync_api import Page

from tables.games.poker.rules import PokerGame
from tables.models import Hand
from tests.browser.hands import PatientRoom, hand_page
from tests.browser.pots import PotTablet
from tests.poker import GAME, PokerRoom, at_table, opened, poker_table

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
HANDS = 100  # of each size of a table
RAISES = (6_00, 8_00, 10_00)  # three to five big blinds
OF_POT = (0.5, 0.75, 1)
CHIP = 1_00
BETS = """() => [
    [...document.querySelectorAll(".dock [data-bet]")].map(key => Number(key.dataset.bet)).filter(Boolean),
    [...document.querySelectorAll(".pot > b")].reduce((sum, pot) => sum + Number(pot.innerText.replace(/\\D/g, "")), 0),
]"""


class DeepRoom(PatientRoom):
    """Guests who bring so much that two hundred hands do not break them."""

    also_posted: ClassVar = [*PokerRoom.also_posted, (GAME, "Deep", PokerGame(buy_in_most_minor=1_000_000_00))]


def deep_tablet(new_floor_page: Callable[..., Page], players: int) -> PotTablet:
    room = DeepRoom()
    table = opened(room, poker_table(room, "Poker 4", "Deep"))
    at_table(room, "table_entry_level_set", table, entry_level="pots")
    for seat in range(1, players + 1):
        room.sit(seat, 1_000_000_00, table)
    return PotTablet(hand_page(new_floor_page), table, room.martina)


def play(tablet: PotTablet, dice: random.Random, players: int) -> int:
    """Enter a hand with a raise on each street, at which two or more are left to show; give its taps."""
    tablet.next_hand()
    left = list(range(1, players + 1))
    leaving = dice.randint(players // 2 - 1, players - 2)
    taps = tablet.taps
    for street in range(4):
        going = leaving if street == 3 else dice.randint(0, leaving)
        folding = dice.sample(left, going)
        leaving -= going
        left = [seat for seat in left if seat not in folding]
        tablet.tap(" ".join([f"bet-{bet(tablet, dice, street)}", *(f"cell-{street}-{seat}" for seat in folding)]))
        tablet.tap("next" if street < 3 else f"win-{dice.choice(left)}")
    tablet.phase("between")
    return tablet.taps - taps


def bet(tablet: PotTablet, dice: random.Random, street: int) -> int:
    """A key whose amount is what is bet at such a table, to the chip."""
    keys, pot = tablet.page.evaluate(BETS)
    wanted = dice.choice(OF_POT) * pot * 100 if street else dice.choice(RAISES)
    nearest: int = min(keys, key=lambda minor: abs(minor - wanted))
    assert abs(nearest - wanted) <= CHIP / 2
    return nearest


@pytest.mark.parametrize(("players", "most", "middle"), [(6, 12, 11), (9, 15, 15)])
def test_a_hand_with_a_raise_on_each_street(
    floor_server: object, new_floor_page: Callable[..., Page], players: int, most: int, middle: int
) -> None:
    tablet = deep_tablet(new_floor_page, players)
    dice = random.Random(players)
    counts = [play(tablet, dice, players) for _ in range(HANDS)]
    tablet.next_hand()  # the last one goes, too
    tablet.stacks(HANDS)
    assert Hand.objects.filter(table=tablet.table).count() == HANDS
    assert max(counts) <= most
    assert median(counts) <= middle
