"""Whether a machine and its Python can carry Saalchef, before anything is installed.

Any Python 3 must be able to read this file, like `bootstrap.py`: no f-strings, no newer syntax.
Standard library only.
"""

# ruff: noqa: UP031

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

OLDEST, NEWEST = (3, 11), (3, 13)
NEWEST_WITH_REDIS = (3, 12)  # the wheel of the embedded Redis ends there
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# in the environment of all that follows: when the command was typed, by the clock that never goes
# back
BEGUN = "SAALCHEF_BEGUN"
PROBE = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
WAY_OUT = "Install Python 3.11, 3.12 or 3.13, or name one: make PYTHON=/path/to/python3.12 ..."


def problem(version: "tuple[int, ...]", has_venv: bool, has_redis: bool) -> "list[str]":  # noqa: FBT001
    """Why this Python cannot carry Saalchef, as sentence and remedy; empty if it can."""
    if not OLDEST <= tuple(version[:2]) <= NEWEST:
        return [
            "Python 3.11, 3.12 or 3.13 is needed, and this is Python %d.%d." % tuple(version[:2]),
            WAY_OUT,
        ]
    if not has_venv:
        package = "python%d.%d-venv" % tuple(version[:2])
        return [
            (
                "This Python cannot make virtual environments (its module venv or ensurepip is"
                " missing)."
            ),
            "On Debian or Ubuntu: apt install %s. Elsewhere: %s" % (package, WAY_OUT),
        ]
    if tuple(version[:2]) > NEWEST_WITH_REDIS and not has_redis:
        return [
            "There is no embedded Redis for Python %d.%d, and no redis-server is on the PATH."
            % tuple(version[:2]),
            (
                "Install redis-server or valkey-server, or Python 3.11 or 3.12, or set REDIS_URL to"
                " a Redis of your own."
            ),
        ]
    return []


def platform_problem(
    system: str,
    machine: str,
    environ: "Mapping[str, str]",
    has_redis: bool,  # noqa: FBT001
) -> "list[str]":
    """Why the embedded servers cannot run on this machine, as sentence and remedy; empty if they
    can or are not wanted.
    """
    own_database = given(environ, "DATABASE_URL") and given(environ, "DATABASE_OWNER_URL")
    if system == "Linux" and machine == "x86_64":
        return []
    if own_database and (given(environ, "REDIS_URL") or has_redis):
        return []
    return [
        "The embedded PostgreSQL and Redis exist for Linux on x86-64, and this is %s on %s."
        % (system, machine),
        (
            "Set DATABASE_URL, DATABASE_OWNER_URL and REDIS_URL to servers of your own"
            " (docs/OPERATIONS.md says how)."
        ),
    ]


def given(environ: "Mapping[str, str]", name: str) -> bool:
    """Whether the environment sets a variable, directly or as the name of a file that holds it."""
    return bool(environ.get(name) or environ.get(name + "_FILE"))


def redis_at_hand() -> bool:
    """Whether a Redis is there that does not come with our packages."""
    return given(os.environ, "REDIS_URL") or bool(
        shutil.which("redis-server") or shutil.which("valkey-server")
    )


def own_problem() -> "list[str]":
    """Judge the Python that runs this file."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return problem(tuple(sys.version_info[:2]), False, redis_at_hand())  # noqa: FBT003
    return problem(tuple(sys.version_info[:2]), True, redis_at_hand())  # noqa: FBT003


def another_python() -> str:
    """Path of a fitting Python on the PATH; empty if there is none."""
    for name in ("python3.13", "python3.12", "python3.11", "python3"):
        path = shutil.which(name)
        if not path:
            continue
        try:
            answer = subprocess.check_output([path, "-I", "-c", PROBE], stderr=subprocess.DEVNULL)
            version = tuple(int(part) for part in answer.decode().split("."))
        except (OSError, ValueError, subprocess.CalledProcessError):
            continue
        if not problem(version, True, redis_at_hand()):  # noqa: FBT003
            return path
    return ""


def refuse(sentence: str, remedy: str) -> int:
    """Say what stops us, and what to do."""
    sys.stderr.write("\nSaalchef: %s\n%s\n\n" % (sentence, remedy))
    return 1
