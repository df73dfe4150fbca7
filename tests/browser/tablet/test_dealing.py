"""The frame of the tablet is drawn for a game that plays hands, and that it has never heard of."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tables.games import GAMES
from tables.selectors.calls import calls_open
from tests.browser.tablets import Tablet
from tests.dealing import DEALING, Dealt

pytestmark = pytest.mark.browser
PLAY = Path(__file__).parents[1] / "dealing.js"
_numbers = itertools.count(1)


def test_the_frame_shows_a_table_of_hands(
    sharing_server: object, new_sharing_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "dealing", DEALING)
    floor = Dealt(suffix=f".d{next(_numbers)}")
    floor.seat(floor.dealt, 4)
    page = new_sharing_page(has_touch=True, service_workers="block", allowed="Service Worker|DISCONN")
    page.route(re.compile(r"/tablet/app/round/play\.\w+\.js$"), lambda route: route.fulfill(path=PLAY))
    Tablet(page, floor.dealt, floor.martina)
    head = page.locator(".head")
    for words in ("Dealing 1", "Hand 1", "CHF 1–2", "No hand"):
        expect(head).to_contain_text(words)
    expect(page.locator(".columns")).to_have_text("Seat 4")
    expect(page.locator(".action")).to_have_text("Next hand")

    page.locator(".rail-key").tap()
    page.locator(".sheet .do").first.tap()
    expect(page.locator(".rail-key[aria-pressed=true]")).to_be_visible()
    floor.dealt.refresh_from_db()
    assert [one.reason for one in calls_open([floor.dealt.session_id]).values()] == ["dispute"]
