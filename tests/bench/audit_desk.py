"""`python -m tests.bench.audit_desk` in the environment of a house: how long a minute's audit takes there, and the whole."""

import json
import statistics
import time

import django

NEW, TIMES = 50, 7  # rounds that a minute of a busy house writes; audits


def main() -> None:
    """Audit, and print what it took."""
    django.setup()
    from django.db import connection

    from payouts.audit import run_audits
    from payouts.audit_recent import MARKED

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tables_round")
        share = NEW / cursor.fetchone()[0]
        low = {}
        for table in MARKED:
            cursor.execute(f"SELECT coalesce(max(id), 0), count(*) FROM {table}")
            last, rows = cursor.fetchone()
            low[table] = last - int(rows * share)
    minutes, slowest = [], dict[str, float]()
    for _ in range(TIMES):
        begun = time.monotonic()
        results = run_audits(low=low)
        minutes.append(time.monotonic() - begun)
        slowest = {one.name: round(one.seconds, 4) for one in sorted(results, key=lambda one: -one.seconds)[:5]}
    begun = time.monotonic()
    found = [one.name for one in run_audits() if one.breaches]
    whole = time.monotonic() - begun
    assert not found, [(one.name, one.breaches[:2]) for one in run_audits() if one.breaches]
    assert not [one.name for one in results if one.breaches]
    told = {"minute_s": round(statistics.median(minutes), 3), "whole_s": round(whole, 1), "slowest": slowest}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
