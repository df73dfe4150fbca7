"""How the round looks: every state in four languages and three sizes. Nothing is cut off, smaller than a finger, or too faint.

One long flow for each language. `SHOTS=<folder>` keeps the pictures.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.models import Person
from tests.browser.floor_house import FloorHouse
from tests.browser.people import WORDS
from tests.browser.tablets import DEAD_MS, Tablet
from tests.browser.test_look import CUT_OFF, OVERLAPPING, faults, keep

pytestmark = pytest.mark.browser
SIZES = ((1280, 800), (1024, 768), (800, 1280))
BY_AXE = (
    "box",
    "bets",
    "pad",
    "menu",
    "settling",
    "cards_done",
    "done",
    "why",
    "royal",
    "correction",
    "offline",
    "help",
    "left",
    "verifying",
    "no_answer",
)
STANDING = ("settling", "cards_done", "left")  # looked at by axe also with the tablet upright

# Text that does not fit its key from top to bottom, and a page that would have to be scrolled. Figures stand in a line as high as
# they are, so what is asked is whether the parts of a key reach out of it.
TOO_HIGH = """() => [document.scrollingElement, ...document.querySelectorAll(".round, .round button, .round section, .round div")]
    .filter(e => e.clientHeight && getComputedStyle(e).overflowY !== "auto" && e.scrollHeight > e.clientHeight + 6)
    .map(e => `${e.tagName}.${e.className}: ${e.scrollHeight} > ${e.clientHeight}: ${e.innerText.slice(0, 40)}`)"""

# A finger: 10 mm are 58 px; the one large action is 200 px both ways, or as high as the bar of a standing tablet.
TOO_SMALL = """() => [...document.querySelectorAll(".round button, dialog[open] button, dialog[open] a")].filter(e => {
    const box = e.getBoundingClientRect();
    const [width, height] = e.matches(".action") ? [200, Math.min(200, innerWidth < innerHeight ? 168 : 200)] : [57.5, 55.5];
    return box.width && (box.width < width || box.height < height);
}).map(e => `${e.className} ${e.innerText.slice(0, 30)}: ${e.clientWidth} × ${e.clientHeight}`)"""


# States that take others, or time, to come about are set on the page; what they say is the page's own.
SET = """async ([phase, sheet, working, notice]) => {
    const [state, live, { w }] = await Promise.all([import("tablet/state"), import("tablet/live"), import("tablet/words")]);
    const waits = {
        rounds: [{ table: "x", name: "UTH 12" }, { table: "y", name: "Salon Privé 3" }],
        claims: 1, signatures: { have: 1, need: 2 },
        displays: [{ name: "Eingang", state: "waiting" }, { name: "Salon Privé", state: "waiting" }],
    };
    live.jackpot.value = { ...live.jackpot.value, version: 1e9, phase, waiting_for: waits };
    state.sheet.value = sheet ? { name: sheet } : null;
    state.working.value = working;
    const asks = { words: w("ask_pit"), go: () => {} };
    state.notice.value = notice ? { title: w(notice, { number: 128 }), help: w(`${notice}_help`), kind: "alarm", act: asks } : null;
}"""
AT_ONCE = """(() => {
    const later = setTimeout;
    window.setTimeout = (act, ms) => later(act, ms === 3000 ? 0 : ms);  // an answer that is long in coming
})()"""
SET_STATES = {
    "draining": ["draining", "", "", ""],
    "verifying": ["verifying", "", "", "server_differs"],
    "showing": ["showing", "", "", ""],
    "suspended": ["suspended", "", "", ""],
    "call": ["open", "call", "", ""],
    "no_answer": ["open", "", "lock", ""],
}


def wrong(tablet: Tablet, name: str, language: str) -> list[str]:
    """Everything that is wrong with the screen as it stands, in each size."""
    page, found = tablet.page, []
    page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        # A dialog lies over the round, which is out of reach then.
        scripts = (CUT_OFF, TOO_HIGH, TOO_SMALL, *(() if name == "menu" else (OVERLAPPING,)))
        every = ", ".join(f"...({script})()" for script in scripts)
        found += [f"{name} {width}: {text}" for text in page.evaluate(f"() => [{every}]")]
        keep(page, f"round_{name}", language)
        # Colours and structure are those of every language.
        if language == "de" and name in (BY_AXE if width == SIZES[0][0] else STANDING if width < height else ()):
            found += [f"{name} {width}: {text}" for text in faults(page)]
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    return found


@pytest.mark.timeout(300)  # a busy machine is no failure
@pytest.mark.parametrize("language", WORDS)
def test_every_state(floor_server: object, new_floor_page: Callable[..., Page], language: str) -> None:
    floor = FloorHouse()
    floor.open()
    Person.objects.filter(pk=floor.reto.pk).update(language=language, full_name="Jean-Baptiste Oberholzer")
    page = new_floor_page(has_touch=True, language=language, reduced_motion="reduce", allowed="INTERNET_DISCONNECTED")
    page.add_init_script(AT_ONCE)
    tablet, found = Tablet(page, floor.table, floor.reto), []
    found += wrong(tablet, "empty", language)
    page.keyboard.press("?")
    found += wrong(tablet, "help", language)
    page.keyboard.press("Escape")
    page.locator(".helps").tap()
    expect(page.locator(".help-list dt")).to_have_count(10)
    page.locator(".rail-key").first.tap()
    tablet.seat(1, 2, 3, 4, 5, 6)
    for box, ante in ((1, "10"), (3, "25"), (5, "50")):
        tablet.tile(box, "ante").tap()
        tablet.chip(ante).tap()
    for box in (1, 5):
        tablet.tile(box, "trips").tap()
        tablet.chip("50").tap()
    for box in (1, 3, 5):
        tablet.tile(box, "coin").tap()
    tablet.box(6).locator(".top").tap()
    found += wrong(tablet, "box", language)
    page.locator(".sheet .figure").first.tap()
    tablet.tile(5, "trips").tap()
    found += wrong(tablet, "bets", language)
    page.locator(".dock .key").last.tap()
    for sign in "55":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    found += wrong(tablet, "pad", language)
    page.locator(".rail-key").first.tap()
    page.locator(".person").tap()
    found += wrong(tablet, "menu", language)
    page.keyboard.press("Escape")

    tablet.lock()
    tablet.cell(1, "4+")
    tablet.cell(3, "1-")
    tablet.cell(4, "fold")
    found += wrong(tablet, "settling", language)
    page.evaluate("document.documentElement.dataset.hand = 'left'")
    found += wrong(tablet, "left", language)
    page.evaluate("document.documentElement.dataset.hand = 'right'")
    tablet.cell(5, "2+")
    tablet.hand("full_house")
    tablet.cards("Ks 8h Kh 2d 8c Kc")
    found += wrong(tablet, "cards", language)
    tablet.cards("4h")
    found += wrong(tablet, "cards_done", language)
    tablet.action.tap()
    tablet.cell(2, "3-")
    tablet.cell(6, "4+")
    found += wrong(tablet, "done", language)
    tablet.box(5).locator(".paid").tap()
    found += wrong(tablet, "why", language)
    page.locator(".rail-key").first.tap()
    for place, name in ((-2, "royal"), (-1, "void"), (2, "dispute")):  # a supervisor calls no floor
        page.locator(".rail-key").nth(place).tap()
        found += wrong(tablet, name, language)
        page.locator(".rail-key").first.tap()
    tablet.finish()
    expect(page.locator(".rail-key").first).to_be_enabled()
    found += wrong(tablet, "after", language)
    page.locator(".rail-key").first.tap()
    found += wrong(tablet, "correction", language)
    page.locator(".rail-key").first.tap()
    for name, values in SET_STATES.items():
        page.evaluate(SET, values)
        expect(page.locator(".action .doing")).to_have_count(int(name == "no_answer"))
        found += wrong(tablet, name, language)
    page.evaluate(SET, ["open", "", "", ""])
    page.context.set_offline(True)
    expect(page.locator(".say.offline")).to_be_visible()
    page.wait_for_timeout(DEAD_MS)
    found += wrong(tablet, "offline", language)
    page.context.set_offline(False)
    expect(page.locator(".link.ok")).to_be_visible()
    assert not found, "\n".join(found)
    assert page.get_by_role("heading", level=1).count() == 1
