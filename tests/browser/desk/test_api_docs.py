"""The description of the API as a page: from our own origin, under our own policy, and it can be tried out."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from payouts.models import House
from tests.browser.look.test_everywhere import drawn_at, keep
from tests.browser.people import WORDS, enter, somebody


def test_the_api_is_described_on_a_page_of_ours(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(language="en", height=1600)
    enter(page, somebody(house, "technician"))
    page.goto("/api/docs/")
    page.locator(".opblock").nth(35).wait_for()
    assert page.get_by_role("heading", level=1).count() == 1
    expect(page.locator("#api-docs")).to_contain_text("/api/tables/{table_id}/rounds/{round_id}/lock/")
    expect(page.locator(".swagger-ui .info .title")).to_have_text(re.compile("^Saalchef"))
    # Try it out: the call goes to our own origin in the name of who reads the page.
    block = page.locator("[id^=operations-][id$=-pits_list]")
    block.locator(".opblock-summary").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_role("button", name="Execute").click()
    answer = block.locator(".live-responses-table tbody .response-col_status")
    expect(answer.first).to_contain_text("200")
    if os.environ.get("SHOTS"):
        page.screenshot(path=Path(os.environ["SHOTS"]) / "api-docs-tried.png")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=Path(os.environ["SHOTS"]) / "api-docs.png")


@pytest.mark.parametrize("language", WORDS)
def test_its_page_fits_in_each_language(new_page: Callable[..., Page], house: House, language: str) -> None:
    """What Swagger UI says is English; what stands around it is not."""
    page = new_page(language=language)
    enter(page, somebody(house, "technician"))
    page.goto("/api/docs/")
    page.locator(".opblock").first.wait_for()
    assert page.locator("html").get_attribute("lang") == language
    for width, height in ((1920, 1080), (1440, 900), (1280, 800)):
        drawn_at(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        keep(page, "api_docs", language)
