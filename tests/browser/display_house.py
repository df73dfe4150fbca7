"""A display in Chromium: opened, waited for, read by other means than its own."""

import time

from playwright.sync_api import Page, expect

from casino.devices.kinds import DISPLAYS
from tests.browser.conftest import WAIT_MS, address_of
from tests.screens import Screen


def show(page: Page, screen: Screen) -> None:
    """Be this display in the page's browser, and show the jackpot."""
    cookie = {"name": DISPLAYS.cookie(screen.device.pk), "value": screen.token, "url": address_of(page)}
    page.context.add_cookies([cookie])
    page.goto(f"/display/{screen.device.pk}/")


def state(page: Page, name: str) -> None:
    """Wait until the display says this; on a busy machine, with processes killed under it, that takes its time."""
    expect(page.locator("html")).to_have_attribute("data-state", name)


def shown(page: Page) -> str:
    """What a person reads in the windows: the digits whose boxes fill them, and the signs between."""
    return page.evaluate(READ)


# Not `wait_for_function`: what is not true at once it asks again by `eval`, which the policy rightly forbids.
STANDS = """async () => {
    const turning = () => document.querySelector('.wheels').getAnimations({subtree: true});
    while (turning().length) await Promise.allSettled(turning().map(one => one.finished));
}"""


def still(page: Page, amount: str) -> None:
    """Wait until a person reads this amount."""
    page.evaluate(STANDS)
    deadline = time.monotonic() + WAIT_MS / 1_000
    while shown(page) != amount and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert shown(page) == amount


# Not the page's own code: the digit nearest to the middle of each window that is on the screen.
READ = """() => {
    const meter = [...document.querySelectorAll(".wheels")].find(one => one.offsetParent);
    return [...meter.children].map(slot => {
        if (slot.matches(".sign")) return slot.textContent;
        const middle = box => (box.top + box.bottom) / 2;
        const window_ = slot.getBoundingClientRect();
        const off = cell => Math.abs(middle(cell.getBoundingClientRect()) - middle(window_));
        const cells = [...slot.querySelectorAll(".strip > span")].sort((a, b) => off(a) - off(b));
        return off(cells[0]) < window_.height / 10 ? cells[0].textContent : "?";
    }).join("");
}"""
