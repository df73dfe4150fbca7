"""A croupier at a tablet: plays the rounds that are planned, with the mistakes that happen, and
notes what came of each.
"""

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.simulate import plan as planned
from casino.simulate import texts
from casino.simulate.books.lines import Lines, Outcome
from casino.simulate.books.rules import JackpotRules
from casino.simulate.clients import Client, Refused
from casino.simulate.counting.cash import TableCash
from casino.simulate.games import Game
from casino.simulate.people import NAMES, Person, tablet_sign_in
from casino.simulate.phase import LISTEN_S, PhaseSocket
from casino.simulate.plan import RoundPlan
from casino.simulate.texts import refusal

FROZEN = ("jackpot.not_open",)
SETTLED, VOIDED, REOPENED, WITHDRAWN = "settled", "voided", "reopened", "withdrawn"


@dataclass
class Played:
    """One round as we know it: what must have become of it, and what it must have paid."""

    id: str
    table: int
    plan: RoundPlan
    state: str
    outcome: Outcome | None = None
    guests: dict[str, str] = field(default_factory=dict)  # the table's: their ids by our names
    entered: Lines | None = None  # as the house has it, where it was entered amiss and left
    queued: bool = False
    revision: int = 0
    # by our own clock: its lock had been acknowledged
    known_at: float = field(default_factory=time.monotonic)

    @property
    def is_settled(self) -> bool:
        """Whether it counts."""
        return self.state == SETTLED

    @property
    def lines(self) -> Lines:
        """What the round pays as it was entered: nothing unless it was settled."""
        if not (self.outcome and self.is_settled):
            return {}
        return self.outcome.lines if self.entered is None else self.entered

    def place_of(self, line: Mapping[str, Any]) -> tuple[int, str]:
        """Which of our lines a line of the service is."""
        return self.plan.place_of(line, {known: name for name, known in self.guests.items()})


class Differs(Exception):
    """The service did what it must not do."""


@dataclass
class Table:
    """A table as the simulator plays it, with its tablet."""

    number: int
    row: dict[str, Any]
    level: str
    game: Game
    rules: Any
    jackpot: JackpotRules | None
    client: Client
    device: str
    croupier: str  # username
    people: dict[str, str]  # ids of croupiers by username
    boss: Person
    stop: threading.Event
    tell: Callable[[str], None]
    pause: Callable[[float], None]
    # waits until all tables are as far, in rounds that they play together
    met: Callable[[RoundPlan, str], None]
    differs: Callable[[str], None]
    guests: dict[str, str] = field(default_factory=dict)
    played: list[Played] = field(default_factory=list)
    # played without the server
    waiting: list[tuple[str, RoundPlan, Outcome]] = field(default_factory=list)
    socket: PhaseSocket | None = None
    cash: TableCash | None = None  # where its tray is counted

    @property
    def name(self) -> str:
        """As the house calls it."""
        return str(self.row["name"])

    def play(self, plan: RoundPlan) -> None:
        """Play one round as planned. Raises Refused, Unreachable, Differs where it goes
        otherwise."""
        self._seat(plan)
        outcome = self.game.settle(self.rules, self.jackpot, plan)
        if self.cash and self.cash.holds_back(plan):
            self.cash.hold_back(plan, outcome)
            return
        if plan.mishap == planned.OFFLINE:
            self.client.tally.count("rounds without the server")
            self.waiting.append((str(uuid.uuid4()), plan, outcome))
            self.pause(1)
            return
        self.send_waiting()
        self.met(plan, "lock")
        round_id = self._lock_with_mishaps(plan)
        one = Played(round_id, self.number, plan, "locked", outcome, self.guests)
        self.played.append(one)
        self.met(plan, "locked")
        self.pause(2)
        if plan.mishap == planned.HANDED_OVER:
            self._hand_over()
        self._place(round_id, plan)
        if plan.royal in (planned.CALLED, planned.FALSE_CALL):
            self.client.post(f"rounds/{round_id}/call/")
            where = f"{self.name}, box {plan.royal_box}"
            self.tell(
                f"{where}: “Royal!” is called before the cards are entered; all linked tables"
                " freeze at once."
            )
            self.pause(2)
        self._settle(one, plan, outcome)
        for text in self.game.story(plan, outcome):
            self.tell(f"{self.name}, {text}")
        if self.cash:
            self.cash.after(plan)
        self.pause(1)

    def _place(self, round_id: str, plan: RoundPlan) -> None:
        """What guests stake while the cards lie, each stake when it comes. Who has mistyped stakes
        at the lock takes the last one back too, and places it again.
        """
        where, newest = f"rounds/{round_id}", None
        placements = self.game.placements(self.level, plan, self.guests)
        for placement in placements:
            newest = self.client.post(f"{where}/place/", {"placement": placement})["stakes"][-1]
            self.client.tally.count("stakes after the lock")
        if newest and plan.mishap == planned.OFF_STEP:
            self.client.post(f"{where}/take-back/", {"placed": newest["placed"]})
            self.client.post(f"{where}/place/", {"placement": placements[-1]})
            self.client.tally.count("stakes taken back")

    def _seat(self, plan: RoundPlan) -> None:
        for guest in plan.goes:
            self.client.post(f"guests/{self.guests[guest.name]}/leave/")
        for guest in plan.comes:
            seat = {"box": guest.box or None, "seated": guest.seated, "distance": guest.distance}
            self.guests[guest.name] = self.client.post(f"tables/{self.row['id']}/guests/", seat)[
                "id"
            ]

    def _lock_with_mishaps(self, plan: RoundPlan) -> str:
        laid = self.stakes(plan)
        if plan.mishap == planned.OFF_STEP:
            self._refused(
                "a stake off the step",
                self.game.OFF_STEP,
                lambda: self._lock(self.game.off_step(laid, self.rules)),
            )
        elif plan.mishap == planned.WITHDRAWN:
            self._withdraw(plan, laid)
            self.tell(
                f"{self.name}: a lock without an answer is withdrawn; it comes late, is refused,"
                " and the pit dismisses it."
            )
        elif plan.mishap == planned.REOPENED:
            self._reopen(plan, self._lock(laid))
            self.tell(f"{self.name}: a lock by a slip of the finger is taken back at once.")
        elif plan.mishap == planned.VOIDED:
            round_id = self._lock(laid)
            self._place(round_id, plan)
            self._void(plan, round_id, texts.MISDEAL)
            self.tell(
                f"{self.name}: a misdeal; {self.boss.name} voids the round, and all stakes and"
                " coins go back."
            )
        return self._lock(laid)

    def stakes(self, plan: RoundPlan) -> list[dict[str, Any]]:
        """What lies there at the lock of a round."""
        coin = self.jackpot.coin if self.jackpot else 0
        return self.game.stakes(plan, self.guests, coin)

    def _lock(self, laid: list[dict[str, Any]], round_id: str = "") -> str:
        """No more bets; while the jackpot is frozen the chips go back and it is tried again when
        betting opens.
        """
        round_id = round_id or str(uuid.uuid4())
        while True:
            try:
                self.client.post(
                    f"tables/{self.row['id']}/rounds/{round_id}/lock/", {"stakes": laid}
                )
            except Refused as refused:
                if refused.code not in FROZEN:
                    raise
                self._wait_open()
            else:
                return round_id

    def _wait_open(self) -> None:
        """Wait until the tablet is told that betting is open. Ends early when the evening is
        stopped: then nothing is locked.
        """
        if self.socket is None:
            raise Differs(f"{self.name} is not linked, and yet frozen.")
        while True:
            self.socket.changed.clear()
            if self.socket.now() == "open":
                return
            if self.stop.is_set():
                raise Stopped
            self.socket.changed.wait(LISTEN_S)

    def _withdraw(self, plan: RoundPlan, laid: list[dict[str, Any]]) -> None:
        """A lock whose answer never came is withdrawn; coming after all it is refused, and the pit
        looks at what it was.
        """
        round_id = str(uuid.uuid4())
        where = f"tables/{self.row['id']}/rounds/{round_id}"
        self.client.post(f"{where}/withdraw/")
        refused = self._refused(
            "a lock after its withdrawal",
            ("round.withdrawn", *FROZEN),
            lambda: self.client.post(f"{where}/lock/", {"stakes": laid}),
        )
        if refused and "to_clarify" in refused.problem:
            kept = refused.problem["to_clarify"]["id"]
            self.boss.post(
                f"to-clarify/{kept}/dismiss/", {"reason": texts.WENT_BACK, "never_played": True}
            )
        self.played.append(Played(round_id, self.number, plan, WITHDRAWN))

    def _reopen(self, plan: RoundPlan, round_id: str) -> None:
        """The lock was a slip of the finger: taken back at once, or by the pit if the croupier was
        too slow or a hit came.
        """
        try:
            self.client.post(f"rounds/{round_id}/reopen/")
        except Refused as refused:
            if refused.code not in ("round.reopen_late", *FROZEN):
                raise
            self._void(plan, round_id, texts.LOCKED_BY_MISTAKE)
        else:
            self.played.append(Played(round_id, self.number, plan, REOPENED))

    def _void(self, plan: RoundPlan, round_id: str, reason: str) -> None:
        self.boss.post(f"rounds/{round_id}/void/", {"reason": reason})
        self.played.append(Played(round_id, self.number, plan, VOIDED))

    def _refused(
        self, what: str, codes: Sequence[str], act: Callable[[], object]
    ) -> Refused | None:
        """Do something that the service must refuse, with one of these codes."""
        try:
            act()
        except Refused as refused:
            if refused.code not in codes:
                self.differs(
                    f"{self.name}: {what} is refused as {refused.code or refused.status}, not as"
                    f" {codes[0]}"
                )
            self.client.tally.count("mistakes refused")
            if "to_clarify" not in refused.problem:
                why = refusal(refused.problem, self.game.REFUSALS)
                self.tell(f"{self.name}: {what} is refused: {why}.")
            return refused
        self.differs(f"{self.name}: {what} was taken")
        return None

    def _settle(self, one: Played, plan: RoundPlan, outcome: Outcome) -> None:
        right = self.game.result(self.level, self.rules, plan, outcome)
        if plan.mishap == planned.MISTAPPED:
            wrong = self.game.impossible(self.level, self.rules, plan, outcome)
            where = f"rounds/{one.id}/settle/"
            self._refused(
                "a result that the cards deny",
                self.game.IMPOSSIBLE,
                lambda: self.client.post(where, {"result": wrong}),
            )
        mistyped, left = None, self.cash.mistypes(plan) if self.cash else ""
        if left or plan.mishap == planned.CORRECTED:
            mistyped = self.game.mistyped(self.level, self.rules, plan, outcome)
        self.client.post(f"rounds/{one.id}/settle/", {"result": mistyped or right})
        one.state, one.revision = SETTLED, 1
        if mistyped and left and self.cash:
            self.cash.mistyped(left, one)
        elif mistyped:
            self._correct(one, right)

    def _correct(self, one: Played, right: dict[str, Any], **more: Any) -> None:
        """The croupier puts their own mistake right within their seconds; above the house's amount
        the pit signs it. `more`: `placed`, where stakes after the lock are put right too.
        """
        body = {"result": right, "reason": texts.MISTYPED, "revision": one.revision} | more
        self.pause(1)
        try:
            self.client.post(f"rounds/{one.id}/correct/", body)
            self.client.tally.count("corrected by the croupier")
        except Refused as refused:
            if refused.code != "round.approval_needed":
                raise
            asked = self.client.post(f"rounds/{one.id}/correction-request/", body)
            self.boss.sign(asked)
            self.client.post(f"rounds/{one.id}/correct/", body | {"approval": asked["id"]})
            self.client.tally.count("corrected with an approval")
        one.revision += 1
        self.tell(f"{self.name}: a mistyped result is put right.")

    def _hand_over(self) -> None:
        """Another croupier takes the table in the middle of a round, and signs in on the same
        tablet.
        """
        names = [one for one in self.people if one != self.croupier]
        before, self.croupier = self.croupier, names[(self.number + len(self.played)) % len(names)]
        self.boss.post(
            f"tables/{self.row['id']}/hand-over/", {"croupier": self.people[self.croupier]}
        )
        tablet_sign_in(self.client, self.device, self.croupier)
        self.tell(
            f"{self.name}: {NAMES[before]} hands the table to {NAMES[self.croupier]} in the middle"
            " of a round."
        )

    def send_waiting(self) -> None:
        """Send what was played without the server, in its order."""
        if not self.waiting:
            return
        waiting, self.waiting = self.waiting, []
        rounds = [
            {
                "round": round_id,
                "stakes": self.game.stakes(plan, self.guests, 0),
                "placed": self.game.placements(self.level, plan, self.guests),
                "result": self.game.result(self.level, self.rules, plan, outcome),
            }
            for round_id, plan, outcome in waiting
        ]
        sent = self.client.command(f"tables/{self.row['id']}/queued-rounds/", {"rounds": rounds})
        for answer, (round_id, plan, outcome) in zip(sent["rounds"], waiting, strict=True):
            if answer["outcome"] == "to_clarify":
                self.differs(
                    f"{self.name}: a queued round was not taken: {answer['problem']['code']}"
                )
                continue
            self.played.append(
                Played(
                    round_id,
                    self.number,
                    plan,
                    SETTLED,
                    outcome,
                    self.guests,
                    queued=True,
                    revision=1,
                )
            )
        self.tell(
            f"{self.name}: {len(waiting)} rounds were played without the server; they are booked"
            " now, in their order."
        )


class Stopped(Exception):
    """The evening is over before its time."""
