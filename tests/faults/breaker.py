"""What breaks a house: every few seconds one thing, in an order that the seed gives. Each kind comes up before any comes twice,
and one that hit nobody comes up again.
"""

import os
import random  # noqa: TID251  (what breaks when comes from the seed)
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import psycopg
from redis import Redis, RedisError

from tests.faults.house import LOOK_S, House
from tests.faults.network import Network

APART_S = (2.0, 5.0)
STOPPED_S = 10.0
SOCKETS_SHARE = 0.7
AHEAD_S = (
    5,
    55,
)  # forward or back; more within one command than a verification grants it is another thing than a clock set right
EVERYTHING = "kill everything"
CLOCK = "clock jumps"
BETWEEN = "killed between approval and reset"
HANGS_S = 5.0  # within which a command must have come to what it hangs on
SWEPT_S = 0.5  # until then it hangs on: the supervisor ends what a killed program has left
HOLD = "SELECT FROM payouts_account WHERE kind = %s AND coalesce(detail_id, owner_id)::text = %s FOR UPDATE"
WAITING = "SELECT pid FROM pg_stat_activity WHERE %s = ANY (pg_blocking_pids(pid)) ORDER BY pid"
SIGNED = """
SELECT count(*) FROM payouts_approval a JOIN jackpot_hit h ON a.subject_id = h.id::text
WHERE a.action = 'jackpot.award' AND a.state = 'open' AND h.state = 'verifying'
  AND (SELECT count(*) FROM payouts_approvalsignature s WHERE s.approval_id = a.id) >= a.signers
"""


@dataclass
class Fault:
    """One thing that broke: when (seconds since the beginning), what, and the phase of the jackpot then.

    `hit`: how many processes, connections or entries it found; a fault that found none has broken nothing. `stopped_s`: how long
    processes stood still, and `woke`: how many of them went on then; the others had died, or another fault held them still.
    """

    at: float
    kind: str
    phase: str
    hit: int = 0
    stopped_s: float | None = None
    woke: int | None = None


@dataclass(eq=False)
class Stop:
    """Processes that stand still since `begun`, by a fault that is told how long."""

    fault: Fault
    pids: list[int]
    begun: float


class Later(Protocol):
    """What calls back after some seconds: a `threading.Timer`."""

    daemon: bool

    def start(self) -> object:
        """Count from now on."""


class Breaker:
    """Breaks one thing after the other, and says what. `phase` tells the jackpot's phase, for the record alone."""

    def __init__(
        self,
        house: House,
        network: Network,
        seed: int,
        phase: Callable[[], str],
        say: Callable[[str], None],
        *,
        timer: Callable[[float, Callable[[], None]], Later] = threading.Timer,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.timer, self.clock = timer, clock
        self.house, self.network, self.phase, self.say = house, network, phase, say
        self.chance, self.apart_s = random.Random(f"faults {seed}"), APART_S
        self.faults: list[Fault] = []
        self.counts: Counter[str] = Counter()  # of those that found something to break
        self.missed: Counter[str] = Counter()  # of the others: they come again
        self.begun = self.clock()
        self._over = threading.Event()
        self._one = threading.RLock()  # one thing breaks at a time
        self._wakes = threading.Condition()
        self._stops: list[Stop] = []  # that last
        self._hanging: set[int] = set()  # nobody wakes them before their time
        self._now: Fault | None = None  # that is being done
        self._due: deque[str] = deque()
        self._thread = threading.Thread(target=self._run, daemon=True, name="breaker")
        self.kinds: dict[str, Callable[[], int]] = {  # each gives how many it hit
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
            CLOCK: self._jump,
        }
        if not house.clock.there:
            say("--- no C compiler here: no clock jumps")
            del self.kinds[CLOCK]

    # One after the other
    def start(self) -> None:
        """Break things from now on."""
        self._thread.start()

    def end(self) -> None:
        """Nothing breaks from now on; returns once what was stopped has stood still for its time and goes on."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join(30)
        with self._wakes:
            self._wakes.wait_for(lambda: not self._stops, 2 * STOPPED_S)
        self.house.clock.right.wait(2 * STOPPED_S)

    def everything(self) -> None:
        """Kill all that there is, at once."""
        with self._one:
            self._break(
                EVERYTHING, lambda: self._kill([pid for one in self.house.programs.values() for pid in one.all()])
            )

    @contextmanager
    def between_approval_and_reset(self) -> Iterator[None]:
        """While the last signature is given, whoever would pay the meter hangs; then he is killed, if the meter is still unpaid."""
        payers = ("worker", "coordinators")
        with self._one:
            hanging = [pid for name in payers for pid in self.house.programs[name].all()]
            with self._wakes:
                self._hanging = set(hanging)
            self._signal(hanging, signal.SIGSTOP)
            try:
                yield
                with suppress(psycopg.Error):
                    if self.house.sql(SIGNED)[0][0]:
                        self._break(BETWEEN, lambda: self._kill([*hanging, self._pid("ws")]))
            finally:
                with self._wakes:
                    self._hanging = set()
                    self._signal(set(hanging) - self._still(), signal.SIGCONT)

    @contextmanager
    def within(self, kind: str, account: str, whose: str) -> Iterator[None]:
        """While a command is carried out that posts to this account of a table or a stay: it hangs there, half done, and whoever
        serves it is killed; in turns the database's process, and all of the web. Nothing, once nothing is to break any more.
        """
        if self._over.is_set():
            yield
            return
        over = threading.Event()
        hangs = threading.Event()
        killer = threading.Thread(target=self._kill_waiting, args=(kind, account, whose, over, hangs), daemon=True)
        killer.start()
        hangs.wait()
        try:
            yield
        finally:
            over.set()
            killer.join()

    @contextmanager
    def after(self, kind: str) -> Iterator[None]:
        """Once a command was answered, all of the web is killed. Nothing, once nothing is to break any more."""
        yield
        with self._one:
            if not self._over.is_set():
                self._break(kind, lambda: self._kill([self._pid("web")]))

    def _kill_waiting(self, kind: str, account: str, whose: str, over: threading.Event, hangs: threading.Event) -> None:
        """Nothing else breaks until it is killed, or has not come to the account in its time."""
        came = False
        with self._one:
            try:
                # the link may go down with the database
                with suppress(psycopg.Error), self.house.link() as link, link.transaction():
                    link.execute("SET LOCAL lock_timeout = '3s'")
                    link.execute(HOLD, [account, whose])
                    hangs.set()
                    end = self.clock() + HANGS_S
                    while not (came or over.wait(LOOK_S) or self.clock() > end):
                        came = self._break_off(kind, [pid for (pid,) in self.house.sql(WAITING, link.info.backend_pid)])
            finally:
                hangs.set()
                if not came:
                    self.missed[kind] += 1

    def _break_off(self, kind: str, waiting: list[int]) -> bool:
        """Kill whoever serves a command that waits, if one does."""
        if waiting:
            serving = [self._pid("web")] if self.counts[kind] % 2 else waiting[:1]
            self._break(kind, lambda: self._kill(serving))
            self._over.wait(SWEPT_S)
        return bool(waiting)

    def _run(self) -> None:
        while not self._over.wait(self.chance.uniform(*self.apart_s)):
            with self._one:
                if not self._over.is_set():
                    self.next()

    def next(self) -> None:
        """Break what is due. What hits nobody, because it is away just then, comes again later."""
        if not self._due:
            self._due.extend(self._shuffled())
        kind = self._due.popleft()
        if not self._break(kind, self.kinds[kind]):
            if not self._due:
                self._due.extend(self._shuffled())
            if kind not in self._due:
                self._due.append(kind)

    def _shuffled(self) -> list[str]:
        kinds = list(self.kinds)
        self.chance.shuffle(kinds)
        return kinds

    def _break(self, kind: str, act: Callable[[], int]) -> int:
        """Do it, and note how many it hit: counted are only faults that hit somebody."""
        one = self._now = Fault(round(self.clock() - self.begun, 2), kind, self.phase())
        self.faults.append(one)
        self.say(f"--- {kind} ({one.phase})")
        one.hit = act()
        (self.counts if one.hit else self.missed)[kind] += 1
        if not one.hit:
            self.say(f"--- {kind} hit nobody")
        return one.hit

    def told(self) -> list[dict[str, object]]:
        """All that broke, as plain JSON."""
        return [asdict(one) for one in self.faults]

    # How
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

    def _kill(self, pids: Iterable[int]) -> int:
        return self._signal(pids, signal.SIGKILL)

    def _stop(self, pids: list[int]) -> int:
        """Stop them, and wake them by the clock, whatever breaks next."""
        hit = self._signal(pids, signal.SIGSTOP)
        if hit and self._now is not None:
            stop = Stop(self._now, pids, self.clock())
            with self._wakes:
                self._stops.append(stop)
            timer = self.timer(STOPPED_S, lambda: self._wake(stop))
            timer.daemon = True
            timer.start()
        return hit

    def _wake(self, stop: Stop) -> None:
        """Its time is over: all go on but whom another stop holds too, or who hangs while something is signed."""
        with self._wakes:
            self._stops.remove(stop)
            stop.fault.woke = self._signal(set(stop.pids) - self._still() - self._hanging, signal.SIGCONT)
            stop.fault.stopped_s = round(self.clock() - stop.begun, 2)
            self._wakes.notify_all()

    def _still(self) -> set[int]:
        return {pid for one in self._stops for pid in one.pids}

    def _jump(self) -> int:
        """Set the house's clock forward or back, and right again after a while. How many processes see it."""
        if self.house.clock.ahead:
            return 0
        self.house.clock.set(self.chance.choice((-1, 1)) * self.chance.randint(*AHEAD_S))
        timer = self.timer(STOPPED_S, lambda: self.house.clock.set(0))
        timer.daemon = True
        timer.start()
        self.say(f"--- the clock is {self.house.clock.ahead:+} s for {STOPPED_S:.0f} s")
        return sum(len(one.all()) for one in self.house.programs.values())

    def _wipe(self) -> int:
        """How many entries are gone."""
        with suppress(RedisError), Redis.from_url(self.house.servers.redis.url, socket_timeout=2) as link:
            entries = int(link.dbsize())
            link.flushall()
            return entries
        return 0

    @staticmethod
    def _signal(pids: Iterable[int], number: signal.Signals) -> int:
        """To how many it was sent. The dead whom nobody has buried yet count for nothing."""
        hit = 0
        for pid in pids:
            with suppress(OSError):
                state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                if pid and state not in "ZX":
                    os.kill(pid, number)
                    hit += 1
        return hit
