"""A hand of poker at *rake only* through the service (one command under its key) against the same rows by bare SQL through pgbench,
in one run; then the reports of these hands against the time that is promised.
"""

import json
import multiprocessing
import os
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
from tests.bench.floor_place import Seat, person_of
from tests.bench.place import Bench, bench_place
from tests.bench.reports import DAY_MS, DESK
from tests.bench.weeks import Desk

ROOT = Path(__file__).parents[2]
SECONDS = float(os.environ.get("BENCH_SECONDS") or "4")
TIMES, SEATS = 3, 9
LEAST = {1: 0.8, 2: 0.8}  # workers: ratio
SQL = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
RAKE_MINOR = 5_00
REPORTS, CORRECTED = ("rake", "hands"), 40  # of how many hands were put right
LEGS = (
    "SELECT a.kind, e.amount_minor FROM payouts_entry e JOIN payouts_transfer t ON t.id = e.transfer_id"
    " JOIN payouts_account a ON a.id = e.account_id WHERE t.subject_id = %s ORDER BY e.id"
)
POSTED = {"poker_game": "NL 1/2", "poker_rules": "Bad Ragaz", "hand_rules": "Poker", "rake": "Poker"}


def measure() -> dict[str, dict[str, float]]:
    """Hands a second by pgbench (`limit`) and through the service (`ours`)."""
    rows: dict[str, dict[str, float]] = {}
    with bench_place() as place:
        for workers, least in LEAST.items():
            seats = new_seats(place, workers)
            written = _written(place, seats[0])
            limits: list[float] = []
            ours: list[float] = []
            with processes(len(seats)) as pool:
                for _ in range(TIMES):
                    scripts = [_filled(seat, written["legs"]) for seat in seats]
                    limits.append(pgbench(place, scripts, {"answer": written["answer"]}))
                    jobs = [(place.environment, seat, SECONDS) for seat in seats]
                    ours.append(sum(pool.map(_play, jobs, chunksize=1)))
            limit = statistics.median(limits)
            own = statistics.median(ours)
            name = f"hand of {SEATS}, {workers} worker{'s' * (workers > 1)}"
            rows[name] = {"limit": round(limit), "ours": round(own), "ratio": round(own / limit, 2), "asked": least}
        return rows | _reported(place, seats[0])


def _reported(place: Bench, seat: Seat) -> dict[str, dict[str, float]]:
    """The reports of a day's hands, in milliseconds."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(_correct, (place.environment, seat))
    times = Desk(place.environment, ROOT).run(DESK, "times", seat.house, seat.day, seat.day)
    rows: dict[str, dict[str, float]] = {}
    for kind in REPORTS:
        ours = times[kind]["day"]["ms"]
        figures = {"limit": DAY_MS, "ours": round(ours, 1), "ratio": round(DAY_MS / ours, 2), "asked": 1.0}
        rows[f"{kind}, day, ms"] = figures | {"lines": times[kind]["day"]["lines"]}
    return rows


def _correct(environment: dict[str, str], seat: Seat) -> None:
    """Hands that their croupier puts right at once."""
    play = player(environment, seat)
    from django.db import transaction

    from tables.games.poker.raking import Pot
    from tables.services import hand_correct
    from tables.services.hands.entry import PlayedHand

    entry = PlayedHand([UUID(stay) for stay in seat.guests], Pot(rake_minor=RAKE_MINOR - 1_00))
    ids = {"house_id": UUID(seat.house), "person_id": UUID(seat.croupier), "reason": "mistyped", "revision": 1}
    for _ in range(CORRECTED):
        hand_id = UUID(play())
        with transaction.atomic():
            hand_correct(**ids, hand_id=hand_id, entry=entry)


def _written(place: Bench, seat: Seat) -> dict[str, Any]:
    """What the service writes of a hand."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        hand_id = pool.apply(_play_once, (place.environment, seat))
    with psycopg.connect(place.servers.owner_url) as link:
        legs = link.execute(LEGS, [hand_id]).fetchall()
        key = "SELECT answer FROM payouts_commandkey WHERE key = 'hand-' || %s"
        [[answer]] = link.execute(key, [hand_id]).fetchall()
    assert sorted(kind for kind, _minor in legs) == ["chips_outside", "in_play", "rake", "tray"]
    return {"legs": legs, "answer": json.dumps(answer)}


def _filled(seat: Seat, legs: list[tuple[str, int]]) -> str:
    """The script for one client's table."""
    posted = [(seat.accounts[kind], minor) for kind, minor in legs]
    return SQL.format(
        **{name: getattr(seat, name) for name in ("house", "table", "session", "day", "croupier")},
        print="\\x" + "5a" * 32,
        dealt=", ".join(f"'{stay}'" for stay in seat.guests),
        accounts=", ".join(str(account) for account, _minor in posted),
        legs=", ".join(f"({account}, {minor})" for account, minor in posted),
    )


def _play(job: tuple[dict[str, str], Seat, float]) -> float:
    environment, seat, seconds = job
    return clocked(player(environment, seat), seconds)


def _play_once(environment: dict[str, str], seat: Seat) -> str:
    return player(environment, seat)()


def player(environment: dict[str, str], seat: Seat) -> Callable[[], str]:
    """A function that ends a hand at the table by a command under its key, and gives its id."""
    os.environ.update(environment)
    import django

    django.setup()
    from casino.api.poker.hands import hand_answer
    from payouts.commands import request_fingerprint, run_once
    from tables.games.poker.raking import Pot
    from tables.services import hand_end
    from tables.services.hands.entry import PlayedHand

    person = UUID(seat.croupier)
    ids = {"house_id": UUID(seat.house), "table_id": UUID(seat.table), "person_id": person}
    entry = PlayedHand([UUID(stay) for stay in seat.guests], Pot(rake_minor=RAKE_MINOR))

    def play() -> str:
        hand_id = uuid4()
        fingerprint = request_fingerprint("hand.end", person, {"hand": str(hand_id), "dealt": seat.guests})
        run_once(f"hand-{hand_id}", fingerprint, lambda: hand_answer(hand_end(**ids, hand_id=hand_id, entry=entry)))
        return str(hand_id)

    return play


def new_seats(place: Bench, count: int) -> list[Seat]:
    """Open `count` poker tables in a new house, nine guests at each."""
    command = [sys.executable, "-m", "tests.bench.poker", str(count)]
    environment = {**place.environment, "PATH": "/usr/bin:/bin"}
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment).stdout
    return [Seat(**seat) for seat in json.loads(printed.splitlines()[-1])]


def _make(count: int) -> list[Seat]:
    import django

    django.setup()
    from django.db import transaction

    from casino.demo.floor import POSTED as FLOOR
    from casino.demo.rulesets import DEMO_TABLES
    from payouts.models import Account
    from payouts.rules.ledger import recipes
    from payouts.services import house_create, posted_tables_seed
    from tables import services
    from tests.cast import post, stock_house
    from tests.zone import quiet_zone

    seats = []
    posted = POSTED | {kind: FLOOR[kind] for kind in ("floor_rules", "calendar")}
    with transaction.atomic():
        house = house_create(name=f"Bench {uuid4()}", currency="CHF", time_zone=quiet_zone())
        posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
        stock_house(house)
        pit = services.pit_create(house_id=house.pk, name="Pit")
        for number in range(count):
            croupier = person_of(house, "croupier")
            values = {"name": f"Poker {number}", "game": "poker", "boxes": SEATS, "posted": posted}
            table = services.table_create(house_id=house.pk, pit_id=pit.pk, **values)
            at: dict[str, Any] = {"house_id": house.pk, "table_id": table.pk, "actor_id": croupier.pk}
            session = services.table_open(**at, croupier_id=croupier.pk, entry_level="rake_only")
            owners = {"house": house.pk, "table": table.pk}
            post(house, "fill", recipes.fill(1_000_000), owners=owners, gaming_day=session.gaming_day)
            buy_in = {"amount_minor": 100_00, "means": "cash"}
            stays = [services.stay_begin(**at, seat=seat, **buy_in) for seat in range(1, SEATS + 1)]
            seats.append(
                Seat(
                    house=str(house.pk),
                    table=str(table.pk),
                    session=str(session.pk),
                    jackpot="",
                    epoch="",
                    versions=session.versions,
                    day=session.gaming_day.isoformat(),
                    croupier=str(croupier.pk),
                    guests=[str(stay.pk) for stay in stays],
                    accounts=dict(Account.objects.filter(owner_id=table.pk).values_list("kind", "pk")),
                )
            )
    return seats


if __name__ == "__main__":
    print(json.dumps([asdict(seat) for seat in _make(int(sys.argv[1]))]))
