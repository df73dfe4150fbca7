"""The floor against its limit: a round of five boxes with three coins, locked and settled through the service, and the same rows
committed by bare SQL through pgbench, in one run; then all tables at once, and who waits for whom.
"""

import json
import multiprocessing
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from tests.bench.floor_place import Seat, new_seats
from tests.bench.floor_web import play_tables, web
from tests.bench.place import Bench, bench_place

SECONDS = float(os.environ.get("BENCH_SECONDS") or "4")
TIMES = 3
ASKED = {1: 0.8, 2: 0.8, 8: 0.5}  # workers: ratio
TABLES, PROCESSES = 64, 8
TABLETS = 4
all_ready: Any = None
SQL = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")


def measure() -> dict[str, dict[str, float]]:
    """Rounds a second by pgbench (`limit`) and through the service (`ours`), and lock waits with 64 tables at once."""
    rows: dict[str, dict[str, float]] = {}
    with bench_place() as place:
        for workers, asked in ASKED.items():
            seats = new_seats(place, workers)
            script = _script(place, seats[0])
            limits, ours = [], []
            with processes(len(seats)) as pool:  # kept from turn to turn: while pgbench has its own they wait for work
                for _ in range(TIMES):
                    limits.append(pgbench(place, [_filled(seat, script) for seat in seats], script["answers"]))
                    ours.append(
                        sum(pool.map(_play, [(place.environment, seat, SECONDS) for seat in seats], chunksize=1))
                    )
            limit, own = statistics.median(limits), statistics.median(ours)
            name = f"round of 5 boxes, {workers} worker{'s' * (workers > 1)}"
            rows[name] = {"limit": round(limit), "ours": round(own), "ratio": round(own / limit, 2), "asked": asked}
        rows |= _over_http(place, rows["round of 5 boxes, 2 workers"]["ours"])
        rows |= _many_tables(place)
    return rows


# Bare SQL
def _script(place: Bench, seat: Seat) -> dict[str, Any]:
    """Play one round through the service and read back what it wrote: the rows that bare SQL shall write too."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        round_id = pool.apply(_play_one, (place.environment, seat))
    with psycopg.connect(place.servers.owner_url) as link:
        read = lambda sql: link.execute(sql, [round_id]).fetchall()  # noqa: E731
        stakes = read(
            "SELECT revision, box, guest_id, kind, accepted_minor FROM tables_roundstake WHERE round_id = %s ORDER BY id"
        )
        lines = read(
            "SELECT place, box, guest_id, kind, stake_minor, returned_minor, won_minor, prize_minor, odds, hand, paid_by, code,"
            " rule FROM tables_roundline WHERE round_id = %s ORDER BY id"
        )
        entries = read(
            "SELECT t.kind, a.kind, e.amount_minor FROM payouts_entry e JOIN payouts_transfer t ON t.id = e.transfer_id"
            " JOIN payouts_account a ON a.id = e.account_id WHERE t.subject_id = %s ORDER BY e.id"
        )
        [(result,)] = read("SELECT result FROM tables_roundresult WHERE round_id = %s")
        [(locked,), (settled,)] = read("SELECT answer FROM payouts_commandkey WHERE key LIKE '%%-' || %s ORDER BY key")
    answers = {"lock_answer": json.dumps(locked), "settle_answer": json.dumps(settled)}
    return {
        "stakes": stakes,
        "lines": lines,
        "entries": entries,
        "result": result,
        "guests": seat.guests,
        "answers": answers,
    }


def _filled(seat: Seat, rows: dict[str, Any]) -> str:
    """The script for one client's table."""
    other = dict(zip(rows["guests"], seat.guests, strict=True))

    def values(*cells: object) -> str:
        return "(" + ", ".join(str(cell) if isinstance(cell, int) else f"'{cell}'" for cell in cells) + ")"

    def stake(revision: int, box: int, guest: object, kind: str, amount: int) -> str:
        head = f"('{seat.house}', (:round)::uuid, {revision}, "
        return head + values(box, other[str(guest)], kind, amount, amount, 0, "", "")[1:]

    def line(place: int, box: int, guest: object, *rest: object) -> str:
        return f"('{seat.house}', (:round)::uuid, 1, " + values(place, box, other[str(guest)], *rest)[1:]

    legs = {
        kind: [(seat.accounts[account], amount) for posted, account, amount in rows["entries"] if posted == kind]
        for kind in ("lock", "settle")
    }
    return SQL.format(
        **{name: getattr(seat, name) for name in ("house", "table", "session", "day", "jackpot", "epoch", "croupier")},
        versions=json.dumps(seat.versions),
        coins=json.dumps({str(box): guest for box, guest in enumerate(seat.guests[:3], 1)}),
        result=json.dumps(rows["result"]),
        print="\\x" + "5a" * 32,
        stakes=", ".join(stake(*row) for row in rows["stakes"] if row[0] == 0),
        placed=", ".join(stake(*row) for row in rows["stakes"] if row[0]),
        lines=", ".join(line(*row) for row in rows["lines"]),
        **{
            name: text
            for kind in legs
            for name, text in (
                (f"{kind}_accounts", ", ".join(str(account) for account, _ in legs[kind])),
                (f"{kind}_legs", ", ".join(f"({account}, {amount})" for account, amount in legs[kind])),
            )
        },
    )


def pgbench(place: Bench, scripts: list[str], answers: dict[str, str]) -> float:
    """One pgbench for each client, each with its script for its own table; rounds a second of all."""
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for number, text in enumerate(scripts):
            script = Path(folder) / f"{number}.sql"
            script.write_text(text, encoding="utf-8")
            command = [
                place.pgbench,
                "-n",
                "-M",
                "prepared",
                "-f",
                str(script),
                "-T",
                str(max(1, int(SECONDS))),
                "-c",
                "1",
            ]
            command += [f"-D{name}={answer}" for name, answer in answers.items()]
            running.append(
                subprocess.Popen(
                    [*command, *place.pgbench_address],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    cwd="/",
                )
            )
        return sum(_tps(*process.communicate(), process.returncode) for process in running)


def _tps(output: str, errors: str, status: int) -> float:
    found = re.search(r"tps = ([\d.]+)", output)
    assert found, output + errors
    assert status == 0, errors
    assert "number of failed transactions: 0" in output, output
    return float(found[1])


# Through the service
def processes(count: int) -> Any:
    """Processes that can meet: nobody is measured while another one still loads the application."""
    spawn = multiprocessing.get_context("spawn")
    return spawn.Pool(count, initializer=_meet_at, initargs=(spawn.Barrier(count),))


def _meet_at(barrier: Any) -> None:
    global all_ready  # one a process, given when it begins: a barrier cannot be sent with a job
    all_ready = barrier.wait


def _play(job: tuple[dict[str, str], Seat, float]) -> float:
    """One client: its own process and connection; rounds a second."""
    environment, seat, seconds = job
    return clocked(player(environment, seat), seconds)


def clocked(once: Callable[[], object], seconds: float) -> float:
    """In one of `processes`: how often a second, from when all are ready."""
    for _ in range(20):
        once()
    all_ready(60)
    count, started = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        once()
        count += 1
    return count / elapsed


def _play_one(environment: dict[str, str], seat: Seat) -> str:
    return player(environment, seat)()


def player(environment: dict[str, str], seat: Seat) -> Any:
    """A function that plays one round at the table by two commands under their keys, and gives its id."""
    lock, settle = dealer(environment, seat)
    result = seat.result()

    def once() -> str:
        round_id = lock()
        settle(round_id, result)
        return str(round_id)

    return once


def dealer(environment: dict[str, str], seat: Seat) -> Any:
    """Two functions, each a command under its key: lock a round at the table and give its id; settle it with a result."""
    os.environ.update(environment)
    import django

    django.setup()
    from uuid import UUID

    from payouts.commands import request_fingerprint, run_once
    from tables.services import round_evaluate, round_lock, round_settle

    house, table, croupier = UUID(seat.house), UUID(seat.table), UUID(seat.croupier)
    stakes = seat.stakes()

    def lock() -> UUID:
        round_id = uuid4()
        body = {"table": seat.table, "round": str(round_id), "stakes": stakes}
        run_once(
            f"lock-{round_id}",
            request_fingerprint("round.lock", croupier, body),
            lambda: round_lock(house_id=house, table_id=table, round_id=round_id, stakes=stakes, croupier_id=croupier),
        )
        return round_id

    def settle(round_id: UUID, result: dict[str, Any]) -> None:
        prepared = round_evaluate(house_id=house, round_id=round_id, result=result)
        run_once(
            f"settle-{round_id}",
            request_fingerprint("round.settle", croupier, {"round": str(round_id), "result": result}),
            lambda: round_settle(prepared=prepared, person_id=croupier),
        )

    return lock, settle


# Through HTTP
def _over_http(place: Bench, service: float) -> dict[str, dict[str, float]]:
    """Rounds a second of tablets on kept connections to two web workers, milliseconds of a command, the ratio to the service."""
    seats = new_seats(place, TABLETS, tablets=True)
    with web(place.environment) as port, multiprocessing.get_context("spawn").Pool(1) as pool:
        rate, spent = pool.apply(play_tables, (port, seats, SECONDS * TIMES))
    ordered = sorted(spent)
    return {
        "the same through HTTP, 2 web workers": {
            "limit": round(service),
            "ours": round(rate),
            "ratio": round(rate / service, 2),
            "tablets": TABLETS,
            "commands": len(ordered),
            "p50, ms": round(1000 * ordered[len(ordered) // 2], 1),
            "p99, ms": round(1000 * ordered[len(ordered) * 99 // 100], 1),
        }
    }


# All tables at once
def _many_tables(place: Bench) -> dict[str, dict[str, float]]:
    """64 tables at once, eight processes of eight threads: rounds a second, and in how many samples a backend waits for a lock."""
    seats = new_seats(place, TABLES)
    share = TABLES // PROCESSES
    jobs = [(place.environment, seats[n * share : (n + 1) * share], SECONDS) for n in range(PROCESSES)]
    stop, waits = threading.Event(), {"samples": 0, "busy": 0, "waiting": 0}
    watcher = threading.Thread(target=_watch, args=(place, stop, waits))
    with processes(PROCESSES) as pool:
        watcher.start()
        rate = sum(pool.map(play_many, jobs, chunksize=1))
        stop.set()
        watcher.join()
    assert waits["busy"], "nobody was seen at work: the samples say nothing"
    return {
        "64 tables at once": {
            "ours": round(rate),
            "samples": waits["samples"],
            "backends seen at work": waits["busy"],
            "of them waiting for a row or an advisory lock": waits["waiting"],
        }
    }


def play_many(job: tuple[dict[str, str], list[Seat], float]) -> float:
    """One of `processes`: a thread for each of its tables; rounds a second of all."""
    environment, seats, seconds = job
    rates: list[float] = []
    players = [player(environment, seat) for seat in seats]
    all_ready(60)

    def run(once: Any) -> None:
        from django.db import connection

        once()  # connects
        count, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            once()
            count += 1
        rates.append(count / elapsed)
        connection.close()

    threads = [threading.Thread(target=run, args=(once,)) for once in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rates) == len(seats), "a table failed"
    return sum(rates)


def _watch(place: Bench, stop: threading.Event, waits: dict[str, int]) -> None:
    """Sample what the app's backends wait for; commits may wait for the disk, and for each other's flush of it."""
    sql = (
        "SELECT count(*), count(*) FILTER (WHERE wait_event_type = 'Lock' AND wait_event NOT IN ('extend')) FROM pg_stat_activity"
        " WHERE usename = 'saalchef_app' AND state = 'active'"
    )
    with psycopg.connect(place.servers.superuser_url, autocommit=True) as link:
        while not stop.wait(0.01):
            [(busy, waiting)] = link.execute(sql).fetchall()
            waits["samples"] += 1
            waits["busy"] += busy
            waits["waiting"] += waiting


if __name__ == "__main__":
    for name, row in measure().items():
        print(f"{name:32} {row}")
