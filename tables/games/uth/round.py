"""A whole round of Ultimate Texas Hold'em with the coins of the progressive jackpot: all stakes of
all boxes in one settlement.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jackpot.rules.progressive import ProgressiveRules, Seat, settle_coins
from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import Stake, StakeLine
from payouts.rules.rulesets.paytable import WORDS, MadeHand
from payouts.rules.rulesets.schema import picture
from tables.games.uth.possible import BoardInEveryHand, UthTaps
from tables.games.uth.rules import UthGame
from tables.games.uth.settle import CardsMissing, Outcome, Result, Settlement, UthCards, settle
from tables.games.uth.stakes import (
    BOXES_MOST,
    BoxOutside,
    StakeTwice,
    UthBox,
    UthRefused,
    boxes_of,
    check_boxes,
)
from tables.games.uth.taps import board_class, settle_tapped

NO_COINS: Mapping[int, int] = {}


class CoinWithoutAnte(UthRefused):
    """A coin on a box that does not play."""

    code = "uth.coin_without_ante"
    rule = "PRG-1"
    sentence = mark("Box %(box)s has a coin but no Ante.")
    remedy = mark("Place an Ante, or take the coin back.")


class CoinWrong(UthRefused):
    """A coin of another amount."""

    code = "uth.coin_wrong"
    rule = "PRG-1"
    sentence = mark("Box %(box)s: the coin is %(coin_minor)s, not %(amount)s.")
    remedy = mark("Place exactly one coin, or none.")


class CoinOfAnother(UthRefused):
    """A coin of another guest than the one who plays the box."""

    code = "uth.coin_of_another"
    rule = "PRG-1"
    sentence = mark("Box %(box)s: the coin of %(guest)s lies on another guest's box.")
    remedy = mark("Take the coin back; only the guest who plays the box may place one.")


class NoProgressive(UthRefused):
    """A coin at a table without a progressive jackpot."""

    code = "uth.no_progressive"
    rule = "PRG-1"
    sentence = mark("Box %(box)s has a coin, but no progressive jackpot is linked to the table.")
    remedy = mark("Take the coin back.")


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Everything a round was locked under: the game's posted tables, and the progressive's when one
    is linked.
    """

    game: UthGame = field(default_factory=UthGame)
    progressive: ProgressiveRules | None = field(default_factory=ProgressiveRules)


class RoundStakes(NamedTuple):
    """What lies on the table at the lock: the boxes, and by box the coin in minor units."""

    boxes: tuple[UthBox, ...]
    coins: dict[int, int]


class RoundSettlement(NamedTuple):
    """A settled round.

    `lines`: one for each stake, box by box, then coins, then Envy. `claims`: the boxes that claim
    the meter (at most one, PRG-7).
    `royals`: all boxes with a royal flush that counts, coin or none; the jackpot must hear of them.
    `paying`: those that pay Envy.
    `unknown`: boxes with a coin whose class nobody stated; they are settled as winning nothing.
    """

    lines: tuple[StakeLine, ...]
    outcomes: dict[int, Outcome]
    dealer_pair: bool | None
    claims: tuple[int, ...]
    royals: tuple[int, ...]
    paying: tuple[int, ...]
    unknown: tuple[int, ...]


def stakes_of(stakes: Iterable[Stake]) -> RoundStakes:
    """Boxes and coins from single stakes, in any order. Raises CoinWithoutAnte, CoinOfAnother,
    StakeTwice and as `boxes_of`.

    >>> stakes_of([Stake(1, "g1", kind, 500) for kind in ("ante", "blind", "coin")]).coins
    {1: 500}
    """
    every = list(stakes)
    boxes = boxes_of(stake for stake in every if stake.kind != "coin")
    guests = {box.box: box.guest for box in boxes}
    coins: dict[int, int] = {}
    for stake in every:
        if stake.kind != "coin":
            continue
        if type(stake.box) is not int or not 1 <= stake.box <= BOXES_MOST:
            raise BoxOutside(layout=BOXES_MOST, box=picture(stake.box))
        if stake.box in coins:
            raise StakeTwice(box=stake.box, kind="coin")
        if stake.box not in guests:
            raise CoinWithoutAnte(box=stake.box)
        if stake.guest != guests[stake.box]:
            raise CoinOfAnother(box=stake.box, guest=picture(stake.guest))
        coins[stake.box] = stake.amount_minor
    return RoundStakes(boxes, coins)


def check_round(
    rules: RoundRules, boxes: Sequence[UthBox], coins: Mapping[int, int], layout: int = BOXES_MOST
) -> None:
    """Refuse what may not lie on the table at the lock (UTH-2, UTH-3, UTH-7, UTH-8, PRG-1).

    Raises NoProgressive, CoinWithoutAnte, CoinWrong and as `check_boxes`.
    """
    check_boxes(rules.game, boxes, layout)
    _check_coins(rules, boxes, coins)


def settle_cards(
    rules: RoundRules,
    boxes: Sequence[UthBox],
    cards: UthCards,
    plays: Mapping[int, int],
    coins: Mapping[int, int] = NO_COINS,
) -> RoundSettlement:
    """Settle a whole round from its cards; see `tables.games.uth.settle.settle`. A box with a coin
    that survives a fold needs its cards too.
    """
    _check_coins(rules, boxes, coins)
    settled = settle(rules.game, boxes, cards, plays)
    for box in coins:
        folded = settled.outcomes[box].result is Result.FOLD
        if settled.outcomes[box].hand is None and not (
            folded and not rules.game.rules.side_bets_survive_fold
        ):
            raise CardsMissing(box=box)
    return _with_coins(rules, boxes, coins, settled)


def settle_taps(
    rules: RoundRules,
    boxes: Sequence[UthBox],
    taps: UthTaps,
    coins: Mapping[int, int] = NO_COINS,
    cards: UthCards | None = None,
) -> RoundSettlement:
    """Settle a whole round from taps, with cards where they were entered; see
    `tables.games.uth.taps.settle_tapped`.
    """
    _check_coins(rules, boxes, coins)
    settled = _with_coins(rules, boxes, coins, settle_tapped(rules.game, boxes, taps, cards))
    if rules.progressive is not None:
        check_coins_stated(rules.progressive, settled.unknown, board_class(taps, cards))
    return settled


def check_coins_stated(
    progressive: ProgressiveRules, unknown: Iterable[int], board: Category | None
) -> None:
    """Refuse boxes with a coin and without a class while the board alone makes one that wins
    (PRG-4, PRG-5).

    Raises BoardInEveryHand.
    """
    if board is not None and progressive.prize_for(MadeHand(board, on_board=True)) is not None:
        for box in unknown:
            raise BoardInEveryHand(board=WORDS[board], box=box)


def _check_coins(rules: RoundRules, boxes: Sequence[UthBox], coins: Mapping[int, int]) -> None:
    if not coins:
        return
    playing = {box.box for box in boxes}
    for box, amount in coins.items():
        if box not in playing:
            raise CoinWithoutAnte(box=picture(box))
        if rules.progressive is None:
            raise NoProgressive(box=box)
        if type(amount) is not int or amount != rules.progressive.coin_minor:
            raise CoinWrong(
                box=box, coin_minor=rules.progressive.coin_minor, amount=picture(amount)
            )


def _with_coins(
    rules: RoundRules, boxes: Sequence[UthBox], coins: Mapping[int, int], settled: Settlement
) -> RoundSettlement:
    lines, outcomes, dealer_pair = settled
    if rules.progressive is None:
        return RoundSettlement(lines, outcomes, dealer_pair, (), (), (), ())
    survive = rules.game.rules.side_bets_survive_fold
    seats = []
    for box in boxes:
        _, result, hand = outcomes[box.box]
        seats.append(
            Seat(box.box, box.guest, box.box in coins, hand, survive or result is not Result.FOLD)
        )
    unknown = tuple(seat.box for seat in seats if seat.hand is None and seat.coin and seat.live)
    coin_lines, claims, royals, paying = settle_coins(rules.progressive, seats)
    return RoundSettlement(
        lines + coin_lines,
        outcomes,
        dealer_pair,
        tuple(seat.box for seat in claims),
        tuple(seat.box for seat in royals),
        tuple(seat.box for seat in paying),
        unknown,
    )
