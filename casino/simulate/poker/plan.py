"""A hand of poker as the seed plans it: who is dealt in, what lies in the pot, and what its dealer
does amiss.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random  # noqa: TID251  (from the seed)

from casino.simulate.books.poker import PostedAtTable
from casino.simulate.cards import luck

MISTAPPED = "rake mistapped, put right"
ABOVE = "rake above the schedule, refused"
LESS = "rake below the schedule"
LOST = "chip lost"
VOID = "hand void"
MISHAPS = (MISTAPPED, LESS, LOST, ABOVE, VOID)
# where pots are entered
WINNER = "winner mistapped, put right"
FOLD = "fold overlooked, put right"
LATE = "winner mistapped, put right after the next hand"
EXPECTED = "pots worked out otherwise, refused"
CARDS = "winner tapped against the cards, refused"
QUEUED = "hands queued"
GIVEN_UP = "hand begun and given up"
POTS_MISHAPS = (WINNER, FOLD, LATE, EXPECTED, CARDS, QUEUED, GIVEN_UP, LOST, VOID)
EVERY = 4  # one hand of so many has a mishap
LEAST_BLINDS, MOST_BLINDS = 3, 12
STACK_BLINDS = MOST_BLINDS + 1  # with less a guest tops up
NO_FLOP, WALK, BY_POT, TIPS = 0.12, 0.18, 0.5, 0.2  # shares; those of no flop and walk add up
LEAVES, COMES, MOVES = 0.08, 0.15, 0.1
HAND, BUY_IN, MOVE = "hand_end", "buy-in", "move between tables"
POTS_HAND, BEGIN = "hand_end of pots", "hand_begin"
FEWEST = 3  # guests; below nobody leaves


@dataclass(frozen=True)
class HandPlan:
    """`dealt`: places among those who sit there, the winner first; `chips`: what each of them puts
    into the pot, in minor units.
    """

    dealt: tuple[int, ...]
    chips: tuple[int, ...]
    flop: bool
    walk: bool
    by_pot: bool  # the pot is entered, and the schedule says the rake
    tip: bool
    mishap: str

    @property
    def pot(self) -> int:
        """What lies in it, in minor units."""
        return sum(self.chips)


def luck_of(seed: int, table: str, number: int) -> Random:
    """Whatever comes by chance in a hand of a table, and before it."""
    return luck(seed, "poker", table, number)


def plan_hand(chance: Random, posted: PostedAtTable, guests: int, *, mishap: str = "") -> HandPlan:
    """A hand with so many guests at the table: two see it through, or everybody folds early."""
    dealt = tuple(chance.sample(range(guests), chance.randint(2, guests)))
    course = chance.random()
    stake, others = chance.randint(LEAST_BLINDS, MOST_BLINDS) * posted.blind, posted.blind
    if mishap in (LESS, MISTAPPED):  # of a pot that pays
        course, stake = 1.0, MOST_BLINDS * posted.blind
    flop, walk = course >= WALK, NO_FLOP <= course < WALK
    if walk:
        stake, others = posted.chip, 0
    elif not flop:
        stake = 2 * posted.blind
    chips = (stake, stake, *(others for _folded in dealt[2:]))
    by_pot, tip = chance.random() < BY_POT, chance.random() < TIPS
    return HandPlan(dealt, chips, flop=flop, walk=walk, by_pot=by_pot, tip=tip, mishap=mishap)


def mishap_of(seed: int, table: str, number: int, of: Sequence[str] = MISHAPS) -> str:
    """What the dealer of a table does amiss in this hand: each once before any comes again."""
    turn, rest = divmod(number, EVERY)
    if rest:
        return ""
    order = luck(seed, "poker", table).sample(of, len(of))
    return str(order[(turn - 1) % len(order)])
