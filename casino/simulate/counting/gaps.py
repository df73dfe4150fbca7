"""Differences in the end: the house's report of them beside our books, and their explanations by
the people who may.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from casino.simulate.books import results
from casino.simulate.books.chips import TrayBook
from casino.simulate.books.compare import Books
from casino.simulate.books.results import COUNTED_FIGURES, Place, Results, report_data, rows_of
from casino.simulate.cards import luck
from casino.simulate.clients import Client
from casino.simulate.counting import amiss
from casino.simulate.counting.boxes import send
from casino.simulate.counting.trays import Tray
from casino.simulate.people import SECOND, Person

Row = Mapping[str, Any]
TRAY, DROP = "tray", "drop"
OPEN, SETTLED = "open", "settled"
TODAY = ""  # a gaming day
ID = re.compile(r"[0-9a-f-]{36}")
FIGURES = ("table", "place", "purpose", "counted", "left", "state")
UNKNOWN = "unknown"
CLASSES = {  # of mistakes that leave a difference, and what is written about each
    amiss.MISSED: ("buy_in", "Ein Eintausch wurde nicht eingegeben"),
    amiss.ENTRY: ("entry", "Ein Ergebnis wurde anders eingegeben als bezahlt"),
    amiss.MISCOUNTED: ("count", "Eine der beiden Zählungen war falsch"),
    amiss.FELL: (UNKNOWN, "Zwischen Schluss- und Anfangsbestand fehlt etwas"),
    amiss.THEFT: ("theft", "Auf der Aufnahme verschwindet ein Jeton"),
}
OTHERWISE = (UNKNOWN, "Niemand weiss, woher es kommt")


class Gap(NamedTuple):
    """A difference as our books expect it in the report, in minor units; `amiss`: why."""

    table: str
    place: str
    purpose: str
    counted: int
    left: int
    state: str
    amiss: tuple[str, ...]

    @property
    def figures(self) -> tuple[Any, ...]:
        """What is compared, as `FIGURES`."""
        return self[:-1]


def gaps_of(tray: Tray) -> list[Gap]:
    """Those of one table that the house wants explained."""
    book = tray.book
    least = int(tray.rules["explain_from_minor"])
    gaps = [
        Gap(
            table=tray.name,
            place=TRAY,
            purpose=count.purpose,
            counted=count.difference,
            left=book.left(count),
            state=OPEN if abs(book.left(count)) >= least else SETTLED,
            amiss=count.amiss,
        )
        for count in book.counts
    ]
    drop = book.cash - book.sold
    gaps.append(Gap(tray.name, DROP, DROP, drop, drop, state=OPEN, amiss=(amiss.MISSED,)))
    return [gap for gap in gaps if max(abs(gap.counted), abs(gap.left)) >= least]


def gap_rows(client: Client, days: Iterable[str]) -> list[Row]:
    """The report of differences, of these gaming days. Raises Refused, Unreachable."""
    reports = [report_data(client, "differences", on=day) for day in sorted(set(days))]
    return [row for report in reports for row in rows_of(report)]


def compare_counts(tray: Tray, books: Books) -> None:
    """Each signed count of a table."""
    for row, count in zip(tray.rows, tray.book.counts, strict=True):
        what = f"{tray.name}, {count.purpose}"
        signed = row["signed"] or {}
        books.same(f"{what}: entries", len(row["entries"]), tray.expected(count))
        books.same(f"{what}: counted", row["entries"][-1]["value_minor"], count.value)
        if count.first is not None:
            books.same(f"{what}: first", row["entries"][0]["value_minor"], count.first)
        books.same(f"{what}: recorded", signed.get("recorded_minor"), count.recorded)
        books.same(f"{what}: difference", signed.get("difference_minor"), count.difference)


def compare_results(
    place: Place, book: TrayBook, before: Results, books: Books, now: Results
) -> None:
    """What the report of results says was counted since `before`: as it stood when no table was
    open. A dash is compared with nothing: something of the day was never counted.
    """
    ours = {
        "drop_counted": book.cash,
        "counted": book.result,
        "difference": book.differences,
    }
    name, day = place
    since = results.since(before, now, place, COUNTED_FIGURES)
    for figure, minor in ours.items():
        rows = [row for row in (before.get(place), now.get(place)) if row]
        if all(row[figure] is not None for row in rows):
            books.same(f"{name} on {day}: {figure}", since[figure], minor)
    books.counted[f"{name}, {day}"] = ours


def compare_gaps(trays: Iterable[Tray], rows: Iterable[Row], books: Books) -> None:
    """The report of differences beside ours."""
    reported = [tuple(row[figure] for figure in FIGURES) for row in rows]
    ours = [gap.figures for tray in trays for gap in gaps_of(tray)]
    books.same("the report of differences", sorted(reported), sorted(ours))


def explanation(row: Row, trays: Iterable[Tray]) -> tuple[str, str]:
    """Class and words for a difference, by what we know was done amiss."""
    figures = tuple(row[figure] for figure in FIGURES)
    for tray in trays:
        for gap in gaps_of(tray):
            known = [CLASSES[kind] for kind in gap.amiss if kind in CLASSES]
            if gap.figures == figures and known:
                return known[0]
    return OTHERWISE


def explain_all(rows: Iterable[Row], trays: Sequence[Tray], manager: Person) -> None:
    """Each of these that is open: by a manager, and by a pit boss who counts nothing. Raises
    NoEntry, Refused, Unreachable.
    """
    client = manager.client
    second = Person(client.address, SECOND, client.tally, luck("answers", SECOND)).sign_in()
    try:
        for row in rows:
            code, words = explanation(row, trays)
            explain(row, code, words, manager, second)
    finally:
        second.sign_out()
        second.client.close()


def explain(row: Row, code: str, words: str, manager: Person, second: Person) -> None:
    """A manager writes why; from the house's limit on a pit boss signs who was not there. Raises
    Refused, Unreachable.
    """
    where = f"/cage/differences/{row['difference_id']}/"
    manager.client.ask(where)
    leads_to = send(manager.client, f"{where}explain/", code=code, words=words)
    requests = [known for known in ID.findall(leads_to) if known != row["difference_id"]]
    if requests:
        second.sign(second.client.get(f"approvals/{requests[-1]}/"))


def robbed(rows: Iterable[Row]) -> list[Row]:
    """By the report alone: where a tray lacks as much as a stolen chip is worth."""
    return [row for row in rows if (row["place"], row["left"]) == (TRAY, -amiss.STOLEN_MINOR)]


def span_of(row: Row) -> tuple[datetime, datetime]:
    """Between which two counts."""
    return datetime.fromisoformat(row["since"]), datetime.fromisoformat(row["until"])
