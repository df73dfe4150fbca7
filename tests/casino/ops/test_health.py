"""`/healthz`, `/readyz` and `/metrics`: true, quick whatever is dead or stuck, and of no use to a stranger."""

import json
import os
import signal
import time
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import psycopg
import pytest
from django.db.models.functions import Now
from django.test import Client

from casino.database import this_database
from casino.ops import probes
from casino.ops.checked import Check
from casino.ops.checks import last_migrations
from casino.ops.models import Heartbeat, SealRun, VerifyRun
from casino.ops.probes import Checks, Latest
from casino.ops.probes_server import COPIES, copies, disks
from jackpot.models import SignOfLife
from tests.casino.ops import audit_runs
from tests.casino.ops.own_servers import Answer, Browser, OwnServers, wait_for
from tests.casino.people import people
from tests.cast import make_house
from tests.databases import superuser
from tests.restores import known_as

READY = {
    "database": {"ok": True, "age_s": 0.0, "detail": "answers"},
    "migrations": {"ok": True, "age_s": 0.0, "detail": "all applied"},
    "restore": {"ok": True, "age_s": 0.0, "detail": "the server is known"},
    "redis": {"ok": True, "age_s": 0.0, "detail": "answers"},
    "verified": {"ok": True, "age_s": None, "detail": "nothing is sealed yet"},
}
BREACH = [{"audit": "a", "rows": [{}]}, {"audit": "b", "rows": [{}]}]


TOKEN = "metrics-token-of-this-test"


def readyz(browser: Browser) -> Answer:
    """What /readyz tells a monitor."""
    return browser.ask("/readyz", Authorization=f"Bearer {TOKEN}")


@pytest.fixture
def ready(left_whole: str, fresh_probe: None, settings) -> Callable[[], tuple[int, dict]]:
    """Asks /readyz as a monitor does; gives status and body."""
    settings.METRICS_TOKEN = "metrics-token-of-this-test"

    def ask() -> tuple[int, dict]:
        response = Client().get("/readyz", headers={"Authorization": f"Bearer {TOKEN}"})
        return response.status_code, json.loads(response.content)

    return ask


def alive(
    *,
    heartbeat_s: float = 5,
    audit_s: float = 30,
    whole_h: float = 25,
    sweep_s: float = 2,
    seal_s: float = 9,
    breaches: list | None = None,
    verified_h: float | None = None,
    proved: bool = True,
) -> None:
    """What worker, audits, sweep and sealing left, so many seconds ago by the database's clock."""
    SealRun.objects.update_or_create(
        what="seal", defaults={"number": 1, "at": Now() - timedelta(seconds=seal_s), "failed": ""}
    )
    SignOfLife.objects.update_or_create(
        kind="sweep", defaults={"at": Now() - timedelta(seconds=sweep_s), "worker": "w"}
    )
    Heartbeat.objects.create(worker="w", at=Now() - timedelta(seconds=heartbeat_s))
    audit_runs.left(timedelta(hours=whole_h))
    audit_runs.left(timedelta(seconds=audit_s), breaches, whole=False)
    if verified_h is not None:
        ended_at = Now() - timedelta(hours=verified_h)
        VerifyRun.objects.create(state=VerifyRun.State.DONE, ended_at=ended_at, ok=proved, checks=[])


def test_all_works(ready) -> None:
    Heartbeat.objects.create(worker="w", at=Now() - timedelta(days=2))
    audit_runs.left(timedelta(days=2), BREACH)
    alive()
    status, body = ready()
    assert (status, body["ready"]) == (200, True)
    checks = body["checks"]
    assert {name: checks[name] for name in READY} == READY
    worker, audits, sweep = checks.pop("worker"), checks.pop("audits"), checks.pop("sweep")
    seals = checks.pop("seals")
    assert (seals["ok"], seals["detail"]) == (True, "taken and kept")
    assert (sweep["ok"], sweep["detail"]) == (True, "sweeps")
    assert (worker["ok"], worker["detail"]) == (True, "beats")
    assert 5 <= worker["age_s"] < 7
    assert (audits["ok"], audits["detail"]) == (True, "no breach")
    assert 30 <= audits["age_s"] < 32
    assert {name: checks.pop(name)["detail"] for name in ("archive", "standby", "disk")} == dict.fromkeys(
        ("archive", "standby"), "none is set up"
    ) | {"disk": "none is looked at"}
    assert set(checks) == set(READY)


def test_nothing_has_run_yet(ready) -> None:
    status, body = ready()
    assert (status, body["ready"]) == (503, False)
    assert body["checks"]["worker"] == {"ok": False, "age_s": None, "detail": "no heartbeat yet"}
    assert body["checks"]["audits"] == {"ok": False, "age_s": None, "detail": "not run yet"}


@pytest.mark.parametrize(
    ("left", "check", "detail"),
    [
        ({"heartbeat_s": 46}, "worker", "no heartbeat for 46 s"),
        ({"audit_s": 181}, "audits", "not run for 181 s"),
        ({"whole_h": 51}, "audits", "not run whole for 51 h"),
        ({"seal_s": 91}, "seals", "no seal for 91 s"),
        ({"sweep_s": 31}, "sweep", "no sweep for 31 s"),
        ({"heartbeat_s": -46}, "worker", "no heartbeat since the clock was set back"),
        ({"verified_h": 51}, "verified", "no verification for 183600 s"),
        ({"verified_h": 1, "proved": False}, "verified", "something is not as it was"),
        ({"breaches": BREACH}, "audits", "2 in breach"),
        ({"breaches": BREACH, "audit_s": 181}, "audits", "2 in breach"),
    ],
)
def test_one_thing_amiss_is_enough(ready, left: dict, check: str, detail: str) -> None:
    alive(**left)
    status, body = ready()
    assert (status, body["ready"]) == (503, False)
    assert [name for name, answer in body["checks"].items() if not answer["ok"]] == [check]
    assert body["checks"][check]["detail"] == detail


def test_a_restore_or_a_fail_over_that_nobody_has_said_is_told(ready, left_whole: str) -> None:
    alive()
    known_as("timeline = timeline - 1")
    try:
        status, body = ready()
    finally:
        known_as("timeline = timeline + 1")
    assert (status, [name for name, answer in body["checks"].items() if not answer["ok"]]) == (503, ["restore"])
    assert body["checks"]["restore"]["detail"] == "not said: restored? promoted?"


def test_a_full_disk_is_told(ready, settings, tmp_path) -> None:
    alive()
    settings.WATCHED_DISKS = ["/", str(tmp_path / "unmounted")]
    status, body = ready()
    assert (status, body["checks"]["disk"]) == (503, {"ok": False, "age_s": 0.0, "detail": "a folder is not there"})


@pytest.mark.parametrize(
    ("blocks", "free", "ok", "detail"),
    [(1 << 20, 1 << 19, False, "50% free"), (1 << 30, 1 << 26, True, "6% free"), (1 << 30, 1 << 25, False, "3% free")],
)
def test_a_disk_has_room_by_share_and_by_size(monkeypatch, blocks: int, free: int, ok: bool, detail: str) -> None:
    monkeypatch.setattr(
        os, "statvfs", lambda _path: SimpleNamespace(f_bavail=free, f_blocks=blocks, f_frsize=4096 // 2)
    )
    assert disks(["/anywhere"]) == Check(ok, 0.0, detail)


@pytest.mark.parametrize(
    ("answer", "archive", "standby"),
    [
        ((True, 60.0, 300.0, False, "", []), (True, "kept"), (True, "none is set up")),
        ((True, 60.0, 361.0, False, "far", ["Far"]), (False, "nothing for 361 s"), (True, "1 connected, 1 needed")),
        ((True, 0.0, 9e9, False, "far", ["pg_basebackup"]), (True, "kept"), (False, "0 connected, 1 needed")),
        (
            (True, 60.0, 1.0, True, 'ANY 2 (a, "b", c)', ["a", "c"]),
            (False, "the last try failed"),
            (True, "2 connected, 2 needed"),
        ),
        ((False, 0.0, 0.0, False, "FIRST 2 (*)", ["x"]), (True, "none is set up"), (False, "1 connected, 2 needed")),
    ],
)
def test_archive_and_standby_as_the_server_tells_of_them(answer, archive, standby) -> None:
    checks = copies(answer)
    assert {name: (check.ok, check.detail) for name, check in checks.items()} == {
        "archive": archive,
        "standby": standby,
    }


def test_a_standby_that_is_awaited_and_not_there_is_told_by_a_server_in_earnest(own_servers: OwnServers) -> None:
    own_servers.sql("ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (far)'")
    own_servers.sql("SELECT pg_reload_conf()")
    wait_for(lambda: own_servers.sql("SHOW synchronous_standby_names") == [("FIRST 1 (far)",)], 5)
    assert copies(own_servers.sql(COPIES)[0])["standby"] == Check(False, 0.0, "0 connected, 1 needed")
    own_servers.sql("ALTER SYSTEM RESET synchronous_standby_names")
    own_servers.sql("SELECT pg_reload_conf()")


def test_database_behind_the_program(ready) -> None:
    alive()
    with superuser() as link:
        last = dict(last_migrations())["casino"]
        link.execute("UPDATE django_migrations SET name = 'other' WHERE app = 'casino' AND name = %s", [last])
        status, body = ready()
        link.execute("UPDATE django_migrations SET name = %s WHERE name = 'other'", [last])
    assert status == 503
    assert body["checks"]["migrations"] == {"ok": False, "age_s": 0.0, "detail": "1 missing"}
    assert body["checks"]["worker"]["detail"] == "unknown without the database"


def test_database_that_takes_no_writes(ready, left_whole: str) -> None:
    alive()
    with superuser() as link:
        link.execute(f'ALTER DATABASE "{left_whole}" SET default_transaction_read_only = on')
        status, body = ready()
        link.execute(f'ALTER DATABASE "{left_whole}" RESET default_transaction_read_only')
    assert (status, body["checks"]["database"]["detail"]) == (503, "takes no writes")


def test_probe_is_one_connection_and_few_statements(left_whole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    opened: list[psycopg.Connection] = []
    execute = psycopg.Cursor.execute

    def count(self, query, *args, **kwargs):
        asked.append(str(query))
        if self.connection not in opened:
            opened.append(self.connection)
        return execute(self, query, *args, **kwargs)

    probes.look()  # the program's own migrations are read once
    monkeypatch.setattr(psycopg.Cursor, "execute", count)
    assert probes.look()["database"].ok
    assert (len(opened), len(asked)) == (1, 6)
    assert all(link.closed for link in opened)


def test_crowd_asks_the_servers_once_a_second_and_ages_stay_true(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = 100.0, []
    monkeypatch.setattr(time, "monotonic", lambda: now)

    def ask() -> Checks:
        asked.append(now)
        return {"worker": Check(ok=True, age_s=5.0, detail=""), "audits": Check(ok=False, age_s=None, detail="")}

    latest = Latest(ask)
    assert latest.get()["worker"].age_s == 5.0
    now = 100.9
    assert latest.get()["worker"].age_s == pytest.approx(5.9)
    assert latest.get()["audits"].age_s is None
    assert asked == [100.0]
    now = 101.1
    assert latest.get()["worker"].age_s == 5.0
    assert asked == [100.0, 101.1]


def test_server_that_stops_in_mid_answer_is_cut_off(own_servers: OwnServers) -> None:
    link = psycopg.connect(own_servers.postgres.url("saalchef_app"), autocommit=True)
    with (
        own_servers.stopped(own_servers.postgres),
        pytest.raises(psycopg.OperationalError),
        probes._cut_after(link, 0.2),
    ):
        link.execute("SELECT 1")
    assert link.closed


HUNG_S = 10  # a busy machine is no failure; who asks a server that hangs without a limit of his own waits for ever


# The real process on servers that are stopped and killed


def test_redis_that_hangs_is_told_and_holds_nobody(browser: Browser, own_servers: OwnServers) -> None:
    with own_servers.stopped(own_servers.redis):
        wait_for(lambda: not readyz(browser).json()["checks"]["redis"]["ok"], 3)
        answers = [readyz(browser) for _ in range(3)]
        assert max(answer.seconds for answer in answers) < HUNG_S
        assert answers[0].json()["checks"]["redis"]["detail"] == "does not answer"
        assert answers[0].json()["checks"]["database"]["ok"]
    wait_for(lambda: readyz(browser).json()["checks"]["redis"]["ok"], 5)


def test_redis_that_is_dead_is_told_and_found_again(browser: Browser, own_servers: OwnServers) -> None:
    own_servers.signal(own_servers.redis, signal.SIGKILL)
    try:
        wait_for(lambda: not readyz(browser).json()["checks"]["redis"]["ok"], 3)
        assert readyz(browser).seconds < HUNG_S
    finally:
        own_servers.start_redis()
    wait_for(lambda: readyz(browser).json()["checks"]["redis"]["ok"], 5)


def test_database_that_hangs_is_told_and_the_process_lives(browser: Browser, own_servers: OwnServers) -> None:
    with own_servers.stopped(own_servers.postgres):
        wait_for(lambda: not readyz(browser).json()["checks"]["database"]["ok"], 5)
        answer = readyz(browser)
        assert (answer.status, answer.seconds < HUNG_S) == (503, True)
        checks = answer.json()["checks"]
        assert checks["database"]["detail"] == "does not answer"
        assert checks["worker"] == {"ok": False, "age_s": None, "detail": "unknown without the database"}
        assert checks["redis"]["ok"]
        healthz = browser.ask("/healthz")
        assert (healthz.status, healthz.seconds < 2) == (200, True)
        for secret in (str(own_servers.folder), "saalchef_app", "postgres://", "5432", "Traceback"):
            assert secret not in answer.body
    wait_for(lambda: readyz(browser).json()["checks"]["database"]["ok"], 5)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_browser_with_a_session_is_answered_without_the_database(
    browser: Browser, own_servers: OwnServers, how: signal.Signals
) -> None:
    """The session lies in the database; what must answer without it must not look for it."""
    session = {"Cookie": "saalchef-own=" + "a" * 32}
    page = browser.ask("/sign-in/").body
    style = next(part for part in page.split('"') if part.startswith("/static/") and part.endswith(".css"))
    own_servers.signal(own_servers.postgres, how)
    try:
        for path in ("/healthz", style):
            answer = browser.ask(path, **session)
            assert (answer.status, answer.seconds < 2) == (200, True), path
        if how == signal.SIGSTOP:  # what was found less than a second ago is believed
            wait_for(lambda: not readyz(browser).json()["checks"]["database"]["ok"], 5)
        answer = browser.ask("/readyz", **session)
        assert (answer.status, answer.body, answer.seconds < HUNG_S) == (503, '{"ready": false}', True)
        answer = browser.ask("/metrics", Authorization=f"Bearer {TOKEN}", **session)
        assert (answer.status, answer.seconds < HUNG_S) == (200, True)
        assert 'saalchef_check_ok{check="database"} 0.0' in answer.body
    finally:
        if how == signal.SIGKILL:
            own_servers.start_postgres()
        else:
            own_servers.signal(own_servers.postgres, signal.SIGCONT)
    wait_for(lambda: readyz(browser).json()["checks"]["database"]["ok"], 10)


# Who is told what


def test_a_stranger_learns_yes_or_no(left_whole: str, fresh_probe: None, settings) -> None:
    settings.METRICS_TOKEN = "metrics-token-of-this-test"
    wrong = {"headers": {"Authorization": "Bearer wrong"}}
    for known in ({}, wrong, {"REMOTE_ADDR": "127.0.0.1"}):
        response = Client().get("/readyz", **known)
        assert (response.status_code, json.loads(response.content)) == (503, {"ready": False})
    alive()
    response = Client().get("/readyz")
    assert (response.status_code, json.loads(response.content)) == (200, {"ready": True})


@pytest.mark.parametrize(
    ("role", "told"),
    [("technician", True), ("manager", True), ("croupier", False), ("cage", False), ("pit_boss", False)],
)
def test_details_are_for_people_who_may_see_the_metrics(db: None, role: str, told: bool) -> None:
    person = people.make(make_house(), "p.person", role)
    assert ("checks" in people.signed_in(person).get("/readyz").json()) == told


def test_half_a_sign_in_sees_no_details(db: None) -> None:
    client = Client()
    client.force_login(people.make(make_house(), "p.person", "manager"))
    assert "checks" not in client.get("/readyz").json()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("127.0.0.1", True), ("127.8.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True),
        ("192.0.2.7", False), ("::ffff:192.0.2.7", False), ("", False), ("localhost", False),
    ],
)  # fmt: skip
def test_a_demo_house_tells_this_machine_and_no_other(db: None, settings, address: str, told: bool) -> None:
    for demo in (True, False):
        settings.DEMO = demo
        response = Client().get("/readyz", REMOTE_ADDR=address, headers={"X-Forwarded-For": "127.0.0.1"})
        assert ("checks" in response.json()) == (told and demo)


def test_health_takes_no_orders(browser: Browser) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        response = Client(enforce_csrf_checks=False).post(path)
        assert response.status_code == 405, path


def test_answers_stay_in_no_cache(browser: Browser) -> None:
    assert "no-store" in browser.ask("/readyz").headers["cache-control"]


# Metrics


def test_metrics_are_for_who_has_the_token(browser: Browser) -> None:
    refused = browser.ask("/metrics")
    assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
    answer = browser.ask("/metrics", Authorization=f"Bearer {TOKEN}")
    assert answer.status == 200
    for line in (
        'saalchef_check_ok{check="database"} 1.0',
        'saalchef_check_ok{check="migrations"} 1.0',
        'saalchef_check_age_seconds{check="database"} ',
        'saalchef_database_pool{what="size"} ',
        'saalchef_database_pool{what="requests_waiting"} 0.0',
        "django_http_requests_total_by_method_total{method=",
    ):
        assert line in answer.body, line
    for secret in (str(browser._path.parent), "metrics-token", "saalchef_app"):
        assert secret not in answer.body


@pytest.mark.parametrize(
    "given",
    [
        "Bearer wrong",
        "Bearer ",
        "Bearer",
        "Basic metrics-token-of-this-test",
        TOKEN,
        "Bearer metrics-token-of-this-test ",
        "Bearer metrics-token-of-this-tes",
        "Bearer métrics",
    ],
)
def test_other_tokens_open_nothing(settings, db: None, given: str) -> None:
    settings.METRICS_TOKEN = "metrics-token-of-this-test"
    assert Client().get("/metrics", headers={"Authorization": given}).status_code == 401


def test_no_token_set_means_that_none_opens(settings, db: None) -> None:
    settings.METRICS_TOKEN = ""
    for given in ("Bearer ", "Bearer", "Bearer None"):
        assert Client().get("/metrics", headers={"Authorization": given}).status_code == 401


@pytest.mark.parametrize(
    ("role", "status"), [("technician", 200), ("manager", 200), ("croupier", 403), ("cage", 403), ("pit_boss", 403)]
)
def test_metrics_for_signed_in_people_by_role(db: None, role: str, status: int) -> None:
    person = people.make(make_house(), "p.person", role)
    response = people.signed_in(person).get("/metrics")
    assert response.status_code == status
    assert (b"saalchef_check_ok" in response.content) == (status == 200)


def test_half_a_sign_in_sees_no_metrics(db: None) -> None:
    person = people.make(make_house(), "p.person", "manager")
    client = Client()
    client.force_login(person)
    assert client.get("/metrics").status_code == 401


def test_without_a_pool_there_are_no_pool_gauges(db: None, settings) -> None:
    settings.METRICS_TOKEN = "metrics-token-of-this-test"
    response = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert this_database().pool is None
    assert b"saalchef_database_pool" not in response.content
