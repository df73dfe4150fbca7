"""No report shows a reader the names of data: keys, codes of actions, figures in minor units, ids where there is a name."""

import re
from datetime import timedelta
from typing import Any

from django.utils import timezone, translation

from casino.audit.reports.files.cells import cell_text
from casino.audit.reports.gather import Gathered, gathered
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import Cell, Column
from casino.audit.reports.texts import facts, hit_note, reason
from casino.devices.models import DeviceSession
from jackpot.models import Hit
from jackpot.services.claims import DROPPED
from payouts.models import Approval, House
from payouts.services import Subject, event_record
from tests.casino.audit.reports.asked import page, query
from tests.casino.audit.reports.evening import HOSTILE, Evening
from tests.casino.devices import devices
from tests.turns import each

HOUR = timedelta(hours=1)
SWISS = House(currency="CHF", locale="de-CH")
UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
RAW = re.compile(UUID + r"|\b[a-z]+_[a-z_]+\b|\b[a-z]+\.[a-z_]+\b|\brev [0-9]|\btrue\b|\bfalse\b")


OWN = (
    "round_id",
    "hand_id",
    "session_id",
    "difference_id",
    "request",
    "sha256",
)  # what a row is found by beside its words: to look it up, to trace it, to compare it


def raw(column: Column, value: Cell, found: Gathered, evening: Evening) -> set[str]:
    """What of a cell is data; names of people are read as they are, and displays that the test made up have none."""
    if column.code in (*OWN, "person", "by", "signed", "requester"):
        return set()
    text = cell_text(column, value, evening.house, found.names).replace(HOSTILE, "")
    return set(RAW.findall(re.sub(r"\b[A-Z0-9]+\.[a-z]+", "", text))) - set(map(str, evening.displays))


def acts(evening: Evening) -> None:
    """What an evening at real devices and at the audit desk leaves behind besides."""
    table, person = str(evening.table.pk), str(evening.reto.pk)
    tablet = devices.enrol(evening.tables[0], devices.dealer(evening.house, "p.evening", "pit_boss"))[0]
    session = DeviceSession.objects.create(
        device=tablet, person=evening.reto, expires_at=timezone.now() + HOUR, idle_at=timezone.now() + HOUR
    )
    round_id, hit = str(evening.corrected), str(Hit.objects.earliest("begun_at").pk)
    said: list[tuple[str, str, str, dict[str, Any] | None]] = [
        ("alert.acknowledged", "alert", "1", {"kind": "jackpot_claimed", "subject": f"round:{round_id}"}),
        ("audit.searched", "search", "7", {"kind": "hits", "table": table, "person": person}),
        ("audit.viewed", "hit", hit, None),
        ("audit.viewed", "round", round_id, None),
        ("device.signed_in", "device", str(tablet.pk), {"session": str(session.pk), "person": person}),
        ("floor.called", "floor_call", str(evening.tables[0].sessions.get().pk), {"table": table, "reason": "dispute"}),
        ("report.looked", "report", "hits", {"asked": {"table": table}, "format": "screen", "lines": 1}),
        ("report.looked", "report", "looks", {"asked": {"person": person}, "format": "excel", "lines": 1}),
    ]
    for name, kind, pk, after in said:
        event_record(name, Subject(kind, pk), house_id=evening.house.pk, actor_id=evening.auditor.pk, after=after)


@each("language", ["de", "en", "fr", "it"])
def test_reports_of_an_evening_show_no_names_of_data(evening: Evening, db: None, language: str) -> None:
    acts(evening)
    for code, kind in KINDS.items():
        more = {"least": 0} if "least" in kind.takes else {}
        with gathered(kind, query(evening, code, **more)) as found, translation.override(language):
            cells = [pair for row in found.rows() for pair in zip(kind.columns, row, strict=True)]
            left = {(column.code, *raw(column, value, found, evening)) for column, value in cells}
        assert {one for one in left if len(one) > 1} == set(), code


def test_what_was_looked_at_is_named_and_its_id_stands_behind_the_name(evening: Evening, db: None) -> None:
    acts(evening)
    hit = Hit.objects.earliest("begun_at")
    with gathered(KINDS["looks"], query(evening, "looks")) as found, translation.override("de"):
        rows = [zip(found.kind.columns, row, strict=True) for row in found.rows()]
        told = [[cell_text(column, value, evening.house, found.names) for column, value in row][3:7] for row in rows]
    table, reto = evening.table.name, evening.reto.full_name
    days = f"Von: {evening.day:%d.%m.%Y}; Bis: {evening.day:%d.%m.%Y}"
    assert sorted(told) == [
        ["Bericht", "Akte der Treffer", f"Tisch: {table}", "Bildschirm"],
        ["Bericht", "Auszahlungsbelege", days, "JSON"],
        ["Bericht", "Was die Revision ansah", f"Person: {reto}", "CSV für Excel"],
        ["Runde", f"UTH 1, Runde 3, {evening.day:%d.%m.%Y}", "", ""],
        ["Suche in den Einträgen", "7", f"Art: Treffer; Person: {reto}; Tisch: {table}", ""],
        ["Treffer", f"{evening.jackpot.name}, Treffer {hit.number}", "", ""],
    ]
    html = page(evening, f"looks/?from={evening.day}&to={evening.day}", language="de").content.decode()
    assert f'<span title="{hit.pk}">{evening.jackpot.name}, Treffer {hit.number}</span>' in html


def test_every_code_of_an_evening_has_its_word(evening: Evening, db: None) -> None:
    acts(evening)
    left = set()
    for code, kind in KINDS.items():
        more = {"least": 0} if "least" in kind.takes else {}
        with gathered(kind, query(evening, code, **more)) as found:
            for row in found.rows():
                pairs = [pair for pair in zip(kind.columns, row, strict=True) if pair[0].type == "code" and pair[1]]
                left |= {(code, column.code, value) for column, value in pairs if value not in (column.words or {})}
    assert left == set()
    states = next(column.words for column in KINDS["hits"].columns if column.code == "state")
    assert {*Approval.State.values} <= set(states or {})  # requests of a hit stand in its file, however they ended


def test_what_changed_is_told_as_people_write_it() -> None:
    text = "ante_minimum_minor: 500 → 1000; lines.2.hand: straight_flush; roles.1: pit_boss; week.1.closes: 1800"
    with translation.override("de"):
        assert facts(text, SWISS).split("; ") == [
            "Ante, Minimum: CHF\u00a05.00 → CHF\u00a010.00",
            "Zeilen 2, Blatt: Straight Flush",
            "Rollen 1: Pit-Boss",
            "Woche, ab Montag 1, Darf schliessen: 06:00 (+1)",
        ]


@each("text", ["", "somebody wrote this; and = that", "12", "[not data", "https://x; y"])
def test_what_somebody_wrote_stands_as_it_is(text: str) -> None:
    assert (facts(text, SWISS), hit_note(text, SWISS), reason(text, SWISS)) == (text, text, text)


def test_notes_of_a_hit_are_in_the_language_of_the_page() -> None:
    with translation.override("de"):
        assert hit_note("rev 2", SWISS) == "Fassung 2"
        assert hit_note("jackpot.award", SWISS) == "Auszahlung des Jackpots"
        assert hit_note(f"{DROPPED}; deck_counted: 52", SWISS) == (
            "Das Ergebnis ihrer Runde meldet keinen Gewinn; Deck gezählt: 52"
        )
        assert hit_note("seen; camera_time: 22:14:05, deck_counted: 52", SWISS) == (
            "seen; Zeit auf der Kamera: 22:14:05, Deck gezählt: 52"
        )


def test_why_an_entry_was_refused_is_a_sentence() -> None:
    with translation.override("de"):
        for text, said in {
            "round.state_refused: twice": "Zustand der Runde: …. twice",
            'round.state_refused {"state": "voided"}: twice: seen': "Zustand der Runde: annulliert. twice: seen",
            'round.state_refused {"state": "voided"}': "Zustand der Runde: annulliert.",
            'round.state_refused {"state": ': 'round.state_refused {"state": ',
            'no.code {"state": "voided"}: x': 'no.code {"state": "voided"}: x',
        }.items():
            assert reason(text, SWISS) == said
