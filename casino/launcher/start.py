"""What `bootstrap.py` hands over to, once the Python fits: packages first, then the command inside them."""

import os
import sys
from pathlib import Path

from casino.launcher import packages
from casino.launcher.environment import plain
from casino.launcher.errors import StartError
from casino.launcher.fit import ROOT, refuse
from casino.launcher.reset import reset
from casino.launcher.terminal import Terminal


def main(arguments: list[str]) -> int:
    """`run` (packages, then the house), `demo`, `backup`, `drill` (on it), `dev ARGUMENTS...` (packages for tests too, then
    Python with these arguments), `reset`."""
    root, terminal = Path(ROOT), Terminal()
    try:
        match arguments:
            case ["run"]:
                _go_on(root, packages.ensure(root, terminal, dev=False), ["-m", "casino.launcher", "run"])
            case ["demo" | "backup" | "drill" as command]:
                _go_on(root, packages.ensure(root, terminal, dev=False), ["-m", "casino.launcher", command])
            case ["dev", *rest]:
                _go_on(root, packages.ensure(root, terminal, dev=True), rest)
            case ["reset"]:
                reset(root, terminal, force=os.environ.get("FORCE") == "1")
            case _:
                sys.stderr.write("usage: bootstrap.py run | demo | backup | drill | reset | dev ARGUMENTS...\n")
                return 2
    except StartError as error:
        return refuse(error.sentence, error.remedy)
    except KeyboardInterrupt:
        return 130
    return 0


def _go_on(root: Path, python: Path, arguments: list[str]) -> None:
    """Become the command: signals and exit status are its own from here on."""
    os.chdir(root)
    os.execve(python, [str(python), *arguments], plain(os.environ))
