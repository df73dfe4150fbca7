"""Browsers, tablets and displays as the service sees them: cookies of their own, a key for each
command, and patience.

No answer is never "not done": a request without one is sent again, word for word and under the same
key, until there is one.
"""

import http.client
import json
import random  # noqa: TID251  (which answers get lost is part of the seeded evening)
import ssl
import threading
import time
import urllib.parse
import uuid
from collections import Counter
from http.cookies import SimpleCookie
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

TIMEOUT_S = 20.0
PATIENCE_S = 120.0  # a busy machine, or a server that is starting again, is no failure
UNSURE = (500, 502, 503, 504)
FAULTS_MOST = 3  # how often a 500 is asked again: a fault that stays is one
WAIT_S = 0.2
# within which a connection breaks whose answer is lost: before, while or after the service does
# what it was asked
LOST_S = 0.15

Json = Any


class Refused(Exception):
    """A refusal: the problem document of the service, or the status of a page."""

    def __init__(self, status: int, problem: dict[str, Any], again_s: int = 0) -> None:
        # `again_s`: as Retry-After names it
        self.status, self.problem, self.again_s = status, problem, again_s
        self.code = str(problem.get("code", ""))
        super().__init__(f"{status} {self.code} {problem.get('title', '')}".strip())


class Unreachable(Exception):
    """Nobody answers at the address, however often it is asked."""


class Tally:
    """What all clients together have sent, heard and waited for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.seconds: list[float] = []

    def count(self, what: str, times: int = 1) -> None:
        """Count something."""
        with self._lock:
            self.counts[what] += times

    def refused(self, code: str) -> None:
        """Count a refusal."""
        with self._lock:
            self.refusals[code] += 1

    def asked(self, client: "Client", key: str, path: str, data: bytes) -> None:
        """A command is about to be sent under this key. Here, and in the two below, whoever keeps a
        history writes it.
        """

    def acknowledged(self, key: str, answer: Json) -> None:
        """The service answered that it is done."""

    def turned_down(self, key: str, refused: "Refused") -> None:
        """The service refused it, or could not say (a status from 500 on)."""

    def answered(self, seconds: float) -> None:
        """Note how long a command took, with all its repetitions."""
        with self._lock:
            self.seconds.append(seconds)

    def quantile(self, share: float) -> int:
        """Milliseconds within which this share of the commands was answered."""
        with self._lock:
            ordered = sorted(self.seconds)
        return (
            round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))])
            if ordered
            else 0
        )


class Client:
    """One client: its connection and cookies. `lossy` is the share of commands whose first answer
    it never hears.
    """

    def __init__(
        self, address: str, tally: Tally, *, chance: random.Random | None = None, lossy: float = 0.0
    ) -> None:
        parts = urllib.parse.urlsplit(address)
        self.address, self.host, self.secure = address, parts.netloc, parts.scheme == "https"
        self.tally, self.chance, self.lossy = tally, chance, lossy
        self.headers = {"Accept-Language": "en", "Host": parts.netloc}
        self.cookies: dict[str, str] = {}
        self.tag = ""  # of the last page that was answered, by which it is told from a newer one
        self.again_s = 0  # what the last answer named
        self.patience_s, self.timeout_s = PATIENCE_S, TIMEOUT_S
        self._lock = threading.RLock()
        self._connection: http.client.HTTPConnection | None = None

    def beside(self) -> "Client":
        """The same browser with a connection of its own."""
        other = Client(self.address, self.tally)
        other.cookies = dict(self.cookies)
        return other

    def ask(
        self, path: str, data: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[str, bytes]:
        """One request, answered: where it leads (a page that sends on) and the body. Raises
        Refused, Unreachable.
        """
        end, faults = time.monotonic() + self.patience_s, 0
        while True:
            try:
                status, there, body = self._once(path, data, headers or {})
            except (OSError, http.client.HTTPException) as error:
                self._drop()
                self.tally.count("asked again")
                if time.monotonic() > end:
                    raise Unreachable(
                        f"{self.address} does not answer: {error or type(error).__name__}."
                    ) from error
                time.sleep(WAIT_S)
                continue
            if status < 400:
                return there, body
            refused = Refused(status, _problem(body), self.again_s)
            faults += status == 500
            unsure = (
                status in UNSURE and faults <= FAULTS_MOST
            ) or refused.code == "command.in_flight"
            if not unsure or time.monotonic() > end:
                self.tally.refused(refused.code or str(status))
                raise refused
            self.tally.count("asked again")
            time.sleep(WAIT_S)

    def _once(
        self, path: str, data: bytes | None, headers: dict[str, str], *, deaf: float | None = None
    ) -> tuple[int, str, bytes]:
        sent = self.headers | headers
        if self.cookies:
            sent["Cookie"] = self._cookie()
        with self._lock:
            connection = self._connection = self._connection or self._connect()
            connection.request("POST" if data is not None else "GET", path, data, sent)
            if deaf is not None:
                time.sleep(deaf)
                self._drop()
                return 0, "", b""
            response = connection.getresponse()
            body = response.read()
        self.tag, self.again_s = (
            response.headers.get("ETag") or "",
            int(response.headers.get("Retry-After") or 0),
        )
        self.tally.count("requests")
        for header in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(header).items():
                if morsel.value:
                    self.cookies[name] = morsel.value
                else:
                    self.cookies.pop(name, None)
        return response.status, response.headers.get("Location", ""), body

    def _connect(self) -> http.client.HTTPConnection:
        if self.secure:
            return http.client.HTTPSConnection(
                self.host, timeout=self.timeout_s, context=ssl.create_default_context()
            )
        return http.client.HTTPConnection(self.host, timeout=self.timeout_s)

    def _drop(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def get(self, path: str, **query: object) -> Json:
        """Read from the API."""
        return json.loads(self.ask(f"/api/{path}?{urllib.parse.urlencode(query)}")[1])

    def every(self, path: str, **query: object) -> list[Json]:
        """All rows of a list, page by page."""
        rows: list[Json] = []
        cursor = ""
        while True:
            page = self.get(path, limit=200, **query, **({"cursor": cursor} if cursor else {}))
            rows += page["results"]
            if page["next"] is None:
                return rows
            cursor = page["next"]

    def command(self, path: str, body: Json = None, key: str | None = None) -> Json:
        """Command under a key of its own; the whole answer, with `replayed`. A lossy client
        sometimes hears only the second.
        """
        key, data = key or str(uuid.uuid4()), json.dumps(body or {}).encode()
        self.tally.asked(self, key, path, data)
        begun = time.monotonic()
        if self.chance is not None and self.chance.random() < self.lossy:
            self._unheard(key, path, data)
        try:
            answer = json.loads(self.ask(f"/api/{path}", data, self._keyed(key))[1])
        except Refused as refused:
            self.tally.turned_down(key, refused)
            raise
        self.tally.acknowledged(key, answer)
        self.tally.answered(time.monotonic() - begun)
        if answer.get("replayed"):
            self.tally.count("answered a second time")
        return answer

    def unheard(self, path: str, body: Json, key: str) -> None:
        """Send a command once and never hear its answer: whether it was done is not known."""
        data = json.dumps(body).encode()
        self.tally.asked(self, key, path, data)
        self._unheard(key, path, data)

    def _unheard(self, key: str, path: str, data: bytes) -> None:
        listened_s = (self.chance.random() if self.chance else 0) * LOST_S
        try:
            self._once(f"/api/{path}", data, self._keyed(key), deaf=listened_s)
        except (OSError, http.client.HTTPException):
            self._drop()
        self.tally.count("answers lost")

    def _keyed(self, key: str) -> dict[str, str]:
        return {
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "X-CSRFToken": self.token(),
        }

    def post(self, path: str, body: Json = None, key: str | None = None) -> Json:
        """As `command`; gives only what it answered."""
        answer = self.command(path, body, key)
        return answer.get("answer", answer)

    def form(self, path: str, **fields: object) -> tuple[str, bytes]:
        """Send a page's form; the page must have been asked for, so that its cookie is there."""
        data = urllib.parse.urlencode(fields | {"csrfmiddlewaretoken": self.token()}).encode()
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Referer": self.address + path,
        }
        return self.ask(path, data, headers)

    def token(self) -> str:
        """The token against forged forms."""
        return next(
            (value for name, value in self.cookies.items() if name.startswith("saalchef-csrf-")), ""
        )

    def socket(self, path: str) -> ClientConnection:
        """Open a socket at the same host, as a page from there does. Raises OSError,
        WebSocketException.
        """
        opened = connect(
            f"{'wss' if self.secure else 'ws'}://{self.host}{path}",
            additional_headers={"Cookie": self._cookie()},
            origin=Origin(self.address),
            open_timeout=5,
            close_timeout=1,
        )
        self.tally.count("sockets opened")
        return opened

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def close(self) -> None:
        """Hang up."""
        self._drop()


def _problem(body: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(body)
    except ValueError:
        return {"title": body[:120].decode(errors="replace")}
    return problem if isinstance(problem, dict) else {"title": str(problem)[:120]}
