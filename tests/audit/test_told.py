"""What the books keep as data is shown in the reader's words: no key, no code, no raw amount."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils import timezone, translation

from casino.audit_told import NAMES, note, told
from payouts.models import Event, House
from tests.audit.desk import Desk
from tests.turns import each

APPS = ("casino", "jackpot", "payouts", "tables")
SWISS = House(currency="CHF", locale="de-CH")


def logged() -> Iterator[str]:
    """Every key that the code writes down before or after an act."""
    for path in (one for app in APPS for one in (settings.BASE_DIR / app).rglob("*.py")):
        for call in (node for node in ast.walk(ast.parse(Path(path).read_text())) if isinstance(node, ast.Call)):
            kept = [one.value for one in call.keywords if one.arg in ("before", "after")]
            for data in (one for one in kept if isinstance(one, ast.Dict)):
                yield from (
                    key.value for key in data.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
                )


def test_every_key_of_the_log_has_its_words():
    assert sorted(set(logged()) - set(NAMES)) == []


@each("language", ["de", "en", "fr", "it"])
def test_acts_of_a_house_that_has_lived_show_no_code(desk: Desk, language: str) -> None:
    with translation.override(language):
        said = {told(data, desk.house) for one in Event.objects.all() for data in (one.before, one.after) if data}
    raw = {word for text in said for word in re.findall(r"\b[a-z]+_[a-z_]+\b", text)}
    assert (len(said) > 50, raw) == (True, set())


def test_data_is_told_as_people_write_it():
    data = {
        "phase": "draining",
        "won_minor": 1284550,
        "at": "2026-11-21T22:14:05+00:00",
        "gaming_day": "2026-11-21",
        "seated": True,
        "boxes": {"1": {"result": "win", "cards": []}},
        "checklist": {"camera_time": "22:14:05"},
    }
    with translation.override("de"), timezone.override("Europe/Zurich"):
        lines = told(data, SWISS).split("\n")
    assert lines == [
        "Phase: beendet seine Runden",
        "Gewonnen: CHF\u00a012’845.50",
        "Zeit: 21.11.2026 23:14:05",
        "Spieltag: 21.11.2026",
        "Sitzend: ja",
        "Boxen:",
        "  Box 1:",
        "    Ergebnis: gewinnt",
        "    Karten: –",
        "Zur Gewinnmeldung notiert:",
        "  Zeit auf der Kamera: 22:14:05",
    ]


def test_notes_of_entries_are_in_the_language_of_the_page():
    with translation.override("it"):
        assert (note("share 2"), note(""), note("somebody's words")) == ("quota 2", "", "somebody's words")
