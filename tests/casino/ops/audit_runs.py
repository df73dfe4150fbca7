"""Audit runs of another time than now: the app role cannot make them, nor unmake those of today."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg

from casino.ops.models import AuditRun
from tests.databases import superuser


@contextmanager
def _unguarded() -> Iterator[psycopg.Connection]:
    with superuser() as link, link.transaction():
        link.execute("ALTER TABLE casino_auditrun DISABLE TRIGGER USER")
        yield link
        for trigger in ("append_only_truncate", "audit_run_guard", "stamp"):
            link.execute(f"ALTER TABLE casino_auditrun ENABLE ALWAYS TRIGGER {trigger}")


def left(ago: timedelta, breaches: list | None = None, *, whole: bool = True) -> None:
    """Leave a run of so long ago. In a database that commits."""
    run = AuditRun.objects.create(seconds=0.1, ok=not breaches, breaches=breaches or [], whole=whole)
    with _unguarded() as link:
        link.execute("UPDATE casino_auditrun SET at = at - %s WHERE id = %s", [ago, run.pk])


def forget() -> None:
    """Take all runs away, of verifications too."""
    with _unguarded() as link:
        link.execute("DELETE FROM casino_auditrun")
        link.execute("ALTER TABLE casino_verifyrun DISABLE TRIGGER USER")
        link.execute("DELETE FROM casino_verifyrun")
        for trigger in ("append_only_truncate", "verify_run_guard", "stamp"):
            link.execute(f"ALTER TABLE casino_verifyrun ENABLE ALWAYS TRIGGER {trigger}")
