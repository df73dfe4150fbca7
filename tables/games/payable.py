"""What paytables pay: whether chips of the house make it up on stakes of the posted step (CHP-3),
and what a line would have been paid as another class (RES-4).
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from typing import Any, Protocol

from jackpot.rules.progressive import ProgressiveRules
from payouts.errors import mark
from payouts.rules.rulesets.chips import ChipSet
from payouts.rules.rulesets.kinds import Beside, own_advice
from payouts.rules.rulesets.paytable import Paytable
from payouts.rules.rulesets.schema import Advice, Posted
from tables.games.blackjack.settle import THREE_TO_TWO
from tables.games.uth.rules import UthRules
from tables.rules.limits import BoxLimits

STAKES = 100  # the first so many on a step: what falls between chips does so among them
PAYOUT_BETWEEN = mark(
    "A stake of %(stake_minor)s wins %(amount_minor)s, which the house's chips cannot pay."
)
_READ: Mapping[str, type[Posted]] = {
    "chip_set": ChipSet,
    "uth_rules": UthRules,
    "blind": Paytable,
    "trips": Paytable,
    "box_limits": BoxLimits,
}
PAID_IN_CHIPS = ("uth_rules", "blind", "trips", "box_limits")

Advise = Callable[[Any, Beside], tuple[Advice, ...]]
_Tables = Mapping[str, list[Any]]


def with_chips(code: str, own: Advise = own_advice) -> Advise:
    """The advice of a kind, and the first payout that no chip set of the house makes up."""

    def advise(posted: Posted, beside: Beside) -> tuple[Advice, ...]:
        tables = {
            name: [kind.from_data(data) for data in beside.get(name, ())]
            for name, kind in _READ.items()
        }
        return (*own(posted, beside), *_between({**tables, code: [posted]}))

    return advise


def _between(tables: _Tables) -> tuple[Advice, ...]:
    sets = tables["chip_set"]
    for stake, amount in _payouts(tables) if sets else ():
        if not any(chips.pays(amount) for chips in sets):
            data: dict[str, object] = {"stake_minor": stake, "amount_minor": amount}
            return (Advice("chips.payout_between", PAYOUT_BETWEEN, data),)
    return ()


def _payouts(tables: _Tables) -> Iterator[tuple[int, int]]:
    """Stake and win, in minor units: of Blind and Trips by each pair of rules and paytable, and of
    a Black Jack by each limits of shared boxes.
    """
    for rules in tables["uth_rules"]:
        for name, limit in (("blind", "ante"), ("trips", "trips")):
            low, high = (getattr(rules, f"{limit}_{end}_minor") for end in ("minimum", "maximum"))
            stakes = range(low, high + 1, rules.stake_step)[:STAKES]
            paid = sorted({odds for table in tables[name] for odds in table.odds().values()})
            for odds, stake in product(paid, stakes):
                up = rules.odds_round == "up"
                yield stake, odds.won(stake, rules.odds_round_to, up=up)
    for limits in tables["box_limits"]:
        for stake in islice(_stakes(limits), STAKES):
            yield stake, THREE_TO_TWO.won(stake)


def _stakes(limits: BoxLimits) -> Iterator[int]:
    """From the lowest up; where the minimum binds the box, from the lowest step."""
    lowest = limits.minimum_minor if limits.minimum_per == "stake" else 1
    ends = [*(band.from_minor for band in limits.steps[1:]), limits.maximum_minor + 1]
    for band, end in zip(limits.steps, ends, strict=True):
        low = -(-max(band.from_minor, lowest) // band.step_minor) * band.step_minor
        yield from range(low, end, band.step_minor)


class PaidLine(Protocol):
    """A line of a round that was paid by a paytable, amounts in minor units; `hand`: the class that
    was entered.
    """

    kind: str
    hand: str
    stake_minor: int
    prize_minor: int


def other_classes(line: PaidLine, posted: Mapping[str, Posted]) -> dict[str, int]:
    """By class what every other one pays there, in minor units."""
    if line.prize_minor:
        rules = posted.get("progressive")
        prizes = rules.prizes if isinstance(rules, ProgressiveRules) else ()
        paid = {prize.hand.name.lower(): prize.amount_minor or 0 for prize in prizes}
    else:
        paid = _by_odds(line, posted.get(line.kind), posted.get("uth_rules"))
    return {hand: minor for hand, minor in paid.items() if minor and hand != line.hand}


def _by_odds(line: PaidLine, table: Posted | None, rules: Posted | None) -> dict[str, int]:
    if not isinstance(table, Paytable) or not isinstance(rules, UthRules):
        return {}
    unit, is_up = rules.odds_round_to, rules.odds_round == "up"
    return {
        hand.name.lower(): odds.won(line.stake_minor, unit, up=is_up)
        for hand, odds in table.odds().items()
    }
