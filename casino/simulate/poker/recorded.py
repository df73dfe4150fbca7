"""What the house has recorded of a table of poker, read from its reports."""

from collections import Counter
from typing import Any, NamedTuple

from casino.simulate.books import results
from casino.simulate.books.poker import RAKED, Recorded
from casino.simulate.clients import Client

CLEARED, EMPTIED = "table_emptied", "table.emptied"  # of the protocol: money, and the pit's notice


class ReportsNow(NamedTuple):
    """A table's reports of a gaming day as they stand. `cleared` in minor units."""

    results: results.Results
    rake: Counter[str]
    less: Counter[int]
    cleared: list[int]
    emptied: int


def read(client: Client, table: dict[str, Any], day: str) -> ReportsNow:
    """Raises Refused, Unreachable."""
    hours = [
        line
        for line in results.rows_of(results.report_data(client, "rake", on=day, table=table["id"]))
        if line["line"] == "hour"
    ]
    protocol = results.report_data(client, "day-protocol", on=day, table=table["id"])
    lines = results.rows_of(protocol)
    numbers = ", ".join(line["less"] for line in hours if line["less"])
    return ReportsNow(
        results=results.read(client, {day}),
        rake=Counter({name: sum(line[name] or 0 for line in hours) for name in RAKED}),
        less=Counter(int(number) for number in numbers.split(", ") if number),
        cleared=[line["amount"] for line in lines if line["what"] == CLEARED],
        emptied=sum(line["what"] == EMPTIED for line in lines),
    )


def since(before: ReportsNow, now: ReportsNow, place: results.Place) -> Recorded:
    """What came to a table's figures."""
    return Recorded(
        results=results.since(before.results, now.results, place),
        rake={name: now.rake[name] - before.rake[name] for name in RAKED},
        less=list((now.less - before.less).elements()),
        cleared=now.cleared[len(before.cleared) :],
        emptied=now.emptied - before.emptied,
    )
