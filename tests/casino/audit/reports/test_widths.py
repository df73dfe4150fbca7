"""Columns on paper: no word over the edge of its column, ids in parts that people read, and no row torn apart."""

import io

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from casino.audit.reports.files import pdf
from casino.audit.reports.files.widths import BREAK, breaking, columns, whole, wide
from casino.audit.reports.gather import gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from tests.casino.audit.reports.asked import query
from tests.casino.audit.reports.evening import Evening
from tests.turns import each

TEXTS = st.text(st.sampled_from("aimW09.-' \u200b"), max_size=60)


def test_id_breaks_after_its_hyphens() -> None:
    told = breaking("by 3507757a-10a4-4e11-b1f0-97011bc5cb61")
    assert told.split(BREAK) == ["by 3507757a-", "10a4-", "4e11-", "b1f0-", "97011bc5cb61"]
    assert breaking("x" * 20) == BREAK.join(["x" * 8, "x" * 8, "x" * 4])
    assert breaking("Unterschrift") == "Unterschrift"


def test_who_says_more_gets_more_but_no_more_than_it_takes() -> None:
    moment, long = "23.11.2026 18:28:25", " ".join(["word"] * 40)
    rows = [[moment, long[:100], long], ["–", "", long]]
    first, second, third = columns(["At", "Text", "Text"], rows, 60.0)
    assert wide("23.11.2026") <= first <= wide(moment)
    assert third > second
    assert first + second + third == pytest.approx(60.0, abs=0.1)
    assert columns(["At", "Text"], [[moment, "word " * 12]] * 9, 44.0)[0] == pytest.approx(wide(moment), abs=3)


def test_room_goes_to_what_makes_rows_high() -> None:
    """A name in two lines beside a text in seven makes no row lower by being wider."""
    name, long = "A name of some length", " ".join(["word"] * 100)
    names, text = columns(["Name", "Text"], [[name, long]] * 20, 40.0)
    assert names == pytest.approx(wide("Name") * 1.08, abs=0.6)
    assert text == pytest.approx(40.0 - names, abs=0.1)


def test_word_that_has_room_is_not_torn() -> None:
    """A place to break is taken at the end of any line, though the word would stand whole in the next."""
    text = breaking("of the Auszahlungstabellenart")
    assert BREAK in text
    assert whole(text, wide("Auszahlungstabellenart")) == "of the Auszahlungstabellenart"
    assert whole(text, wide("Auszahlungstabellenart") - 0.1) == text


def test_room_that_is_left_goes_to_all() -> None:
    assert sum(columns(["A", "B"], [["a", "b"]], 100.0)) == pytest.approx(100.0)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=6))
def test_no_word_is_wider_than_its_column(rows: list[tuple[str, str, str]]) -> None:
    given_ = columns(["Head", "Signatures needed", "B"], rows, 70.0)
    words = [
        [word for text in texts for part in text.split(" ") for word in part.split(BREAK)]
        for texts in zip(*rows, strict=True)
    ]
    needed = [max(map(wide, said), default=0.0) for said in words] or [0.0] * 3
    # Where even the longest words have no room beside each other, they have it in the same measure, and no column has none.
    assert sum(needed) > 60 or all(room >= word for room, word in zip(given_, needed, strict=True))
    assert all(room > 0 for room in given_)


@each("language", ["de", "en", "fr", "it"])
@each("kind", sorted(KINDS))
def test_words_of_every_report_have_room_across_the_page(evening: Evening, kind: str, language: str) -> None:
    more = {"least": 0} if "least" in KINDS[kind].takes else {}
    with gathered(KINDS[kind], query(evening, kind, **more)) as found, translation.override(language):
        told = pdf._data(found, head_of(found, evening.house, "A. Auditor"))
    assert sum(one["width"] for one in told["columns"]) <= pdf.WIDTH + 1


def test_row_stands_on_one_page_and_the_head_on_each(evening: Evening) -> None:
    """Rows of three lines, many pages: the number that begins a row and the one that ends it are on the same page."""
    with gathered(KINDS["hits"], query(evening, "hits")) as found, translation.override("en"):
        told = pdf._data(found, head_of(found, evening.house, "A. Auditor"))
    count = len(told["columns"])
    text = " ".join(["word"] * 24)
    told["rows"] = [[f"x{number}x", *[text] * (count - 2), f"y{number}y {text} z{number}z"] for number in range(60)]
    told["whole"], told["struck"] = [True] * 60, [False] * 60
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(pdf.typeset(told, "pdf"))).pages]
    assert len(pages) > 2
    for number in range(60):
        on = [place for place, page in enumerate(pages) for sign in "xyz" if f"{sign}{number}{sign}" in page]
        assert len(set(on)) == 1, (number, on)
    assert all("Jackpot" in page for page in pages)
