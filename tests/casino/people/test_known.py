"""Who signs in while strangers do by the dozen: a browser that has signed in before, and a new one."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection
from django.test import Client, RequestFactory

from casino.people import hashers
from casino.people.hashers import STRANGERS_WAIT, Queue
from casino.people.models import Person
from casino.people.refusals import SignInBusy
from casino.people.services import password_reset, second_factor_reset
from casino.people.signin import KNOWN_COOKIE, queue_of
from payouts.models import House
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.cast import make_house
from tests.turns import each

STRANGERS, GUESS = 20, "falsch und lang"
OWN = {"REMOTE_ADDR": "10.0.0.7"}


def posted(client: Client, person: Person, password: str = people.PASSWORD) -> Any:
    try:
        return people.sign_in(client, person, password, people.next_code(person))
    finally:
        connection.close()


def test_twenty_strangers_keep_no_known_browser_out_and_a_new_one_not_for_long(
    own_database: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    plain_settings(settings)
    monkeypatch.setattr(hashers, "STRANGERS", Queue(1, waiting=STRANGERS_WAIT, last=True))
    compute = Argon2PasswordHasher.verify
    house = make_house()
    begun = threading.Semaphore(0)
    refused = threading.Semaphore(0)
    release = threading.Event()
    known, new, other = (people.make(house, name) for name in ("k.nown", "n.ew", "o.ther"))
    browser = Client(**OWN)
    assert posted(browser, known).status_code == 302
    browser.cookies.pop(settings.SESSION_COOKIE_NAME)

    def verify(hasher: Any, password: str, encoded: str) -> bool:
        if password != GUESS:
            return bool(compute(hasher, password, encoded))
        begun.release()
        assert release.wait(60)
        return False

    monkeypatch.setattr(Argon2PasswordHasher, "verify", verify)

    def strange(number: int) -> int:
        status = int(posted(Client(REMOTE_ADDR=f"10.66.0.{number}"), other, GUESS).status_code)
        if status == 429:
            refused.release()
        return status

    with ThreadPoolExecutor(STRANGERS) as threads:
        flood = [threads.submit(strange, number) for number in range(STRANGERS)]
        for _ in range(STRANGERS - 1 - STRANGERS_WAIT):
            assert refused.acquire(timeout=60)
        assert begun.acquire(timeout=60)
        assert posted(browser, known).status_code == 302
        turned_away = posted(Client(REMOTE_ADDR="10.0.0.8"), new)
        assert (turned_away.status_code, turned_away["Retry-After"]) == (429, "2")
        release.set()
        assert sorted(guess.result() for guess in flood) == [200] * (1 + STRANGERS_WAIT) + [429] * 18
    had = [number for number, guess in enumerate(flood) if guess.result() == 200]
    with hashers.STRANGERS.place(f"10.66.0.{had[0]}"):  # and so long as it is at it again
        with pytest.raises(SignInBusy), hashers.STRANGERS.place(f"10.66.0.{had[1]}"):
            pass
        assert posted(Client(REMOTE_ADDR="10.0.0.8"), new).status_code == 302


def test_a_source_has_one_place_and_leaves_the_last_one_to_who_had_none_lately(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue(1, waiting=2)
    now = [1000.0]
    monkeypatch.setattr("casino.people.hashers.time.monotonic", lambda: now[0])

    def places(*sources: str) -> list[bool]:
        with ExitStack() as stack:
            given = []
            for source in sources:
                given.append(queue.has_place(source))
                if given[-1]:
                    stack.enter_context(queue.place(source))
            return given

    assert places("a", "a", "b", "c", "d") == [True, False, True, True, False]
    assert places("a", "b", "c", "d", "e") == [True, True, False, True, False]
    now[0] += hashers.LATELY_S
    assert places("a", "b", "c") == [True, True, True]
    assert places("", "", "", "") == [True, True, True, False]  # where no address is known


@each("reset", [password_reset, second_factor_reset])
def test_a_browser_is_known_for_its_person_until_the_sign_in_is_set_anew(
    house: House, manager: Person, reset: Any
) -> None:
    person = people.make(house, "k.nown")
    client = Client(**OWN)
    answer = people.sign_in(client, person)
    cookie = answer.cookies[KNOWN_COOKIE]
    attributes = {name: cookie[name] for name in ("httponly", "samesite", "path", "max-age")}
    assert attributes == {"httponly": True, "samesite": "Strict", "path": "/sign-in/", "max-age": 2_592_000}
    assert re.fullmatch(r"[0-9a-f]{64}:[\w-]+:[\w-]+", cookie.value)
    assert is_known(person, cookie.value)
    assert not is_known(manager, cookie.value)  # it is nobody else's
    assert not is_known(person, cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "E"))
    reset(person=person, by=manager)
    assert not is_known(person, cookie.value)


def is_known(person: Person, value: str) -> bool:
    """Whether who tries with this cookie waits beside strangers, whose places are all taken."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashers, "STRANGERS", Queue(1, waiting=0))
        stack.enter_context(hashers.STRANGERS.place("10.66.0.1"))
        client = Client(**OWN)
        client.cookies[KNOWN_COOKIE] = value
        return people.sign_in(client, person, GUESS, "000000").status_code != 429


def test_a_cookie_is_good_for_a_month(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    person = people.make(house, "k.nown")
    client = Client(**OWN)
    value = people.sign_in(client, person).cookies[KNOWN_COOKIE].value
    request = RequestFactory().post("/sign-in/", **OWN)
    request.COOKIES[KNOWN_COOKIE] = value
    assert queue_of(request)[0] is hashers.KNOWN
    monkeypatch.setattr("casino.people.signin.KNOWN_S", -1)
    assert queue_of(request) == (hashers.STRANGERS, "10.0.0.7")
