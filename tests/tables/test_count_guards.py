"""Control tests of what guards counts: each is taken away once, and the harm that it prevents is done (`tests/controls.py`)."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from payouts.models import AppendOnly, Count, CountEntry, CountLine, CountSignature
from tables import services
from tests import controls
from tests.controls import Guard, again, off, refused
from tests.counts import OPENER, CountedFloor
from tests.drops import cash_lines
from tests.floor import done
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)


class Signed(CountedFloor):
    """An open table with a count that was entered anew, one that was counted again, and one that waits for its witness; its drop
    box waits for its second count.
    """

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.opened()
        anew = self.begin("spot")
        self.witness(anew, self.enter(anew, *OPENER), ok=False)
        self.witness(anew, self.enter(anew, *OPENER))
        twice = self.begin("drop")
        for _ in (1, 2):
            self.witness(twice, self.enter(twice, *OPENER[:-1], 9))
        self.enter(self.begin("relief"), *OPENER)
        house = {"house_id": self.house.pk}
        box = done(services.drop_count_begin, **house, table_id=self.counted.pk, actor_id=self.tim.pk)
        done(services.drop_count_enter, **house, count_id=box.pk, lines=cash_lines({}), counter_id=self.tim.pk)


signed = for_module(Signed)
COUNT, ENTRY, LINE, SIGNATURE = "payouts_count", "payouts_countentry", "payouts_countline", "payouts_countsignature"
SESSION, HAND, ROUND = "tables_tablesession", "tables_hand", "tables_round"
HOUSE = "(SELECT id FROM payouts_house WHERE name = 'Elsewhere')"
ELSEWHERE = (
    "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change)"
    " VALUES (gen_random_uuid(), 'Elsewhere', 'CHF', '', 'UTC', '06:00')"
)
SPOT = "x.purpose = 'spot'"
BEGUN = {"state": "'begun'", "ended_at": "NULL", "ended_by_id": "NULL"}
TWO = "DROP INDEX count_one_running"
LATE = off(ENTRY, "count_entry_begin")
NEXT = {"number": "9", "value_minor": "0"}
UNSIGNED = f"(SELECT e.id FROM {ENTRY} e WHERE e.count_id = x.count_id AND e.number = 1)"
WAITING = f"(SELECT e.id FROM {ENTRY} e JOIN {COUNT} c ON c.id = e.count_id WHERE c.state = 'entered' AND c.place_kind = 'tray')"
ANEW = f"x.count_id = (SELECT id FROM {COUNT} WHERE purpose = 'spot')"
UNGUARDED = off(SIGNATURE, "count_sign_guard")
SIGNS = (
    f"INSERT INTO {SIGNATURE} (house_id, count_id, entry_id, counter_id, witness_id, stands)"
    f" SELECT e.house_id, e.count_id, e.id, {{}}, {{}}, true FROM {ENTRY} e WHERE e.id = {WAITING}"
)
PERSON = "(SELECT id FROM casino_person WHERE username = '{}')"
SHUT = {"closed_at": "now()", "closed_by_id": "x.opened_by_id"}
UNCOUNTED = off(SESSION, "session_counted")
NOBODY = "gen_random_uuid()"
BOX = {"place_kind": "'drop'"}
# of the box that waits for its second count: by the same person again, by somebody else as if it were chips, signed too early
OWN_BOX = f"x.count_id = (SELECT id FROM {COUNT} WHERE place_kind = 'drop')"
BOX_SIGNS = (
    f"INSERT INTO {SIGNATURE} (house_id, count_id, entry_id, counter_id, witness_id, stands)"
    f" SELECT x.house_id, x.count_id, x.id, x.counter_id, {PERSON.format('reto')}, true FROM {ENTRY} x WHERE {OWN_BOX}"
)
GUARDS = [
    Guard("count_begin", COUNT, again(COUNT, SPOT)),
    Guard("count_guard", COUNT, f"UPDATE {COUNT} SET state = 'signed', ended_by_id = begun_by_id, ended_at = now()"
          " WHERE state = 'entered'"),
    Guard("count_guard", COUNT, f"UPDATE {COUNT} SET purpose = 'drop' WHERE state = 'signed'"),
    Guard("count_guard", COUNT, f"SET LOCAL session_replication_role = replica; DELETE FROM {COUNT}"),
    Guard("count_of_tray", COUNT, again(COUNT, SPOT, **BEGUN, session_id="NULL"), TWO),
    Guard("count_of_tray", COUNT, again(COUNT, SPOT, **BEGUN, house_id=HOUSE), TWO),
    Guard("count_of_drop", COUNT, again(COUNT, SPOT, **BEGUN, **BOX), TWO),
    Guard("count_of_drop", COUNT, again(COUNT, SPOT, **BEGUN, **BOX | {"purpose": "'drop'", "session_id": NOBODY}), TWO),
    Guard("count_one_running", COUNT, again(COUNT, SPOT, **BEGUN)),
    Guard("count_known", COUNT, again(COUNT, SPOT, **BEGUN, purpose="'whim'"), TWO),
    Guard("count_ended_by", COUNT, again(COUNT, SPOT, state="'begun'"), TWO),
    Guard("count_entry_begin", ENTRY, again(ENTRY, **NEXT)),
    Guard("count_entry_begin", ENTRY, again(ENTRY, OWN_BOX, number="2")),
    Guard("count_entry_begin", ENTRY, again(ENTRY, OWN_BOX, number="2", counter_id=PERSON.format("ines.f"),
                                            posted_id="(SELECT max(id::text)::uuid FROM payouts_postedtable)")),
    Guard("count_entry_once", ENTRY, again(ENTRY, value_minor="0"), LATE),
    Guard("count_entry_sane", ENTRY, again(ENTRY, value_minor="0", number="0"), LATE),
    Guard("count_entry_sum", ENTRY, again(ENTRY, number="9"), LATE),
    Guard("count_entry_count_of_house", ENTRY, again(ENTRY, **NEXT, house_id=HOUSE), LATE),
    Guard("count_line_sum", LINE, again(LINE, value_minor="700", pieces="1")),
    Guard("count_line_once", LINE, again(LINE, pieces="0")),
    Guard("count_line_sane", LINE, again(LINE, value_minor="700", pieces="100001"), off(LINE, "count_line_sum")),
    Guard("count_line_of_house", LINE, again(LINE, value_minor="700", pieces="0", house_id=HOUSE)),
    Guard("count_sign_guard", SIGNATURE, SIGNS.format(PERSON.format("ines.f"), PERSON.format("reto"))),
    Guard("count_sign_guard", SIGNATURE, BOX_SIGNS),
    Guard("count_two_people", SIGNATURE, SIGNS.format("e.counter_id", "e.counter_id")),
    Guard("count_signed_once", SIGNATURE, again(SIGNATURE, ANEW, entry_id=UNSIGNED), UNGUARDED),
    Guard(f"{SIGNATURE}_entry_id_key", SIGNATURE, again(SIGNATURE, ANEW, stands="false"), UNGUARDED),
    Guard("count_signature_of_house", SIGNATURE, again(SIGNATURE, ANEW, entry_id=UNSIGNED, stands="false", house_id=HOUSE),
          UNGUARDED),
    Guard("count_signature_of_its_count", SIGNATURE, again(SIGNATURE, ANEW, entry_id=WAITING, stands="false"), UNGUARDED),
    Guard("session_counted", SESSION, f"UPDATE {SESSION} SET counting_id = NULL, closed_at = now(), closed_by_id = opened_by_id"),
    Guard("session_counted", SESSION, f"UPDATE {SESSION} SET counting_id = opener_id"),
    Guard("session_counted", SESSION, again(SESSION, **SHUT, counting_id="NULL")),
    Guard("session_opener_of_house", SESSION, again(SESSION, **SHUT, opener_id=NOBODY), UNCOUNTED),
    Guard("session_closer_of_house", SESSION, again(SESSION, **SHUT, closer_id=NOBODY), UNCOUNTED),
    Guard("session_counting_of_house", SESSION, again(SESSION, **SHUT, counting_id=NOBODY), UNCOUNTED),
    Guard("hand_begin", HAND, (
        f"INSERT INTO {HAND} (id, house_id, table_id, session_id, number, state, revision, entry_level, variant, sent_hash,"
        " croupier_id, queued) SELECT gen_random_uuid(), house_id, table_id, id, 1, 'ended', 1, 'rake_only', 'holdem',"
        f" sha256('1'), croupier_id, false FROM {SESSION}")),
    Guard("round_begin", ROUND, (
        f"INSERT INTO {ROUND} (id, house_id, table_id, session_id, number, state, entry_level, revision, versions, lock_hash,"
        " croupier_id, queued, reason) SELECT gen_random_uuid(), house_id, table_id, id, 1, 'locked', 'fast', 0, versions,"
        f" sha256('1'), croupier_id, false, '' FROM {SESSION}")),
]  # fmt: skip
# Only there to be pointed at by a key of two columns; their first column alone is unique.
POINTED_AT = {"count_of_house", "count_entry_of_house", "count_entry_of_its_count"}
MODELS: list[Any] = [Count, CountEntry, CountLine, CountSignature]
TABLES = [model._meta.db_table for model in MODELS]
CLOCKS = {model._meta.db_table: model.clock for model in MODELS if model.clock}


@pytest.fixture
def link(signed) -> Iterator[psycopg.Connection]:
    with controls.rolled_back(signed.database) as connected:
        yield connected


@each("guard", GUARDS)
def test_guard_refuses_and_without_it_the_harm_is_done(link, guard):
    link.execute(ELSEWHERE)
    if guard.nets:
        link.execute(guard.nets)
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


@each(("table", "right"), [(table, right) for table, right in controls.forbidden("payouts") if table in TABLES])
def test_app_role_lacks_the_right(link, table, right):
    controls.lacks_the_right(link, table, right)


def test_every_guard_of_counts_has_a_control():
    """A new trigger, key or check without one fails here."""
    missing = controls.without_control("payouts", GUARDS, POINTED_AT)
    assert {(table, name) for table, name in missing if table in TABLES} == set()
