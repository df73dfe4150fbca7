"""A tablet's page in Chromium, and what is measured on it. Times are the page's own; wall clocks are those of one machine."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.bench.floor_place import PIN, Seat

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
WAIT_MS = 60_000
DEAD_MS, NEXT_MS = 650, 150
CELLS = ("4:win", "3:lose", "2:win", "1:lose", "0:fold")

# From the finger to the picture: the time of the event, and when the frame after it has been painted.
WATCH = """(() => {
    [window.paints, window.tasks, window.phases, window.commits] = [[], [], [], {}];
    addEventListener('click', event => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => paints.push(performance.now() - event.timeStamp);
        port2.postMessage(null);
    }), true);
    new PerformanceObserver(list => list.getEntries().forEach(one => tasks.push(one.duration))).observe({ type: 'longtask' });
    const seen = () => {
        const phase = document.querySelector('.round')?.dataset.phase;
        const frozen = Boolean(document.querySelector('.say[data-why=draining]'));
        if (phase && phase !== phases.at(-1)?.[0]) requestAnimationFrame(() => phases.push([phase, Date.now()]));
        const shut = document.querySelector('.say[data-why]')?.dataset.why;
        if (shut === 'closed') window.wasShut = true;
        if (window.wasShut && !shut) requestAnimationFrame(() => { window.openAt ??= Date.now(); });
        if (frozen) requestAnimationFrame(() => { window.frozenAt ??= Date.now(); });
    };
    addEventListener('DOMContentLoaded', () => new MutationObserver(seen)
        .observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-phase'] }));
})()"""
MIDDLE = """selector => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [x + width / 2, y + height / 2, paints.length];
}"""
# Looks only where the page is late: what is measured is measured by then.
PAINTED = """count => new Promise(done => {
    const look = () => (paints.length > count ? done() : setTimeout(look, 20));
    look();
})"""
COMES = """name => new Promise(done => {
    const look = () => (document.querySelector('.round').dataset.phase === name ? done() : setTimeout(look, 20));
    look();
})"""
ANSWERED = """name => performance.getEntriesByType('resource').filter(one => new URL(one.name).pathname.endsWith(name))
    .map(one => one.responseEnd - one.startTime)"""
SIZE = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(one => !one.name.endsWith('.woff2') && !one.name.includes('/api/'))
    .reduce((sum, one) => sum + one.encodedBodySize, 0)"""


def chromium_program() -> str | None:
    """The system's Chromium, or the one that CHROMIUM names."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser. Raises RuntimeError where there is none."""
    program = chromium_program()
    if program is None:
        raise RuntimeError("no Chromium was found: install it, or name it in CHROMIUM")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=ARGUMENTS) as browser,
    ):
        yield browser


class TabletPage:
    """The tablet of a seat, signed in, with its round on the screen."""

    def __init__(self, browser: Browser, address: str, seat: Seat) -> None:
        self.seat = seat
        context = browser.new_context(
            base_url=address, locale="de", viewport={"width": 1280, "height": 800}, has_touch=True
        )
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(WATCH)
        name, _, value = seat.headers["Cookie"].partition("=")
        context.add_cookies([{"name": name, "value": value, "url": address}])
        self.page: Page = context.new_page()
        self.cdp = context.new_cdp_session(self.page)
        self.page.goto(f"/tablet/{seat.device}/")
        self.phase("bets|play")

    def close(self) -> None:
        """Away with it."""
        self.page.context.close()

    def phase(self, name: str) -> None:
        """Wait for a phase of the round."""
        there = self.page.locator(".round")
        expect(there).to_have_attribute("data-phase", re.compile(f"^({name})$"), timeout=WAIT_MS)

    def slow_down(self, times: float) -> None:
        """Make the page's processor slower."""
        self.cdp.send("Emulation.setCPUThrottlingRate", {"rate": times})

    def seat_all(self, boxes: int) -> None:
        """Seat a guest at each box."""
        for box in range(1, boxes + 1):
            column = self.page.locator(".columns > *").nth(box - 1)
            column.tap()
            expect(column.locator(".guest")).not_to_be_empty()

    def play(self, boxes: int) -> None:
        """A round, tapped: a stake is changed, bets are locked, each box has its result, one of them a hand."""
        self.tap(".columns > :nth-child(1) [data-part=ante]")
        self.tap(".dock .key:nth-of-type(3)")
        self.act("play")
        for box in range(1, boxes + 1):
            self.tap(f".columns > :nth-child({box}) [data-cell='{CELLS[box % len(CELLS)]}']")
        self.tap("[data-hand=straight]")
        self.act("bets")

    def tap(self, selector: str) -> None:
        """A finger on the middle of what is there, and the time that it takes to the next key. No script waits or looks meanwhile:
        on a slow page it would be measured with it.
        """
        x, y, painted = self.page.evaluate(MIDDLE, selector)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.page.wait_for_timeout(NEXT_MS)
        self.page.evaluate(PAINTED, painted)

    def act(self, phase: str) -> None:
        """Tap the large action, once it takes a tap, and wait for the phase after it."""
        self.page.wait_for_timeout(DEAD_MS)
        self.tap(".action")
        self.page.evaluate(COMES, phase)

    def sign_in_again(self) -> float:
        """Sign out, and in by PIN: milliseconds from the last digit to the round."""
        page = self.page
        page.locator(".person").tap()
        page.locator("form[action$='/sign-out/'] button").tap()
        page.wait_for_url("**/sign-in/")
        for digit in PIN[:-1]:
            page.locator(".pad button", has_text=digit).tap()
        began = page.evaluate("Date.now()")
        page.locator(".pad button", has_text=PIN[-1]).tap()
        self.phase("bets")
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        return float(page.evaluate("phases[0][1]") - began)

    def evaluate(self, script: str, *values: Any) -> Any:
        """What a script on the page gives."""
        return self.page.evaluate(script, *values)
