"""A display in earnest: what it shows is what it confirms, and nothing else opens the tables. Real sockets, real process."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from casino.devices.services import device_code_make
from jackpot.models import DisplaySession
from payouts.models import Event
from tests.browser.conftest import WAIT_MS, Server, stop_clock
from tests.browser.display_house import show, shown, state, still
from tests.jackpot.linked import dull
from tests.screens import Screen, Shown

pytestmark = pytest.mark.browser
LOOKS_MS = 3_000  # a page looks five times a second whether it can confirm; in so long it would have
NewPage = Callable[..., Page]


@pytest.fixture
def floor(display_server: Server) -> Shown:
    return Shown()


def stands(page: Page, floor: Shown, phase: str, *states: str) -> None:
    """Wait until the server has the jackpot in this phase, and the displays in these states."""
    deadline = time.monotonic() + WAIT_MS / 1_000
    while (floor.now().phase, floor.states()) != (phase, [*states]) and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert (floor.now().phase, floor.states()) == (phase, [*states])


def alive(page: Page) -> None:
    """Wait until the server has heard, and answered, that the display lives: from then on this session holds it."""
    with page.expect_response("**/alive/"):
        pass


def opened(page: Page, floor: Shown) -> None:
    """Wait until the tables are open again, by the display's confirmation and nobody's help."""
    stands(page, floor, "open", "confirmed")
    state(page, "open")


def shut(page: Page, floor: Shown) -> None:
    """The display had all the time it needs, and the tables are still shut."""
    state(page, "showing")
    page.wait_for_timeout(LOOKS_MS)
    assert (floor.now().phase, floor.states()) == ("showing", ["waiting"])


# The way of a jackpot
def test_from_a_coin_to_the_hit_to_the_reopening(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page(width=1920, height=1080)
    show(page, floor.screens[0])
    state(page, "open")
    still(page, "10’000.00")
    floor.end(0, floor.start(0), dull())
    still(page, "10’001.00")
    expect(page.locator("[data-part=meter]")).to_have_attribute("aria-label", "CHF 10’001.00")
    floor.won(0, 1)
    opened(page, floor)
    still(page, "10’000.00")
    expect(page.locator("html")).to_have_attribute("data-view", "hit")
    expect(page.locator("[data-part=hit-winners]")).to_contain_text("UTH 1 · Box 1")
    expect(page.locator("[data-part=hit-winners]")).to_contain_text("UTH 2 · Box 1")
    assert "martina" not in page.content().lower()
    assert page.locator("[data-part=hit-amount]").inner_text() == "5’001.50"
    floor.end(0, floor.start(0), dull())  # betting is open: the new value on the hit screen rises with the next coin
    still(page, "10’001.00")


def test_two_displays_open_together_and_one_alone_does_not(new_display_page: NewPage, display_server: Server) -> None:
    floor = Shown(screens=2)
    first = new_display_page()
    show(first, floor.screens[0])
    floor.won(0)
    state(first, "showing")
    stands(first, floor, "showing", "confirmed", "waiting")
    first.wait_for_timeout(LOOKS_MS)
    assert (floor.now().phase, floor.states()) == ("showing", ["confirmed", "waiting"])
    second = new_display_page()
    show(second, floor.screens[1])  # it comes late, and finds the gate in its first snapshot
    state(first, "open")
    state(second, "open")
    assert floor.states() == ["confirmed", "confirmed"]


# What opens nothing
RULE = ".wheel:nth-child(2) .strip { transform: translateY(-40%) !important }"
EIGHT_FOR_NOUGHT = """
    const make = document.createElement.bind(document);
    document.createElement = name => {
        const made = make(name);
        const set = text => made.append(text === '0' ? '8' : text);
        if (name === 'span' && !window.right) Object.defineProperty(made, 'textContent', {set, get: () => made.innerText});
        return made;
    };
    document.querySelectorAll('.wheels').forEach(row => row.replaceChildren());
"""
TAMPERED = {  # what is done to the page, and how it is undone
    "a wheel stands wrong": (
        f"document.styleSheets[1].insertRule('{RULE}', document.styleSheets[1].cssRules.length)",
        "document.styleSheets[1].deleteRule(document.styleSheets[1].cssRules.length - 1)",
    ),
    "a digit is another": (
        EIGHT_FOR_NOUGHT,
        "window.right = true; document.querySelectorAll('.wheels').forEach(row => row.replaceChildren())",
    ),
    "something lies on it": (
        """document.body.insertAdjacentHTML('beforeend', '<div class="elsewhere" id="over">Pause</div>')""",
        "document.getElementById('over').remove()",
    ),
    "a corner of it is covered": (
        """document.body.insertAdjacentHTML('beforeend', '<p id="over">Bitte nicht ausschalten</p>');
        document.getElementById('over').style.cssText = 'position:fixed;z-index:9;bottom:0;left:45%;width:6%;height:12%'""",
        "document.getElementById('over').remove()",
    ),
    "it cannot be seen": (
        "document.querySelectorAll('.wheels').forEach(one => one.style.setProperty('opacity', '0'))",
        "document.querySelectorAll('.wheels').forEach(one => one.style.removeProperty('opacity'))",
    ),
    "the page is hidden": (
        "Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'})",
        "delete document.visibilityState",
    ),
    "a typeface is missing": ("document.fonts.check = () => false", "delete document.fonts.check"),
}


@pytest.mark.parametrize("fault", TAMPERED)
def test_what_is_not_to_be_seen_opens_nothing(new_display_page: NewPage, floor: Shown, fault: str) -> None:
    page = new_display_page()
    show(page, floor.screens[0])
    state(page, "open")
    harm, heal = TAMPERED[fault]
    page.evaluate(harm)
    floor.won(0)
    shut(page, floor)
    page.evaluate(heal)  # and as soon as it can be seen again, it does
    opened(page, floor)


def test_what_stands_wrong_is_told_to_the_server(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page()
    show(page, floor.screens[0])
    state(page, "open")
    with page.expect_response(lambda answer: "18’000.00" in (answer.request.post_data or "")):
        page.evaluate(TAMPERED["a wheel stands wrong"][0])
    assert DisplaySession.objects.get(display_id=floor.screens[0].device.pk).shown == "18’000.00"


FORGED = """async ([address, device, body]) => {
    const headers = {"Content-Type": "application/json", "X-Saalchef-Device": device};
    const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify(body)});
    return [answer.status, (await answer.json()).code];
}"""


def test_old_gates_and_wrong_values_are_refused_to_a_real_browser(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page(allowed="status of 4(09|22)")
    screen = floor.screens[0]
    show(page, screen)
    floor.won(0)
    opened(page, floor)
    old = floor.gate()
    page.evaluate(TAMPERED["the page is hidden"][0])  # from here on it confirms nothing by itself
    floor.won(1)
    state(page, "showing")
    new = floor.gate()
    session = str(DisplaySession.objects.get(display_id=screen.device.pk).session_id)
    honest = {"session": session, "gate": new.number, "nonce": new.nonce, "version": new.version, "shown": "10’000.00"}
    for changes, refused in (
        ({"gate": old.number}, "gate.nonce_wrong"),
        ({"nonce": old.nonce}, "gate.nonce_wrong"),
        ({"version": old.version}, "gate.version_wrong"),
        ({"shown": "10’000.01"}, "gate.value_wrong"),
        ({"session": "6e0c1e4e-6c4b-4f8e-9a53-0f3d4f6f4c11"}, "display.session_taken"),
    ):
        address = f"/display/{screen.device.pk}/confirm/"
        _, code = page.evaluate(FORGED, [address, str(screen.device.pk), honest | changes])
        assert code == refused
    assert (floor.now().phase, floor.states()) == ("showing", ["waiting"])


def test_a_second_window_shows_nothing_and_cannot_confirm(new_display_page: NewPage, floor: Shown) -> None:
    first, second = new_display_page(), new_display_page(allowed="status of 409")
    screen = floor.screens[0]
    show(first, screen)
    state(first, "open")
    alive(first)  # what it shows it knows from the page; only now it holds the display
    first.evaluate(TAMPERED["the page is hidden"][0])
    show(second, screen)
    expect(second.get_by_role("alert")).to_contain_text("Diese Anzeige läuft anderswo")
    floor.won(0)
    state(second, "showing")
    second.wait_for_timeout(LOOKS_MS)
    assert (floor.now().phase, floor.states()) == ("showing", ["waiting"])
    told = Event.objects.filter(name="display.second_session", subject_id=str(screen.device.pk))
    assert told.count() == 1
    first.close()  # 6 s later the second one is the only one there
    expect(second.get_by_role("alert")).to_be_hidden()
    opened(second, floor)


def test_a_reload_is_the_same_session(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page()
    show(page, floor.screens[0])
    state(page, "open")
    alive(page)
    before = DisplaySession.objects.get(display_id=floor.screens[0].device.pk).session_id
    page.reload()
    alive(page)
    live = DisplaySession.objects.get(display_id=floor.screens[0].device.pk)
    assert live.session_id == before
    assert not Event.objects.filter(name="display.second_session", subject_id=str(live.display_id)).exists()
    expect(page.get_by_role("alert")).to_be_hidden()


# When the line is cut
@contextmanager
def asleep(server: Server) -> Iterator[None]:
    """The server's process stands still: sockets stay open, nobody answers."""
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def test_silence_is_said_after_6_s_and_the_same_value_comes_back(
    new_display_page: NewPage, display_server: Server, floor: Shown
) -> None:
    """By the page's clock, which the test winds: how long the machine takes for it does not count."""
    page = new_display_page(allowed="WebSocket|ERR_|Failed to load")
    stop_clock(page)
    show(page, floor.screens[0])
    floor.end(0, floor.start(0), dull())
    still(page, "10’001.00")
    with asleep(display_server):  # all that was heard was heard at one moment of the page's clock
        page.clock.run_for(5_900)
        assert page.locator("html").get_attribute("data-state") == "open"
        page.clock.run_for(400)  # it looks five times a second
        assert page.locator("html").get_attribute("data-state") == "stale"
        expect(page.get_by_role("status")).to_have_text(
            "Anzeige unterbrochen – bitte fragen Sie unser Personal nach dem Jackpotstand"
        )
        expect(page.locator("[data-part=last]")).to_contain_text("Letzter bestätigter Stand")
        assert shown(page) == "10’001.00"
    page.clock.resume()
    state(page, "open")
    assert shown(page) == "10’001.00"
    expect(page.locator("[data-part=last]")).to_be_hidden()
    floor.end(0, floor.start(0), dull())  # and it is live again
    still(page, "10’002.00")


def test_a_gate_is_confirmed_after_the_line_was_cut(
    new_display_page: NewPage, display_server: Server, floor: Shown
) -> None:
    page = new_display_page(allowed="WebSocket|ERR_|Failed to load")
    show(page, floor.screens[0])
    state(page, "open")
    with asleep(display_server):
        state(page, "stale")
        floor.won(0)
        assert floor.states() == ["waiting"]
    opened(page, floor)


def test_without_sockets_the_display_asks(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page()
    page.route_web_socket("**/ws/**", lambda socket: socket.close())
    stop_clock(page)
    show(page, floor.screens[0])
    for meter in ("10’001.00", "10’002.00", "10’003.00"):
        floor.end(0, floor.start(0), dull())
        page.clock.run_for(4_000)  # by then it has asked; the answer may take its time
        still(page, meter)
        assert page.locator("html").get_attribute("data-state") == "open"
    page.clock.resume()
    floor.won(0)
    opened(page, floor)


# Which browser it is
def test_a_typed_code_makes_the_browser_a_display(new_display_page: NewPage, floor: Shown) -> None:
    _, code = device_code_make(kind="display", place_id=floor.jackpot.pk, name="Bar", by=floor.tim)
    page = new_display_page()
    page.goto("/display/")
    expect(page.locator("#code")).to_be_focused()
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    state(page, "open")
    assert page.evaluate("document.cookie.includes('saalchef-display')") is False


def test_a_revoked_display_is_turned_away_at_once(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page(allowed="status of 40[13]|WebSocket")
    show(page, floor.screens[0])
    state(page, "open")
    floor.revoke(floor.screens[0])
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Dieses Gerät ist nicht registriert, oder es wurde gesperrt."
    )
    assert not [cookie for cookie in page.context.cookies() if cookie["name"].startswith("saalchef-display")]


def test_whose_cookie_it_is_not_sees_nothing(new_display_page: NewPage, floor: Shown) -> None:
    page = new_display_page(allowed="status of 403")
    other = floor.enrol("Bar")
    show(page, Screen(floor.screens[0].device, other.token))
    expect(page.locator("main")).not_to_contain_text("10’000")
