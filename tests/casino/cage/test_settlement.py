"""The settlement sheet of a session: the worked examples as they are printed, and what of it is shown when (RES-1)."""
# ruff: noqa: N802 - tests are named after the rules

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Difference, TableSession
from tests.casino.audit.reports.counted import Examples
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.counts import CLOSER
from tests.worlds import for_module

examples = for_module(Examples)
ENGLISH = {"accept-language": "en"}
MOMENT = re.compile(r"\d\d\.\d\d\. \d\d:\d\d")
ROBBED = (
    "How it comes about Drop, counted CHF 7 850.00 + Closing tray CHF 37 772.50 + Credits CHF 5 000.00"
    " − Opening tray CHF 36 600.00 − Fills CHF 10 000.00 = Result, counted CHF 4 022.50"
    " Result, recorded CHF 4 522.50 Difference CHF −500.00"
    " Recorded are result, coins and fees of rounds and hands, less prizes paid at the table,"
    " overrides and faults of the house."
    " What is known Opened AT, Reto Closed AT, Reto"
    " Drop, recorded CHF 7 850.00 Tips CHF 85.00 Set back CHF 0.00 Rounds that tell 1 of 1"
    " Trays by the piece Denomination Opening tray Value (CHF) Closing tray Value (CHF)"
    " 1 000.00 10 10 000.00 9 9 000.00 500.00 20 10 000.00 23 11 500.00 100.00 90 9 000.00 99 9 900.00"
    " 50.00 60 3 000.00 62 3 100.00 20.00 100 2 000.00 85 1 700.00 10.00 150 1 500.00 144 1 440.00"
    " 5.00 200 1 000.00 208 1 040.00 2.50 40 100.00 37 92.50 Together 36 600.00 37 772.50"
    " Counted and signed Time Counted Value (CHF) Difference Set back Explanation Counted and witnessed by"
    " AT Tray, opener 36 600.00 0.00 0.00 Martina, Reto"
    " AT Tray, closer 37 772.50 0.00 0.00 Martina, Reto"
    " AT Drop box 7 850.00 0.00 0.00 Dario, Sina"
    " AT Tray, relief 38 272.50 0.00 0.00 Martina, Reto"
    " AT Tray, relief 37 772.50 −500.00 0.00 theft Martina, Reto"
)
# Of the other examples what is otherwise than in an honest evening.
OTHERS = {
    "honest": ("Result, recorded CHF 4 522.50 Difference CHF 0.00",),
    "unentered": (
        "Drop, counted CHF 8 050.00",
        "Drop, recorded CHF 7 850.00",
        "Tray, closer 38 072.50 −200.00 0.00 open Martina, Reto",
        "Drop box 8 050.00 200.00 0.00 open Dario, Sina",
    ),
    "late": (
        "Set back CHF −1 570.00 Round, came later, AT CHF −1 570.00",
        "Tray, closer 38 272.50 −1 570.00 −1 570.00 settled Martina, Reto",
    ),
    "untold": (
        "Result, recorded CHF 1 110.00 Difference – Not every round told a result: the count is the result.",
        "Rounds that tell 0 of 1",
    ),
}


def sheet(examples: Examples, case: str, status: int = 200) -> str:
    """What the newest sheet of a table says."""
    session = TableSession.objects.filter(table=examples.played_at[case]).latest("opened_at")
    client = people.signed_in(examples.auditor)
    answer = client.get(f"/cage/settlements/{session.pk}/", headers=ENGLISH)
    assert answer.status_code == status
    text = words(answer.content.decode()).replace("’", " ").replace("\xa0", " ")
    return MOMENT.sub("AT", text)


def test_RES_1_a_session_is_settled_on_a_sheet(examples: Examples, db: None) -> None:
    """Examples 1 to 6, 14 and 37."""
    robbed = sheet(examples, "robbed")
    assert f"UTH 4 · Settlement sheet Ultimate Texas Hold em · Gaming day: {examples.day:%d.%m.%Y}" in robbed
    assert "How it" + robbed.partition("How it")[2].partition(" Print")[0] == ROBBED
    for case, parts in OTHERS.items():
        assert [part for part in parts if part not in sheet(examples, case)] == [], case


def test_DRP_4_what_was_recorded_is_not_shown_until_the_drop_box_is_counted(examples: Examples, db: None) -> None:
    """With the trays it would say what should lie there; and before its closer a session has no sheet."""
    examples.counted = examples.played_at["honest"]
    examples.sign("opener", *CLOSER)
    examples.open(examples.counted)
    examples.bought(200_00)
    none = "There is none: this session is not closed, or its closing tray was not counted."
    for step in (lambda: None, lambda: examples.twice("closer", *CLOSER)):
        step()
        unsettled = sheet(examples, "honest", 404)
        assert (none in unsettled, "CHF" in unsettled) == (True, False)
    examples.close()
    count = examples.take()
    for step in (lambda: None, lambda: examples.counts(count, examples.first, {200_00: 1})):
        step()
        blind = sheet(examples, "honest")
        assert "= Result, counted – Result, recorded – Difference – What was recorded is shown once" in blind
        assert "Drop, recorded –" in blind
    examples.counts(count, examples.second, {200_00: 1})
    settled = sheet(examples, "honest")
    assert "Drop, counted CHF 200.00" in settled
    assert "Drop, recorded CHF 200.00" in settled


def test_a_sheet_takes_as_many_statements_however_often_was_counted(examples: Examples, db: None) -> None:
    client = people.signed_in(examples.auditor)
    statements = []
    for case in ("honest", "robbed"):
        session = TableSession.objects.get(table=examples.played_at[case])
        client.get(f"/cage/settlements/{session.pk}/")
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/cage/settlements/{session.pk}/")
        statements.append(len(captured))
    assert statements[0] == statements[1] <= 20, statements


def test_the_way_to_a_sheet(examples: Examples, db: None) -> None:
    """From the table, from the list of differences and each of them, and from the report."""
    table = examples.played_at["unentered"]
    session = TableSession.objects.get(table=table)
    boss = people.signed_in(people.make(examples.house, "w.boss", "pit_boss"))
    auditor = people.signed_in(examples.auditor)
    link = f'href="/cage/settlements/{session.pk}/"'
    gap = f"/cage/differences/{Difference.objects.get(count=examples.signed['tray']).pk}/"
    for client, path, times in (
        (boss, f"/floor/tables/{table.pk}/", 1),
        (boss, "/cage/differences/", 2),
        (boss, gap, 1),
        (auditor, "/audit/reports/settlements/", 1),
    ):
        assert client.get(path).content.decode().count(link) == times, path
