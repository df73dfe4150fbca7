"""What people do amiss with chips and cash, and at which table: from the seed alone."""

from collections.abc import Sequence
from typing import NamedTuple

from casino.simulate.cards import luck

MISSED = "buy-in not entered"
TWICE = "buy-in entered twice, one taken back"
TIP_MISSED = "tip not entered"
TIP_KEPT = "tip entered, its guest keeps the chip"
OVERLOOKED = "pieces overlooked at the closer, counted again"
ENTRY = "result entered otherwise than it was paid"
MISCOUNTED = "pieces miscounted between, right at the next count"
LATE = "round of a silent tablet, sent after the closer"
CORRECTED = "result put right after the closer"
FELL = "chips fell out of the tray before the opener"
THEFT = "theft"
KINDS = (
    *(MISSED, TWICE, TIP_MISSED, TIP_KEPT, OVERLOOKED),
    *(ENTRY, MISCOUNTED, LATE, CORRECTED, FELL),
)
STOLEN_MINOR = 50_000


class CashPlan(NamedTuple):
    """What a table has of it. `reliefs`: after which rounds its tray is counted; `last`: the round
    after which it closes.
    """

    seed: int
    table: int
    reliefs: tuple[int, ...]
    last: int
    kinds: tuple[str, ...] = ()


def reliefs_of(rounds: int, *, theft: bool = False) -> tuple[int, ...]:
    """After which of so many rounds a tray is counted at a relief: once; twice where a theft is to
    lie between two counts. Most rounds are left then, for what is put right after the closer is
    entered amiss after the last relief.

    >>> reliefs_of(24), reliefs_of(24, theft=True), reliefs_of(2, theft=True)
    ((8,), (6, 12), (1, 2))
    """
    if not theft:
        return (max(1, rounds // 3),)
    first = max(1, rounds // 4)
    return first, max(first + 1, rounds // 2)


def cash_plans(
    seed: int, rounds: int, tables: Sequence[int], apart: Sequence[int], *, theft: bool = False
) -> dict[int, CashPlan]:
    """By number of a table; each kind comes once, at one of them. `apart`: those that are not
    linked to a jackpot, where alone a tablet may be silent over the closer. At a table with a theft
    nothing else is amiss.
    """
    chance = luck(seed, "amiss")
    order = chance.sample(KINDS, len(KINDS))
    robbed = chance.choice(list(tables)) if theft and tables else None
    left = [table for table in tables if table != robbed] or list(tables)
    of_table: dict[int, list[str]] = {table: [] for table in tables}
    for place, kind in enumerate(order):
        places = [table for table in left if table in apart] if kind == LATE else left
        if places:
            of_table[places[place % len(places)]].append(kind)
    if robbed is not None:
        of_table[robbed] = [*(of_table[robbed] if left == [robbed] else []), THEFT]
    reliefs = reliefs_of(rounds, theft=theft)
    return {
        table: CashPlan(seed, table, reliefs, rounds, tuple(kinds))
        for table, kinds in of_table.items()
    }
