"""How the settlement sheet of a session looks, on the screen and on its one sheet of paper. `SHOTS=<folder>` keeps the pictures."""

import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from casino.people.models import Person
from tables.models import TableSession
from tests.browser.look.test_pit import Looker
from tests.browser.people import LOOKED_AT, be
from tests.browser.tablet.test_count import CountedHouse
from tests.counts import CLOSER
from tests.drops import FULL, DropFloor

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class SettledHouse(CountedHouse, DropFloor):
    """UTH 3 has played without a round: counted four times, each difference is open; its drop box waits."""

    def __init__(self) -> None:
        super().__init__()
        Person.objects.filter(pk=self.martina.pk).update(full_name="Marie-Antoinette Oberhollenzer")
        Person.objects.filter(pk=self.reto.pk).update(full_name="Jean-Baptiste de la Rochefoucauld")
        self.sell(7_850_00)
        for purpose in ("relief", "suspicion", "closer"):
            count = self.begin(purpose)
            self.witness(count, self.enter(count, *CLOSER))
            if purpose == "relief":  # far from the books
                self.witness(count, self.enter(count, *CLOSER))
        self.close()


def test_a_sheet_on_the_screen_and_on_paper(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    house = SettledHouse()
    session = TableSession.objects.get(table=house.counted)
    faults: list[str] = []
    for state in ("blind", "settled"):
        if state == "settled":
            house.counted_drop(FULL)
        for language in LOOKED_AT:
            page = new_floor_page(language=language, reduced_motion="reduce")
            look = Looker(page, language)
            be(page, house.boss)
            page.goto(f"/cage/settlements/{session.pk}/")
            look.at(f"settlement_{state}")
            look.printed(f"settlement_{state}")
            page.emulate_media(media="print")
            sheets = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
            page.emulate_media(media="screen")
            faults += [f"{language}: more than a sheet of paper"] * (len(sheets) > 1)
            page.goto("/cage/differences/")
            look.at(f"settlement_{state}_ways")
            faults += look.wrong
            page.close()
    assert faults == []
