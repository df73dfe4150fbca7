"""How control tests of guards are written: a guard is taken away, and the harm that it prevents is done.

All in one transaction, which is rolled back; deferred checks are made at once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from django.apps import apps
from django.db import models

from payouts.db import expected
from payouts.db.guards import rights_by_table
from tests.databases import superuser
from tests.tables.audits import FREE, MONEY

ALONE = "SET LOCAL session_replication_role = replica"  # keys are not checked; what is ENABLE ALWAYS stands
CHANGES = {"update": "UPDATE {0} SET {1} = {1}", "delete": "DELETE FROM {0}"}
RIGHTS = {"UPDATE": CHANGES["update"], "DELETE": CHANGES["delete"], "TRUNCATE": "TRUNCATE {0} CASCADE"}


@dataclass(frozen=True)
class Guard:
    """The name of a trigger or constraint and its table; the harm in SQL; what else stands before it and is taken away first."""

    name: str
    table: str
    harm: str
    nets: str = ""

    @property
    def take_away(self) -> str:
        if (self.table, self.name) in expected.triggers():
            return off(self.table, self.name)
        return (
            f"ALTER TABLE {self.table} DROP CONSTRAINT IF EXISTS {self.name} CASCADE; DROP INDEX IF EXISTS {self.name}"
        )


def off(table: str, *triggers: str) -> str:
    """SQL that takes triggers away."""
    return "; ".join(f"ALTER TABLE {table} DISABLE TRIGGER {name}" for name in triggers)


def again(table: str, where: str = "true", key: str = "id", **changes: str) -> str:
    """SQL that adds a row once more under another id, with some columns changed (SQL expressions)."""
    number = isinstance(
        next(one for one in apps.get_models() if one._meta.db_table == table)._meta.pk, models.BigAutoField
    )
    new = "10^9::bigint" if number else "gen_random_uuid()"
    pairs = ", ".join(f"'{name}', {value}" for name, value in ({key: new} | changes).items())
    return (
        f"INSERT INTO {table} SELECT (a).* FROM (SELECT jsonb_populate_record(x, jsonb_build_object({pairs})) AS a"
        f" FROM {table} x WHERE {where} ORDER BY x::text LIMIT 1) AS copied"
    )


@contextmanager
def rolled_back(database: str) -> Iterator[psycopg.Connection]:
    """The superuser, in a transaction that is rolled back; deferred checks are made at once."""
    with superuser(database) as connected, connected.transaction(force_rollback=True):
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


def _column(table: str) -> str:
    """One of a table's own columns that no sequence makes."""
    return "how" if table == "jackpot_incarnation" else "house_id"


# What stands at every table
def row_stays(link: psycopg.Connection, table: str, change: str) -> None:
    """A row of an append-only table neither changes nor goes, under replication too."""
    change = change.format(table, _column(table))
    harm = f"{ALONE}; {change}"
    assert link.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    assert refused(link, harm) == "append_only"
    link.execute(f"ALTER TABLE {table} ENABLE TRIGGER append_only_row")
    assert refused(link, harm) == ""
    assert refused(link, change) == "append_only"


def not_emptied(link: psycopg.Connection, table: str) -> None:
    """A table is not emptied."""
    for other in {*MONEY} - {table}:
        link.execute(off(other, "append_only_truncate"))
    assert refused(link, f"TRUNCATE {table} CASCADE") == "append_only"
    link.execute(off(table, "append_only_truncate"))
    assert refused(link, f"TRUNCATE {table} CASCADE") == ""


def dated_by_the_database(link: psycopg.Connection, table: str, column: str) -> None:
    """Its own clock says when a row was written."""
    for guard in [name for (of, name) in expected.triggers() if of == table and name != "stamp"]:
        link.execute(off(table, guard))
    assert years_off(link, table, column) == 0
    link.execute(off(table, "stamp"))
    assert years_off(link, table, column) > 20


def lacks_the_right(link: psycopg.Connection, table: str, right: str) -> None:
    """Without guards: the missing grant alone refuses the app role."""
    link.execute(FREE)
    if right == "TRUNCATE":
        others = {other for other, _ in rights_by_table()} - {table}
        link.execute(f"GRANT TRUNCATE ON {', '.join(others)} TO saalchef_app")
    harm = f"{ALONE}; SET LOCAL ROLE saalchef_app; {RIGHTS[right].format(table, _column(table))}"
    assert refused(link, harm) == "42501"
    link.execute(f"GRANT {right} ON {table} TO saalchef_app")
    assert refused(link, harm) == ""


def money_models(app: str) -> list[type[models.Model]]:
    """The defended models of an app."""
    return [model for model in apps.get_models() if model._meta.app_label == app and model._meta.db_table in MONEY]


def forbidden(app: str) -> list[tuple[str, str]]:
    """What the app role may not do, by table and right."""
    ours = {model._meta.db_table for model in money_models(app)}
    return [
        (table, right) for table, may in rights_by_table() for right in RIGHTS if table in ours and right not in may
    ]


def without_control(app: str, guards: Sequence[Guard], pointed_at: set[str]) -> set[tuple[str, str]]:
    """Triggers, keys and checks of an app's tables that no control is about; and controls about triggers that are not."""
    ours = {model._meta.db_table: model for model in money_models(app)}
    shown = {(guard.table, guard.name) for guard in guards}
    of_base = {(table, name) for table in ours for name in ("append_only_row", "append_only_truncate", "stamp")}
    there = {place for place in expected.triggers() if place[0] in ours} - of_base
    there |= {(table, name) for name, (table, _) in expected.in_files().keys.items() if table in ours}
    there |= {(table, one.name) for table, model in ours.items() for one in model._meta.constraints}
    there |= {
        (table, f"{table}_{field.column}_key")
        for table, model in ours.items()
        for field in model._meta.local_concrete_fields
        if field.unique and not field.primary_key
    }
    return {place for place in there - shown if place[1] not in pointed_at}
