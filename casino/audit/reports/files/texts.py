"""A report as text: two kinds of CSV, and JSON. Each is written row by row to a file."""

import csv
import io
import json
from typing import IO

from django.utils.translation import gettext as _

from casino.audit.reports.files.cells import NONE, harmless, moment, word
from casino.audit.reports.gather import Gathered
from casino.audit.reports.head import Head
from casino.audit.reports.shape import TYPED, Cell, Column
from casino.records.names import Names
from casino.text.clock_times import day_and_time
from casino.text.formats import digits_of, plain_decimal, style_of
from payouts.models import House

BOM = "\ufeff"


def csv_for_machines(found: Gathered, head: Head, out: IO[bytes]) -> None:
    """RFC 4180: comma, CRLF, every cell in quotes, one line of codes and then the rows in the
    canonical form; amounts in whole minor units.

    What is not known is empty. What a spreadsheet may take for a formula has an apostrophe before
    it (`cells.plain`).
    """
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(column.code for column in found.kind.columns)
    for row in found.rows():
        writer.writerow(
            _plainly(column, value) for column, value in zip(found.kind.columns, row, strict=True)
        )
    text.detach()


def _plainly(column: Column, value: Cell) -> str:
    if value is None:
        return ""
    return str(value) if column.type in TYPED else harmless(str(value))


def csv_for_excel(found: Gathered, head: Head, out: IO[bytes]) -> None:
    """What Excel opens by a double click: UTF-8 with its mark, the separator that Excel expects in
    the country of the house, every cell in quotes, words, amounts with the decimal sign of the
    house.

    Under the rows stand the totals and the head.
    """
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    text.write(BOM)
    writer = csv.writer(text, delimiter=style_of(head.house.locale).between, quoting=csv.QUOTE_ALL)
    columns = found.kind.columns
    writer.writerow(harmless(_(column.title)) for column in columns)
    for row in found.rows():
        writer.writerow(
            _for_excel(column, value, head.house, found.names)
            for column, value in zip(columns, row, strict=True)
        )
    if found.totals:
        writer.writerow(_total(column, found, head.house) for column in columns)
    writer.writerow([])
    writer.writerow([harmless(head.title)])
    for fact in head.facts:
        writer.writerow([harmless(fact.label), harmless(fact.text)])
    for check in head.checks:
        writer.writerow([harmless(check.label), harmless(check.word), harmless(check.sentence)])
    text.detach()


def _for_excel(column: Column, value: Cell, house: House, names: Names | None = None) -> str:
    if value is None:
        return NONE
    if column.type == "money":
        return plain_decimal(int(value), digits_of(house.currency), house.locale)
    if column.type == "day":
        year, month, day = str(value).split("-")
        return f"{day}.{month}.{year}"
    if column.type == "moment":
        return day_and_time(moment(str(value), house))
    text = word(column, str(value), house, names)
    return text if column.type in TYPED else harmless(text)


def _total(column: Column, found: Gathered, house: House) -> str:
    if column.total:
        return _for_excel(column, found.totals[column.code], house)
    return _("Total") if column is found.kind.columns[0] else ""


def as_json(found: Gathered, head: Head, out: IO[bytes]) -> None:
    """One object: what was asked, coverage, verdict, hash, totals, columns, and then the rows as
    they are hashed.
    """
    first = {
        "report": found.kind.code,
        "number": head.number,
        "title": head.title,
        "house": {
            "id": str(head.house.pk),
            "name": head.house.name,
            "currency": head.house.currency,
            "zone": head.house.time_zone,
        },
        "query": found.query.plain(),
        "coverage": found.coverage and found.coverage.__dict__,
        "made_at": found.at.isoformat(),
        "verdict": {
            check.name: {"answer": check.answer, "says": check.sentence} for check in head.checks
        },
        "seal": {"number": head.seal, "head": found.verdict.head},
        "sha256": found.sha256,
        "lines": found.count,
        "totals": found.totals,
        "columns": [
            {"code": column.code, "type": column.type, "title": _(column.title)}
            for column in found.kind.columns
        ],
    }
    out.write(
        json.dumps(first, ensure_ascii=False, indent=1).removesuffix("\n}").encode()
        + b',\n "rows": ['
    )
    for place, row in enumerate(found.rows()):
        out.write((b",\n  " if place else b"\n  ") + json.dumps(row, ensure_ascii=False).encode())
    out.write(b"\n ]\n}\n")
