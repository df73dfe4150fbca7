"""How the round looks: every state in every language and three sizes. Nothing is cut off, smaller than a finger, or too faint.

One long flow for each language. `SHOTS=<folder>` keeps the pictures.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, drawn_at, faults, keep
from tests.browser.people import LOOKED_AT
from tests.browser.tablets import DEAD_MS, Tablet

pytestmark = pytest.mark.browser
SIZES = ((1280, 800), (1024, 768), (800, 1280))
STANDING = ("settling", "cards_done", "left")  # looked at by axe also with the tablet upright
NARROW = (
    "bets",
    "settling",
    "cards_done",
    "correction",
    "refused",
    "offline",
)  # and in every language on the narrow one

# Text that does not fit its key from top to bottom, and a page that would have to be scrolled. Figures stand in a line as high as
# they are, so what is asked is whether the parts of a key reach out of it.
TOO_HIGH = """() => [document.scrollingElement, ...document.querySelectorAll(".round, .round :is(button, section, aside, div)")]
    .filter(e => e.clientHeight && getComputedStyle(e).overflowY !== "auto" && e.scrollHeight > e.clientHeight + 6)
    .map(e => `${e.tagName}.${e.className}: ${e.scrollHeight} > ${e.clientHeight}: ${e.innerText.slice(0, 40)}`)"""

# A key that lies beyond the screen, where no finger reaches it, or under something else.
OUT_OF_REACH = """() => [...document.querySelectorAll(".round button")].filter(e => {
    const { left, right, top, bottom, width } = e.getBoundingClientRect();
    if (!width) return false;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return true;
    return !e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map(e => `out of reach: ${e.className} ${e.innerText.slice(0, 30)}`)"""

# One thing that is said has a line of its own; if its words take more, they lie over what is tapped below.
COVERED = """() => {
    const [below, ...said] = [".columns, .sheet, .cards", ".say"].flatMap(one => [...document.querySelectorAll(one)]);
    const isOver = one => one.getBoundingClientRect().bottom > below.getBoundingClientRect().top;
    return said.length === 1 && below && isOver(said[0]) ? [`covers what lies below: ${said[0].innerText.slice(0, 60)}`] : [];
}"""

# A finger: 10 mm are 58 px; the one large action is 200 px both ways, or as high as the bar of a standing tablet.
TOO_SMALL = """() => [...document.querySelectorAll(".round button, dialog[open] button, dialog[open] a")].filter(e => {
    const box = e.getBoundingClientRect();
    const [width, height] = e.matches(".action") ? [200, Math.min(200, innerWidth < innerHeight ? 168 : 200)] : [57.9, 57.9];
    return box.width && (box.width < width || box.height < height);
}).map(e => `${e.className} ${e.innerText.slice(0, 30)}: ${e.clientWidth} × ${e.clientHeight}`)"""

# A line around a key (a border, or a shadow within) that does not stand out by 3 from what lies outside or inside of it.
TOO_FAINT_LINES = """() => {
    const [canvas] = [new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true})];
    const laid = (...colours) => {  // one over the other
        for (const colour of ["#000", ...colours]) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const linear = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const under = e => e ? [...under(e.parentElement), getComputedStyle(e).backgroundColor] : [];
    const lineOf = style => {
        if (parseFloat(style.borderTopWidth) && style.borderTopStyle !== "none") return style.borderTopColor;
        return /^(rgba?\\([^)]*\\)) 0px 0px 0px [\\d.]+px inset/.exec(style.boxShadow)?.[1];
    };
    return [...document.querySelectorAll(".round button:enabled, dialog[open] button:enabled")].flatMap(e => {
        const line = e.checkVisibility() && lineOf(getComputedStyle(e));
        if (!line || line.endsWith(", 0)")) return [];
        const [outside, inside] = [under(e.parentElement), under(e)].map(colours => light(laid(...colours)));
        const drawn = light(laid(...under(e), line));
        const most = Math.max(contrast(drawn, outside), contrast(drawn, inside));
        return most >= 3 ? [] : [`line of ${most.toFixed(2)}: ${e.className} ${e.innerText.slice(0, 30)}`];
    });
}"""
OVER: dict[str, tuple[str, ...]] = {
    "menu": (),
    "menu_offline": (),
    "more": (OVERLAPPING,),
    "bj_drawer": (),  # six guests: it is scrolled
}  # lies over the round, which is out of reach then


LONG_OFFLINE = """async () => {
    const { offSince, serverNow } = await import('tablet/frame/live');
    offSince.value = serverNow() - 1_500_000;
}"""
PLAYS_ON = """async () => {
    const { standing } = await import('tablet/frame/live');
    standing.value = { ...standing.value, offline: 'play_flagged' };
}"""

# States that take others, or time, to come about are set on the page; what they say is the page's own.
HEARD = """async (ago) => {
    const { contact } = await import('tablet/frame/outbox');
    delete contact.value;
    performance.now = window.runs ??= performance.now;
    if (ago === "") return;
    const still = performance.now();
    const get = () => ({ at: ago === null ? still : performance.now() - ago, lost: false });
    Object.defineProperty(contact, 'value', { configurable: true, get, set() {} });
    if (ago !== null) return;
    performance.now = () => still; // else it would be offline after a while
    document.dispatchEvent(new Event('visibilitychange'));
}"""
SET = """async ([phase, sheet, working, notice, name]) => {
    const { draft: now } = await import("tablet/round/state");
    const modules = ["screen", "live", "words", "outbox"].map(name => import(`tablet/frame/${name}`));
    const [screen, live, { w }, outbox] = await Promise.all(modules);
    const waits = {
        rounds: [{ table: "x", name: "UTH 12" }, { table: "y", name: "Salon Privé 3" }],
        claims: 1, signatures: { have: 1, need: 2 },
        displays: [{ name: "Eingang", state: "waiting" }, { name: "Salon Privé", state: "waiting" }],
    };
    const hit = { tables: ["UTH 12", "Salon Privé 3"] };
    live.jackpot.value = { ...live.jackpot.value, version: 1e9, phase, waiting_for: waits, hit };
    screen.sheet.value = sheet ? { name: sheet } : null;
    screen.working.value = working;
    const refused = { title: w("no_box"), detail: w("to_clarify") };
    const { value: draft } = now;
    const one = { number: 128, seq: 1, round: "x", draft: { ...draft, number: 128 } };
    const stored = [7, 8].map(seq => ({ kind: "queued", seq, round: `stored ${seq}`, draft, open: true }));
    const told = {
        stored,
        refused: [{ ...one, kind: "settle", refused }],
        held_back: [{ ...one, kind: "queued", refused }],
        not_corrected: [{ ...one, kind: "request", refused }],
    }[name] ?? [];
    const isRefused = name === "refused";
    screen.alarms.value = name === "alarms" ? [{ title: w("to_clarify"), help: w("server_differs_help"), count: 2 }] : [];
    outbox.pending.value = [];
    now.value = { ...draft, mode: isRefused ? "again" : "new", phase: isRefused ? "play" : "bets", parked: draft };
    outbox.pending.value = told;
    screen.notice.value = notice ? { title: w(notice, { number: 128 }), help: w(`${notice}_help`), kind: "alarm" } : null;
}"""
AT_ONCE = """(() => {
    const later = setTimeout;
    window.setTimeout = (act, ms) => later(act, ms === 3000 ? window.patience ?? 0 : ms);  // long in coming
})()"""
SET_STATES = {
    "draining": ["draining", "", "", ""],
    "verifying": ["verifying", "", "", "server_differs"],
    "showing": ["showing", "", "", ""],
    "suspended": ["suspended", "", "", ""],
    "call": ["open", "call", "", ""],
    "refused": ["open", "", "", ""],
    "held_back": ["open", "", "", ""],
    "not_corrected": ["open", "", "", ""],
    "alarms": ["open", "", "", ""],
    "not_stored": ["open", "", "", "not_stored"],
    "no_answer": ["open", "", "lock", ""],
}


def wrong(tablet: Tablet, name: str, language: str) -> list[str]:
    """Everything that is wrong with the screen as it stands, in each size."""
    page = tablet.page
    faulty: list[str] = []
    page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        drawn_at(page, width, height)
        scripts = (CUT_OFF, TOO_HIGH, TOO_SMALL, TOO_FAINT_LINES, COVERED, *OVER.get(name, (OVERLAPPING, OUT_OF_REACH)))
        every = ", ".join(f"...({script})()" for script in scripts)
        faulty += [f"{name} {width}: {text}" for text in page.evaluate(f"() => [{every}]")]
        keep(page, f"round_{name}", language)
        # Colours and structure are those of every language; how words wrap is not.
        upright = STANDING if language == "de" else ()
        asked = NARROW if width == SIZES[1][0] else upright if width < height else (name,) if language == "de" else ()
        if name in asked:
            faulty += [f"{name} {width}: {text}" for text in faults(page)]
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    return faulty


@pytest.mark.timeout(300)  # a busy machine is no failure
def cash(tablet: Tablet, language: str) -> list[str]:
    """Buy-ins and tips: the amounts, what was entered last, one that is typed."""
    page = tablet.page
    faulty: list[str] = []
    key = page.locator(".cash-key")
    for kind, minor in (("buyin", 1_000_00), ("tip", 2_50), ("buyin", 50_00)):
        key.tap()
        page.locator(f"[data-cash={kind}][data-minor='{minor}']").tap()
        page.evaluate(f"passed += {DEAD_MS}")
    faulty += wrong(tablet, "cash_entered", language)
    key.tap()
    expect(page.locator(".cash li")).to_have_count(3)
    faulty += wrong(tablet, "cash", language)
    page.locator("[data-cash=tip][data-pad]").tap()
    faulty += wrong(tablet, "cash_pad", language)
    page.keyboard.press("Escape")
    page.locator(".say .close").tap()
    return faulty


@pytest.mark.parametrize("language", LOOKED_AT)
def test_every_state(floor_server: object, new_floor_page: Callable[..., Page], language: str) -> None:
    floor = FloorHouse()
    floor.open()
    Person.objects.filter(pk=floor.reto.pk).update(language=language, full_name="Jean-Baptiste Oberholzer")
    page = new_floor_page(has_touch=True, language=language, reduced_motion="reduce", allowed="INTERNET_DISCONNECTED")
    page.add_init_script(AT_ONCE)
    tablet, found = Tablet(page, floor.table, floor.reto), []
    found += wrong(tablet, "empty", language)
    page.keyboard.press("F1")
    found += wrong(tablet, "help", language)
    page.keyboard.press("Escape")
    page.locator(".helps").tap()
    expect(page.locator(".help-list dt")).to_have_count(11)
    page.locator(".rail-key").first.tap()
    found += cash(tablet, language)
    tablet.seat(1, 2, 3, 4, 5, 6)
    for box, ante in ((1, "10"), (3, "25"), (5, "50")):
        tablet.tile(box, "ante").tap()
        tablet.chip(ante).tap()
    for box in (1, 5):
        tablet.tile(box, "trips").tap()
        tablet.chip("50").tap()
    for box in (1, 3, 5):
        tablet.tile(box, "coin").tap()
    expect(tablet.box(6).locator(".guest")).not_to_be_empty()
    tablet.box(6).locator(".top").tap()
    found += wrong(tablet, "box", language)
    page.locator(".sheet .figure").first.tap()
    tablet.box(7).locator(".top").tap()
    found += wrong(tablet, "blind", language)
    page.locator(".rail-key").first.tap()
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
    page.locator(".rail-key").first.tap()
    tablet.cards("Kd")
    found += wrong(tablet, "cards_differ", language)
    page.locator(".rail-key").first.tap()
    tablet.cards("4h")
    tablet.action.tap()
    tablet.cell(2, "3-")
    tablet.cell(6, "4+")
    tablet.cell(7, "4+")
    found += wrong(tablet, "done", language)
    tablet.box(5).locator(".paid").tap()
    found += wrong(tablet, "why", language)
    page.locator(".rail-key").first.tap()
    page.context.set_offline(True)
    expect(page.locator(".say.offline")).to_be_visible()
    page.evaluate(LONG_OFFLINE)
    found += wrong(tablet, "offline_hit", language)
    page.context.set_offline(False)
    expect(page.locator(".say")).to_have_count(0)
    for place, name in ((-2, "royal"), (-1, "void"), (2, "dispute")):  # a supervisor calls no floor
        page.locator(".rail-key").nth(place).tap()
        found += wrong(tablet, name, language)
        if name != "dispute":
            page.locator(".rail-key").first.tap()
    page.locator(".sheet .do").first.tap()  # the cards of all boxes and the dealer
    found += wrong(tablet, "every_card", language)
    tablet.cards("3s 3h 5d 5s 6h 6s 7h 7s 9c 9d Ts Th")
    found += wrong(tablet, "every_card_done", language)
    for _ in range(12):
        page.locator(".rail-key").first.tap()
    page.evaluate(f"passed += {DEAD_MS}")
    page.locator(".rail-key").first.tap()  # the dispute, and the sheet with it
    tablet.finish()
    expect(page.locator(".rail-key").first).to_be_enabled()
    found += wrong(tablet, "after", language)
    page.locator(".rail-key").first.tap()
    found += wrong(tablet, "correction", language)
    page.locator(".rail-key").first.tap()
    for name, values in SET_STATES.items():
        page.evaluate(SET, [*values, name])
        expect(page.locator(".action .doing")).to_have_count(int(name == "no_answer"))
        if name == "verifying":  # two things are said: the second one lies over the boxes until they are tapped
            expect(page.locator(".say")).to_have_count(2)
            found += wrong(tablet, "more", language)
            page.locator(".dock").tap()
            expect(page.locator(".say")).to_have_count(1)
            page.evaluate(SET, ["showing", *values[1:], name])  # what is news is shown at once
            expect(page.locator(".say")).to_have_count(2)
            page.evaluate(SET, [*values, name])
            page.locator(".says .more").tap()
            expect(page.locator(".say")).to_have_count(1)
            page.locator(".says .more").tap()
            expect(page.locator(".say")).to_have_count(2)
            page.locator(".says .more").tap()
        found += wrong(tablet, name, language)
    page.evaluate(SET, ["open", "", "", "", ""])
    page.context.set_offline(True)
    expect(page.locator(".say.offline")).to_be_visible()
    page.wait_for_timeout(DEAD_MS)
    found += wrong(tablet, "offline", language)
    page.locator(".person").tap()
    found += wrong(tablet, "menu_offline", language)
    page.keyboard.press("Escape")
    page.evaluate(SET, ["open", "", "", "", "stored"])
    found += wrong(tablet, "stored", language)
    page.evaluate(LONG_OFFLINE)
    found += wrong(tablet, "offline_long", language)
    page.evaluate(PLAYS_ON)
    found += wrong(tablet, "offline_plays_on", language)
    page.evaluate(SET, ["open", "", "", "", ""])
    page.context.set_offline(False)
    expect(page.locator(".link.ok")).to_be_visible()
    assert not found, "\n".join(found)
    assert page.get_by_role("heading", level=1).count() == 1


@pytest.mark.timeout(300)  # a busy machine is no failure
def test_left_handed(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """Who taps with the left hand has the keys on the left, in every main state; nothing lies beyond them or under them."""
    floor = FloorHouse()
    floor.open_for(*range(1, 7))
    page = new_floor_page(has_touch=True, reduced_motion="reduce", allowed="INTERNET_DISCONNECTED")
    tablet, found = Tablet(page, floor.table, floor.martina), []
    page.locator(".person").tap()
    page.get_by_role("button", name="Linkshändig").tap()
    page.keyboard.press("Escape")
    tablet.seat(1, 2, 3, 5, 6)
    for box in (1, 3, 5):
        tablet.tile(box, "coin").tap()
    tablet.tile(5, "trips").tap()

    def looked_at(name: str) -> None:
        found.extend(wrong(tablet, f"left_{name}", "de"))
        for width, height in SIZES if page.locator(".action").count() else ():
            drawn_at(page, width, height)
            where = page.locator(".action").bounding_box()
            assert where is not None
            if where["x"] + where["width"] / 2 > width / 2:
                found.append(f"left_{name} {width}: the action is on the right")
        drawn_at(page, *SIZES[0])

    looked_at("bets")
    tablet.box(5).locator(".top").tap()
    looked_at("drawer")
    page.locator(".rail-key").first.tap()
    tablet.tile(1, "ante").tap()
    page.locator(".dock .key").last.tap()
    looked_at("pad")
    page.locator(".rail-key").first.tap()
    for name in ("draining", "verifying", "showing", "suspended"):
        page.evaluate(SET, [name, "", "", "", name])
        looked_at(name)
    page.evaluate(SET, ["open", "", "", "", ""])
    tablet.lock()
    looked_at("locked")
    page.evaluate(HEARD, 4_000)  # the widest head: since when bets are locked, and a slow connection
    page.locator(".link.slow").wait_for()
    looked_at("locked_slow")
    page.evaluate(HEARD, "")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator(".link.ok").wait_for()
    tablet.cell(1, "4+")
    tablet.cell(2, "1-")
    tablet.cell(3, "fold")
    tablet.cell(6, "2+")
    looked_at("settling")
    tablet.cell(5, "2+")
    tablet.hand("full_house")
    tablet.cards("Ks 8h Kh 2d 8c Kc")
    looked_at("cards")
    tablet.cards("4h")
    page.evaluate(f"passed += {DEAD_MS}")
    tablet.action.tap()
    looked_at("done")
    tablet.box(5).locator(".paid").tap()
    looked_at("why")
    page.locator(".rail-key").first.tap()
    page.context.set_offline(True)
    expect(page.locator(".say.offline")).to_be_visible()
    page.evaluate(f"passed += {DEAD_MS}")
    looked_at("offline")
    page.context.set_offline(False)
    expect(page.locator(".link.ok")).to_be_visible()
    assert not found, "\n".join(found)
