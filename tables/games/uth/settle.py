"""Ultimate Texas Hold'em: a whole round settled, from cards or from what is known of each box
(UTH-1 to UTH-11).

Ante, Blind, Play and Trips are settled here; the coin of the progressive jackpot is
`jackpot.rules.progressive`, and `tables.games.uth.round` puts both together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.hands.cards import Cards, check_cards, parse_cards
from payouts.rules.hands.ranks import Category, category_of, rank_ids
from payouts.rules.lines import Reason, StakeLine
from payouts.rules.rulesets.odds import Odds
from payouts.rules.rulesets.paytable import MadeHand
from payouts.rules.rulesets.schema import picture
from tables.games.uth.rules import UthGame
from tables.games.uth.stakes import UthBox, UthRefused, check_boxes, check_multiple


class BoxUnknown(UthRefused):
    """A result or cards for a box that does not play."""

    code = "uth.box_unknown"
    rule = "UTH-1"
    sentence = mark("Box %(box)s does not play in this round.")
    remedy = mark("Check the number of the box.")


class OutcomeMissing(UthRefused):
    """A box that plays and whose decision or result is not given."""

    code = "uth.outcome_missing"
    rule = "UTH-3"
    sentence = mark("Box %(box)s has no result yet.")
    remedy = mark("Enter what the box did: its Play stake, or that it folded.")


class CardsMissing(UthRefused):
    """Cards of a box that are needed to settle it."""

    code = "uth.cards_missing"
    rule = "HAND-7"
    sentence = mark("The cards of box %(box)s are missing.")
    remedy = mark("Enter two cards for each box that did not fold or has a side stake.")


class DealerCardsMissing(UthRefused):
    """The dealer's cards, while a box has not folded."""

    code = "uth.dealer_cards_missing"
    rule = "HAND-7"
    sentence = mark("The dealer's cards are missing.")
    remedy = mark("Enter the dealer's two cards; only when every box folded they are not needed.")


class BlindBoxFolded(UthRefused):
    """A fold of a box that is played blind."""

    code = "uth.blind_box_folded"
    rule = "UTH-8"
    sentence = mark("Box %(box)s is played blind and cannot fold.")
    remedy = mark("Settle the box with the Play stake that was placed at the start.")


class BlindPlayChanged(UthRefused):
    """Another Play on a box that is played blind than the one placed at the start."""

    code = "uth.blind_play_changed"
    rule = "UTH-8"
    sentence = mark(
        "Box %(box)s is played blind with %(placed)s times the Ante, not %(play)s times."
    )
    remedy = mark("Settle the box with the Play stake that was placed at the start.")


class NoFold(UthRefused):
    """A fold where the house's rules know none."""

    code = "uth.no_fold"
    rule = "UTH-3"
    sentence = mark(
        "Box %(box)s cannot fold: without a Play stake Ante and Blind stay to the showdown."
    )
    remedy = mark("Enter whether the box wins, loses or ties.")


class FoldWithPlay(UthRefused):
    """A fold together with a Play stake."""

    code = "uth.fold_with_play"
    rule = "UTH-3"
    sentence = mark("Box %(box)s cannot fold with a Play of %(play)s times the Ante.")
    remedy = mark("Enter either the Play stake and the result, or the fold.")


class Result(StrEnum):
    """How a box compares with the dealer."""

    WIN = "win"
    LOSE = "lose"
    TIE = "tie"
    FOLD = "fold"


class Outcome(NamedTuple):
    """What became of a box: its Play as a multiple of the Ante (0: none), the result, and its class
    if that is known.
    """

    play: int
    result: Result
    hand: MadeHand | None = None


@dataclass(frozen=True, slots=True)
class UthCards:
    """The cards of a round as numbers: five on the board, two or none for the dealer, two for each
    known box.
    """

    board: tuple[int, ...]
    dealer: tuple[int, ...] = ()
    boxes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        everything = self.board + self.dealer
        for hole in self.boxes.values():
            everything += hole
        parse_cards(everything)
        check_cards(self.board, (5,))
        check_cards(self.dealer, (0, 2))
        for hole in self.boxes.values():
            if len(hole) != 2:
                check_cards(hole, (2,))

    @classmethod
    def parse(
        cls, board: Cards, dealer: Cards = "", boxes: Mapping[int, Cards] | None = None
    ) -> "UthCards":
        """The cards of a round from text or lists; raises `cards.unknown`, `cards.twice`,
        `cards.count`.

        >>> UthCards.parse("Ah Kh Qh Jh 2c", "3c 4c", {1: "Th 9d"}).boxes
        {1: (34, 29)}
        """
        holes = {box: parse_cards(hole) for box, hole in (boxes or {}).items()}
        return cls(parse_cards(board), parse_cards(dealer), holes)


class Settlement(NamedTuple):
    """A settled round: a line for each stake, in the order of the boxes given, and what each box
    had.

    `dealer_pair` is None when the dealer's cards were not entered, which only a round where every
    box folded can do without.
    """

    lines: tuple[StakeLine, ...]
    outcomes: dict[int, Outcome]
    dealer_pair: bool | None


ANTE_WON = Reason(
    "uth.ante_won", "UTH-4", mark("Ante wins: higher than the dealer, paid %(odds)s.")
)
ANTE_NO_PAIR = Reason(
    "uth.ante_no_pair", "UTH-4", mark("Ante goes back: the dealer has less than a pair.")
)
ANTE_TIE = Reason("uth.ante_tie", "UTH-4", mark("Ante goes back: stand-off."))
ANTE_LOST = Reason("uth.ante_lost", "UTH-4", mark("Ante loses: the dealer is higher."))
ANTE_FOLDED = Reason(
    "uth.ante_folded", "UTH-3", mark("Ante is lost: no Play stake, the box folded.")
)
PLAY_WON = Reason(
    "uth.play_won", "UTH-5", mark("Play wins: higher than the dealer, paid %(odds)s.")
)
PLAY_TIE = Reason("uth.play_tie", "UTH-5", mark("Play goes back: stand-off."))
PLAY_LOST = Reason("uth.play_lost", "UTH-5", mark("Play loses: the dealer is higher."))
BLIND_WON = Reason("uth.blind_won", "UTH-6", mark("Blind wins with a %(hand)s, paid %(odds)s."))
BLIND_BACK = Reason(
    "uth.blind_back",
    "UTH-6",
    mark("Blind goes back: the box wins with a hand that Blind does not pay."),
)
BLIND_TIE = Reason("uth.blind_tie", "UTH-6", mark("Blind goes back: stand-off."))
BLIND_LOST = Reason("uth.blind_lost", "UTH-6", mark("Blind loses: the dealer is higher."))
BLIND_FOLDED = Reason(
    "uth.blind_folded", "UTH-3", mark("Blind is lost: no Play stake, the box folded.")
)
TRIPS_WON = Reason("uth.trips_won", "UTH-7", mark("Trips wins with a %(hand)s, paid %(odds)s."))
TRIPS_LOST = Reason(
    "uth.trips_lost", "UTH-7", mark("Trips loses: the box's hand is not one that Trips pays.")
)
TRIPS_FOLDED = Reason("uth.trips_folded", "UTH-10", mark("Trips is lost: the box folded."))

_EVEN = Odds(1, 1)


def settle(
    game: UthGame, boxes: Sequence[UthBox], cards: UthCards, plays: Mapping[int, int]
) -> Settlement:
    """Settle a round from its cards. `plays`: by box the Play as a multiple of the Ante, 0 for none
    (a fold, UTH-3).

    Needs the dealer's cards unless every box folded, and a box's cards unless it folded and has no
    Trips that survive. Raises the refusals of this module and of `check_boxes`.

    >>> cards = UthCards.parse("2c 7d 9h Jc 4s", "Kd 3h", {1: "Qs 8c"})  # king high, queen high
    >>> lines = settle(UthGame(), [UthBox(1, "g1", 1500, 1500)], cards, {1: 1}).lines
    >>> [(line.kind, line.paid_minor, line.rule) for line in lines]
    [('ante', 1500, 'UTH-4'), ('blind', 0, 'UTH-6'), ('play', 0, 'UTH-5')]
    """
    check_boxes(game, boxes)
    _check_known(boxes, plays)
    _check_known(boxes, cards.boxes)
    board_rank = rank_ids(cards.board)
    dealer_rank = rank_ids(cards.board + cards.dealer) if cards.dealer else None
    outcomes = {}
    for box in boxes:
        play = _play(game, box, plays)
        outcomes[box.box] = _from_cards(game, box, play, cards, board_rank, dealer_rank)
    dealer_pair = None if dealer_rank is None else category_of(dealer_rank) > Category.HIGH_CARD
    return Settlement(
        settle_outcomes(game, boxes, outcomes, dealer_pair=bool(dealer_pair)), outcomes, dealer_pair
    )


def settle_outcomes(
    game: UthGame, boxes: Sequence[UthBox], outcomes: Mapping[int, Outcome], *, dealer_pair: bool
) -> tuple[StakeLine, ...]:
    """The lines of boxes whose outcomes are known; `settle` and `settle_tapped` have checked them
    before.

    A box whose class is not known is paid as if no class of the paytables were reached.
    """
    lines: list[StakeLine] = []
    for box in boxes:
        outcome = outcomes[box.box]
        if outcome.result is Result.FOLD:
            lines.append(
                StakeLine(box.box, box.guest, "ante", box.ante_minor, 0, 0, 0, ANTE_FOLDED)
            )
            lines.append(
                StakeLine(box.box, box.guest, "blind", box.blind_minor, 0, 0, 0, BLIND_FOLDED)
            )
        else:
            _compared(game, box, outcome, lines, dealer_pair=dealer_pair)
        if box.trips_minor:
            lines.append(_trips(game, box, outcome))
    return tuple(lines)


def check_play(game: UthGame, box: UthBox, play: int, *, fold: bool) -> None:
    """Refuse a Play or a fold that the box may not make (UTH-3, UTH-8).

    Raises BlindBoxFolded, BlindPlayChanged, NoFold, FoldWithPlay, PlayNotAllowed.
    """
    whole = type(play) is int
    if box.blind_play:
        if fold:
            raise BlindBoxFolded(box=box.box)
        if not whole or play != box.blind_play:
            raise BlindPlayChanged(box=box.box, placed=box.blind_play, play=picture(play))
    elif fold:
        if game.rules.no_play == "showdown":
            raise NoFold(box=box.box)
        if not whole or play != 0:
            raise FoldWithPlay(box=box.box, play=picture(play))
    elif not whole or play != 0 or game.rules.no_play == "fold":
        check_multiple(game.rules, box.box, play)


def compare(rank: int, dealer_rank: int) -> Result:
    """How a hand's rank compares with the dealer's."""
    return Result.WIN if rank > dealer_rank else Result.LOSE if rank < dealer_rank else Result.TIE


def made_hand(rank: int, board_rank: int) -> MadeHand:
    """What seven cards of this rank make over a board of that rank."""
    return MadeHand(category_of(rank), rank == board_rank)


def _check_known(boxes: Sequence[UthBox], given: Mapping[int, object]) -> None:
    playing = {box.box for box in boxes}
    for number in given:
        if number not in playing:
            raise BoxUnknown(box=picture(number))


def _play(game: UthGame, box: UthBox, plays: Mapping[int, int]) -> int:
    if box.box not in plays:
        raise OutcomeMissing(box=box.box)
    play = plays[box.box]
    folds = type(play) is int and play == 0 and game.rules.no_play == "fold"
    check_play(game, box, play, fold=folds)
    return play


def _from_cards(
    game: UthGame, box: UthBox, play: int, cards: UthCards, board_rank: int, dealer_rank: int | None
) -> Outcome:
    hole = cards.boxes.get(box.box)
    folded = play == 0 and game.rules.no_play == "fold"
    if hole is None:
        if folded and not (box.trips_minor and game.rules.side_bets_survive_fold):
            return Outcome(0, Result.FOLD)
        raise CardsMissing(box=box.box)
    rank = rank_ids(cards.board + hole)
    hand = made_hand(rank, board_rank)
    if folded:
        return Outcome(0, Result.FOLD, hand)
    if dealer_rank is None:
        raise DealerCardsMissing
    return Outcome(play, compare(rank, dealer_rank), hand)


def _compared(
    game: UthGame, box: UthBox, outcome: Outcome, lines: list[StakeLine], *, dealer_pair: bool
) -> None:
    """Ante, Blind and Play of a box that did not fold."""
    number, guest, ante, play = box.box, box.guest, box.ante_minor, outcome.play * box.ante_minor
    if outcome.result is Result.WIN:
        won, reason = (ante, ANTE_WON) if dealer_pair else (0, ANTE_NO_PAIR)
        lines.append(
            StakeLine(number, guest, "ante", ante, ante, won, 0, reason, _EVEN if won else None)
        )
        lines.append(_blind_won(game, box, outcome.hand))
        if play:
            lines.append(StakeLine(number, guest, "play", play, play, play, 0, PLAY_WON, _EVEN))
    elif outcome.result is Result.TIE:
        lines.append(StakeLine(number, guest, "ante", ante, ante, 0, 0, ANTE_TIE))
        lines.append(StakeLine(number, guest, "blind", ante, ante, 0, 0, BLIND_TIE))
        if play:
            lines.append(StakeLine(number, guest, "play", play, play, 0, 0, PLAY_TIE))
    else:
        back, reason = (0, ANTE_LOST) if dealer_pair else (ante, ANTE_NO_PAIR)
        lines.append(StakeLine(number, guest, "ante", ante, back, 0, 0, reason))
        lines.append(StakeLine(number, guest, "blind", ante, 0, 0, 0, BLIND_LOST))
        if play:
            lines.append(StakeLine(number, guest, "play", play, 0, 0, 0, PLAY_LOST))


def _blind_won(game: UthGame, box: UthBox, hand: MadeHand | None) -> StakeLine:
    odds = None if hand is None else game.blind_odds.get(hand.category)
    stake = box.blind_minor
    if hand is None or odds is None:
        return StakeLine(box.box, box.guest, "blind", stake, stake, 0, 0, BLIND_BACK)
    won = odds.won(stake, game.rules.odds_round_to, up=game.rules.odds_round == "up")
    return StakeLine(
        box.box, box.guest, "blind", stake, stake, won, 0, BLIND_WON, odds, hand.category
    )


def _trips(game: UthGame, box: UthBox, outcome: Outcome) -> StakeLine:
    stake, hand = box.trips_minor, outcome.hand
    if outcome.result is Result.FOLD and not game.rules.side_bets_survive_fold:
        return StakeLine(box.box, box.guest, "trips", stake, 0, 0, 0, TRIPS_FOLDED)
    odds = None if hand is None else game.trips_odds.get(hand.category)
    if hand is None or odds is None:
        return StakeLine(
            box.box, box.guest, "trips", stake, 0, 0, 0, TRIPS_LOST, None, hand and hand.category
        )
    won = odds.won(stake, game.rules.odds_round_to, up=game.rules.odds_round == "up")
    return StakeLine(
        box.box, box.guest, "trips", stake, stake, won, 0, TRIPS_WON, odds, hand.category
    )
