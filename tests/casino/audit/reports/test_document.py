"""`docs/REPORTS.md` says what there is."""

import re
from pathlib import Path

from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.files.pdf import CELLS_MOST, ROWS_MOST
from casino.audit.reports.gather import DIRECT_ROWS, DIRECT_S
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.views import PAGE

TEXT = (Path(__file__).parents[4] / "docs" / "REPORTS.md").read_text()
CALLED = {"least": "amount", "by": "span"}
ORDER = ("table", "game", "croupier", "version", "person", "by", "least")


def test_every_report_stands_in_the_document_with_its_filters() -> None:
    rows = re.findall(r"^\| (.+?) \| `([a-z-]+)` \| .+? \| (.+?) \| (\d+) \|$", TEXT, re.M)
    told = [(title, code, taken, int(days)) for title, code, taken, days in rows]
    assert told == [
        (
            kind.title,
            kind.code,
            ", ".join(CALLED.get(one, one) for one in ORDER if one in kind.takes) or "–",
            kind.days_most,
        )
        for kind in KINDS.values()
    ]


def test_formats_and_limits_are_those_of_the_code() -> None:
    assert set(re.findall(r"^\| `([a-z]+)` \|", TEXT, re.M)) == set(FORMATS)
    assert f"more than {DIRECT_ROWS} lines or takes longer than {DIRECT_S:.0f} s" in TEXT
    assert f"at most {ROWS_MOST} lines (and {CELLS_MOST} cells" in TEXT
    assert f"{PAGE} lines a page" in TEXT
