"""`python -m tests.bench.plans`: the plans of all reports and searches over five weeks of a house, one file a kind in docs/plans.

SCALE says how many stakes, as in `tests/bench/reports.py`.
"""

import sys
from pathlib import Path

from tests.bench.weeks import ROOT, Weeks, weeks

FOLDER = ROOT / "docs" / "plans"
HEAD = """{name}: what PostgreSQL does, by `python -m tests.bench.plans`.
Over five weeks of a house with {stakes:,} stakes in {rounds:,} rounds, taken on a machine on which others worked.
Rows and blocks of 8 kB, read by the second of two runs; no times, for those are of one machine. Ids are left out (…).
"""


def main() -> int:
    """Make the house, ask for each plan, write them."""
    with weeks() as made:
        print(f"{made.stakes} stakes, {made.rounds} rounds", file=sys.stderr, flush=True)
        write(made, FOLDER)
    return 0


def write(made: Weeks, folder: Path) -> None:
    """Write the plans of a house into a folder, instead of those that lie there."""
    found: dict[str, dict[str, str]] = made.desk.run("tests.bench.reports_desk", "plans", *made.at)
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for name, plans in found.items():
        head = HEAD.format(name=name, stakes=made.stakes, rounds=made.rounds)
        parts = [f"\n=== {title} ===\n{plan}\n" for title, plan in plans.items()]
        (folder / f"{name}.txt").write_text(head + "".join(parts), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
