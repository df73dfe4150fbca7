"""Every test's page is watched: what its browser says, what its policy forbids, and what it asks of others would fail the test."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import _watched

pytestmark = pytest.mark.browser
BREACHES = {
    "console: planted": "console.error('planted')",
    "console: warned": "console.warn('warned')",
    "script: ": "setTimeout(() => { throw new Error('planted') })",
    "policy: style-src": "document.body.insertAdjacentHTML('beforeend', '<b style=\"color: red\">x</b>')",
    "policy: script-src": "document.body.append(Object.assign(document.createElement('script'), { text: 'window.planted = 1' }))",
    "policy: connect-src": "fetch('http://127.0.0.1:9/elsewhere').catch(() => {})",
    "request outside the origin: http://127.0.0.1:9/linked": "location.assign('http://127.0.0.1:9/linked')",
}


def test_each_breach_is_heard(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/sign-in/")
    watched = _watched[page.context]
    for heard, planted in BREACHES.items():
        page.evaluate(f"() => {{ {planted}; }}")
        for _ in range(200):
            if any(breach.startswith(heard) for breach in watched.breaches):
                break
            page.wait_for_timeout(50)
        assert any(breach.startswith(heard) for breach in watched.breaches), (heard, watched.breaches)
    page.close()  # while it goes to the last address, no other one can be asked for
    watched.breaches.clear()
