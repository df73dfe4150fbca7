"""What `bootstrap.py` hands over to, once the Python fits: packages and catalogues first, then the
command.
"""

import os
import subprocess
import sys
from pathlib import Path

from casino.launcher import packages
from casino.launcher.environment import plain
from casino.launcher.errors import StartError
from casino.launcher.fit import ROOT, refuse
from casino.launcher.reset import reset
from casino.launcher.terminal import Terminal
from casino.text.catalogues import outdated


def main(arguments: list[str]) -> int:
    """`run` (packages, then the house), `demo`, `backup`, `drill` (on it), `dev ARGUMENTS...`
    (packages for tests too, then Python with these arguments), `reset`.
    """
    root, terminal = Path(ROOT), Terminal()
    try:
        match arguments:
            case ["run"]:
                _go_on(root, _prepared(root, terminal, dev=False), ["-m", "casino.launcher", "run"])
            case ["demo" | "backup" | "drill" as command]:
                _go_on(
                    root, _prepared(root, terminal, dev=False), ["-m", "casino.launcher", command]
                )
            case ["dev", *rest]:
                _go_on(root, _prepared(root, terminal, dev=True), rest)
            case ["reset"]:
                reset(root, terminal, force=os.environ.get("FORCE") == "1")
            case _:
                sys.stderr.write(
                    "usage: bootstrap.py run | demo | backup | drill | reset | dev ARGUMENTS...\n"
                )
                return 2
    except StartError as error:
        return refuse(error.sentence, error.remedy)
    except KeyboardInterrupt:
        return 130
    return 0


def _prepared(root: Path, terminal: Terminal, *, dev: bool) -> Path:
    """The Python of the clone's venv, once the packages are there and the catalogues are compiled.
    Raises StartError.
    """
    python = packages.ensure(root, terminal, dev=dev)
    if outdated(root / "casino" / "locale"):
        command = [str(python), "-m", "casino.text.catalogues"]
        done = subprocess.run(
            command, cwd=root, env=plain(os.environ), capture_output=True, text=True, check=False
        )
        if done.returncode:
            why = done.stderr.strip().rpartition("\n")[2].rstrip(".")
            sentence = f"The catalogues could not be compiled: {why}."
            raise StartError(
                sentence, "Look at the translations below casino/locale and start again."
            )
    return python


def _go_on(root: Path, python: Path, arguments: list[str]) -> None:
    """Become the command: signals and exit status are its own from here on."""
    os.chdir(root)
    os.execve(python, [str(python), *arguments], plain(os.environ))
