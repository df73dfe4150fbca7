"""What every page keeps of its fields and tables: days in the house's form, and wide tables that are moved by keyboard."""

import re

from django.conf import settings

from casino.text.typed import day_as_written, day_of
from tests.turns import each

PAGES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))


@each(
    ("typed", "meant"),
    [
        ("22.11.2026", "2026-11-22"),
        (" 1.2.2026 ", "2026-02-01"),
        ("2026-11-22", "2026-11-22"),
        ("30.02.2026", None),
        ("22.11.26", "2026-11-22"),
        ("22/11/2026", "2026-11-22"),
        ("11.22.2026", None),
        ("22.11.9999", None),
        ("", None),
        ("٢٢.١١.٢٠٢٦", None),
    ],
)
def test_day_is_read_as_the_house_writes_it(typed, meant):
    day = day_of(typed)
    assert (day.isoformat() if day else None) == meant


def test_field_shows_a_day_as_the_house_writes_it_and_else_what_was_typed():
    typed = ("2026-11-22", "22.11.26", "22.13.26", "")
    assert [day_as_written(text) for text in typed] == ["22.11.2026", "22.11.2026", "22.13.26", ""]


def test_no_day_is_typed_into_a_form_of_the_browsers():
    assert [page.name for page in PAGES if re.search(r"type=.?date", page.read_text())] == []


def test_every_wide_table_is_reached_by_keyboard_and_has_a_name():
    wide = [tag for page in PAGES for tag in re.findall(r'<div class="wide"[^>]*>', page.read_text())]
    assert len(wide) > 20
    assert [tag for tag in wide if 'tabindex="0" role="region" aria-label="' not in tag] == []
