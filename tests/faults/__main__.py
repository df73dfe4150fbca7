"""`make faults MINUTES=30 SEED=n`: one campaign, its report in var/faults; ends with 1 if anything was wrong."""

import os
import signal
import sys
import time
from pathlib import Path

from tests.faults import report as reports
from tests.faults.campaign import TABLES, Campaign
from tests.faults.without import STATEMENTS

FOLDER = Path("var/faults")
TOLD = ("---", "DIFFERS")  # scenes, faults, what is wrong; the log has the rest


def main() -> int:
    """Read MINUTES, SEED, TABLES, WITHOUT (a guard to be taken away) and ATTACKERS (0: none) from the environment.

    Exit status: 0 all holds, 1 something does not, 2 a wrong value.
    """
    try:
        minutes = float(os.environ.get("MINUTES") or 3)
        seed = int(os.environ.get("SEED") or time.time()) % 1_000_000
        tables = int(os.environ.get("TABLES") or TABLES)
        without, attackers = os.environ.get("WITHOUT") or "", os.environ.get("ATTACKERS") or "1"
        if not (
            0 < minutes <= 24 * 60 and 8 <= tables <= 64 and without in ("", *STATEMENTS) and attackers in ("0", "1")
        ):
            raise ValueError
    except ValueError:
        guards = ", ".join(STATEMENTS)
        print(f"MINUTES is a number above 0, SEED a whole number, TABLES one from 8 to 64, WITHOUT one of {guards},")
        print("ATTACKERS 0 or 1.")
        return 2
    run = Campaign(seed, minutes, tables, without=without, attackers=attackers == "1")
    print(f"Again: {reports.again(run)}")
    begun, told = time.monotonic(), list[str]()

    def say(text: str) -> None:
        told.append(line := f"{time.monotonic() - begun:6.1f} s  {text}")
        if text.startswith(TOLD):
            print(line, flush=True)

    run.say = say
    signal.signal(signal.SIGINT, run.break_off)
    report = run.run()
    path = FOLDER / f"seed-{seed}.json"
    reports.write(report, path)
    for line in reports.summary(report):
        print(line)
    for what in report["wrong"][:60]:
        print(f"WRONG: {what}")
    if report["wrong"]:
        (FOLDER / f"seed-{seed}.log").write_text("\n".join([*told, run.said]))
        print(f"{len(report['wrong'])} wrong. {path} tells all; beside it a log of the floor and of all processes.")
        print(f"Again: {reports.again(run)}")
        return 1
    print(f"All holds. {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
