"""The living style page of the demo: all tokens and pictures in both themes, and nothing on it breaks its own rules."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.demo.style_page import icons, tiles, tokens
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, TOO_SMALL, drawn_at, faults, keep
from tests.browser.people import WORDS

pytestmark = pytest.mark.browser


def test_every_token_and_picture_in_both_themes(
    new_demo_page: Callable[..., Page],
) -> None:
    page = new_demo_page(width=1440, height=900)
    page.goto("/sign-in/")
    page.locator("[data-username]").first.click()
    page.locator("form.sign-in button[type=submit]").click()
    page.wait_for_url("**/home/*/")
    page.goto("/style/")
    expect(page.locator(".swatch")).to_have_count(2 * len(tokens()))
    expect(page.locator(".pictures li")).to_have_count(2 * len(icons()))
    expect(page.locator(".tile")).to_have_count(2 * len(tiles()))
    drawn = page.locator("[data-theme=floor] .swatch i").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert "rgba(0, 0, 0, 0)" not in drawn
    wrong = faults(page)
    for language in WORDS:
        page.locator(f".foot .languages [value={language}]").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.wait_for_load_state()  # with its style
        wrong += [text for script in (CUT_OFF, TOO_SMALL, OVERLAPPING) for text in page.evaluate(script)]
        for width, height in ((1280, 800), (1920, 1080), (1440, 900)):
            drawn_at(page, width, height)
            wrong += [f"{width}: {text}" for script in (CUT_OFF, OVERLAPPING) for text in page.evaluate(script)]
            keep(page, "style", language)
    assert wrong == []


def test_an_act_that_is_disabled_is_told_from_a_live_one(new_demo_page: Callable[..., Page]) -> None:
    """In both themes, and under the pointer too."""
    page = new_demo_page(width=1440, height=900)
    page.goto("/sign-in/")
    act = page.locator("form.sign-in button[type=submit]")
    for theme in ("floor", "office"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        act.evaluate("one => one.disabled = false")
        act.hover()
        expect(act).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
        expect(act).not_to_have_css("background-image", "none")
        live = act.evaluate("one => getComputedStyle(one).color")
        act.evaluate("one => one.disabled = true")
        expect(act).to_have_css("background-color", "rgba(0, 0, 0, 0)")
        expect(act).to_have_css("background-image", "none")
        expect(act).not_to_have_css("color", live)
