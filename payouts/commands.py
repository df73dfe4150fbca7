"""`run_once`: one key, one effect, one answer.

Note [One transaction]: key, answer and work commit together, and until then a lock holds the key.
So "no answer" (a cut line, a killed server) is never "not done": who asks again under the same key
gets the first answer if it was done, and does it if it was not. A failure gives the key back too:
it is not remembered, and the same key may be tried again.
"""

import random  # noqa: TID251  (only spreads retries in time; nothing is decided by it)
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NoReturn

import orjson
from django.db import (
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)

from payouts.db.constraints import RETRIED, TOO_SLOW, constraint_of, database_away, database_busy
from payouts.db.fast_calls import call
from payouts.errors import Kind, Refused, mark
from payouts.rules.plain import Json, canonical, check_canonical, check_text, check_written

WAIT_MS = 2_000  # how long a repeat waits for the first one's answer
TRIES = 3
_CLAIM = "SELECT fingerprint, answer::text FROM command_claim_v2($1::text, $2::int)"
_FORGET = "SELECT command_forget_v1(%s)"
FORGOTTEN: Json = {"forgotten": True}  # what stands where an answer was, after thirty days
_ANSWER = "SELECT command_answer_v2($1::text, $2::bytea, $3::jsonb)"


class KeyReused(Refused):
    """The key came before with another request."""

    code = "command.key_reused"
    sentence = mark("This key was used for another request.")
    remedy = mark(
        "Make a new key for a new request; repeat a request under its own key, unchanged."
    )


class KeyOld(Refused):
    """The request was carried out more than thirty days ago."""

    code = "command.key_old"
    kind = Kind.CONFLICT
    sentence = mark(
        "This was carried out more than thirty days ago; what it answered is not kept any more."
    )
    remedy = mark("Look at what it was about. Make a new key for a new request.")


class InFlight(Refused):
    """The first request with this key is still running."""

    code = "command.in_flight"
    kind = Kind.CONFLICT
    sentence = mark("This request is still being carried out.")
    remedy = mark("Ask again under the same key in %(retry_after_s)s s.")


class Busy(Refused):
    """Locks, deadlocks or serialization failures, three times in a row."""

    code = "command.busy"
    kind = Kind.LATER
    sentence = mark("The books are busy: nothing was done.")
    remedy = mark("Ask again under the same key in %(retry_after_s)s s.")


class AnswerUnknown(Refused):
    """The database went away; whether the command was carried out is not known here."""

    code = "command.answer_unknown"
    kind = Kind.LATER
    sentence = mark("The answer was lost: it is not known yet whether this was carried out.")
    remedy = mark(
        "Ask again under the same key in %(retry_after_s)s s: it is carried out at most once."
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command answers: plain data, and whether it was carried out now or earlier."""

    body: Json
    replayed: bool


def request_fingerprint(command: str, actor: object, body: object) -> bytes:
    """SHA-256 over command, person or device, and body: what "the same request" means. Raises
    DataRefused.
    """
    head = canonical([command, str(actor)])  # one canonical form, put together from two
    return sha256(b"%b,%b]" % (head[:-1], check_canonical(body, "body")[1])).digest()


class _StartAgain(Exception):
    """What the command was begun on has changed before it held the lock."""


def start_again() -> NoReturn:
    """Give up this try of a command: roll back, and start it again from nothing (at most three
    times, then Busy).
    """
    raise _StartAgain


def run_once(key: str, request: bytes, work: Callable[[], Json]) -> Answer:
    """Carry `work` out once for `key`, in one transaction with key and answer, and give its answer
    now and for ever.

    `request` is the fingerprint of what is asked (`request_fingerprint`). `work` writes and returns
    plain data; it may run up to three times, each in a transaction of its own that starts from
    nothing, so it has no effect outside the database.

    Raises KeyReused, KeyOld, InFlight (another transaction holds the key longer than 2 s), Busy
    (three lost races), AnswerUnknown (the connection died), and whatever refusal `work` raises;
    after each of them but AnswerUnknown nothing was written.
    """
    check_text(key, "key", least=8, most=200)
    for attempt in range(1, TRIES + 1):
        try:
            return _once(key, request, work)
        except _StartAgain as error:
            if attempt == TRIES:
                raise Busy(retry_after_s=1) from error
        except (OperationalError, InterfaceError, InternalError) as error:
            state = getattr(error.__cause__, "sqlstate", None)
            if state in TOO_SLOW:  # rolled back by the server: nothing was written
                connection.close()
                raise Busy(retry_after_s=1) from error
            if state not in RETRIED:
                if not database_away(error):
                    raise
                connection.close()
                raise AnswerUnknown(retry_after_s=1) from error
            if attempt == TRIES:
                raise Busy(retry_after_s=1) from error
        time.sleep(random.uniform(0.01, 0.05) * attempt)
    raise AssertionError("unreachable")


def answers_forget(*, most: int = 10_000) -> int:
    """Forget the answers of commands that were carried out more than thirty days ago, the oldest
    first; how many there were.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_FORGET, [most])
        return int(cursor.fetchone()[0])


class _Undone(Exception):
    """What was tried is undone."""


def try_out(work: Callable[[], object]) -> Refused | None:
    """Why `work` is refused as things stand, or None: it is carried out in a transaction of its
    own, and all of it undone.

    Whoever meets another command on the way is not refused: when it counts, `run_once` tries again.
    """
    try:
        with transaction.atomic(durable=True):
            work()
            raise _Undone
    except Refused as refused:
        return refused
    except OperationalError as error:
        if not database_busy(error):
            raise
        connection.close()
    except (_Undone, _StartAgain):
        pass
    return None


def _once(key: str, request: bytes, work: Callable[[], Json]) -> Answer:
    with transaction.atomic(durable=True):
        if first := _claim(key):
            first_request, first_answer = first
            if first_request != request:
                raise KeyReused
            if first_answer == FORGOTTEN:
                raise KeyOld
            return Answer(first_answer, replayed=True)
        body, text = check_written(work(), "answer")
        _keep(key, request, text)
    return Answer(body, replayed=False)


def _claim(key: str) -> tuple[bytes, Json] | None:
    """Hold the key to the end of the transaction; what was asked and answered under it, if it was
    carried out before.
    """
    try:
        request, answer = call(_CLAIM, [key, WAIT_MS])
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == "55P03":
            raise InFlight(retry_after_s=1) from error
        raise
    return (bytes.fromhex(request.removeprefix("\\x")), orjson.loads(answer)) if request else None


def _keep(key: str, request: bytes, answer: str) -> None:
    try:
        call(_ANSWER, [key, request, answer], commit=True)
    except IntegrityError as error:
        # who wrote it did not hold the key as we do
        if constraint_of(error) == "payouts_commandkey_pkey":
            start_again()
        raise
