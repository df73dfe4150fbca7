"""The audit of drop boxes: it finds what is missing in the box at the table, by the minute where something moved, and reads no
older box (DRP-8).
"""

from datetime import timedelta

import psycopg
import pytest

from payouts.audit import REGISTERED
from payouts.audit_recent import MARKED, is_recent, recent
from tables.audit.counts import COUNTS
from tests.databases import superuser
from tests.drops import FULL, DropFloor
from tests.tables.audits import FREE, breached
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back
BOXES = "drop_is_its_boxes"
OLD, NEW = "(SELECT id FROM tables_buyin WHERE amount_minor = 785000)", "amount_minor = 12000"


class Boxed(DropFloor):
    """A box that was counted, with a buy-in of it that came later; in the next one 120.00, 60.00 were taken back; it is taken, and
    80.00 lie in the third.
    """

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.bought(7_850_00)
        count = self.counted_drop(FULL)
        self.bought(200_00, queued_at=count.begun_at - timedelta(microseconds=1))
        self.bought(120_00)
        self.back(self.bought(60_00))
        self.counts(self.take(), self.first, FULL)
        self.bought(80_00)


boxed = for_module(Boxed)
# What is done to the rows, and how much the box then says it holds.
HARMS = {
    f"DELETE FROM tables_buyin WHERE {NEW}": "8000",
    f"UPDATE tables_buyin SET amount_minor = 13000 WHERE {NEW}": "21000",
    "DELETE FROM tables_entryreversal": "26000",
    f"UPDATE tables_buyin SET queued_at = now() - interval '1 day' WHERE {NEW}": "8000",
    "UPDATE payouts_count SET state = 'given_up' WHERE state = 'signed'": "825000",
    "UPDATE payouts_count SET state = 'signed', ended_at = now(), ended_by_id = begun_by_id WHERE state = 'entered'": "8000",
}


def breaches(database: str, harm: str, audit: str) -> list[psycopg.rows.TupleRow]:
    with superuser(database) as link, link.transaction(force_rollback=True):
        link.execute(FREE)
        link.execute("SET LOCAL session_replication_role = replica")
        link.execute(harm)
        return link.execute(audit).fetchall()


def test_sound_boxes_pass_every_audit(boxed: Boxed) -> None:
    assert breached() == {}
    assert (REGISTERED[BOXES], is_recent(BOXES)) == (COUNTS[BOXES], True)


@each("harm", HARMS)
def test_DRP_8_a_box_that_does_not_hold_what_it_should_is_named(boxed: Boxed, harm: str) -> None:  # noqa: N802
    named = [(str(boxed.counted.pk), "20000", HARMS[harm])]
    assert breaches(boxed.database, harm, COUNTS[BOXES]) == named
    assert breaches(boxed.database, harm, recent(BOXES, COUNTS[BOXES], {})) == named


def test_the_minute_asks_about_what_moved_and_nobody_about_a_box_that_was_counted(boxed: Boxed) -> None:
    harm = f"DELETE FROM tables_buyin WHERE {NEW}"
    assert breaches(boxed.database, harm, recent(BOXES, COUNTS[BOXES], dict.fromkeys(MARKED, 2**40))) == []
    assert breaches(boxed.database, f"UPDATE tables_buyin SET amount_minor = 1 WHERE id IN {OLD}", COUNTS[BOXES]) == []
