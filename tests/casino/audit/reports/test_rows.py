"""Each report row by row, whole and in its order, against what plain Python makes of the records of the evening."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from casino.audit.reports.kinds import KINDS
from casino.audit.reports.shape import cell
from jackpot.models import Slip
from tests.casino.audit.reports import second, second_counts, second_people, second_poker, second_statement
from tests.casino.audit.reports.asked import lines, query
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.second import Books, said
from tests.databases import superuser
from tests.turns import each

SECOND: dict[str, Callable[[Books], list[list[Any]]]] = {
    "jackpot-statement": second_statement.statement,
    "hits": second.hits,
    "results": second_counts.results,
    "settlements": second_counts.settlements,
    "differences": second_counts.differences,
    "rake": second_poker.rake,
    "payouts": second.payouts,
    "corrections": second.corrections,
    "hands": second_poker.changes,
    "odd-chips": second_poker.odd_chips,
    "approvals": second_people.approvals,
    "slips": second.slips,
    "parameters": second_people.parameters,
    "access": second_people.access,
    "looks": second_people.looks,
    "day-protocol": second_people.protocol,
}


@each("kind", KINDS)
def test_every_row_is_what_the_records_say(evening: Evening, kind: str) -> None:
    asked = {"least": 0} if "least" in KINDS[kind].takes else {}
    told = [list(line.values()) for line in lines(evening, kind, **asked)]
    expected = [[said(value) for value in row] for row in SECOND[kind](Books(evening))]
    assert told == expected
    assert told


def test_the_evening_has_what_reports_are_to_tell(evening: Evening) -> None:
    """Rows that are equal prove little where there are none of a kind."""
    there = {kind: {line["what"] for line in lines(evening, kind)} for kind in ("hits", "access", "day-protocol")}
    assert there["hits"] == set(next(one.words for one in KINDS["hits"].columns if one.code == "what"))
    assert {"sign_in.refused", "sign_in.done"} <= there["access"]
    assert {"session.result", "tip", "buy_in", "round.corrected", "table.closed"} <= there["day-protocol"]
    assert {line["state"] for line in lines(evening, "slips")} == {"open", "paid", "cancelled"}
    corrected = {line["what"] for line in lines(evening, "corrections")}
    assert corrected == {"corrected", "voided", "reopened", "withdrawn", "clarify_open", "late", "adjusted", "reversed"}
    assert {line["what"] for line in lines(evening, "hands")} == {"corrected", "voided", "queued", "clarify_open"}


def test_slips_that_are_missing_or_were_paid_late_stand_in_the_list(evening: Evening, db: None) -> None:
    """PC-49: every number is accounted for. Only who switches the guards off can make a gap."""
    first = Slip.objects.order_by("number")[0]
    paid = Slip.objects.filter(state="paid")[0]
    yesterday = evening.day - timedelta(days=1)
    with superuser() as link, link.transaction(force_rollback=True):
        link.execute("ALTER TABLE jackpot_slip DISABLE TRIGGER ALL")
        link.execute("UPDATE jackpot_slip SET due_on = %s WHERE id = %s", [yesterday, paid.pk])
        link.execute("UPDATE jackpot_slip SET number = 40 WHERE id = %s", [first.pk])
        link.execute("UPDATE jackpot_slip SET incarnation = %s WHERE id = %s", [0x6B02EB8D, paid.pk])
        rows = link.execute(KINDS["slips"].sql, query(evening, "slips").bound()).fetchall()
    books = Books(evening)
    for slip in books.slips.values():
        slip.number = 40 if slip.pk == first.pk else slip.number
        if slip.pk == paid.pk:
            slip.due_on, slip.incarnation = yesterday, 0x6B02EB8D
    expected = [[said(value) for value in row] for row in second.slips(books)]
    assert [[cell(value) for value in row] for row in rows] == expected
    assert (len(expected), sum(row[10] for row in expected)) == (40, 1)
    assert [row[0] for row in expected if row[10]] == ["40-6B02EB8D"]  # as it stands on the paper
