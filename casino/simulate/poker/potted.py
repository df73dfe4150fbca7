"""A table of poker whose pots are entered: what is matched on each street, who folds, who wins. Its
guests play no limit, with stacks of any size; its dealer errs, and puts it right.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from casino.simulate.books import poker as book
from casino.simulate.books.hands import best
from casino.simulate.books.poker import RakedHand
from casino.simulate.books.pots import (
    FeltHand,
    Pushed,
    SeatChips,
    from_button,
    pass_in,
    push,
)
from casino.simulate.cards import DECK
from casino.simulate.clients import Refused
from casino.simulate.poker import plan
from casino.simulate.poker.betting import DealtIn, HandBetting
from casino.simulate.poker.table import PokerGuest, RakedTable

if TYPE_CHECKING:
    from casino.simulate.poker.room import PokerRoom

SHOWDOWN = (plan.WINNER, plan.LATE, plan.CARDS)  # of two players at least
BY_TAPS = (plan.WINNER, plan.LATE, plan.FOLD)
PASSING = ("", plan.QUEUED, plan.GIVEN_UP, plan.VOID)  # nobody has to open
TIES = 4  # as many hands are of different strength at most, where no cards are entered
BY_CARDS, TOPS_UP = 0.3, 0.1  # shares
BOARD = 5
AGAINST_CARDS = "poker.cards_say_other"
RUNS = "poker.mid_hand"
# what of a result the dealer reads amiss, and how that is refused
AMISS = {
    "amount_minor": "poker.pots_differ",
    "rake_minor": "poker.rakes_differ",
    "shares": "poker.shares_differ",
}


class PottedHand(NamedTuple):
    """A hand on the felt: by seat who was dealt in, the betting, and the cards that were seen."""

    guests: Mapping[int, PokerGuest]
    betting: HandBetting
    felt: FeltHand
    pushed: Pushed
    board: Sequence[str]
    holes: Mapping[int, Sequence[str]]

    @property
    def has_folds(self) -> bool:
        """Whether anybody has folded."""
        return any(street["folds"] for street in self.betting.streets)

    @property
    def nets(self) -> dict[str, int]:
        """By stay what it has won less what it put in, in minor units."""
        return self.by_stay(self.pushed)

    def by_stay(self, pushed: Pushed) -> dict[str, int]:
        """As `nets`, of another result of it."""
        return {self.guests[seat].stay.id: net for seat, net in pushed.nets.items()}


class PottedTable(RakedTable):
    """`ahead`: by stay how much more is booked before a guest than lies there, until a hand is put
    right; `moving`: the stay of which the hand that is entered moves most; `carried`: antes that
    lie in the middle, in minor units.
    """

    level = "pots"
    mishaps = plan.POTS_MISHAPS

    def __init__(self, room: "PokerRoom", row: dict[str, Any]) -> None:
        super().__init__(room, row)
        self.book.pots = True
        self.button = 0
        self.ahead: dict[str, int] = {}
        self.moving = ""
        self.carried = 0
        self._queue: list[tuple[RakedHand, str]] = []
        self._late: Callable[[], None] | None = None

    @property
    def waits(self) -> bool:
        """Whether the books do not have yet what lies on the table: no chips move beside hands."""
        return bool(self._queue or self._late)

    def end_play(self) -> None:
        """As every table; what waits is entered."""
        super().end_play()
        self._make_up()
        self.book.lost += self.carried  # nobody takes along what lies in the middle

    def _between(self) -> None:
        if self.waits:
            self.chance = plan.luck_of(self.seed, self.name, len(self.book.hands) + 1)
            return
        super()._between()

    def hand(self) -> None:
        """One hand, whoever it takes. Raises Refused, Unreachable."""
        if self.waits and len(self._able()) < 2:
            self._make_up()
        waited = self.waits
        if not waited:
            self._top_up()
        number = len(self.book.hands) + 1
        mishap = self._mishap(number)
        played = self._played(mishap)
        if (mishap == plan.FOLD and not played.has_folds) or (
            mishap == plan.CARDS and self.posted.draws
        ):
            mishap = ""
        hand = RakedHand(str(uuid.uuid4()), number, {}, played.pushed.rake)
        hand.body = self._body(played, played.pushed)
        if not played.betting.passed:
            hand.pot_minor, hand.posted_minor = played.pushed.pot, hand.rake_minor
        hand.pots, hand.nets = played.pushed.result, played.nets
        self._enter(hand, played, mishap)
        if hand.state == book.ENDED:
            for guest in played.guests.values():
                guest.minor += hand.nets[guest.stay.id]
            self.carried -= sum(hand.nets.values()) + hand.rake_minor
        if waited:
            self._make_up()
        self._after(played, mishap)

    def _after(self, played: PottedHand, mishap: str) -> None:
        """Chips that move beside the hand."""
        if self.waits or played.betting.passed:
            return
        winner = played.guests[played.pushed.winners[0][0]]
        chip = self.posted.chip
        if self.chance.random() < plan.TIPS and self.posted.tips_from_stack and winner.minor > chip:
            self._chips(winner, book.TIP, chip, "stack")
        if mishap == plan.LOST and winner.minor > chip:
            winner.minor -= chip
            self.book.lost += chip
            self._amiss(mishap, "a chip falls under the table; its guest leaves with one less")
            self._leaves(winner, self.client)
            if seat := self.room.seat_at(self):
                self._sits(seat)

    # What happens on the felt
    def _able(self) -> list[PokerGuest]:
        """Who has chips to be dealt in; until a hand is put right, more than a call of the blind by
        the books too.
        """
        least = self.posted.blind + self.posted.ante if self.ahead else 0
        return [guest for guest in self.guests if min(guest.minor, self._booked(guest)) > least]

    def _booked(self, guest: PokerGuest) -> int:
        return guest.minor + self.ahead.get(guest.stay.id, 0)

    def _top_up(self) -> None:
        """Who has next to nothing buys chips, and now and then who has little."""
        least = self.posted.buy_in_least
        most = self.posted.buy_in_most or 5 * least
        for guest in self.guests:
            short = guest.minor < 2 * self.posted.blind + self.posted.ante
            if short or (guest.minor < least and self.chance.random() < TOPS_UP):
                amount = self.chance.choice((least, most)) - guest.minor
                self._chips(guest, book.TOP_UP, amount, "cash")

    def _played(self, mishap: str) -> PottedHand:
        """A hand in which the dealer can err so."""
        able = {guest.stay.seat: guest for guest in self._able()}
        seats = self.chance.sample(sorted(able), self.chance.randint(2, len(able)))
        self.button = next(seat for seat in from_button(self.button) if seat in seats)
        dealt = DealtIn(
            {seat: able[seat].minor for seat in sorted(seats)},
            self.button,
            calm=bool(self.ahead),
            showdown=mishap in SHOWDOWN,
            passes=self.posted.passes and not self.ahead and mishap in PASSING,
        )
        betting = HandBetting(self.chance, self.posted, dealt).play()
        board, holes = self._cards(betting, mishap)
        ranks: dict[int, Any] = {seat: self.chance.randrange(TIES) for seat in betting.order}
        ranks |= {seat: best([*hole, *board]) for seat, hole in holes.items()}
        felt = FeltHand(
            betting.chips, ranks, self.button, betting.flop, betting.walk, carried=self.carried
        )
        guests = {seat: able[seat] for seat in betting.order}
        pushed = pass_in(betting.chips) if betting.passed else push(self.posted, felt)
        return PottedHand(guests, betting, felt, pushed, board=board, holes=holes)

    def _cards(
        self, betting: HandBetting, mishap: str
    ) -> tuple[Sequence[str], Mapping[int, Sequence[str]]]:
        """What is seen of the cards: those of all who are left, or nothing."""
        by_cards = self.chance.random() < BY_CARDS and mishap not in BY_TAPS
        if self.posted.draws or len(betting.left) < 2 or not (by_cards or mishap == plan.CARDS):
            return (), {}
        deck = self.chance.sample(DECK, BOARD + 2 * len(betting.left))
        holes = {seat: (deck.pop(), deck.pop()) for seat in betting.left}
        return deck, holes

    # What is entered of it
    def _body(self, played: PottedHand, pushed: Pushed, *, tapped: bool = False) -> dict[str, Any]:
        """As the tablet sends it, with the result that it has worked out; winners are `tapped`
        where no cards are entered, too.
        """
        guests = played.guests
        betting = played.betting
        winners = pushed.winners if tapped or not played.holes else []
        return {
            "dealt": [guest.stay.id for guest in guests.values()],
            "flop": betting.flop,
            "walk": betting.walk,
            "pots": {
                "seats": list(guests),
                "stacks_minor": [self._booked(guest) for guest in guests.values()],
                "button": self.button,
                "streets": betting.streets,
                "dead": betting.dead,
                "winners": [{"high": list(seats)} for seats in winners],
                "board": " ".join(played.board),
                "hands": {str(seat): " ".join(hole) for seat, hole in played.holes.items()},
                "expects": pushed.result,
                "passed": betting.passed,
                "carried_minor": self.carried,
            },
        }

    def _enter(self, hand: RakedHand, played: PottedHand, mishap: str) -> None:
        """Enter a hand, amiss or not. Raises Refused, Unreachable."""
        self.book.hands.append(hand)
        if mishap == plan.QUEUED or self._queue:
            self._queue.append((hand, datetime.now(UTC).isoformat()))
            return
        right = hand.body
        if mishap == plan.GIVEN_UP:
            self._given_up(hand, played)
        self._begin(hand.id, hand)
        if mishap == plan.EXPECTED:
            self._refused_first(hand, *self._misread(right), mishap)
        elif mishap == plan.CARDS:
            tapped = self._body(played, self._other_winner(played), tapped=True)
            self._refused_first(hand, tapped, AGAINST_CARDS, mishap)
        elif mishap in (plan.WINNER, plan.LATE):
            pushed = self._other_winner(played)
            hand.body = self._body(played, pushed)
        elif mishap == plan.FOLD:
            hand.body = self._fold_overlooked(played)
        self._send(hand, {})
        if mishap in (plan.WINNER, plan.FOLD):
            self._correct(hand, right)
            self._amiss(mishap, f"{mishap.partition(',')[0]}, and put right at once")
        elif mishap == plan.LATE:
            self.ahead = {
                stay: net - hand.nets[stay] for stay, net in played.by_stay(pushed).items()
            }
            self._late = lambda: self._put_right_late(hand, right)
        elif mishap == plan.VOID:
            self._void(hand)

    def _begin(self, hand_id: str, hand: RakedHand) -> None:
        """The first tap: a hand runs. Raises Refused, Unreachable."""
        body = {"number": hand.number, "button": self.button, "dealt": hand.body["dealt"]}
        self.command(plan.BEGIN, f"tables/{self.row['id']}/hands/{hand_id}/begin/", body)

    def _given_up(self, hand: RakedHand, played: PottedHand) -> None:
        """The same guests are dealt in anew; until they are, the pit lets none of them leave."""
        self._begin(str(uuid.uuid4()), hand)
        guest = self.chance.choice([*played.guests.values()])
        try:
            self.boss.client.post(
                f"stays/{guest.stay.id}/leave/", {"counted_minor": self._booked(guest)}
            )
        except Refused as refused:
            if refused.code != RUNS:
                self._differs(f"{plan.GIVEN_UP}: leaving is refused as {refused.code}, not {RUNS}")
            self._amiss(plan.GIVEN_UP, "a hand begins and is given up, and is dealt anew")
        else:
            self._differs(f"{plan.GIVEN_UP}: a guest who was dealt in has left")

    def _send(self, hand: RakedHand, more: Mapping[str, Any]) -> None:
        nets = hand.nets
        self.moving = max(nets, key=lambda stay: abs(nets[stay]))
        self.command(plan.POTS_HAND, self._where(hand), {**hand.body, **more})

    def _make_up(self) -> None:
        """What waits comes to the books."""
        for hand, began_at in self._queue:
            self._send(hand, {"queued": True, "began_at": began_at})
        if self._queue:
            self._amiss(plan.QUEUED, f"{len(self._queue)} hands come that were played without it")
        self._queue = []
        if self._late:
            self._late()
        self._late = None
        self.ahead = {}

    def _put_right_late(self, hand: RakedHand, right: Mapping[str, Any]) -> None:
        """The felt was right, and the books follow."""
        signed = self._correct(hand, right)
        if not signed and self.book.hands[-1] is not hand:
            self._differs(f"hand {hand.number} was put right alone when the next one had ended")
        self._amiss(plan.LATE, f"{self.boss.name} signs that another had won hand {hand.number}")

    def _refused_first(
        self, hand: RakedHand, body: Mapping[str, Any], code: str, mishap: str
    ) -> None:
        try:
            self.client.post(self._where(hand), body)
        except Refused as refused:
            if refused.code != code:
                self._differs(f"{mishap}: it is refused as {refused.code}, not {code}")
            self._amiss(mishap, mishap)
        else:
            self._differs(f"{mishap}: it was booked")

    # How the dealer errs
    def _misread(self, right: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """A figure of a pot on the tablet that is another, and how that is refused."""
        body = deepcopy(dict(right))
        pot = self.chance.choice(body["pots"]["expects"]["pots"])
        figure = self.chance.choice(sorted(AMISS))
        if figure == "shares":
            pot["shares"][0]["amount_minor"] += self.posted.chip
        else:
            pot[figure] += self.posted.chip
        return body, AMISS[figure]

    def _other_winner(self, played: PottedHand) -> Pushed:
        """All goes to a seat that has not won the main pot, or not alone."""
        left = played.betting.left
        others = [seat for seat in left if seat not in played.pushed.winners[0]]
        seat = self.chance.choice(others or left)
        ranks = {other: int(other == seat) for other in left}
        return push(self.posted, played.felt._replace(ranks=ranks))

    def _fold_overlooked(self, played: PottedHand) -> dict[str, Any]:
        """Who folded is taken to have matched all that came, as far as the stack goes."""
        streets = deepcopy(played.betting.streets)
        folds = self.chance.choice([street["folds"] for street in streets if street["folds"]])
        name = self.chance.choice(sorted(folds))
        del folds[name]
        seat = int(name)
        put = played.betting.chips[seat]
        behind = played.guests[seat].minor - put.ante - put.dead
        matched = SeatChips(ante=put.ante, dead=put.dead)
        for street in streets:
            matched.live += min(street["to_minor"], behind - matched.live)
        chips = {**played.felt.chips, seat: matched}
        pushed = push(self.posted, played.felt._replace(chips=chips, flop=True, walk=False))
        body = self._body(played, pushed)
        pots = body["pots"] | {"streets": streets}
        return body | {"flop": True, "walk": False, "pots": pots}
