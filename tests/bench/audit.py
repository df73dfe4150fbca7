"""A minute's audit at 20 000 and at 200 000 rounds (SCALE=full; a tenth of them else): what was audited once is not read again.

The houses are those of `tests/scale`, thrown away afterwards. New is what a minute of a busy house writes: the last fifty rounds.
"""

import os

from tests.bench.weeks import house_of

FEW, MANY = 20_000, 200_000  # rounds
STAKES = 16.1  # of a round, in such a house
SLOWER, SECONDS = 1.5, 5.0  # at the most


def measure() -> dict[str, dict[str, float]]:
    """Median seconds of seven audits in each house, and what the whole takes by night."""
    part = 1 if os.environ.get("SCALE") == "full" else 10
    few, many = (_house(int(rounds * STAKES / part)) for rounds in (FEW, MANY))
    more = {"rounds": many["rounds"], "of": few["rounds"], "whole_s": many["whole_s"], "whole_of_few_s": few["whole_s"]}
    return {
        "a minute's audit, ten times the rounds, s": {
            "limit": few["minute_s"],
            "ours": many["minute_s"],
            "ratio": round(few["minute_s"] / many["minute_s"], 2),
            "asked": round(1 / SLOWER, 2),
            **more,
        },
        "a minute's audit, s": {
            "limit": SECONDS,
            "ours": many["minute_s"],
            "ratio": round(SECONDS / many["minute_s"], 2),
            "asked": 1.0,
        },
    }


def _house(stakes: int) -> dict[str, float]:
    with house_of(stakes) as made:
        told: dict[str, float] = made.desk.run("tests.bench.audit_desk")
        return told | {"rounds": made.rounds}
