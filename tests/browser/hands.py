"""A dealer's tablet at a poker table in Chromium, and what befalls its seats."""

import itertools
import re
from collections.abc import Callable
from typing import ClassVar

from playwright.sync_api import Locator, Page, expect

from payouts.rules.rulesets.schema import Posted
from tables.models import Hand, Table
from tables.rules.floor import FloorRules
from tests.browser.tablets import UNHURRIED, Tablet
from tests.poker import PokerRoom

_numbers = itertools.count(1)
# What waits four seconds for the next tap waits as long by the unhurried clock.
HOLDS = """(() => {
    const later = setTimeout;
    window.setTimeout = (act, ms, ...more) => later(act, ms === 4000 ? 10 * ms : ms, ...more);
})()"""
# Else a tablet falls behind its server: it says that its clock is off, and who has just sat down owes nothing yet.
RIGHT_CLOCK = "Date.now = () => new Date().getTime();"


class PatientRoom(PokerRoom):
    """A hand can be put right for as long as a busy machine takes to come to it."""

    posted: ClassVar[dict[str, Posted]] = PokerRoom.posted | {"floor_rules": FloorRules(undo_s=300)}

    def __init__(self) -> None:
        super().__init__(suffix=f".pk{next(_numbers)}")


def hand_tablet(
    new_floor_page: Callable[..., Page],
    room: PokerRoom,
    table: Table | None = None,
    *,
    hurried: bool = False,
    **options: object,
) -> "HandTablet":
    """A tablet of one of the room's tables, the raked one unless another is named."""
    page = hand_page(new_floor_page, hurried=hurried, **options)
    return HandTablet(page, table or room.raked, room.martina)


def hand_page(new_floor_page: Callable[..., Page], *, hurried: bool = False, **options: object) -> Page:
    page = new_floor_page(**{"has_touch": True, "allowed": "Service Worker|DISCONN"} | options)
    for script in () if hurried else (UNHURRIED, HOLDS, RIGHT_CLOCK):
        page.context.add_init_script(script)
    return page


class HandTablet(Tablet):
    """One tablet at one poker table, with its seats on the screen."""

    def phase(self, name: str) -> None:
        """Wait until the table stands so: `between` two hands, or while one is `dealt`."""
        wanted = "between|dealt" if name == "bets|play" else name
        expect(self.page.locator(".round")).to_have_attribute("data-phase", re.compile(f"^({wanted})$"))

    def seat_key(self, seat: int) -> Locator:
        """What opens a seat's sheet."""
        return self.page.locator(f"[data-opens='seat-{seat}']")

    def head(self, seat: int) -> Locator:
        return self.box(seat).locator(".top")

    def dock(self, key: str) -> Locator:
        return self.page.locator(f".dock [data-key='{key}']")

    def open_seat(self, seat: int) -> Locator:
        """Open a seat's sheet; give it."""
        self.later()
        self.seat_key(seat).tap()
        return self.page.locator(".sheet")

    def later(self) -> None:
        """A finger comes down later than one that taps twice."""
        self.page.evaluate("passed += 700")

    def green(self) -> None:
        """The large key of a sheet."""
        self.later()
        self.action.tap()

    def buy_in(self, seat: int, minor: int, means: str = "cash") -> None:
        sheet = self.open_seat(seat)
        sheet.locator(f"[data-minor='{minor}']").tap()
        if sheet.locator(f"[data-means='{means}']").get_attribute("aria-pressed") != "true":
            sheet.locator(f"[data-means='{means}']").tap()
        self.green()
        expect(self.box(seat).locator(".guest")).to_have_text(re.compile(r"\d"))

    def next_hand(self) -> None:
        self.act()
        self.phase("dealt")

    def rake(self, key: str) -> None:
        """Tap a key of the dock; it ends the hand."""
        self.later()
        self.dock(key).tap()
        self.phase("between")

    def hands(self, count: int) -> list[tuple[int, int, int, int]]:
        """What the server has of this table, once it has so many hands: number, players, rake in minor units, revision."""
        for _ in range(600):
            booked = list(Hand.objects.filter(table=self.table).order_by("number"))
            if len(booked) >= count:
                break
            self.page.wait_for_timeout(50)
        results = [hand.results.get(revision=hand.revision) for hand in booked]
        return [
            (hand.number, len(result.dealt), result.rake_minor, hand.revision)
            for hand, result in zip(booked, results, strict=True)
        ]
