"""Control tests of what guards differences and what sets counts back: each is taken away once, and the harm that it prevents is
done (`tests/controls.py`).
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from payouts.models import AppendOnly, CountBack
from tables.models import Difference, Explanation, ExplanationWords
from tests import controls
from tests.book.test_res_desk import LESS_30, LOST, Evening
from tests.controls import Guard, again, off, refused
from tests.counts import OPENER
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)


class Explained(Evening):
    """Three sessions: an explained difference, an open one that was set back and of which a theft is asked for, none."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.start()
        first = self.shut(*LESS_30)
        self.late(LOST)
        self.sign("opener", *LESS_30)
        self.open(self.counted)
        second = self.shut(40, 200, 144, *OPENER[3:])
        by_count = {difference.count_id: difference for difference in Difference.objects.all()}
        self.explain(by_count[second.pk], self.bea, "payout")
        self.explain(by_count[first.pk], self.reto, "theft", "seen on camera 4")


explained = for_module(Explained)
BACK, GAP, WHY, WORDS = "payouts_countback", "tables_difference", "tables_explanation", "tables_explanationwords"
HOUSE = "(SELECT id FROM payouts_house WHERE name = 'Elsewhere')"
ELSEWHERE = (
    "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change)"
    " VALUES (gen_random_uuid(), 'Elsewhere', 'CHF', '', 'UTC', '06:00')"
)
FIRST = {"transfer_id": "(SELECT min(id) FROM payouts_transfer)"}
OPENED = {"count_id": "(SELECT id FROM payouts_count WHERE purpose = 'opener' ORDER BY begun_at LIMIT 1)"}
FREE = {"state": "'open'", "count_id": OPENED["count_id"]}
UNGUARDED = off(BACK, "count_back_begin")
UNBEGUN = off(GAP, "difference_begin")
UNWRITTEN = off(WHY, "explanation_begin")
OPEN = f"(SELECT id FROM {GAP} WHERE state = 'open')"
OF_THEFT = {"difference_id": OPEN, "id": f"(SELECT id FROM {WORDS} WHERE gone_from IS NOT NULL)"}
MINOR = {"amount_minor": f"(SELECT count_left_v1(count_id) FROM {GAP} WHERE state = 'open')"}
HASH = {
    "words_hash": f"'\\x' || encode(sha256(convert_to((SELECT words FROM {WORDS} WHERE gone_from IS NOT NULL), 'UTF8')), 'hex')"
}
GUARDS = [
    Guard("count_back_begin", BACK, again(BACK, **FIRST)),
    Guard("count_back_moves", BACK, again(BACK, **FIRST, amount_minor="0"), UNGUARDED),
    Guard("count_back_of_house", BACK, again(BACK, **FIRST, house_id=HOUSE), UNGUARDED),
    Guard("payouts_countback_transfer_id_key", BACK, again(BACK)),
    Guard("difference_begin", GAP, again(GAP, **FREE)),
    Guard("tables_difference_count_id_key", GAP, again(GAP, "x.state = 'open'")),
    Guard("difference_limits", GAP, again(GAP, **FREE, report_from_minor="1"), UNBEGUN),
    Guard("difference_count_of_house", GAP, again(GAP, **FREE, house_id=HOUSE), f"{UNBEGUN}; ALTER TABLE {GAP} DROP CONSTRAINT"
          " difference_table_of_house"),
    Guard("difference_table_of_house", GAP, again(GAP, **FREE, house_id=HOUSE), f"{UNBEGUN}; ALTER TABLE {GAP} DROP CONSTRAINT"
          " difference_count_of_house"),
    Guard("difference_guard", GAP, f"UPDATE {GAP} SET state = 'explained' WHERE state = 'open'"),
    Guard("difference_guard", GAP, f"UPDATE {GAP} SET state = 'settled' WHERE state = 'open'"),
    Guard("difference_guard", GAP, f"UPDATE {GAP} SET report_from_minor = 10 ^ 6"),
    Guard("difference_guard", GAP, f"SET LOCAL session_replication_role = replica; DELETE FROM {GAP}"),
    Guard("explanation_begin", WHY, again(WHY, **OF_THEFT, **MINOR)),
    Guard("explanation_begin", WHY, again(WHY, **OF_THEFT, **HASH, amount_minor="1")),
    Guard("explanation_known", WHY, again(WHY, code="'whim'"), UNWRITTEN),
    Guard("explanation_of_house", WHY, again(WHY, house_id=HOUSE), UNWRITTEN),
    Guard("tables_explanation_approval_id_key", WHY, again(WHY, id="gen_random_uuid()", approval_id=(
        "(SELECT id FROM payouts_approval ORDER BY id LIMIT 1)")),
          f"{UNWRITTEN}; UPDATE {WHY} SET approval_id = (SELECT id FROM payouts_approval ORDER BY id LIMIT 1)"),
    Guard("explanation_words_guard", WORDS, f"UPDATE {WORDS} SET words = 'other'"),
    Guard("explanation_words_guard", WORDS, f"DELETE FROM {WORDS} WHERE gone_from IS NOT NULL"),
    Guard("explanation_words_guard", WORDS, f"DELETE FROM {WORDS} WHERE gone_from IS NULL"),
    Guard("explanation_words_of_house", WORDS, again(WORDS, house_id=HOUSE)),
]  # fmt: skip
POINTED_AT = {"difference_of_house"}
MODELS: list[Any] = [CountBack, Difference, Explanation, ExplanationWords]
TABLES = [model._meta.db_table for model in MODELS]
CLOCKS = {model._meta.db_table: model.clock for model in MODELS}


FORBIDDEN = [
    (table, right) for app in ("payouts", "tables") for table, right in controls.forbidden(app) if table in TABLES
]


@pytest.fixture
def link(explained) -> Iterator[psycopg.Connection]:
    with controls.rolled_back(explained.database) as connected:
        yield connected


@each("guard", GUARDS)
def test_guard_refuses_and_without_it_the_harm_is_done(link, guard):
    link.execute(ELSEWHERE)
    if "UPDATE tables_explanation" in guard.nets:
        link.execute(off(WHY, "append_only_row"))
    for net in guard.nets.split("; ") if guard.nets else ():
        link.execute(net)
    assert refused(link, guard.harm) == guard.name
    link.execute(guard.take_away)
    assert refused(link, guard.harm) == ""


@each("table", [model._meta.db_table for model in MODELS if issubclass(model, AppendOnly)])
@each("change", controls.CHANGES.values())
def test_row_of_an_append_only_table_stays(link, table, change):
    controls.row_stays(link, table, change)


@each("table", TABLES)
def test_table_is_not_emptied(link, table):
    controls.not_emptied(link, table)


@each(("table", "column"), CLOCKS.items())
def test_row_is_dated_by_the_database(link, table, column):
    controls.dated_by_the_database(link, table, column)


@each(
    ("table", "right"),
    FORBIDDEN,
)
def test_app_role_lacks_the_right(link, table, right):
    controls.lacks_the_right(link, table, right)


def test_every_guard_of_differences_has_a_control():
    """A new trigger, key or check without one fails here."""
    missing = controls.without_control("payouts", GUARDS, POINTED_AT) | controls.without_control(
        "tables", GUARDS, POINTED_AT
    )
    assert {(table, name) for table, name in missing if table in TABLES} == set()
