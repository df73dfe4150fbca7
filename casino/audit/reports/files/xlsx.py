"""A report as XLSX: typed figures, a frozen head with a filter, and a second sheet with what stands
at the head of the report.
"""

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from django.utils.translation import gettext as _
from xlsxwriter import Workbook

from casino.audit.reports.files.cells import cut, is_formula, moment, word
from casino.audit.reports.gather import Gathered
from casino.audit.reports.head import Head
from casino.audit.reports.shape import Cell, Column
from casino.text.clock_times import day_and_time, twice_mark
from casino.text.floor import colon
from casino.text.formats import digits_of
from payouts.models import House

ROWS_MOST = 1_048_000  # of a sheet; what is longer stands in CSV
CELL_MOST = 32_767  # characters; the writer cuts what is longer without a word
WIDTHS = {"text": 18, "money": 14, "number": 9, "day": 12, "moment": 20, "id": 38, "code": 20}


def as_xlsx(found: Gathered, head: Head, out: IO[bytes]) -> None:
    """The report as a workbook, written row by row: memory does not grow with it."""
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with _parts(out) as parts:
        book = Workbook(out, options | {"default_date_format": "dd.mm.yyyy", "tmpdir": parts})
        book.set_properties(
            {
                "title": head.title,
                "company": head.house.name,
                "comments": f"{head.number}, SHA-256 {found.sha256}",
            }
        )
        forms = _forms(book, head.house)
        _lines(book, forms, found, head)
        _facts(book, forms, found, head)
        book.close()


def _parts(out: IO[bytes]) -> TemporaryDirectory[str]:
    """A folder for the parts of the workbook, gone with them; of a file it is beside it, and begins
    with its name.

    So that who clears up after a maker that was killed finds it by that name.
    """
    name = getattr(out, "name", None)
    if not isinstance(name, str):
        return TemporaryDirectory(prefix="saalchef-xlsx-")
    return TemporaryDirectory(prefix=f"{Path(name).name}.", dir=Path(name).parent)


def _forms(book: Any, house: House) -> dict[str, Any]:
    digits = digits_of(house.currency)
    money = "#,##0" + ("." + "0" * digits if digits else "")
    return {
        "head": book.add_format({"bold": True, "text_wrap": True, "valign": "bottom", "bottom": 1}),
        "bold": book.add_format({"bold": True}),
        "money": book.add_format({"num_format": money}),
        "total": book.add_format({"num_format": money, "bold": True, "top": 1}),
        "count": book.add_format({"num_format": "0", "bold": True, "top": 1}),
        "struck": book.add_format({"num_format": money, "font_strikeout": True}),
        "number": book.add_format({"num_format": "0"}),
        "day": book.add_format({"num_format": "dd.mm.yyyy"}),
        "moment": book.add_format({"num_format": "dd.mm.yyyy hh:mm:ss"}),
        "plain": book.add_format({}),
        "quoted": book.add_format({"quote_prefix": True}),
        "wrapped": book.add_format({"text_wrap": True, "valign": "top"}),
    }


def _lines(book: Any, forms: dict[str, Any], found: Gathered, head: Head) -> None:
    sheet = book.add_worksheet(_("Lines"))
    columns = found.kind.columns
    sheet.freeze_panes(1, 0)
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    for place, column in enumerate(columns):
        sheet.set_column(place, place, 44 if column.wide else WIDTHS[column.type])
        sheet.write_string(0, place, _(column.title), forms["head"])
    at = 0
    for at, row in enumerate(found.rows(), 1):
        if at > ROWS_MOST:
            break
        own = forms | {"money": forms["struck"]} if found.kind.struck(row) else forms
        for place, (column, value) in enumerate(zip(columns, row, strict=True)):
            _write(sheet, at, place, column, value, found, head.house, own)
    if found.count:
        sheet.autofilter(0, 0, at, len(columns) - 1)
    if found.totals:
        sheet.write_string(at + 1, 0, _("Total"), forms["bold"])
        for place, column in enumerate(columns):
            if column.total:
                _total(sheet, at + 1, place, column, found.totals[column.code], head.house, forms)


def _write(
    sheet: Any,
    at: int,
    place: int,
    column: Column,
    value: Cell,
    found: Gathered,
    house: House,
    forms: dict[str, Any],
) -> None:
    """One cell, typed; what is not known stays empty. A text that looks like a formula is marked as
    text, and stays as it is.
    """
    if value is None:
        return
    if column.type == "money":
        sheet.write_number(at, place, int(value) / 10 ** digits_of(house.currency), forms["money"])
    elif column.type == "number" and isinstance(value, int):
        sheet.write_number(at, place, int(value), forms["number"])
    elif column.type == "day":
        sheet.write_datetime(at, place, date.fromisoformat(str(value)), forms["day"])
    elif column.type == "moment":
        local = moment(str(value), house)
        if twice_mark(local):  # a date of a spreadsheet knows no zone
            sheet.write_string(at, place, day_and_time(local), forms["plain"])
        else:
            plain = local.replace(tzinfo=None, microsecond=0)
            sheet.write_datetime(at, place, plain, forms["moment"])
    else:
        text = cut(word(column, str(value), house, found.names), CELL_MOST)
        sheet.write_string(at, place, text, forms["quoted" if is_formula(text) else "plain"])


def _total(
    sheet: Any,
    at: int,
    place: int,
    column: Column,
    value: int | None,
    house: House,
    forms: dict[str, Any],
) -> None:
    if value is None:
        return
    if column.type == "money":
        sheet.write_number(at, place, value / 10 ** digits_of(house.currency), forms["total"])
    else:
        sheet.write_number(at, place, value, forms["count"])


def _facts(book: Any, forms: dict[str, Any], found: Gathered, head: Head) -> None:
    """The second sheet: what the report is, what it covers, its verdict and its hash."""
    sheet = book.add_worksheet(_("Check"))
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 1, 96)
    rows = [(head.title, head.about), *((fact.label, fact.text) for fact in head.facts)]
    rows += [
        (_("Verdict"), head.summary),
        *((colon(check.label, check.word), check.sentence) for check in head.checks),
    ]
    rows += [("", head.limits), ("", head.note)]
    if found.count > ROWS_MOST:
        rows.append(
            (
                "",
                _("This sheet holds the first %(rows)s lines only; all of them stand in CSV.")
                % {"rows": ROWS_MOST},
            )
        )
    for at, (label, text) in enumerate(rows):
        sheet.write_string(at, 0, label, forms["quoted" if is_formula(label) else "bold"])
        sheet.write_string(at, 1, text, forms["quoted" if is_formula(text) else "wrapped"])
