"""Strangers who sign in by the hundred: a few wait for their turn, without a database connection, and the rest are told at once."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection
from django.test import Client

from casino.people.hashers import AT_ONCE, STRANGERS_WAIT, WAITING
from payouts.models import Event
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.floor import Floor
from tests.worlds import world


class Held:
    """Argon2 that computes until it is let go, and notes whether its thread held a connection."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.begun, self.release = threading.Semaphore(0), threading.Event()
        self.held: list[bool] = []

    def from_now_on(self) -> None:
        def compute(_hasher: object, _password: str, _other: str) -> Any:
            self.held.append(connection.connection is not None)
            self.begun.release()
            assert self.release.wait(60)
            return False

        self.monkeypatch.setattr(Argon2PasswordHasher, "verify", compute)
        self.monkeypatch.setattr(Argon2PasswordHasher, "encode", lambda *_: str(compute(*_)))

    def wait_for(self, number: int) -> None:
        for _ in range(number):
            assert self.begun.acquire(timeout=60)


@pytest.fixture
def held(own_database: str, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Held]:
    plain_settings(settings)
    held = Held(monkeypatch)
    yield held
    held.release.set()


def at_once(number: int, send: Callable[[Client], Any]) -> tuple[ThreadPoolExecutor, list[Future[Any]]]:
    """So many send at the same time, each from an address of their own."""

    def sent(source: int) -> Any:
        try:
            return send(Client(REMOTE_ADDR=f"10.66.0.{source}"))
        finally:
            connection.close()

    threads = ThreadPoolExecutor(number)
    return threads, [threads.submit(sent, source) for source in range(number)]


def refused_at_once(sent: list[Future[Any]], number: int) -> None:
    """So many have their answer while all others still wait: 429, with when to come again."""
    done = threading.Semaphore(0)
    for one in sent:
        one.add_done_callback(lambda _: done.release())
    for _ in range(number):
        assert done.acquire(timeout=60)
    answers = [one.result() for one in sent if one.done()]
    assert [(one.status_code, one["Retry-After"]) for one in answers] == [(429, "2")] * number
    assert "Too many sign in at this moment" in answers[0].content.decode()


ENGLISH = {"accept-language": "en"}


@world(Floor, linked=False)
def test_flood_of_strangers_waits_without_a_connection_and_is_refused_past_its_queue(floor: Floor, held: Held) -> None:
    person = people.make(floor.house, "m.frei", "manager")
    form = {"username": "m.frei", "password": "falsch und lang", "code": "123456"}
    held.from_now_on()
    threads, sent = at_once(40, lambda client: client.post("/sign-in/", form, headers=ENGLISH))
    held.wait_for(1)
    refused_at_once(sent, 40 - 1 - STRANGERS_WAIT)
    assert held.held == [False]  # one computes, the others of the queue wait for it
    held.release.set()
    threads.shutdown()
    assert sorted(one.result().status_code for one in sent) == [200] * (1 + STRANGERS_WAIT) + [429] * (
        39 - STRANGERS_WAIT
    )
    person.refresh_from_db()
    assert person.sign_in_failures == 1 + STRANGERS_WAIT  # who was not looked at has tried nothing
    assert Event.objects.filter(name="sign_in.refused").count() == 1 + STRANGERS_WAIT


@world(Floor, linked=False)
def test_tablets_have_a_queue_of_their_own(floor: Floor, held: Held) -> None:
    device, token = devices.enrol(floor.table, floor.ines)
    form = {"person": "other", "username": devices.dealer(floor.house, "p.in").username, "pin": "270415"}
    address = devices.address(device, "sign-in/")
    held.from_now_on()
    strangers, _ = at_once(10, lambda client: client.post("/sign-in/", {"username": "x", "password": "y", "code": "1"}))
    held.wait_for(1)
    threads, sent = at_once(
        24, lambda client: devices.browser_of(device, token, client).post(address, form, headers=ENGLISH)
    )
    refused_at_once(sent, 24 - AT_ONCE - WAITING)
    held.release.set()
    strangers.shutdown()
    threads.shutdown()
