"""A dealer's tablet at a table whose pots are entered, in Chromium."""

from collections.abc import Callable

from playwright.sync_api import Page

from casino.people.models import Person
from tables.models import Hand, HandSeat
from tests.browser.hands import HandTablet, PatientRoom, hand_page
from tests.poker import at_table


def pot_tablet(new_floor_page: Callable[..., Page], *, language: str = "de", **options: object) -> "PotTablet":
    room = PatientRoom()
    Person.objects.filter(pk=room.martina.pk).update(language=language)
    at_table(room, "table_entry_level_set", room.raked, entry_level="pots")
    page = hand_page(new_floor_page, language=language, **options)
    return PotTablet(page, room.raked, room.martina)


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
