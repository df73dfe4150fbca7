"""`make soak ROUNDS=20000`: a long evening without faults, in which no process may grow once a quarter of it is played."""

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from casino.simulate.floor import Evening
from casino.simulate.options import Options
from tests.faults.house import House
from tests.faults.network import Network
from tests.faults.usage import Look, died, figures, grown, look

ROUNDS, TABLES, SEED = 20_000, 24, 1
WARM = 4  # once a quarter of the rounds is played: from round 5 000 of 20 000
LOOKS = 80  # over the whole soak
ROYAL_EVERY = (
    40  # rounds of a table: several hits fall before all is counted as warm, and every process has then done its part
)
WRONG = ("grown", "died", "differences")  # parts of the report that are empty where all is well
FOLDER = Path("var/faults")
BLOAT = """
SELECT relname, n_live_tup, n_dead_tup, pg_total_relation_size(relid) / 1024, coalesce(n_mod_since_analyze, 0)
FROM pg_stat_user_tables WHERE n_live_tup + n_dead_tup > 0 ORDER BY pg_total_relation_size(relid) DESC LIMIT 20
"""


class Soak:
    """One soak."""

    def __init__(self, rounds: int, tables: int, seed: int) -> None:
        self.rounds, self.tables, self.seed = rounds, tables, seed
        self.looks: list[Look] = []
        self.report: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        """Play and measure; the report's parts in WRONG are empty where all is well."""
        folder = Path(tempfile.mkdtemp(prefix="saalchef-soak-"))
        house = House(folder, coordinators=False)
        network = Network(house.web_socket, house.ws_socket, self.seed, lambda *_: None)
        try:
            house.start()
            network.start()
            royals = [f"table=1,box=3,round={at}" for at in range(ROYAL_EVERY, self.rounds // self.tables, ROYAL_EVERY)]
            options = Options(
                url=network.address, seed=self.seed, tables=self.tables, rounds=self.rounds,
                royals=tuple(royals), displays="prompt", lossy=0.0,
            ).check()  # fmt: skip
            self._play(Evening(options, lambda _text: None), house)
        finally:
            network.stop()
            house.stop()
            shutil.rmtree(folder, ignore_errors=True)
        return self.report

    def _play(self, evening: Evening, house: House) -> None:
        begun = time.monotonic()
        try:
            try:
                house.module("tests.faults.fill")
                evening.open()
                evening.play(lambda: self._watch(evening, house))
                self.looks.append(look(house, len(evening.all_played())))
            finally:
                evening.close()
            evening.compare()
        finally:
            evening.end()
        warm = self.rounds // WARM
        self.report = {
            "rounds": len(evening.all_played()),
            "seconds": round(time.monotonic() - begun),
            "differences": evening.differences,
            "grown": grown(self.looks, warm),
            "figures": figures(self.looks, warm),
            "resident_kb": {
                one.rounds: {part: used.resident_kb for part, used in one.parts.items()} for one in self.looks
            },
            "died": died(self.looks, house.restarts),
            "restarts": dict(house.restarts),
            "bloat": [
                dict(zip(("table", "live", "dead", "kilobytes", "changed_since_analyze"), row, strict=True))
                for row in house.sql(BLOAT)
            ],
        }

    def _watch(self, evening: Evening, house: House) -> None:
        played = len(evening.all_played())
        if played >= len(self.looks) * self.rounds / LOOKS:
            self.looks.append(look(house, played))
            print(f"{played} rounds", flush=True)


def main() -> int:
    """Read ROUNDS, TABLES and SEED.

    Exit status: 0 nothing grew, 1 something grew or died or the books differ, 2 a wrong value.
    """
    try:
        rounds, tables, seed = (
            int(os.environ.get(name) or usual)
            for name, usual in (("ROUNDS", ROUNDS), ("TABLES", TABLES), ("SEED", SEED))
        )
        if rounds < 400 or not 1 <= tables <= 64:
            raise ValueError
    except ValueError:
        print("ROUNDS is a whole number from 400, TABLES one from 1 to 64, SEED any.")
        return 2
    report = Soak(rounds, tables, seed).run()
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "soak.json").write_text(json.dumps(report, indent=1) + "\n")
    print(f"{report['rounds']} rounds in {report['seconds']} s")
    for what, (before, now) in report["figures"].items():
        print(f"  {what:<45} {before:>10g} {now:>10g}")
    for row in report["bloat"][:8]:
        print(f"  {row['table']:<30} {row['live']:>9} live, {row['dead']:>7} dead, {row['kilobytes']:>8} KB")
    wrong = [what for part in WRONG for what in report[part]]
    for what in wrong[:40]:
        print(f"WRONG: {what}")
    print(f"Everything: {FOLDER / 'soak.json'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
