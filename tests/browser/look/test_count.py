"""How the count of a tray looks on its tablet: each step in every language and three sizes. `SHOTS=<folder>` keeps the pictures."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from casino.people.pins import pin_set
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, TOO_SMALL, drawn_at, faults, keep
from tests.browser.look.test_tablet import SIZES
from tests.browser.people import LOOKED_AT
from tests.browser.tablet.test_count import CountedHouse, CountTablet, offers
from tests.casino.devices.devices import PIN
from tests.counts import OPENER

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
LESS = (*OPENER[:-1], 9)
# What is to be tapped lies on the screen, and nothing lies over it; what is scrolled is scrolled to.
OUT_OF_REACH = """() => [...document.querySelectorAll("main button, main a")].filter(e => {
    if (e.closest(".lines, .seen")) return false;
    const { left, right, top, bottom, width } = e.getBoundingClientRect();
    if (!width) return false;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return true;
    return !e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map(e => `out of reach: ${e.className} ${e.innerText.slice(0, 30)}`)"""


def looked_at(page: Page, name: str, language: str) -> list[str]:
    """Everything that is wrong with the page as it stands, in each size."""
    faulty: list[str] = []
    page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        drawn_at(page, width, height)
        for script in (CUT_OFF, TOO_SMALL, OVERLAPPING, OUT_OF_REACH):
            faulty += [f"{name} {width}: {text}" for text in page.evaluate(script)]
        keep(page, f"count_{name}", language)
    faulty += [f"{name}: {text}" for text in faults(page)] if language == "de" else []
    drawn_at(page, *SIZES[0])
    return faulty


@pytest.mark.parametrize("language", LOOKED_AT)
def test_every_step_of_a_count(floor_server: object, new_floor_page: Callable[..., Page], language: str) -> None:
    house = CountedHouse()
    Person.objects.filter(pk=house.martina.pk).update(language=language, full_name="Marie-Antoinette Oberhollenzer")
    Person.objects.filter(pk=house.reto.pk).update(full_name="Jean-Baptiste de la Rochefoucauld")
    pin_set(person=house.reto, pin=PIN)
    page = new_floor_page(
        has_touch=True, language=language, reduced_motion="reduce", allowed="403|409|422|Service Worker|DISCONN"
    )
    counting = CountTablet(page, house.counted, house.martina)
    offers(counting, house.reto)
    page.goto(f"/tablet/{counting.device.pk}/")
    shots = looked_at(page, "closed", language)
    counting.count()
    counting.state("none")
    shots += looked_at(page, "to_begin", language)
    counting.tap("[data-purpose=opener]")
    counting.state("begun")
    counting.digits("208")
    shots += looked_at(page, "empty", language)
    page.get_by_role("button", name="2", exact=True).tap()
    for _digit in range(4):
        page.keyboard.press("Backspace")
    counting.pieces(*LESS)
    shots += looked_at(page, "to_sign", language)
    counting.tap("[data-act=back]")
    shots += looked_at(page, "whole", language)
    counting.tap("[data-act=done]")
    counting.pin()
    counting.state("entered")
    shots += looked_at(page, "witness", language)
    counting.tap("[data-person=other]")
    shots += looked_at(page, "witness_other", language)
    counting.tap("[data-person]:not([data-person=other])")
    counting.tap("[data-ok=no]")
    shots += looked_at(page, "witness_pin", language)
    counting.pin()
    counting.state("begun")
    shots += looked_at(page, "anew", language)
    counting.tap("[data-act=done]")
    counting.pin()
    counting.state("entered")
    counting.witness()
    counting.state("again")
    shots += looked_at(page, "again", language)
    page.context.set_offline(True)
    expect(page.locator(".say.offline")).to_be_visible()
    shots += looked_at(page, "offline", language)
    page.context.set_offline(False)
    expect(page.locator(".say.offline")).to_have_count(0)
    counting.pieces(*OPENER)
    counting.pin()
    counting.state("entered")
    counting.witness()
    counting.state("signed")
    shots += looked_at(page, "signed", language)
    counting.tap("[data-act=table]")
    page.locator(".lone").wait_for()
    shots += looked_at(page, "counted", language)
    assert shots == []
