"""The stakes of a round of Black Jack: what may lie on the boxes at the lock (BOX-3, BOX-4), and
which hand of its box each stake is on.
"""

from collections.abc import Sequence

from payouts.errors import Refused, mark
from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import picture
from tables.games.blackjack.rules import BOXES
from tables.rules.limits import BoxLimits, check_box_minimum, check_stake

STAKE, INSURANCE, EVEN_MONEY = "stake", "insurance", "even_money"
# By kind, the number of the hand that a stake is on: the first, those of a split, what doubles.
HANDS = (
    {STAKE: 1}
    | {f"split_{hand}": hand for hand in (2, 3, 4)}
    | {f"double_{hand}": hand for hand in (1, 2, 3, 4)}
)
DOUBLES = {f"double_{hand}": hand for hand in (1, 2, 3, 4)}


class BlackjackRefused(Refused):
    """Something that a round of Black Jack does not allow."""

    code = "blackjack.refused"


class KindUnknown(BlackjackRefused):
    """A stake that does not lie on a box before the cards."""

    code = "blackjack.kind_unknown"
    rule = "BOX-5"
    sentence = mark("Black Jack has no %(kind)s stake before the cards.")
    remedy = mark("Place one stake a guest and box; all else follows when the cards lie.")


class BoxOutside(BlackjackRefused):
    """A box that the table's layout does not have."""

    code = "blackjack.box_outside_layout"
    rule = "BJ-1"
    sentence = mark("The table has boxes 1 to %(layout)s; %(box)s is not one of them.")
    remedy = mark("Check the number of the box.")


class StakeTwice(BlackjackRefused):
    """Two stakes of one guest on one box."""

    code = "blackjack.stake_twice"
    rule = "BOX-2"
    sentence = mark("Box %(box)s has two stakes of one guest.")
    remedy = mark("Add them up to one stake.")


class BoxOverMaximum(BlackjackRefused):
    """Stakes that together pass the box maximum."""

    code = "blackjack.box_over_maximum"
    rule = "BOX-3"
    sentence = mark(
        "Box %(box)s has %(amount_minor)s; %(maximum_minor)s is the maximum of all its stakes."
    )
    remedy = mark("Give back what is above the maximum, by the prime rule.")


class NoBox(BlackjackRefused):
    """A round in which nobody plays."""

    code = "blackjack.no_box"
    rule = "BJ-2"
    sentence = mark("No box has a stake.")
    remedy = mark("Place a stake on at least one box.")


def check_lock(limits: BoxLimits, stakes: Sequence[Stake], layout: int) -> None:
    """Refuse what may not lie on the boxes at the lock. `stakes`: as the prime rule left them;
    `layout`: how many boxes the table has.

    Raises NoBox, KindUnknown, BoxOutside, StakeTwice, BoxOverMaximum, and what `check_stake` and
    `check_box_minimum` raise (BOX-3, BOX-4).
    """
    if not stakes:
        raise NoBox
    by_box: dict[int, dict[str, int]] = {}
    for stake in stakes:
        if stake.kind != STAKE:
            raise KindUnknown(kind=picture(stake.kind))
        check_box(stake.box, layout)
        on_box = by_box.setdefault(stake.box, {})
        if stake.guest in on_box:
            raise StakeTwice(box=stake.box, guest=stake.guest)
        check_stake(limits, stake.amount_minor)
        on_box[stake.guest] = stake.amount_minor
    for box, amounts in by_box.items():
        check_box_minimum(limits, list(amounts.values()))
        if sum(amounts.values()) > limits.maximum_minor:
            raise BoxOverMaximum(
                box=box,
                amount_minor=sum(amounts.values()),
                maximum_minor=limits.maximum_minor,
            )


def check_box(box: int, layout: int) -> None:
    """Raises BoxOutside."""
    if type(box) is not int or not 1 <= box <= min(layout, BOXES):
        raise BoxOutside(layout=min(layout, BOXES), box=picture(box))


def hands_on(stakes: Sequence[Stake], box: int) -> int:
    """How many hands a box has by the stakes that lie on it."""
    return max((HANDS.get(one.kind, 0) for one in stakes if one.box == box), default=0)


def doubled_on(stakes: Sequence[Stake]) -> dict[tuple[int, int], bool]:
    """By box and hand that is doubled, whether somebody's stake lies there undoubled (BJ-6)."""
    doubles: dict[tuple[int, int], set[str]] = {}
    for stake in stakes:
        if stake.kind in DOUBLES:
            place = stake.box, DOUBLES[stake.kind]
            doubles.setdefault(place, set()).add(stake.source or stake.guest)
    return {
        place: not staked_on(stakes, *place).keys() <= sources for place, sources in doubles.items()
    }


def staked_on(stakes: Sequence[Stake], box: int, hand: int) -> dict[str, int]:
    """By guest, what lies on one hand of a box without what doubles it, in minor units."""
    kind = STAKE if hand == 1 else f"split_{hand}"
    found: dict[str, int] = {}
    for one in stakes:
        if one.box == box and one.kind == kind:
            found[one.guest] = found.get(one.guest, 0) + one.amount_minor
    return found
