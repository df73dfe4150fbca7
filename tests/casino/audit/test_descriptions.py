"""What the books keep as data is shown in the reader's words: no key, no code, no raw amount, no id where there is a name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils import timezone, translation

from casino.audit.found import acts as found_acts
from casino.records.descriptions import NAMES, data_text, note
from casino.records.labels import event
from casino.records.report_labels import EVENTS
from payouts.models import Event, House
from tests.casino.audit.desk import Desk
from tests.casino.pit.floor.floor_desk import words
from tests.turns import each

APPS = ("casino", "jackpot", "payouts", "tables")
RAW = re.compile(r"\b[a-z]+_[a-z_]+\b|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
SWISS = House(currency="CHF", locale="de-CH")


def calls(*names: str) -> Iterator[ast.Call]:
    """Every call in the product, or every one of what is named so."""
    for path in (one for app in APPS for one in (settings.BASE_DIR / app).rglob("*.py")):
        for call in (node for node in ast.walk(ast.parse(Path(path).read_text())) if isinstance(node, ast.Call)):
            if not names or (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) in names:
                yield call


def logged() -> Iterator[str]:
    """Every key that the code writes down before or after an act."""
    for call in calls():
        kept = [one.value for one in call.keywords if one.arg in ("before", "after")]
        for data in (one for one in kept if isinstance(one, ast.Dict)):
            yield from (key.value for key in data.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


def test_every_key_of_the_log_has_its_words():
    assert sorted(set(logged()) - set(NAMES)) == []


WRITES = ("event_record", "record", "_record", "log")  # what writes an act down, by its name
ONE_OF = {
    "claim.": ("refused", "verified"),
    "clarify.": ("dismissed", "taken"),
    "jackpot.": ("closed", "draining", "open", "retired", "showing", "verifying"),
}


def acts() -> Iterator[str]:
    """The name of every act that the code writes down; of those that are put together, each that there can be."""
    for call in calls(*WRITES):
        given = [*call.args[:2], *(one.value for one in call.keywords if one.arg == "name")]
        parts = [node.value for one in given for node in ast.walk(one) if isinstance(node, ast.Constant)]
        for text in (str(part) for part in parts if re.fullmatch(r"[a-z_]+\.[a-z_]*", str(part))):
            yield from (text + one for one in ONE_OF[text]) if text.endswith(".") else [text]


def test_every_act_of_the_log_has_its_words():
    names = {*acts(), *EVENTS}
    assert len(names) > 90
    assert sorted(name for name in names if event(name) == name) == []


def test_why_a_request_is_void_is_said_in_the_readers_language():
    given = [one.value for call in calls("approval_kill") for one in call.keywords if one.arg == "reason"]
    said = {one.value for one in given if isinstance(one, ast.Constant)}
    assert len(said) > 4
    with translation.override("de"):
        assert [one for one in said if note(one) == one] == []


def test_a_report_that_was_looked_at_is_called_by_its_title(desk: Desk) -> None:
    assert desk.client.get("/audit/reports/hits/").status_code == 200
    for language, title in (("de", "Akte der Treffer"), ("en", "Hit file")):
        page = desk.client.get("/admin/payouts/event/?name=report.looked", headers={"accept-language": language})
        assert title in words(page.content.decode()).split("report.looked")[0]


@each("language", ["de", "en", "fr", "it"])
def test_acts_of_a_house_that_has_lived_show_no_code_and_no_id(desk: Desk, language: str) -> None:
    alert = {"kind": "jackpot_claimed", "subject": f"round:{desk.corrected.pk}", "tables": [str(desk.lived.table.pk)]}
    Event.objects.create(house=desk.house, name="alert.acknowledged", subject_kind="alert", subject_id="1", after=alert)
    with translation.override(language):
        said = {text for one in found_acts(Event.objects.all(), (), 5000) for text in (one.title, one.text, one.more)}
    raw = {word for text in said for word in RAW.findall(text)} - set(map(str, desk.lived.displays))
    assert (len(said) > 50, raw) == (True, set())


def test_an_act_names_people_tables_and_what_it_is_about(desk: Desk) -> None:
    signers = [desk.lived.reto, desk.lived.ines]
    data = {"kind": "jackpot_claimed", "table": str(desk.lived.table.pk), "excluded": [str(one.pk) for one in signers]}
    Event.objects.create(house=desk.house, name="alert.acknowledged", subject_kind="alert", subject_id="1", after=data)
    with translation.override("de"):
        one = found_acts(Event.objects.all(), (), 1)[0]
    assert one.more.split("\n") == [
        "Was danach ist:",
        "  Art: Jackpotgewinn gemeldet",
        f"  Tisch: {desk.lived.table.name}",
        f"  Wer nicht unterschreiben darf: {desk.lived.reto.full_name}, {desk.lived.ines.full_name}",
    ]


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
        lines = data_text(data, SWISS).split("\n")
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


def test_what_only_looks_like_a_moment_stands_as_it_was_sent():
    with translation.override("en"), timezone.override("Europe/Zurich"):
        for text in ("9999-12-31T23:59:59Z", "2026-13-45T99:99:99Z"):
            assert data_text({"at": text}, SWISS).endswith(f": {text}")


def test_notes_of_entries_are_in_the_language_of_the_page():
    with translation.override("it"):
        assert (note("share 2"), note(""), note("somebody's words")) == ("quota 2", "", "somebody's words")
        assert (note("unknown name"), note("pin.weak")) == ("nessuno ha questo nome", "Questo PIN non è sicuro.")
