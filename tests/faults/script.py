"""Scenes that a campaign steers towards: royal flushes on purpose, and who does what at the wrong moment while they are decided."""

import random  # noqa: TID251  (who plays which part comes from the seed)
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from casino.simulate.cards import luck
from casino.simulate.clients import Client
from casino.simulate.games.uth.plan import UthPlan
from casino.simulate.plan import OFFLINE, SPELL, RoundPlan, Royal
from tests.faults.attack import Attack
from tests.faults.clock import HouseClock

CLAIMS, CLAIMS_LATE, CALLS_FALSELY, VOIDS, CORRECTS, PLAYS = (
    "claims", "claims while draining", "calls falsely", "voids a listed round", "corrects while verifying", "plays"
)  # fmt: skip
HIT = {  # parts besides those who just play; how many tables for each
    "three winners": {CLAIMS: 1, CLAIMS_LATE: 2, VOIDS: 1, CORRECTS: 3},
    "double royal": {CLAIMS: 1, CLAIMS_LATE: 1, CORRECTS: 2},
    "rejection": {CALLS_FALSELY: 1, VOIDS: 1},
    "one winner": {CLAIMS: 1, VOIDS: 1},
}
FIRST = ("three winners", "rejection", "double royal")  # a short campaign has these
BYSTANDERS = 3  # one table of so many takes no part: it goes on locking and settling while the others' hit freezes it
HELD_S = 40.0  # how long people wait for a correction, and a table for its cue, before they go on without
APART_S = 4.0


@dataclass
class Scene:
    """One hit on purpose: who has which part, and at which box."""

    name: str
    parts: dict[int, str]
    boxes: dict[int, int]
    bystanders: set[int]
    meeting: threading.Barrier  # of all others
    joined: set[int] = field(default_factory=set)
    corrections: set[int] = field(default_factory=set)  # tables that have yet to correct
    begun: float = field(default_factory=time.monotonic)

    def royal(self, table: int, number: int) -> Royal | None:
        """What lies at this table in its round of this number."""
        part = self.parts.get(table, PLAYS)
        if part not in (CLAIMS, CLAIMS_LATE, CALLS_FALSELY):
            return None
        return Royal(table, self.boxes[table], number, part == CALLS_FALSELY)


@dataclass
class Turned:
    """Who has turned against the house among those who play, and what comes of what they try within a round."""

    enters: Client  # of a pit boss, who enters the result of a round that claims
    crooked: Sequence[int]  # tables whose croupiers have a script
    attack: Attack
    clock: HouseClock
    signed: Callable[[Iterable[str]], bool]  # whether one who has turned has signed one of these requests
    cosigns: Callable[[str, object], object]  # a manager, at the address of a signature


class Script:
    """Which scene is on. One at a time; tables join it with the next round that each of them begins."""

    def __init__(self, seed: int, layouts: Sequence[int]) -> None:
        self.chance = random.Random(f"script {seed}")
        self.layouts = layouts  # boxes by table, the first table first
        self.now: Scene | None = None
        self.turned: Turned | None = None  # who has turned against the house
        self.played: list[str] = []
        self._lock = threading.Lock()
        self._names = self._order()

    def _order(self) -> Iterator[str]:
        yield from FIRST
        while True:
            names = list(HIT)
            self.chance.shuffle(names)
            yield from names

    def announce(self, name: str = "") -> Scene:
        """The next scene, or one of that name."""
        name = name or next(self._names)
        tables = list(range(1, len(self.layouts) + 1))
        self.chance.shuffle(tables)
        wanted = [part for part, many in HIT[name].items() for _ in range(many)]
        parts = dict(zip(tables, wanted, strict=False))
        boxes = {table: self.chance.randint(1, self.layouts[table - 1]) for table in parts}
        bystanders = set(tables[len(parts) :: BYSTANDERS])
        scene = Scene(name, parts, boxes, bystanders, threading.Barrier(len(tables) - len(bystanders)))
        scene.corrections = {table for table, part in parts.items() if part == CORRECTS}
        with self._lock:
            self.now = scene
            self.played.append(name)
        return scene

    def over(self) -> None:
        """The scene is over: its hit is ended and paid."""
        with self._lock:
            self.now = None

    def join(self, table: int) -> Scene | None:
        """The scene that this table's next round belongs to; None if it has played its round of it, or none is on."""
        with self._lock:
            if self.now is None or table in self.now.joined | self.now.bystanders:
                return None
            self.now.joined.add(table)
            return self.now

    def part(self, table: int) -> str:
        """What this table does in the scene that is on."""
        return self.now.parts.get(table, PLAYS) if self.now else PLAYS

    def corrected(self, table: int) -> None:
        """The table has done its correction, or has none to do."""
        if self.now:
            self.now.corrections.discard(table)

    @property
    def corrections_wait(self) -> bool:
        """Whether people should not decide yet: somebody is about to correct a listed round."""
        return bool(self.now and self.now.corrections and time.monotonic() - self.now.begun < HELD_S)


def wait_for(cue: Callable[[], bool], stop: threading.Event, seconds: float = HELD_S) -> bool:
    """Wait for a cue; whether it came before `seconds` were over or the evening stopped."""
    end = time.monotonic() + seconds
    while not cue():
        if stop.wait(0.1) or time.monotonic() > end:
            return False
    return True


class ScenePlan(UthPlan):
    """The rounds of one table as the seed plans them; when a scene is on, the next one is a round of the scene."""

    script: Script

    def rounds(self) -> Iterator[RoundPlan]:
        """Without end."""
        spell = 0
        for number in count(1):
            chance = luck(self.seed, self.table, number)
            if scene := self.script.join(self.table):
                spell = 0
                yield replace(self._round(chance, number, scene.royal(self.table, number), ""), together=True)
                continue
            mishap = self._mishap(number)
            spell = SPELL if mishap == OFFLINE else max(spell - 1, 0)
            yield self._round(chance, number, None, OFFLINE if spell else mishap)
