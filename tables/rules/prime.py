"""The prime rule: which stakes stay on a box whose maximum is passed, and which chips go back
before the cards (PRM-1, PRM-3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import picture
from tables.rules.limits import BoxLimits, check_amount, check_box_minimum, check_stake

STAKES_MOST = 100
GUEST_LONGEST = 80


class PrimeRefused(Refused):
    """Stakes on a box that cannot be put in order."""

    code = "box.stakes_refused"
    rule = "PRM-1"


class TooManyStakes(PrimeRefused):
    """More stakes on one box than a table can hold."""

    code = "box.too_many_stakes"
    sentence = mark("%(count)s stakes on one box are too many.")
    remedy = mark("Send at most 100 stakes for a box.")


class GuestWrong(PrimeRefused):
    """A guest without a name, or a distance that is none."""

    code = "box.guest_wrong"
    sentence = mark("%(guest)s is not a guest at this box.")
    remedy = mark(
        "Name the guest in 1 to 80 characters and give their distance to the shoe as a whole number"
        " from 0."
    )


class StakeTwice(PrimeRefused):
    """Two stakes of one guest on the same box."""

    code = "box.stake_twice"
    sentence = mark("%(guest)s has two stakes on this box.")
    remedy = mark("Add them up to one stake.")


class TwoOwners(PrimeRefused):
    """Two owners of one box."""

    code = "box.two_owners"
    rule = "BOX-1"
    sentence = mark("%(first)s and %(second)s cannot both own this box.")
    remedy = mark("The owner is the player seated at the box.")


class OrderUnclear(PrimeRefused):
    """Two co-players with equal rights, of whom only one's stake can stay."""

    code = "box.order_unclear"
    sentence = mark(
        "%(first)s and %(second)s have the same right and the same distance to the shoe."
    )
    remedy = mark("Say who stands nearer to the shoe.")


@dataclass(frozen=True, slots=True)
class BoxStake:
    """One guest's stake on a box, in minor units. `distance`: place counted from the shoe, smaller
    is nearer.
    """

    guest: str
    amount_minor: int
    owner: bool = False
    seated: bool = False
    distance: int = 0


class PrimeReason(NamedTuple):
    """Why chips stay or go back."""

    code: str
    rule: str
    sentence: str


FITS = PrimeReason("prime.fits", "BOX-3", mark("%(guest)s: the whole stake stays."))
CUT = PrimeReason(
    "prime.cut",
    "PRM-3",
    mark(
        "%(guest)s gets %(returned_minor)s back: rank %(rank)s of PRM-1,"
        " %(room_minor)s left of the maximum %(maximum_minor)s."
    ),
)
FULL = PrimeReason(
    "prime.full",
    "PRM-1",
    mark(
        "%(guest)s gets %(returned_minor)s back: rank %(rank)s of PRM-1, maximum %(maximum_minor)s"
        " reached."
    ),
)
TOO_LITTLE = PrimeReason(
    "prime.too_little",
    "PRM-3",
    mark(
        "%(guest)s gets %(returned_minor)s back: rank %(rank)s of PRM-1,"
        " nothing that may be staked fits into the remaining %(room_minor)s."
    ),
)
WHOLE_ONLY = PrimeReason(
    "prime.whole_only",
    "PRM-3",
    mark(
        "%(guest)s gets %(returned_minor)s back: rank %(rank)s of PRM-1,"
        " only %(room_minor)s left and stakes are not cut."
    ),
)
PASSED = PrimeReason(
    "prime.passed",
    "PRM-3",
    mark(
        "%(guest)s gets %(returned_minor)s back: rank %(rank)s of PRM-1,"
        " a lower stake does not fill room that a higher one left."
    ),
)
BOX_TOO_LOW = PrimeReason(
    "prime.box_too_low",
    "BOX-4",
    mark(
        "%(guest)s gets %(returned_minor)s back: what may stay is below the minimum"
        " %(minimum_minor)s of the box."
    ),
)


class Allocation(NamedTuple):
    """What stays of one stake and what goes back, with the reason. `rank` is the place in the order
    of PRM-1, from 1.
    """

    guest: str
    accepted_minor: int
    returned_minor: int
    rank: int
    reason: PrimeReason
    data: dict[str, object]

    def text(self) -> str:
        """The English sentence that says why."""
        return self.reason.sentence % self.data


def rights(stake: BoxStake) -> tuple[bool, int, bool, int]:
    """What puts one stake before another (PRM-1): owner, higher amount, seated, nearer to the shoe.
    Smaller is first.
    """
    if stake.owner:
        return (False, 0, False, 0)
    return (True, -stake.amount_minor, not stake.seated, stake.distance)


def in_order(stakes: Sequence[BoxStake]) -> list[BoxStake]:
    """The stakes in the order of PRM-1; where even the distance is equal, by name, so that the
    result never depends on the input.
    """
    return sorted(stakes, key=lambda stake: (rights(stake), stake.guest))


def check_stakes(stakes: Sequence[BoxStake]) -> None:
    """Refuse stakes that cannot be put in order.

    Raises TooManyStakes, GuestWrong, StakeTwice, TwoOwners and AmountWrong.
    """
    if len(stakes) > STAKES_MOST:
        raise TooManyStakes(count=len(stakes))
    for stake in stakes:
        distance_known = type(stake.distance) is int and stake.distance >= 0
        if (
            not isinstance(stake.guest, str)
            or not 1 <= len(stake.guest) <= GUEST_LONGEST
            or not distance_known
        ):
            raise GuestWrong(guest=picture(stake.guest))
        check_amount(stake.amount_minor)
    guests = [stake.guest for stake in stakes]
    for guest in guests:
        if guests.count(guest) > 1:
            raise StakeTwice(guest=guest)
    owners = [stake.guest for stake in stakes if stake.owner]
    if len(owners) > 1:
        raise TwoOwners(first=owners[0], second=owners[1])


def allocate(limits: BoxLimits, stakes: Sequence[BoxStake]) -> tuple[Allocation, ...]:
    """What stays on a box and what goes back before the cards, in the order of PRM-1.

    The order of the input does not matter. The accepted amounts never pass the box maximum, and
    each stake's two parts sum to it. Raises what `check_stakes` and `check_stake` raise,
    BelowMinimum, and OrderUnclear when the rule cannot choose between two.

    >>> from tables.rules.limits import ten_table
    >>> stakes = [BoxStake("A", 300_00), BoxStake("B", 300_00, seated=True)]
    >>> [(one.guest, one.accepted_minor) for one in allocate(ten_table(500_00), stakes)]
    [('B', 30000), ('A', 20000)]
    """
    check_stakes(stakes)
    for stake in stakes:
        check_stake(limits, stake.amount_minor)
    if stakes:
        check_box_minimum(limits, [stake.amount_minor for stake in stakes])
    found = _fill(limits, in_order(stakes))
    for (stake, one), (after, other) in pairwise(found):
        if rights(stake) == rights(after) and one.accepted_minor != other.accepted_minor:
            raise OrderUnclear(first=stake.guest, second=after.guest)
    if (
        limits.minimum_per == "box"
        and 0 < sum(one.accepted_minor for _, one in found) < limits.minimum_minor
    ):
        return tuple(
            _allocation(limits, stake, one.rank, 0, BOX_TOO_LOW, 0) for stake, one in found
        )
    return tuple(one for _, one in found)


def _fill(limits: BoxLimits, ordered: Sequence[BoxStake]) -> list[tuple[BoxStake, Allocation]]:
    room, closed, found = limits.maximum_minor, False, []
    for rank, stake in enumerate(ordered, 1):
        accepted, reason = _accept(limits, stake.amount_minor, room, closed=closed)
        found.append((stake, _allocation(limits, stake, rank, accepted, reason, room)))
        room -= accepted
        closed = closed or accepted < stake.amount_minor
    return found


def _accept(limits: BoxLimits, amount: int, room: int, *, closed: bool) -> tuple[int, PrimeReason]:
    if room == 0:
        return 0, FULL
    if closed:
        return 0, PASSED
    if amount <= room:
        return amount, FITS
    if limits.prime_partial == "return_whole":
        return 0, WHOLE_ONLY
    fitting = limits.largest_fitting(room)
    if fitting == 0 or (limits.minimum_per == "stake" and fitting < limits.minimum_minor):
        return 0, TOO_LITTLE
    return fitting, CUT


def _allocation(
    limits: BoxLimits, stake: BoxStake, rank: int, accepted: int, reason: PrimeReason, room: int
) -> Allocation:
    returned = stake.amount_minor - accepted
    data: dict[str, object] = {
        "guest": stake.guest,
        "returned_minor": returned,
        "rank": rank,
        "room_minor": room,
        "maximum_minor": limits.maximum_minor,
        "minimum_minor": limits.minimum_minor,
    }
    return Allocation(stake.guest, accepted, returned, rank, reason, data)
