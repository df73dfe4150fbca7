"""The betting of a hand as it is entered: what is matched on each street, and who folded where
(POK-2, POK-6).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import sent
from tables.games.poker.buying import check_chips
from tables.games.poker.pots import Payment
from tables.games.poker.rules import PokerGame
from tables.games.poker.variants import VARIANTS


class StreetsRefused(Refused):
    """Betting that a hand cannot have."""

    code = "poker.streets_refused"
    rule = "POK-2"


class StreetsMany(StreetsRefused):
    """More rounds of betting than the variant has, or one after the hand was over."""

    code = "poker.streets_many"
    rule = "POK-1"
    sentence = mark("Betting was entered on street %(street)s; this hand has %(most)s.")
    remedy = mark("Take the last amount back, or check who folded before it.")


class BetAboveStack(StreetsRefused):
    """A bet that nobody who is left can have made."""

    code = "poker.bet_above_stack"
    sentence = mark(
        "A bet of %(amount_minor)s on street %(street)s is more than anybody has: at most"
        " %(most_minor)s."
    )
    remedy = mark("Enter what was bet; who is all-in has bet what lay there before the deal.")


class AboveStack(StreetsRefused):
    """A seat that paid more than lay before it."""

    code = "poker.above_stack"
    sentence = mark("Seat %(seat)s has %(stack_minor)s and cannot have paid %(amount_minor)s.")
    remedy = mark("Check the amount; chips are bought between two hands only.")


class FoldAboveBet(StreetsRefused):
    """A seat that folded with more than was to be matched."""

    code = "poker.fold_above_bet"
    rule = "POK-3"
    sentence = mark(
        "Seat %(seat)s folded with %(amount_minor)s on street %(street)s, where %(most_minor)s was"
        " to be matched."
    )
    remedy = mark("Enter what the seat had in when it folded.")


class FoldAllIn(StreetsRefused):
    """A seat that folded with all its chips in."""

    code = "poker.fold_all_in"
    rule = "POK-8"
    sentence = mark("Seat %(seat)s is all-in and cannot fold.")
    remedy = mark("Take the fold back, or check what the seat paid before.")


class SeatNotIn(StreetsRefused):
    """A seat that was not dealt in, or had folded before."""

    code = "poker.seat_not_in"
    rule = "POK-8"
    sentence = mark("Seat %(seat)s is not in this hand on street %(street)s.")
    remedy = mark("Check who was dealt in, and who folded before.")


class NobodyLeft(StreetsRefused):
    """A hand that everybody folded."""

    code = "poker.nobody_left"
    rule = "POK-8"
    sentence = mark("Everybody has folded by street %(street)s; the last one wins unshown.")
    remedy = mark("Take the last fold back: one of them has the pot.")


class Street(NamedTuple):
    """A round of betting: what who stayed in has matched, as far as the stack goes, and what who
    folded had paid in it by then, by seat (minor units).
    """

    to_minor: int = 0
    folds: Mapping[int, int] = {}


class Betting(NamedTuple):
    """The betting of a hand. `dead`: posted beside it by seat and matched by nobody."""

    streets: Sequence[Street] = ()
    dead: Mapping[int, int] = {}


class HandCourse(NamedTuple):
    """What a hand's betting came to. `after`: who was left after each street, by seat. `walk`:
    everybody folded to what was posted. `board`: cards lay before all (RAK-1).
    """

    payments: list[Payment]
    after: list[tuple[int, ...]]
    walk: bool
    board: bool


def course_of(
    game: PokerGame,
    variant: str,
    stacks: Mapping[int, int],
    betting: Betting,
    *,
    passes: bool = False,
) -> HandCourse:
    """What each seat paid, from its stack before the hand. `passes`: as of `posted_minor`.

    Raises StreetsMany, BetAboveStack, AboveStack, FoldAboveBet, FoldAllIn, SeatNotIn, NobodyLeft,
    ChipsAmountRefused, OffChip.

    >>> stacks, streets = {1: 500, 2: 300, 3: 900}, [Street(200, {1: 0}), Street(400)]
    >>> course_of(PokerGame(), "holdem", stacks, Betting(streets)).payments[1:]
    [Payment(seat=2, live_minor=300, ante_minor=0, dead_minor=0, folded=False), \
Payment(seat=3, live_minor=600, ante_minor=0, dead_minor=0, folded=False)]
    """
    antes: dict[int, int] = {}
    left: dict[int, int] = {}
    for seat, stack in sorted(stacks.items()):
        if stack == 0:  # nobody is all-in with nothing, and none is dealt cards without chips
            raise SeatNotIn(seat=seat, street=1)
        antes[seat] = min(game.ante_minor, check_chips(game, stack, least=0))
        left[seat] = stack - antes[seat]
    for seat, minor in betting.dead.items():
        _check_seat(seat, left, 1)
        if check_chips(game, minor, least=0) > left[seat]:
            raise AboveStack(seat=seat, stack_minor=stacks[seat], amount_minor=antes[seat] + minor)
        left[seat] -= minor
    live = dict.fromkeys(left, 0)
    seats = tuple(left)
    rounds = VARIANTS[variant].rounds
    after = []
    for number, street in enumerate(betting.streets, 1):
        if number > rounds or len(seats) < 2:
            raise StreetsMany(street=number, most=min(rounds, number - 1))
        paid = _paid(game, number, street, {seat: left[seat] for seat in seats})
        for seat, minor in paid.items():
            live[seat] += minor
            left[seat] -= minor
        seats = tuple(seat for seat in seats if seat not in street.folds)
        after.append(seats)
    payments = [
        Payment(seat, live[seat], antes[seat], betting.dead.get(seat, 0), seat not in seats)
        for seat in live
    ]
    first = betting.streets[0] if betting.streets else Street()
    alone = bool(after) and len(after[0]) == 1
    return HandCourse(
        payments,
        after,
        walk=alone and first.to_minor <= posted_minor(game, variant, passes=passes),
        board=not VARIANTS[variant].board or not alone,
    )


def posted_minor(game: PokerGame, variant: str, *, passes: bool = False) -> int:
    """What is to be matched before anybody acts, a straddle with it (POK-4). `passes`: all may
    pass, and antes alone are posted.
    """
    if passes:
        return 0
    if VARIANTS[variant].doors:
        return game.bring_in_minor
    return game.big_blind_minor * (2 if game.straddle == "utg" else 1)


def _paid(game: PokerGame, number: int, street: Street, left: Mapping[int, int]) -> dict[int, int]:
    """What each seat that is in paid on a street."""
    to_minor = check_chips(game, street.to_minor, least=0)
    for seat, minor in street.folds.items():
        _check_seat(seat, left, number)
        at = {"seat": seat, "amount_minor": check_chips(game, minor, least=0)}
        if minor > to_minor:
            raise FoldAboveBet(**at, street=number, most_minor=to_minor)
        if minor > left[seat]:
            raise AboveStack(**at, stack_minor=left[seat])
        if minor == left[seat]:
            raise FoldAllIn(seat=seat)
    staying = [minor for seat, minor in left.items() if seat not in street.folds]
    if not staying:
        raise NobodyLeft(street=number)
    if to_minor > max(staying):
        raise BetAboveStack(amount_minor=to_minor, street=number, most_minor=max(staying))
    return {seat: street.folds.get(seat, min(to_minor, minor)) for seat, minor in left.items()}


def _check_seat(seat: object, left: Mapping[int, int], number: int) -> None:
    if type(seat) is not int or seat not in left:
        raise SeatNotIn(seat=sent(seat), street=number)
