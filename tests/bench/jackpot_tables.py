"""Tables that lock and settle without a pause, each in a thread of some processes, until one of them wins and all are refused."""

import multiprocessing
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from tests.bench.floor import dealer
from tests.bench.floor_place import BOXES, Seat
from tests.bench.jackpot_hall import QUIET
from tests.bench.place import Bench

WAIT_S = 60.0


@dataclass
class Refused:
    """How it went, in seconds, from the return of the claim's settlement, when it was committed already."""

    settled: float  # the settlement itself, before that
    last: float  # until every table had been refused a stake
    refusals: list[float]  # what each refusal took
    rounds: int  # that were played to the end since the tables began


class Tables:
    """All tables at once."""

    def __init__(self, stack: ExitStack, place: Bench, seats: list[Seat], processes: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.count = len(seats)
        self._told = spawn.Queue()
        self._orders = []
        numbered = list(enumerate(seats))
        for one in range(processes):
            ours, theirs = spawn.Pipe()
            job = (place.environment | QUIET, numbered[one::processes], theirs, self._told)
            process = spawn.Process(target=_play, args=job, daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(process.terminate)
            self._orders.append(ours)
        for _ in range(processes):
            assert self._told.get(timeout=WAIT_S) == "ready"

    def go(self) -> None:
        """Play, until refused."""
        self._order("go")

    def win(self, table: int) -> Refused:
        """This table's next settlement is a royal flush; returns once every table has been refused."""
        self._order(table)
        claim: Any = None
        refused: dict[int, tuple[float, float, int]] = {}
        while claim is None or len(refused) < self.count:
            what, number, *moments = self._told.get(timeout=WAIT_S)
            if what == "claim":
                claim = moments
            else:
                assert what == "refused", (what, number, *moments)
                refused[number] = moments
        begun, committed = claim
        return Refused(
            settled=committed - begun,
            last=max(at for _, at, _ in refused.values()) - committed,
            refusals=[at - asked for asked, at, _ in refused.values()],
            rounds=sum(rounds for _, _, rounds in refused.values()),
        )

    def _order(self, order: object) -> None:
        for pipe in self._orders:
            pipe.send(order)


# In a process of its own
@dataclass
class _Turn:
    """What the threads of a process are told."""

    go: threading.Event = field(default_factory=threading.Event)
    winner: int | None = None


def _play(environment: dict[str, str], seats: list[tuple[int, Seat]], orders: Any, told: Any) -> None:
    turn = _Turn()
    for number, seat in seats:
        commands = dealer(environment, seat)
        threading.Thread(target=_table, args=(number, seat, commands, turn, turn.go, told), daemon=True).start()
    told.put("ready")
    while True:
        order = orders.recv()
        if order == "go":
            before, turn.go = turn.go, threading.Event()
            before.set()
        else:
            turn.winner = order


def _table(number: int, seat: Seat, commands: Any, turn: _Turn, go: threading.Event, told: Any) -> None:
    try:
        while True:
            go.wait()
            go = turn.go  # the next one: nobody says it before all have been refused
            _until_refused(number, seat, commands, turn, told)
    except Exception as error:
        told.put(("failed", number, repr(error)))
        raise


def _until_refused(number: int, seat: Seat, commands: Any, turn: _Turn, told: Any) -> None:
    from jackpot.errors import JackpotNotOpen
    from tests.jackpot.linked import royal

    lock, settle = commands
    usual, rounds = seat.result(), 0
    while True:
        asked = time.monotonic()
        try:
            round_id = lock()
        except JackpotNotOpen:
            told.put(("refused", number, asked, time.monotonic(), rounds))
            return
        if turn.winner == number:
            turn.winner = None
            result = royal("h", boxes=BOXES)
            begun = time.monotonic()
            settle(round_id, result)
            told.put(("claim", number, begun, time.monotonic()))
        else:
            settle(round_id, usual)
            rounds += 1
