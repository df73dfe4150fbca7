"""How a pot is shared: halves, equal parts, odd chips (POK-7, HAND-5)."""

from collections.abc import Sequence
from typing import NamedTuple


class PotShare(NamedTuple):
    """What a seat gets out of a pot, in minor units; `odd_minor` of it is odd chips. `half`:
    `high` or `low`, or `whole` where the pot is not halved.
    """

    seat: int
    half: str
    amount_minor: int
    odd_minor: int = 0


class Sharing(NamedTuple):
    """By which chip and whose turn odd chips go: `order`, the seats of the table from the first
    after the button on; `all_to_worst`: the first of the tied seats gets all of them (POK-7).
    """

    chip_minor: int
    order: Sequence[int]
    all_to_worst: bool = False


def seats_after(button: int, seats: Sequence[int]) -> tuple[int, ...]:
    """The seats clockwise from the first after the button. Without a button: 0, the dealer's.

    >>> seats_after(3, [1, 3, 5])
    (5, 1, 3)
    """
    ordered = sorted(seats)
    behind = [seat for seat in ordered if seat <= button]
    return (*(seat for seat in ordered if seat > button), *behind)


def shares_of(
    amount_minor: int, high: Sequence[int], low: Sequence[int], sharing: Sharing
) -> tuple[PotShare, ...]:
    """The shares of a pot after the fee. `low`: the seats with the best qualifying low, none where
    the game has no low or nobody qualifies: the high hand takes all. The odd chip of two halves is
    the high one's; where it makes equal parts of that, it is the odd chip of the seat that would
    be short of it: the last whose turn it is, or the first where all go there.

    Raises ValueError for a pot that is not in whole chips, or without a winner.

    >>> shares_of(1030, [1, 3, 5], [], Sharing(10, [5, 1, 3]))[0]
    PotShare(seat=5, half='whole', amount_minor=350, odd_minor=10)
    """
    if not high or amount_minor % sharing.chip_minor:
        raise ValueError("a pot of whole chips has a winner")
    if not low:
        return (*_equal(amount_minor, "whole", high, sharing),)
    low_minor = amount_minor // sharing.chip_minor // 2 * sharing.chip_minor
    shares = _equal(amount_minor - low_minor, "high", high, sharing)
    if low_minor * 2 < amount_minor and not any(share.odd_minor for share in shares):
        at = 0 if sharing.all_to_worst else len(shares) - 1
        shares[at] = shares[at]._replace(odd_minor=sharing.chip_minor)
    return (*shares, *_equal(low_minor, "low", low, sharing))


def odd_of_halves(shares: Sequence[PotShare]) -> tuple[int, int] | None:
    """The seat that has the odd chip of the two halves of a pot among its own, and how much that
    chip is (minor units); None where there is none. `shares`: in the order of `shares_of`.

    >>> odd_of_halves(shares_of(1050, [2], [4, 6], Sharing(50, [2, 4, 6])))
    (2, 50)
    """
    halves = {"high": 0, "low": 0, "whole": 0}
    for share in shares:
        halves[share.half] += share.amount_minor
    seats = [share.seat for share in shares if share.half == "high" and share.odd_minor]
    odd_minor = halves["high"] - halves["low"]
    return (seats[-1], odd_minor) if seats and odd_minor else None


def _equal(
    amount_minor: int, half: str, winners: Sequence[int], sharing: Sharing
) -> list[PotShare]:
    each, odd = divmod(amount_minor // sharing.chip_minor, len(winners))
    shares = []
    for seat in sorted(winners, key=list(sharing.order).index):
        chips = min(odd, odd if sharing.all_to_worst else 1)
        odd -= chips
        minor = chips * sharing.chip_minor
        shares.append(PotShare(seat, half, each * sharing.chip_minor + minor, minor))
    return shares
