"""A hand of poker at *rake only* and one at *pots* through the service (one command under its key) against the same rows by bare
SQL through pgbench, in one run; then the reports of these hands against the time that is promised.
"""

import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
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
LEVELS = {"rake_only": "hand", "pots": "hand at pots"}
SQL = {level: Path(__file__).with_name(f"poker_{level}.sql").read_text(encoding="utf-8") for level in LEVELS}
RAKE_MINOR = 5_00
BUY_IN = {"rake_only": 100_00, "pots": 10**9}  # at pots each hand takes from the same stacks
# Four fold before the flop, two later; the three who are left have paid 60.00, and two of them share.
STREETS = ((6_00, {1: 0, 2: 2_00, 5: 0, 6: 0}), (14_00, {4: 4_00}), (40_00, {7: 0}), (0, {}))
WINNERS = (3, 8)
REPORTS, CORRECTED = ("rake", "hands"), 40  # of how many hands were put right
REPLAYED_LEAST = 5_000  # hands a second, on one core
LEGS = (
    "SELECT a.kind || coalesce(' ' || g.box, ''), e.amount_minor FROM payouts_entry e"
    " JOIN payouts_transfer t ON t.id = e.transfer_id JOIN payouts_account a ON a.id = e.account_id"
    " LEFT JOIN tables_guest g ON g.id = a.detail_id WHERE t.subject_id = %s ORDER BY e.id"
)
ROWS = {
    "seats": "seat, stack_minor, ante_minor, live_minor, dead_minor, returned_minor, won_minor, booked_minor, folded",
    "pots": "number, amount_minor, rake_minor, seats",
    "shares": "number, half, seat, amount_minor, odd_minor",
}
LEGS_OF = {
    "rake_only": ["chips_outside", "in_play", "rake", "tray"],
    "pots": ["chips_outside", "rake", *(f"stack {seat}" for seat in (2, 3, 4, 7, 8, 9)), "tray"],
}
POSTED = {"poker_game": "Deep", "poker_rules": "Bad Ragaz", "hand_rules": "Poker", "rake": "Poker"}


def measure() -> dict[str, dict[str, float]]:
    """Hands a second by pgbench (`limit`) and through the service (`ours`)."""
    rows: dict[str, dict[str, float]] = {}
    with bench_place() as place:
        for workers, least in LEAST.items():
            raked = new_seats(place, workers)
            for level, seats in {"rake_only": raked, "pots": new_seats(place, workers, "pots")}.items():
                name = f"{LEVELS[level]} of {SEATS}, {workers} worker{'s' * (workers > 1)}"
                rows[name] = _compared(place, seats, level) | {"asked": least}
        return rows | _replayed(place) | _reported(place, raked[0])


def _compared(place: Bench, seats: list[Seat], level: str) -> dict[str, float]:
    written = _written(place, seats[0], level)
    limits: list[float] = []
    ours: list[float] = []
    with processes(len(seats)) as pool:
        for _ in range(TIMES):
            scripts = [_filled(seat, written, level) for seat in seats]
            limits.append(pgbench(place, scripts, written["variables"]))
            jobs = [(place.environment, seat, SECONDS, level) for seat in seats]
            ours.append(sum(pool.map(_play, jobs, chunksize=1)))
    limit = statistics.median(limits)
    own = statistics.median(ours)
    return {"limit": round(limit), "ours": round(own), "ratio": round(own / limit, 2)}


def _replayed(place: Bench) -> dict[str, dict[str, float]]:
    """All these hands played again from their record, by one process; its own time counts."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        ours = pool.apply(_replay, (place.environment,))
    ratio = round(ours / REPLAYED_LEAST, 2)
    figures = {"limit": REPLAYED_LEAST, "ours": round(ours), "ratio": ratio, "asked": 1.0}
    return {"hands replayed, a second": figures}


def _replay(environment: dict[str, str]) -> float:
    os.environ.update(environment)
    import django

    django.setup()
    from tables.audit.replay_hands import replay_hands

    began = time.process_time()
    replayed = replay_hands(everything=True)
    assert replayed.breaches == []
    assert replayed.looked_at
    return replayed.looked_at / (time.process_time() - began)


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


def _written(place: Bench, seat: Seat, level: str) -> dict[str, Any]:
    """What the service writes of a hand."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        hand_id = pool.apply(_play_once, (place.environment, seat, level))
    with psycopg.connect(place.servers.owner_url) as link:
        legs = link.execute(LEGS, [hand_id]).fetchall()
        key = "SELECT answer FROM payouts_commandkey WHERE key = 'hand-' || %s"
        [[answer]] = link.execute(key, [hand_id]).fetchall()
        [[entered]] = link.execute("SELECT entered FROM tables_handresult WHERE hand_id = %s", [hand_id]).fetchall()
        rows = {
            name: link.execute(f"SELECT {columns} FROM tables_hand{name[:-1]} WHERE hand_id = %s", [hand_id]).fetchall()
            for name, columns in ROWS.items()
        }
    assert sorted(kind for kind, _minor in legs) == LEGS_OF[level]
    variables = {"answer": json.dumps(answer)} | ({"entered": json.dumps(entered)} if entered else {})
    return {"legs": legs, "rows": rows, "variables": variables}


def _filled(seat: Seat, written: dict[str, Any], level: str) -> str:
    """The script for one client's table."""
    posted = [(seat.accounts[kind], minor) for kind, minor in written["legs"]]
    rows = {name: ", ".join(_literal(row, seat) for row in rows) for name, rows in written["rows"].items()}
    return SQL[level].format(
        **{name: getattr(seat, name) for name in ("house", "table", "session", "day", "croupier")},
        **rows,
        print="\\x" + "5a" * 32,
        dealt=", ".join(f"'{stay}'" for stay in seat.guests),
        accounts=", ".join(str(account) for account, _minor in posted),
        legs=", ".join(f"({account}, {minor})" for account, minor in posted),
    )


def _literal(row: tuple[Any, ...], seat: Seat) -> str:
    """A row beside the hand's id; of a seat with its stay before it."""
    values = [f"ARRAY{value}" if isinstance(value, list) else f"'{value}'" for value in row]
    number, *_more = row
    stay = [f"'{seat.guests[number - 1]}'"] if len(row) == ROWS["seats"].count(",") + 1 else []
    return f"((:hand)::uuid, '{seat.house}', 1, {', '.join([*stay, *values])})"


def _play(job: tuple[dict[str, str], Seat, float, str]) -> float:
    environment, seat, seconds, level = job
    return clocked(player(environment, seat, level), seconds)


def _play_once(environment: dict[str, str], seat: Seat, level: str) -> str:
    return player(environment, seat, level)()


def player(environment: dict[str, str], seat: Seat, level: str = "rake_only") -> Callable[[], str]:
    """A function that ends a hand at the table by a command under its key, and gives its id."""
    os.environ.update(environment)
    import django

    django.setup()
    from casino.api.poker.hands import hand_answer
    from payouts.commands import request_fingerprint, run_once
    from tables.services import hand_end

    person = UUID(seat.croupier)
    ids = {"house_id": UUID(seat.house), "table_id": UUID(seat.table), "person_id": person}
    entries = _raked(seat) if level == "rake_only" else _potted(seat)

    def play() -> str:
        hand_id = uuid4()
        entry = next(entries)
        fingerprint = request_fingerprint("hand.end", person, {"hand": str(hand_id), "dealt": seat.guests})
        run_once(f"hand-{hand_id}", fingerprint, lambda: hand_answer(hand_end(**ids, hand_id=hand_id, entry=entry)))
        return str(hand_id)

    return play


def _raked(seat: Seat) -> Iterator[Any]:
    from tables.games.poker.raking import Pot
    from tables.services.hands.entry import PlayedHand

    while True:
        yield PlayedHand([UUID(stay) for stay in seat.guests], Pot(rake_minor=RAKE_MINOR))


def _potted(seat: Seat) -> Iterator[Any]:
    """The same hand over and over, with the stacks that it left: the tablet knows them too."""
    from payouts.models import Account
    from payouts.rules.rulesets.hand_rules import HandRules
    from payouts.rules.rulesets.rake import RakeSchedule
    from tables.games.poker.entered import HandRuling, PotsEntry, play
    from tables.games.poker.raking import Pot
    from tables.games.poker.rules import PokerGame, PokerRules
    from tables.games.poker.settle import PotWinners
    from tables.games.poker.streets import Betting, Street
    from tables.services.hands.entry import PlayedHand

    stays = [UUID(stay) for stay in seat.guests]
    booked = dict(Account.objects.filter(kind="stack", detail_id__in=stays).values_list("detail_id", "balance_minor"))
    pots = PotsEntry(
        seats=tuple(range(1, SEATS + 1)),
        stacks=tuple(-booked[stay] for stay in stays),
        button=1,
        betting=Betting([Street(*street) for street in STREETS]),
        winners=(PotWinners(WINNERS),),
    )
    posted = {"game": PokerGame(), "house": PokerRules(), "hands": HandRules(), "rake": RakeSchedule(step_minor=100)}
    nets = play(pots, HandRuling(**posted, variant="holdem")).settled.nets
    while True:
        yield PlayedHand(stays, Pot(), pots=pots)
        stacks = (stack + nets[number] for number, stack in enumerate(pots.stacks, 1))
        pots = pots._replace(stacks=tuple(stacks))


def new_seats(place: Bench, count: int, level: str = "rake_only") -> list[Seat]:
    """Open `count` poker tables in a new house, nine guests at each."""
    command = [sys.executable, "-m", "tests.bench.poker", str(count), level]
    environment = {**place.environment, "PATH": "/usr/bin:/bin"}
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment).stdout
    return [Seat(**seat) for seat in json.loads(printed.splitlines()[-1])]


def _make(count: int, level: str) -> list[Seat]:
    import django

    django.setup()
    from django.db import transaction

    from casino.demo.floor import POSTED as FLOOR
    from casino.demo.rulesets import DEMO_TABLES
    from payouts.models import Account
    from payouts.rules.ledger import recipes
    from payouts.services import house_create, posted_tables_seed
    from tables import services
    from tables.games.poker.rules import PokerGame
    from tables.kinds import KINDS
    from tests.cast import post, stock_house
    from tests.zone import quiet_zone

    seats = []
    posted = POSTED | {kind: FLOOR[kind] for kind in ("floor_rules", "calendar")}
    deep = (KINDS["poker_game"], "Deep", PokerGame(buy_in_most_minor=None))
    with transaction.atomic():
        house = house_create(name=f"Bench {uuid4()}", currency="CHF", time_zone=quiet_zone())
        posted_tables_seed(house_id=house.pk, tables=[*DEMO_TABLES, deep])
        stock_house(house)
        pit = services.pit_create(house_id=house.pk, name="Pit")
        for number in range(count):
            croupier = person_of(house, "croupier")
            values = {"name": f"Poker {number}", "game": "poker", "boxes": SEATS, "posted": posted}
            table = services.table_create(house_id=house.pk, pit_id=pit.pk, **values)
            at: dict[str, Any] = {"house_id": house.pk, "table_id": table.pk, "actor_id": croupier.pk}
            session = services.table_open(**at, croupier_id=croupier.pk, entry_level=level)
            owners = {"house": house.pk, "table": table.pk}
            post(house, "fill", recipes.fill(1_000_000), owners=owners, gaming_day=session.gaming_day)
            buy_in = {"amount_minor": BUY_IN[level], "means": "cash"}
            stays = [services.stay_begin(**at, seat=seat, **buy_in) for seat in range(1, SEATS + 1)]
            boxes = {stay.pk: stay.guest.box for stay in stays}
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
                    accounts={
                        account.kind if account.detail_id is None else f"stack {boxes[account.detail_id]}": account.pk
                        for account in Account.objects.filter(owner_id=table.pk)
                    },
                )
            )
    return seats


if __name__ == "__main__":
    print(json.dumps([asdict(seat) for seat in _make(int(sys.argv[1]), sys.argv[2])]))
