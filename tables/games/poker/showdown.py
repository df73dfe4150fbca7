"""Who wins the pots of a hand: the cards that were shown, or who was tapped (POK-8, HAND-5)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from payouts.errors import mark
from payouts.rules.hands.cards import CardCount, check_cards, parse_cards
from payouts.rules.hands.low import Low, best_low, best_omaha_low
from payouts.rules.hands.ranks import best_hand, best_omaha
from payouts.rules.rulesets.hand_rules import HandRules
from tables.games.poker.pots import GrossPot
from tables.games.poker.rules import PokerRules
from tables.games.poker.settle import (
    PotWinners,
    WinnerFolded,
    WinnerOfNoPot,
    WinnersRefused,
    winners_by_rank,
)
from tables.games.poker.variants import VARIANTS, Variant


class CardsSayOther(WinnersRefused):
    """Winners who were tapped, and cards that say others."""

    code = "poker.cards_say_other"
    rule = "HAND-6"
    sentence = mark(
        "In pot %(pot)s of %(amount_minor)s the cards of seat %(seats)s win, not those of seat"
        " %(entered)s."
    )
    remedy = mark("Look at the cards again; what was tapped or a card is wrong.")


class LowUnplayed(WinnersRefused):
    """A winner by a low hand in a game without one."""

    code = "poker.low_unplayed"
    rule = "HAND-5"
    sentence = mark("“%(variant)s” has no low half.")
    remedy = mark("Enter who wins the whole pot.")


class TableCards(NamedTuple):
    """The cards on the table, and by seat those that were shown; "" and nothing where none were
    entered.
    """

    board: str = ""
    hands: Mapping[int, str] = {}


class CardRules(NamedTuple):
    """By what cards are compared: the variant's code, and the posted rules."""

    variant: str
    house: PokerRules
    hands: HandRules


def winners_of(
    pots: Sequence[GrossPot],
    tapped: Sequence[PotWinners],
    cards: TableCards,
    rules: CardRules,
) -> list[PotWinners]:
    """The winners of each pot, the main pot first: whose cards win, else who was tapped. Who shows
    nothing where another does has mucked.

    Raises CardsSayOther, LowUnplayed, WinnerOfNoPot, WinnerFolded, CardCount, CardTwice,
    CardUnknown.
    """
    variant = VARIANTS[rules.variant]
    if variant.low != "half" and any(won.low for won in tapped):
        raise LowUnplayed(variant=variant.title)
    if len(tapped) > len(pots):
        raise WinnerOfNoPot(entered=len(tapped), pots=len(pots))
    by_taps = [*tapped, *[PotWinners()] * (len(pots) - len(tapped))]
    if not cards.hands:
        parse_cards(cards.board, range(max(variant.board, 1) + 1))
        return by_taps
    left = {seat for pot in pots for seat in pot.seats}
    for seat in cards.hands:
        if seat not in left:
            raise WinnerFolded(seat=seat)
    by_cards = winners_by_rank(pots, *ranks_of(cards, rules))
    for number, pot in enumerate(pots):
        _check_same(number, pot, by_cards[number], by_taps[number])
    return [read if read.high else tap for read, tap in zip(by_cards, by_taps, strict=False)]


def ranks_of(cards: TableCards, rules: CardRules) -> tuple[dict[int, int], dict[int, int | None]]:
    """By seat the rank of the hand that wins a pot, or its high half, and of the low half, None
    where it does not qualify; the lower the better. Raises CardCount, CardTwice, CardUnknown.
    """
    variant = VARIANTS[rules.variant]
    board = parse_cards(cards.board)
    hands = {seat: parse_cards(hole) for seat, hole in cards.hands.items()}
    _check_counts(variant, board, hands)
    high: dict[int, int] = {}
    low: dict[int, int | None] = {}
    for seat, hole in hands.items():
        high[seat] = -_rank(variant, rules, hole, board)
        low[seat] = _low(variant, rules, hole, board)
    return high, low


def _check_counts(
    variant: Variant, board: tuple[int, ...], hands: Mapping[int, tuple[int, ...]]
) -> None:
    """A card that the deck could not give every guest lies before all (POK-1)."""
    common = 0 if variant.board else len(board)
    if common > 1 or (common and variant.hole < 7):
        raise CardCount(given=len(board), wanted="0-1" if variant.hole == 7 else "0")
    if variant.board and len(board) != variant.board:
        raise CardCount(given=len(board), wanted=str(variant.board))
    for cards in hands.values():
        if len(cards) != variant.hole - common:
            raise CardCount(given=len(cards), wanted=str(variant.hole - common))
    check_cards((*board, *(card for cards in hands.values() for card in cards)))


def _rank(variant: Variant, rules: CardRules, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    if variant.low == "only":
        kind = Low(rules.house.draw_low) if variant.hole == 5 else Low.ACE_TO_FIVE
        low = best_low(kind, hole, board)
        return low.rank if low else 0
    best = best_omaha if variant.hole == 4 else best_hand
    return best(hole, board).rank


def _low(
    variant: Variant, rules: CardRules, hole: tuple[int, ...], board: tuple[int, ...]
) -> int | None:
    if variant.low != "half":
        return None
    qualifier = rules.hands.low_qualifier
    if variant.hole == 4:
        low = best_omaha_low(hole, board, low_qualifier=qualifier)
    else:
        low = best_low(Low.EIGHT_OR_BETTER, hole, board, low_qualifier=qualifier)
    return -low.rank if low else None


def _check_same(number: int, pot: GrossPot, by_cards: PotWinners, by_taps: PotWinners) -> None:
    if not by_cards.high or not by_taps.high:
        return
    for seats, entered in zip(by_cards, by_taps, strict=True):
        if {*seats} != {*entered}:
            raise CardsSayOther(
                pot=number + 1,
                amount_minor=pot.amount_minor,
                seats=_listed(seats),
                entered=_listed(entered),
            )


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(seats))) or "–"
