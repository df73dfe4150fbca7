"""Who comes from the street: guesses names, passwords, codes and tokens, sends more than anybody reads, opens whatever opens; so
much at once that the house must say no to it, and no more, for the floor plays on the same machine.
"""

import json
import random  # noqa: TID251  (who tries what when comes from the seed)
import socket
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from casino.simulate.clients import Refused, Tally, Unreachable
from casino.simulate.people import NAMES
from tests.faults.attack import Browser, Try, let_in

STRANGER = "stranger"
AT_ONCE = 8
LONG_BYTES = 300_000_000  # that he says he sends
SOURCE = "127.0.0.66"
AWAY = (1006, 1011, 1012, 1013)  # a socket whose process ends or cannot ask


class Stranger:
    """He knows the house's address, and the names of its people."""

    def __init__(self, address: str, tally: Tally, chance: random.Random) -> None:
        self.address, self.tally, self.chance = address, tally, chance
        self.host, self.port = address.removeprefix("http://").split(":")

    def tries(self) -> Sequence[Try]:
        """What he tries."""
        enrolled = "device.not_enrolled"
        return (
            Try("signs in by the dozen", self._dozen, "429", ("sign_in.refused",)),
            Try("guesses a password", self._guess, "sign_in.refused", ("429",)),
            Try("sends 300 MB", self._long, "413", ("429",)),  # one source, one place at the door
            Try("opens sockets without a cookie", lambda: self._knock(""), "403"),
            Try("opens a socket with a forged cookie", lambda: self._knock(f"saalchef-own={uuid.uuid4().hex}"), "4401"),
            Try("reads with a forged session", self._reads, "sign_in.required"),
            Try("locks with a forged device", lambda: self._posts("X-Saalchef-Device", str(uuid.uuid4())), enrolled),
            Try("sends cards with a guessed token", lambda: self._posts("Authorization", f"Bearer {uuid.uuid4().hex}"), enrolled),
            Try("shows a tablet sixty-four cookies", self._cookies, "403"),
            Try("guesses the code of a tablet", lambda: self._enrols("tablet"), "device.code_refused"),
            Try("guesses the code of a display", lambda: self._enrols("display"), "device.code_refused"),
            Try("confirms for a display", self._confirms, "device.foreign_page"),
        )  # fmt: skip

    def _browser(self) -> Browser:
        return Browser(self.address, self.tally, SOURCE)

    def _at_once(self, act: Callable[[], object]) -> object:
        """Do it many times at once: what one of them is given, else the refusal of the last by its code."""
        refused: list[Refused] = []

        def one() -> object:
            try:
                return act()
            except Refused as said:
                refused.append(said)
            return None

        with ThreadPoolExecutor(AT_ONCE) as threads:
            for got in [threads.submit(one) for _ in range(AT_ONCE)]:
                if (given := got.result()) is not None:
                    return given
        raise max(refused, key=lambda said: said.status)

    # The sign-in
    def _guess(self) -> object:
        """A wrong password, under the name of somebody who is at work just now."""
        client = self._browser()
        try:
            client.ask("/sign-in/")
            name = self.chance.choice(list(NAMES))
            where, _page = client.form("/sign-in/", username=name, password=uuid.uuid4().hex, code="123456")
            return let_in(where)
        finally:
            client.close()

    def _dozen(self) -> object:
        return self._at_once(self._guess)

    def _enrols(self, what: str) -> object:
        client = self._browser()
        try:
            client.ask(f"/{what}/enrol/")
            where, _page = client.form(f"/{what}/enrol/", code=f"{self.chance.randrange(10**8):08}")
        finally:
            client.close()
        if where:
            return where
        raise Refused(422, {"code": "device.code_refused"})

    # Too much
    def _long(self) -> object:
        """He says how much it is, and begins."""
        head = (
            f"POST /sign-in/ HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Length: {LONG_BYTES}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        )
        try:
            with socket.create_connection((self.host, int(self.port)), 20, (SOURCE, 0)) as line:
                with suppress(OSError):  # it hangs up while he still sends
                    line.sendall(head.encode() + b"x" * 60_000)
                said = line.recv(200).decode(errors="replace")
        except OSError as error:
            raise Unreachable(str(error)) from error
        if not said:
            raise Unreachable("nobody answers")
        raise Refused(int(said.split()[1]), {"title": said})

    def _knock(self, cookie: str) -> object:
        return self._at_once(lambda: self._socket(cookie))

    def _socket(self, cookie: str) -> object:
        path = self.chance.choice(
            ("/ws/pit/", f"/ws/display/?device={uuid.uuid4()}", f"/ws/tablet/?device={uuid.uuid4()}")
        )
        headers = {"Cookie": cookie} if cookie else {}
        try:
            with connect(
                f"ws://{self.host}:{self.port}{path}",
                additional_headers=headers,
                origin=Origin(self.address),
                open_timeout=20,
            ) as there:
                return there.recv(timeout=20)
        except InvalidStatus as error:
            raise Refused(error.response.status_code, {}) from error
        except ConnectionClosed as error:
            code = error.rcvd.code if error.rcvd else 1006
            if code in AWAY:
                raise Unreachable(str(error)) from error
            raise Refused(403, {"code": str(code)}) from error
        except (OSError, WebSocketException, EOFError) as error:
            raise Unreachable(str(error)) from error

    # Forged
    def _reads(self) -> object:
        client = self._browser()
        client.cookies["saalchef-own"] = uuid.uuid4().hex
        try:
            return client.get(self.chance.choice(("jackpots/", "slips/", "tables/", "approvals/")))
        finally:
            client.close()

    def _posts(self, header: str, proof: str) -> object:
        client, some = self._browser(), uuid.uuid4()
        path = f"rounds/{some}/cards/" if header == "Authorization" else f"tables/{some}/rounds/{uuid.uuid4()}/lock/"
        keyed = {"Content-Type": "application/json", "Idempotency-Key": str(some), header: proof}
        try:
            return client.ask(f"/api/{path}", b'{"stakes": []}', keyed)
        finally:
            client.close()

    def _cookies(self) -> object:
        client = self._browser()
        client.cookies = {f"saalchef-device-own-{uuid.uuid4()}": uuid.uuid4().hex for _ in range(64)}
        try:
            return client.ask(f"/tablet/{uuid.uuid4()}/")
        finally:
            client.close()

    def _confirms(self) -> object:
        client = self._browser()
        told = {"session": str(uuid.uuid4()), "gate": 1, "nonce": uuid.uuid4().hex, "version": 1, "shown": "10'000.00"}
        try:
            data = json.dumps(told).encode()
            return client.ask(f"/display/{uuid.uuid4()}/confirm/", data, {"Content-Type": "application/json"})
        finally:
            client.close()
