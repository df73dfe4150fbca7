"""The pots of a hand, from what each seat paid into it (POK-6, RAK-3)."""

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import MAXIMUM_MINOR


class PotsRefused(Refused):
    """Payments of which no pots can be made."""

    code = "poker.pots_refused"
    rule = "POK-6"


class PaymentWrong(PotsRefused):
    """A payment that is no amount, a seat twice, or bets over an ante that is short."""

    code = "poker.payment_wrong"
    sentence = mark("What seat %(seat)s paid is no payment of a hand.")
    remedy = mark("Check what the seat paid: its ante first, each seat once.")


class PotOwnerless(PotsRefused):
    """Chips that none of those who are left has matched."""

    code = "poker.pot_ownerless"
    sentence = mark("Nobody who is left in the hand can win %(amount_minor)s of what was paid.")
    remedy = mark("Check who folded, and when.")


class Payment(NamedTuple):
    """What a seat paid into a hand, in minor units. `live_minor`: blinds, bets and calls, which
    others have to match; `ante_minor`: the same for all, less only from who is all-in by it;
    `dead_minor`: matched by nobody, as a missed small blind.
    """

    seat: int
    live_minor: int = 0
    ante_minor: int = 0
    dead_minor: int = 0
    folded: bool = False

    @property
    def matched_minor(self) -> int:
        """What others have matched, or have to."""
        return self.ante_minor + self.live_minor

    @property
    def total_minor(self) -> int:
        """All of it."""
        return self.matched_minor + self.dead_minor


class GrossPot(NamedTuple):
    """A pot before the fee, and the seats that can win it, lowest first."""

    amount_minor: int
    seats: tuple[int, ...]


class Uncalled(NamedTuple):
    """A bet that nobody matched: it goes back before the fee and is never raked."""

    seat: int
    amount_minor: int


class HandPots(NamedTuple):
    """The pots, the main pot first, and what went back before."""

    pots: tuple[GrossPot, ...]
    uncalled: Uncalled | None


def pots_of(payments: Sequence[Payment], *, carried_minor: int = 0) -> HandPots:
    """The pots of a hand. `carried_minor`: antes of hands before that nobody opened; they lie in
    the main pot, as dead chips do.

    Raises PaymentWrong, PotOwnerless.

    >>> hand = [Payment(1, 30), Payment(2, 60), Payment(3, 100), Payment(4, 45, folded=True)]
    >>> pots_of(hand).uncalled
    Uncalled(seat=3, amount_minor=40)
    >>> pots_of(hand).pots
    (GrossPot(amount_minor=120, seats=(1, 2, 3)), GrossPot(amount_minor=75, seats=(2, 3)))
    """
    _check(payments, carried_minor)
    uncalled = uncalled_of(payments)
    matched = {payment.seat: payment.matched_minor for payment in payments}
    if uncalled:
        matched[uncalled.seat] -= uncalled.amount_minor
    left = [payment.seat for payment in payments if not payment.folded]
    beneath = carried_minor + sum(payment.dead_minor for payment in payments)
    pots: list[GrossPot] = []
    floor = 0
    for level in sorted({matched[seat] for seat in left}):
        amount = sum(min(paid, level) - min(paid, floor) for paid in matched.values())
        seats = tuple(sorted(seat for seat in left if matched[seat] >= level))
        if amount + beneath:
            pots.append(GrossPot(amount + beneath, seats))
            beneath = 0
        floor = level
    ownerless = beneath + sum(max(paid - floor, 0) for paid in matched.values())
    if ownerless:
        raise PotOwnerless(amount_minor=ownerless)
    return HandPots(tuple(pots), uncalled)


def uncalled_of(payments: Iterable[Payment]) -> Uncalled | None:
    """What goes back to the seat that paid most, as far as no other has matched it, also none that
    folded; None if another has paid as much.

    >>> uncalled_of([Payment(1, 2, dead_minor=1), Payment(2, 2)]) is None
    True
    """
    ordered = sorted(payments, key=lambda payment: payment.matched_minor, reverse=True)
    if not ordered:
        return None
    highest = ordered[0]
    called_minor = ordered[1].matched_minor if len(ordered) > 1 else 0
    over_minor = highest.matched_minor - called_minor
    return Uncalled(highest.seat, over_minor) if over_minor else None


def _check(payments: Sequence[Payment], carried_minor: int) -> None:
    whole = [_is_whole(payment) for payment in payments]
    ante = max((payment.ante_minor for payment in compress(payments, whole)), default=0)
    seats: set[int] = set()
    for payment, is_whole in zip(payments, whole, strict=True):
        is_short = payment.ante_minor != ante
        if not is_whole or payment.seat in seats or (is_short and payment.live_minor):
            raise PaymentWrong(seat=str(payment.seat)[:5])
        seats.add(payment.seat)
    if type(carried_minor) is not int or not 0 <= carried_minor <= MAXIMUM_MINOR:
        raise ValueError("what was carried is a whole amount")


def _is_whole(payment: Payment) -> bool:
    live, ante, dead = payment.live_minor, payment.ante_minor, payment.dead_minor
    if not (type(live) is type(ante) is type(dead) is int):
        return False
    return min(live, ante, dead) >= 0 and max(live, ante, dead) <= MAXIMUM_MINOR
