"""A code proves one command once, also when a command under one key comes twice at once."""

import threading
from typing import Any

import pytest
from django.db import connection

from casino.people import proofs
from casino.people.refusals import ProofRefused
from payouts.commands import InFlight, run_once
from tests.casino.people import people
from tests.cast import make_house
from tests.races.meet import FIRST, _somebody_waits

KEY, REQUEST = "one-key-for-both", b"x" * 32


class Twice:
    """One signature, delivered twice: the first stands still between its code and its command until the second waits or ends."""

    def __init__(self, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database, self.done = database, list[str]()
        self.person = people.make(make_house(), "anna.muster", "pit_boss")
        self.code = people.code(self.person)
        self.coded, self.over = threading.Event(), threading.Event()
        self.waited = False

        def stand(*args: Any) -> Any:
            if threading.current_thread().name == FIRST:
                self.coded.set()
                self.waited = _somebody_waits(self.database, self.over)
            return run_once(*args)

        monkeypatch.setattr(proofs, "run_once", stand)

    def sign(self, came: list[Any]) -> None:
        try:
            signed = {"person": self.person, "method": "totp", "secret": self.code}
            came.append(proofs.run_signed(KEY, REQUEST, **signed, work=lambda: self.done.append("signed") or {"n": 1}))
        except (ProofRefused, InFlight) as refused:
            came.append(refused)
        finally:
            connection.close()

    def run(self) -> tuple[Any, Any]:
        """What came of the first and of the second."""
        first, second = list[Any](), list[Any]()
        one = threading.Thread(target=self.sign, args=[first], name=FIRST)
        one.start()
        assert self.coded.wait(60)
        two = threading.Thread(target=lambda: (self.sign(second), self.over.set()))
        two.start()
        for thread in (one, two):
            thread.join(60)
        return first[0], second[0]


def test_a_repeat_that_comes_between_code_and_command_gets_the_first_answer(
    own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told that its code is wrong, and the command was carried out."""
    twice = Twice(own_database, monkeypatch)
    first, second = twice.run()
    assert (first.body, first.replayed) == ({"n": 1}, False)
    assert (second.body, second.replayed) == ({"n": 1}, True)
    assert (twice.done, twice.waited) == (["signed"], True)


def test_without_the_keys_proof_being_held_a_repeat_is_refused_for_what_is_done(
    own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(proofs, "_alone_with", lambda key: threading.Lock())
    twice = Twice(own_database, monkeypatch)
    first, second = twice.run()
    assert (first.replayed, type(second)) == (False, ProofRefused)
    assert (twice.done, twice.waited) == (["signed"], False)
