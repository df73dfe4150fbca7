"""What the database itself defends, put in place after every migration and read back by the start-up check.

Each model says what the app role may do with its table (`payouts.models.base`); a model that says nothing is an ordinary table. So
a new money table is defended by its base class, and nobody has to remember a list.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from payouts.models import AppendOnly, Guarded

ORDINARY = ("SELECT", "INSERT", "UPDATE", "DELETE")
FUNCTIONS = (
    "ledger_post_v1(uuid, uuid, date, jsonb, int[], bigint[], bigint[], text[])",
    "command_claim_v1(text, bytea, int)",
    "command_answer_v1(text, jsonb)",
)
# The guards that hang on one table each; the rest follows from a model's base class.
TRIGGERS = {
    ("payouts_entry", "entries_sum_to_zero"),
    ("payouts_transfer", "transfer_has_entries"),
    ("payouts_account", "account_guard"),
    ("payouts_commandkey", "command_key_guard"),
    ("payouts_commandkey", "command_key_answered"),
    ("payouts_approval", "approval_begin"),
    ("payouts_approval", "approval_guard"),
    ("payouts_approvalrule", "approval_rule_guard"),
    ("payouts_approvalsignature", "approval_signature_guard"),
    ("payouts_postedtable", "posted_table_guard"),
}


def defend(using: BaseDatabaseWrapper) -> None:
    """Install append-only triggers and the app role's grants for every table. Runs as the owner role; may be repeated."""
    app_role = using.ops.quote_name(settings.DATABASES["default"]["USER"])
    with (
        transaction.atomic(using.alias),
        using.cursor() as cursor,
    ):  # a house that serves meanwhile never misses a right
        cursor.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {app_role}")
        for table, may, append_only, guarded in _tables(using):
            if append_only:
                cursor.execute("SELECT make_append_only_v1(%s)", [table])
            if guarded:
                cursor.execute("SELECT refuse_truncate_v1(%s)", [table])
            cursor.execute(f"GRANT {', '.join(may)} ON {using.ops.quote_name(table)} TO {app_role}")
        cursor.execute(f"REVOKE CREATE ON SCHEMA public FROM PUBLIC, {app_role}")
        # A temporary table could stand in for one of ours wherever a name is looked up.
        cursor.execute(
            f"REVOKE TEMPORARY ON DATABASE {using.ops.quote_name(using.settings_dict['NAME'])} FROM PUBLIC, {app_role}"
        )
        for function in FUNCTIONS:
            cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
            cursor.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {app_role}")


def _tables(using: BaseDatabaseWrapper) -> Iterator[tuple[str, tuple[str, ...], bool, bool]]:
    present = set(using.introspection.table_names())
    for model in apps.get_models(include_auto_created=True):
        table = model._meta.db_table
        if table in present and model._meta.managed:
            yield table, getattr(model, "app_may", ORDINARY), issubclass(model, AppendOnly), issubclass(model, Guarded)
    if "django_migrations" in present:
        yield "django_migrations", ("SELECT",), False, False


def defend_after_migrate(sender: object, using: str, plan: object, **_: Any) -> None:
    """Signal handler of `post_migrate`: sent once per app, acted on once, for the last one."""
    from django.db import connections

    if getattr(sender, "name", "") == "payouts" and "payouts_house" in connections[using].introspection.table_names():
        defend(connections[using])


def expected_triggers() -> set[tuple[str, str]]:
    """Every (table, trigger) that must be there and ENABLE ALWAYS."""
    expected = set(TRIGGERS)
    for model in apps.get_models():
        if issubclass(model, AppendOnly):
            expected |= {(model._meta.db_table, "append_only_row"), (model._meta.db_table, "append_only_truncate")}
        if issubclass(model, Guarded):
            expected.add((model._meta.db_table, "append_only_truncate"))
    return expected


def missing_guards() -> list[str]:
    """The guards that are missing, disabled or passed by replication sessions, as `table.trigger`; empty when all stand."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE t.tgenabled = 'A' AND c.relnamespace = 'public'::regnamespace"
        )
        return sorted(f"{table}.{trigger}" for table, trigger in expected_triggers() - set(cursor.fetchall()))


def needless_rights() -> list[str]:
    """Rights of the serving role beyond what the models say, as `table: RIGHT`; empty when it has no more than it needs."""
    allowed = {table: may for table, may, _, _ in _tables(connection)}
    found = []
    with connection.cursor() as cursor:
        for right in ("INSERT", "UPDATE", "DELETE", "TRUNCATE"):
            cursor.execute(
                "SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace"
                " AND has_table_privilege(c.oid, %s) ORDER BY c.relname",
                [right],
            )
            found += [f"{table}: {right}" for (table,) in cursor.fetchall() if right not in allowed.get(table, ())]
        cursor.execute(
            "SELECT has_database_privilege(current_database(), 'TEMPORARY'), has_schema_privilege('public', 'CREATE')"
        )
        found += [
            name
            for held, name in zip(cursor.fetchone(), ("database: TEMPORARY", "schema: CREATE"), strict=True)
            if held
        ]
    return found


def is_money_model(model: type[models.Model]) -> bool:
    """Whether a model's rows are defended by the database (and so read-only in the admin)."""
    return issubclass(model, AppendOnly | Guarded)
