"""How a display looks in each state, size and language: nothing cut off or covered, every state said, no fault that axe finds.

The page is the real one on the real server; what its socket tells it comes from the test.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.display_house import STANDS, show, shown, state
from tests.browser.display_states import HARD, TOLD, Teller
from tests.browser.look.test_everywhere import CUT_OFF, RULES, SHOTS, drawn_at, faults, keep
from tests.browser.people import LOOKED_AT
from tests.databases import superuser
from tests.screens import Shown

pytestmark = pytest.mark.browser
SIZES: tuple[tuple[int, int], ...] = ((1920, 1080), (1280, 720), (1080, 1920), (3840, 2160), (1024, 768))
OTHERS = SIZES[1:3]  # in the other languages: what fits there fits the larger ones, which are as much in proportion
if SHOTS:  # people look at these
    LARGE = ((1920, 1080), (1440, 900), (1280, 800))
    SIZES, OTHERS = (*LARGE, *SIZES[1:]), (*LARGE, *OTHERS)
# What is sold as a screen besides: old monitors, a wide sign, a tall one, a TV's own browser, a square.
ODD = (
    (1366, 768),
    (1280, 1024),
    (2560, 1080),
    (1920, 540),
    (720, 1280),
    (768, 1366),
    (540, 960),
    (960, 540),
    (1080, 1080),
)
WORDS = {
    "de": {
        "open": "Jackpot-Einsätze offen",
        "draining": "Gewinn wird ermittelt – noch 2 Tische",
        "draining_one": "Gewinn wird ermittelt – noch 1 Tisch",
        "verifying": "Gewinn wird geprüft · UTH 2",
        "showing": "Neuer Jackpotstand – Einsätze öffnen in Kürze",
        "suspended": "Jackpot unterbrochen – zurzeit keine Jackpot-Einsätze",
        "closed": "Jackpot geschlossen",
        "retired": "Dieser Jackpot ist beendet",
        "hit": "Jackpot gewonnen · UTH 2 · Box 4",
        "hit_two": "Jackpot gewonnen · 2 Gewinner",
    },
    "en": {
        "open": "Jackpot stakes open",
        "draining": "The win is being established – 2 more tables",
        "draining_one": "The win is being established – 1 more table",
        "verifying": "Win being verified · UTH 2",
        "showing": "New jackpot value – betting opens shortly",
        "suspended": "Jackpot interrupted – no jackpot stakes at present",
        "closed": "Jackpot closed",
        "retired": "This jackpot has ended",
        "hit": "Jackpot won · UTH 2 · Box 4",
        "hit_two": "Jackpot won · 2 winners",
    },
    "fr": {
        "open": "Mises jackpot ouvertes",
        "draining": "Gain en cours de détermination – encore 2 tables",
        "draining_one": "Gain en cours de détermination – encore 1 table",
        "verifying": "Gain en vérification · UTH 2",
        "showing": "Nouveau montant – ouverture des mises imminente",
        "suspended": "Jackpot interrompu – pas de mises jackpot pour le moment",
        "closed": "Jackpot fermé",
        "retired": "Ce jackpot est terminé",
        "hit": "Jackpot gagné · UTH 2 · Box 4",
        "hit_two": "Jackpot gagné · 2 gagnants",
    },
    "it": {
        "open": "Puntate jackpot aperte",
        "draining": "Vincita in corso di accertamento – ancora 2 tavoli",
        "draining_one": "Vincita in corso di accertamento – ancora 1 tavolo",
        "verifying": "Vincita in verifica · UTH 2",
        "showing": "Nuovo importo – puntate a breve",
        "suspended": "Jackpot interrotto – al momento nessuna puntata jackpot",
        "closed": "Jackpot chiuso",
        "retired": "Questo jackpot è terminato",
        "hit": "Jackpot vinto · UTH 2 · Box 4",
        "hit_two": "Jackpot vinto · 2 vincitori",
    },
}


# Parts that lie on each other, from top to bottom of what is shown; and what leaves the screen.
CROWDED = """() => {
    const isHit = document.documentElement.dataset.view === "hit";
    const parts = document.querySelectorAll(isHit ? ".hit > *" : ".head, .now > *, .ladder, .foot, .banner");
    const rows = [...parts].map(e => [e.className, e.getBoundingClientRect()]).filter(([, box]) => box.height);
    const wrong = rows.slice(1).filter(([, box], at) => box.top < rows[at][1].bottom - 2).map(([name]) => name + " is too high up");
    for (const e of document.querySelectorAll(".stage *")) {
        const box = e.getBoundingClientRect();
        if (!box.width || !box.height || e.closest(".strip") || getComputedStyle(e).visibility === "hidden") continue;
        const isOff = box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
        if (isOff) wrong.push(`${e.className} leaves the screen: ${e.textContent.slice(0, 40)}`);
    }
    return wrong;
}"""


def speak(floor: Shown, language: str) -> None:
    with superuser() as link:  # a house's locale is set when it opens
        link.execute("UPDATE payouts_house SET locale = %s WHERE id = %s", [f"{language}-CH", floor.house.pk])


def wrong(page: Page, name: str, language: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> list[str]:
    """Everything that is wrong with the picture as it stands, in each size."""
    found = []
    for width, height in sizes:
        page.evaluate("document.fonts.ready")
        drawn_at(page, width, height)
        for script in (CUT_OFF, CROWDED):
            found += [f"{name} {width}: {text}" for text in page.evaluate(script)]
        if width < 3000:  # a picture of the largest screen takes seconds
            keep(page, f"display_{name}", language)
    return found


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LOOKED_AT)
def test_every_state_is_said_and_has_room(
    new_display_page: Callable[..., Page], display_server: Server, language: str
) -> None:
    floor = Shown()
    speak(floor, language)
    page = new_display_page()
    teller, found = Teller(page, floor), []
    assert page.locator("html").get_attribute("lang") == language
    sizes = SIZES if language == "de" else OTHERS
    for name, told in (TOLD | HARD).items():
        teller.tell(told)
        if name in WORDS[language]:
            said = page.locator("[data-part=hit-tag], [data-part=banner-text], [data-part=state]").locator(
                "visible=true"
            )
            expect(said).to_have_text(WORDS[language][name])
        found += wrong(page, name, language, sizes)
        if told["phase"] != "retired":
            assert shown(page) == teller.told["text"]
    assert found == []


@pytest.mark.parametrize("name", [*TOLD, *HARD])
def test_any_screen_has_room(new_display_page: Callable[..., Page], display_server: Server, name: str) -> None:
    page = new_display_page()
    Teller(page, Shown()).tell((TOLD | HARD)[name])
    assert wrong(page, name, "de", ODD) == []


@pytest.mark.parametrize("name", [*TOLD, "long", "hit_many"])
def test_axe_finds_nothing(new_display_page: Callable[..., Page], display_server: Server, name: str) -> None:
    page = new_display_page(width=1920, height=1080)
    teller = Teller(page, Shown())
    teller.tell((TOLD | HARD)[name])
    assert faults(page, RULES) == []


def test_silence_has_room(new_display_page: Callable[..., Page], display_server: Server) -> None:
    floor, found = Shown(), []
    pages: dict[str, Page] = {}
    for language in WORDS:  # they fall silent together
        speak(floor, language)
        page = pages[language] = new_display_page(language=language, allowed="ERR_FAILED|Failed to load")
        Teller(page, floor).tell({"phase": "open", "text": "1’128’450.55"})
        page.unroute("**/now/")
        page.route("**/now/", lambda route: route.abort())
    for language, page in pages.items():
        state(page, "stale")
        assert shown(page) == "1’128’450.55"
        found += wrong(page, "stale", language, OTHERS)
        if language == "de":
            found += faults(page, RULES)
    assert found == []


# Where the digits stand, and what they come too near to. Boxes of one size: [left, top, width, height].
PLACED = """() => {
    const box = of => document.querySelector(of).getBoundingClientRect();
    const meter = box(".wheels"), near = [];
    for (const of of [".head", ".last", ".ladder", ".banner"]) {
        const other = box(of);
        if (other.height && other.top < meter.bottom && other.bottom > meter.top) near.push(of);
    }
    return [[meter.left, meter.top, meter.width, meter.height], near];
}"""


def test_the_digits_stay_when_it_falls_silent(new_display_page: Callable[..., Page], display_server: Server) -> None:
    """Who looks up sees that the value is old by its colour and the words; it neither moves nor covers the house's name."""
    floor = Shown()
    pages: dict[str, Page] = {}
    placed: dict[str, dict[str, list[tuple[list[float], list[str]]]]] = {}
    for language in WORDS:
        speak(floor, language)
        page = pages[language] = new_display_page(language=language, allowed="ERR_FAILED|Failed to load")
        Teller(page, floor).tell({"phase": "open", "text": "128’450.55"})
        placed[language] = {"open": measured(page)}
        page.unroute("**/now/")
        page.route("**/now/", lambda route: route.abort())
    for language, page in pages.items():
        state(page, "stale")
        placed[language]["stale"] = measured(page)
    found = []
    for language, by_state in placed.items():
        for size, (before, near), (after, nearer) in zip(
            (*SIZES, *ODD), by_state["open"], by_state["stale"], strict=True
        ):
            moved = max(abs(one - other) for one, other in zip(before, after, strict=True))
            if moved > 1 or near or nearer:
                found.append((language, size, f"moved by {moved:.0f}", near, nearer))
    assert found == []


def measured(page: Page) -> list[tuple[list[float], list[str]]]:
    page.evaluate("document.fonts.ready")
    found = []
    for width, height in (*SIZES, *ODD):
        drawn_at(page, width, height)
        page.evaluate(STANDS)
        found.append(tuple(page.evaluate(PLACED)))
    return found


@pytest.mark.parametrize("language", WORDS)
def test_pages_without_a_meter_have_room(
    new_display_page: Callable[..., Page], display_server: Server, language: str
) -> None:
    """Which display, turned away, and open in another window: what a technician reads from a ladder."""
    floor, found = Shown(screens=2), []
    speak(floor, language)
    page = new_display_page(language=language, allowed="status of 40[39]")
    for screen in floor.screens:
        show(page, screen)
    page.goto("/display/")
    expect(page.locator(".tables a")).to_have_count(2)
    found += looked_at(page, "choose", language)
    show(page, floor.screens[0])
    page.evaluate("() => { const e = document.querySelector('[data-part=elsewhere]'); e.hidden = false; }")
    page.evaluate("document.documentElement.toggleAttribute('data-elsewhere', true)")
    found += looked_at(page, "elsewhere", language)
    floor.revoke(floor.screens[0])
    page.goto(f"/display/{floor.screens[0].device.pk}/")
    expect(page.locator(".lone h1")).to_be_visible()
    found += looked_at(page, "turned_away", language)
    assert found == []


def looked_at(page: Page, name: str, language: str) -> list[str]:
    assert page.locator("html").get_attribute("lang") == language
    found = wrong(page, name, language, OTHERS)
    return found + faults(page, RULES) if language == "de" else found


def test_wheels_grow_shrink_and_turn_to_what_they_are_told(
    new_display_page: Callable[..., Page], display_server: Server
) -> None:
    page = new_display_page(width=1920, height=1080)
    teller = Teller(page, Shown())
    page.emulate_media(reduced_motion="no-preference")
    for text in ("99’999.95", "100’000.00", "999’999.99", "1’000’000.00", "50’000.00", "0.05", "12’345’678.90"):
        teller.tell({"phase": "open", "text": text})
        page.evaluate(STANDS)
        assert shown(page) == text


@pytest.mark.parametrize(
    ("locale", "text", "said"),
    [("de-DE", "128.450,55", "Einsatz CHF 5 pro Box"), ("fr-FR", "128\u202f450,55", "Mise CHF 5 par box")],
)
def test_amounts_stand_as_the_house_writes_them(
    new_display_page: Callable[..., Page], display_server: Server, locale: str, text: str, said: str
) -> None:
    floor = Shown()
    with superuser() as link:
        link.execute("UPDATE payouts_house SET locale = %s WHERE id = %s", [locale, floor.house.pk])
    page = new_display_page(width=1920, height=1080)
    teller = Teller(page, floor)
    teller.tell({"phase": "open", "text": text, "coin_text": "5,00"})
    assert shown(page) == text
    expect(page.locator("[data-part=stake]")).to_contain_text(said)
    assert wrong(page, f"written_{locale}", locale[:2], SIZES[:1]) == []


PLANTED = {
    "crowded": ".now .meter { font-size: 900px !important }",
    "off the screen": ".foot { transform: translateX(200px) }",
}


@pytest.mark.parametrize("fault", PLANTED)
def test_planted_fault_is_found(new_display_page: Callable[..., Page], display_server: Server, fault: str) -> None:
    """The control: the checks above find what they are there to find."""
    page = new_display_page(width=1920, height=1080)
    Teller(page, Shown()).tell(TOLD["open"])
    assert wrong(page, "planted", "de", SIZES[:1]) == []
    page.evaluate("rule => document.styleSheets[1].insertRule(rule, 0)", PLANTED[fault])
    assert wrong(page, "planted", "de", SIZES[:1]) != []
