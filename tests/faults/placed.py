"""What croupiers have placed after a lock, by their own books, and what must then be in those of the house: each stake once and in
its order, its chips, what goes wrong recorded once, and nothing of what was refused.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple

Ask = Callable[[str], list[tuple[Any, ...]]]

STAKES = """
SELECT round_id::text, placed, coalesce(takes_back, 0), box, guest_id::text, source_id::text, kind, offered_minor
FROM tables_roundstake WHERE placed > 0 ORDER BY round_id, placed
"""
# What each posting lays on the layout, or takes off it: the lock, each stake after it, its way back, the end.
CHIPS = """
SELECT t.subject_id::text, -sum(e.amount_minor)::bigint FROM payouts_transfer t JOIN payouts_entry e ON e.transfer_id = t.id
JOIN payouts_account a ON a.id = e.account_id AND a.kind = 'layout'
WHERE t.subject_kind = 'round' GROUP BY t.id ORDER BY t.id
"""
IRREGULARITIES = "SELECT round_id::text, kind, decision, box, hand, card FROM tables_irregularity ORDER BY id"


class Stake(NamedTuple):
    """One that comes after the lock; guests by the house's ids."""

    box: int
    guest: str
    source: str
    kind: str
    amount: int


@dataclass
class History:
    """What a croupier did in one round once it was locked. `laid`: chips at its lock. `rows`: number, which one it takes back, and
    the stake.
    """

    laid: int
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    chips: list[int] = field(init=False)
    irregular: list[tuple[Any, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chips = [self.laid]

    def place(self, stake: Stake) -> None:
        """It was placed."""
        self._add(0, stake, stake.amount)

    def take_back(self, stake: Stake) -> None:
        """It was the newest, and went back."""
        self._add(self.newest, stake, -stake.amount)

    def put_right(self, stake: Stake, *, off: bool) -> None:
        """A correction took off what lay there last, or added it again: the chips move with the settlement, not before it."""
        self.rows.append((self.newest + 1, self.newest if off else 0, *stake))

    @property
    def newest(self) -> int:
        """The number of the last one."""
        return len(self.rows)

    def _add(self, takes_back: int, stake: Stake, chips: int) -> None:
        self.rows.append((self.newest + 1, takes_back, *stake))
        self.chips += [chips] if chips else []  # even money brings none


def placed_amiss(histories: Mapping[str, History], ask: Ask) -> list[str]:
    """What the house has otherwise than the croupiers, by round; all these rounds have ended."""
    stakes, chips, irregular = (_by_round(ask(query)) for query in (STAKES, CHIPS, IRREGULARITIES))
    found = []
    for round_id in sorted(histories.keys() | stakes.keys() | irregular.keys()):
        own = histories.get(round_id)
        if own is None:
            found.append(f"round {round_id}: nobody placed {stakes[round_id]} or recorded {irregular[round_id]}")
            continue
        moved = [amount for (amount,) in chips[round_id]]
        if stakes[round_id] != own.rows:
            found.append(f"round {round_id}: after its lock is booked {stakes[round_id]}, was placed {own.rows}")
        if not _moved_so(moved, own.chips):
            found.append(f"round {round_id}: its chips moved {moved}, by our books {own.chips}, and then off the table")
        if irregular[round_id] != own.irregular:
            found.append(f"round {round_id}: on record is {irregular[round_id]}, went wrong {own.irregular}")
    return found


def _moved_so(moved: list[int], own: list[int]) -> bool:
    """Whether chips moved so, and all of them then off the table; a correction may lay them there once more."""
    lies = list(accumulate(moved[len(own) :], initial=sum(own)))
    return moved[: len(own)] == own and max(lies) == sum(own) and lies[-1] == 0


def _by_round(rows: list[tuple[Any, ...]]) -> Mapping[str, list[tuple[Any, ...]]]:
    found: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for round_id, *row in rows:
        found[round_id].append(tuple(row))
    return found
