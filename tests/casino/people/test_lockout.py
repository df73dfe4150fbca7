"""Five wrong tries in a row lock. Counted with real threads, and once without the lock to show what it is for."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from casino.people import hashers, tries
from casino.people.models import Person
from casino.people.services import sign_in_unlock
from casino.people.tries_model import Refusals, Tries
from payouts.models import Event
from tests.casino.people import people
from tests.cast import make_house
from tests.races.meet import meet

TRIES = 5


def fail(client: Client, person: Person, times: int) -> None:
    for _ in range(times):
        assert people.sign_in(client, person, password="falsch").status_code == 200


def test_fifth_wrong_try_locks_also_for_the_right_one(client: Client, person: Person) -> None:
    fail(client, person, TRIES - 1)
    person.refresh_from_db()
    assert person.sign_in_locked_until is None
    fail(client, person, 1)
    person.refresh_from_db()
    left = person.sign_in_locked_until - timezone.now()
    assert timedelta(seconds=880) < left <= timedelta(seconds=900)
    assert people.sign_in(client, person).status_code == 200
    names = list(Event.objects.filter(name__startswith="sign_in").order_by("pk").values_list("name", "reason"))
    assert names == [("sign_in.refused", "password")] * TRIES + [("sign_in.locked", ""), ("sign_in.refused", "locked")]


def test_four_wrong_tries_and_a_right_one_start_anew(client: Client, person: Person) -> None:
    fail(client, person, TRIES - 1)
    assert people.sign_in(client, person).status_code == 302
    fail(Client(), person, TRIES - 1)
    assert people.sign_in(Client(), person, code_given=people.next_code(person)).status_code == 302


def test_wrong_codes_count_like_wrong_passwords(client: Client, person: Person) -> None:
    for _ in range(TRIES):
        people.sign_in(client, person, code_given=people.wrong(person))
    assert people.sign_in(client, person).status_code == 200
    assert Event.objects.filter(name="sign_in.locked").count() == 1


def test_lock_ends_by_itself_and_then_five_more_are_free(client: Client, person: Person) -> None:
    fail(client, person, TRIES)
    Tries.objects.update(locked_until=timezone.now() - timedelta(seconds=1))
    fail(client, person, TRIES - 1)
    assert people.sign_in(client, person).status_code == 302


def test_manager_opens_the_lock_at_once(client: Client, person: Person, manager: Person) -> None:
    fail(client, person, TRIES)
    sign_in_unlock(person=person, by=manager)
    assert people.sign_in(client, person).status_code == 302
    event = Event.objects.get(name="sign_in.unlocked")
    assert (event.actor_id, event.subject_id) == (manager.pk, str(person.pk))


def test_lock_of_one_person_is_no_other_persons(client: Client, person: Person) -> None:
    other = people.make(person.house, "b.meier")
    fail(client, person, TRIES)
    assert people.sign_in(client, other).status_code == 302


def test_locked_wording_is_that_of_an_unknown_name(client: Client, person: Person) -> None:
    fail(client, person, TRIES)
    locked = people.sign_in(client, person)
    unknown = client.post("/sign-in/", {"username": "n.obody", "password": "falsch", "code": ""})
    assert locked.context["refused"] == unknown.context["refused"]


def test_lock_does_not_end_a_running_session(person: Person) -> None:
    client = people.signed_in(person)
    fail(Client(), person, TRIES)
    assert client.get("/home/croupier/").status_code == 200


def test_charging_inside_a_transaction_is_an_error(own_database: str) -> None:
    person = people.make(make_house())
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        tries.charge(person.pk, "sign_in")


def guess_at_once(person: Person, guesses: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """So many wrong guesses at the same moment, as if from as many processes; how many of them were really checked."""
    monkeypatch.setattr(hashers, "STRANGERS", hashers.Queue(guesses))
    start = threading.Barrier(guesses)

    def guess(_number: int) -> None:
        try:
            start.wait()
            assert authenticate(None, username=person.username, password="falsch", code="") is None
        finally:
            connection.close()

    with ThreadPoolExecutor(guesses) as threads:
        list(threads.map(guess, range(guesses)))
    return Event.objects.filter(name="sign_in.refused", reason="password").count()


def test_parallel_guesses_are_checked_five_times_at_most(own_database: str, monkeypatch) -> None:
    person = people.make(make_house())
    assert guess_at_once(person, 16, monkeypatch) == TRIES
    assert Event.objects.filter(name="sign_in.locked").count() == 1
    assert Event.objects.filter(name="sign_in.refused", reason="locked").count() == 16 - TRIES
    person.refresh_from_db()
    assert person.sign_in_failures == TRIES


def test_without_the_row_lock_parallel_guesses_exceed_the_limit(own_database: str, monkeypatch) -> None:
    """The control: every guess reads the count before any of them has written it."""
    person = people.make(make_house())
    guesses = 8
    all_have_read = threading.Barrier(guesses)

    def unlocked(person_id, kind, place):
        row = Person.objects.get(pk=person_id)
        all_have_read.wait()
        return tries._Count(row, Tries(person=row, kind=kind, place=place), timezone.now())

    monkeypatch.setattr(tries, "_count", unlocked)
    assert guess_at_once(person, guesses, monkeypatch) == guesses > TRIES


def test_right_one_and_another_try_of_the_person_meet_and_wait_for_one_another(own_database: str) -> None:
    """A cashier's two slips, sent at once: charging and clearing both begin with the person's row."""
    person = people.make(make_house())
    assert tries.charge(person.pk, "sign_in") == 1
    met = meet(
        own_database,
        lambda: tries.clear(person.pk, "sign_in"),
        lambda: tries.charge(person.pk, "sign_in"),
        before=(tries, "Max"),
        bare=True,
    )
    assert (met.first, met.second, met.waited) == (None, 1, True)


def test_a_flood_of_refusals_leaves_counts_and_no_row_each(person: Person) -> None:
    """The first twenty of an hour are told one by one, then whenever they have doubled; the next hour begins anew."""
    for _ in range(130):
        authenticate(None, username="nobody", password="falsch", code="")
    told = Event.objects.filter(name="sign_in.refused").order_by("pk").values_list("after", flat=True)
    assert list(told) == [None] * 20 + [{"within_an_hour": count} for count in (32, 64, 128)]
    Refusals.objects.update(since=timezone.now() - timedelta(hours=3))
    authenticate(None, username="nobody", password="falsch", code="")
    assert Event.objects.filter(name="sign_in.refused").count() == 24
