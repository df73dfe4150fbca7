"""Each thing that makes a database unsafe is found and named, and a sound one passes."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import NotSupportedError, connection
from django.db.backends.postgresql.base import DatabaseWrapper

from casino.ops import checks
from casino.ops.checks import Unsafe, unsafe_database
from tests.casino.ops.own_servers import wait_for
from tests.casino.people import people
from tests.cast import make_house
from tests.databases import superuser

APP, OWNER = "saalchef_app", "saalchef_owner"


@contextmanager
def changed(change: str, back: str = "") -> Iterator[None]:
    """A change that the superuser makes to this test's database, or to the server; taken back afterwards."""
    with superuser() as link:
        try:
            link.execute(change)
            connection.close()
            yield
        finally:
            connection.close()
            if back:
                link.execute(back)


def codes(found: list[Unsafe]) -> list[str]:
    return [unsafe.code for unsafe in found]


def test_sound_database_is_safe(left_whole: str) -> None:
    assert unsafe_database() == []


ROLE = f"ALTER ROLE {APP}"
FUNCTION = "ALTER FUNCTION command_answer_v2(text, bytea, jsonb) OWNER TO"
LAST = dict(checks.last_migrations())["casino"]
OF_ENTRIES, OF_EVENTS = "payouts_entry.entries_sum_to_zero", "payouts_event.append_only_row"
# What somebody does, how it is taken back, which reason must be given, and what it must name.
HARMS = [
    (f"{ROLE} SUPERUSER", f"{ROLE} NOSUPERUSER", "role_too_strong", "SUPERUSER"),
    (f"{ROLE} CREATEROLE", f"{ROLE} NOCREATEROLE", "role_too_strong", "CREATEROLE"),
    (f"{ROLE} BYPASSRLS", f"{ROLE} NOBYPASSRLS", "role_too_strong", "BYPASSRLS"),
    (f"{ROLE} REPLICATION", f"{ROLE} NOREPLICATION", "role_too_strong", "REPLICATION"),
    (
        f"GRANT pg_write_all_data TO {APP}",
        f"REVOKE pg_write_all_data FROM {APP}",
        "role_too_strong",
        "pg_write_all_data",
    ),
    (f"GRANT saalchef_super TO {APP}", f"REVOKE saalchef_super FROM {APP}", "role_too_strong", "SUPERUSER"),
    (f"GRANT {OWNER} TO {APP}", f"REVOKE {OWNER} FROM {APP}", "role_owns", "the database"),
    (
        f"ALTER TABLE payouts_entry OWNER TO {APP}",
        f"ALTER TABLE payouts_entry OWNER TO {OWNER}; GRANT SELECT ON payouts_entry TO {APP}",
        "role_owns",
        "payouts_entry",
    ),
    (
        f"ALTER SCHEMA public OWNER TO {APP}",
        "ALTER SCHEMA public OWNER TO pg_database_owner; GRANT USAGE ON SCHEMA public TO PUBLIC",
        "role_owns",
        "the schema public",
    ),
    (
        f"{FUNCTION} {APP}",
        f"{FUNCTION} {OWNER}; GRANT EXECUTE ON FUNCTION command_answer_v2 TO {APP}",
        "role_owns",
        "answer",
    ),
    (
        "ALTER TABLE payouts_event DISABLE TRIGGER append_only_row",
        "ALTER TABLE payouts_event ENABLE ALWAYS TRIGGER append_only_row",
        "unguarded",
        OF_EVENTS,
    ),
    (
        "ALTER TABLE payouts_event ENABLE TRIGGER append_only_row",
        "ALTER TABLE payouts_event ENABLE ALWAYS TRIGGER append_only_row",
        "unguarded",
        OF_EVENTS,
    ),
    (
        "ALTER TRIGGER entries_sum_to_zero ON payouts_entry RENAME TO other",
        "ALTER TRIGGER other ON payouts_entry RENAME TO entries_sum_to_zero",
        "unguarded",
        OF_ENTRIES,
    ),
    (
        f"GRANT UPDATE ON payouts_entry TO {APP}",
        f"REVOKE UPDATE ON payouts_entry FROM {APP}",
        "needless_rights",
        "payouts_entry: UPDATE",
    ),
    (
        f"UPDATE django_migrations SET name = 'other' WHERE app = 'casino' AND name = '{LAST}'",
        f"UPDATE django_migrations SET name = '{LAST}' WHERE name = 'other'",
        "unmigrated",
        f"casino.{LAST}",
    ),
    (
        "ALTER TABLE django_migrations RENAME TO other",
        "ALTER TABLE other RENAME TO django_migrations",
        "unmigrated",
        "admin.",
    ),
]


@pytest.mark.parametrize(("change", "back", "code", "named"), HARMS, ids=[harm[0] for harm in HARMS])
def test_harm_is_found_and_named(left_whole: str, change: str, back: str, code: str, named: str) -> None:
    with changed(change, back):
        found = {unsafe.code: unsafe for unsafe in unsafe_database()}
        assert f"database.{code}" in found
        assert named in found[f"database.{code}"].sentence
        assert found[f"database.{code}"].remedy
    assert unsafe_database() == []


@pytest.mark.parametrize("value", ["off", "local", "remote_write"])
def test_commit_that_may_be_lost_is_refused(left_whole: str, value: str) -> None:
    alter = f'ALTER DATABASE "{left_whole}"'
    with changed(f"{alter} SET synchronous_commit = {value}", f"{alter} RESET synchronous_commit"):
        [found] = unsafe_database()
    assert (found.code, value in found.sentence) == ("database.synchronous_commit", True)


def test_commit_that_waits_for_the_standby_to_show_it_is_fine(left_whole: str) -> None:
    alter = f'ALTER DATABASE "{left_whole}"'
    with changed(f"{alter} SET synchronous_commit = remote_apply", f"{alter} RESET synchronous_commit"):
        assert unsafe_database() == []


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_server_that_may_lose_commits_is_refused(left_whole: str, setting: str) -> None:
    def found() -> list[str]:
        connection.close()
        return codes(unsafe_database())

    with superuser() as link:
        try:
            link.execute(f"ALTER SYSTEM SET {setting} = off")
            link.execute("SELECT pg_reload_conf()")
            wait_for(lambda: found() == [f"database.{setting}"], 10)
        finally:
            link.execute(f"ALTER SYSTEM RESET {setting}")
            link.execute("SELECT pg_reload_conf()")
    wait_for(lambda: found() == [], 10)


def test_old_postgresql_is_refused(left_whole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseWrapper, "pg_version", property(lambda _: 140_012))
    assert codes(unsafe_database()) == ["database.too_old"]


def test_postgresql_too_old_for_django_is_refused(left_whole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object) -> None:
        raise NotSupportedError("PostgreSQL 14 or later is required (found 13).")

    connection.close()
    monkeypatch.setattr(DatabaseWrapper, "pg_version", property(refuse))
    assert codes(unsafe_database()) == ["database.too_old"]


def test_demo_people_are_served_in_demo_mode_only(own_database: str, settings) -> None:
    settings.DEMO = True
    people.make(make_house(), is_demo=True)
    assert unsafe_database() == []
    settings.DEMO = False
    assert codes(unsafe_database()) == ["demo.people"]


def test_every_reason_is_given_at_once(own_database: str) -> None:
    with changed(
        f'ALTER TABLE payouts_event DISABLE TRIGGER append_only_row; ALTER DATABASE "{own_database}" SET synchronous_commit = off;'
        f"ALTER FUNCTION command_answer_v2(text, bytea, jsonb) OWNER TO {APP}"
    ):
        assert codes(unsafe_database()) == [
            "database.synchronous_commit",
            "database.role_owns",
            "database.unguarded",
        ]


def test_long_list_is_cut() -> None:
    assert checks._named(["a", "b", "c"]) == "a, b, c"
    assert checks._named(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


def test_check_command_tells_the_same(left_whole: str) -> None:
    call_command("check", databases=["default"])
    with changed(f"GRANT UPDATE ON payouts_entry TO {APP}", f"REVOKE UPDATE ON payouts_entry FROM {APP}"):
        with pytest.raises(SystemCheckError, match=r"casino.database.needless_rights.*payouts_entry: UPDATE"):
            call_command("check", databases=["default"])
        call_command("check")  # without a database named, none is asked


def test_check_command_says_that_the_database_is_away(left_whole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    with pytest.raises(SystemCheckError, match=r"casino.database.unreachable"):
        call_command("check", databases=["default"])


def test_migrating_is_for_the_owner_but_not_on_a_server_that_may_lose_commits(left_whole: str) -> None:
    call_command("migrate", verbosity=0, skip_checks=False)
    with (
        changed(f"ALTER ROLE {OWNER} SET synchronous_commit = off", f"ALTER ROLE {OWNER} RESET synchronous_commit"),
        pytest.raises(SystemCheckError, match=r"casino.database.synchronous_commit"),
    ):
        call_command("migrate", verbosity=0, skip_checks=False)
