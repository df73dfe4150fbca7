"""A report as PDF, set by typst from data that is never markup: a head, at most 2000 rows, 5000
cells, and so many letters, the totals of all.
"""

from itertools import islice
from typing import IO, Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from casino.audit.reports.files.cells import cell_text, cut
from casino.audit.reports.files.typesetting import compiled, spelt, spelt_data
from casino.audit.reports.files.widths import breaking, whole
from casino.audit.reports.files.widths import columns as place
from casino.audit.reports.gather import Gathered
from casino.audit.reports.head import Head
from casino.audit.reports.shape import NUMBERS, Cell, Column
from casino.text.floor import colon

ROWS_MOST = 2000  # what follows is read in XLSX or CSV: nobody turns more pages than these
CELLS_MOST = 5000  # the compiler holds 25 kB for a cell of a table until the last page is set
CELL_MOST = 2000  # letters of a cell: a page of them in its column
LETTERS_MOST = 400_000  # the compiler sets some 300 000 a second, and serves nobody else meanwhile
WIDTH = 768.0  # points across the page between its margins
SIZES = (
    (14, 7.0, 1.0),
    (12, 7.0, 1.6),
    (9, 7.2, 3.0),
    (0, 8.5, 3.0),
)  # of more columns than these: size of letters, room beside each cell
WHOLE_MOST = 500  # letters of a cell whose line stands on one page


def as_pdf(found: Gathered, head: Head, out: IO[bytes]) -> None:
    """The report as PDF 1.7."""
    out.write(typeset(_data(found, head), "pdf"))


def as_pictures(found: Gathered, head: Head) -> list[bytes]:
    """Its pages as PNG, for who looks at them."""
    pages = typeset(_data(found, head), "png")
    return pages if isinstance(pages, list) else [pages]


def typeset(data: dict[str, Any], form: str) -> Any:
    """What `report.typ` makes of the data: bytes of a PDF, or of each page as PNG. From any
    thread."""
    return compiled("report.typ", form, data=spelt_data(data))


def _data(found: Gathered, head: Head) -> dict[str, Any]:
    columns = found.kind.columns
    exact = [fact for fact in head.facts if fact.exact]
    told = [fact for fact in head.facts if not fact.exact]
    rows = _rows(found, head)
    totals = [_("Total"), *head.totals[1:]] if found.totals and found.count else []
    titles = [_(one.title) for one in columns]
    size, inset = next((size, inset) for most, size, inset in SIZES if len(columns) > most)
    widths = place(
        titles, [*rows, totals] if totals else rows, WIDTH / size - 2 * inset / size * len(columns)
    )
    rows = [[whole(text, room) for text, room in zip(row, widths, strict=True)] for row in rows]
    return {
        "language": get_language() or "en",
        "house": head.house.name,
        "title": head.title,
        "number": f"{_('Report no.')} {head.number}",
        "about": head.about,
        "note": head.note,
        "by": head.house.name,
        "days": next(fact.text for fact in told if fact.label == _("Gaming days")),
        "facts": [[fact.label, fact.text] for fact in told],
        "answer": head.answer,
        "summary": head.summary,
        "checks": [
            {**check._asdict(), "said": colon(check.label, check.word)} for check in head.checks
        ],
        "limits": head.limits,
        "hash_label": exact[0].label,
        "hash": exact[0].text,
        "seal_label": exact[1].label,
        "seal": exact[1].text,
        "page": _("Page"),
        "nothing": _("Nothing to report"),
        "size": size,
        "inset": inset,
        "columns": [
            {
                "title": title,
                "figure": one.type in NUMBERS,
                "amount": one.type == "money",
                "width": width * size + 2 * inset,
            }
            for one, title, width in zip(columns, titles, widths, strict=True)
        ],
        "rows": rows,
        "struck": [found.kind.struck(row) for row in islice(found.rows(), len(rows))],
        "whole": [max(map(len, row)) <= WHOLE_MOST for row in rows],
        "totals": totals,
        "rest": _rest(found, len(rows)),
    }


def _rows(found: Gathered, head: Head) -> list[list[str]]:
    """The first rows, as many as a PDF of this report holds."""
    rows: list[list[str]] = []
    letters = 0
    for row in islice(found.rows(), CELLS_MOST // len(found.kind.columns)):
        cells = [
            _cell(column, value, found, head)
            for column, value in zip(found.kind.columns, row, strict=True)
        ]
        letters += sum(map(len, cells))
        if len(rows) == ROWS_MOST or letters > LETTERS_MOST:
            break
        rows.append(cells)
    return rows


def _cell(column: Column, value: Cell, found: Gathered, head: Head) -> str:
    text = cell_text(column, value, head.house, found.names)
    return text if column.type in NUMBERS else breaking(spelt(cut(text, CELL_MOST)))


def _rest(found: Gathered, lines: int) -> str:
    if found.count <= lines:
        return ""
    data = {"shown": lines, "all": found.count}
    if not found.totals:
        return _("The first %(shown)s of %(all)s lines. The others stand in XLSX and CSV.") % data
    return (
        _(
            "The first %(shown)s of %(all)s lines; the totals are of all. The others stand in XLSX"
            " and CSV."
        )
        % data
    )
