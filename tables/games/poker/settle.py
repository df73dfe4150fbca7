"""A hand in money: pots, fee, shares, and what each seat has won or lost (POK-6, POK-7, RAK-3)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.rake import Rake, RakeSchedule, rake
from tables.games.poker.pots import GrossPot, HandPots, Payment, Uncalled, pots_of
from tables.games.poker.share import PotShare, Sharing, shares_of


class WinnersRefused(Refused):
    """Winners to whom the pots of a hand do not go."""

    code = "poker.winners_refused"
    rule = "POK-6"


class WinnerMissing(WinnersRefused):
    """A pot of several seats without a winner."""

    code = "poker.winner_missing"
    rule = "POK-8"
    sentence = mark("Pot %(pot)s of %(amount_minor)s has no winner.")
    remedy = mark("Tap who wins it, or enter the cards.")


class WinnerFolded(WinnersRefused):
    """A winner who has folded."""

    code = "poker.winner_folded"
    rule = "POK-8"
    sentence = mark("Seat %(seat)s has folded and wins nothing.")
    remedy = mark("Check the winner, or who folded.")


class WinnerNotInPot(WinnersRefused):
    """A winner who has not paid into the pot as deep as it goes."""

    code = "poker.winner_not_in_pot"
    sentence = mark("Seat %(seat)s is not in pot %(pot)s of %(amount_minor)s.")
    remedy = mark("Tap a winner among those who paid into this pot.")


class WinnerOfNoPot(WinnersRefused):
    """Winners of more pots than a hand has."""

    code = "poker.winner_of_no_pot"
    sentence = mark("Winners of %(entered)s pots were entered, and this hand has %(pots)s.")
    remedy = mark("Load the table again and enter the hand once more.")


class PotWinners(NamedTuple):
    """The seats that win a pot: by the high hand, or all of it, and by a qualifying low hand."""

    high: tuple[int, ...] = ()
    low: tuple[int, ...] = ()


class SettledPot(NamedTuple):
    """A pot, the fee out of it, and who gets the rest."""

    pot: GrossPot
    rake_minor: int
    shares: tuple[PotShare, ...]


class SettledHand(NamedTuple):
    """The pots, the main pot first, what went back before, the fee with its reason, and by seat
    what it has won less what it has paid: with the fee the sum is what was carried.
    """

    pots: tuple[SettledPot, ...]
    uncalled: Uncalled | None
    rake: Rake | None
    nets: dict[int, int]


class Terms(NamedTuple):
    """What is posted for a hand, and what was dealt of it: `players` dealt in, `flop` reached.
    `carried_minor`: antes of hands before.
    """

    schedule: RakeSchedule | None
    sharing: Sharing
    players: int
    flop: bool = True
    walk: bool = False
    carried_minor: int = 0


def settle(
    payments: Sequence[Payment],
    winners: Sequence[PotWinners],
    terms: Terms,
    made: HandPots | None = None,
) -> SettledHand:
    """Settle a hand. `winners`: of each pot, the main pot first; a pot of one seat needs none.
    `made`: what `pots_of` gave for these payments.

    Raises PaymentWrong, PotOwnerless, WinnerMissing, WinnerFolded, WinnerNotInPot, and as `rake`.
    """
    made = made or pots_of(payments, carried_minor=terms.carried_minor)
    folded = {payment.seat for payment in payments if payment.folded}
    amounts = [pot.amount_minor for pot in made.pots]
    fee = None
    if terms.schedule is not None:
        fee = rake(terms.schedule, amounts, players=terms.players, flop=terms.flop, walk=terms.walk)
    parts = fee.parts if fee else [0] * len(amounts)
    pots = []
    for number, (pot, part) in enumerate(zip(made.pots, parts, strict=True)):
        won = _winners(number, pot, winners[number : number + 1], folded)
        shares = shares_of(pot.amount_minor - part, won.high, won.low, terms.sharing)
        pots.append(SettledPot(pot, part, shares))
    nets = {payment.seat: -payment.total_minor for payment in payments}
    if made.uncalled:
        nets[made.uncalled.seat] += made.uncalled.amount_minor
    for settled in pots:
        for share in settled.shares:
            nets[share.seat] += share.amount_minor
    return SettledHand(tuple(pots), made.uncalled, fee, nets)


def winners_by_rank(
    pots: Sequence[GrossPot], high: Mapping[int, int], low: Mapping[int, int | None]
) -> list[PotWinners]:
    """The winners of each pot where the cards speak: by seat the rank of its high hand, the lower
    the better, and of its low hand, None where it does not qualify (HAND-5).
    """
    return [PotWinners(_best(pot.seats, high), _best(pot.seats, low)) for pot in pots]


def _best(seats: Sequence[int], ranks: Mapping[int, int | None]) -> tuple[int, ...]:
    ranked = {seat: rank for seat in seats if (rank := ranks.get(seat)) is not None}
    best = min(ranked.values(), default=None)
    return tuple(seat for seat, rank in ranked.items() if rank == best)


def _winners(
    number: int, pot: GrossPot, entered: Sequence[PotWinners], folded: set[int]
) -> PotWinners:
    alone = len(pot.seats) == 1
    at = {"pot": number + 1, "amount_minor": pot.amount_minor}
    won = entered[0] if entered else PotWinners()
    if not won.high and not alone:
        raise WinnerMissing(**at)
    for seat in (*won.high, *won.low):
        if seat in folded:
            raise WinnerFolded(seat=seat)
        if seat not in pot.seats:
            raise WinnerNotInPot(seat=seat, **at)
    return PotWinners(pot.seats) if alone else won
