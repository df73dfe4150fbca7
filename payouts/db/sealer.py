"""Seals are written by a role of their own: the one that serves reads them, and writes none."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, ProgrammingError, connections

from payouts.errors import Kind, Refused, mark


class SealRoleRefused(Refused):
    """The role that writes seals is not named, or may not."""

    code = "seal.role_refused"
    kind = Kind.CONFLICT
    sentence = mark("Seals cannot be written as the role that is there for them: %(why)s.")
    remedy = mark(
        "Make the role (deploy/roles.sql), name it in DATABASE_SEAL_URL for the worker and for"
        " `manage.py migrate`, and run that once more."
    )


UNNAMED = mark("DATABASE_SEAL_URL is not set")


@contextmanager
def as_sealer() -> Iterator[None]:
    """Have this thread work in the same database as the role that writes seals. Raises
    SealRoleRefused.
    """
    if not settings.SEALER:
        raise SealRoleRefused(why=UNNAMED)
    serving = connections[DEFAULT_DB_ALIAS]
    own = {key: settings.SEALER[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    sealer = type(serving)({**serving.settings_dict, **own}, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = sealer
    try:
        _connect(sealer)
        yield
    except ProgrammingError as error:
        if getattr(error.__cause__, "sqlstate", None) != "42501":  # insufficient privilege
            raise
        raise SealRoleRefused(why=_first_line(error)) from error
    finally:
        sealer.close()
        connections[DEFAULT_DB_ALIAS] = serving


def sealer_refused() -> SealRoleRefused | None:
    """Why seals cannot be written, or are by a role that may do more; None if neither."""
    try:
        with as_sealer(), connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(
                "SELECT has_table_privilege('payouts_seal', 'INSERT'),"
                " has_table_privilege('payouts_seal', 'DELETE')"
            )
            [(may, may_more)] = cursor.fetchall()
            if not may:
                raise SealRoleRefused(why=mark("it has no right to"))
            if may_more:
                raise SealRoleRefused(why=mark("it may do more than that"))
    except SealRoleRefused as refused:
        return refused
    return None


def _connect(sealer: object) -> None:
    try:
        sealer.ensure_connection()  # type: ignore[attr-defined]
    except OperationalError as error:
        raise SealRoleRefused(why=_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
