"""What the rounds that were written add up to, in plain Python from stakes, lines and coins: never from the ledger."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests.scale.fill import Filled
from tests.scale.patterns import Pattern

Row = dict[str, Any]


@dataclass
class Facts:
    """What one round comes to, in minor units; `result` is the house's, `paid` what guests had at once, line by line."""

    source: str = ""  # how it was entered; empty where it has no result
    staked: int = 0
    result: int = 0
    prizes: int = 0
    by_meter: int = 0
    income: int = 0
    fed: int = 0
    taken_back: int = 0
    paid: list[int] = field(default_factory=list)
    changed: list[tuple[str, int, int | None]] = field(default_factory=list)  # what, struck, stands


@cache
def facts(pattern: Pattern) -> Facts:
    """What a round of this pattern comes to."""
    return _facts(pattern.rows)


def _facts(rows: dict[str, list[Row]]) -> Facts:
    found, (one,) = Facts(), rows["tables_round"]
    for coins in rows["jackpot_contribution"]:
        found.income += coins["house_minor"]
        if coins["reverses_id"] is None:
            found.fed += coins["meter_minor"]
        else:
            found.taken_back += coins["meter_minor"]
    for result in rows["tables_roundresult"]:
        if result["revision"] > 1:
            found.changed.append(
                ("corrected", to_guests(rows, result["revision"] - 1), to_guests(rows, result["revision"]))
            )
        if result["revision"] == one["revision"]:
            found.source = result["source"]
    if one["state"] in ("voided", "reopened"):
        found.changed.append((one["state"], -laid(rows), None))
    waits = {prize["place"] for prize in rows.get("jackpot_waitingprize", ())}
    _add_lines(found, [line for line in rows["tables_roundline"] if line["revision"] == one["revision"]], waits)
    return found


def _add_lines(found: Facts, lines: list[Row], waits: set[int]) -> None:
    for line in lines:
        if line["kind"] != "coin":
            found.staked += line["stake_minor"]
            found.result += line["stake_minor"] - line["returned_minor"] - line["won_minor"]
        if line["paid_by"] == "meter":
            found.by_meter += line["prize_minor"]
        else:
            found.prizes += line["prize_minor"]
        found.paid += (  # a prize that waited is paid by itself, by its slip
            [line["won_minor"], line["prize_minor"]]
            if line["place"] in waits
            else [line["won_minor"] + line["prize_minor"]]
        )


def laid(rows: dict[str, list[Row]]) -> int:
    """What guests gave at the lock, coins too."""
    return sum(stake["accepted_minor"] for stake in rows["tables_roundstake"] if stake["revision"] == 0)


def to_guests(rows: dict[str, list[Row]], revision: int) -> int:
    """What a result gave to guests: what lay there and goes back, what was won, less what they added while it ran."""
    lines = [line for line in rows["tables_roundline"] if line["revision"] == revision]
    added = sum(stake["accepted_minor"] for stake in rows["tables_roundstake"] if stake["revision"] == revision)
    chips = sum(line["returned_minor"] + line["won_minor"] for line in lines if line["kind"] != "coin")
    return chips + sum(line["prize_minor"] for line in lines) - added


def by(filled: Filled, *, tables: bool = True) -> dict[Any, dict[str, int]]:
    """The sums of all rounds by gaming day and table."""
    sums: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one in filled.rounds:
        found, at = facts(one.pattern), sums[one.day, one.table] if tables else sums[one.day]
        if found.source:
            at["rounds"] += 1
            at[found.source] += 1
        for name in ("staked", "result", "prizes", "by_meter", "income", "fed", "taken_back"):
            at[name] += getattr(found, name)
    return sums
