"""A dealer's tablet at a table whose pots are entered, in Chromium."""

from collections.abc import Callable
from typing import ClassVar

from playwright.sync_api import Page

from casino.people.models import Person
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables.games.poker.rules import PokerGame, PokerRules
from tables.models import Hand, HandSeat
from tests.browser.hands import HandTablet, PatientRoom, hand_page
from tests.poker import GAME, HOUSE, PokerRoom, at_table, opened, poker_table


def pot_tablet(new_floor_page: Callable[..., Page], *, language: str = "de", **options: object) -> "PotTablet":
    room = PatientRoom()
    Person.objects.filter(pk=room.martina.pk).update(language=language)
    at_table(room, "table_entry_level_set", room.raked, entry_level="pots")
    page = hand_page(new_floor_page, language=language, **options)
    return PotTablet(page, room.raked, room.martina)


class DrawRoom(PatientRoom):
    """A table of five card draw, antes 1.00, which all may pass in."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [
        *PokerRoom.also_posted,
        (GAME, "Draw", PokerGame(variants=("draw",), limit="pot", seats=6, ante_minor=1_00, fee="nothing")),
        (HOUSE, "Draw", PokerRules(first_round_check=True)),
    ]

    def __init__(self) -> None:
        super().__init__()
        names = {"poker_game": "Draw", "poker_rules": "Draw"}
        self.drawn = opened(self, poker_table(self, "Poker 4", **names))
        at_table(self, "table_entry_level_set", self.drawn, entry_level="pots")


def draw_tablet(new_floor_page: Callable[..., Page]) -> "PotTablet":
    room = DrawRoom()
    return PotTablet(hand_page(new_floor_page), room.drawn, room.martina)


class PotTablet(HandTablet):
    """A tablet at a table whose pots are entered."""

    taps = 0

    def tap(self, names: str) -> None:
        """Tap keys and cells by what they do: `bet-1500 cell-0-5 win-7 next`."""
        for name in names.split():
            self.later()
            what, _, place = name.partition("-")
            key = self.action if what == "next" else self.page.locator(f"[data-{what}='{place}']")
            key.tap()
            self.taps += 1

    def stack_at(self, seat: int) -> str:
        return self.page.locator(f".chair[data-opens='seat-{seat}'] .stack").inner_text()

    def stacks(self, count: int) -> dict[int, int]:
        """By seat what is won less what is paid in the hand of this number, once the server has it."""
        for _ in range(600):
            hand = Hand.objects.filter(table=self.table, number=count).first()
            if hand:
                break
            self.page.wait_for_timeout(50)
        rows = HandSeat.objects.filter(hand__table=self.table, hand__number=count, revision=hand.revision)
        return {row.seat: row.booked_minor // 100 for row in rows}
