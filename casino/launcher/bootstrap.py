"""First step of every make target that needs packages: find a fitting Python, prepare `var/venv`,
go on inside it.

Any Python 3 must be able to read this file (no f-strings, no newer syntax), so that an old one gets
a sentence and not a traceback. Standard library only: nothing is installed yet. `python3 -I
bootstrap.py run | demo | backup | drill | reset | dev ARGUMENTS...`
"""

# ruff: noqa: UP031

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
from casino.launcher import fit


def main(arguments: "list[str]") -> int:
    """Check the machine, then hand over to the parts written for the right Python."""
    os.environ.setdefault(fit.BEGUN, "%.3f" % time.monotonic())
    found = fit.own_problem()
    if found:
        path = fit.another_python()
        if path:
            os.execv(path, [path, "-I", os.path.realpath(__file__)] + arguments)  # noqa: RUF005  (Python 3.4)
        return fit.refuse(*found)
    unfit = fit.platform_problem(os.uname()[0], os.uname()[4], os.environ, fit.redis_at_hand())
    if unfit:
        return fit.refuse(*unfit)
    from casino.launcher import start

    return start.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
