"""Contrast of the design tokens, computed: words at least 4.5 on every ground they may stand on, borders of controls at least 3."""

import re
from pathlib import Path

from tests.turns import each

CSS = Path(__file__).parents[2] / "casino" / "static" / "casino" / "css"
WORDS = ("text", "text2", "text3", "ok", "warn", "alarm", "appr", "gold", "lock")
GROUNDS = ("ink", "s1", "s2", "s3")


def theme(selector: str) -> dict[str, str]:
    """The six-digit colours that a theme sets."""
    block = (CSS / "tokens.css").read_text().split(selector, 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


FLOOR, OFFICE = theme('[data-theme="floor"] {'), theme("html:has(> body[data-admin-utc-offset]) {")


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@each("name", WORDS)
@each("ground", GROUNDS)
def test_words_are_read_on_every_ground_of_the_floor(name: str, ground: str) -> None:
    assert contrast(FLOOR[name], FLOOR[ground]) >= 4.5


@each("name", WORDS)
@each("ground", ["ink", "s1"])
def test_words_are_read_on_every_ground_of_the_office(name: str, ground: str) -> None:
    assert contrast(OFFICE[name], OFFICE[ground]) >= 4.5


@each("name", ["text", "text2"])
@each("ground", ["s2", "s3"])
def test_buttons_of_the_office_are_read(name: str, ground: str) -> None:
    assert contrast(OFFICE[name], OFFICE[ground]) >= 4.5


@each("colours", [FLOOR, OFFICE])
def test_controls_are_seen_and_what_stands_on_fills_is_read(colours: dict[str, str]) -> None:
    assert min(contrast(colours["line2"], colours[ground]) for ground in ("ink", "s1", "s2")) >= 3
    assert contrast(colours["on-light"], colours["light"]) >= 4.5
    assert contrast(colours["on-lock"], colours["lock"]) >= 4.5
    assert contrast(colours["alarm-text"], colours["alarm-panel"]) >= 4.5
    assert contrast(colours["lock"], colours["ink"]) >= 3  # the ring of the focus


def test_words_are_read_on_the_brightest_felt() -> None:
    """A ray lies over the lamp's middle at most: gold at 2.4 %, so its own luminance hardly counts; the margin covers it."""
    pages = (CSS / "pages.css").read_text()
    brightest = max(re.findall(r"#[0-9a-f]{6}(?= \d+%)", pages), key=luminance)
    on_felt = dict(re.findall(r"--(text\d?): (#[0-9a-f]{6});", pages))
    assert set(on_felt) == {"text", "text2", "text3"}
    assert min(contrast(colour, brightest) for colour in on_felt.values()) >= 4.6
    assert min(contrast(FLOOR[name], brightest) for name in ("text", "text2", "gold")) >= 4.6
