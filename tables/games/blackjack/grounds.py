"""Stakes that came when the cards lay, and stay where others are taken off: each has what it goes
with (BJ-6 to BJ-8).
"""

from collections.abc import Sequence

from payouts.rules.lines import Stake
from tables.games.base import Placed
from tables.games.blackjack.placing import doubles_alone, goes_with
from tables.games.blackjack.refusals import InsuranceTooMuch, WithoutItsStake
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import DOUBLES, EVEN_MONEY, HANDS, INSURANCE, staked_on


def check_grounds(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    later: Sequence[Placed],
    before: Sequence[Placed],
) -> None:
    """Refuse what has not what it goes with. `stakes`: those of the lock; `later`: of those that
    came since, all that stay; `before`: all that lay there, in their order. Only what goes away can
    be missed: they lay beside each other.

    Raises WithoutItsStake, InsuranceTooMuch.
    """
    lies = [*stakes, *(one.stake for one in later)]
    for one in later:
        kind, amount = one.stake.kind, one.stake.amount_minor
        if kind == INSURANCE:
            _check_half(lies, one.stake)
            continue
        leads = kind not in DOUBLES or _follows(rules, later, before, one)
        if kind in HANDS and not (leads and amount <= _most_under(lies, one)):
            raise WithoutItsStake(box=one.stake.box, kind=kind)


def _follows(
    rules: BlackjackRules, later: Sequence[Placed], before: Sequence[Placed], one: Placed
) -> bool:
    """Whether a double has the one that it came after where co-players do not double alone: who
    decided was the first of those on the hand (BJ-5, BJ-6).
    """
    lay = [placed for placed in before if placed.stake.box == one.stake.box]
    stay = [placed for placed in later if placed.stake.box == one.stake.box]
    natural = any(placed.stake.kind == EVEN_MONEY for placed in lay)
    first = next((placed for placed in lay if placed.stake.kind == one.stake.kind), one)
    return doubles_alone(rules, natural=natural) or goes_with(stay, one.stake.kind, first.source)


def _most_under(lies: Sequence[Stake], one: Placed) -> int:
    """The most that a double or a second hand can go with: what lies on its hand; on any before it,
    where the last of those is there.
    """
    box, kind = one.stake.box, one.stake.kind
    hand = HANDS[kind]
    hands = [hand] if kind in DOUBLES else range(1, hand)
    under = [staked_on(lies, box, each) for each in hands]
    return max(each.get(one.source, 0) for each in under) if under[-1] else 0


def _check_half(lies: Sequence[Stake], insurance: Stake) -> None:
    own = [one for one in lies if (one.box, one.guest) == (insurance.box, insurance.guest)]
    insured = sum(one.amount_minor for one in own if one.kind == INSURANCE)
    most = sum(one.amount_minor for one in own if one.kind != INSURANCE) // 2
    if insured > most:
        raise InsuranceTooMuch(box=insurance.box, maximum_minor=most, amount_minor=insured)
