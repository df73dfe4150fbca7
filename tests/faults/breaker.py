"""What breaks a house: every few seconds one thing, in an order that the seed gives. Each kind comes up before any comes twice."""

import os
import random  # noqa: TID251  (what breaks when comes from the seed)
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

import psycopg
from redis import Redis, RedisError

from tests.faults.house import House
from tests.faults.network import Network

APART_S = (2.0, 5.0)
STOPPED_S = (2.0, 10.0)
SOCKETS_SHARE = 0.7
EVERYTHING = "kill everything"
BETWEEN = "killed between approval and reset"
SIGNED = """
SELECT count(*) FROM payouts_approval a JOIN jackpot_hit h ON a.subject_id = h.id::text
WHERE a.action = 'jackpot.award' AND a.state = 'open' AND h.state = 'verifying'
  AND (SELECT count(*) FROM payouts_approvalsignature s WHERE s.approval_id = a.id) >= a.signers
"""


@dataclass(frozen=True)
class Fault:
    """One thing that broke: when (seconds since the beginning), what, and the phase of the jackpot then."""

    at: float
    kind: str
    phase: str


class Breaker:
    """Breaks one thing after the other, and says what. `phase` tells the jackpot's phase, for the record alone."""

    def __init__(
        self, house: House, network: Network, seed: int, phase: Callable[[], str], say: Callable[[str], None]
    ) -> None:
        self.house, self.network, self.phase, self.say = house, network, phase, say
        self.chance = random.Random(f"faults {seed}")
        self.faults: list[Fault] = []
        self.counts: Counter[str] = Counter()
        self.begun = time.monotonic()
        self._over = threading.Event()
        self._one = threading.RLock()  # one thing breaks at a time
        self._stopped: list[tuple[float, list[int]]] = []
        self._thread = threading.Thread(target=self._run, daemon=True, name="breaker")
        self.kinds: dict[str, Callable[[], object]] = {
            "kill web": lambda: self._kill([self._pid("web")]),
            "kill web worker": lambda: self._kill(self._one_of(self._children("web"))),
            "kill ws": lambda: self._kill([self._pid("ws")]),
            "kill worker parent": lambda: self._kill([self._pid("worker")]),
            "kill worker child": lambda: self._kill(self._one_of(self._children("worker"))),
            "kill beat": lambda: self._kill([self._pid("beat")]),
            "kill coordinators": lambda: self._kill([self._pid("coordinators")]),
            "kill redis": lambda: self._kill([self._pid("redis")]),
            "kill postgres": lambda: self._kill(house.programs["postgres"].all()),
            "kill a backend of postgres": lambda: self._kill(self._backends()),
            "stop web worker": lambda: self._stop(self._one_of(self._children("web"))),
            "stop ws": lambda: self._stop([self._pid("ws")]),
            "stop worker": lambda: self._stop(house.programs["worker"].all()),
            "stop beat": lambda: self._stop([self._pid("beat")]),
            "stop coordinators": lambda: self._stop([self._pid("coordinators")]),
            "stop redis": lambda: self._stop(house.programs["redis"].all()),
            "stop postgres": lambda: self._stop(house.programs["postgres"].all()),
            "stop a backend of postgres": lambda: self._stop(self._backends()),
            "wipe redis": self._wipe,
            "break sockets": lambda: network.break_sockets(SOCKETS_SHARE),
        }
        self._order = self._shuffled()

    # --- one after the other --------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Break things from now on."""
        self._thread.start()

    def end(self) -> None:
        """Nothing breaks from now on, and what was stopped goes on."""
        self._over.set()
        self._thread.join(30)
        self._go_on(everything=True)

    def everything(self) -> None:
        """Kill all that there is, at once."""
        with self._one:
            self._note(EVERYTHING)
            self._kill([pid for one in self.house.programs.values() for pid in one.all()])

    @contextmanager
    def between_approval_and_reset(self) -> Iterator[None]:
        """While the last signature is given, whoever would pay the meter hangs; then he is killed, if the meter is still unpaid."""
        payers = ("worker", "coordinators")
        with self._one:
            self._go_on(everything=True)
            hanging = [pid for name in payers for pid in self.house.programs[name].all()]
            self._signal(hanging, signal.SIGSTOP)
            try:
                yield
                with suppress(psycopg.Error):
                    if self.house.sql(SIGNED)[0][0]:
                        self._note(BETWEEN)
                        self._kill([*hanging, self._pid("ws")])
            finally:
                self._signal(hanging, signal.SIGCONT)

    def _run(self) -> None:
        while not self._over.wait(self.chance.uniform(*APART_S)):
            kind = next(self._order)
            with self._one:
                if not self._over.is_set():
                    self._note(kind)
                    self.kinds[kind]()
            self._go_on()

    def _shuffled(self) -> Iterator[str]:
        while True:
            kinds = list(self.kinds)
            self.chance.shuffle(kinds)
            yield from kinds

    def _note(self, kind: str) -> None:
        self.counts[kind] += 1
        self.faults.append(Fault(round(time.monotonic() - self.begun, 2), kind, self.phase()))
        self.say(f"--- {kind} ({self.phase()})")

    def told(self) -> list[dict[str, object]]:
        """All that broke, as plain JSON."""
        return [asdict(one) for one in self.faults]

    # --- how ------------------------------------------------------------------------------------------------------------------
    def _pid(self, name: str) -> int:
        return self.house.programs[name].pid

    def _children(self, name: str) -> list[int]:
        return self.house.programs[name].children()

    def _backends(self) -> list[int]:
        """One backend that serves a client of ours, or none while the database is away."""
        try:
            rows = self.house.sql("SELECT pid FROM pg_stat_activity WHERE usename = 'saalchef_app' ORDER BY pid")
        except psycopg.Error:
            return []
        return self._one_of([row[0] for row in rows])

    def _one_of(self, pids: list[int]) -> list[int]:
        return [self.chance.choice(pids)] if pids else []

    def _kill(self, pids: Iterable[int]) -> None:
        self._signal(pids, signal.SIGKILL)

    def _stop(self, pids: list[int]) -> None:
        self._signal(pids, signal.SIGSTOP)
        self._stopped.append((time.monotonic() + self.chance.uniform(*STOPPED_S), pids))

    def _go_on(self, *, everything: bool = False) -> None:
        """Wake what has been stopped for its time."""
        now = time.monotonic()
        due = [one for one in self._stopped if everything or one[0] <= now]
        self._stopped = [one for one in self._stopped if one not in due]
        for _, pids in due:
            self._signal(pids, signal.SIGCONT)

    def _wipe(self) -> None:
        with suppress(RedisError), Redis.from_url(self.house.servers.redis.url, socket_timeout=2) as link:
            link.flushall()

    @staticmethod
    def _signal(pids: Iterable[int], number: signal.Signals) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
