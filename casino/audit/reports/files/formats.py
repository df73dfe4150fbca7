"""The formats a report can be taken home in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from casino.audit.reports.files import pdf, texts, xlsx
from casino.audit.reports.gather import Gathered
from casino.audit.reports.head import Head
from casino.records.report_labels import LOOKED_ON


@dataclass(frozen=True)
class Format:
    """One format: its code in addresses, what it is called, its ending, its media type, and who
    writes it.
    """

    code: str
    title: str
    ending: str
    media: str
    write: Callable[[Gathered, Head, IO[bytes]], None]


FORMATS: dict[str, Format] = {
    one.code: one
    for one in (
        Format("pdf", LOOKED_ON["pdf"], "pdf", "application/pdf", pdf.as_pdf),
        Format(
            "xlsx",
            LOOKED_ON["xlsx"],
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            xlsx.as_xlsx,
        ),
        Format(
            "excel", LOOKED_ON["excel"], "excel.csv", "text/csv; charset=utf-8", texts.csv_for_excel
        ),
        Format(
            "csv",
            LOOKED_ON["csv"],
            "csv",
            "text/csv; charset=utf-8; header=present",
            texts.csv_for_machines,
        ),
        Format("json", LOOKED_ON["json"], "json", "application/json", texts.as_json),
    )
}


def file_name(found: Gathered, form: Format) -> str:
    """What a file is called: report, days and number; of the CSV for programs the data hash too,
    which it says nowhere else.
    """
    query = found.query
    days = [str(query.first)] if query.first == query.last else [str(query.first), str(query.last)]
    sha256 = [found.sha256] if form.code == "csv" else []
    return "_".join([found.kind.code, *days, found.number, *sha256]) + f".{form.ending}"
