"""A dealer's tablet at a poker table in Chromium, and what befalls its seats."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.tablets import Tablet


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
