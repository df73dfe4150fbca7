"""How many examples a property is tried with: in the suite so few that it ends in minutes; `make test EXAMPLES=10` tries more."""

import os

TIMES = float(os.environ.get("EXAMPLES") or 1)
USUAL = 40


def examples(number: int) -> int:
    """So many, or more of them in a campaign."""
    return max(1, round(number * TIMES))
