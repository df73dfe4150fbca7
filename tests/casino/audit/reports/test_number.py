"""Every report has a number: the same on screen, in each format and language, and another one for whatever says something else."""

import io
import re
from uuid import uuid4

from django.utils import translation
from openpyxl import load_workbook
from pypdf import PdfReader

from casino.audit.reports.files.formats import FORMATS, file_name
from casino.audit.reports.gather import gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import Query, report_number
from payouts.models import Event
from tests.casino.audit.reports.asked import page, query
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.files import squeezed
from tests.turns import each

NUMBER = re.compile(r"\b[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}\b")


@each("kind", KINDS)
def test_number_is_the_same_in_every_format(evening: Evening, kind: str) -> None:
    with gathered(KINDS[kind], query(evening, kind)) as found, translation.override("de"):
        head, number = head_of(found, evening.house, "A. Auditor"), found.number
        files = {code: io.BytesIO() for code in FORMATS}
        for code, out in files.items():
            FORMATS[code].write(found, head, out)
            assert number in file_name(found, FORMATS[code])
    assert NUMBER.fullmatch(number)
    assert f'"number": "{number}"' in files["json"].getvalue().decode()
    assert f'"Bericht Nr.";"{number}"' in files["excel"].getvalue().decode()
    check = load_workbook(files["xlsx"]).worksheets[1]
    assert ("Bericht Nr.", number) in [(one[0].value, one[1].value) for one in check.iter_rows()]
    for one in PdfReader(files["pdf"]).pages:
        assert squeezed(f"Bericht Nr. {number}") in squeezed(one.extract_text())


def test_number_on_screen_is_that_of_the_files_and_of_the_log(evening: Evening) -> None:
    address = f"results/?from={evening.day}&to={evening.day}"
    files = [page(evening, f"{address}&format={code}") for code in FORMATS]
    [number] = {response["X-Report-Number"] for response in files}
    for response in files:
        assert number in response["Content-Disposition"]
    for language in ("de", "en", "fr", "it"):
        assert number in page(evening, address, language=language).content.decode()
    kept = Event.objects.filter(name="report.looked", subject_id="results").order_by("-id")[0]
    assert kept.after["number"] == number
    assert number in page(evening, f"looks/?from={evening.day}&to={evening.day}").content.decode()


def test_number_is_of_house_report_filters_and_what_it_says(evening: Evening) -> None:
    plain = query(evening, "slips")
    values = plain.__dict__
    numbers = {
        report_number(KINDS["slips"], plain, "00"),
        report_number(KINDS["slips"], plain, "01"),
        report_number(KINDS["hits"], plain, "00"),
        report_number(KINDS["slips"], Query(**{**values, "table": evening.tables[0].pk}), "00"),
        report_number(KINDS["slips"], Query(**{**values, "house_id": uuid4()}), "00"),
    }
    assert len(numbers) == 5
    assert report_number(KINDS["slips"], query(evening, "slips"), "00") in numbers
