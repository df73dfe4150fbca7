"""No report shows a reader the names of data: keys, codes of actions, figures in minor units."""

import re

from django.utils import translation

from casino.refusal_words import APPROVAL_STATES
from casino.reports.cells import shown
from casino.reports.gather import gathered
from casino.reports.kinds import KINDS
from casino.reports.shape import Cell, Column
from casino.reports.told import facts, hit_note, reason
from jackpot.services.claims import DROPPED
from payouts.models import House
from tests.reports.asked import query
from tests.reports.evening import HOSTILE, Evening
from tests.turns import each

SWISS = House(currency="CHF", locale="de-CH")
RAW = re.compile(r"\b[a-z]+_[a-z_]+\b|\b[a-z]+\.[a-z_]+\b|\brev [0-9]|\btrue\b|\bfalse\b")


def raw(column: Column, value: Cell, house: House) -> list[str]:
    """What of a cell is data; ids, hashes and names of people and formats are read as they are."""
    if column.type == "id" or column.code in ("person", "by", "signed", "requester", "format"):
        return []
    text = shown(column, value, house).replace(HOSTILE, "")
    return RAW.findall(re.sub(r"\b[A-Z0-9]+\.[a-z]+", "", text))


@each("language", ["de", "en", "fr", "it"])
def test_reports_of_an_evening_show_no_names_of_data(evening: Evening, language: str) -> None:
    for code, kind in KINDS.items():
        more = {"least": 0} if "least" in kind.takes else {}
        with gathered(kind, query(evening, code, **more)) as found, translation.override(language):
            cells = [pair for row in found.rows() for pair in zip(kind.columns, row, strict=True)]
            left = {(column.code, *raw(column, value, evening.house)) for column, value in cells}
        assert {one for one in left if len(one) > 1} == set(), code


def test_every_code_of_an_evening_has_its_word(evening: Evening) -> None:
    left = set()
    for code, kind in KINDS.items():
        more = {"least": 0} if "least" in kind.takes else {}
        with gathered(kind, query(evening, code, **more)) as found:
            for row in found.rows():
                pairs = [pair for pair in zip(kind.columns, row, strict=True) if pair[0].type == "code" and pair[1]]
                left |= {(code, column.code, value) for column, value in pairs if value not in (column.words or {})}
    assert left == set()
    states = next(column.words for column in KINDS["hits"].columns if column.code == "state")
    assert set(APPROVAL_STATES) <= set(states or {})  # requests of a hit stand in its file, however they ended


def test_what_changed_is_told_as_people_write_it() -> None:
    text = "ante_minimum_minor: 500 → 1000; lines.2.hand: straight_flush; roles.1: pit_boss; week.1.closes: 1800"
    with translation.override("de"):
        assert facts(text, SWISS).split("; ") == [
            "Ante, Minimum: CHF\u00a05.00 → CHF\u00a010.00",
            "Zeilen 2, Hand: Straight Flush",
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
        assert reason("round.state_refused: twice", SWISS) == "Zustand der Runde: …. twice"
