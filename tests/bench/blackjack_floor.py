"""A round of Black Jack of five boxes through the services (its lock, insurance, a double, a split, its end: five commands under
their keys) against the same rows by bare SQL through pgbench, in one run.
"""

import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg

from tests.bench.floor import clocked, pgbench, processes
from tests.bench.floor_place import BOXES, Seat, person_of
from tests.bench.place import Bench, bench_place

ROOT = Path(__file__).parents[2]
SECONDS = float(os.environ.get("BENCH_SECONDS") or "4")
TIMES = 3
ASKED = {1: 0.8, 2: 0.8}  # workers: ratio
_WHOLE, PLACE, SETTLE, POSTED = re.split(
    r"\n------ .*\n", Path(__file__).with_name("blackjack.sql").read_text(encoding="utf-8")
)
LOCK = _WHOLE.partition("\n")[2]
LATER: list[dict[str, Any]] = [
    {"box": 3, "act": "insurance", "amount_minor": 500, "bank": "Ah"},
    {"box": 1, "act": "double", "cards": "5h 6d"},
    {"box": 2, "act": "split", "cards": "8h 8d"},
]
ENDS = (["win"], ["lose", "win"], ["push"], ["bust"], ["blackjack"])
RESULT = {
    "bank": "20",
    "boxes": {str(box): {"hands": [{"result": one} for one in ends]} for box, ends in enumerate(ENDS, 1)},
}
STAKES = (
    "SELECT revision, placed, box, guest_id, source_id, kind, accepted_minor, rank, reason, rule, data, standing"
    " FROM tables_roundstake WHERE round_id = %s ORDER BY id"
)
LINES = (
    "SELECT place, box, guest_id, kind, stake_minor, returned_minor, won_minor, prize_minor, odds, hand, paid_by, code, rule"
    " FROM tables_roundline WHERE round_id = %s ORDER BY id"
)
ENTRIES = (
    "SELECT split_part(t.key, ':', 3) || split_part(t.key, ':', 4), a.kind, e.amount_minor FROM payouts_entry e"
    " JOIN payouts_transfer t ON t.id = e.transfer_id JOIN payouts_account a ON a.id = e.account_id"
    " WHERE t.subject_id = %s ORDER BY e.id"
)


def measure() -> dict[str, dict[str, float]]:
    """Rounds a second by pgbench (`limit`) and through the services (`ours`)."""
    rows: dict[str, dict[str, float]] = {}
    with bench_place() as place:
        for workers, asked in ASKED.items():
            seats = new_seats(place, workers)
            read = _written(place, seats[0])
            limits, ours = [], []
            with processes(len(seats)) as pool:
                for _ in range(TIMES):
                    limits.append(pgbench(place, [_filled(seat, read) for seat in seats], read["answers"]))
                    ours.append(
                        sum(pool.map(_play, [(place.environment, seat, SECONDS) for seat in seats], chunksize=1))
                    )
            limit, own = statistics.median(limits), statistics.median(ours)
            name = f"round of 5 boxes, 3 later stakes, {workers} worker{'s' * (workers > 1)}"
            rows[name] = {"limit": round(limit), "ours": round(own), "ratio": round(own / limit, 2), "asked": asked}
    return rows


# Bare SQL
def _written(place: Bench, seat: Seat) -> dict[str, Any]:
    """Play one round through the services and read back what it wrote."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        round_id = pool.apply(_play_one, (place.environment, seat))
    with psycopg.connect(place.servers.owner_url) as link:
        found: dict[str, Any] = {
            name: link.execute(sql, [round_id]).fetchall()
            for name, sql in (("stakes", STAKES), ("lines", LINES), ("entries", ENTRIES))
        }
        [[found["result"]]] = link.execute("SELECT result FROM tables_roundresult WHERE round_id = %s", [round_id])
        keys = "SELECT split_part(key, '-', 1), answer FROM payouts_commandkey WHERE key LIKE '%%-' || %s"
        answers = {f"{name}_answer": json.dumps(one) for name, one in link.execute(keys, [round_id])}
    assert len(answers) == 2 + len(LATER)
    return found | {"guests": seat.guests, "answers": answers}


def _filled(seat: Seat, read: dict[str, Any]) -> str:
    """The script for one client's table."""
    guest = dict(zip(read["guests"], seat.guests, strict=True))
    same: dict[str, Any] = {name: getattr(seat, name) for name in ("house", "table", "session", "day", "croupier")}
    same |= {"print": "\\x" + "5a" * 32, "versions": json.dumps(seat.versions), "result": json.dumps(read["result"])}

    def stake(row: tuple[Any, ...]) -> str:
        revision, placed, box, who, source, kind, amount, rank, reason, rule, data, standing = row
        prime = (rank, reason, rule, _moved(data, guest), _moved(standing, guest))
        goes_with = source and guest[str(source)]
        return _row(seat, revision, placed, goes_with, box, guest[str(who)], kind, amount, amount, 0, *prime)

    def step(text: str, name: str, kind: str, rows: list[Any], **more: Any) -> str:
        legs = [(seat.accounts[account], amount) for posted, account, amount in read["entries"] if posted == name]
        values = ", ".join(f"({account}, {amount})" for account, amount in legs)
        more |= {"stakes": ", ".join(map(stake, rows)), "accounts": ", ".join(str(account) for account, _ in legs)}
        return text.format(**same, **more, posted=POSTED.format(**same, legs=values, kind=kind).rstrip())

    laid = [row for row in read["stakes"] if not row[1]]
    script = [step(LOCK, "lock", "lock", laid)]
    for row in [row for row in read["stakes"] if row[1]]:
        who = guest[str(row[3])]
        after = {"placed": row[1], "box": row[2], "guest": who, "source": who, "kind": row[5], "amount_minor": row[6]}
        script.append(step(PLACE, f"place{row[1]}", "lock", [row], placed=row[1], after=json.dumps(after)))
    lines = [_row(seat, 1, place, box, guest[str(who)], *rest) for place, box, who, *rest in read["lines"]]
    script.append(step(SETTLE, "settle1", "settle", [], lines=", ".join(lines)))
    return "\n".join(script)


def _moved(data: dict[str, Any] | None, guest: dict[str, str]) -> str | None:
    """What the prime rule decided on, for another guest."""
    if data is None:
        return None
    return json.dumps(
        {name: guest.get(value, value) if isinstance(value, str) else value for name, value in data.items()}
    )


def _row(seat: Seat, *cells: object) -> str:
    written = ["NULL" if cell is None else str(cell) if isinstance(cell, int) else f"'{cell}'" for cell in cells]
    return f"('{seat.house}', (:round)::uuid, {', '.join(written)})"


# Through the services
def _play(job: tuple[dict[str, str], Seat, float]) -> float:
    environment, seat, seconds = job
    return clocked(player(environment, seat), seconds)


def _play_one(environment: dict[str, str], seat: Seat) -> str:
    return player(environment, seat)()


def player(environment: dict[str, str], seat: Seat) -> Callable[[], str]:
    """A function that plays one round by five commands under their keys, and gives its id."""
    os.environ.update(environment)
    import django

    django.setup()
    from payouts.commands import request_fingerprint, run_once
    from tables.services import round_evaluate, round_lock, round_place, round_settle

    house, table, person = UUID(seat.house), UUID(seat.table), UUID(seat.croupier)
    stakes = [{"box": n, "guest": one, "kind": "stake", "amount_minor": 2000} for n, one in enumerate(seat.guests, 1)]
    later = [one | {"guest": seat.guests[one["box"] - 1]} for one in LATER]

    def do(name: str, round_id: UUID, body: Any, work: Callable[[], Any]) -> None:
        run_once(f"{name}-{round_id}", request_fingerprint(f"round.{name}", person, body), work)

    def once() -> str:
        round_id = uuid4()
        ids: dict[str, Any] = {"house_id": house, "round_id": round_id}
        body = {"table": seat.table, "round": str(round_id), "stakes": stakes}
        do("lock", round_id, body, lambda: round_lock(**ids, table_id=table, stakes=stakes, croupier_id=person))
        for number, one in enumerate(later, 1):
            do(f"place_{number}", round_id, one, lambda one=one: round_place(**ids, placement=one, person_id=person))
        prepared = round_evaluate(**ids, result=RESULT)
        do("settle", round_id, RESULT, lambda: round_settle(prepared=prepared, person_id=person))
        return str(round_id)

    return once


# A place to play
def new_seats(place: Bench, count: int) -> list[Seat]:
    """Open `count` tables of Black Jack in a new house."""
    command = [sys.executable, "-m", "tests.bench.blackjack_floor", str(count)]
    environment = {**place.environment, "PATH": "/usr/bin:/bin"}
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment).stdout
    return [Seat(**one) for one in json.loads(told.splitlines()[-1])]


def _make(count: int) -> list[Seat]:
    import django

    django.setup()
    from django.db import transaction

    from casino.demo.floor import BLACKJACK_POSTED
    from casino.demo.rulesets import DEMO_TABLES
    from payouts.models import Account
    from payouts.services import house_create, posted_tables_seed
    from tables import services
    from tests.zone import quiet_zone

    seats = []
    with transaction.atomic():
        house = house_create(name=f"Bench {uuid4()}", currency="CHF", time_zone=quiet_zone())
        posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
        of_house: dict[str, Any] = {"house_id": house.pk}
        of_pit = of_house | {"pit_id": services.pit_create(**of_house, name="Pit").pk}
        for number in range(count):
            croupier = person_of(house, "croupier")
            values = {"name": f"Black Jack {number}", "game": "blackjack", "boxes": 7, "posted": BLACKJACK_POSTED}
            table = services.table_create(**of_pit, **values)
            at = of_house | {"table_id": table.pk, "actor_id": croupier.pk}
            session = services.table_open(**at, croupier_id=croupier.pk)
            guests = [services.guest_arrive(**at, box=box, seated=True) for box in range(1, BOXES + 1)]
            place = {"house": str(house.pk), "table": str(table.pk), "session": str(session.pk)}
            none = {"jackpot": "", "epoch": ""}
            seats.append(
                Seat(
                    **place, **none, day=session.gaming_day.isoformat(), croupier=str(croupier.pk), versions=session.versions,
                    guests=[str(guest.pk) for guest in guests],
                    accounts=dict(Account.objects.filter(owner_id=table.pk).values_list("kind", "pk")),
                )
            )  # fmt: skip
    return seats


if __name__ == "__main__":
    print(json.dumps([asdict(seat) for seat in _make(int(sys.argv[1]))]))
