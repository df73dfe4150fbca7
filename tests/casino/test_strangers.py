"""What a stranger can make the house read, keep and ask: bodies, sockets, cookies."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.core.asgi import get_asgi_application
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from casino import edge
from casino.devices.kinds import DISPLAYS, TABLETS
from casino.edge import with_body_limit
from casino.live import consumers
from casino.live.consumers import LiveSocket
from casino.live.who import TurnedAway
from casino.people import hashers
from casino.people.hashers import WAITING, Queue
from casino.people.signin import KNOWN_COOKIE
from tests.casino.people.hasher import plain_settings
from tests.turns import each

MOST = 1_048_576
ENGLISH = {"accept-language": "en"}
Message = dict[str, Any]


@pytest.fixture(autouse=True)
def plain(settings: Any) -> None:
    plain_settings(settings)


# Bodies
def scope(path: str, **headers: str) -> Message:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    plain = {"type": "http", "method": "POST", "path": path, "query_string": b"", "http_version": "1.1"}
    return plain | {"headers": [(b"host", b"localhost"), *named]}


def sent(asked: Message, receive: Callable[[], Awaitable[Message]]) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, headers and body of what the house answers."""
    answers: list[Message] = []

    async def send(message: Message) -> None:
        answers.append(message)

    async_to_sync(with_body_limit(get_asgi_application()))(asked, receive, send)
    return answers[0]["status"], dict(answers[0]["headers"]), b"".join(one.get("body", b"") for one in answers[1:])


def test_body_that_says_it_is_long_is_not_read(db: None) -> None:
    async def never() -> Message:
        raise AssertionError("somebody reads it")

    asked = scope("/sign-in/", content_type="multipart/form-data; boundary=x", content_length="300000000")
    status, headers, page = sent(asked, never)
    assert (status, headers[b"Connection"]) == (413, b"close")
    assert b"<title>" in page


def test_body_without_a_length_is_read_up_to_the_limit(db: None) -> None:
    chunks = 0

    async def endless() -> Message:
        nonlocal chunks
        chunks += 1
        return {"type": "http.request", "body": b"x" * 65_536, "more_body": True}

    status, _headers, body = sent(
        scope("/api/houses/", transfer_encoding="chunked", content_type="application/json"), endless
    )
    assert (status, chunks) == (413, MOST // 65_536 + 1)
    assert b"request.too_large" in body


@each("length", [MOST + 1, -1, "many"])
def test_length_that_cannot_be_is_refused_behind_gunicorn_too(client: Client, db: None, length: object) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = client.generic("POST", "/sign-in/", b"username=x", kind, CONTENT_LENGTH=str(length), headers=ENGLISH)
    assert answer.status_code == 413
    assert "no form takes a file" in answer.content.decode()


def test_body_that_was_broken_off_is_no_form(client: Client, db: None) -> None:
    form = b"username=m.frei&password=x&code=123456"
    kind = "application/x-www-form-urlencoded"
    head = {"CONTENT_LENGTH": str(len(form)), "headers": ENGLISH}
    whole = client.generic("POST", "/sign-in/", b"x", kind, **head, **{"wsgi.input": BytesIO(form)})
    half = client.generic("POST", "/sign-in/", b"x", kind, **head, **{"wsgi.input": BytesIO(form[:-3])})
    assert (whole.status_code, half.status_code) == (200, 400)
    assert "repeat it" in half.content.decode()


def test_no_form_takes_a_file() -> None:
    request = RequestFactory().post("/sign-in/", {"username": "x", "code": SimpleUploadedFile("a.txt", b"x" * 100_000)})
    assert (dict(request.POST), len(request.FILES)) == ({"username": ["x"]}, 0)


# The sign-in
FORGED = f"{KNOWN_COOKIE}=x:y:z"


@each(
    ("method", "path", "full", "cookie", "passes"),
    [
        ("POST", "/sign-in/", True, "", False),
        ("POST", "/sign-in/", True, FORGED, False),
        ("POST", "/sign-in/", False, "", True),
        ("GET", "/sign-in/", True, "", True),
        ("POST", "/api/tables/", True, "", True),
    ],
)
def test_door_tells_strangers_at_once_while_their_queue_is_full(
    monkeypatch: pytest.MonkeyPatch, method: str, path: str, full: bool, cookie: str, passes: bool
) -> None:
    queue = Queue(1)
    monkeypatch.setattr(hashers, "STRANGERS", queue)
    started: list[tuple[str, dict[str, str]]] = []
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "HTTP_ACCEPT_LANGUAGE": "fr-CH", "HTTP_COOKIE": cookie}
    with ExitStack() as held:
        for _ in range(1 + WAITING if full else 0):
            held.enter_context(queue.place())
        served = edge.with_a_door(lambda *_: ["passed"])(
            environ, lambda line, headers: started.append((line, dict(headers)))
        )
    if passes:
        assert (served, started) == (["passed"], [])
    else:
        [(line, headers)] = started
        assert (line, headers["Retry-After"]) == ("429 Too Many Requests", "2")
        assert "Trop de personnes se connectent" in served[0].decode()


# Sockets
def test_socket_without_a_cookie_is_refused_before_it_is_accepted() -> None:
    assert async_to_sync(met)([]) == ["websocket.close"]


async def met(headers: list[tuple[bytes, bytes]]) -> list[str]:
    """What a socket with these headers is sent."""
    told: list[str] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        told.append(message["type"])

    await LiveSocket("pit")({"type": "websocket", "headers": headers}, receive, send)
    return told


def test_strangers_sockets_are_checked_before_they_are_accepted_and_only_so_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumers, "UNCHECKED_MOST", 3)

    async def meet() -> tuple[list[str], list[list[str]]]:
        known = asyncio.Event()

        async def asked(_self: LiveSocket, _scope: Message) -> tuple[Any, ...]:
            await known.wait()
            raise TurnedAway(4401)

        monkeypatch.setattr(LiveSocket, "_asked", asked)
        cookie = [(b"cookie", b"saalchef=unknown")]
        waiting = [asyncio.create_task(met(cookie)) for _ in range(3)]
        while LiveSocket.unchecked < 3:
            await asyncio.sleep(0)
        further = await met(cookie)
        known.set()
        return further, [await one for one in waiting]

    assert async_to_sync(meet)() == (["websocket.close"], [["websocket.accept", "websocket.close"]] * 3)
    assert (LiveSocket.here, LiveSocket.unchecked) == (0, 0)


# Cookies
@each(("address", "kind"), [("/tablet/", TABLETS), ("/display/", DISPLAYS)])
def test_however_many_cookies_a_stranger_shows_one_question_is_asked(
    client: Client, db: None, address: str, kind: Any
) -> None:
    for _ in range(64):
        client.cookies[kind.cookie(uuid4())] = "forged"
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    assert answer.status_code == 302
    assert len(asked) == 1
    assert sum(not cookie.value for cookie in answer.cookies.values()) == 64  # forgotten
