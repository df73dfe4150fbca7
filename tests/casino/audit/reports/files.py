"""Reports as files: all formats of one computation, and what is read back from them."""

import io
import re
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import translation
from openpyxl import Workbook

from casino.audit.reports.files.cells import plain
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.gather import gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import Column
from casino.records.names import Names
from payouts.models import House
from tests.casino.audit.reports.asked import query
from tests.casino.audit.reports.evening import Evening


@cache
def once_written(evening: Evening, kind: str) -> dict[str, bytes]:
    """As `written`, made once for all who only read."""
    return written(evening, kind)


def written(evening: Evening, kind: str, language: str = "de") -> dict[str, bytes]:
    """The report of the evening in all formats, from one computation."""
    more = {"least": 0} if "least" in KINDS[kind].takes else {}
    with gathered(KINDS[kind], query(evening, kind, **more)) as found, translation.override(language):
        head = head_of(found, evening.house, "A. Auditor")
        files = {code: io.BytesIO() for code in FORMATS}
        for code, out in files.items():
            FORMATS[code].write(found, head, out)
        return {code: out.getvalue() for code, out in files.items()}


def typed(column: Column, text: str):
    """A cell of the CSV for programs as it was before."""
    if column.type in ("money", "number"):
        return int(text) if text else None
    if column.type in ("text", "code"):
        return plain(text)
    return plain(text) or None


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u200b\u00ad]", "", text)


def same(column: Column, value: Any, cell: Any, zone: ZoneInfo, names: Names) -> bool:
    """Whether a cell of the sheet is what it was, in its type."""
    if value is None:
        return cell.value is None
    if column.type in ("money", "number"):
        return cell.data_type == "n" and round(cell.value * (100 if column.type == "money" else 1)) == value
    if column.type == "day":
        return cell.value.date().isoformat() == value
    if column.type == "moment":
        at = datetime.fromisoformat(value).astimezone(zone).replace(tzinfo=None, microsecond=0)
        return cell.value.replace(microsecond=0) == at
    with translation.override("de"):
        if value in (column.words or {}):
            value = translation.gettext(column.words[value])
        elif column.tells:
            value = column.tells(value, House(currency="CHF", locale="de-CH"))
        value = names.in_text(value) if column.names else value
    return not value or (cell.data_type, cell.value) == ("s", value)


def read_back(evening: Evening, kind: str, book: Workbook, told: dict[str, Any]) -> None:
    """The sheet holds what the report says, each cell in its type."""
    lines, check = book.worksheets
    columns = KINDS[kind].columns
    zone = ZoneInfo(evening.house.time_zone)
    names = Names.of([told["rows"]])
    assert lines.max_row == told["lines"] + 1 + bool(told["totals"])
    for row, there in zip(told["rows"], lines.iter_rows(min_row=2), strict=False):
        for column, value, cell in zip(columns, row, there, strict=True):
            assert same(column, value, cell, zone, names), (column.code, value, cell.value)
    for place, column in enumerate(columns, 1):
        if column.total:
            cell, total = lines.cell(lines.max_row, place).value, told["totals"][column.code]
            assert (cell and round(cell * (100 if column.type == "money" else 1))) == total, column.code
    assert told["sha256"] in [cell.value for row in check.iter_rows() for cell in row]
