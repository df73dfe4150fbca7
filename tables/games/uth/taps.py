"""Rounds of Ultimate Texas Hold'em whose results were tapped, and what cards say against taps
(UTH-3 to UTH-10, HAND-6).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.hands.cards import DECK, card_texts
from payouts.rules.hands.ranks import Category, category_of, rank_ids
from payouts.rules.rulesets.paytable import WORDS, MadeHand
from payouts.rules.rulesets.schema import picture
from tables.games.uth.possible import BoardInEveryHand, UthTaps, check_possible
from tables.games.uth.rules import UthGame
from tables.games.uth.settle import (
    BoxUnknown,
    Outcome,
    OutcomeMissing,
    Result,
    Settlement,
    UthCards,
    check_play,
    compare,
    made_hand,
    settle_outcomes,
)
from tables.games.uth.stakes import UthBox, UthRefused, check_boxes


class CardsContradict(UthRefused):
    """Taps that the cards contradict; `data["contradictions"]` lists them all."""

    code = "uth.cards_contradict"
    rule = "HAND-6"
    sentence = mark("The cards say otherwise: %(says)s")
    remedy = mark(
        "Cards count. Correct the card that was mistyped, or take the results from the cards."
    )


class Contradiction(NamedTuple):
    """One thing that the cards deny. `box` is None when it is about the dealer."""

    code: str
    box: int | None
    sentence: str
    data: dict[str, object]

    def text(self) -> str:
        """The English sentence with its data filled in."""
        return self.sentence % self.data


RESULT_DIFFERS = mark("Box %(box)s: tapped %(tapped)s, by the cards it is %(cards)s.")
HAND_DIFFERS = mark("Box %(box)s: tapped %(tapped)s, the cards make %(cards)s.")
ROYAL_DIFFERS = mark("Box %(box)s: tapped a royal flush %(tapped)s, the cards make one %(cards)s.")
PAIR_DIFFERS = mark("Dealer: tapped %(tapped)s, the cards make %(cards)s.")
NO_DEALER_HAND = mark(
    "No two cards of the dealer would make the results of boxes %(boxes)s true over this board."
)


def settle_tapped(
    game: UthGame, boxes: Sequence[UthBox], taps: UthTaps, cards: UthCards | None = None
) -> Settlement:
    """Settle a round from taps, with the cards of the board and of some boxes if they were entered
    too.

    Where cards are known they give the class (HAND-6); where they deny a tap, nothing is settled. A
    box whose class was not tapped and whose cards are not known is paid as if it made nothing that
    its stakes pay for. Raises CardsContradict, TapsImpossible (also for a box without a class where
    the board alone makes one that its stakes pay for), TwoRoyals, and the refusals of `check_boxes`
    and `check_play`.

    >>> taps = UthTaps({1: Outcome(4, Result.WIN, MadeHand(Category.FLUSH))})
    >>> lines = settle_tapped(UthGame(), [UthBox(1, "g1", 1500, 1500)], taps).lines
    >>> [(line.kind, line.won_minor) for line in lines]
    [('ante', 1500), ('blind', 2250), ('play', 6000)]
    """
    check_boxes(game, boxes)
    check_taps(game, boxes, taps)
    outcomes = {box.box: taps.boxes[box.box] for box in boxes}
    if cards is not None:
        found = contradictions(boxes, taps, cards)
        if found:
            raise contradicted(found)
        known = _known_hands(cards)
        outcomes = {
            box: one._replace(hand=known[box][1]) if box in known else one
            for box, one in outcomes.items()
        }
        # A card may deny what was tapped for another box.
        check_possible(UthTaps(outcomes, taps.dealer_without_pair), board_class(taps, cards))
    _check_stated(game, boxes, outcomes, board_class(taps, cards))
    dealer_pair = not taps.dealer_without_pair
    return Settlement(
        settle_outcomes(game, boxes, outcomes, dealer_pair=dealer_pair), outcomes, dealer_pair
    )


def check_taps(game: UthGame, boxes: Sequence[UthBox], taps: UthTaps) -> None:
    """Refuse taps that the rules or the deck do not allow, whatever the cards were.

    Raises BoxUnknown, OutcomeMissing, TwoRoyals, TapsImpossible and the refusals of `check_play`.
    """
    playing = {box.box for box in boxes}
    for number in taps.boxes:
        if number not in playing:
            raise BoxUnknown(box=picture(number))
    for box in boxes:
        if box.box not in taps.boxes:
            raise OutcomeMissing(box=box.box)
        outcome = taps.boxes[box.box]
        check_play(game, box, outcome.play, fold=outcome.result is Result.FOLD)
    check_possible(taps, board_class(taps))


def board_class(taps: UthTaps, cards: UthCards | None = None) -> Category | None:
    """The class that the board alone makes, and so is in every hand: by its cards, else by what was
    tapped of it, else None.
    """
    if cards is not None:
        return category_of(rank_ids(cards.board))
    tapped = (
        one.hand.category
        for one in taps.boxes.values()
        if one.hand is not None and one.hand.on_board
    )
    return max(tapped, default=None)


def _check_stated(
    game: UthGame, boxes: Sequence[UthBox], outcomes: Mapping[int, Outcome], board: Category | None
) -> None:
    """Refuse a box of which no class is known while the board alone makes one that Blind or Trips
    pays it for.
    """
    for box in boxes:
        _, result, hand = outcomes[box.box]
        if board is None or hand is not None:
            continue
        stays = result is not Result.FOLD or game.rules.side_bets_survive_fold
        if (box.trips_minor and stays and board in game.trips_odds) or (
            result is Result.WIN and board in game.blind_odds
        ):
            raise BoardInEveryHand(board=WORDS[board], box=box.box)


def contradictions(
    boxes: Sequence[UthBox], taps: UthTaps, cards: UthCards
) -> tuple[Contradiction, ...]:
    """Everything that the cards deny of what was tapped; empty when both agree wherever both are
    known.

    A class that was not tapped says nothing. Without the dealer's cards a result is denied when no
    two cards of the dealer could make all results of the known boxes true. Raises BoxUnknown for
    cards of a box that does not play.
    """
    playing = {box.box for box in boxes}
    for number in cards.boxes:
        if number not in playing:
            raise BoxUnknown(box=picture(number))
    known = _known_hands(cards)
    tapped = {
        box: (rank, hand, taps.boxes[box])
        for box, (rank, hand) in known.items()
        if box in taps.boxes
    }
    found = [
        one
        for box, (_, hand, outcome) in tapped.items()
        for one in _hand_differs(box, hand, outcome)
    ]
    ranks = {
        box: (rank, outcome)
        for box, (rank, _, outcome) in tapped.items()
        if outcome.result is not Result.FOLD
    }
    if cards.dealer:
        return (*found, *_against_dealer(taps, ranks, rank_ids(cards.board + cards.dealer)))
    return (*found, *_against_any_dealer(taps, ranks, cards))


def contradicted(found: Sequence[Contradiction]) -> CardsContradict:
    """The refusal that lists what the cards deny."""
    return CardsContradict(
        says=" ".join(one.text() for one in found),
        contradictions=[
            {"code": one.code, "sentence": one.sentence, "data": one.data} for one in found
        ],
    )


def _known_hands(cards: UthCards) -> dict[int, tuple[int, MadeHand]]:
    board_rank = rank_ids(cards.board)
    ranks = {box: rank_ids(cards.board + hole) for box, hole in cards.boxes.items()}
    return {box: (rank, made_hand(rank, board_rank)) for box, rank in ranks.items()}


def _hand_differs(box: int, made: MadeHand, outcome: Outcome) -> list[Contradiction]:
    tapped = outcome.hand
    if tapped is None:
        return []
    if tapped.category is not made.category:
        data: dict[str, object] = {
            "box": box,
            "tapped": WORDS[tapped.category],
            "cards": WORDS[made.category],
        }
        return [Contradiction("uth.hand_differs", box, HAND_DIFFERS, data)]
    if tapped.own_royal is not made.own_royal:
        data = {"box": box, "tapped": _royal_text(tapped), "cards": _royal_text(made)}
        return [Contradiction("uth.royal_differs", box, ROYAL_DIFFERS, data)]
    return []


def _royal_text(hand: MadeHand) -> str:
    return mark("with a hole card") if hand.own_royal else mark("on the board alone")


def _against_dealer(
    taps: UthTaps, ranks: Mapping[int, tuple[int, Outcome]], dealer: int
) -> list[Contradiction]:
    found = []
    for box, (rank, outcome) in ranks.items():
        result = compare(rank, dealer)
        if result is not outcome.result:
            data: dict[str, object] = {
                "box": box,
                "tapped": str(outcome.result),
                "cards": str(result),
            }
            found.append(Contradiction("uth.result_differs", box, RESULT_DIFFERS, data))
    category = category_of(dealer)
    anybody = any(one.result is not Result.FOLD for one in taps.boxes.values())
    if anybody and taps.dealer_without_pair is not (category is Category.HIGH_CARD):
        found.append(_dealer_differs(taps, category))
    return found


def _against_any_dealer(
    taps: UthTaps, ranks: Mapping[int, tuple[int, Outcome]], cards: UthCards
) -> list[Contradiction]:
    on_board = category_of(rank_ids(cards.board))
    if taps.dealer_without_pair and on_board is not Category.HIGH_CARD:
        return [_dealer_differs(taps, on_board)]
    if not ranks:
        return []
    seen = {*cards.board, *(card for hole in cards.boxes.values() for card in hole)}
    for hole in combinations([card for card in DECK if card not in seen], 2):
        dealer = rank_ids(cards.board + hole)
        if (category_of(dealer) is Category.HIGH_CARD) is not taps.dealer_without_pair:
            continue
        if all(compare(rank, dealer) is outcome.result for rank, outcome in ranks.values()):
            return []
    data: dict[str, object] = {
        "boxes": ", ".join(map(str, sorted(ranks))),
        "board": " ".join(card_texts(cards.board)),
    }
    return [Contradiction("uth.no_dealer_hand", None, NO_DEALER_HAND, data)]


def _dealer_differs(taps: UthTaps, category: Category) -> Contradiction:
    tapped = mark("no pair") if taps.dealer_without_pair else mark("at least a pair")
    return Contradiction(
        "uth.dealer_differs", None, PAIR_DIFFERS, {"tapped": tapped, "cards": WORDS[category]}
    )
