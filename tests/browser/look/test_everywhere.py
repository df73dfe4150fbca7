"""How every page looks and reads: every language, four sizes, two themes. Nothing cut off, nothing too small, nothing too faint."""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.utils import timezone
from playwright.sync_api import Page

from casino.people.models import Person
from casino.rulesets.starter import starter_draft, starter_request
from payouts.models import House
from tests.browser.conftest import unwatched
from tests.browser.people import LOOKED_AT, be, enter, fill, somebody
from tests.browser.posted import posted
from tests.floor import done

pytestmark = pytest.mark.browser
SIZES: tuple[tuple[int, int], ...] = ((1280, 800), (1024, 768), (800, 1280), (390, 844))
SHOTS = os.environ.get("SHOTS")
if SHOTS:  # people look at the large ones, too; what is cut off is cut off in the small ones first
    SIZES = ((1920, 1080), (1440, 900), *SIZES)
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def sign_in_page(page: Page, house: House) -> None:
    page.goto("/sign-in/")


def refused(page: Page, house: House) -> None:
    page.goto("/sign-in/")
    fill(page, somebody(house), password="falsch")
    page.get_by_role("alert").wait_for()


def own_password(page: Page, house: House) -> None:
    page.goto("/sign-in/")
    newcomer = somebody(house, enrolled=False, initial_password_until=timezone.now() + timedelta(days=1))
    fill(page, newcomer, code="")
    page.wait_for_url("**/sign-in/password/")
    page.locator("[name=password]").fill("kurz")
    page.locator("[name=again]").fill("kurz")
    page.locator("button.act").click()
    page.get_by_role("alert").wait_for()


def enrolment(page: Page, house: House) -> None:
    page.goto("/sign-in/")
    fill(page, somebody(house, enrolled=False), code="")
    page.wait_for_url("**/sign-in/authenticator/")


def floor_home(page: Page, house: House) -> None:
    be(page, somebody(house, "surveillance"))


def office_home(page: Page, house: House) -> None:
    be(page, somebody(house, "manager"))


def home_of_many_roles(page: Page, house: House) -> None:
    be(page, somebody(house, "croupier", "pit_boss", "cage", "auditor", "surveillance", "technician", "manager"))


def home_of_the_installation(page: Page, house: House) -> None:
    be(page, somebody(None, "manager"))


def password(page: Page, house: House) -> None:
    be(page, somebody(house))
    page.goto("/password/")
    for name in ("present", "password", "again"):
        page.locator(f"[name={name}]").fill("falsch falsch")
    page.locator("button.act").click()
    page.get_by_role("alert").wait_for()


def not_found(page: Page, house: House) -> None:
    page.goto("/gibt/es/nicht/")


def forbidden(page: Page, house: House) -> None:
    be(page, somebody(house))
    page.goto("/home/manager/")


def posted_list(page: Page, house: House) -> None:
    posted(house)
    be(page, somebody(house, "technician"))
    page.goto("/posted-tables/")


def posted_version(page: Page, house: House) -> None:
    """A request as a signer sees it: figures, warnings, and the form to sign or refuse."""
    be(page, somebody(house, "auditor"))
    page.goto(f"/posted-tables/{posted(house)['requested'].pk}/")
    page.locator("form[action$='/sign/'] [name=secret]").wait_for()


def posted_refused(page: Page, house: House) -> None:
    """A wrong code, said where it was typed."""
    posted_version(page, house)
    page.locator("form[action$='/sign/'] [name=secret]").fill("123456")
    page.locator("form[action$='/sign/'] button").click()
    page.get_by_role("alert").wait_for()


def posted_draft(page: Page, house: House) -> None:
    """A draft that looks like a mistake, with the form that asks for its approval."""
    be(page, somebody(house, "technician"))
    page.goto(f"/posted-tables/{posted(house)['draft'].pk}/")
    page.locator(".notice.warn").first.wait_for()


def posted_progressive(page: Page, house: House) -> None:
    be(page, somebody(house, "surveillance"))
    page.goto(f"/posted-tables/{posted(house)['progressive'].pk}/")


def posted_compare(page: Page, house: House) -> None:
    versions = posted(house)
    be(page, somebody(house, "auditor"))
    page.goto(f"/posted-tables/{versions['requested'].pk}/compare/{versions['first'].pk}/")


def posted_form(page: Page, house: House) -> None:
    be(page, somebody(house, "technician"))
    page.goto("/posted-tables/new/progressive/")


def posted_form_refused(page: Page, house: House) -> None:
    """A value that cannot be, with the longest explanation beside it."""
    be(page, somebody(house, "technician"))
    page.goto("/posted-tables/new/uth_rules/")
    page.locator("[name=name]").fill("UTH 5–50")
    page.locator("[name='f.ante_minimum_minor']").fill("7.50")
    page.locator("form.drafting button.act").click()
    page.get_by_role("alert").wait_for()
    wrong = page.locator("[aria-invalid=true]")
    assert wrong.get_attribute("name") == "f.ante_minimum_minor"
    assert wrong.evaluate("field => getComputedStyle(field).borderTopWidth") == "2px"


def first_steps(page: Page, house: House) -> None:
    """As a manager sees them who signs the starter set, all of it open, and enters the cash."""
    technician = somebody(house, "technician")
    for act in (starter_draft, starter_request):
        done(act, house=house, actor_id=technician.pk)
    be(page, somebody(house, "manager"))
    page.goto("/first-steps/")
    for closed in page.locator(".first summary").all():
        closed.click()


PAGES = (
    sign_in_page,
    refused,
    own_password,
    enrolment,
    floor_home,
    office_home,
    home_of_many_roles,
    home_of_the_installation,
    password,
    not_found,
    forbidden,
    posted_list,
    posted_version,
    posted_refused,
    posted_draft,
    posted_progressive,
    posted_compare,
    posted_form,
    posted_form_refused,
    first_steps,
)

# What is wider than its box and not meant to scroll, or cut with an ellipsis: text that nobody can read.
CUT_OFF = """() => [...document.querySelectorAll("body, body *")].filter(e => {
    const style = getComputedStyle(e);
    if (!e.clientWidth || style.display === "inline" || e.closest(".visually-hidden, .skip, [hidden], svg")) return false;
    if (["auto", "scroll"].includes(style.overflowX)) return false;
    return e.scrollWidth > e.clientWidth + 1 || (e.innerText && style.textOverflow === "ellipsis");
}).map(e => `${e.tagName}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}: ${e.innerText.slice(0, 40)}`)"""

# Every control that a finger should hit; links within a sentence are exempt, as WCAG has it.
TOO_SMALL = """() => [...document.querySelectorAll("button, input:not([type=hidden]), select, a[href]")].filter(e => {
    const box = e.getBoundingClientRect();
    if (!box.width || e.closest("[hidden], .visually-hidden, .skip, p")) return false;
    if (getComputedStyle(e).visibility === "hidden") return false;
    return box.height < 43.5 || box.width < 43.5;
}).map(e => `${e.tagName} ${e.name} ${e.innerText.slice(0, 30)}: ${e.clientWidth} × ${e.clientHeight}`)"""

# Two controls must not lie on each other.
OVERLAPPING = """() => {
    const boxes = [...document.querySelectorAll("button, a[href], input:not([type=hidden])")]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().width)  // what a closed menu holds has a place too
        .filter(e => !e.closest(".skip, [hidden]") && !e.matches(".reveal"))
        .map(e => [e, e.getBoundingClientRect()]);
    const meet = (p, q) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1;
    return boxes.flatMap(([a, p], i) => boxes.slice(i + 1)
        .filter(([b, q]) => !a.contains(b) && !b.contains(a) && meet(p, q))
        .map(([b]) => `${a.innerText || a.name} / ${b.innerText || b.name}`));
}"""


# Faults alone leave the page: to hand over all that was found right took four times as long as to find it.
AXE = """options => axe.run({...options, resultTypes: ["violations"], selectors: false}).then(({violations}) =>
    violations.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.html.slice(0, 150)}`)))"""


def faults(page: Page, rules: tuple[str, ...] = RULES) -> list[str]:
    """What the axe rules say about the page, contrast included."""
    with unwatched(page):
        if page.evaluate("typeof axe === 'undefined'"):
            page.evaluate(AXE_SCRIPT)
        return page.evaluate(AXE, {"runOnly": list(rules)})


def drawn_at(page: Page, width: int, height: int) -> None:
    """The page in this size, with what it draws by itself when its size changes: by the second picture from now it has."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def look(page: Page, name: str, language: str) -> list[str]:
    """Everything that is wrong with the page as it stands, in each size."""
    wrong = []
    page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        drawn_at(page, width, height)
        for script in (CUT_OFF, TOO_SMALL, OVERLAPPING):
            wrong += [f"{width}: {text}" for text in page.evaluate(script)]
        keep(page, name, language)
    for width, height in (
        (SIZES[0], SIZES[-1]) if language == "de" else ()
    ):  # colours and structure are those of every language
        drawn_at(page, width, height)
        wrong += [f"{width}: {text}" for text in faults(page)]
    return wrong


def keep(page: Page, name: str, language: str) -> None:
    """A picture for people to look at, if they asked for pictures."""
    if SHOTS:
        size = "{width}x{height}".format_map(page.viewport_size)  # two sizes of a page may be equally wide
        page.screenshot(path=Path(SHOTS) / f"{name}_{language}_{size}.png", full_page=True)


@pytest.mark.parametrize("language", LOOKED_AT)
@pytest.mark.parametrize("opened", PAGES, ids=lambda page: page.__name__)
def test_page(
    new_page: Callable[..., Page], house: House, opened: Callable[[Page, House], None], language: str
) -> None:
    page = new_page(language=language, allowed="status of 4(0[34]|22)", reduced_motion="reduce")
    opened(page, house)
    assert page.locator("html").get_attribute("lang") == language
    assert look(page, opened.__name__, language) == []
    assert page.get_by_role("heading", level=1).count() == 1


@pytest.mark.parametrize("language", LOOKED_AT)
def test_demo_page(new_demo_page: Callable[..., Page], language: str) -> None:
    page = new_demo_page(language=language, reduced_motion="reduce")
    page.goto("/sign-in/")
    page.locator(".demo .code").first.wait_for()
    assert look(page, "demo", language) == []


def test_fonts_are_ours_and_loaded(page: Page, house: House) -> None:
    person = somebody(house)
    Person.objects.filter(pk=person.pk).update(full_name="Đorđe Šećerović")
    enter(page, person)
    page.evaluate("document.fonts.ready")
    loaded = page.evaluate(
        "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family.replaceAll('\"', ''))"
    )
    assert set(loaded) == {"Inter Variable", "Barlow Condensed"}
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith('"Inter Variable"')


def test_motion_stops_for_who_asks(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(reduced_motion="reduce")
    page.goto("/sign-in/")
    durations = "[...document.querySelectorAll('*')].map(e => getComputedStyle(e).transitionDuration)"
    assert set(page.evaluate(durations)) == {"0s"}


def test_page_works_without_scripts(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(java_script_enabled=False)
    enter(page, somebody(house))
    assert re.fullmatch(r"\d\d:\d\d", page.locator("header time").inner_text())


def test_text_twice_as_large_is_still_whole(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(width=640, height=400, device_scale_factor=2)  # what 200 % zoom of 1280 × 800 is
    page.goto("/sign-in/")
    assert page.evaluate(CUT_OFF) == []


PLANTED = {
    "cut off": ("<div style='width:40px;overflow:hidden;white-space:nowrap'>Donaudampfschifffahrt</div>", CUT_OFF),
    "ellipsis": ("<div style='width:40px;overflow:hidden;text-overflow:ellipsis'>Bis bald</div>", CUT_OFF),
    "too small": ("<button style='width:20px;height:20px'>x</button>", TOO_SMALL),
    "overlapping": (
        "<button style='position:fixed;top:20px;left:300px;width:150px;height:50px'>x</button>",
        OVERLAPPING,
    ),
}


@pytest.mark.parametrize("fault", [*PLANTED, "too faint", "without a name"])
def test_planted_fault_is_found(new_page: Callable[..., Page], house: House, fault: str) -> None:
    """The control: each of the checks above finds what it is there to find."""
    page = new_page(bypass_csp=True)
    page.goto("/sign-in/")
    markup, script = PLANTED.get(
        fault, ("<p style='color:#555;background:#444'>kaum zu lesen</p><input style='width:60px'>", "")
    )
    assert (page.evaluate(script) if script else faults(page)) == []
    page.locator("main .top").evaluate("(top, markup) => top.insertAdjacentHTML('beforeend', markup)", markup)
    found = page.evaluate(script) if script else faults(page)
    wanted = {"too faint": "color-contrast", "without a name": "label"}.get(fault, "")
    assert [text for text in found if wanted in text]
