"""Refusals at the edge: status, code, rule, data, sentence in the caller's language, Retry-After."""

import json
import threading
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from django.test import RequestFactory
from django.utils import translation
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.audit.calculator import FigureWrong
from casino.ops.unavailable import server_error
from casino.people.refusals import PersonRefused
from casino.text.problems import STATUS, problem, sentences
from casino.text.refusal_list import refusals
from payouts import commands
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Kind
from payouts.models import Event
from payouts.rules.ledger.postings import PostingUnbalanced
from payouts.services import event_record
from tables.errors import LevelUnknown
from tests.turns import each

BASE = settings.BASE_DIR / "casino/static/casino/css/base.css"


class CommandView(APIView):
    """A command over HTTP, as the API's own will be: the key from the header, the work once."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    inside = threading.Event()
    go_on = threading.Event()

    def post(self, request: Request) -> Response:
        def work() -> dict[str, int]:
            if request.data.get("amount_minor") == 13:
                raise PostingUnbalanced(difference_minor=13)
            event = event_record("test.done")
            if request.data.get("wait"):
                self.inside.set()
                assert self.go_on.wait(60)
            return {"event": event.pk}

        asked = request_fingerprint("test", "nora", request.data)
        return Response(run_once(request.headers.get("Idempotency-Key", ""), asked, work).body)


def send(body: object, key: str = "", raw: str | None = None) -> tuple[int, dict, dict]:
    request = RequestFactory().post(
        "/api/test",
        raw if raw is not None else json.dumps(body),
        content_type="application/json",
        headers={"Idempotency-Key": key},
    )
    response = CommandView.as_view()(request)
    if hasattr(response, "render") and not response.is_rendered:
        response.render()
    return response.status_code, json.loads(response.content), dict(response.headers)


def test_command_is_carried_out_once_and_answered_twice(own_database):
    key = str(uuid4())
    first, again = send({"amount_minor": 5}, key), send({"amount_minor": 5}, key)
    assert first[:2] == again[:2] == (200, {"event": Event.objects.get().pk})


def test_other_body_under_the_same_key_is_refused(own_database):
    key = str(uuid4())
    send({"amount_minor": 5}, key)
    status, body, _ = send({"amount_minor": 6}, key)
    assert (status, body["code"], body["data"]) == (422, "command.key_reused", {})
    assert Event.objects.count() == 1


def test_request_in_flight_is_409_with_retry_after(own_database, monkeypatch):
    monkeypatch.setattr(commands, "WAIT_MS", 100)
    key, answers = str(uuid4()), []

    def first() -> None:
        answers.append(send({"wait": True}, key))
        connection.close()

    CommandView.inside.clear()
    CommandView.go_on.clear()
    thread = threading.Thread(target=first)
    thread.start()
    assert CommandView.inside.wait(60)
    status, body, headers = send({"wait": True}, key)
    CommandView.go_on.set()
    thread.join(60)
    assert (status, body["code"], headers["Retry-After"]) == (409, "command.in_flight", "1")
    assert answers[0][0] == 200
    assert send({"wait": True}, key)[:2] == answers[0][:2]


def test_refusal_names_code_data_and_writes_nothing(own_database):
    status, body, headers = send({"amount_minor": 13}, str(uuid4()))
    assert (status, body["code"], body["data"], body["rule"]) == (
        422,
        "ledger.unbalanced",
        {"difference_minor": 13},
        None,
    )
    assert headers["Content-Type"] == "application/problem+json"
    assert Event.objects.count() == 0


@pytest.mark.parametrize(
    ("raw", "key", "status", "code"),
    [
        ("{", "a-good-key", 400, "request.parse_error"),
        ('{"a": 0.5}', "a-good-key", 400, "data.refused"),
        ('{"a": 1e999}', "a-good-key", 400, "data.refused"),
        ('{"a": NaN}', "a-good-key", 400, "request.parse_error"),
        ('{"a": "\\u0000"}', "a-good-key", 400, "data.refused"),
        ("{}", "", 400, "text.refused"),
        ("{}", "short", 400, "text.refused"),
    ],
)
def test_bad_request_is_a_problem_document(own_database, raw, key, status, code):
    answer = send(None, key, raw=raw)
    assert (answer[0], answer[1]["code"], answer[1]["status"]) == (status, code, status)
    assert Event.objects.count() == 0


def test_problem_speaks_the_callers_language():
    titles = {}
    for language in ("de", "en", "fr", "it"):
        with translation.override(language):
            titles[language] = json.loads(problem(PostingUnbalanced(difference_minor=5)).content)["title"]
    assert len(set(titles.values())) == 4
    assert all("5" in title for title in titles.values())


def test_every_kind_of_refusal_has_its_status() -> None:
    assert STATUS.keys() == set(Kind)
    assert len(set(STATUS.values())) == len(Kind)


@each(
    ("cause", "code"),
    [
        (psycopg.errors.DiskFull("no space left on device"), "service.database_full"),
        (psycopg.errors.RestrictViolation("hit 7: UPDATE refused"), "service.database_refused"),
        (psycopg.errors.UniqueViolation("a key"), "service.database_refused"),
        (psycopg.errors.DeadlockDetected("a deadlock"), "service.database_busy"),
        (psycopg.OperationalError("the line broke"), "service.database_away"),
        (ZeroDivisionError(), ""),
    ],
)
def test_what_the_database_could_not_write_is_asked_for_again(rf, cause, code):
    """A tablet keeps what it has queued on 503, and gives it up on any other answer: nothing was written, so it may come again."""
    request = rf.post("/api/v1/rounds", headers={"accept": "application/json"})
    request.user = None
    try:
        raise DatabaseError from cause
    except DatabaseError:
        answer = server_error(request)
    body = json.loads(answer.content)
    later = (503, code, "5") if code else (500, body["code"], None)
    assert (answer.status_code, body["code"], answer.get("Retry-After")) == later


def test_who_is_told_to_come_back_is_told_when():
    """Whatever says "later" (503, in flight, too often) names the seconds, and nothing else does."""
    away = {f"service.database_{why}" for why in ("away", "busy", "full", "refused")}
    away |= {"command.answer_unknown", "command.busy"}
    sooner = {"command.in_flight"}
    often = {"display.too_often", "sign_in.busy", "pin.slowed"}
    later = away | sooner | often
    by_kind = {kind: {one.code for one in refusals() if one.kind is kind} for kind in Kind}
    assert (by_kind[Kind.LATER], by_kind[Kind.TOO_OFTEN]) == (away, often)
    assert {one.code for one in refusals() if "retry_after_s" in one.remedy} == later


@each(
    ("refused", "said"),
    [
        (PersonRefused(field="full_name", why="is empty"), "Full name: is empty."),
        (PersonRefused(field="reason", why="too short"), "Reason: too short."),
        (FigureWrong(figure="abc", example="1"), "abc cannot be calculated with."),
        (LevelUnknown(level="quick"), "“quick” is not"),
    ],
)
def test_only_words_of_ours_are_written_large_at_the_head(refused, said):
    """What somebody typed stands as he typed it: no style sheet writes its first letter large, either."""
    with translation.override("en"):
        assert sentences(refused)[0].startswith(said)
    notices = [line for line in BASE.read_text().splitlines() if ".notice" in line]
    assert (len(notices) > 5, [line for line in notices if "first-letter" in line]) == (True, [])
