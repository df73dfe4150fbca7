"""What was tapped of a round of Ultimate Texas Hold'em, and what of it no cards make true together
(UTH-3 to UTH-10, PRG-7).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from payouts.errors import mark
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.paytable import WORDS, MadeHand
from tables.games.uth.settle import Outcome, Result
from tables.games.uth.stakes import UthRefused


class TapsImpossible(UthRefused):
    """Taps that no cards could make true together. Each subclass says which."""

    code = "uth.taps_impossible"
    rule = "UTH-4"
    sentence = mark("These results cannot all be right.")
    remedy = mark("Look at the table again and correct what was mistyped.")


class RoyalNotBeaten(TapsImpossible):
    """A royal flush with a hole card that does not win."""

    code = "uth.royal_not_beaten"
    sentence = mark("Box %(box)s has a royal flush with a hole card, so it beats every dealer.")


class BoardInEveryHand(TapsImpossible):
    """A box with less than what lies on the board, or with something else that is said to lie
    there.
    """

    code = "uth.board_in_every_hand"
    sentence = mark(
        "The %(board)s on the board is in every hand; box %(box)s cannot have less or another."
    )


class BoardInDealersHand(TapsImpossible):
    """A dealer without a pair over a board that has at least one."""

    code = "uth.board_in_dealers_hand"
    sentence = mark(
        "The %(board)s on the board is in the dealer's hand too, which cannot be without a pair."
    )


class BoardNotBeaten(TapsImpossible):
    """A box that wins with what everybody has, or does not tie over a royal flush on the board."""

    code = "uth.board_not_beaten"
    sentence = mark(
        "Box %(box)s has no more than the %(board)s on the board, which the dealer has too."
    )


class NoSuchBoard(TapsImpossible):
    """Hands of which the cards that all share would have to be several."""

    code = "uth.no_such_board"
    sentence = mark("No five cards on the board make all of these hands.")


class BoardTies(TapsImpossible):
    """A box that loses to a dealer who has no more than the board."""

    code = "uth.board_ties"
    sentence = mark(
        "Box %(box)s cannot lose: the dealer has no more than the %(board)s on the board."
    )


class DealerBetween(TapsImpossible):
    """Results that leave the dealer no class."""

    code = "uth.dealer_between"
    sentence = mark("By these results the dealer has at least %(least)s and at most %(most)s.")


class TwoRoyals(UthRefused):
    """Two boxes of one table with a royal flush that uses a hole card."""

    code = "uth.two_royals"
    rule = "PRG-7"
    sentence = mark(
        "Boxes %(first)s and %(second)s cannot both hold a royal flush with a hole card."
    )
    remedy = mark(
        "Check the cards of both boxes; a royal flush on the board alone is a community royal"
        " flush."
    )


@dataclass(frozen=True, slots=True)
class UthTaps:
    """What the croupier tapped: for each box an `Outcome` (`hand` None: no class), and whether the
    dealer had no pair.
    """

    boxes: Mapping[int, Outcome]
    dealer_without_pair: bool = False


LOWEST_PAIR = Category(Category.HIGH_CARD + 1)
_SUITED = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_PAIRED = (Category.FULL_HOUSE, Category.FOUR_OF_A_KIND)
_RUNS = (Category.STRAIGHT, *_SUITED)
# By the class of the board alone, what two cards more make of it: a full house needs a pair there,
# a straight or a flush three ranks.
OVER: Mapping[Category, frozenset[Category]] = {
    Category.HIGH_CARD: frozenset(Category) - {*_PAIRED},
    Category.ONE_PAIR: frozenset(Category) - {Category.HIGH_CARD},
    Category.TWO_PAIR: frozenset({Category.TWO_PAIR, *_RUNS, *_PAIRED}),
    Category.THREE_OF_A_KIND: frozenset({Category.THREE_OF_A_KIND, *_RUNS, *_PAIRED}),
    Category.STRAIGHT: frozenset(_RUNS),
    Category.FLUSH: frozenset(_SUITED),
    Category.FULL_HOUSE: frozenset(_PAIRED),
    Category.FOUR_OF_A_KIND: frozenset({Category.FOUR_OF_A_KIND}),
    Category.STRAIGHT_FLUSH: frozenset({Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}),
    Category.ROYAL_FLUSH: frozenset({Category.ROYAL_FLUSH}),
}
# So many hands have four of a kind over a board that has none itself.
_FOUR_MOST = {
    Category.ONE_PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 1,
    Category.FULL_HOUSE: 2,
}


def check_possible(taps: UthTaps, board: Category | None) -> None:
    """Refuse taps that no cards make true. `board`: the class that the board alone makes, None
    where it is not known. Raises TwoRoyals, TapsImpossible.
    """
    _check_royals(taps)
    _check_board(taps, board)
    _check_order(taps)
    _check_any_board(taps, [*Category] if board is None else [board])


def _check_royals(taps: UthTaps) -> None:
    holders = [
        box for box, one in taps.boxes.items() if one.hand is not None and one.hand.own_royal
    ]
    if len(holders) > 1:
        raise TwoRoyals(first=holders[0], second=holders[1])
    for box in holders:
        if taps.boxes[box].result not in (Result.WIN, Result.FOLD):
            raise RoyalNotBeaten(box=box)


def _check_board(taps: UthTaps, board: Category | None) -> None:
    """What lies on the board is in everybody's hand, the dealer's too."""
    if board is None:
        return
    royal = board is Category.ROYAL_FLUSH
    for box, (_, result, hand) in taps.boxes.items():
        if hand is not None and (
            hand.category < board or (hand.on_board and hand.category is not board)
        ):
            raise BoardInEveryHand(board=WORDS[board], box=box)
        if hand is not None and royal and hand.own_royal:
            raise BoardNotBeaten(box=box, board=WORDS[board])
        if hand is not None and hand.on_board and result is Result.WIN:
            raise BoardNotBeaten(box=box, board=WORDS[board])
        if royal and result not in (Result.TIE, Result.FOLD):
            raise BoardNotBeaten(box=box, board=WORDS[board])
    if board > Category.HIGH_CARD and taps.dealer_without_pair:
        raise BoardInDealersHand(board=WORDS[board])


def _check_order(taps: UthTaps) -> None:
    """The dealer's class is at least that of every box that it beats and at most that of every box
    that beats it.
    """
    at_least = [Category.HIGH_CARD if taps.dealer_without_pair else LOWEST_PAIR]
    at_most = [Category.HIGH_CARD if taps.dealer_without_pair else Category.ROYAL_FLUSH]
    for one in taps.boxes.values():
        if one.hand is not None and one.result in (Result.LOSE, Result.TIE):
            at_least.append(one.hand.category)
        if one.hand is not None and one.result in (Result.WIN, Result.TIE):
            at_most.append(one.hand.category)
    if max(at_least) > min(at_most):
        raise DealerBetween(least=WORDS[max(at_least)], most=WORDS[min(at_most)])


def _check_any_board(taps: UthTaps, boards: Iterable[Category]) -> None:
    """Refuse hands that are made over none of these boards, all of them at once."""
    made = [(outcome.result, outcome.hand) for outcome in taps.boxes.values() if outcome.hand]
    board = next((board for board in boards if _fits(board, made)), None)
    if board is None or (taps.dealer_without_pair and board is not Category.HIGH_CARD):
        raise NoSuchBoard
    ties = [hand for result, hand in made if result is Result.TIE]
    if not any(hand.on_board or hand.category in _SUITED for hand in ties):
        return
    for box, outcome in taps.boxes.items():
        if outcome.result is Result.LOSE:
            raise BoardTies(box=box, board=WORDS[ties[0].category])


def _fits(board: Category, made: Sequence[tuple[Result, MadeHand]]) -> bool:
    four = [hand for _result, hand in made if hand.category is Category.FOUR_OF_A_KIND]
    return len(four) <= _FOUR_MOST.get(board, len(four)) and all(
        hand.category in OVER[board]
        and (hand.category is board or not (hand.on_board or _all_share(result, hand)))
        for result, hand in made
    )


def _all_share(result: Result, hand: MadeHand) -> bool:
    """Whether a hand as high as the dealer's is made of the same cards, so lies on the board."""
    return result is Result.TIE and (
        hand.category in _SUITED or hand.category is Category.FOUR_OF_A_KIND
    )
