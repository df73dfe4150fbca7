"""What the serving role is, owns and may do beyond what the models say. Asked at start and by each
audit.

Asked of the session's user, since whoever can speak SQL can go back to them by RESET ROLE. Being a
member counts as being it.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from payouts.db.guards import FUNCTIONS, rights_by_table

POWERS = """
    SELECT concat_ws(', ',
        CASE WHEN rolsuper THEN 'SUPERUSER' END, CASE WHEN rolcreaterole THEN 'CREATEROLE' END,
        CASE WHEN rolbypassrls THEN 'BYPASSRLS' END, CASE WHEN rolreplication
            THEN 'REPLICATION' END,
        CASE WHEN rolname <> session_user THEN 'a member of ' || rolname END)
    FROM pg_roles
    WHERE pg_has_role(session_user, oid, 'MEMBER') AND rolname <> 'pg_database_owner'
        AND (rolname <> session_user OR rolsuper OR rolcreaterole OR rolbypassrls OR rolreplication)
    ORDER BY 1
"""
# The owner of a table switches its triggers off, the owner of a function rewrites it, the owner of
# schema or database drops all.
OWNED = """
    SELECT 1, 'the database' FROM pg_database
        WHERE datname = current_database() AND pg_has_role(session_user, datdba, 'MEMBER')
    UNION ALL SELECT 2, 'the schema public' FROM pg_namespace
        WHERE nspname = 'public' AND pg_has_role(session_user, nspowner, 'MEMBER')
    UNION ALL SELECT 3, pg_describe_object(classid, objid, objsubid) FROM pg_shdepend
        WHERE deptype = 'o' AND dbid = (SELECT oid FROM pg_database
            WHERE datname = current_database())
            AND refclassid = 'pg_authid'::regclass AND pg_has_role(session_user, refobjid, 'MEMBER')
            AND (classid, objid) <> ('pg_namespace'::regclass, 'public'::regnamespace)
    ORDER BY 1, 2
"""
# Whatever was granted to the role, to one that it is a member of, or to everybody. Left out:
# reading, and what everybody may call that does no more than its caller could.
HELD = """
    WITH own AS (SELECT oid, nspname, nspacl FROM pg_namespace WHERE nspname !~ '^pg_'
        AND nspname <> 'information_schema'),
    granted (thing, acl, harmless, by_all) AS (
        SELECT c.oid::regclass::text, c.relacl, 'SELECT', true FROM pg_class c JOIN own
            ON own.oid = c.relnamespace
        UNION ALL SELECT c.oid::regclass || '.' || a.attname, a.attacl, 'SELECT', true
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN own
                ON own.oid = c.relnamespace
        UNION ALL SELECT 'schema ' || nspname, nspacl, 'USAGE', true FROM own
        UNION ALL SELECT 'database', coalesce(datacl, acldefault('d', datdba)), 'CONNECT', true
            FROM pg_database WHERE datname = current_database()
        UNION ALL SELECT 'parameter ' || parname, paracl, '', true FROM pg_parameter_acl
        UNION ALL SELECT p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner)),
            '', p.prosecdef FROM pg_proc p
            WHERE p.prosecdef OR p.proacl IS NOT NULL
    )
    SELECT DISTINCT thing, privilege_type, is_grantable FROM granted CROSS JOIN aclexplode(acl)
    WHERE CASE WHEN grantee = 0 THEN by_all ELSE pg_has_role(session_user, grantee, 'MEMBER') END
        AND (is_grantable OR privilege_type <> harmless)
    ORDER BY thing, privilege_type
"""
DECLARED_FUNCTIONS = "SELECT to_regprocedure(name)::text FROM unnest(%s::text[]) AS name"


def powers() -> list[str]:
    """Attributes and memberships that a serving role must not have."""
    return [power for (power,) in _rows(POWERS)]


def owned() -> list[str]:
    """What the serving role owns, or may come to own, in this database."""
    return [thing for _, thing in _rows(OWNED)]


def needless_rights() -> list[str]:
    """Rights of the serving role beyond what the models say, as `thing: RIGHT`; empty when it has
    no more than it needs.
    """
    allowed = _allowed()
    return [
        f"{thing}: {right}{' WITH GRANT OPTION' if grantable else ''}"
        for thing, right, grantable in _rows(HELD)
        if grantable or (thing, right) not in allowed
    ]


def _allowed() -> set[tuple[str, str]]:
    allowed = {
        (function, "EXECUTE") for (function,) in _rows(DECLARED_FUNCTIONS, [list(FUNCTIONS)])
    }
    for table, may in rights_by_table():
        for right in may:
            # "INSERT (house_id, kind)" is a right to columns
            name, _, columns = right.rstrip(")").partition(" (")
            allowed |= {
                (f"{table}.{column}" if column else table, name) for column in columns.split(", ")
            }
    return allowed


def _rows(sql: str, parameters: Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
