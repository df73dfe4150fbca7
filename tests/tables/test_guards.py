"""Control tests of the floor's and the jackpot's guards: each is taken away once, and the harm that it prevents is done.

As `tests/payouts/test_guards.py`, in one transaction for each guard, which is rolled back. Locks have their controls in
`tests/races/`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest
from django.apps import apps
from django.db import models

from payouts import declared
from payouts.guards import rights_by_table
from payouts.models import AppendOnly
from tests.conftest import superuser
from tests.tables.audits import FREE, MONEY

OURS = ("tables_", "jackpot_")
MODELS = [model for model in apps.get_models() if model._meta.app_label in ("tables", "jackpot")]
TABLES = [model._meta.db_table for model in MODELS]


@dataclass(frozen=True)
class Guard:
    """The name of a trigger or constraint and its table; the harm in SQL; what else stands before it and is taken away first."""

    name: str
    table: str
    harm: str
    nets: str = ""

    @property
    def take_away(self) -> str:
        if (self.table, self.name) in declared.triggers():
            return f"ALTER TABLE {self.table} DISABLE TRIGGER {self.name}"
        return (
            f"ALTER TABLE {self.table} DROP CONSTRAINT IF EXISTS {self.name} CASCADE; DROP INDEX IF EXISTS {self.name}"
        )


def again(table: str, where: str = "true", key: str = "id", **changes: str) -> str:
    """SQL that adds a row once more under another id, with some columns changed (SQL expressions)."""
    number = isinstance(apps.get_model(table.replace("_", ".", 1))._meta.pk, models.BigAutoField)
    new = "10^9::bigint" if number else "gen_random_uuid()"
    pairs = ", ".join(f"'{name}', {value}" for name, value in ({key: new} | changes).items())
    return (
        f"INSERT INTO {table} SELECT (a).* FROM (SELECT jsonb_populate_record(x, jsonb_build_object({pairs})) AS a"
        f" FROM {table} x WHERE {where} ORDER BY x::text LIMIT 1) AS copied"
    )


ROUND, TABLE, SESSION = "tables_round", "tables_table", "tables_tablesession"
HOUSE, PIT = (
    "(SELECT id FROM payouts_house WHERE name = 'Elsewhere')",
    "(SELECT id FROM tables_pit WHERE name = 'There')",
)
ELSEWHERE = (
    "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change)"
    " VALUES (gen_random_uuid(), 'Elsewhere', 'CHF', '', 'UTC', '06:00');"
    f" INSERT INTO tables_pit (id, house_id, name, position) VALUES (gen_random_uuid(), {HOUSE}, 'There', 0)"
)
BEGUN = {"state": "'locked'", "revision": "0", "ended_at": "NULL", "ended_by_id": "NULL", "number": "99"}
PLAIN = "x.state = 'settled' AND x.jackpot_id IS NULL"  # at the table without a locked round
UNBEGUN = "ALTER TABLE tables_round DISABLE TRIGGER round_begin"
SHUT = {"closed_at": "now()", "closed_by_id": "x.opened_by_id"}
BARE = {"session_id": "NULL", "jackpot_id": "NULL", "name": "'UTH 9'"}

GUARDS = [
    Guard("pit_guard", "tables_pit", "UPDATE tables_pit SET name = 'other'"),
    Guard("pit_name_once", "tables_pit", again("tables_pit")),
    Guard("table_guard", TABLE, "UPDATE tables_table SET boxes = 3"),
    Guard("table_name_once", TABLE, again(TABLE, **BARE | {"name": "x.name"})),
    Guard("table_boxes_sane", TABLE, again(TABLE, **BARE, boxes="23")),
    Guard("table_pit_of_house", TABLE, again(TABLE, **BARE, house_id=HOUSE)),
    Guard("table_jackpot_of_house", TABLE, again(TABLE, "x.jackpot_id IS NOT NULL", session_id="NULL", house_id=HOUSE, pit_id=PIT)),
    Guard("table_session_its_own", TABLE, again(TABLE, **BARE | {"session_id": "x.session_id"})),
    Guard("table_session_guard", SESSION, "UPDATE tables_tablesession SET gaming_day = gaming_day - 1"),
    Guard("table_session_one_open", SESSION, again(SESSION)),
    Guard("table_session_level_known", SESSION, again(SESSION, **SHUT, entry_level="'maybe'")),
    Guard("table_session_closed_by", SESSION, again(SESSION, closed_at="now()")),
    Guard("session_table_of_house", SESSION, again(SESSION, **SHUT, house_id=HOUSE)),
    Guard("guest_guard", "tables_guest", "UPDATE tables_guest SET number = number + 100"),
    Guard("guest_number_once", "tables_guest", again("tables_guest", box="NULL")),
    Guard("guest_one_owner_per_box", "tables_guest", again("tables_guest", number="99")),
    Guard("round_guard", ROUND, "UPDATE tables_round SET state = 'locked', ended_at = NULL WHERE state = 'voided'",
          "ALTER TABLE tables_round DROP CONSTRAINT IF EXISTS round_one_locked; DROP INDEX IF EXISTS round_one_locked"),
    Guard("round_guard", ROUND, "UPDATE tables_round SET locked_at = now() - interval '1 hour' WHERE state = 'settled'"),
    Guard("round_guard", ROUND, "SET LOCAL session_replication_role = replica; DELETE FROM tables_round"),
    Guard("round_begin", ROUND, again(ROUND, PLAIN, number="99")),
    Guard("tables_round_pkey", ROUND, again(ROUND, PLAIN, **BEGUN | {"id": "x.id"})),
    Guard("round_number_once", ROUND, again(ROUND, PLAIN, **BEGUN | {"number": "x.number"})),
    Guard("round_one_locked", ROUND, again(ROUND, "x.state = 'locked'", number="99")),
    Guard("round_state_known", ROUND, again(ROUND, PLAIN, state="'gone'", number="99"), UNBEGUN),
    Guard("round_complete", ROUND, again(ROUND, PLAIN, **BEGUN | {"state": "'withdrawn'"})),
    Guard("round_complete", ROUND, again(ROUND, PLAIN, **BEGUN, lock_hash="NULL")),
    Guard("round_ended", ROUND, "UPDATE tables_round SET state = 'settled', revision = 1 WHERE state = 'locked'"),
    Guard("round_epoch_of_jackpot", ROUND, again(ROUND, PLAIN, **BEGUN, epoch_id="(SELECT id FROM jackpot_epoch)")),
    Guard("round_table_of_house", ROUND, again(ROUND, PLAIN, **BEGUN, house_id=HOUSE)),
    Guard("round_session_of_table", ROUND, again(ROUND, PLAIN, **BEGUN, session_id=(
        "(SELECT id FROM tables_tablesession WHERE table_id <> x.table_id)"))),
    Guard("round_stake_once", "tables_roundstake", again("tables_roundstake")),
    Guard("round_stake_adds_up", "tables_roundstake", again("tables_roundstake", box="9", returned_minor="1")),
    Guard("round_result_once", "tables_roundresult", again("tables_roundresult")),
    Guard("round_result_source", "tables_roundresult", again("tables_roundresult", revision="9", source="'hope'")),
    Guard("round_line_once", "tables_roundline", again("tables_roundline")),
    Guard("round_line_sane", "tables_roundline", again("tables_roundline", place="99", returned_minor="x.stake_minor + 1")),
    Guard("to_clarify_guard", "tables_toclarify", "UPDATE tables_toclarify SET payload = '{}'"),
    Guard("to_clarify_guard", "tables_toclarify", "DELETE FROM tables_toclarify"),
    Guard("to_clarify_once", "tables_toclarify", again("tables_toclarify")),
    Guard("to_clarify_closed", "tables_toclarify", "UPDATE tables_toclarify SET state = 'taken'"),
    Guard("jackpot_guard", "jackpot_jackpot", "UPDATE jackpot_jackpot SET funding = 'other'"),
    Guard("jackpot_name_once", "jackpot_jackpot", again("jackpot_jackpot")),
    Guard("jackpot_phase_known", "jackpot_jackpot", "UPDATE jackpot_jackpot SET phase = 'resting'"),
    Guard("jackpot_offline_known", "jackpot_jackpot", "UPDATE jackpot_jackpot SET offline_linked = 'pray'"),
    Guard("epoch_once", "jackpot_epoch", again("jackpot_epoch")),
    Guard("epoch_not_negative", "jackpot_epoch", again("jackpot_epoch", number="9", remainder_minor="-1")),
    Guard("running_round_guard", "jackpot_runninground", "UPDATE jackpot_runninground SET coins = '{}' WHERE ended_at IS NULL"),
    Guard("running_round_guard", "jackpot_runninground",
          "UPDATE jackpot_runninground SET ended_at = NULL, ended_as = '' WHERE ended_as = 'settled'",
          "DROP INDEX running_round_one_per_table"),
    Guard("running_round_ended", "jackpot_runninground", "UPDATE jackpot_runninground SET ended_at = now() WHERE ended_at IS NULL"),
    Guard("running_round_one_per_table", "jackpot_runninground",
          again("jackpot_runninground", "x.ended_at IS NULL", key="round_id")),
    Guard("contribution_sign", "jackpot_contribution", again("jackpot_contribution", "x.reverses_id IS NULL", coins="0")),
    Guard("contribution_sign", "jackpot_contribution",
          again("jackpot_contribution", "x.reverses_id IS NOT NULL", reverses_id="NULL")),
    Guard("jackpot_contribution_reverses_id_key", "jackpot_contribution",
          again("jackpot_contribution", "x.reverses_id IS NOT NULL")),
]  # fmt: skip
# Only there to be pointed at by a key of two columns; their first column alone is unique.
POINTED_AT = {"pit_of_house", "table_of_house", "table_session_of_table", "jackpot_of_house"}


@pytest.fixture
def link(played) -> Iterator[psycopg.Connection]:
    """The superuser, in a transaction that is rolled back; deferred checks are made at once."""
    with superuser(played.database) as connected, connected.transaction(force_rollback=True):
        connected.execute("SET CONSTRAINTS ALL IMMEDIATE")
        yield connected


def refused(link: psycopg.Connection, harm: str) -> str:
    """By what the harm is refused: the constraint's name, or the SQLSTATE; empty when it is done, and then it is taken back."""
    try:
        with link.transaction(force_rollback=True):
            for statement in harm.split("; "):
                link.execute(statement)
    except psycopg.Error as error:
        return error.diag.constraint_name or error.sqlstate
    return ""


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_guard_refuses_and_without_it_the_harm_is_done(link, guard):
    link.execute(ELSEWHERE)
    if guard.nets:
        link.execute(guard.nets)
    assert refused(link, guard.harm) == guard.name
    link.execute(guard.take_away)
    assert refused(link, guard.harm) == ""


ALONE = "SET LOCAL session_replication_role = replica"  # keys are not checked; what is ENABLE ALWAYS stands


@pytest.mark.parametrize("table", [one._meta.db_table for one in MODELS if issubclass(one, AppendOnly)])
@pytest.mark.parametrize("change", ["UPDATE {} SET house_id = house_id", "DELETE FROM {}"], ids=["update", "delete"])
def test_row_of_an_append_only_table_stays(link, table, change):
    harm = f"{ALONE}; {change.format(table)}"
    assert link.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    assert refused(link, harm) == "append_only"
    link.execute(f"ALTER TABLE {table} ENABLE TRIGGER append_only_row")
    assert refused(link, harm) == ""
    assert refused(link, change.format(table)) == "append_only"


@pytest.mark.parametrize("table", TABLES)
def test_table_is_not_emptied(link, table):
    for other in {*MONEY} - {table}:
        link.execute(f"ALTER TABLE {other} DISABLE TRIGGER append_only_truncate")
    assert refused(link, f"TRUNCATE {table} CASCADE") == "append_only"
    link.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_truncate")
    assert refused(link, f"TRUNCATE {table} CASCADE") == ""


CLOCKS = {one._meta.db_table: one._meta.get_field(one.clock).column for one in MODELS if one.clock}


@pytest.mark.parametrize(("table", "column"), CLOCKS.items(), ids=CLOCKS)
def test_row_is_dated_by_the_database(link, table, column):
    for guard in [name for (of, name) in declared.triggers() if of == table and name != "stamp"]:
        link.execute(f"ALTER TABLE {table} DISABLE TRIGGER {guard}")
    assert years_off(link, table, column) == 0
    link.execute(f"ALTER TABLE {table} DISABLE TRIGGER stamp")
    assert years_off(link, table, column) > 20


def years_off(link: psycopg.Connection, table: str, column: str) -> int:
    """How far from now a row stands that is written for a time of its writer's choice."""
    with link.transaction(force_rollback=True):
        link.execute(ALONE)
        link.execute(f"CREATE TEMPORARY TABLE row ON COMMIT DROP AS SELECT * FROM {table} LIMIT 1")
        link.execute(f"UPDATE row SET {column} = '2001-01-01'")
        link.execute(f"DELETE FROM {table}")
        link.execute(f"INSERT INTO {table} SELECT * FROM row")
        years = link.execute(f"SELECT extract(year FROM age(now(), {column})) FROM {table}").fetchone()[0]
    return int(years)


FORBIDDEN = [
    (table, right)
    for table, may in rights_by_table()
    for right in ("UPDATE", "DELETE", "TRUNCATE")
    if table.startswith(OURS) and right not in may
]
DO = {"UPDATE": "UPDATE {} SET house_id = house_id", "DELETE": "DELETE FROM {}", "TRUNCATE": "TRUNCATE {} CASCADE"}


@pytest.mark.parametrize(("table", "right"), FORBIDDEN, ids=[f"{right} {table}" for table, right in FORBIDDEN])
def test_app_role_lacks_the_right(link, table, right):
    """Without guards: the missing grant alone refuses."""
    link.execute(FREE)
    if right == "TRUNCATE":
        link.execute(f"GRANT TRUNCATE ON {', '.join({*MONEY} - {table})} TO saalchef_app")
    harm = f"{ALONE}; SET LOCAL ROLE saalchef_app; {DO[right].format(table)}"
    assert refused(link, harm) == "42501"
    link.execute(f"GRANT {right} ON {table} TO saalchef_app")
    assert refused(link, harm) == ""


def test_every_guard_has_a_control():
    """A new trigger, key or check without one fails here."""
    shown = {(guard.table, guard.name) for guard in GUARDS}
    of_base = {(table, name) for table in TABLES for name in ("append_only_row", "append_only_truncate", "stamp")}
    triggers = {place for place in declared.triggers() if place[0].startswith(OURS)}
    assert triggers - of_base == {place for place in shown if place in triggers}
    keys = {(table, name) for name, (table, _) in declared.in_files().keys.items() if table.startswith(OURS)}
    keys |= {(model._meta.db_table, one.name) for model in MODELS for one in model._meta.constraints}
    keys |= {
        (model._meta.db_table, f"{model._meta.db_table}_{field.column}_key")
        for model in MODELS
        for field in model._meta.local_concrete_fields
        if field.unique and not field.primary_key
    }
    assert {place for place in keys - shown if place[1] not in POINTED_AT} == set()
