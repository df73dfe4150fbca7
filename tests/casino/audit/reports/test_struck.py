"""Payouts that no longer count stand in the report, struck, and are in no total; and a report is of one's own house."""

import io
import json

from openpyxl import load_workbook

from casino.audit.reports.gather import gathered
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import data_hash
from jackpot.models import Slip
from tables.models import Round, RoundLine
from tests.casino.audit.reports.asked import lines, page, query
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.files import once_written
from tests.cast import make_house


def test_struck_payouts_stand_there_and_in_no_total(evening: Evening) -> None:
    said = lines(evening, "payouts", least=0)
    struck = [line for line in said if line["state"] in ("struck", "cancelled")]
    counts = [line for line in said if line not in struck]
    assert {line["state"] for line in struck} == {"struck", "cancelled"}
    with gathered(KINDS["payouts"], query(evening, "payouts", least=0)) as found:
        assert found.totals["amount"] == sum(line["amount"] for line in counts)
        assert found.sha256 == data_hash(KINDS["payouts"], found.rows())  # what is struck is hashed like anything else
    old = [line for line in struck if line["state"] == "struck" and line["round_id"] == str(evening.corrected)]
    before = RoundLine.objects.filter(round_id=evening.corrected, revision=1, won_minor__gt=0)
    assert sorted(line["amount"] for line in old) == sorted(one.won_minor for one in before) != []
    assert Round.objects.get(pk=evening.corrected).revision == 2
    cancelled = {slip.written for slip in Slip.objects.filter(state="cancelled")}
    assert {line["slip"] for line in struck} - {""} == cancelled


def test_cancelled_slips_are_in_no_total(evening: Evening) -> None:
    """Nobody was paid by them: counted, they would say that more left the house than did."""
    said = lines(evening, "slips")
    cancelled = [line["state"] == "cancelled" for line in said]
    assert {True, False} == set(cancelled)
    with gathered(KINDS["slips"], query(evening, "slips")) as found:
        assert [found.kind.struck(row) for row in found.rows()] == cancelled
        assert found.totals["amount"] == sum(line["amount"] for line in said if line["state"] != "cancelled")


def test_struck_payouts_look_struck(evening: Evening) -> None:
    """Since a colour alone is no word, the state says it as well."""
    told = json.loads(once_written(evening, "payouts")["json"])
    place = [column["code"] for column in told["columns"]].index("amount")
    gone = [row[11] in ("struck", "cancelled") for row in told["rows"]]
    sheet = load_workbook(io.BytesIO(once_written(evening, "payouts")["xlsx"])).worksheets[0]
    shown = [bool(row[place].font.strike) for row in sheet.iter_rows(min_row=2, max_row=len(gone) + 1)]
    assert shown == gone
    text = page(evening, f"payouts/?from={evening.day}&to={evening.day}&least=0").content.decode()
    assert text.count("<del>") == sum(gone) > 0
    assert "struck by a correction" in text


def test_another_house_cannot_be_asked_for(evening: Evening, db: None) -> None:
    """An address that names another house gives what one's own has; what is of another house is no filter here."""
    other = make_house("Casino Elsewhere")
    address = f"results/?from={evening.day}&to={evening.day}&format=json"
    own, asked = (json.loads(page(evening, address + more).content) for more in ("", f"&house={other.pk}"))
    assert (asked["house"], asked["sha256"], asked["number"]) == (own["house"], own["sha256"], own["number"])
    assert other.name not in page(evening, f"results/?house={other.pk}").content.decode()
    links = page(evening, f"results/?house={other.pk}").context["address"]
    assert str(other.pk) not in links
