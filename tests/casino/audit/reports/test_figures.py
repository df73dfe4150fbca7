"""What the figures of reports mean: sums that must meet, and what stands where nobody knows. Whole rows: `test_rows`."""
# ruff: noqa: N802 - tests are named after the rules

import io
from collections import defaultdict
from datetime import timedelta
from itertools import accumulate
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from casino.audit.reports import filters
from casino.audit.reports.files import pdf
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.gather import gather, gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from jackpot.models import (
    Award,
    Contribution,
    Epoch,
    ListedRound,
    Slip,
    Split,
)
from jackpot.selectors.jackpots import meter_read
from payouts.models import Account, PostedTable
from tables.models import Round, RoundResult, Table, TableSession
from tests.casino.audit.reports.asked import lines, query
from tests.casino.audit.reports.evening import Evening, PokerEvening
from tests.floor import Floor
from tests.tables.test_hand_overrides import paid, pushed
from tests.tables.test_pots import Potted
from tests.turns import each
from tests.worlds import world


def tables() -> dict[object, str]:
    return {None: ""} | {one.pk: one.name for one in Table.objects.all()}


# The jackpot
def test_statement_start_contributions_corrections_awards_are_what_is_shown(evening: Evening) -> None:
    """From contributions, splits and awards instead of the ledger (PRG-3, PRG-10, PRG-11)."""
    said = lines(evening, "jackpot-statement")
    whole = {line["epoch"]: line for line in said if line["line"] == "epoch"}
    first, second = Epoch.objects.order_by("number")
    assert list(whole) == [1, 2]
    for epoch in (first, second):
        line = whole[epoch.number]
        fed = list(Contribution.objects.filter(epoch=epoch))
        assert line["start"] == epoch.seed_minor + epoch.remainder_minor
        assert line["contributions"] == sum(one.meter_minor for one in fed if one.reverses_id is None)
        back = sum(one.meter_minor for one in fed if one.reverses_id is not None)
        cancelled = sum(
            slip.award.amount_minor
            for slip in Slip.objects.filter(state="cancelled", award__kind="share").select_related("award")
        )
        assert line["corrections"] == back + (cancelled - 1_000 if epoch == second else 0)
        assert line["difference"] == 0
        assert (
            line["should"]
            == line["start"] + line["contributions"] + line["corrections"] + line["prizes"] + line["swept"]
        )
    won = Split.objects.filter(hit__state="paid").order_by("-revision").first()
    assert (whole[1]["should"], whole[1]["shown"], whole[1]["swept"]) == (0, 0, -won.sum_minor)
    awarded = sum(one.amount_minor for one in Award.objects.filter(kind="share"))
    assert (whole[1]["awards"], whole[1]["carried"]) == (awarded, won.sum_minor - awarded)
    assert whole[2]["shown"] + whole[2]["above"] == meter_read(jackpot_id=evening.jackpot.pk).sum_minor
    days = {number: [one for one in said if one["epoch"] == number and one["line"] == "day"] for number in (1, 2)}
    for epoch in (first, second):  # the level rises line by line to what the ledger holds, or what was handed out
        levels = [line["level"] for line in days[epoch.number]]
        steps = [line["should"] - line["swept"] for line in days[epoch.number]]
        assert levels == list(accumulate(steps))
        assert levels[-1] == whole[epoch.number]["level"]
        fed = Contribution.objects.filter(epoch=epoch)
        assert whole[epoch.number]["reserve"] == sum(one.reserve_minor for one in fed) > 0
        shares = Account.objects.filter(kind="reserve_share", detail_id=epoch.pk)
        if epoch == second:
            assert whole[2]["level"] == meter_read(jackpot_id=evening.jackpot.pk).sum_minor
            assert whole[2]["reserve"] == -sum(one.balance_minor for one in shares)
        else:
            assert whole[1]["level"] == won.sum_minor
            assert {one.balance_minor for one in shares} == {0}
    fed_by: dict[tuple[int, str], int] = defaultdict(int)
    for one in Contribution.objects.select_related("epoch"):
        fed_by[one.epoch.number, tables()[one.table_id]] += one.meter_minor
    told = {
        (line["epoch"], line["table"]): line["contributions"] + line["corrections"]
        for line in said
        if line["line"] == "day" and line["table"]
    }
    assert told == dict(fed_by)


def test_statement_covers_the_rounds_of_the_epochs_that_it_tells(evening: Evening) -> None:
    """Of a day on which nothing was played it tells the epoch that still runs, whole: so its coverage is of all of that."""
    tomorrow = str(evening.day + timedelta(days=1))
    table = str(evening.tables[0].pk)
    for days, epochs in (({}, [1, 2]), ({"from": tomorrow, "to": tomorrow}, [2])):
        rounds = Round.objects.filter(epoch__number__in=epochs, state__in=["settled", "locked"])
        sources: dict[str, int] = defaultdict(int)
        for one in rounds:
            for result in RoundResult.objects.filter(round=one, revision=one.revision):
                sources[result.source] += 1
        for more in ({}, {"table": table}):
            with gathered(KINDS["jackpot-statement"], query(evening, "jackpot-statement", **days, **more)) as found:
                told = [line for line in found.rows() if line[2] == "epoch"]
            assert [line[1] for line in told] == epochs
            assert found.coverage is not None
            assert (found.coverage.cards, found.coverage.taps) == (sources["cards"], sources["taps"])
            assert (found.coverage.running, found.coverage.rounds) == (
                rounds.filter(state="locked").count(),
                len(rounds),
            )


def test_statement_of_one_table_sums_nothing_up_that_is_of_all(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its epochs stay told for all tables, and it says so; its own lines are of the table alone."""
    monkeypatch.setattr(pdf, "ROWS_MOST", 2)
    table = evening.tables[0]
    for asked, summed in (({}, True), ({"table": table.pk}, False)):
        found = gather(KINDS["jackpot-statement"], query(evening, "jackpot-statement", **asked))
        with translation.override("en"):
            head = head_of(found, evening.house, "")
        (covered,) = [fact.text for fact in head.facts if fact.label == "Coverage"]
        assert "every round of the epochs that are told, on all tables" in covered
        with translation.override("en"):
            assert ("the totals are of all" in pdf._rest(found, 2)) is summed
        assert bool(found.totals) is any(head.totals) is summed
        assert ("are of all tables, whichever was asked for" in head.note) is not summed
        for form in FORMATS.values():
            with translation.override("en"):
                form.write(found, head, out := io.BytesIO())
            if form.code == "excel":
                assert ('\r\n"Total";' in out.getvalue().decode()) is summed
        found.close()
    assert {line["table"] for line in lines(evening, "jackpot-statement", table=table.pk)} == {"", table.name}


def test_hit_file_of_one_table_or_croupier_says_that_its_hits_are_whole(evening: Evening) -> None:
    whole = "Each is told whole, with the rounds of all tables: a split only adds up whole."
    table, croupier = evening.tables[1].pk, evening.croupiers[1].pk
    told = {}
    for asked in ({}, {"table": table}, {"croupier": croupier}):
        with gathered(KINDS["hits"], query(evening, "hits", **asked)) as found, translation.override("en"):
            told[tuple(asked)] = whole in head_of(found, evening.house, "").note
    assert told == {(): False, ("table",): True, ("croupier",): True}
    (hit,) = {line["hit"] for line in lines(evening, "hits", table=table)}  # at another one its round merely ran
    assert {line["table"] for line in lines(evening, "hits", table=table)} == {
        "",
        *(one.name for one in evening.tables),
    }
    shares = {line["round_id"] for line in lines(evening, "hits", table=table) if line["what"] == "share"}
    assert len(shares) == 2
    assert hit == 1


@each("kind", KINDS)
def test_every_report_says_what_it_covers(evening: Evening, kind: str) -> None:
    """Of rounds how they were entered, of a hit file those of its lists, of all else how many records there are."""
    with gathered(KINDS[kind], query(evening, kind)) as found, translation.override("en"):
        (covered,) = [fact.text for fact in head_of(found, evening.house, "").facts if fact.label == "Coverage"]
    if not KINDS[kind].rounds:
        assert covered == f"every record of these days in the books, by these filters: {found.count}"
        return
    listed = set(ListedRound.objects.values_list("round_id", flat=True))
    sources: dict[str, int] = defaultdict(int)
    for one in Round.objects.filter(state__in=["settled", "locked"]):
        if kind != "hits" or one.pk in listed:
            last = [result.source for result in RoundResult.objects.filter(round=one, revision=one.revision)]
            sources[last[0] if last else "running"] += 1
    figures = [
        f"{sources['cards']} rounds from cards",
        f"{sources['taps']} from taps",
        f"{sources['coins']} coins only",
    ]
    assert covered.startswith(", ".join(figures) + f"; {sources['running']} still running")
    assert covered.endswith("every round on the lists of the hits that are told") is (kind == "hits")


# Results
def test_hours_and_months_add_up_to_days_and_the_hour_is_that_of_the_lock(evening: Evening) -> None:
    days, hours, months = (lines(evening, "results", by=by) for by in ("day", "hour", "month"))
    for name in ("rounds", "stakes", "result", "coin_income", "prizes", "drop", "tips"):
        sums = {sum(line[name] for line in one) for one in (days, hours, months)}
        assert len(sums) == 1, name
    assert {line["day"] for line in months} == {evening.day.replace(day=1).isoformat()}
    zone = ZoneInfo(evening.house.time_zone)
    locked = {one.locked_at.astimezone(zone).hour for one in Round.objects.filter(state="settled")}
    assert {line["hour"] for line in hours if line["rounds"]} == locked


def test_results_of_one_croupier_and_of_one_version(evening: Evening) -> None:
    croupier = evening.croupiers[1]
    said = lines(evening, "results", croupier=croupier.pk)
    settled = Round.objects.filter(croupier=croupier, state="settled")
    assert [(line["table"], line["rounds"]) for line in said] == [("UTH 2", settled.count())]
    rules = PostedTable.objects.get(kind="uth_rules")
    under = [one for one in Round.objects.filter(state="settled") if str(rules.pk) in one.versions.values()]
    assert sum(line["rounds"] for line in lines(evening, "results", version=rules.pk)) == len(under) > 0
    in_use = {version for session in TableSession.objects.all() for version in session.versions.values()}
    in_use |= {version for settled in under for version in settled.versions.values()}
    unused = PostedTable.objects.exclude(pk__in=in_use).earliest("kind", "name", "version")
    assert lines(evening, "results", version=unused.pk) == []


# Poker
def table_rakes(evening: Evening, **chosen: object) -> list[tuple[object, ...]]:
    """What the report of the rake says of each table together."""
    figures = ("table", "hands", "known", "coverage", "rake", "checked", "posted", "difference")
    tables = [line for line in lines(evening, "rake", **chosen) if line["line"] == "table"]
    return [tuple(line[name] for name in figures) for line in tables]


def test_RAK_3_rake_stands_beside_what_the_schedule_gives_where_the_pot_is_known(evening: PokerEvening) -> None:
    """5.00 and 2.00 by key; 4.00 of a pot that gives 7.00; 3.00 as put right; a void hand does not count."""
    assert table_rakes(evening) == [
        ("Poker 1", 5, 2, 400, 14_00, 7_00, 10_00, -3_00),
        ("Poker 2", 1, 0, 0, 0, None, None, None),
        ("Poker 3", 2, 2, 1000, 0, 0, 0, 0),
    ]
    assert table_rakes(evening, croupier=evening.nora.pk) == [("Poker 1", 2, 0, 0, 2_00, None, None, None)]
    hours = [line for line in lines(evening, "rake") if line["line"] == "hour"]
    assert [(line["croupier"], line["less"]) for line in hours if line["less"]] == [(evening.martina.full_name, "2")]


def test_rake_and_time_of_the_tables_are_those_of_the_ledger(evening: PokerEvening) -> None:
    results = {name: sum(line[name] for line in lines(evening, "results")) for name in ("rake", "time_charge")}
    accounts = Account.objects.filter(house=evening.house, kind__in=("rake", "time_income"))
    booked = dict.fromkeys(("rake", "time_income"), 0)
    for kind, minor in accounts.values_list("kind", "balance_minor"):
        booked[kind] -= minor
    assert (results, booked) == ({"rake": 14_00, "time_charge": 10_00}, {"rake": 14_00, "time_income": 10_00})
    closed = [
        line for line in lines(evening, "day-protocol", table=evening.timed.pk) if line["what"] == "session.result"
    ]
    assert [line["amount"] for line in closed] == [10_00]


# Days, and what nobody knows
def test_days_on_which_nothing_was_are_empty(evening: Evening) -> None:
    """A range over them and the evening is the evening alone."""
    first = evening.day - timedelta(days=20)
    yesterday = {"from": "2020-01-01", "to": "2020-01-20"}
    for kind in KINDS:
        assert lines(evening, kind, **yesterday) == [], kind
    assert lines(evening, "results", **{"from": first}) == lines(evening, "results")


@world(Floor)
def test_what_nobody_entered_is_a_dash_and_never_a_zero(floor: Floor, own_database: str) -> None:
    """A table that enters coins alone says nothing of its result; how its rounds were entered the report says."""
    guests = floor.open(entry_level="jackpot_only")
    coin = [{"box": 1, "guest": str(guests[0].pk), "kind": "coin", "amount_minor": 500}]
    floor.settle(floor.lock(coin)["id"], {"boxes": {}})
    day = TableSession.objects.get().gaming_day
    asked = filters.query_of(KINDS["results"], floor.house, {}, day)
    with gathered(KINDS["results"], asked) as found:
        (row,) = found.rows()
        line = dict(zip((column.code for column in KINDS["results"].columns), row, strict=True))
        assert found.coverage is not None
        assert (found.coverage.coins, found.coverage.rounds) == (1, 1)
    assert (line["rounds"], line["coins"], line["result"], line["stakes"]) == (1, 1, None, None)
    assert line["coin_income"] == 375


@world(Potted)
def test_POK_9_what_management_pays_for_a_hand_is_a_loss_of_its_table(floor: Potted, own_database: str) -> None:
    """Beside the rake of 10.00 that the hand gave; bought were 415.00."""
    hand = pushed(floor)
    paid(floor, hand, 5, 335_00)
    kind, day = KINDS["results"], hand.session.gaming_day
    with gathered(kind, filters.query_of(kind, floor.house, {}, day)) as report:
        rows = [dict(zip((column.code for column in kind.columns), row, strict=True)) for row in report.rows()]
    nothing = ("rounds", "cards", "taps", "coins", "stakes", "coin_income", "prizes", "time_charge", "tips")
    booked = {"result": -335_00, "drop": 415_00, "hold": -808, "rake": 10_00}
    where = {"day": str(day), "hour": None, "table": "Poker 1", "game": "poker"}
    uncounted = dict.fromkeys(("drop_counted", "counted", "difference", "hold_counted"))
    assert rows == [where | dict.fromkeys(nothing, 0) | booked | uncounted]
