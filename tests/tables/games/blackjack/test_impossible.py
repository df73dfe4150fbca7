"""Whatever the cards refuse the taps refuse: every tap of a box of Black Jack, beside all hands and banks that cards
can make with the same stakes (BJ-1 to BJ-9, HAND-6).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from payouts.errors import Refused
from payouts.rules.hands.cards import read_cards
from payouts.rules.lines import Stake
from tables.games.blackjack.entries import Ending, Entry, HandEntry
from tables.games.blackjack.outcomes import ending_of
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.settle import Bank, HandOutcome, Result

ANN, BOB = "ann", "bob"
RANKS = "A23456789T"
RULES = [BlackjackRules(), BlackjackRules(coplayer_doubles="always", double_soft=True)]
# The bank in the end, of each total once with an ace first: it has not drawn, or as it must.
BANKS = ["", "9", "A", *("T7", "T8", "T9", "TT", "T65", "T6T", "TA"), *("A6", "A7", "A8", "A9", "A5T5", "A5T8", "AT")]
DOUBLED = ["54", "64", "65", "72", "A9", "AT"]
OTHERS = ["AT", "A6", "TT", "T9", "T8", "T7", "T6", "99"]
MORE = ["", *RANKS]
TAPS = [HandOutcome(*ends) for ends in product(Result, [None, *Result]) if ends[1] not in (ends[0], Result.BLACKJACK)]

Ends = tuple[Result, Result]  # of a hand, and of what was doubled on it


def stake(guest: str, kind: str, amount: int = 1000, *, box: int = 1, source: str = "") -> Stake:
    return Stake(box, guest, kind, amount, source or guest)


SHARED = [stake(ANN, "stake"), stake(BOB, "stake")]
SPLIT = [*SHARED, stake(ANN, "split_2")]
BESIDE = [*SHARED, stake(BOB, "stake", box=2)]
ONE_HAND = [
    SHARED,
    [*SHARED, stake(ANN, "double_1")],
    [*SHARED, stake(ANN, "double_1"), stake(BOB, "double_1")],
    [*SHARED, stake(ANN, "double_1"), stake(ANN, "double_1", source=BOB)],
    [*SHARED, stake(ANN, "insurance", 500)],
    [*SHARED, stake(ANN, "double_1"), stake(BOB, "insurance", 500)],
    [*SHARED, stake(ANN, "even_money", 0)],
    [*SHARED, stake(ANN, "even_money", 0), stake(BOB, "even_money", 0)],
    [*SHARED, stake(ANN, "double_1"), stake(BOB, "even_money", 0)],
    [*BESIDE, stake(BOB, "insurance", 500, box=2)],
    [*BESIDE, stake(BOB, "even_money", 0, box=2)],
]
TWO_HANDS = [
    SPLIT,
    [*SPLIT, stake(ANN, "double_2")],
    [*SPLIT, *(stake(guest, "double_1") for guest in (ANN, BOB)), stake(BOB, "insurance", 500)],
]


def second_box(stakes: Sequence[Stake]) -> dict[int, tuple[HandEntry, ...]]:
    """A box beside the one that is looked at, which does not wait for the bank's total."""
    kinds = {one.kind for one in stakes if one.box == 2}
    if not kinds:
        return {}
    natural = "even_money" in kinds
    tapped = HandOutcome(Result.BLACKJACK if natural else Result.BUST)
    return {2: (HandEntry(tapped, cards("AT" if natural else "TT5")),)}


@cache
def cards(ranks: str) -> tuple[int, ...]:
    """Cards of these ranks, of which six decks have enough."""
    return read_cards([rank + "shdc"[place % 4] for place, rank in enumerate(ranks)], decks=6)


def by_cards(rules: BlackjackRules, stakes: Sequence[Stake], hands: Sequence[str], bank: str) -> Ending | None:
    """How a round ended by its cards; None where they cannot lie so."""
    entered = tuple(HandEntry(None, cards(hand)) for hand in hands)
    try:
        return ending_of(rules, stakes, Entry({1: entered} | second_box(stakes), None, cards(bank)))
    except Refused:
        return None


def ends_of(hand: HandOutcome) -> Ends:
    """What was doubled ends with the rest where nothing else is entered of it."""
    return hand.result, hand.doubled or hand.result


def taken(rules: BlackjackRules, stakes: Sequence[Stake], hands: Sequence[HandOutcome], bank: Bank | None) -> bool:
    entry = Entry({1: tuple(map(HandEntry, hands))} | second_box_tapped(stakes), bank)
    try:
        return not ending_of(rules, stakes, entry).by_cards
    except Refused as refused:
        assert refused.code.startswith("blackjack.")
        return False


def second_box_tapped(stakes: Sequence[Stake]) -> dict[int, tuple[HandEntry, ...]]:
    return {box: tuple(one._replace(cards=()) for one in hands) for box, hands in second_box(stakes).items()}


def whole_hands(rules: BlackjackRules, stakes: Sequence[Stake]) -> Iterator[str]:
    """Two cards and one more; where co-players double alone, another one behind it."""
    doubles = sum(one.kind == "double_1" for one in stakes)
    fourth = ["", *"A6789T"] if doubles == 1 and rules.coplayer_doubles == "always" else [""]
    for parts in product(DOUBLED if doubles else OTHERS, MORE, fourth):
        yield "".join(parts)


def test_one_hand() -> None:
    for rules, stakes in product(RULES, ONE_HAND):
        ended = [by_cards(rules, stakes, [hand], bank) for hand, bank in product(whole_hands(rules, stakes), BANKS)]
        possible = {(ends_of(one.outcomes[1][0]), one.bank) for one in ended if one is not None}
        assert possible
        for tapped, bank in product(TAPS, [None, *Bank]):
            expected = (ends_of(tapped), bank or Bank.NONE) in possible
            assert taken(rules, stakes, [tapped], bank) is expected, (rules.coplayer_doubles, stakes, tapped, bank)


def beside(first: str, *, doubled: bool, waits: bool) -> str | None:
    """A second hand of a split for each of what the other one may be; None where there is none."""
    value = RANKS.index(first) + 1
    if doubled:  # hard ones, to 10
        return f"{first}{RANKS[9 - value]}2" if waits and 1 < value < 9 else None
    return first + "5" if waits else f"{first}TT" if value > 1 else None


def test_hands_of_a_split() -> None:
    """BJ-7: each beside another one that begins alike."""
    for rules, stakes in product(RULES, TWO_HANDS):
        kinds = {one.kind for one in stakes}
        possible: set[tuple[Ends, Ends, Bank]] = set()
        for first, bank in product(RANKS, BANKS):
            other = [beside(first, doubled=f"double_{hand}" in kinds, waits=len(bank) > 1) for hand in (1, 2)]
            if None in other:
                continue
            drawn = [
                first + second + third for second, third in product(RANKS, ("", "2", "3", "T", "9", "8", "7", "6"))
            ]
            firsts = [by_cards(rules, stakes, [hand, str(other[1])], bank) for hand in drawn]
            seconds = [by_cards(rules, stakes, [str(other[0]), hand], bank) for hand in drawn]
            one = {(ends_of(ended.outcomes[1][0]), ended.bank) for ended in firsts if ended}
            two = {(ends_of(ended.outcomes[1][1]), ended.bank) for ended in seconds if ended}
            possible |= {(a, b, at) for (a, at), (b, also) in product(one, two) if at is also}
        assert possible
        for one_hand, another, bank in product(TAPS, TAPS, [None, *Bank]):
            expected = (ends_of(one_hand), ends_of(another), bank or Bank.NONE) in possible
            assert taken(rules, stakes, [one_hand, another], bank) is expected, (stakes, one_hand, another, bank)
