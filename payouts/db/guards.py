"""What the database itself defends, put in place after every migration, and read back at start and
by each audit.

Each model says what the app role may do with its table (`payouts.models.base`); a model that says
nothing is an ordinary table. So a new money table is defended by its base class, and nobody has to
remember a list. What must stand: `payouts/db/expected.py`.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from payouts.db import expected as declared

ORDINARY = ("SELECT", "INSERT", "UPDATE", "DELETE")
FUNCTIONS = (
    "ledger_post_v1(uuid, uuid, date, jsonb, int[], bigint[], bigint[], text[])",
    "command_answer_v2(text, bytea, jsonb)",
    "command_forget_v1(integer)",
    "jackpot_turn_v1()",
)


def defend(using: BaseDatabaseWrapper) -> None:
    """Put in place what each model's base class asks for, and the app role's grants. Runs as the
    owner role; may be repeated.
    """
    app_role = using.ops.quote_name(settings.DATABASES["default"]["USER"])
    present = set(using.introspection.table_names(include_views=True))
    with (
        transaction.atomic(using.alias),
        using.cursor() as cursor,
    ):  # a house that serves meanwhile never misses a right
        cursor.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {app_role}")
        cursor.execute(f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, {app_role}")
        for table, may in rights_by_table():
            if table in present:
                cursor.execute(
                    f"GRANT {', '.join(may)} ON {using.ops.quote_name(table)} TO {app_role}"
                )
        standing = _triggers_standing(cursor)
        for model in declared.defended():
            if model._meta.db_table in present:
                _put_triggers(cursor, declared.by_base_class(model), standing)
                _check_references_at_once(cursor, model._meta.db_table)
        cursor.execute(f"REVOKE CREATE ON SCHEMA public FROM PUBLIC, {app_role}")
        # A temporary table could stand in for one of ours wherever a name is looked up.
        cursor.execute(
            f"REVOKE TEMPORARY ON DATABASE {using.ops.quote_name(using.settings_dict['NAME'])} FROM"
            f" PUBLIC, {app_role}"
        )
        _let_seal(cursor, using, present)
        for function in FUNCTIONS:
            cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
            cursor.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {app_role}")


def _let_seal(cursor: CursorWrapper, using: BaseDatabaseWrapper, present: set[str]) -> None:
    """What the role that writes seals may: read what is sealed, and the approvals by which seals go
    on after a restore; write seals.
    """
    role = str(settings.SEALER.get("USER", ""))
    # The owner would take its own rights, by which the books' functions work.
    cursor.execute(
        "SELECT FROM pg_roles WHERE rolname = %s AND NOT pg_has_role(current_user, oid, 'MEMBER')",
        [role],
    )
    if not cursor.fetchall() or role == settings.DATABASES["default"]["USER"]:
        return  # the worker says so when it starts
    sealer = using.ops.quote_name(role)
    cursor.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {sealer}")
    for model in apps.get_models():
        may = ("SELECT", *getattr(model, "sealer_may", ()))
        if model._meta.db_table in present and hasattr(model, "sealed"):
            table = using.ops.quote_name(model._meta.db_table)
            cursor.execute(f"GRANT {', '.join(may)} ON {table} TO {sealer}")


def _put_triggers(
    cursor: CursorWrapper, wanted: dict[tuple[str, str], str], standing: dict[tuple[str, str], str]
) -> None:
    for (table, name), text in wanted.items():
        if standing.get((table, name)) != text:
            cursor.execute(text.replace("CREATE ", "CREATE OR REPLACE ", 1))
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def _check_references_at_once(cursor: CursorWrapper, table: str) -> None:
    """Have a foreign key refuse at its statement, where the refusal can still be told, and give it
    a name that can be foretold.

    Django makes foreign keys deferred, under names with a hash. It finds them by their columns when
    it changes them, and asks for DEFERRABLE ones.
    """
    cursor.execute(
        "SELECT k.conname, a.attname FROM pg_constraint k JOIN pg_attribute a ON (a.attrelid,"
        " a.attnum) = (k.conrelid, k.conkey[1]) WHERE k.conrelid = %s::regclass AND k.contype = 'f'"
        " AND k.condeferred",
        [table],
    )
    for name, column in cursor.fetchall():
        cursor.execute(
            f'ALTER TABLE {table} ALTER CONSTRAINT "{name}" DEFERRABLE INITIALLY IMMEDIATE'
        )
        cursor.execute(
            f'ALTER TABLE {table} RENAME CONSTRAINT "{name}" TO'
            f' "{declared.reference(table, column)}"'
        )


def rights_by_table() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every table and view with what the app role may do with it."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed or hasattr(model, "app_may"):
            yield model._meta.db_table, getattr(model, "app_may", ORDINARY)
    yield "django_migrations", ("SELECT",)


def defend_after_migrate(sender: object, using: str, plan: object, **_: Any) -> None:
    """Signal handler of `post_migrate`: sent once per app, acted on once, for the last one."""
    from django.db import connections

    if (
        getattr(sender, "name", "") == "payouts"
        and "payouts_house" in connections[using].introspection.table_names()
    ):
        defend(connections[using])


def missing_guards() -> list[str]:
    """What defends the books and is missing, off, changed or not ours; empty when all stands as
    declared.

    Triggers as `table.trigger`, functions as `name()`, keys and checks as `table: what`.
    """
    with connection.cursor() as cursor:
        return [*_wrong_triggers(cursor), *_wrong_functions(cursor), *_wrong_constraints(cursor)]


def _triggers_standing(cursor: CursorWrapper) -> dict[tuple[str, str], str]:
    """Text of each trigger; one that replication sessions pass, or that is off, shows how it is set
    instead.
    """
    cursor.execute(
        "SELECT c.relname, t.tgname, CASE t.tgenabled WHEN 'A' THEN pg_get_triggerdef(t.oid) ELSE"
        " t.tgenabled::text END FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT"
        " t.tgisinternal AND c.relnamespace = 'public'::regnamespace"
    )
    return {
        (table, trigger): declared.trigger_text(text) for table, trigger, text in cursor.fetchall()
    }


def _wrong_triggers(cursor: CursorWrapper) -> list[str]:
    expected, standing = declared.triggers(), _triggers_standing(cursor)
    ours = [model._meta.db_table for model in declared.defended()]
    wrong = {
        f"{table}.{name}"
        for (table, name), text in expected.items()
        if standing.get((table, name)) != text
    }
    wrong |= {
        f"{table}.{name}: not ours"
        for table, name in standing.keys() - expected.keys()
        if table in ours
    }
    # What else could swallow a row that is written, or hide one from whoever looks.
    cursor.execute(
        "SELECT c.relname, r.rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE"
        " c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace UNION ALL SELECT"
        " relname, 'row level security' FROM pg_class WHERE relrowsecurity AND relnamespace ="
        " 'public'::regnamespace"
    )
    return sorted(wrong | {f"{table}.{name}: not ours" for table, name in cursor.fetchall()})


def _wrong_functions(cursor: CursorWrapper) -> list[str]:
    expected = declared.in_files().functions
    cursor.execute(
        "SELECT p.proname, l.lanname, p.prosecdef, p.proisstrict, p.provolatile::text,"
        " coalesce(p.proconfig, '{}'), p.prosrc FROM pg_proc p JOIN pg_language l ON l.oid ="
        " p.prolang WHERE p.pronamespace = 'public'::regnamespace AND p.proname = ANY (%s)",
        [list(expected)],
    )
    found: dict[str, list[declared.Function]] = {name: [] for name in expected}
    for name, language, definer, strict, volatility, config, body in cursor.fetchall():
        found[name].append(
            declared.Function(language, definer, strict, volatility, tuple(config), body)
        )
    return sorted(f"{name}()" for name, function in expected.items() if found[name] != [function])


# Keys that are whole, checked at once, and whose triggers are on. By their columns; what a CHECK
# says about them is not compared.
CONSTRAINTS = """
    WITH columns AS (
        SELECT attrelid, attnum, attname, attnotnull FROM pg_attribute WHERE attnum > 0
            AND NOT attisdropped
    )
    SELECT t.relname, k.conname, CASE k.contype
        WHEN 'c' THEN 'check (' || string_agg(c.attname, ', ' ORDER BY c.attname) || ')'
        ELSE 'foreign key (' || string_agg(c.attname, ', '
            ORDER BY key.place) || ') to ' || other.relname END
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid LEFT JOIN pg_class other
        ON other.oid = k.confrelid
    CROSS JOIN unnest(k.conkey) WITH ORDINALITY AS key (attnum, place)
    JOIN columns c ON (c.attrelid, c.attnum) = (t.oid, key.attnum)
    WHERE t.relnamespace = 'public'::regnamespace AND k.contype IN ('c', 'f') AND k.convalidated
        AND NOT k.condeferred
        AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgconstraint = k.oid
            AND g.tgenabled NOT IN ('O', 'A'))
    GROUP BY t.relname, k.conname, k.contype, other.relname
    UNION ALL
    SELECT t.relname, i.relname, 'unique (' || string_agg(c.attname, ', ' ORDER BY key.place) || ')'
        || CASE WHEN x.indnullsnotdistinct THEN ' nulls not distinct' ELSE '' END
        || CASE WHEN x.indpred IS NOT NULL THEN ' where' ELSE '' END
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    CROSS JOIN unnest(x.indkey::int2[]) WITH ORDINALITY AS key (attnum, place)
    -- what it includes is no key
    JOIN columns c ON (c.attrelid, c.attnum) = (t.oid, key.attnum) AND key.place <= x.indnkeyatts
    WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique AND x.indisvalid
        AND x.indimmediate
    GROUP BY t.relname, i.relname, x.indnullsnotdistinct, x.indpred IS NOT NULL
    UNION ALL
    SELECT t.relname, c.attname, 'not null ' || c.attname FROM columns c JOIN pg_class t
        ON t.oid = c.attrelid
    WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND c.attnotnull
"""


def _wrong_constraints(cursor: CursorWrapper) -> list[str]:
    cursor.execute(CONSTRAINTS)
    found = set()
    for table, name, what in cursor.fetchall():
        found |= {f"{table}: {what}", f"{table}: {name} {what}", f"{table}: {name}"}
    return sorted(declared.constraints() - found)
