"""Ten rounds in German as a croupier plays them who has never seen the tablet: a mis-tap, a correction, a full house, no pair, a
tie, a lost connection, the floor, a dispute, a royal. He does what the screen says; in the end the books say the same.
"""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from jackpot.models import Award
from tables.models import Guest, ReviewItem
from tests.browser.cable import Cable, cable_to
from tests.browser.conftest import Server
from tests.browser.hit_house import PatientHall
from tests.browser.tablet.test_jackpot import OFFLINE, off, on
from tests.browser.tablet.test_unanswered import plays_on
from tests.browser.tablets import Tablet
from tests.casino.pit.floor.test_round import audited
from tests.jackpot.linked import dull

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]
PLAIN = {1: "4+", 2: "1-", 4: "1+", 5: "fold"}


class Evening:
    """One croupier at UTH 1, four boxes, two coins; at UTH 2 nobody is looked at."""

    def __init__(self, page: Page, cable: Cable) -> None:
        self.hall, self.page, self.cable = PatientHall(displays=1), page, cable
        plays_on(self.hall)
        Guest.objects.filter(session__table=self.hall.tables[0]).update(left_at=timezone.now())
        self.tablet = Tablet(page, self.hall.tables[0], self.hall.croupiers[0])

    def begin(self) -> None:
        tablet = self.tablet
        tablet.seat(1, 2, 4, 5)
        tablet.tile(2, "ante").tap()
        tablet.chip("25").tap()
        for box in (1, 4):
            tablet.tile(box, "coin").tap()
        tablet.tile(4, "trips").tap()

    def later(self) -> None:
        """A finger that comes as late as one that has seen what stands there."""
        self.page.evaluate("passed += 700")

    def cells(self, *boxes: int) -> None:
        for box in boxes or PLAIN:
            self.tablet.cell(box, PLAIN[box])

    def hand(self, name: str, cards: str = "") -> None:
        """Of box 1, with its cards if they are asked for; then the others."""
        self.tablet.cell(1, PLAIN[1])
        self.tablet.hand(name)
        if cards:
            self.tablet.cards(cards)
            self.tablet.action.tap()
        self.cells(2, 4, 5)

    def why(self, name: str) -> None:
        expect(self.page.locator(f".say[data-why={name}]")).to_be_visible()

    # The rounds
    def taken_back_and_mistapped(self) -> None:
        tablet = self.tablet
        tablet.lock()
        self.later()
        tablet.key("Wieder öffnen").tap()
        tablet.phase("bets")
        tablet.lock()
        tablet.cell(1, "4-")
        tablet.key("Rückgängig").tap()
        self.cells()
        tablet.key("Bank: ohne Paar").tap()
        tablet.finish()

    def corrected(self) -> None:
        self.later()
        self.tablet.key("korrigieren").tap()
        self.tablet.cell(2, "1+")
        self.tablet.finish()

    def full_house(self) -> None:
        tablet = self.tablet
        tablet.lock()
        self.hand("full_house", "Ks 8h Kh 2d 8c Kc 4h")
        tablet.box(1).locator(".paid").tap()
        expect(self.page.get_by_role("dialog").or_(self.page.locator(".sheet"))).to_contain_text("Full House")
        tablet.key("Zurück").tap()
        tablet.finish()

    def tie(self) -> None:
        self.tablet.lock()
        self.hand("tie")
        self.tablet.finish()

    def without_the_server(self) -> None:
        """The connection goes in the middle of a round; the next one is played without it."""
        tablet = self.tablet
        tablet.has_worker()
        tablet.lock()
        off(tablet, self.cable)
        self.why("offline")
        self.cells()
        tablet.finish()
        tablet.lock()
        self.cells()
        tablet.finish()
        on(tablet, self.cable)
        expect(self.page.locator(".link")).to_have_text("Verbunden")

    def with_the_floor(self) -> None:
        """The floor is called, every card is shown."""
        tablet = self.tablet
        tablet.lock()
        self.later()
        tablet.key("Aufsicht rufen").tap()
        self.page.get_by_role("button", name="Streitfall").tap()
        expect(tablet.key("Aufsicht")).to_contain_text("Streitfall")
        self.later()
        self.cells()
        self.later()
        tablet.key("Karten / Streitfall").tap()
        self.page.get_by_role("button", name="Alle Karten erfassen").tap()
        tablet.cards("Ks 8h Kh 2d 8c Kc 4h 3s 5d Qs Qd 7c 6c")
        tablet.action.tap()
        self.later()
        tablet.finish()

    def royal(self) -> None:
        """UTH 2 plays on until its round is over; the pit looks, two sign, the display shows the new value."""
        hall, tablet = self.hall, self.tablet
        running = hall.start(1)
        tablet.lock()
        self.later()
        tablet.key("Royal").tap()
        self.page.get_by_role("button", name="Royal: Alle Tische sperren").tap()
        self.why("draining")
        self.hand("royal_flush", "Ah Kh Qh Jh 2d Th 9s")
        tablet.finish()
        hall.end(1, running, dull())
        hall.advance()
        self.why("verifying")
        hall.verify_all()
        hall.approve()
        self.why("showing")
        hall.confirm_all()
        hall.advance()
        expect(self.page.locator(".say[data-why]")).to_have_count(0)

    def plain(self) -> None:
        self.tablet.lock()
        self.cells()
        self.tablet.finish()


def test_ten_rounds_in_german(floor_server: Server, new_floor_page: Callable[..., Page]) -> None:
    with cable_to(floor_server.address) as cable:
        page = new_floor_page(has_touch=True, allowed=OFFLINE, service_workers="allow", address=cable.address)
        evening = Evening(page, cable)
        evening.begin()
        evening.plain()
        evening.taken_back_and_mistapped()
        evening.corrected()
        evening.full_house()
        evening.tie()
        evening.without_the_server()
        evening.with_the_floor()
        evening.royal()
        evening.plain()
        evening.plain()
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.locator(".link")).to_have_text("Verbunden")
    rounds = [one for one in evening.tablet.rounds() if one.state != "reopened"]
    assert [(one.state, one.revision, one.queued) for one in rounds] == [
        ("settled", 1, False),
        ("settled", 2, False),  # the one that was corrected
        ("settled", 1, False),
        ("settled", 1, False),
        ("settled", 1, False),  # whose result came when the connection was back
        ("settled", 1, True),
        ("settled", 1, False),
        ("settled", 1, False),
        ("settled", 1, False),
        ("settled", 1, False),
    ]
    assert Award.objects.filter(jackpot=evening.hall.jackpot, kind="share").count() == 1
    assert not ReviewItem.objects.filter(house=evening.hall.house).exists()
    assert audited() == []
