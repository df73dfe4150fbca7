"""Whatever the serving role may do beyond what the models say is found and named."""

import pytest
from django.db import connection

from payouts.db import guards, rights
from tests.databases import superuser

APP = "saalchef_app"
# What somebody grants, and what is found then. What a role is and owns: tests/casino/ops/test_checks.py.
GRANTS = {
    f"GRANT UPDATE (amount_minor) ON payouts_entry TO {APP}": "payouts_entry.amount_minor: UPDATE",
    "GRANT INSERT (note) ON payouts_entry TO PUBLIC": "payouts_entry.note: INSERT",
    f"GRANT INSERT (balance_minor) ON payouts_account TO {APP}": "payouts_account.balance_minor: INSERT",
    f"GRANT TRIGGER ON payouts_entry TO {APP}": "payouts_entry: TRIGGER",
    f"GRANT REFERENCES ON payouts_entry TO {APP}": "payouts_entry: REFERENCES",
    f"GRANT TRUNCATE ON payouts_entry TO {APP}": "payouts_entry: TRUNCATE",
    "GRANT DELETE ON payouts_event TO PUBLIC": "payouts_event: DELETE",
    f"GRANT INSERT ON payouts_event TO {APP} WITH GRANT OPTION": "payouts_event: INSERT WITH GRANT OPTION",
    f"GRANT SELECT ON payouts_entry TO {APP} WITH GRANT OPTION": "payouts_entry: SELECT WITH GRANT OPTION",
    f"GRANT UPDATE ON SEQUENCE payouts_entry_id_seq TO {APP}": "payouts_entry_id_seq: UPDATE",
    "CREATE SCHEMA other; CREATE VIEW other.entries AS SELECT * FROM payouts_entry;"
    f" GRANT SELECT, UPDATE ON other.entries TO {APP}": "other.entries: UPDATE",
    f"GRANT CREATE, USAGE ON SCHEMA other TO {APP}": "schema other: CREATE",
    "GRANT CREATE ON SCHEMA public TO PUBLIC": "schema public: CREATE",
    "GRANT CREATE ON DATABASE {database} TO PUBLIC": "database: CREATE",
    f"GRANT TEMPORARY ON DATABASE {{database}} TO {APP}": "database: TEMPORARY",
    "CREATE FUNCTION pay() RETURNS void LANGUAGE sql SECURITY DEFINER AS ''": "pay(): EXECUTE",
    "CREATE FUNCTION other.pay() RETURNS void LANGUAGE sql SECURITY DEFINER AS ''": "other.pay(): EXECUTE",
    f"GRANT EXECUTE ON FUNCTION pg_read_file(text) TO {APP}": "pg_read_file(text): EXECUTE",
    f"GRANT EXECUTE ON FUNCTION command_answer_v2 TO {APP} WITH GRANT OPTION": (
        "command_answer_v2(text,bytea,jsonb): EXECUTE WITH GRANT OPTION"
    ),
}


def test_every_right_too_many_is_found_and_named(own_database: str) -> None:
    found: set[str] = set()
    assert rights.needless_rights() == []
    with superuser(own_database) as link:
        for grant, named in GRANTS.items():
            link.execute(grant.replace("{database}", own_database))
            now = set(rights.needless_rights())
            assert now - found == {named}, grant
            found = now


def test_what_harms_nobody_is_not_named(own_database: str) -> None:
    """Reading, and functions that do no more than their caller could."""
    with superuser(own_database) as link:
        link.execute("CREATE FUNCTION add(int, int) RETURNS int LANGUAGE sql AS 'SELECT $1 + $2'")
        link.execute(f"CREATE VIEW entries AS SELECT * FROM payouts_entry; GRANT SELECT ON entries TO {APP}")
        link.execute(f"GRANT SELECT (note) ON payouts_entry TO {APP}")
    assert rights.needless_rights() == []


def test_right_to_pass_the_triggers_is_found(own_database: str) -> None:
    """With it, and triggers that are not ENABLE ALWAYS, a session would write what it likes."""
    with superuser(own_database) as link:
        try:
            link.execute(f"GRANT SET ON PARAMETER session_replication_role TO {APP}")
            assert rights.needless_rights() == ["parameter session_replication_role: SET"]
            with connection.cursor() as cursor:
                cursor.execute("SET session_replication_role = replica")
        finally:
            link.execute(f"REVOKE SET ON PARAMETER session_replication_role FROM {APP}")
    connection.close()
    assert rights.needless_rights() == []
    with connection.cursor() as cursor, pytest.raises(Exception, match="permission denied to set parameter"):
        cursor.execute("SET session_replication_role = replica")


def test_each_membership_is_found(own_database: str) -> None:
    with superuser(own_database) as link:
        try:
            link.execute(f"CREATE ROLE other; GRANT pg_write_all_data TO other; GRANT other TO {APP}")
            assert rights.powers() == ["a member of other", "a member of pg_write_all_data"]
            link.execute("GRANT UPDATE ON payouts_entry TO other")
            assert rights.needless_rights() == ["payouts_entry: UPDATE"]
        finally:
            link.execute("DROP OWNED BY other; DROP ROLE other")
    assert rights.powers() == []


@pytest.mark.parametrize(
    ("make", "named"),
    [
        ("CREATE SCHEMA mine AUTHORIZATION saalchef_app", "schema mine"),
        ("CREATE VIEW mine AS SELECT 1; ALTER VIEW mine OWNER TO saalchef_app", "view mine"),
        ("ALTER TYPE mood OWNER TO saalchef_app", "type mood"),
    ],
)
def test_what_is_owned_is_found(own_database: str, make: str, named: str) -> None:
    with superuser(own_database) as link:
        link.execute("CREATE TYPE mood AS ENUM ('glad')")
        link.execute(make)
    assert rights.owned() == [named]


def test_migrating_takes_back_what_was_granted(own_database: str) -> None:
    from django.db import connections

    from tests.databases import owner

    with superuser(own_database) as link:
        link.execute(f"GRANT UPDATE (note), DELETE ON payouts_entry TO {APP}; GRANT INSERT ON payouts_entry TO PUBLIC")
        link.execute(
            f"GRANT ALL ON SEQUENCE payouts_entry_id_seq TO {APP}; GRANT INSERT ON payouts_event TO {APP} WITH GRANT OPTION"
        )
        link.execute("ALTER TABLE payouts_event DISABLE TRIGGER append_only_row; DROP TRIGGER stamp ON payouts_event")
    assert len(rights.needless_rights()) == 6
    assert guards.missing_guards() == ["payouts_event.append_only_row", "payouts_event.stamp"]
    using = connections["default"]
    with owner(own_database) as link:
        using.close()
        serving, using.settings_dict = using.settings_dict, using.settings_dict | {"USER": link.info.user}
        try:
            guards.defend(using)
        finally:
            using.close()
            using.settings_dict = serving
    assert rights.needless_rights() == []
    assert guards.missing_guards() == []
