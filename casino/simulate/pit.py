"""The pit, a second signer and the cage: they bring a hit to its end, each with a sign-in of their
own.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from casino.simulate import texts
from casino.simulate.clients import Refused, Tally
from casino.simulate.people import CAGE, PINS, Person
from casino.simulate.texts import money

LOOK_S = 0.3
DARK_S = 7.0  # a display that has said nothing for so long is looked at
ENDED = ("paid", "rejected")
STUCK = ("suspended", "closed", "retired")


class Pit:
    """Looks at the jackpot all evening. `is_true` knows from our own cards whether a claim (round,
    box) is one.
    """

    dark_s = DARK_S

    def __init__(
        self,
        people: dict[str, Person],
        jackpot: dict[str, Any],
        tally: Tally,
        *,
        tell: Callable[[str], None],
        differs: Callable[[str], None],
        is_true: Callable[[str, int | None], bool],
    ) -> None:
        self.boss, self.manager, self.cage = people["boss"], people["manager"], people["cage"]
        self.id, self.jackpot, self.tally = jackpot["id"], jackpot, tally
        self.tell, self.differs, self.is_true = tell, differs, is_true
        self.now: dict[str, Any] = jackpot
        self.hits: list[str] = []
        self.frozen: dict[
            str, float
        ] = {}  # by hit: a moment of our own clock, not before it and not after its reopening
        self._asked: set[str] = set()
        self._seen: dict[str, tuple[str, float]] = {}
        self._outs, self._shown = 0, ""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="pit")
        self.error: BaseException | None = None
        self.names: dict[str, str] = {}  # of the tables, by id
        self._hit_at = time.monotonic()

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def end(self) -> None:
        """Look no more, once what is looked at is done."""
        self._done.set()
        if self._thread.ident is not None:  # it was started
            self._thread.join(60)

    def wait_open(self, seconds: float) -> bool:
        """Wait until betting is open and everything is paid; whether it came to that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.error is None:
            if self.look()["phase"] == "open" and not self.unpaid():
                return True
            time.sleep(LOOK_S)
        return False

    def look(self) -> dict[str, Any]:
        """The jackpot as it stands."""
        found: dict[str, Any] = self.boss.client.get(f"jackpots/{self.id}/")
        return found

    def _run(self) -> None:
        try:
            while not self._done.is_set():
                self._step()
                self._done.wait(LOOK_S)
        except Exception as error:  # noqa: BLE001  (whatever it is, the floor must hear of it)
            self.error = error
            self.differs(f"the pit cannot go on: {type(error).__name__}: {error}")

    def _step(self) -> None:
        before, self.now = self.now["phase"], self.look()
        phase, hit = self.now["phase"], self.now["hit"]
        if phase != before and before == "open":
            self._hit_at = time.monotonic()
        if hit and hit["state"] not in ENDED and hit["id"] not in self.hits:
            self.hits.append(hit["id"])
            self.frozen[hit["id"]] = time.monotonic()
        if phase != before:
            self._tell_phase(phase)
        if phase == "verifying" and hit:
            self._decide(hit["id"])
        elif phase == "showing":
            self._look_at_displays()
        elif phase == "open" and self.hits:
            self._pay()
        elif phase in STUCK:
            raise RuntimeError(f"{self.jackpot['name']} is {phase}")

    def _tell_phase(self, phase: str) -> None:
        if phase != "open":  # then the first coins of the new rounds may have come already
            self._shown = money(self.now["shown_minor"])
        shown = self._shown
        told = {
            "draining": (
                f"A hit! The meter stands at {shown}. Betting is closed at all linked tables;"
                " running rounds end first."
            ),
            "verifying": (
                f"The last running round has ended; the meter stands at {shown}. The pit looks at"
                " each claim."
            ),
            "showing": (
                f"The value {shown} is on its way to the displays; tables wait until each one"
                " shows it."
            ),
            "open": f"Every display shows {shown}: betting is open again.",
        }
        if phase in told and (phase != "open" or self.hits):
            self.step(told[phase])

    def step(self, text: str) -> None:
        """Tell a step of a hit, and how long after its beginning it is done."""
        after = f" [{time.monotonic() - self._hit_at:.1f} s after the hit]" if self.hits else ""
        self.tell(f"{text}{after}")

    def _decide(self, hit_id: str) -> None:
        hit = self.boss.client.get(f"hits/{hit_id}/")
        for claim in hit["claims"]:
            if claim["state"] == "open":
                self._judge(hit, claim)
                return  # looked at anew
        if any(claim["state"] in ("called", "open") for claim in hit["claims"]):
            return
        asked = [
            one
            for one in hit["approvals"]
            if one["state"] == "open" and one["id"] not in self._asked
        ]
        if any(claim["state"] == "verified" for claim in hit["claims"]):
            self._award(hit, asked)
        else:
            waiting = [
                one
                for one in hit["approvals"]
                if (one["action"], one["state"]) == ("jackpot.reject", "open")
            ]
            reason = {"reason": texts.NO_ROYAL}
            self.manager.sign(
                waiting[0] if waiting else self.boss.post(f"hits/{hit_id}/reject-request/", reason)
            )
            self.step(
                f"No claim is true: {self.boss.name} asks for a rejection, {self.manager.name}"
                " signs. The meter stays."
            )

    def _judge(self, hit: dict[str, Any], claim: dict[str, Any]) -> None:
        where = f"{self.names.get(claim['table'], 'a table')}, box {claim['box']}"
        if self.is_true(claim["round"], claim["box"]):
            checklist = dict.fromkeys(hit["checklist"], texts.SEEN_BY.format(name=self.boss.name))
            self.boss.post(f"claims/{claim['id']}/verify/", {"checklist": checklist})
            self.step(
                f"{where}: {self.boss.name} has seen the cards, the deck and the camera; the claim"
                " is true."
            )
        else:
            self.boss.post(f"claims/{claim['id']}/refuse/", {"reason": texts.NO_ROYAL})
            self.step(f"{where}: {self.boss.name} refuses the claim.")

    def _award(self, hit: dict[str, Any], asked: list[dict[str, Any]]) -> None:
        for one in asked:
            if one["action"] == "jackpot.award":
                self._asked.add(one["id"])
                split = hit["splits"][-1]
                shares = [share["share_minor"] for share in split["shares"]]
                self.step(
                    f"The split: {money(split['won_minor'])} for {len(shares)} = {money(shares[0])}"
                    f" each, {money(split['remainder_minor'])} stays on top of the next seed. Two"
                    " people must sign it."
                )
                signed = self.boss.sign(one)
                self.step(f"{self.boss.name} has signed with a code of the authenticator.")
                self.last_signature(signed)
                self.step(
                    f"{self.manager.name} has signed with hers: shares are awarded, slips are"
                    " printed."
                )

    def last_signature(self, asked: dict[str, Any]) -> None:
        """The second of two people signs: the meter is paid."""
        self.manager.sign(asked)

    def _look_at_displays(self) -> None:
        """Take out what stays dark: one asks, another signs. The list says itself when each was
        heard last.
        """
        for one in self.boss.client.every(f"jackpots/{self.id}/displays/"):
            if one["gate"] != "waiting":
                continue
            seen_at, since = self._seen.get(one["display"], ("", 0.0))
            if seen_at != str(one["seen_at"]):
                self._seen[one["display"]] = (str(one["seen_at"]), time.monotonic())
            elif time.monotonic() - since > self.dark_s:
                self.take_out(one)

    def take_out(self, one: dict[str, Any]) -> None:
        """Have the tables wait for a dark display no more. Raises Refused, for the last one too."""
        asks, signs = (
            (self.manager, self.boss) if self._outs % 2 == 0 else (self.boss, self.manager)
        )
        self._outs += 1  # in turns: a code of an authenticator is good once in half a minute
        path = f"jackpots/{self.id}/displays/{one['display']}/out-request/"
        asked = asks.post(path, {"reason": texts.DARK.format(name=asks.name)})
        signs.sign(asked)
        self._seen.pop(one["display"], None)
        self.tally.count("displays taken out")
        self.step(f"{one['name']} stays dark: {asks.name} asks to take it out, {signs.name} signs.")

    def unpaid(self) -> list[str]:
        """Hits whose slips the cage has not paid yet."""
        return [one for one in self.hits if one not in self._asked]

    def _pay(self) -> None:
        """The cage pays each slip, once; a second time it must be refused."""
        for hit_id in self.unpaid():
            hit = self.boss.client.get(f"hits/{hit_id}/")
            if hit["state"] not in ENDED:
                continue
            for award in hit["awards"]:
                slip = award["slip"]
                if slip["state"] == "open":
                    self._pay_one(award, slip)
            self._asked.add(hit_id)

    def _pay_one(self, award: dict[str, Any], slip: dict[str, Any]) -> None:
        path, body = (
            f"slips/{slip['id']}/pay/",
            {
                "cash_minor": slip["to_pay_minor"],
                "secret": PINS[CAGE],
            },
        )
        self.cage.post(path, body)
        where = f"{self.names.get(award['table'], 'a table')}, box {award['box']}"
        self.step(
            f"{self.cage.name} at the cage pays slip {slip['written']} ({where}):"
            f" {money(slip['to_pay_minor'])}."
        )
        try:
            self.cage.post(path, body)
        except Refused as refused:
            if refused.code != "slip.state":
                self.differs(
                    f"a second payment of slip {slip['written']} is refused as {refused.code}"
                )
        else:
            self.differs(f"slip {slip['written']} was paid twice")
