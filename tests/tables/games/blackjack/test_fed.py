"""What the cards that a shoe read say against stakes after the lock and results (BJ-2 to BJ-9, BOX-5, HAND-6)."""

import random  # noqa: TID251  (the dice are the same each time)
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import pytest

from jackpot.rules.jackpot_rules import JackpotRules
from payouts.errors import Refused
from payouts.rules.hands.cards import card_texts
from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import Posted
from tables.games.base import AgainstFeed, Placed, Rules
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.outcomes import ending_of
from tables.games.blackjack.points import MOST, bank_stands, points_of
from tables.games.blackjack.result import read_result
from tables.games.blackjack.rules import BlackjackRules
from tables.rules.floor import FloorRules

ANNA = str(UUID(int=1))
BEAT = str(UUID(int=2))
OWNERS = {1: ANNA, 2: BEAT}


def rules_of(**posted: Any) -> Rules:
    tables: dict[str, Posted] = {"blackjack_rules": BlackjackRules(**posted)}
    return Rules(tables, None, FloorRules(), JackpotRules())


RULES = rules_of(max_hands_per_box=3)


def lain(*kinds: str) -> list[Stake]:
    """Stakes of two boxes, and what came after the lock: `double_1@2` on box 2, `stake@1@2` of its guest on box 1."""
    stakes = [Stake(1, ANNA, "stake", 1000), Stake(2, BEAT, "stake", 1000)]
    for text in kinds:
        kind, box, *other = text.split("@")
        guest = OWNERS[int(other[0] if other else box)]
        stakes.append(Stake(int(box), guest, kind, 1000, source=guest))
    return stakes


def against_stake(fed: str, act: str, box: int, *kinds: str, **more: Any) -> str:
    """The code by which a stake is refused beside these cards; empty where it is taken."""
    later = [Placed(stake, stake.source) for stake in lain(*kinds)[2:]]
    placement = {"box": box, "guest": OWNERS[box], "act": act} | more
    if act in ("insurance", "even_money"):
        placement |= {"bank": "As", "amount_minor": 500 if act == "insurance" else 0}
    BLACKJACK.place(RULES, lain()[:2], later, placement, lambda box, _away: OWNERS[box])
    try:
        BLACKJACK.check_fed_stake(RULES, lain()[:2], later, placement, {"cards": fed}, came={})
    except AgainstFeed as refused:
        assert "%(" not in str(refused)
        return refused.code.removeprefix("round.feed_")
    return ""


# Boxes 1 and 2: first cards, the bank's, second cards; what is drawn.
LOW = "5h 6h As 6d 5d"  # both have eleven
STAKES = [
    # BJ-6: two cards, and none drawn since
    (LOW, "double", 1, [], ""),
    ("5h 6h As", "double", 1, [], ""),
    ("", "double", 1, [], ""),
    (LOW + " Kd", "double", 1, [], "read_on"),
    (LOW + " Kd", "double", 2, [], ""),  # box 1 may have drawn it
    (LOW + " Kd", "double", 2, ["double_1@1"], ""),
    (LOW + " Kd 2c", "double", 2, ["double_1@1"], "read_on"),
    (LOW + " 2d 2c 2h 2s", "double", 2, [], ""),
    ("Th 6h As Td 5d 2c 3c", "double", 2, [], "read_on"),  # 22 after one card: the other is box 2's
    ("Ah 6h As Td 5d 3c", "double", 2, [], "read_on"),  # a Black Jack draws none
    ("5h 9h As 9d 9d", "double", 2, [], "bars_stake"),
    ("5h Ah As 9d Td", "double", 2, [], ""),  # BJ-5: a Black Jack as 11
    # cards entered with it are those that were read
    ("5h 6h As 6d 5d", "double", 1, ["cards: 6d 5h"], ""),
    ("5h 6h As 6d 5d", "double", 1, ["cards: 5h 5d"], "contradicts"),
    # BJ-7
    ("8h 6h As 8d 5d", "split", 1, [], ""),
    ("8h 6h As 7d 5d", "split", 1, [], "bars_stake"),
    ("Th 6h As Kd 5d", "split", 1, [], ""),
    ("8h 6h As 8d 5d 3c", "split", 1, [], "read_on"),
    ("8h 6h As 8d 5d 3c", "double", 1, ["split_2@1"], ""),
    ("8h 6h As 8d 5d 4c", "double", 1, ["split_2@1"], "read_on"),  # twelve
    ("8h 6h As 8d 5d 3c 9c", "double", 1, ["split_2@1"], "read_on"),
    ("8h 6h As 8d 5d 3c 9c 2c", "double", 1, ["split_2@1", "hand: 2"], ""),
    ("8h 6h As 8d 5d 3c 9c 2c 4d", "double", 1, ["split_2@1", "double_1@1", "hand: 2"], "read_on"),
    ("8h 6h As 8d 5d 8c", "split", 1, ["split_2@1"], ""),
    ("8h 6h As 8d 5d 9c", "split", 1, ["split_2@1"], "read_on"),
    # BJ-8, BJ-9
    (LOW, "insurance", 1, [], ""),
    ("5h 6h Ks 6d 5d", "insurance", 1, [], "bars_stake"),
    (LOW + " Kd", "insurance", 2, [], "read_on"),
    (LOW + " Kd 2c", "insurance", 1, ["double_1@1"], ""),  # more of it, for what was doubled
    (LOW + " Kd 2c 3c", "insurance", 1, ["double_1@1", "double_1@2"], "read_on"),  # the third is the bank's
    ("Ah 6h As Td 5d", "even_money", 1, [], ""),
    ("Ah 6h As 9d 5d", "even_money", 1, [], "bars_stake"),
    ("Ah 6h Ks Td 5d", "even_money", 1, [], "bars_stake"),
    ("Ah 6h As Td 5d 2c", "even_money", 1, [], "read_on"),
]  # fmt: skip


def test_a_stake_comes_before_the_card_that_decides_it(subtests: pytest.Subtests) -> None:
    for cards, act, box, more, code in STAKES:
        with subtests.test(cards, act=act, box=box, more=more):
            kinds = [text for text in more if ":" not in text]
            entered: dict[str, Any] = dict(text.split(": ") for text in more if ":" in text)
            if "hand" in entered:
                entered["hand"] = int(entered["hand"])
            assert against_stake(cards, act, box, *kinds, **entered) == code


def against_result(cards: str, result: dict[str, Any], *kinds: str, **posted: Any) -> str:
    """The code by which a result is refused beside these cards; empty where it is taken."""
    rules = rules_of(**posted)
    stakes = lain(*kinds)
    ended = BLACKJACK.end(rules, stakes, result, level="fast")
    try:
        BLACKJACK.check_fed_result(rules, stakes, ended.result, {"cards": cards}, {}, level="fast")
    except AgainstFeed as refused:
        assert "%(" not in str(refused)
        return refused.code.removeprefix("round.feed_")
    return ""


def tapped(bank: str | None, *ends: str) -> dict[str, Any]:
    """A result: of each box its hands, `win bust`, or `win/lose` where what was doubled ends otherwise."""
    boxes = {}
    for box, text in enumerate(ends, 1):
        hands = []
        for end in text.split():
            result, _, doubled = end.partition("/")
            hands.append({"result": result} | ({"doubled_result": doubled} if doubled else {}))
        boxes[str(box)] = {"hands": hands}
    return {"boxes": boxes} | ({"bank": bank} if bank else {})


def typed(bank: str, *boxes: Sequence[str]) -> dict[str, Any]:
    hands = {str(box): {"hands": [{"cards": text} for text in cards]} for box, cards in enumerate(boxes, 1)}
    return {"bank_cards": bank, "boxes": hands}


WHOLE = "Th 9h 6s 6d 9d 5c Ts 5d"  # 16 or 21; 18; the bank 6 10 5: 21, or 16 and the rest
AGAIN = "8h 9h 6s 8d 9d 8c 2c Td Tc Jd Ts 2s"
MORE: list[Any] = [
    # The bank has 6, and what the boxes leave: box 1 may have drawn the five.
    (WHOLE, tapped("21", "push", "lose"), [], {}, ""),
    (WHOLE, tapped("bust", "win", "win"), [], {}, "ends_otherwise"),
    (WHOLE, tapped("20", "win", "lose"), [], {}, "ends_otherwise"),
    (WHOLE, tapped("21", "lose", "lose"), [], {}, "ends_otherwise"),  # then the bank had 6, 5, 10
    # nobody drew: 6 5 T is 21, and a five too many
    ("Th 9h 6s 6d 9d Ts 5d", tapped("21", "lose", "lose"), [], {}, ""),
    ("Th 9h 6s 6d 9d Ts 5d", tapped("21", "bust", "lose"), [], {}, "ends_otherwise"),
    ("Th 9h 6s 6d 9d Ts 5d", tapped("19", "lose", "lose"), [], {}, "ends_otherwise"),
    # a Black Jack is in the first two, and the bank's in its own
    ("Ah 9h Ks Kd 9d Ac", tapped("blackjack", "blackjack", "lose"), [], {}, ""),
    ("Ah 9h Ks Kd 9d Ac", tapped("20", "blackjack", "lose"), [], {}, "ends_otherwise"),
    ("Ah 9h Ks 9d 9d Tc", tapped("20", "blackjack", "lose"), [], {}, "ends_otherwise"),
    ("Ah 9h Ks Kd 9d Tc", tapped("20", "win", "lose"), [], {}, "ends_otherwise"),
    # less than a round: it says only what it has
    ("Th 9h 6s 6d 9d", tapped("20", "lose", "lose"), [], {}, ""),
    ("Th 9h 6s 6d 9d", tapped("blackjack", "lose", "lose"), [], {}, "ends_otherwise"),
    ("Th 9h 6s", tapped("blackjack", "lose", "lose"), [], {}, "ends_otherwise"),
    ("", tapped("20", "lose", "lose"), [], {}, ""),
    # doubled: one card (BJ-6)
    ("5h 9h 6s 6d 9d Tc Ts 2s", tapped("18", "win", "push"), ["double_1@1"], {}, ""),
    ("5h 9h 6s 6d 9d 2c 8c Ts 2s", tapped("18", "win", "push"), ["double_1@1"], {}, "ends_otherwise"),
    ("5h 9h 6s 4d 9d Tc Ts 2s", tapped("18", "win", "push"), ["double_1@1"], {}, ""),
    ("5h 9h 6s 3d 9d Tc Ts 2s", tapped("18", "push", "push"), ["double_1@1"], {}, "ends_otherwise"),
    # a co-player's one card, where the owner draws on
    ("5h 9h 6s 6d 9d 2c 8c Ts 2s", tapped("18", "win/lose", "push"), ["stake@1@2", "double_1@1"],
     {"coplayer_doubles": "always"}, ""),
    ("5h 9h 6s 6d 9d 2c 8c Ts 2s", tapped("18", "win/win", "push"), ["stake@1@2", "double_1@1"],
     {"coplayer_doubles": "always"}, "ends_otherwise"),
    # a Black Jack doubled as 11 (BJ-5)
    ("Ah 9h 6s Kd 9d 9c Ts 2s", tapped("18", "blackjack/win", "push"), ["double_1@1"], {}, ""),
    ("Ah 9h 6s Kd 9d 9c Ts 2s", tapped("18", "blackjack/lose", "push"), ["double_1@1"], {}, "ends_otherwise"),
    # split (BJ-7)
    ("8h 9h 6s 8d 9d 2c Tc Td Ts 2s", tapped("18", "win push", "push"), ["split_2@1"], {}, ""),
    ("8h 9h 6s 8d 9d 2c Tc Td Ts 2s", tapped("18", "push win", "push"), ["split_2@1"], {}, "ends_otherwise"),
    ("8h 9h 6s 7d 9d 2c Tc Td Ts 2s", tapped("18", "win push", "push"), ["split_2@1"], {}, "ends_otherwise"),
    ("Ah 9h 6s Ad 9d 2c Tc Ts 2s", tapped("18", "lose win", "push"), ["split_2@1"], {}, ""),
    # insurance against an ace alone (BJ-8)
    ("Th 9h As Td 9d 8c", tapped("19", "win", "lose"), ["insurance@1"], {}, ""),
    ("Th 9h 9s Td 9d Ac", tapped("20", "push", "lose"), ["insurance@1"], {}, "ends_otherwise"),
    # by cards: the same
    (WHOLE, typed("6s Ts 5d", ["Th 6d 5c"], ["9h 9d"]), [], {}, ""),
    (WHOLE, typed("6s Ts 5d", ["6d Th 5c"], ["9d 9h"]), [], {}, ""),
    (WHOLE, typed("6s Ts 5s", ["Th 6d 5c"], ["9h 9d"]), [], {}, "contradicts"),
    (WHOLE, typed("6s Ts 5d", ["Th 6d 4c"], ["9h 9d"]), [], {}, "contradicts"),
    (WHOLE, typed("6s 5c Ts", ["Th 6d"], ["9h 9d"]), [], {}, "contradicts"),  # a card too many was read
    (WHOLE, typed("6s Ts 5d", ["Th 6d 5c"], ["9h 9d 2c"]), [], {}, "contradicts"),
    ("Th 9h 6s 6d 9d Ts 5d", typed("6s Ts 5d", ["Th 6d"], ["9h 9d"]), [], {}, ""),
    # short of a round: what it has is the same; a whole round leaves no place for more
    ("Th 9h 6s 6d 9d", typed("6s Ts 5d", ["Th 6d 5c"], ["9h 9d"]), [], {}, ""),
    ("Th 9h Ts 2d 9d 7c", typed("Ts 8c", ["Th 2d 7c"], ["9h 9d"]), [], {}, "ends_otherwise"),
    # split again: which hand draws first is not known, but each draws to its end
    (AGAIN, typed("6s Ts 2s", ["8h 2c Td", "8d Tc", "8c Jd"], ["9h 9d"]), ["split_2@1", "split_3@1"], {}, ""),
    (AGAIN, typed("6s Ts 2s", ["8h Jd", "8d 2c Td", "8c Tc"], ["9h 9d"]), ["split_2@1", "split_3@1"], {}, ""),
    (AGAIN, typed("6s Ts 2s", ["8h 2c Tc", "8d Td", "8c Jd"], ["9h 9d"]), ["split_2@1", "split_3@1"], {},
     "ends_otherwise"),
    (AGAIN, typed("6s Ts 2s", ["8h 3c Td", "8d Tc", "8c Jd"], ["9h 9d"]), ["split_2@1", "split_3@1"], {},
     "contradicts"),
    (AGAIN, tapped("18", "win push push", "push"), ["split_2@1", "split_3@1"], {}, ""),
    (AGAIN, tapped("18", "push win push", "push"), ["split_2@1", "split_3@1"], {}, ""),
    (AGAIN, tapped("18", "win win push", "push"), ["split_2@1", "split_3@1"], {}, "ends_otherwise"),
    (AGAIN.replace("8c", "9c"), tapped("18", "win push push", "push"), ["split_2@1", "split_3@1"], {},
     "ends_otherwise"),  # no third eight
]  # fmt: skip


def test_a_result_is_one_of_the_cards_that_were_read(subtests: pytest.Subtests) -> None:
    for cards, result, kinds, posted, code in MORE:
        with subtests.test(cards, result=result, kinds=kinds):
            assert against_result(cards, result, *kinds, **{"max_hands_per_box": 3} | posted) == code


class Played:
    """A round as it is dealt: what guests do is thrown, a shoe reads each card, stakes are placed before their card."""

    def __init__(self, dice: random.Random) -> None:
        self.dice, self.fed = dice, ""
        self.shoe = [card for card in range(52) for _ in range(6)]
        dice.shuffle(self.shoe)
        self.boxes = sorted(dice.sample(range(1, 8), dice.randint(1, 4)))
        self.guest = {box: str(UUID(int=box)) for box in self.boxes}
        self.locked = [Stake(box, self.guest[box], "stake", 1000) for box in self.boxes]
        self.later: list[Placed] = []
        self.came: dict[tuple[int, str], int] = {}
        self.first = {box: [self.card()] for box in self.boxes}
        self.bank = [self.card()]
        for box in self.boxes:
            self.first[box].append(self.card())
        self.hands = {box: self.play(box) for box in self.boxes}
        waits = [hand for hands in self.hands.values() for hand in hands if points_of(hand).total <= MOST]
        while waits and (len(self.bank) < 2 or not bank_stands(points_of(self.bank), hits_soft_17=False)):
            self.bank.append(self.card())

    def card(self) -> int:
        card = self.shoe.pop()
        self.fed = " ".join([*self.fed.split(), *card_texts([card])])
        return card

    def placed(self, act: str, box: int, hand: int, cards: list[int]) -> bool:
        """Place it where the game takes it, and let the feed look at it."""
        placement = {"box": box, "guest": self.guest[box], "act": act, "hand": hand}
        placement |= {"cards": " ".join(card_texts(cards))}
        try:
            placed = BLACKJACK.place(RULES, self.locked, self.later, placement, lambda box, _away: self.guest[box])
        except Refused:
            return False
        cards_read = self.fed.split()
        fed = {"cards": " ".join(cards_read[: len(cards_read) - self.dice.choice((0, 0, 1, 2, 5))])}  # it may lag
        BLACKJACK.check_fed_stake(RULES, self.locked, self.later, placement, fed, came=self.came)
        self.later.append(placed)
        self.came[box, placed.stake.kind] = BLACKJACK.drawn(fed, self.boxes)
        return True

    def play(self, box: int) -> list[list[int]]:
        hands = [self.first[box]]
        number = 0
        while number < len(hands):
            hand, split = hands[number], len(hands) > 1
            if len(hand) < 2:
                hand.append(self.card())
                split = True
            if len(hands) < 3 and self.dice.random() < 0.8 and self.placed("split", box, number + 1, hand):
                hands.append([hand.pop()])
                continue
            number += 1
            if split and card_texts(hand[:1])[0][0] == "A":
                continue
            if self.dice.random() < 0.5 and self.placed("double", box, number, hand):
                hand.append(self.card())
                continue
            while points_of(hand).total < self.dice.randint(12, 21):
                hand.append(self.card())
        return hands

    def results(self) -> Iterator[dict[str, Any]]:
        """By cards, and by the taps that these are."""
        boxes = {
            str(box): {"hands": [{"cards": " ".join(card_texts(hand))} for hand in hands]}
            for box, hands in self.hands.items()
        }
        yield {"boxes": boxes, "bank_cards": " ".join(card_texts(self.bank))}
        entry = read_result({"boxes": boxes, "bank_cards": " ".join(card_texts(self.bank))})
        ending = ending_of(posted(), self.stakes, entry)
        taps = {
            str(box): {
                "hands": [
                    {"result": str(end.result)} | ({"doubled_result": str(end.doubled)} if end.doubled else {})
                    for end in ends
                ]
            }
            for box, ends in ending.outcomes.items()
        }
        yield {"boxes": taps, "bank": str(ending.bank)}

    @property
    def stakes(self) -> list[Stake]:
        return [*self.locked, *(placed.lies for placed in self.later)]


def posted() -> BlackjackRules:
    rules = RULES.posted["blackjack_rules"]
    assert isinstance(rules, BlackjackRules)
    return rules


def test_what_was_dealt_and_placed_in_its_turn_is_never_refused(subtests: pytest.Subtests) -> None:
    """The dice are the same each time."""
    dice = random.Random(40)
    kinds = set()
    for number in range(400):
        with subtests.test(number=number):
            played = Played(dice)
            kinds |= {placed.stake.kind for placed in played.later}
            for result in played.results():
                ended = BLACKJACK.end(RULES, played.stakes, result, level="fast")
                fed = {"cards": played.fed}
                BLACKJACK.check_fed_result(RULES, played.stakes, ended.result, fed, played.came, level="fast")
    assert kinds == {"double_1", "double_2", "double_3", "split_2", "split_3"}
