"""The description of the API as a page: from our own origin, under our own policy, and it can be tried out."""

import os
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from payouts.models import House
from tests.browser.people import enter, somebody


def test_the_api_is_described_on_a_page_of_ours(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(language="en", height=1600)
    enter(page, somebody(house, "technician"))
    page.goto("/api/docs/")
    page.locator(".opblock").first.wait_for()
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.locator(".opblock").count() > 35
    shown = page.locator("#api-docs").inner_text()
    assert "/api/tables/{table_id}/rounds/{round_id}/lock/" in shown
    assert page.locator(".swagger-ui .info .title").inner_text().startswith("Saalchef")
    # Try it out: the call goes to our own origin in the name of who reads the page.
    block = page.locator("[id^=operations-][id$=-pits_list]")
    block.locator(".opblock-summary").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_role("button", name="Execute").click()
    answer = block.locator(".live-responses-table tbody .response-col_status")
    answer.first.wait_for()
    assert "200" in answer.first.inner_text()
    if os.environ.get("SHOTS"):
        page.screenshot(path=Path(os.environ["SHOTS"]) / "api-docs-tried.png")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=Path(os.environ["SHOTS"]) / "api-docs.png")
