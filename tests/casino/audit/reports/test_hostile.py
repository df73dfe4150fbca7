"""Names and reasons that are markup, formulas or commands of typst: each comes out of every format as the text it is."""

import csv
import io
import json
from collections.abc import Iterator
from html import escape
from itertools import count, pairwise

import psycopg
import pytest
from django.utils import translation
from openpyxl import load_workbook
from psycopg import sql
from pypdf import PdfReader
from pytest_django import DjangoDbBlocker

from casino.audit.reports import views
from casino.audit.reports.kinds import KINDS
from casino.devices.models import Device
from casino.people.models import Person
from casino.records.names import Names
from jackpot.models import Hit
from payouts.models import Account, PostedTable, Transfer
from tables.models import Round
from tests.casino.audit.reports.asked import page
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.files import once_written, squeezed
from tests.casino.audit.reports.second import Books, said
from tests.casino.audit.reports.test_rows import SECOND
from tests.casino.devices import devices
from tests.casino.people import people
from tests.databases import superuser
from tests.turns import each

BIDI, WIDE = (
    "\u202e\u200f",
    "＝",
)  # in a PDF the one is set from right to left, and for the other its fonts have no letter
TEXTS = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1",
    "@SUM(A1)",
    '#eval("1") #panic("x")',
    "*bold* _it_ `raw` ~",
    "$x^2$ <label> @ref //x",
    "back\\slash \"two\" 'one'",
    f"{BIDI}right",
    "'=1+1",
    "{{ 7|add:7 }}{% now 'Y' %}",
    "&lt;b&gt;&amp; <img src=x onerror=alert(1)>",
    "line\nfeed",
    "\t=tab",
    f"{WIDE}wide",
)
FIGURES = ("+1+1", "'=1+1", "$x^2$ <label> @ref //x")
NAMES = {
    "payouts_house": "name",
    "casino_person": "full_name",
    "tables_pit": "name",
    "tables_table": "name",
    "jackpot_jackpot": "name",
    "jackpot_gatedisplay": "name",
    "jackpot_requireddisplay": "name",
    "casino_device": "name",
    "casino_devicecode": "name",
}
REASONS = ("payouts_event", "payouts_transfer", "tables_round", "tables_roundresult", "tables_toclarify")
REASONS += ("jackpot_slip", "jackpot_award", "jackpot_hit", "jackpot_claim", "jackpot_gatedisplay")


@pytest.fixture(scope="module")
def hostile(evening: Evening, django_db_blocker: DjangoDbBlocker) -> Evening:
    """The evening, its every name and reason one of these texts. Who switches the guards off writes what no form takes."""
    devices.enrol(evening.tables[0], devices.dealer(evening.house, "p.boss", "pit_boss"))
    with superuser(evening.database) as link, link.transaction():
        for table in {*NAMES, *REASONS, "payouts_postedtable", "payouts_approval", "tables_tableversion"}:
            link.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER ALL").format(sql.Identifier(table)))
        for table, column in [*NAMES.items(), *((table, "reason") for table in REASONS)]:
            for (pk,) in link.execute(
                sql.SQL("SELECT id FROM {} ORDER BY ctid").format(sql.Identifier(table))
            ).fetchall():
                _write(link, table, column, pk)
        link.execute("UPDATE tables_tableversion v SET name = t.name FROM tables_table t WHERE t.id = v.table_id")
        link.execute("UPDATE payouts_postedtable SET name = '<b>=' || name || ' #x $y$', note = '@' || note || '\\'")
        link.execute("UPDATE payouts_approval SET payload = jsonb_set(payload, '{reason}', '\"#panic(1) <i>*b*\"')")
    for one in (evening.house, evening.auditor, *evening.tables):
        one.refresh_from_db()
    return evening


NEXT = count()


def _write(link: psycopg.Connection, table: str, column: str, pk: object) -> None:
    number = next(NEXT)
    change = sql.SQL("UPDATE {} SET {} = %s WHERE id = %s").format(sql.Identifier(table), sql.Identifier(column))
    link.execute(change, [f"{TEXTS[number % len(TEXTS)][:36]} {number}", pk])


def guarded(text: str) -> str:
    """As a CSV has it: an apostrophe before what a spreadsheet would calculate, where it begins a cell by any separator."""
    starts = [place for place in range(len(text)) if not place or text[place - 1] in ",;\t\r\n"]
    for place in reversed(starts):
        if text[place:].lstrip(" '\"")[:1] in tuple(SIGNS):
            text = f"{text[:place]}'{text[place:]}"
    return text


SIGNS = "=+-@\t\r\n＝＋－＠"


def texts(kind: str, rows: list[list[object]]) -> Iterator[tuple[int, int, str]]:
    """Each cell that is a text and no word of ours, with its row and column."""
    for place, row in enumerate(rows):
        for at, (column, value) in enumerate(zip(KINDS[kind].columns, row, strict=True)):
            if column.type == "text" and value not in (column.words or {}):
                yield place, at, str(value)


def told(hostile: Evening, kind: str, at: int, text: str, language: str) -> str:
    """The text as people read it: as it is, but for names of data, which are told in words, and for ids that have names."""
    column = KINDS[kind].columns[at]
    with translation.override(language):
        text = column.tells(text, hostile.house) if column.tells else text
        return Names.of([text]).in_text(text) if column.names else text


def printed(text: str, pages: list[str]) -> bool:
    """Whether a text stands on a page, or its lines on two that follow one another."""
    if BIDI in text or WIDE in text or any(text in page for page in pages):
        return True
    cuts = range(3, len(text) - 1)
    return any(text[:cut] in one and text[cut:] in other for one, other in pairwise(pages) for cut in cuts)


@each("kind", KINDS)
def test_texts_come_out_of_every_format_as_they_are(hostile: Evening, kind: str) -> None:
    made = once_written(hostile, kind)
    rows = json.loads(made["json"])["rows"]
    if kind != "looks":  # which grows by every look
        books = Books(hostile)
        assert rows == [[said(value) for value in row] for row in SECOND[kind](books)]
    machine = list(csv.reader(io.StringIO(made["csv"].decode(), newline="")))[1:]
    excel = list(csv.reader(io.StringIO(made["excel"].decode("utf-8-sig"), newline=""), delimiter=";"))
    book = load_workbook(io.BytesIO(made["xlsx"]))
    sheet = [list(row) for row in book.worksheets[0].iter_rows(min_row=2)]
    paper = [squeezed(one.extract_text()) for one in PdfReader(io.BytesIO(made["pdf"])).pages]
    found = list(texts(kind, rows))
    assert any(text.startswith(one[:3]) for _, _, text in found for one in TEXTS)
    for place, at, text in found:
        assert machine[place][at] == guarded(text)
        text = told(hostile, kind, at, text, "de")
        assert excel[place + 1][at] == guarded(text)
        cell = sheet[place][at]
        assert (cell.value or "") == text
        assert not text or (cell.data_type, bool(cell.quotePrefix)) == ("s", text.lstrip("'")[:1] in tuple(SIGNS))
        assert printed(squeezed(text), paper), text
    house = hostile.house.name
    assert guarded(house) in [row[1] for row in excel if len(row) == 2]
    assert house in [cell.value for row in book.worksheets[1].iter_rows() for cell in row]
    assert all(squeezed(house) in one for one in paper)


@each("kind", KINDS)
def test_texts_are_no_markup_on_screen(hostile: Evening, kind: str) -> None:
    day = hostile.day.isoformat()
    least = "&least=0" if "least" in KINDS[kind].takes else ""
    text = page(hostile, f"{kind}/?from={day}&to={day}{least}").content.decode()
    rows = json.loads(once_written(hostile, kind)["json"])["rows"][: views.PAGE]
    for _, at, value in texts(kind, rows):
        assert escape(told(hostile, kind, at, value, "en")) in text, value
    assert escape(hostile.house.name) in text
    harmless(text)


def harmless(text: str) -> None:
    for markup in ("<script>alert", "<img src=x", "<b>=", "<i>*b*", "{{ 14 }}"):
        assert markup not in text


def test_texts_are_no_markup_on_the_pages_of_the_desk(hostile: Evening) -> None:
    client = people.signed_in(hostile.auditor)
    named = [("people", one.pk, one.full_name) for one in Person.objects.all()]
    named += [("devices", one.pk, one.name) for one in Device.objects.all()]
    named += [("posted", one.pk, one.name) for one in PostedTable.objects.all()[:3]]
    named += [("rounds", one.pk, one.table.name) for one in Round.objects.select_related("table")]
    named += [("hits", one.pk, one.jackpot.name) for one in Hit.objects.select_related("jackpot")]
    named += [("transfers", one.pk, one.reason) for one in Transfer.objects.all()[:16]]
    named += [("accounts", one.pk, "") for one in Account.objects.filter(owner_id=hostile.tables[0].pk)]
    for place, pk, name in named:
        response = client.get(f"/audit/{place}/{pk}/")
        assert response.status_code == 200, (place, name)
        text = response.content.decode()
        assert escape(name) in text, (place, name)
        harmless(text)
    for path in ("", "verify/", "calculator/", "reports/"):
        harmless(client.get(f"/audit/{path}").content.decode())


@each("words", TEXTS)
def test_words_of_a_search_are_words(hostile: Evening, words: str) -> None:
    client = people.signed_in(hostile.auditor)
    response = client.get("/audit/", {"q": words}, follow=True)
    text = response.content.decode()
    # signs that turn the order of letters are taken nowhere; figures that cannot be read whole are not read in part
    assert response.status_code == (400 if BIDI in words else 422 if words in FIGURES else 200)
    assert escape(words.strip()) in text or BIDI in words
    harmless(text)
