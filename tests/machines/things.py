"""What the jackpot's model in plain Python is made of: rounds, claims, hits, gates, prizes, awards.

They are told apart by what they are and not by what they hold: a claim that is made again after a refusal holds what the refused
one holds.
"""

from dataclasses import dataclass, field

LIVE = ("called", "open", "verified")


@dataclass(eq=False)
class Round:
    """A round at a linked table; `coins`: how many boxes, from the first, had one; `at`: when it was locked.

    `won`: the box with the royal flush by its result, or none. `authors`: who has a part in what it says, its croupier first.
    """

    key: object
    table: int
    coins: int
    epoch: int
    at: int
    state: str = "locked"
    won: int | None = None
    revision: int = 0
    authors: set[str] = field(default_factory=set)
    entered_by: str = ""  # who settled it
    cards: bool = False  # a shoe has read some


@dataclass(eq=False)
class Claim:
    """A claim of a hit, in server order; `authors` of what its round said when it was made or fixed."""

    round: Round
    box: int | None
    state: str
    authors: set[str]
    decided: set[str] = field(default_factory=set)  # who has ever looked at it


@dataclass(eq=False)
class Hit:
    """A hit: what was shown when it began, the rounds that ran then, its claims."""

    shown: int
    listed: list[Round]
    state: str = "draining"
    claims: list[Claim] = field(default_factory=list)


@dataclass(eq=False)
class Gate:
    """What displays have to show: the amount, how often the meter had moved, and what each display has done."""

    amount: int
    moves: int
    displays: dict[int, str]
    state: str = "open"


@dataclass(eq=False)
class Award:
    """A share that was paid, or a prize; its slip, who signed it, and as what the slip was cancelled.

    `barred`: who asked for a prize, or has a part in what it says.
    """

    round: Round
    box: int
    amount: int
    kind: str
    signed: list[str]
    slip: str = "open"
    cancelled: str = ""
    barred: set[str] = field(default_factory=set)


@dataclass(eq=False)
class Prize:
    """Envy from the house's threshold up: of a round as its result of this revision says."""

    round: Round
    box: int
    amount: int
    revision: int
    authors: set[str]
    state: str = "waiting"
    awards: list[Award] = field(default_factory=list)

    @property
    def stands(self) -> bool:
        """An award of it is to be paid, or paid."""
        return any(award.slip != "cancelled" for award in self.awards)

    @property
    def paid(self) -> bool:
        """It was given up, or is owed no more: an award of it stands, or had been paid before it was cancelled."""
        return any(award.cancelled != "unpaid" for award in self.awards)
