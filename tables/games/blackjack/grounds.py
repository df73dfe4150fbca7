"""Stakes that came when the cards lay, and stay where others are taken off: each has what it goes
with (BJ-6 to BJ-8).
"""

from collections.abc import Sequence

from payouts.errors import mark
from payouts.rules.lines import Stake
from tables.games.base import Placed
from tables.games.blackjack.placing import InsuranceTooMuch
from tables.games.blackjack.stakes import DOUBLES, HANDS, INSURANCE, BlackjackRefused, staked_on


class WithoutItsStake(BlackjackRefused):
    """A stake that stays where the one that it goes with is taken off."""

    code = "blackjack.without_its_stake"
    rule = "BOX-5"
    sentence = mark(
        "“%(kind)s” on box %(box)s goes with a stake that did not lie there by this correction."
    )
    remedy = mark("Take it off too, and add what lay there instead.")


def check_grounds(stakes: Sequence[Stake], later: Sequence[Placed]) -> None:
    """Refuse what has not what it goes with. `stakes`: those of the lock; `later`: of those that
    came since, all that stay. Only what goes away can be missed: they lay beside each other.

    Raises WithoutItsStake, InsuranceTooMuch.
    """
    lies = [*stakes, *(one.stake for one in later)]
    for one in later:
        kind, amount = one.stake.kind, one.stake.amount_minor
        if kind == INSURANCE:
            _check_half(lies, one.stake)
        elif kind in HANDS and amount > _most_under(lies, one):
            raise WithoutItsStake(box=one.stake.box, kind=kind)


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
