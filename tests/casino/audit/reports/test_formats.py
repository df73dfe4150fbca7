"""One report in all its formats: the same figures, the same hash; nothing in it is taken for a formula or for markup."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from pypdf import PdfReader

from casino.audit.reports.files import pdf
from casino.audit.reports.files.cells import cell_text, harmless, plain
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.files.typesetting import AT_ONCE, spelt, spelt_data
from casino.audit.reports.gather import Gathered, gathered
from casino.audit.reports.head import Head, head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import data_hash, line
from tests.casino.audit.reports.asked import page, query
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.files import once_written, read_back, squeezed, typed, written
from tests.turns import each

ALL = sorted(KINDS)
SOFFICE = shutil.which("soffice")
DAYS = "from={0}&to={0}"


def asked(evening: Evening, kind: str, form: str = "", **more: str):
    address = f"{kind}/?{DAYS.format(evening.day.isoformat())}"
    if "least" in KINDS[kind].takes:
        address += "&least=0"
    return page(evening, address + (f"&format={form}" if form else ""), **more)


@each("kind", ALL)
def test_rows_of_the_csv_for_programs_hash_to_what_every_format_prints(evening: Evening, kind: str) -> None:
    columns = KINDS[kind].columns
    made = once_written(evening, kind)
    head, *rows = list(csv.reader(io.StringIO(made["csv"].decode(), newline="")))
    assert head == [column.code for column in columns]
    back = [[typed(column, text) for column, text in zip(columns, row, strict=True)] for row in rows]
    sha = data_hash(KINDS[kind], back)
    told = json.loads(made["json"])
    assert (told["sha256"], told["rows"], told["lines"]) == (sha, back, len(back))
    assert len(back) > 0, "an evening without a line proves nothing"
    assert sha in made["excel"].decode()


@each("kind", [kind for kind in ALL if kind != "looks"])
def test_screen_and_files_of_an_address_show_one_hash(evening: Evening, kind: str) -> None:
    """But for the list of looks, which this very look makes longer."""
    response = asked(evening, kind, "csv")
    sha = response["X-Data-SHA256"]
    assert sha in response["Content-Disposition"]
    assert json.loads(asked(evening, kind, "json").content)["sha256"] == sha
    for language in ("de", "en", "fr", "it"):
        assert sha in asked(evening, kind, language=language).content.decode()


@each("kind", ALL)
def test_xlsx_reads_back_equal_and_typed(evening: Evening, kind: str) -> None:
    """Amounts and counts are numbers, days and moments are dates, and a text that begins with = is a text."""
    made = once_written(evening, kind)
    book = load_workbook(io.BytesIO(made["xlsx"]))
    read_back(evening, kind, book, json.loads(made["json"]))
    assert book.worksheets[0].freeze_panes == "A2"


def test_xlsx_that_libreoffice_has_opened_and_saved_reads_back_equal(evening: Evening, tmp_path: Path) -> None:
    """Another program's own reading of the file: what it took for a formula, a date or a number it writes as such."""
    if not SOFFICE:
        why = "there is no LibreOffice (`soffice`) on this machine"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    told = {}
    for kind in ALL:
        made = once_written(evening, kind)
        (tmp_path / f"{kind}.xlsx").write_bytes(made["xlsx"])
        told[kind] = json.loads(made["json"])
    out = tmp_path / "saved"
    command = [SOFFICE, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "xlsx"]
    command += ["--outdir", str(out), *(str(tmp_path / f"{kind}.xlsx") for kind in ALL)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"HOME": str(tmp_path)})
    for kind in ALL:
        read_back(evening, kind, load_workbook(out / f"{kind}.xlsx"), told[kind])


@each("kind", ALL)
def test_pdf_shows_every_line_its_hash_and_the_number_of_each_page(evening: Evening, kind: str) -> None:
    made = once_written(evening, kind)
    told = json.loads(made["json"])
    pages = PdfReader(io.BytesIO(made["pdf"])).pages
    texts = [squeezed(page.extract_text()) for page in pages]
    for number, text in enumerate(texts, 1):
        assert f"{number}/{len(pages)}" in text
        assert told["sha256"] in text
    whole = "".join(texts)
    columns = KINDS[kind].columns
    for row in told["rows"]:
        for column, value in zip(columns, row, strict=True):
            if column.type in ("money", "number", "day") and value is not None:
                assert squeezed(cell_text(column, value, evening.house)) in whole, (column.code, value)


@each("kind", ALL)
def test_pdf_stays_readable_and_within_its_margins_however_wide_it_is(
    evening: Evening, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No letter is smaller than 7 pt, and no word begins so far to the right that it runs over the edge, large sums or not."""
    sizes, ends = [], []

    def seen(text: str, moved: list[float], place: list[float], _font: object, size: float) -> None:
        if text.strip():
            sizes.append(size * abs(place[0] or 1))
            ends.append(place[4] * moved[0] + place[5] * moved[2] + moved[4] + len(text.split()[0]) * sizes[-1] * 0.4)

    more = {"least": 0} if "least" in KINDS[kind].takes else {}
    with gathered(KINDS[kind], query(evening, kind, **more)) as found, translation.override("de"):
        amounts = [column.type == "money" for column in KINDS[kind].columns]
        rows = [
            [value and value * 100 if big else value for big, value in zip(amounts, row, strict=True)]
            for row in found.rows()
        ]
        monkeypatch.setattr(found, "rows", lambda: iter(rows))
        made = pdf.typeset(pdf._data(found, head_of(found, evening.house, "A. Auditor")), "pdf")
    for one in PdfReader(io.BytesIO(made)).pages:
        one.extract_text(visitor_text=seen)
        right = float(one.mediabox.width) - 36
    assert 7 <= min(sizes) < 8
    assert max(ends) < right


def test_pdf_of_many_lines_shows_two_thousand_and_the_totals_of_all(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "ROWS_MOST", 3)
    made = written(evening, "jackpot-statement")
    text = squeezed("".join(page.extract_text() for page in PdfReader(io.BytesIO(made["pdf"])).pages))
    told = json.loads(made["json"])
    assert str(told["lines"]) in text
    total = KINDS["jackpot-statement"].columns[5]
    assert squeezed(cell_text(total, told["totals"]["start"], evening.house)) in text


def test_pdfs_asked_for_at_once_are_set_one_after_the_other(evening: Evening) -> None:
    """The compiler itself refuses a second thread."""
    with gathered(KINDS["slips"], query(evening, "slips")) as found:
        data = pdf._data(found, head_of(found, evening.house, "A. Auditor"))
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: pdf.typeset(data, "pdf"), range(4)))
    assert {one[:5] for one in made} == {b"%PDF-"}


def test_csv_for_excel_has_the_separator_and_the_decimal_sign_of_the_house(evening: Evening) -> None:
    """Issue 44.13. Excel of de-CH reads 1284.50, that of de-DE 1284,50, each between semicolons; that of en-GB between commas."""
    house = evening.house
    for locale, cell in {
        "de-DE": ';"5001,50";',
        "fr-FR": ';"5001,50";',
        "it-IT": ';"5001,50";',
        "en-GB": ',"5001.50",',
        "de-CH": ';"5001.50";',
    }.items():
        house.locale = locale
        text = written(evening, "slips")["excel"].decode()
        assert (text.startswith("\ufeff"), cell in text, f'"{cell[0]}"' in text) == (True, True, True), locale


@given(st.text())
def test_what_is_made_harmless_comes_back(text: str) -> None:
    safe = harmless(text)
    assert plain(safe) == text
    assert safe[:1] not in ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def saying(evening: Evening, *texts: str) -> Iterator[tuple[Gathered, Head]]:
    """The corrections of the evening, as many lines as texts, and each of its texts is that one."""
    with gathered(KINDS["corrections"], query(evening, "corrections")) as first, translation.override("de"):
        pairs = list(zip(first.kind.columns, next(first.rows()), strict=True))
        spool = io.BytesIO()
        for text in texts:
            spool.write(line([text if column.type == "text" else value for column, value in pairs]))
        report = replace(first, spool=spool, count=len(texts))
        yield report, head_of(report, evening.house, "A. Auditor")


def parsed(text: str, separator: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


# Where a file is read with the other separator, a cell begins in the middle of these.
ENDED = (
    "x,=1+1",
    "x;=1+1",
    'x,"=cmd"',
    "a;  @SUM(A1)",
    "a\r\n=1",
    "a\t=1",
    "\",'+1",
    "=1,=2;-3",
    "a,",
    "a;",
    '"',
    "a,＝1",
)


def test_every_cell_of_a_csv_is_quoted_and_none_is_a_formula_by_either_separator(evening: Evening) -> None:
    formula = re.compile('[ "\r\n]*[=+\\-@\t＝＋－＠]')
    figure = re.compile(r"-?[\d.,]+")
    for code, own in (("csv", ","), ("excel", ";")):
        with saying(evening, *ENDED) as (report, head):
            FORMATS[code].write(report, head, out := io.BytesIO())
        text = out.getvalue().decode("utf-8-sig")
        csv.writer(again := io.StringIO(newline=""), delimiter=own, quoting=csv.QUOTE_ALL).writerows(parsed(text, own))
        assert text == again.getvalue()
        for separator in ",;\t":
            cells = [cell for row in parsed(text, separator) for cell in row if formula.match(cell)]
            assert [cell for cell in cells if not figure.fullmatch(cell)] == [], (code, separator)


def test_what_a_cell_does_not_hold_is_marked_there_with_where_the_whole_of_it_is(evening: Evening) -> None:
    """A spreadsheet counts what it holds in UTF-16; CSV and JSON hold all."""
    long, full = "😀" * 90_000, "x" * 32_767
    mark = " … (gekürzt von 90000 Zeichen; ganz in CSV und JSON)"
    with saying(evening, long, full) as (report, head):
        files = {code: io.BytesIO() for code in ("csv", "json", "xlsx")}
        for code, out in files.items():
            FORMATS[code].write(report, head, out)
        paper = pdf._data(report, head)["rows"]
    place = [column.code for column in report.kind.columns].index("table")
    assert [row[place] for row in parsed(files["csv"].getvalue().decode(), ",")[1:]] == [long, full]
    assert [row[place] for row in json.loads(files["json"].getvalue())["rows"]] == [long, full]
    sheet = load_workbook(files["xlsx"]).worksheets[0]
    cells = [sheet.cell(row, place + 1).value for row in (2, 3)]
    assert cells == ["😀" * ((32_767 - len(mark)) // 2) + mark, full]
    assert [squeezed(row[place]) for row in paper] == [
        squeezed("[U+1F600]" * ((2000 - len(mark)) // 2) + mark),  # no font has it
        squeezed("x" * (2000 - len(mark)) + mark.replace("90000", "32767")),
    ]


def test_pdf_sets_so_many_letters_and_says_which_lines_they_are(evening: Evening) -> None:
    with saying(evening, *["word " * 390] * 300) as (report, head):
        data = pdf._data(report, head)
    letters = [sum(map(len, row)) for row in data["rows"]]
    assert sum(letters) <= pdf.LETTERS_MOST < sum(letters) + letters[0]
    assert (len(data["struck"]), len(data["whole"])) == (len(letters), len(letters))
    assert data["rest"].startswith(f"Die ersten {len(letters)} von 300 Zeilen")


TITLES = {
    "de": "Korrekturen, Annullierungen, Rückzüge, verspätete Runden",
    "en": "Corrections, voids, withdrawals, late rounds",
    "fr": "Corrections, annulations, retraits, manches tardives",
    "it": "Correzioni, annullamenti, ritiri, mani tardive",
}


@each("language", TITLES)
def test_files_speak_the_language_of_who_asked_and_show_one_hash(evening: Evening, language: str) -> None:
    """Words change with the language, figures and so the hash do not."""
    german = json.loads(once_written(evening, "corrections")["json"])
    made = written(evening, "corrections", language)
    with translation.override(language):
        heads = [translation.gettext(column.title) for column in KINDS["corrections"].columns]
        state = translation.gettext("withdrawn")
    pdf_text = squeezed("".join(page.extract_text() for page in PdfReader(io.BytesIO(made["pdf"])).pages))
    rows = list(csv.reader(io.StringIO(made["excel"].decode("utf-8-sig"), newline=""), delimiter=";"))
    sheet, check = load_workbook(io.BytesIO(made["xlsx"])).worksheets
    assert rows[0] == heads == [cell.value for cell in sheet[1]]
    assert [TITLES[language]] in rows
    assert check["A1"].value == TITLES[language]
    assert squeezed(TITLES[language]) in pdf_text
    for cells in (rows[1:], [[cell.value for cell in row] for row in sheet.iter_rows()]):
        assert state in [row[2] for row in cells if len(row) > 2]
    assert squeezed(state) in pdf_text
    for text in (pdf_text, made["excel"].decode(), str([cell.value for row in check.iter_rows() for cell in row])):
        assert german["sha256"] in text


def test_letters_that_no_font_has_are_spelt_by_their_numbers() -> None:
    """Issue 44.14: no box stands in a report that is hashed; what a font has stands as it is."""
    there = "Jürg Șerban Łukasz Ñuñez Жанна Αθηνά ễ −1’284.50 € ≥ → “x” e\u0301\u202f\u200b"
    assert (spelt(there), spelt("plain")) == (there, "plain")
    assert spelt("李 Li 😀 ก") == "[U+674E] Li [U+1F600] [U+0E01]"
    assert spelt_data({"rows": [["漢", 1, None]], "at": ("x",)}) == {"rows": [["[U+6F22]", 1, None]], "at": ["x"]}
    assert spelt("".join(map(chr, range(0x4E00, 0x4E00 + AT_ONCE + 1)))).count("[U+") == AT_ONCE + 1


def test_paper_spells_a_letter_that_no_font_has_and_the_other_formats_hold_it(evening: Evening) -> None:
    """Issue 44.14."""
    with saying(evening, "by 李 Li, seen") as (report, head):
        for code in ("pdf", "excel", "json"):
            FORMATS[code].write(report, head, out := io.BytesIO())
            if code == "pdf":
                text = squeezed("".join(page.extract_text() for page in PdfReader(out).pages))
                assert squeezed("by [U+674E] Li, seen") in text
            else:
                assert "by 李 Li, seen" in out.getvalue().decode()
