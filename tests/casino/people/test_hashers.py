"""Hashing takes memory: never more at once than there are processors."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings as project
from django.contrib.auth.hashers import Argon2PasswordHasher

from casino.people.hashers import AT_ONCE, Argon2
from tests.turns import each

HASHERS = list(project.PASSWORD_HASHERS)


@each("act", ["encode", "verify"])
def test_only_so_many_hash_at_once(monkeypatch, act: str) -> None:
    """Each hash holds on until a further one has begun, or nobody else may begin; the most that were in at once are counted."""
    inside, most, lock = 0, 0, threading.Lock()
    full, release = threading.Event(), threading.Event()

    def held(self, password: str, other: str) -> str:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
            if inside == AT_ONCE:
                full.set()
        release.wait(60)
        with lock:
            inside -= 1
        return ""

    monkeypatch.setattr(Argon2PasswordHasher, act, held)
    with ThreadPoolExecutor(AT_ONCE * 4) as threads:
        done = [threads.submit(getattr(Argon2(), act), "password", "other") for _ in range(AT_ONCE * 4)]
        assert full.wait(60)
        release.set()
        assert [future.result(10) for future in done] == [""] * (AT_ONCE * 4)
    assert most == AT_ONCE


def test_the_project_hashes_with_it() -> None:
    assert HASHERS == ["casino.people.hashers.Argon2"]
