"""Who turns against the house, or comes from the street: a thread for each, which tries one thing after the other beside the floor,
at the addresses that everybody uses, as fast as people are. What is taken that must be refused is wrong, as is any other answer.
"""

import hashlib
import hmac
import http.client
import random  # noqa: TID251  (what is tried when comes from the seed)
import re
import struct
import threading
import time
from base64 import b32decode
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.simulate.clients import Client, Refused, Tally, Unreachable
from casino.simulate.people import PASSWORD, TRIES, Person

PAUSE_S = (0.4, 1.6)
AWAY = (502, 503, 504)  # nobody is at home, for longer than somebody asks again
STEP_S = 30  # of an authenticator
OWN_PASSWORD = "Kein-Schloss-ohne-Riegel-9"
SECRET = re.compile(r'class="secret">([^<]+)<')


class NotNow(Exception):
    """There is nothing at hand on which this could be tried."""


@dataclass(frozen=True)
class Try:
    """One thing that is tried: what it is, how, with which code it must be refused; `moved_on`: codes that only say that what it
    was about is over by now, and count for nothing. `soon`: it is about something that does not last, and comes before the rest.
    """

    name: str
    act: Callable[[], object]
    code: str
    moved_on: tuple[str, ...] = ()
    soon: bool = False


@dataclass
class Attack:
    """All attackers of one evening, and what came of it: by try how often it was rightly refused, and what must not have been."""

    wrong: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    over: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        """What was not refused yet: its occasion has not come."""
        return [what for what, times in self.refused.items() if not times]

    def had(self, *names: str) -> bool:
        """Whether each of these, of whatever kind, was rightly refused once."""
        return not any(what.endswith(f" {name}") for what in self.missing for name in names)

    def begin(
        self, kind: str, tries: Sequence[Try], chance: random.Random, pause_s: tuple[float, float] = PAUSE_S
    ) -> None:
        """Let an attacker of this kind try one thing after the other: what has been refused seldom comes before the rest."""
        self.refused.update({_what(kind, one): 0 for one in tries})

        def run() -> None:
            while not self.over.wait(chance.uniform(*pause_s)):
                order = sorted(tries, key=lambda one: (not one.soon, self.refused[_what(kind, one)], chance.random()))
                any(self.attempt(kind, one) and not one.soon for one in order)

        thread = threading.Thread(target=run, daemon=True, name=kind)
        self.threads.append(thread)
        thread.start()

    def attempt(self, kind: str, one: Try) -> bool:
        """Try it once; whether there was something to try it on."""
        what = _what(kind, one)
        try:
            answer = one.act()
        except NotNow:
            return False
        except Unreachable:  # the house is being killed
            return True
        except Refused as refused:
            code = refused.code or str(refused.status)
            if code == one.code:
                self.refused[what] += 1
            elif code not in one.moved_on and refused.status not in AWAY:
                self.wrong.append(f"{what}: refused as {code}, not as {one.code} ({refused.problem})")
            return True
        except Exception as error:  # noqa: BLE001  (whatever it is, the evening must hear of it)
            self.wrong.append(f"{what}: cannot be tried: {type(error).__name__}: {error}")
            return True
        self.wrong.append(f"{what}: was taken: {str(answer)[:400]}")
        return True

    def end(self) -> None:
        """Nothing is tried any more."""
        self.over.set()
        for thread in self.threads:
            thread.join(60)


def _what(kind: str, one: Try) -> str:
    return f"{kind} {one.name}"


# Whoever asks
class Browser(Client):
    """A client at an address of its own; what it asks is answered soon or not at all."""

    def __init__(self, address: str, tally: Tally, source: str) -> None:
        super().__init__(address, tally)
        self.source, self.patience_s = source, 30.0

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, timeout=30, source_address=(self.source, 0))


class Insider(Person):
    """Somebody with a sign-in and the secret of his authenticator: two codes at once, then one in half a minute."""

    def __init__(
        self,
        address: str,
        username: str,
        tally: Tally,
        secret: bytes = b"",
        *,
        password: str = PASSWORD,
        source: str = "127.0.0.2",
    ) -> None:
        self.username = self.name = username
        self.client: Browser = Browser(address, tally, source)
        self.id, self.secret, self.password = "", secret or secret_of(username), password
        self._step, self._code = 0, threading.Lock()

    def sign_in(self) -> "Insider":
        """Raises Refused."""
        for left in reversed(range(TRIES)):
            self.client.ask("/sign-in/")
            fields = {"username": self.username, "password": self.password, "code": self.code()}
            try:
                let_in(self.client.form("/sign-in/", **fields)[0])
            except Refused:
                if not left:
                    raise
                time.sleep(STEP_S)
                self._step = int(time.time()) // STEP_S - 1  # the newest: it may take a while until it is looked at
            else:
                break
        return self

    def has_codes(self, number: int = 1) -> bool:
        """Whether he can show so many codes now: two at most."""
        return min(int(time.time()) // STEP_S - self._step, 2) >= number

    def code(self) -> str:
        """The earliest code that the house takes. Raises NotNow where he has shown the newest one."""
        with self._code:
            self.clock_right()
            now = int(time.time()) // STEP_S
            if self._step == now:
                raise NotNow
            self._step = max(self._step + 1, now - 1)
            return totp(self.secret, self._step)

    def sign(self, asked: dict[str, Any], payload_hash: str = "") -> dict[str, Any]:
        """Sign once, by a code. Raises Refused."""
        body = {"payload_hash": payload_hash or asked["payload_hash"], "secret": self.code()}
        signed: dict[str, Any] = self.client.post(f"approvals/{asked['id']}/sign/", body)
        return signed


class Second(Insider):
    """Whom a manager has made, or whose sign-in he has set anew: with a password and a telephone of the manager's."""

    def enrol(self, once: str) -> "Second":
        """Sign in with the one-time password, set another, enrol an authenticator. Raises Refused."""
        client = self.client
        client.ask("/sign-in/")
        let_in(client.form("/sign-in/", username=self.username, password=once, code="")[0])
        client.ask("/sign-in/password/")
        client.form("/sign-in/password/", password=self.password, again=self.password)
        secret = SECRET.search(client.ask("/sign-in/authenticator/")[1].decode())
        if secret is None:
            raise NotNow
        text = secret[1].replace(" ", "")
        self.secret = b32decode(text + "=" * (-len(text) % 8))
        let_in(client.form("/sign-in/authenticator/", code=self.code())[0])
        return self


def let_in(where: str) -> str:
    """Where a sign-in leads. Raises Refused where it leads nowhere."""
    if not where or where.endswith("/sign-in/"):
        raise Refused(422, {"code": "sign_in.refused"})
    return where


def secret_of(username: str) -> bytes:
    """What `prepare` has given the insiders' authenticators."""
    return hashlib.sha1(f"faults {username}".encode()).digest()


def totp(secret: bytes, step: int) -> str:
    """RFC 6238."""
    digest = hmac.digest(secret, struct.pack(">Q", step), "sha1")
    (number,) = struct.unpack(">I", digest[(at := digest[-1] & 15) : at + 4])
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"
