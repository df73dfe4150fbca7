"""From the database's own refusal to ours: by the constraint's name, never by the text of a
message.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from django.contrib.auth import get_user_model
from django.db import DataError, IntegrityError, connection, models

from payouts.errors import Refused, mark
from payouts.rules.ledger.postings import (
    AMOUNT_MAX_MINOR,
    ActorUnknown,
    AmountRefused,
    HouseUnknown,
)


@contextmanager
def refusing(
    names: Mapping[str, Refused], model: type[models.Model] | None = None
) -> Iterator[None]:
    """Raise the refusal that stands for the violated constraint; any other database error goes on
    as it is.

    With a model, its references to people and houses that do not exist are refused too
    (ActorUnknown, HouseUnknown). The refusal leaves the transaction broken, as the error did:
    whoever opened it rolls it back.
    """
    try:
        yield
    except IntegrityError as error:
        violated = constraint_of(error)
        names = {**(_references(model) if model else {}), **names}
        if violated in names:
            raise names[violated] from error
        raise
    except DataError as error:
        if getattr(error.__cause__, "sqlstate", None) == "22003":  # a sum left 64 bits
            raise AmountRefused(
                amount="", why=mark("too large"), most_minor=AMOUNT_MAX_MINOR
            ) from error
        raise


def constraint_of(error: IntegrityError) -> str:
    """The name of the constraint that the error says was violated; empty if it names none."""
    return getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""


def _references(model: type[models.Model]) -> dict[str, Refused]:
    from payouts.db.expected import reference  # the logs need this file before there are models
    from payouts.models import House

    refused: dict[object, type[Refused]] = {get_user_model(): ActorUnknown, House: HouseUnknown}
    return {
        reference(model._meta.db_table, str(field.column)): refused[field.related_model]()
        for field in model._meta.local_concrete_fields
        if field.related_model in refused
    }


# SQLSTATEs after which the server has rolled back: what may go well when it is tried again at once,
# and what took too long.
RETRIED = {"40001": "serialization failure", "40P01": "deadlock", "55P03": "lock timeout"}
TOO_SLOW = {"57014": "statement timeout", "25P03": "idle in transaction"}


def database_busy(error: BaseException | None) -> bool:
    """Whether the error says that others held what was needed here, or that it took too long: the
    transaction was rolled back.
    """
    cause = error if isinstance(error, psycopg.Error) else getattr(error, "__cause__", None)
    return isinstance(cause, psycopg.Error) and cause.sqlstate in {*RETRIED, *TOO_SLOW}


def database_full(error: BaseException | None) -> bool:
    """Whether the error says that the server has no room on its disk or in its memory: the
    transaction was rolled back.
    """
    cause = error if isinstance(error, psycopg.Error) else getattr(error, "__cause__", None)
    return isinstance(cause, psycopg.Error) and cause.sqlstate in ("53100", "53200")


def guard_refused(error: BaseException | None) -> bool:
    """Whether a key, a check or a guard of the database refused what no refusal of ours stands for:
    nothing was written.
    """
    cause = error if isinstance(error, psycopg.Error) else getattr(error, "__cause__", None)
    return isinstance(cause, psycopg.IntegrityError)


def database_away(error: BaseException | None) -> bool:
    """Whether the error says that the database cannot be reached, or hung up; not that it refused
    or took too long.

    Then nothing is known of what was being written: it may have been committed before the line
    broke.
    """
    cause = error if isinstance(error, psycopg.Error) else getattr(error, "__cause__", None)
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    # No state: the line broke, or the pool had no connection to give. 08: connection lost, 57P:
    # shut down, 53300: full.
    return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P", "53300"))


def require_transaction() -> None:
    """Raise RuntimeError outside a transaction: a part of a command never commits by itself."""
    if not connection.in_atomic_block:
        raise RuntimeError("this is a part of a command: call it inside run_once() or atomic()")
