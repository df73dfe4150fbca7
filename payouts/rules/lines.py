"""Stakes as they are placed, and what became of each when its round was settled: one line a stake,
with the rule and the words.
"""

from dataclasses import dataclass
from typing import NamedTuple

from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.odds import Odds
from payouts.rules.rulesets.paytable import WORDS


@dataclass(frozen=True, slots=True)
class Stake:
    """One stake on a box: who, what kind (`ante`, `blind`, `play`, `trips`, `coin`), how much in
    minor units. `source`: whose stake it goes with, where it came after the lock.
    """

    box: int
    guest: str
    kind: str
    amount_minor: int
    source: str = ""


class Reason(NamedTuple):
    """Why a line is what it is: a stable code, the rule's id, and an English template over the
    line's data.
    """

    code: str
    rule: str
    sentence: str


class StakeLine(NamedTuple):
    """One settled stake. Of `stake_minor` the guest gets `returned_minor` back, `won_minor` at the
    odds, or `prize_minor`.

    `hand` is the box's class where the line depends on it. `paid_by` says whose money a prize is:
    the house's or the meter's. (A tuple, because a round of seven boxes has some forty lines and
    settles ten thousand times a second.)
    """

    box: int
    guest: str
    kind: str
    stake_minor: int
    returned_minor: int
    won_minor: int
    prize_minor: int
    reason: Reason
    odds: Odds | None = None
    hand: Category | None = None
    paid_by: str = "house"

    @property
    def paid_minor(self) -> int:
        """What the guest is handed, their own stake included."""
        return self.returned_minor + self.won_minor + self.prize_minor

    @property
    def net_minor(self) -> int:
        """What the guest has more than before the round; negative when they lost."""
        return self.paid_minor - self.stake_minor

    @property
    def rule(self) -> str:
        """The id of the rule that decided."""
        return self.reason.rule

    def data(self) -> dict[str, object]:
        """What the sentence may name: plain JSON, amounts in minor units, `hand` as words."""
        return {
            "box": self.box,
            "guest": self.guest,
            "kind": self.kind,
            "stake_minor": self.stake_minor,
            "returned_minor": self.returned_minor,
            "won_minor": self.won_minor,
            "prize_minor": self.prize_minor,
            "odds": None if self.odds is None else str(self.odds),
            "hand": None if self.hand is None else WORDS[self.hand],
            "paid_by": self.paid_by,
        }

    def text(self) -> str:
        """The English sentence that says why."""
        return self.reason.sentence % self.data()

    def to_data(self) -> dict[str, object]:
        """Everything, as plain JSON."""
        return {**self.data(), "code": self.reason.code, "rule": self.reason.rule}
