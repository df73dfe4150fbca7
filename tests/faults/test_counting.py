"""What a campaign says of its counts: each once, as it was signed, its difference posted once."""

from types import SimpleNamespace
from typing import Any

from casino.simulate.books.chips import CLOSER, OPENER, TrayBook, TrayMoves
from tests.faults.counting import counted_amiss

SIGNED = {"one": (50_000, 0, 0), "two": (48_000, -2_000, 1)}


def tray() -> Any:
    """The opener as the books have it, and a closer that lacks 20.00."""
    book = TrayBook(TrayMoves)
    book.begin(50_000)
    book.count("one", OPENER, 50_000)
    book.count("two", CLOSER, 48_000)
    return SimpleNamespace(book=book, row={"id": "table"})


def amiss(**signed: tuple[int, int, int]) -> list[str]:
    return counted_amiss([tray()], lambda _query, tables: [(known, *row) for known, row in signed.items()])


def test_each_count_is_there_once_and_its_difference_posted_once() -> None:
    assert amiss(**SIGNED) == []
    named = {
        "lost": amiss(one=SIGNED["one"]),
        "one more": amiss(**SIGNED, three=(0, 0, 0)),
        "another value": amiss(one=SIGNED["one"], two=(49_000, -1_000, 1)),
        "posted twice": amiss(one=SIGNED["one"], two=(48_000, -2_000, 2)),
        "posted for nothing": amiss(one=(50_000, 0, 1), two=SIGNED["two"]),
    }
    assert named == {
        "lost": ["count two: ours alone"],
        "one more": ["count three: theirs alone"],
        "another value": ["count two: (49000, -1000, 1) in place of 48000"],
        "posted twice": ["count two: (48000, -2000, 2) in place of 48000"],
        "posted for nothing": ["count one: (50000, 0, 1) in place of 50000"],
    }
