"""Whether everything works, told quickly whatever is dead or stuck. Everybody may read it: no host,
no user, no error text.
"""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psycopg
import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from casino.database import plain_connection
from casino.ops.checked import Check
from casino.ops.checks import missing_migrations
from casino.ops.probes_server import COPIES, copies, disks
from jackpot.selectors.jackpots import SERVERS, row_servers

CACHED_S = 1.0  # a crowd of monitors asks the servers once a second for all of them
STATEMENT_MS = 1500
DATABASE_S = 2.5  # connecting and all statements; then the line is cut
REDIS_S = 0.3
WORKER_LATE_S = 45.0  # beat sends a heartbeat every 10 s
AUDIT_LATE_S = 180.0  # beat sends an audit every 60 s
WHOLE_LATE_S = 50 * 3600.0  # everything is audited once a day
SEAL_LATE_S = 90.0  # beat sends one every 10 s
VERIFY_LATE_S = 50 * 3600.0  # all is verified once a day
SWEEP_LATE_S = 30.0  # beat sends a sweep of the jackpots every 2 s; an audit may hold it up

# The ages are the database's own: the clocks of web and worker may differ. Its clock may be set
# back: numbers tell what is newest.
SIGNS_OF_LIFE = """
    SELECT extract(epoch FROM clock_timestamp() - (SELECT at FROM casino_heartbeat ORDER BY id DESC
        LIMIT 1))::float8,
           extract(epoch FROM clock_timestamp() - audit.at)::float8,
               jsonb_array_length(audit.breaches),
           (SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM jackpot_signoflife
               WHERE kind = 'sweep'),
           (SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM casino_sealrun
               WHERE what = 'seal'),
           (SELECT string_agg(what, ', ' ORDER BY what) FROM casino_sealrun WHERE failed <> ''),
           (SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM casino_auditrun
               WHERE whole ORDER BY id DESC LIMIT 1),
           -- before the first one: since the first seal
           (SELECT extract(epoch FROM clock_timestamp() - coalesce(
               (SELECT ended_at FROM casino_verifyrun WHERE state = 'done'
                   ORDER BY id DESC LIMIT 1),
               (SELECT taken_at FROM payouts_seal ORDER BY number LIMIT 1)))::float8),
           (SELECT ok FROM casino_verifyrun WHERE state = 'done' ORDER BY id DESC LIMIT 1)
    FROM (VALUES (1)) AS one LEFT JOIN (SELECT at, breaches FROM casino_auditrun ORDER BY id DESC
        LIMIT 1) AS audit ON true
"""


UNKNOWN = Check(ok=False, age_s=None, detail="unknown without the database")
Checks = dict[str, Check]


class Latest:
    """The last answer of this process, asked anew when it is older than a second. One thread asks,
    the others wait for it.
    """

    def __init__(self, ask: Callable[[], Checks]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._answer: Checks = {}
        self._at = float("-inf")

    def get(self) -> Checks:
        """What was found, at most a second ago."""
        with self._lock:
            if time.monotonic() - self._at > CACHED_S:
                self._answer, self._at = self._ask(), time.monotonic()
            since = time.monotonic() - self._at
            return {
                name: check if check.age_s is None else replace(check, age_s=check.age_s + since)
                for name, check in self._answer.items()
            }


def look() -> Checks:
    """Look at everything that must work, in at most about 3 s whatever is dead or stuck."""
    return {**_look_at_database(), "redis": _look_at_redis(), "disk": disks(settings.WATCHED_DISKS)}


readiness = Latest(look).get


def _look_at_database() -> Checks:
    """By a connection of its own: a request may wait for the pool, this one may not."""
    checks = {
        "database": Check(ok=False, age_s=0.0, detail="does not answer"),
        "migrations": UNKNOWN,
        "restore": UNKNOWN,
        "worker": UNKNOWN,
        "audits": UNKNOWN,
        "sweep": UNKNOWN,
        "seals": UNKNOWN,
        "verified": UNKNOWN,
        "archive": UNKNOWN,
        "standby": UNKNOWN,
    }
    try:
        with (
            plain_connection(f"-c statement_timeout={STATEMENT_MS}") as own,
            _cut_after(own, DATABASE_S),
        ):
            for answer in _ask_database(own.cursor()):
                checks |= answer  # one by one: what was answered before the line broke stands
    except psycopg.Error:
        checks["database"] = Check(ok=False, age_s=0.0, detail="does not answer")
    return checks


def _ask_database(cursor: "psycopg.Cursor[tuple[Any, ...]]") -> Iterator[Checks]:
    read_only = cursor.execute("SHOW transaction_read_only").fetchall() == [("on",)]
    yield {"database": Check(not read_only, 0.0, "takes no writes" if read_only else "answers")}
    yield copies(cursor.execute(COPIES).fetchall()[0])
    missing = missing_migrations(cursor)
    yield {
        "migrations": Check(
            not missing, 0.0, f"{len(missing)} missing" if missing else "all applied"
        )
    }
    if not missing:
        known, now = row_servers(cursor.execute(SERVERS).fetchall()[0])
        yield {
            "restore": Check(
                known == now,
                0.0,
                "the server is known" if known == now else "not said: restored? promoted?",
            )
        }
        [signs] = cursor.execute(SIGNS_OF_LIFE).fetchall()
        worker_s, audit_s, breaches, sweep_s, seal_s, unsealed, whole_s, verified_s, proved = signs
        yield {"worker": _fresh(worker_s, WORKER_LATE_S, "no heartbeat", "beats")}
        audits = _fresh(audit_s, AUDIT_LATE_S, "not run", "no breach")
        if audits.ok and (whole_s or 0) > WHOLE_LATE_S:
            audits = replace(audits, ok=False, detail=f"not run whole for {whole_s / 3600:.0f} h")
        yield {
            "audits": (
                replace(audits, ok=False, detail=f"{breaches} in breach") if breaches else audits
            )
        }
        yield {"sweep": _fresh(sweep_s, SWEEP_LATE_S, "no sweep", "sweeps")}
        seals = _fresh(seal_s, SEAL_LATE_S, "no seal", "taken and kept")
        yield {
            "seals": replace(seals, ok=False, detail=f"failed: {unsealed}") if unsealed else seals
        }
        verified = Check(ok=True, age_s=None, detail="nothing is sealed yet")
        if verified_s is not None:
            state = "as it was" if proved else "not yet"
            verified = _fresh(verified_s, VERIFY_LATE_S, "no verification", state)
        amiss = replace(verified, ok=False, detail="something is not as it was")
        yield {"verified": amiss if proved is False else verified}


def _fresh(age_s: float | None, late_s: float, absent: str, present: str) -> Check:
    if age_s is None:
        return Check(ok=False, age_s=None, detail=f"{absent} yet")
    if age_s < -late_s:
        return Check(ok=False, age_s=age_s, detail=f"{absent} since the clock was set back")
    late = age_s > late_s
    return Check(not late, age_s, f"{absent} for {age_s:.0f} s" if late else present)


class _cut_after:  # noqa: N801  (reads as a phrase)
    """Cut a connection's line when the block lasts too long: a server that stops in mid-answer
    never errs by itself.
    """

    def __init__(self, own: "psycopg.Connection[Any]", seconds: float) -> None:
        self._line = socket.socket(fileno=os.dup(own.fileno()))
        self._timer = threading.Timer(seconds, self._cut)

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()
        self._line.close()

    def _cut(self) -> None:
        self._line.shutdown(socket.SHUT_RDWR)


def _look_at_redis() -> Check:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=REDIS_S,
            socket_connect_timeout=REDIS_S,
            retry=Retry(NoBackoff(), 0),
        ) as client:
            client.ping()
    except redis.RedisError:
        return Check(ok=False, age_s=0.0, detail="does not answer")
    return Check(ok=True, age_s=0.0, detail="answers")
