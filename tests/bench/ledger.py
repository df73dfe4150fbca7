"""The ledger against its limit: transfers through the service, and the same rows by bare SQL through pgbench, in one run.

Both write the same tables under the same triggers, each client on accounts of its own, in transactions of one transfer. Rounds of
the two alternate, so that whatever else the machine does hits both; the median of each counts.
"""

import multiprocessing
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from tests.bench.place import Bench, bench_place

SECONDS = float(os.environ.get("BENCH_SECONDS") or "3")
ROUNDS = 3
CASES = [(2, 1), (2, 2), (22, 1), (22, 2)]  # legs, clients

# One statement after another, as a careful programmer writes them without a function: lock, transfer, entries, balances.
# `account` and `account + 1` are the client's two accounts; the legs alternate between them and sum to zero.
SCRIPT = """
\\set account :first + 2 * :client_id
BEGIN;
SELECT id FROM payouts_account WHERE id IN (:account, :account + 1) ORDER BY id FOR NO KEY UPDATE;
INSERT INTO payouts_transfer (house_id, key, kind, subject_kind, gaming_day, reason, posted_at)
    VALUES ('{house}', gen_random_uuid()::text, 'bench', '', '2026-11-21', '', now()) RETURNING id AS transfer \\gset
INSERT INTO payouts_entry (house_id, transfer_id, account_id, amount_minor, account_version, balance_after_minor, note)
    SELECT '{house}', :transfer, a.id, leg.amount, a.version + leg.place, a.balance_minor + leg.amount * leg.place, ''
    FROM (VALUES {legs}) AS leg (side, place, amount) JOIN payouts_account a ON a.id = :account + leg.side;
UPDATE payouts_account SET version = version + {half},
    balance_minor = balance_minor + CASE id WHEN :account THEN 5 ELSE -5 END * {half} WHERE id IN (:account, :account + 1);
COMMIT;
"""


def measure() -> dict[str, dict[str, float]]:
    """Per case: transfers a second by pgbench (`limit`) and through the service (`ours`), and `ratio` (at least 0.8 is asked)."""
    results = {}
    with bench_place() as place:
        for legs, clients in CASES:
            limits, ours = [], []
            with multiprocessing.get_context("spawn").Pool(clients) as pool:  # kept from turn to turn
                for _ in range(ROUNDS):
                    limits.append(_pgbench(place, legs, clients))
                    ours.append(_service(place, pool, legs, clients))
            limit, own = statistics.median(limits), statistics.median(ours)
            name = f"transfer of {legs} legs, {clients} client{'s' * (clients > 1)}"
            results[name] = {"limit": round(limit), "ours": round(own), "ratio": round(own / limit, 2), "asked": 0.8}
    return results


def _pgbench(place: Bench, legs: int, clients: int) -> float:
    house, first = place.new_accounts(2 * clients)
    rows = ", ".join(f"({n % 2}, {n // 2 + 1}, {5 if n % 2 == 0 else -5})" for n in range(legs))
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(SCRIPT.format(house=house, legs=rows, half=legs // 2))
        script.flush()
        command = [
            place.pgbench,
            "-n",
            "-M",
            "prepared",
            "-f",
            script.name,
            "-D",
            f"first={first}",
            "-T",
            str(int(SECONDS)),
        ]
        command += ["-c", str(clients), "-j", str(clients), *place.pgbench_address]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd="/")
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found, done.stdout
    assert "number of failed transactions: 0" in done.stdout, done.stdout
    return float(found[1])


def _service(place: Bench, pool: Any, legs: int, clients: int) -> float:
    house, first = place.new_accounts(2 * clients)
    jobs = [(place.environment, house, first + 2 * client, legs, SECONDS) for client in range(clients)]
    return sum(pool.map(_post, jobs, chunksize=1))


def _post(job: tuple[dict[str, str], str, int, int, float]) -> float:
    """One client: its own process and connection; transfers a second."""
    environment, house, account, legs, seconds = job
    os.environ.update(environment)
    import django

    django.setup()
    from datetime import date

    from django.db import transaction

    from payouts.rules.ledger.postings import Leg, Posting
    from payouts.services import transfer_post

    pair = [Leg(account, 5), Leg(account + 1, -5)] * (legs // 2)
    day = date(2026, 11, 21)

    def once() -> None:
        with transaction.atomic(durable=True):
            transfer_post(house_id=UUID(house), gaming_day=day, posting=Posting(str(uuid4()), "bench", pair))

    for _ in range(50):
        once()
    count, started = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        once()
        count += 1
    return count / elapsed


if __name__ == "__main__":
    for name, row in measure().items():
        print(f"{name:32} {row}")
    print(Path(__file__).name)
