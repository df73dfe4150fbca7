"""The progressive jackpot's prizes: what a coin wins, who is paid Envy, which box claims the meter
(PRG-1 to PRG-6, PRG-13).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from jackpot.rules.split import split_equally
from payouts.errors import Refused, mark
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import Reason, StakeLine
from payouts.rules.rulesets.paytable import CategoryField, MadeHand, falling
from payouts.rules.rulesets.schema import (
    Advice,
    Posted,
    choice,
    flag,
    of_kind,
    several,
    whole,
    wrong,
)


class SecondClaim(Refused):
    """Two boxes of one table that both claim the meter with a hole card."""

    code = "jackpot.second_claim"
    rule = "PRG-7"
    sentence = mark(
        "Boxes %(first)s and %(second)s cannot both win the jackpot: only one box of a table can"
        " hold the royal flush."
    )
    remedy = mark("Check the cards of both boxes.")


TWICE_AT_MOST = mark("each class once with and once without a hole card")
ONE_METER = mark("the meter for the royal flush with a hole card, and for nothing else")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize(Posted):
    """What one class wins. `amount_minor` None is the whole meter. `hole_card_required`: the board
    alone does not win it (PRG-5).
    """

    KIND: ClassVar[str] = "prize"

    hand: Category = of_kind(CategoryField())  # noqa: RUF009 - a field like the others
    amount_minor: int | None = whole(low=1, optional=True)
    hole_card_required: bool = flag(default=False)


DEFAULT_PRIZES = (
    Prize(hand=Category.ROYAL_FLUSH, amount_minor=None, hole_card_required=True),
    Prize(hand=Category.ROYAL_FLUSH, amount_minor=500_000),
    Prize(hand=Category.STRAIGHT_FLUSH, amount_minor=150_000),
    Prize(hand=Category.FOUR_OF_A_KIND, amount_minor=50_000),
    Prize(hand=Category.FULL_HOUSE, amount_minor=5_000),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveRules(Posted):
    """Coin, prizes and Envy in minor units. Each Open of PRG-4 to PRG-12 is a field here; the
    defaults are the rules' own.

    `community_royal`: its prize goes to each box with the coin, or is shared among them (PRG-4).
    `paid_by`: whose money fixed prizes and Envy are (PRG-5). `envy_excludes`: who made the royal
    flush with all their boxes, or that box alone;
    `envy_scope`: players of the same table, or of all linked tables (PRG-6). `payout_unit`: shares
    of the meter are floored to it (PRG-10). `award_amount`: what is won when the last round of the
    epoch has ended, or what was shown at the first claim (PRG-12).
    """

    KIND: ClassVar[str] = "progressive"

    coin_minor: int = whole(500, low=1)
    prizes: tuple[Prize, ...] = several(Prize, DEFAULT_PRIZES, low=1, high=20)
    community_royal: str = choice("per_box", "shared", default="per_box")
    paid_by: str = choice("house", "meter", default="house")
    envy_minor: int = whole(50_000)
    envy_excludes: str = choice("winner_guest", "winner_box", default="winner_guest")
    envy_on_community_royal: bool = flag(default=False)
    envy_scope: str = choice("table", "link", default="table")
    payout_unit: int = whole(1, low=1)
    award_amount: str = choice("epoch_total", "shown_at_claim", default="epoch_total")

    def verify(self) -> None:
        """One prize for each class with and without a hole card, one for the meter, and that one
        for a royal flush with a hole card.

        Any other hand may lie in several boxes of one table, and who wins the meter would no longer
        be clear (PRG-7).
        """
        keys = [(prize.hand, prize.hole_card_required) for prize in self.prizes]
        if len(set(keys)) != len(keys):
            raise wrong(
                "progressive.prizes", [hand.name.lower() for hand, _ in keys], TWICE_AT_MOST
            )
        meter = [
            (prize.hand, prize.hole_card_required)
            for prize in self.prizes
            if prize.amount_minor is None
        ]
        if meter != [(Category.ROYAL_FLUSH, True)]:
            raise wrong("progressive.prizes", [hand.name.lower() for hand, _ in meter], ONE_METER)

    @property
    def envy_of_link(self) -> bool:
        """Whether a royal flush pays Envy to the coins of other linked tables too (PRG-6)."""
        return self.envy_scope == "link" and bool(self.envy_minor)

    def prize_for(self, hand: MadeHand) -> Prize | None:
        """The highest prize that the hand wins, or None (PRG-2); the meter is higher than any
        amount.

        >>> ProgressiveRules().prize_for(MadeHand(Category.ROYAL_FLUSH, on_board=True)).amount_minor
        500000
        """
        won = [
            prize
            for prize in self.prizes
            if prize.hand is hand.category and not (prize.hole_card_required and hand.on_board)
        ]
        return max(
            won,
            key=lambda prize: (prize.amount_minor is None, prize.amount_minor or 0),
            default=None,
        )

    def advice(self) -> tuple[Advice, ...]:
        """Warn of a higher class that wins less than a lower one."""
        fixed: dict[Category, int] = {}
        for prize in self.prizes:
            if prize.amount_minor is not None:
                fixed[prize.hand] = max(fixed.get(prize.hand, 0), prize.amount_minor)
        if Category.ROYAL_FLUSH not in fixed:  # the meter stands above any amount
            fixed[Category.ROYAL_FLUSH] = max(fixed.values(), default=0)
        return falling((hand, amount, 1) for hand, amount in fixed.items())


class Seat(NamedTuple):
    """A box as the progressive sees it when its round is settled.

    `hand` is None when the box's class is not known (it then wins nothing); `live` is False for a
    folded box whose side stakes do not survive the fold (UTH-10). `table` is any name that tells
    linked tables apart.
    """

    box: int
    guest: str
    coin: bool
    hand: MadeHand | None
    live: bool = True
    table: str = ""

    @property
    def made(self) -> MadeHand | None:
        """The hand that counts for the progressive: none for a box that is out of it."""
        return self.hand if self.live else None


class Envy(NamedTuple):
    """One Envy payment: whose coin is paid, for whose royal flush, how much in minor units."""

    seat: Seat
    royal: Seat
    amount_minor: int


class CoinResult(NamedTuple):
    """The coins of one round: a line for each coin and each Envy payment, the boxes that claim the
    meter, and the royal flushes.

    `royals` are all boxes with one that counts, coin or none: the jackpot must hear of them;
    `paying` those that pay Envy.
    """

    lines: tuple[StakeLine, ...]
    claims: tuple[Seat, ...] = ()
    royals: tuple[Seat, ...] = ()
    paying: tuple[Seat, ...] = ()


COIN_LOST = Reason(
    "prg.coin_lost", "PRG-2", mark("The coin wins nothing: no hand that the progressive pays.")
)
COIN_FOLDED = Reason("prg.coin_folded", "UTH-10", mark("The coin wins nothing: the box folded."))
CLAIM = Reason(
    "prg.claim", "PRG-3", mark("Royal flush with a hole card: the box claims the jackpot.")
)
COMMUNITY = Reason(
    "prg.community_royal", "PRG-4", mark("Royal flush on the board: the coin wins %(prize_minor)s.")
)
PRIZE = Reason("prg.prize", "PRG-5", mark("The coin wins %(prize_minor)s with a %(hand)s."))
ENVY = Reason(
    "prg.envy", "PRG-6", mark("Envy for a royal flush: the coin is paid %(prize_minor)s.")
)


def settle_coins(rules: ProgressiveRules, seats: Sequence[Seat]) -> CoinResult:
    """What the coins of one round win (PRG-2 to PRG-6). The meter's winner has a line without a
    prize: the split decides it (PRG-7).

    Envy is paid here for a royal flush of this round; with `envy_scope = link` the coins of the
    other tables get theirs by `envy`. Raises SecondClaim.

    >>> royal, nothing = MadeHand(Category.ROYAL_FLUSH), MadeHand(Category.HIGH_CARD)
    >>> with_coin = [Seat(box, f"g{box}", True, nothing) for box in (1, 2, 5)]
    >>> lines = settle_coins(ProgressiveRules(), [*with_coin, Seat(3, "g3", False, royal)]).lines
    >>> [(line.box, line.kind, line.prize_minor) for line in lines if line.prize_minor]
    [(1, 'envy', 50000), (2, 'envy', 50000), (5, 'envy', 50000)]
    """
    if not any(
        hand is not None and hand.category is Category.ROYAL_FLUSH for _, _, _, hand, _, _ in seats
    ):
        return CoinResult(tuple(_coin_line(rules, seat, 1) for seat in seats if seat.coin))
    _check_claims(seats)
    shares = _community_shares(rules, seats)
    lines = [_coin_line(rules, seat, shares) for seat in seats if seat.coin]
    for seat, _, amount in envy(rules, seats):
        lines.append(
            StakeLine(seat.box, seat.guest, "envy", 0, 0, 0, amount, ENVY, paid_by=rules.paid_by)
        )
    royals = tuple(
        seat
        for seat in seats
        if seat.made is not None and seat.made.category is Category.ROYAL_FLUSH
    )
    claims = tuple(
        seat for seat in royals if seat.coin and seat.made is not None and seat.made.own_royal
    )
    return CoinResult(tuple(lines), claims, royals, tuple(_royals(rules, seats)))


def envy(rules: ProgressiveRules, seats: Sequence[Seat]) -> tuple[Envy, ...]:
    """The Envy payments for all royal flushes among these seats, one for each coin and royal flush
    (PRG-6).

    A royal flush with a hole card is made by one box; its guest (or with `winner_box` that box) is
    left out. One on the board pays only with `envy_on_community_royal`, once, and nobody is left
    out, since nobody alone made it. The dealer's never pays. `seats` may be those of several
    tables: with `envy_scope = table` a royal flush concerns its own table only.
    """
    return tuple(
        Envy(seat, royal, rules.envy_minor)
        for royal in _royals(rules, seats)
        for seat in seats
        if seat.coin and seat.live and _is_paid(rules, royal, seat)
    )


def _royals(rules: ProgressiveRules, seats: Sequence[Seat]) -> list[Seat]:
    """One seat for each royal flush that pays Envy; one on the board stands for its whole table."""
    if not rules.envy_minor:
        return []
    found: list[Seat] = [seat for seat in seats if seat.made is not None and seat.made.own_royal]
    if rules.envy_on_community_royal:
        boards = {
            seat.table: seat
            for seat in seats
            if seat.made is not None and seat.made.community_royal
        }
        found += boards.values()
    return found


def _is_paid(rules: ProgressiveRules, royal: Seat, seat: Seat) -> bool:
    if rules.envy_scope == "table" and seat.table != royal.table:
        return False
    if royal.made is not None and royal.made.community_royal:
        return True
    if rules.envy_excludes == "winner_guest":
        return seat.guest != royal.guest
    return (seat.table, seat.box) != (royal.table, royal.box)


def _check_claims(seats: Sequence[Seat]) -> None:
    holders: dict[str, Seat] = {}
    for seat in seats:
        if seat.hand is not None and seat.hand.own_royal:
            if seat.table in holders:
                raise SecondClaim(first=holders[seat.table].box, second=seat.box)
            holders[seat.table] = seat


def _community_shares(rules: ProgressiveRules, seats: Sequence[Seat]) -> int:
    """Among how many coins a prize for the royal flush on the board is divided: one, unless it is
    shared (PRG-4).
    """
    if rules.community_royal == "per_box":
        return 1
    return (
        sum(
            1 for seat in seats if seat.coin and seat.made is not None and seat.made.community_royal
        )
        or 1
    )


def _coin_line(rules: ProgressiveRules, seat: Seat, shares: int) -> StakeLine:
    coin, hand = rules.coin_minor, seat.hand if seat.live else None
    if hand is None:
        reason = COIN_LOST if seat.live else COIN_FOLDED
        return StakeLine(seat.box, seat.guest, "coin", coin, 0, 0, 0, reason)
    prize = rules.prize_for(hand)
    if prize is None:
        return StakeLine(
            seat.box, seat.guest, "coin", coin, 0, 0, 0, COIN_LOST, None, hand.category
        )
    if prize.amount_minor is None:
        return StakeLine(
            seat.box, seat.guest, "coin", coin, 0, 0, 0, CLAIM, None, hand.category, "meter"
        )
    amount, reason = prize.amount_minor, PRIZE
    if hand.community_royal:
        reason = COMMUNITY
        if shares > 1:
            amount = split_equally(amount, shares, rules.payout_unit).share_minor
    return StakeLine(
        seat.box, seat.guest, "coin", coin, 0, 0, amount, reason, None, hand.category, rules.paid_by
    )
