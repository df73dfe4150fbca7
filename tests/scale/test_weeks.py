"""Five weeks of forty tables, a hundred thousand stakes, written by COPY: everything verifies, and each report says what was
written, added up in plain Python."""

from collections import Counter, defaultdict
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from casino.audit.reports import filters
from casino.audit.reports.gather import gathered
from casino.audit.reports.kinds import KINDS
from casino.ops.verify import verify_all
from payouts.models import PostedTable
from tests.scale.conftest import STAKES
from tests.scale.figures import by, facts
from tests.scale.fill import Filled
from tests.scale.house import PRIZE

Line = dict[str, Any]
pytestmark = pytest.mark.timeout(600)  # the house is made by the first test


def lines(weeks: Filled, kind: str, *, first: int = 1, last: int | None = None, **asked: object) -> list[Line]:
    """The rows of a report over some of the filled days, by column."""
    begun = weeks.sessions[0].day
    days = {
        "from": begun + timedelta(days=first - 1),
        "to": begun + timedelta(days=(weeks.plan.days if last is None else last) - 1),
    }
    given = {name: str(value) for name, value in (days | asked).items()}
    query = filters.query_of(KINDS[kind], weeks.house.house, given, begun)
    with gathered(KINDS[kind], query, direct=False) as found:
        codes = [column.code for column in KINDS[kind].columns]
        return [dict(zip(codes, row, strict=True)) for row in found.rows()]


def test_everything_verifies(weeks: Filled, keys: Path) -> None:
    found = verify_all(keys=keys, heads=None, processes=2, progress=lambda done, jobs: None)
    assert {check.name: check.breaches[:3] for check in found if check.count} == {}
    looked = {check.name: check.looked_at for check in found}
    assert weeks.stakes > 0.9 * STAKES
    assert (looked["rows_are_as_they_were_sealed"] or 0) > 3 * weeks.stakes


def name_of(weeks: Filled, place: int) -> str:
    return weeks.house.halls[place].name


def expected(weeks: Filled, place: int, sums: dict[str, int], sessions: int) -> Line:
    entered = bool(sums["cards"] + sums["taps"]) or not sums["coins"]
    told = {"table": name_of(weeks, place)} | {name: sums[name] for name in ("rounds", "cards", "taps", "coins")}
    told |= {"stakes": sums["staked"] if entered else None, "result": sums["result"] if entered else None}
    return told | {
        "coin_income": sums["income"],
        "prizes": -sums["prizes"],
        "drop": 120_000 * sessions,
        "tips": 1_500 * sessions,
    }


@pytest.mark.parametrize("span", ["day", "month"])
def test_results(weeks: Filled, span: str) -> None:
    sums: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    sessions: Counter[Any] = Counter()
    for (day, place), found in by(weeks).items():
        at = day if span == "day" else day.replace(day=1)
        sessions[at, place] += 1
        for name, amount in found.items():
            sums[at, place][name] += amount
    said = {(line["day"], line["table"]): line for line in lines(weeks, "results", by=span)}
    assert len(said) == len(sums)
    for (day, place), found in sums.items():
        line = said[day.isoformat(), name_of(weeks, place)]
        wanted = expected(weeks, place, found, sessions[day, place])
        assert {name: line[name] for name in wanted} == wanted


def test_results_by_hour_of_one_table(weeks: Filled) -> None:
    """A round, with what was corrected of it later, belongs to the hour in which it was locked."""
    zone, day = ZoneInfo(weeks.house.house.time_zone), weeks.sessions[0].day
    sums: dict[int, int] = defaultdict(int)
    for one in weeks.rounds:
        if (one.day, one.table) == (day, 1):
            sums[one.at.astimezone(zone).hour] += facts(one.pattern).result
    said = lines(weeks, "results", last=1, by="hour", table=weeks.house.halls[1].pk)
    assert {line["hour"]: line["result"] for line in said if line["rounds"]} == dict(sums)


def test_statement_of_the_epoch(weeks: Filled) -> None:
    """Start + contributions ± corrections − prizes = shown: the difference is nothing (PRG-3, PRG-11)."""
    said = [line for line in lines(weeks, "jackpot-statement") if line["epoch"] == 2]
    told = {(line["day"], line["table"]): line for line in said if line["line"] == "day" and line["table"]}
    for (day, place), found in by(weeks).items():
        line = told.get((day.isoformat(), name_of(weeks, place)))
        wanted = (found["fed"], found["taken_back"], -found["by_meter"])
        assert wanted == ((line["contributions"], line["corrections"], line["prizes"]) if line else (0, 0, 0))
    (whole,) = [line for line in said if line["line"] == "epoch"]
    assert whole["difference"] == 0
    assert whole["contributions"] > sum(found["fed"] for found in by(weeks).values()) > 0  # the evening's, too
    assert whole["should"] == whole["shown"] + whole["above"]


def test_payouts_from_an_amount_on(weeks: Filled) -> None:
    paid = Counter(
        (one.day.isoformat(), name_of(weeks, one.table), amount)
        for one in weeks.rounds
        for amount in (facts(one.pattern).paid if facts(one.pattern).source else ())
        if amount >= 10_000
    )
    told = lines(weeks, "payouts", least=100)
    said = [line for line in told if line["state"] not in ("struck", "cancelled")]
    assert len(told) > len(said)  # what corrections took back stands beside them, struck
    assert Counter((line["day"], line["table"], line["amount"]) for line in said) == paid
    assert len(said) > 100


def test_corrections_voids_and_reopenings(weeks: Filled) -> None:
    changed = Counter(
        (one.day.isoformat(), name_of(weeks, one.table), *what)
        for one in weeks.rounds
        for what in facts(one.pattern).changed
    )
    said = lines(weeks, "corrections")
    assert (
        Counter((line["day"], line["table"], line["what"], line["struck"], line["stands"]) for line in said) == changed
    )
    assert {what for _, _, what, _, _ in changed} == {"corrected", "voided", "reopened"}


def test_approvals_of_corrections_and_prizes(weeks: Filled) -> None:
    asked = Counter(
        name_of(weeks, one.table) if kind == "round" else ""
        for one in weeks.rounds
        for _, _, kind, *_ in one.pattern.approvals
    )
    said = lines(weeks, "approvals")
    assert Counter(line["table"] for line in said) == asked
    kinds = {(line["action"], line["state"], line["given"]) for line in said}
    assert kinds == {("round.correct", "used", 1), ("jackpot.prize", "used", 1), ("jackpot.reject", "used", 1)}


def test_slips_of_prizes_are_in_a_row(weeks: Filled) -> None:
    """Each is of a round of its day and table, paid at once, and no number is missing (PRG-12)."""
    paid = [one for one in weeks.rounds if one.pattern.what == PRIZE]
    said = lines(weeks, "slips")
    assert len(paid) >= 2 * weeks.plan.days
    first = int(said[0]["number"])
    assert [line["number"] for line in said] == [str(first + place) for place in range(len(paid))]
    assert [line["table"] for line in said] == [name_of(weeks, one.table) for one in paid]
    assert {(line["state"], line["kind"], line["amount"], line["late"]) for line in said} == {
        ("paid", "prize", 50_000, 0)
    }
    assert lines(weeks, "slips", first=0, last=0)  # the evening's


@pytest.mark.parametrize("kind", ["access", "looks"])
def test_acts_of_people_stand_on_their_days(weeks: Filled, kind: str) -> None:
    looks = kind == "looks"
    for number in (1, 17, 35):
        day = weeks.sessions[0].day + timedelta(days=number - 1)
        acts = Counter(what for at, what in weeks.acts if at == day and looks == what.startswith(("report", "audit")))
        assert Counter(line["what"] for line in lines(weeks, kind, first=number, last=number)) == acts
        assert len(acts) > 2
    assert lines(weeks, kind, first=0, last=0)  # the evening's


def test_protocol_of_each_day(weeks: Filled) -> None:
    said = [
        line
        for first in (1, 31)
        for line in lines(weeks, "day-protocol", first=first, last=min(first + 29, weeks.plan.days))
    ]
    told = {(line["day"], line["table"]): line["amount"] for line in said if line["what"] == "session.result"}
    assert told == {
        (day.isoformat(), name_of(weeks, place)): found["result"] for (day, place), found in by(weeks).items()
    }
    counted = Counter(line["what"] for line in said)
    sessions = len(weeks.sessions)
    for what in ("table.opened", "table.handed_over", "table.closed", "buy_in", "tip"):
        assert counted[what] == sessions, what
    assert counted["round.corrected"] == sum(len(facts(one.pattern).changed) for one in weeks.rounds
                                             if facts(one.pattern).source)  # fmt: skip


def test_a_hit_of_each_day_is_rejected_and_the_tables_open_again(weeks: Filled) -> None:
    for number in (1, 18, 35):
        said = lines(weeks, "hits", first=number, last=number)
        assert len({line["hit"] for line in said}) == 1
        whats = Counter(line["what"] for line in said)
        assert whats["display"] == 2
        once = ("begun", "listed", "claim", "decided", "drained", "asked", "signed", "hit_rejected", "gate")
        assert {what: whats[what] for what in once} == dict.fromkeys(once, 1)
    said = lines(weeks, "hits", last=31)
    numbers = sorted({line["hit"] for line in said})
    assert numbers == list(range(numbers[0], numbers[0] + 31))
    shown = [line["amount"] for line in said if line["what"] == "begun"]
    assert shown == sorted(shown)  # it was never paid, so it grows up to its cap
    assert shown[0] < shown[-1]
    assert [line["amount"] for line in said if line["what"] == "gate"] == shown
    assert lines(weeks, "hits", first=0, last=0)  # the evening's


def test_parameters_are_those_in_force(weeks: Filled) -> None:
    said = lines(weeks, "parameters")
    posted = {(one.kind, one.name, one.version) for one in PostedTable.objects.filter(state="approved")}
    assert {(line["kind"], line["name"], line["version"]) for line in said} == posted


def test_every_report_is_of_this_database(weeks: Filled) -> None:
    """All eleven reports are asked above."""
    assert connection.settings_dict["NAME"].startswith("weeks")
    asked = {"results", "jackpot-statement", "payouts", "corrections", "approvals", "day-protocol", "parameters"}
    assert asked | {"hits", "slips", "access", "looks"} == set(KINDS)
