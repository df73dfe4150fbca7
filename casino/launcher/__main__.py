"""`python -m casino.launcher COMMAND`, always in the venv of the clone: see `USAGE`."""

import signal
import sys
from pathlib import Path

from casino.launcher.errors import StartError
from casino.launcher.fit import refuse

USAGE = (
    "usage: python -m casino.launcher run | demo | backup | drill | serve PROGRAM | prepare |"
    " manage ARGUMENTS...\n"
)
ROOT = Path(__file__).resolve().parent.parent.parent


def main(arguments: list[str]) -> int:
    """Run one of the commands; `serve` and `prepare` are for the launcher itself, the others for
    people.
    """
    try:
        match arguments:
            case ["run"]:
                from casino.launcher.run import run

                return run(ROOT)
            case ["demo"]:
                from casino.launcher.demo import demo

                return demo(ROOT)
            case ["backup"]:
                from casino.launcher.backup import backup

                return backup(ROOT)
            case ["drill"]:
                from casino.launcher.drill import drill

                return drill(ROOT)
            case ["serve", program]:
                from casino.launcher.serve import serve

                serve(ROOT, program)
            case ["prepare"]:
                from casino.launcher.prepare import prepare

                return prepare(ROOT / "var")
            case ["manage", *rest]:
                from casino.launcher.run import manage

                manage(ROOT, rest)
            case _:
                sys.stderr.write(USAGE)
                return 2
    except StartError as error:
        return refuse(error.sentence, error.remedy)
    return 0


if __name__ == "__main__":
    # until `run` takes over nothing is there to clear away
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
