"""The pots of a hand a second time (POK-6, POK-7, RAK-3), as a dealer pulls them in: a chip from
everybody who has one in, then the next; and pushes them: a chip to each winner, then the next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from casino.simulate.books.poker import PostedAtTable, fees

SEATS_MOST = 10
Row = Mapping[str, Any]


@dataclass
class SeatChips:
    """What a seat has put in, in minor units: `live` and `ante` are matched by others, `dead` is
    not.
    """

    live: int = 0
    ante: int = 0
    dead: int = 0
    folded: bool = False

    @property
    def total(self) -> int:
        """All of it."""
        return self.live + self.ante + self.dead


@dataclass
class Pile:
    """A pot as it grows, and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


class PulledIn(NamedTuple):
    """The piles, the main pot first, and what went back uncalled: seat and amount."""

    piles: list[Pile]
    back: tuple[int, int] | None


class FeltHand(NamedTuple):
    """A hand as it was on the felt. `ranks`: by seat how good its cards are, the higher the better;
    `flop`, `walk`: as the schedule of the fee asks. `carried`: antes of hands before, in minor
    units.
    """

    chips: Mapping[int, SeatChips]
    ranks: Mapping[int, Any]
    button: int
    flop: bool
    walk: bool
    carried: int = 0


class Pushed(NamedTuple):
    """What became of a hand: its result as the service gives it, the seats that win each pot, and
    what each seat has won less what it put in.
    """

    result: dict[str, Any]
    winners: list[tuple[int, ...]]
    nets: dict[int, int]

    @property
    def pot(self) -> int:
        """All pots together."""
        return sum(pot["amount_minor"] for pot in self.result["pots"])

    @property
    def rake(self) -> int:
        """What the house took out of them."""
        return sum(pot["rake_minor"] for pot in self.result["pots"])


def pull_in(chips: Mapping[int, SeatChips], chip: int) -> PulledIn:
    """The piles of a hand. Raises ValueError for chips that nobody who is left has matched.

    >>> hand = {1: SeatChips(30), 2: SeatChips(60), 3: SeatChips(100), 4: SeatChips(45)}
    >>> hand[4].folded = True
    >>> pull_in(hand, 5).back
    (3, 40)
    >>> [(pile.amount, pile.seats) for pile in pull_in(hand, 5).piles]
    [(120, (1, 2, 3)), (75, (2, 3))]
    """
    before = {seat: (put.ante + put.live) // chip for seat, put in chips.items()}
    piles: list[Pile] = []
    back = None
    while giving := sorted(seat for seat, count in before.items() if count):
        for seat in giving:
            before[seat] -= 1
        if len(giving) == 1:
            back = (giving[0], chip + (back[1] if back else 0))
            continue
        seats = tuple(seat for seat in giving if not chips[seat].folded)
        if not seats:
            raise ValueError("chips that nobody who is left has matched")
        if not piles or piles[-1].seats != seats:
            piles.append(Pile(0, seats))
        piles[-1].amount += chip * len(giving)
    for put in chips.values():
        piles[0].amount += put.dead  # beneath all that is matched
    return PulledIn(piles, back)


def push(posted: PostedAtTable, hand: FeltHand) -> Pushed:
    """Rake the pots of a hand, and give them to who holds the best cards."""
    piles, back = pull_in(hand.chips, posted.chip)
    piles[0].amount += hand.carried
    dropped = fees(
        posted.rake,
        [pile.amount for pile in piles],
        players=len(hand.chips),
        flop=hand.flop,
        walk=hand.walk,
    )
    nets = {seat: -put.total for seat, put in hand.chips.items()}
    if back:
        nets[back[0]] += back[1]
    pots = []
    winners = []
    for pile, fee in zip(piles, dropped, strict=True):
        best = max(hand.ranks[seat] for seat in pile.seats)
        ahead = [seat for seat in from_button(hand.button) if seat in pile.seats]
        winners.append(tuple(seat for seat in ahead if hand.ranks[seat] == best))
        shares = shared_out(pile.amount - fee, winners[-1], posted)
        for share in shares:
            nets[share["seat"]] += share["amount_minor"]
        pots.append({"amount_minor": pile.amount, "rake_minor": fee, "shares": shares})
    uncalled = {"seat": back[0], "amount_minor": back[1]} if back else None
    return Pushed({"uncalled": uncalled, "pots": pots}, winners, nets)


def pass_in(chips: Mapping[int, SeatChips]) -> Pushed:
    """Nobody opens, and all antes stay in the middle (POK-4)."""
    nets = {seat: -put.total for seat, put in chips.items()}
    return Pushed({"uncalled": None, "pots": []}, [], nets)


def from_button(button: int) -> list[int]:
    """All seats of a table, one after the other clockwise from the button; 0: from the dealer.

    >>> from_button(8)
    [9, 10, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    seats = []
    seat = button
    for _step in range(SEATS_MOST):
        seat = seat % SEATS_MOST + 1
        seats.append(seat)
    return seats


def shared_out(amount: int, winners: Sequence[int], posted: PostedAtTable) -> list[dict[str, Any]]:
    """The shares of a pot, chip by chip; `winners` in the order in which odd chips go (POK-7)."""
    each = 0
    while amount >= posted.chip * len(winners):
        amount -= posted.chip * len(winners)
        each += posted.chip
    odd = dict.fromkeys(winners, 0)
    for seat in winners:
        while amount and (posted.all_to_worst or not odd[seat]):
            amount -= posted.chip
            odd[seat] += posted.chip
    return [
        {
            "seat": seat,
            "half": "whole",
            "amount_minor": each + odd[seat],
            "odd_minor": odd[seat],
        }
        for seat in winners
    ]
