"""The night in which the clocks go back: two moments and two hours that a clock shows alike are told apart."""

import io
from dataclasses import replace

from django.utils import translation
from openpyxl import load_workbook
from pypdf import PdfReader

from casino.audit.reports.files.cells import cell_text
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.gather import gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import line
from tests.casino.audit.reports.asked import query
from tests.casino.audit.reports.evening import Evening
from tests.databases import superuser
from tests.turns import each

MOMENTS = ("2026-10-25T00:30:00.000000Z", "2026-10-25T01:30:00.000000Z")
TIMES = {"de": ("MESZ", "MEZ"), "en": ("CEST", "CET"), "fr": ("CEST", "CET"), "it": ("CEST", "CET")}


@each(
    ("zone", "moments", "hours"),
    [
        ("Europe/Zurich", MOMENTS, {"2 +02:00", "2 +01:00"}),
        ("America/New_York", ("2026-11-01T05:30Z", "2026-11-01T06:30Z"), {"1 -04:00", "1 -05:00"}),
        ("Europe/Zurich", ("2026-10-25T01:59:59Z", "2026-10-25T02:00Z"), {"2 +01:00", 3}),
        ("Asia/Dhaka", MOMENTS, {6, 7}),
    ],
)
def test_two_hours_of_results_and_rake_are_two_lines(
    evening: Evening, db: None, zone: str, moments: tuple[str, str], hours: set[str | int]
) -> None:
    """Issue 44.11. Only who switches the guards off can have played on another night."""
    with superuser() as link, link.transaction(force_rollback=True):
        for table, at in (("tables_round", "locked_at"), ("tables_hand", "ended_at")):
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
            link.execute(
                f"UPDATE {table} SET {at} = CASE number %% 2 WHEN 1 THEN %s ELSE %s END::timestamptz WHERE {at} IS NOT NULL",
                moments,
            )
        link.execute("ALTER TABLE payouts_house DISABLE TRIGGER ALL")
        link.execute("UPDATE payouts_house SET time_zone = %s", [zone])
        results = link.execute(KINDS["results"].sql, query(evening, "results", by="hour").bound()).fetchall()
        rakes = link.execute(KINDS["rake"].sql, query(evening, "rake").bound()).fetchall()
    assert {hour for _day, hour, _table, _game, rounds, *_ in KINDS["results"].made(results) if rounds} == hours
    assert {hour for kind, _day, hour, *_ in KINDS["rake"].made(rakes) if kind == "hour"} == hours


@each("language", TIMES)
def test_two_moments_and_two_hours_are_shown_apart_in_every_format(evening: Evening, language: str) -> None:
    """Issue 44.11."""
    zone, evening.house.time_zone = evening.house.time_zone, "Europe/Zurich"
    names = TIMES[language]
    try:
        with gathered(KINDS["corrections"], query(evening, "corrections")) as first, translation.override(language):
            day, _at, *rest = next(first.rows())
            spool = io.BytesIO(b"".join(line([day, at, *rest]) for at in MOMENTS))
            report = replace(first, spool=spool, count=2)
            head = head_of(report, evening.house, "A. Auditor")
            made = {code: io.BytesIO() for code in ("pdf", "xlsx", "excel")}
            for code, out in made.items():
                FORMATS[code].write(report, head, out)
            hour = next(column for column in KINDS["results"].columns if column.code == "hour")
            hours = [cell_text(hour, cell, evening.house) for cell in ("2 +02:00", "2 +01:00", 2)]
    finally:
        evening.house.time_zone = zone
    assert hours == [*(f"2 {name}" for name in names), "2"]
    sheet = load_workbook(io.BytesIO(made["xlsx"].getvalue())).worksheets[0]
    assert [sheet.cell(row, 2).value for row in (2, 3)] == [f"25.10.2026 02:30:00 {name}" for name in names]
    document = " ".join(page.extract_text() for page in PdfReader(made["pdf"]).pages)
    for text in (made["excel"].getvalue().decode(), " ".join(document.split())):
        assert [f"02:30:00 {name}" in text for name in names] == [True, True]
