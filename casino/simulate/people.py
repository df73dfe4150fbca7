"""People of the demo house: each with a sign-in of their own, by password and authenticator at the
office, by PIN at a table.
"""

import json
import random  # noqa: TID251  (which answers get lost is part of the seeded evening)
import threading
import time
import urllib.parse
from collections.abc import Callable
from typing import Any

from casino.simulate.clients import Client, Refused, Tally

# The demo's own, as its sign-in pages show them; nothing here is a secret.
PASSWORD = "Saalchef-Demo-7310"  # noqa: S105
PINS = {
    "m.frei": "270415",
    "n.egli": "947582",
    "l.moretti": "158693",
    "p.gerber": "269704",
    "d.kunz": "615038",
    "v.roth": "826193",
    "r.caduff": "381926",
    "l.bianchi": "492037",
    "b.zumstein": "836471",
    "e.hunziker": "719348",
}
CROUPIERS = {
    "m.frei": "Martina Frei",
    "n.egli": "Nora Egli",
    "l.moretti": "Luca Moretti",
    "p.gerber": "Pia Gerber",
    "d.kunz": "Dario Kunz",
    "v.roth": "Vera Roth",
}
BOSS, MANAGER, CAGE, TECHNICIAN = "r.caduff", "b.zumstein", "l.bianchi", "a.gantenbein"
SECOND = "e.hunziker"  # a pit boss who counts nothing
NAMES = {
    BOSS: "R. Caduff",
    MANAGER: "B. Zumstein",
    CAGE: "L. Bianchi",
    TECHNICIAN: "A. Gantenbein",
    SECOND: "E. Hunziker",
} | {username: f"{name[0]}. {name.split()[1]}" for username, name in CROUPIERS.items()}

STEP_S = 30  # of an authenticator
TRIES = 4  # a fifth wrong one would lock
TOO_MANY = 429


class NoEntry(Exception):
    """Somebody is not let in."""


class Person:
    """Somebody at the office: a browser, and an authenticator that shows each code once."""

    clock_right: Callable[[], object] = staticmethod(
        lambda: None
    )  # waits until the house's clock is right: only then its codes are

    def __init__(
        self,
        address: str,
        username: str,
        tally: Tally,
        chance: random.Random,
        *,
        lossy: float = 0.0,
    ) -> None:
        self.username, self.name = username, NAMES[username]
        self.client = Client(address, tally, chance=chance, lossy=lossy)
        self._step = 0
        self._code = threading.Lock()

    def sign_in(self) -> "Person":
        """Sign in. Raises NoEntry, and Refused where there are no demo people."""
        for _try in range(TRIES):
            code = self.code()
            self.client.ask("/sign-in/")
            where = self._asks_in(code)
            if where and "/sign-in/" not in where:
                return self
            time.sleep(STEP_S / 2)  # somebody else has used this code
        raise NoEntry(
            f"{self.username} was not signed in: the house is not a demo house, or the sign-in is"
            " locked."
        )

    def _asks_in(self, code: str) -> str:
        """Where the sign-in leads. While too many sign in, it says when to come again, and has
        looked at nothing.
        """
        end = time.monotonic() + self.client.patience_s
        while True:
            try:
                return self.client.form(
                    "/sign-in/", username=self.username, password=PASSWORD, code=code
                )[0]
            except Refused as busy:
                if busy.status != TOO_MANY or time.monotonic() > end:
                    raise
                time.sleep(busy.again_s)

    def sign_out(self) -> None:
        """End the session, and no other of the same person."""
        self.client.form("/sign-out/")

    def code(self) -> str:
        """The code that this person's authenticator shows next: it waits where the last one is
        still the newest.
        """
        with self._code:
            self.clock_right()
            now = int(time.time()) // STEP_S
            self._step = max(now, self._step + 1)
            while self._step > int(time.time()) // STEP_S + 1:
                time.sleep(0.2)
            codes: dict[str, str] = json.loads(self.client.ask("/sign-in/demo/")[1])["codes"]
            return codes[self.username]

    def wait_for_code(self) -> None:
        """Wait until the authenticator shows a code that was not used yet."""
        while self._step >= int(time.time()) // STEP_S + 1:
            time.sleep(0.2)

    def sign(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Sign what was asked for, by PIN or code as it says. Raises Refused."""
        for left in reversed(range(TRIES)):
            secret = PINS[self.username] if asked["method"] == "pin" else self.code()
            body = {"payload_hash": asked["payload_hash"], "secret": secret}
            try:
                signed: dict[str, Any] = self.client.post(f"approvals/{asked['id']}/sign/", body)
            except Refused as refused:
                now: dict[str, Any] = self.client.get(f"approvals/{asked['id']}/")
                if len(now["signed_by"]) > len(asked["signed_by"]) or now["state"] == "used":
                    return now  # the first try had come through after all: only its answer was lost
                if "proof" not in refused.code or not left:
                    raise
                time.sleep(STEP_S / 2)
            else:
                return signed
        raise AssertionError

    def post(self, path: str, body: Any = None) -> Any:
        """Command."""
        return self.client.post(path, body)


def tablet_client(
    address: str, table_id: str, tally: Tally, chance: random.Random, *, lossy: float
) -> tuple[Client, str]:
    """Enrol a tablet of a table, as the demo allows with one tap; gives its client and its device.
    Raises Refused.
    """
    client = Client(address, tally, chance=chance, lossy=lossy)
    client.ask("/tablet/enrol/")
    where, _page = client.form("/tablet/demo/", table=table_id)
    device = urllib.parse.urlsplit(where).path.split("/")[2]
    client.headers["X-Saalchef-Device"] = device
    return client, device


def tablet_sign_in(client: Client, device: str, username: str) -> None:
    """Sign in on a tablet by PIN; who was signed in before is out then. Raises NoEntry."""
    client.ask(f"/tablet/{device}/sign-in/")
    where, _page = client.form(f"/tablet/{device}/sign-in/", username=username, pin=PINS[username])
    if not where or where.endswith("/sign-in/"):
        raise NoEntry(f"{username} was not signed in on the tablet.")
