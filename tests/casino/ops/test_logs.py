"""One form of line for everybody's logs, with the request's id and person in it and no secret."""

import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import structlog
from django.db import OperationalError
from django.test import Client

from casino.ops import logs
from casino.people.models import Person
from tests.casino.ops.own_servers import PROJECT, OwnServers, end, wait_for_web
from tests.casino.people import people
from tests.cast import make_house

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Written(io.StringIO):
    """What was written to the logs since it was asked last."""

    def __call__(self) -> list[dict[str, Any]]:
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def lines() -> Iterator[Written]:
    """Logs as configured for production, and back to what the test run has afterwards."""
    before = {name: (list(logger.handlers), logger.level, logger.propagate) for name, logger in _loggers().items()}
    logs.configure({"level": "INFO", "format": "json"})
    written = Written()
    [handler] = logging.getLogger().handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(written)
    yield written
    for name, (handlers, level, propagate) in before.items():
        logger = _loggers()[name]
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)
    logging.captureWarnings(capture=False)


def _loggers() -> dict[str, logging.Logger]:
    named = {name: logging.getLogger(name) for name in {*logs.SERVERS, *logs.LEVELS}}
    return {"": logging.getLogger()} | named


def test_our_events_and_other_peoples_records_have_one_form(lines: Written) -> None:
    structlog.get_logger("ours").warning("meter_moved", pin="270415", table="T1")
    logging.getLogger("theirs").warning("moved %s by %s", "token=abc", 3, extra={"password": "x"})
    logging.getLogger("uvicorn.error").info("Started", extra={"color_message": "\x1b[36mStarted"})
    ours, theirs, uvicorn = lines()
    assert {
        "event": "meter_moved",
        "logger": "ours",
        "level": "warning",
        "pin": "***",
        "table": "T1",
    }.items() <= ours.items()
    assert {
        "event": "moved token=*** by 3",
        "logger": "theirs",
        "level": "warning",
        "password": "***",
    }.items() <= theirs.items()
    assert set(uvicorn) == {"event", "logger", "level", "timestamp"}
    assert all(line["timestamp"].endswith("Z") for line in (ours, theirs, uvicorn))


def test_traceback_is_one_line_without_secrets(lines: Written) -> None:
    try:
        raise ValueError("password='hunter2' of postgres://a:b@c is wrong")
    except ValueError:
        structlog.get_logger("ours").exception("broke")
        logging.getLogger("theirs").exception("broke")
    written = lines()
    assert [line["logger"] for line in written] == ["ours", "theirs"]
    for line in written:
        assert line["exception"].endswith("ValueError: password=*** of postgres://a:***@c is wrong")


def test_database_away_is_one_short_line_without_traceback(lines: Written) -> None:
    try:
        try:
            raise psycopg.OperationalError("connection failed: refused\nIs the server running?")
        except psycopg.OperationalError as cause:
            raise OperationalError(str(cause)) from cause
    except OperationalError:
        structlog.get_logger("ours").exception("request_failed")
    [line] = lines()
    assert (line["level"], line["reason"]) == ("warning", "connection failed: refused")
    assert "exception" not in line


def test_full_channel_is_told_and_finished_tasks_are_not(lines: Written) -> None:
    logging.getLogger("channels_redis.core").info("1 of 5 channels over capacity in group x")
    logging.getLogger("celery.app.trace").info("Task succeeded")
    logging.getLogger("uvicorn.access").info("GET /")
    assert [line["logger"] for line in lines()] == ["channels_redis.core"]


@pytest.mark.parametrize("given", ["abc-DEF_1.23", "0" * 64, "550e8400-e29b-41d4-a716-446655440000"])
def test_sane_request_id_of_the_caller_is_kept_and_echoed(lines: Written, given: str) -> None:
    response = Client().get("/healthz", headers={"X-Request-ID": given})
    assert response["X-Request-ID"] == given
    [line] = lines()
    assert (line["event"], line["request_id"], line["code"]) == ("request_finished", given, 200)
    assert line["ms"] >= 0
    assert line["ip"] == "127.0.0.1"


@pytest.mark.parametrize(
    "given", ["", "short", "0" * 65, "a b c d e f", "<script>alert</script>", "-starts-badly", "ümlaut-ümlaut"]
)
def test_other_request_id_is_replaced(lines: Written, given: str) -> None:
    response = Client().get("/healthz", headers={"X-Request-ID": given.encode().decode("latin-1")})
    assert UUID.fullmatch(response["X-Request-ID"])
    assert [line["request_id"] for line in lines()] == [response["X-Request-ID"]]


def test_two_requests_have_two_ids() -> None:
    assert Client().get("/healthz")["X-Request-ID"] != Client().get("/healthz")["X-Request-ID"]


def test_secret_in_an_address_is_not_logged(lines: Written) -> None:
    Client().get("/healthz?token=abcdef&page=2")
    assert [line["request"] for line in lines()] == ["GET /healthz?token=***&page=2"]


def test_request_of_a_person_names_him(lines: Written, db: None) -> None:
    person = people.make(make_house())
    people.signed_in(person).get("/home/croupier/")
    [line] = lines()
    assert line["user_id"] == str(person.pk)
    Client().get("/healthz")
    [line] = lines()
    assert "user_id" not in line  # nothing of one request stays for the next


def test_sign_in_leaves_no_secret_in_the_logs(lines: Written, db: None) -> None:
    person: Person = people.make(make_house())
    code = people.code(person)
    logging.getLogger().setLevel(logging.DEBUG)
    people.sign_in(Client(), person)
    people.sign_in(Client(), person, password="falsch-und-lang")
    written = lines.getvalue()
    assert written.count("request_finished") == 2
    for secret in (people.PASSWORD, "falsch-und-lang", code):
        assert secret not in written


def test_request_id_outside_of_a_request_is_empty() -> None:
    assert logs.request_id() == ""


def test_task_carries_the_request_id_and_the_person_alone() -> None:
    context: dict[str, object] = {"request_id": "r", "user_id": "u", "ip": "10.0.0.1", "task_id": "t"}
    logs._task_is_sent(context=context)
    assert context == {"request_id": "r", "user_id": "u"}


def test_plain_form_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code = (
        "import structlog; from casino.ops.logs import configure; configure({'level': 'INFO', 'format': 'plain'});"
        "structlog.get_logger('x').info('hello', pin='270415')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert re.search(r"\[info +\] hello +\[x\] pin=\*\*\*$", done.stderr.strip())


def test_gunicorn_master_logs_in_the_same_form(own_servers: OwnServers) -> None:
    path = own_servers.folder / "gunicorn.sock"
    command = (
        "gunicorn",
        "--logger-class",
        "casino.ops.logs.GunicornLogger",
        "--bind",
        f"unix:{path}",
        "--workers",
        "1",
    )
    process = own_servers.start(*command, "casino.wsgi", log="gunicorn.log")
    wait_for_web(path)
    assert end(process) == 0
    lines = [json.loads(line) for line in (own_servers.folder / "gunicorn.log").read_text().splitlines()]
    events = [line["event"] for line in lines]
    assert any(event.startswith("Listening at") for event in events)
    assert "request_finished" in events
    assert all({"event", "level", "logger", "timestamp"} <= set(line) for line in lines)
