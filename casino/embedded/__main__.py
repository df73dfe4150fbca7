"""`python -m casino.embedded COMMAND`, always in the venv of the clone: see `USAGE`."""

import signal
import sys
from pathlib import Path

from casino.embedded.errors import StartError
from casino.embedded.fit import refuse

USAGE = "usage: python -m casino.embedded run | demo | backup | drill | serve PROGRAM | prepare | manage ARGUMENTS...\n"
ROOT = Path(__file__).resolve().parent.parent.parent


def main(arguments: list[str]) -> int:
    """Run one of the commands; `serve` and `prepare` are for the launcher itself, the others for people."""
    try:
        match arguments:
            case ["run"]:
                from casino.embedded.run import run

                return run(ROOT)
            case ["demo"]:
                from casino.embedded.demo import demo

                return demo(ROOT)
            case ["backup"]:
                from casino.embedded.backup import backup

                return backup(ROOT)
            case ["drill"]:
                from casino.embedded.drill import drill

                return drill(ROOT)
            case ["serve", program]:
                from casino.embedded.serve import serve

                serve(ROOT, program)
            case ["prepare"]:
                from casino.embedded.prepare import prepare

                return prepare(ROOT / "var")
            case ["manage", *rest]:
                from casino.embedded.run import manage

                manage(ROOT, rest)
            case _:
                sys.stderr.write(USAGE)
                return 2
    except StartError as error:
        return refuse(error.sentence, error.remedy)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `run` takes over nothing is there to clear away
    sys.exit(main(sys.argv[1:]))
