"""What each table took on a gaming day: worked out from our own rounds, and read from the house's
report of results.
"""

import json
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from casino.simulate.clients import Client
from casino.simulate.tablet import SETTLED, Played

FIGURES = (
    *("rounds", "stakes", "result", "coin_income", "prizes"),
    *("drop", "rake", "time_charge", "tips"),
)
COUNTED_FIGURES = ("drop_counted", "counted", "difference")
SIDE = ("coin", "envy")  # kinds of lines that are no stake against the table
Place = tuple[str, str]  # a table's name, and its gaming day
Results = dict[Place, dict[str, int | None]]  # None is a dash: nobody entered any


def read(client: Client, days: Iterable[str]) -> Results:
    """What the house has recorded by table, of each of these gaming days. Raises Refused,
    Unreachable.
    """
    found: Results = {}
    for day in sorted(set(days)):
        found |= _rows(report_data(client, "results", on=day))
    return found


def read_today(client: Client) -> tuple[str, Results]:
    """The gaming day that it is, and what was recorded on it. Raises Refused, Unreachable."""
    report = report_data(client, "results")
    return report["query"]["from"], _rows(report)


def report_data(client: Client, kind: str, *, on: str = "", **query: str) -> Any:
    """A report of the house, as it is downloaded; `on`: a gaming day, "" is today. Raises Refused,
    Unreachable.
    """
    query |= ({"from": on, "to": on} if on else {}) | {"format": "json"}
    address = f"/audit/reports/{kind}/?{urllib.parse.urlencode(query)}"
    return json.loads(client.ask(address)[1])


def rows_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of a report by the codes of its columns."""
    names = [column["code"] for column in report["columns"]]
    return [dict(zip(names, values, strict=True)) for values in report["rows"]]


def _rows(report: Mapping[str, Any]) -> Results:
    return {
        (row["table"], row["day"]): {figure: row[figure] for figure in (*FIGURES, *COUNTED_FIGURES)}
        for row in rows_of(report)
    }


def since(
    before: Results, now: Results, place: Place, figures: Iterable[str] = FIGURES
) -> dict[str, int]:
    """What came to the figures of a table since `before`."""
    then, there = (rows.get(place, {}) for rows in (before, now))
    return {figure: (there.get(figure) or 0) - (then.get(figure) or 0) for figure in figures}


def ours(
    played: Iterable[Played], place_of: Callable[[int], Place], house_part: int
) -> dict[Place, dict[str, int]]:
    """The same from our rounds: chips are neither bought nor taken for rake or tips here, so no box
    has a drop.

    `house_part`: what the house keeps of a coin. `place_of`: name and gaming day of a table, by its
    number.
    """
    found: dict[Place, Counter[str]] = {}
    for one in played:
        sums = found.setdefault(place_of(one.table), Counter(dict.fromkeys(FIGURES, 0)))
        if one.state != SETTLED:
            continue
        sums["rounds"] += 1
        for (_box, kind), line in one.lines.items():
            sums["prizes"] -= line.prize  # each figure is told for the house
            if kind not in SIDE:
                sums["stakes"] += line.stake
                sums["result"] += line.stake - line.returned - line.won
            elif kind == "coin":
                sums["coin_income"] += house_part
    return {place: dict(sums) for place, sums in found.items()}


def by(
    group_of: Mapping[Place, str], sums: Mapping[Place, Mapping[str, int]]
) -> dict[str, dict[str, int]]:
    """The figures of several tables added up, by what `group_of` puts together."""
    found: dict[str, Counter[str]] = {}
    for place, figures in sums.items():
        together = found.setdefault(group_of[place], Counter(dict.fromkeys(FIGURES, 0)))
        together.update(figures)
    return {group: dict(figures) for group, figures in found.items()}


def with_hold(sums: Mapping[str, int]) -> dict[str, int | None]:
    """The figures, and the hold: the result in thousandths of the drop; None where no cash went
    into the box.
    """
    return {
        **sums,
        "hold_per_mille": sums["result"] * 1000 // sums["drop"] if sums["drop"] else None,
    }
