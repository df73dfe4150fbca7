"""The worked examples of counts by the rows of the reports: counted beside recorded, and a dash for the rest."""
# ruff: noqa: N802 - tests are named after the rules

from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import translation

from casino.audit.reports.files.cells import cell_text
from casino.audit.reports.gather import gathered
from casino.audit.reports.kinds import KINDS
from tables.models import TableSession
from tests.casino.audit.reports.asked import lines, query
from tests.casino.audit.reports.counted import Examples
from tests.counts import CLOSER
from tests.worlds import for_module

examples = for_module(Examples)

AGREES = {
    "opener": 3_660_000,
    "fills": 1_000_000,
    "credits": 500_000,
    "drop": 785_000,
    "drop_counted": 785_000,
    "tips": 8_500,
    "closer": 3_827_250,
    "counted": 452_250,
    "recorded": 452_250,
    "difference": 0,
    "set_back": 0,
    "coverage": "1/1",
    "people": "Martina, Reto",
}
SETTLED: dict[str, dict[str, Any]] = {
    "UTH 3": AGREES,
    "UTH 4": AGREES | {"closer": 3_777_250, "counted": 402_250, "difference": -50_000},
    "UTH 5": AGREES | {"drop_counted": 805_000, "closer": 3_807_250},
    "UTH 6": AGREES | {"set_back": -157_000},
    "UTH 7": AGREES | {"recorded": 111_000, "difference": None, "coverage": "0/1"},
}
COUNTED = ("drop", "hold", "drop_counted", "counted", "difference", "hold_counted")


def settled(examples: Examples, **filters: object) -> dict[str, dict[str, Any]]:
    """The figures of each session, by table."""
    report = lines(examples, "settlements", **filters)
    return {line["table"]: {code: line[code] for code in AGREES} for line in report}


def figures(line: dict[str, Any]) -> tuple[object, ...]:
    return tuple(line[code] for code in COUNTED)


def in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_RES_1_a_session_is_settled_by_its_counts_and_by_its_rounds(examples: Examples) -> None:
    """Examples 1 to 6, 14 and 37."""
    assert settled(examples) == SETTLED
    sessions = {session.table.name: session for session in TableSession.objects.select_related("table")}
    for line in lines(examples, "settlements"):
        session = sessions[line["table"]]
        report = (line["day"], line["game"], line["opened"], line["closed"], line["session_id"])
        moments = (in_utc(session.opened_at), in_utc(session.closed_at))
        assert report == (examples.day.isoformat(), "uth", *moments, str(session.pk))
    robbed = examples.played_at["robbed"]
    assert settled(examples, table=robbed.pk) == {"UTH 4": SETTLED["UTH 4"]}
    with gathered(KINDS["settlements"], query(examples, "settlements")) as reading:
        assert reading.totals == {
            "fills": 5_000_000,
            "credits": 2_500_000,
            "drop": 3_925_000,
            "drop_counted": 3_945_000,
            "tips": 42_500,
            "counted": 2_211_250,
            "recorded": 1_920_000,
            "difference": None,
            "set_back": -157_000,
        }


def test_RES_4_a_theft_is_named_by_table_and_hour(examples: Examples) -> None:
    """Example 5, and what else was reading that evening."""
    report = lines(examples, "differences")
    by_count = {(line["table"], line["place"], line["purpose"]): line for line in report}
    theft = by_count["UTH 4", "tray", "relief"]
    zone = ZoneInfo(examples.house.time_zone)
    hours = [datetime.fromisoformat(theft[code]).astimezone(zone).time() for code in ("since", "until")]
    assert (theft["table"], hours, theft["left"]) == ("UTH 4", [time(23), time(0)], -50_000)
    figures_of = ("counted", "left", "state", "class", "by", "signed")
    assert {key: tuple(line[code] for code in figures_of) for key, line in by_count.items()} == {
        ("UTH 4", "tray", "relief"): (-50_000, -50_000, "explained", "theft", "Ines.F", "Name bea.x"),
        ("UTH 5", "tray", "closer"): (-20_000, -20_000, "open", "", "", ""),
        ("UTH 5", "drop", "drop"): (20_000, 20_000, "open", "", "", ""),
        ("UTH 6", "tray", "closer"): (-157_000, 0, "settled", "", "", ""),
    }
    assert len(report) == len(by_count)
    assert {line["day"] for line in report} == {examples.day.isoformat()}
    assert lines(examples, "differences", table=examples.played_at["robbed"].pk) == [theft]


def test_RES_4_a_span_of_a_drop_box_is_between_two_takings(examples: Examples) -> None:
    box = next(line for line in lines(examples, "differences") if line["place"] == "drop")
    assert (box["since"], box["until"]) == (None, in_utc(examples.signed["drop"].begun_at))


def test_RES_4_no_word_of_an_explanation_is_in_the_report(examples: Examples) -> None:
    with gathered(KINDS["differences"], query(examples, "differences")) as reading:
        assert "never filled" not in str(list(reading.rows()))


def test_RES_2_results_stand_counted_beside_recorded(examples: Examples) -> None:
    """Example 16: 576 thousandths, after the theft 512."""
    expected = {
        "UTH 3": (785_000, 434, 785_000, 452_250, 0, 576),
        "UTH 4": (785_000, 434, 785_000, 402_250, -50_000, 512),
        "UTH 5": (785_000, 434, 805_000, 452_250, 0, 561),
        "UTH 6": (785_000, 434, 785_000, 452_250, 0, 576),
        "UTH 7": (785_000, None, 785_000, 452_250, None, 576),
    }
    for by in ("day", "month"):
        assert {line["table"]: figures(line) for line in lines(examples, "results", by=by)} == expected
    [game] = lines(examples, "results", by="game")
    assert figures(game) == (3_925_000, 347, 3_945_000, 2_211_250, None, 560)
    assert {line["tips"] for line in lines(examples, "results")} == {8_500}


def test_RES_2_a_dash_stands_for_what_is_not_counted(examples: Examples) -> None:
    version = TableSession.objects.earliest("opened_at").versions["uth_rules"]
    for filters in ({"by": "hour"}, {"croupier": examples.martina.pk}, {"version": version}):
        report = lines(examples, "results", **filters)
        assert report
        assert {figures(line)[2:] for line in report} == {(None,) * 4}, filters


def test_RES_2_a_session_that_is_not_counted_leaves_a_dash_for_its_span(examples: Examples, db: None) -> None:
    """Until it is closed on its closer, and its drop is counted: so in its day, its month, its game, and the total."""
    examples.counted = examples.played_at["honest"]
    examples.sign("opener", *CLOSER)
    examples.open(examples.counted)
    steps = (lambda: None, lambda: examples.sign("closer", *CLOSER), examples.close)
    for step in steps:
        step()
        assert figures(lines(examples, "results", table=examples.counted.pk)[0])[2:] == (None,) * 4
        [game] = lines(examples, "results", by="game")
        assert figures(game)[2:] == (None,) * 4
    with gathered(KINDS["results"], query(examples, "results")) as reading, translation.override("de"):
        assert {reading.totals[code] for code in ("drop_counted", "counted", "difference")} == {None}
        column = next(column for column in reading.kind.columns if column.code == "counted")
        assert cell_text(column, reading.totals["counted"], examples.house) == "–"
    examples.counted_drop({})
    assert figures(lines(examples, "results", table=examples.counted.pk)[0]) == (
        785_000, 434, 785_000, 452_250, 0, 576,
    )  # fmt: skip


def test_DRP_1_what_was_taken_back_is_no_drop_and_no_tip(examples: Examples, db: None) -> None:
    examples.counted = examples.played_at["honest"]
    examples.sign("opener", *CLOSER)
    examples.open(examples.counted)
    row = examples.bought(10_000)
    assert lines(examples, "results", table=examples.counted.pk)[0]["drop"] == 795_000
    examples.back(row)
    assert lines(examples, "results", table=examples.counted.pk)[0]["drop"] == 785_000


def test_CNT_2_a_table_is_left_out_while_its_tray_is_counted(examples: Examples, db: None) -> None:
    examples.counted = examples.played_at["honest"]
    examples.sign("opener", *CLOSER)
    examples.open(examples.counted)
    count = examples.begin("spot")
    for by in ("hour", "day", "month"):
        tables = {line["table"] for line in lines(examples, "results", by=by)}
        assert tables == {"UTH 4", "UTH 5", "UTH 6", "UTH 7"}, by
    [game] = lines(examples, "results", by="game")
    assert game["drop"] == 3_140_000
    examples.witness(count, examples.enter(count, *CLOSER))
    [game] = lines(examples, "results", by="game")
    assert game["drop"] == 3_925_000
