"""What may be staked at Black Jack, at the lock and when the cards lie (BJ-5 to BJ-9, BOX-2 to BOX-5)."""

import pytest

from payouts.errors import Refused
from payouts.rules.hands.cards import read_cards
from payouts.rules.lines import Stake
from tables.games.base import Placed, Rules
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.placement import read_placement
from tables.games.blackjack.placing import Placement, place
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import check_lock
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table

ANN, BOB, CLEO, EVE = "ann", "bob", "cleo", "eve"
STAKES = [Stake(1, ANN, "stake", 3000), Stake(1, BOB, "stake", 2000), Stake(1, CLEO, "stake", 1000)]
SPLIT = Placed(Stake(1, ANN, "split_2", 3000), ANN)


def put(guest, act, later=(), cards="", bank="", rules=None, **more):
    """What a placement on box 1, for which Ann decides, brings: kind and amount, or the code and rule of its
    refusal."""
    bank = read_cards(bank)[0] if bank else None
    placement = Placement(1, guest, act, cards=read_cards(cards, decks=6), bank=bank, **more)
    try:
        placed = place(rules or BlackjackRules(), STAKES, later, placement, decider=ANN)
    except Refused as refused:
        assert refused.text()
        assert refused.remedy
        return refused.code.removeprefix("blackjack."), refused.rule
    assert placed.source == (placement.instead_of or guest)
    return placed.stake.kind, placed.stake.amount_minor


def by(guest, kind, amount, source=None):
    return Placed(Stake(1, guest, kind, amount), source or guest)


def test_double() -> None:
    """BJ-6: on 9, 10 or 11, by its own amount, even above the maximum; co-players after the owner, or another for
    them."""
    ann = by(ANN, "double_1", 3000)
    assert put(ANN, "double") == put(ANN, "double", cards="5h 6d") == ("double_1", 3000)
    assert put(BOB, "double", [ann], cards="5h 6d") == ("double_1", 2000)
    assert put(EVE, "double", [ann], instead_of=CLEO) == ("double_1", 1000)
    assert put(BOB, "double", [ann, by(EVE, "double_1", 1000, CLEO)], instead_of=CLEO) == ("placed_already", "BJ-6")
    assert put(ANN, "double", [ann]) == ("placed_already", "BJ-6")
    assert put(BOB, "double") == ("not_first", "BOX-2")
    assert put(BOB, "double", rules=BlackjackRules(coplayer_doubles="always")) == ("double_1", 2000)
    for cards in ("Th 2d", "4h 4d", "As 8d", "As 9d", "2h 3d 4d"):
        assert put(ANN, "double", cards=cards) == ("not_to_double", "BJ-6")
    soft = BlackjackRules(double_soft=True)
    assert put(ANN, "double", cards="As 8d", rules=soft) == ("double_1", 3000)
    assert put(ANN, "double", cards="As 7d", rules=soft) == ("not_to_double", "BJ-6")
    assert put(ANN, "double", hand=2) == put(EVE, "double") == ("no_stake_there", "BOX-5")


def test_an_amount_that_is_sent_is_the_stakes() -> None:
    """BJ-6, BJ-7, BJ-9: as much as lies there; even money brings none."""
    for act, more, amount in (("double", {}, 3000), ("split", {}, 3000), ("even_money", {"bank": "Ad"}, 0)):
        kind = {"double": "double_1", "split": "split_2"}.get(act, act)
        assert put(ANN, act, **more) == put(ANN, act, amount_minor=amount, **more) == (kind, amount)
        for other in (amount + 1, 1000):
            assert put(ANN, act, amount_minor=other, **more) == ("amount_differs", "BJ-6")
    assert put(ANN, "double", amount_minor=0) == ("amount_differs", "BJ-6")
    request = {"box": 1, "guest": "00000000-0000-4000-8000-000000000002", "act": "double"}
    assert [read_placement(request | more)[0].amount_minor for more in ({}, {"amount_minor": 0})] == [None, 0]


def test_double_a_black_jack() -> None:
    """BJ-5: as 11; co-players choose for themselves once the owner does, or always."""
    ann = by(ANN, "double_1", 3000)
    assert put(ANN, "double", cards="As Kd") == ("double_1", 3000)
    assert put(BOB, "double", [ann], cards="As Kd") == ("double_1", 2000)
    assert put(BOB, "double", cards="As Kd") == ("not_first", "BOX-2")
    always = BlackjackRules(coplayer_may_double_blackjack="always")
    assert put(BOB, "double", cards="As Kd", rules=always) == ("double_1", 2000)
    assert put(EVE, "double", [ann], cards="As Kd", instead_of=BOB) == ("no_stake_there", "BOX-5")
    assert put(ANN, "double", [SPLIT], cards="As Kd") == ("aces_once", "BJ-7")


def test_split() -> None:
    """BJ-7: by the original amount; who does not follow leaves the place to another; 9, 10, 11 of a hand may be
    doubled."""
    assert put(ANN, "split") == put(ANN, "split", cards="Kh Td") == ("split_2", 3000)
    assert put(BOB, "split", [SPLIT]) == ("split_2", 2000)
    assert put(EVE, "split", [SPLIT], instead_of=CLEO) == ("split_2", 1000)
    taken = by(EVE, "split_2", 1000, CLEO)
    assert put(CLEO, "split", [SPLIT, taken]) == ("placed_already", "BJ-6")
    assert put(EVE, "double", [SPLIT, taken, by(ANN, "double_2", 3000)], hand=2) == ("double_2", 1000)
    assert put(BOB, "split") == ("not_first", "BOX-2")
    assert put(ANN, "split", cards="Kh 9d") == put(ANN, "split", cards="3h 3d 3c") == ("not_a_pair", "BJ-7")
    assert put(ANN, "split", [SPLIT]) == ("hands_most", "BJ-7")
    three = BlackjackRules(max_hands_per_box=3)
    assert put(ANN, "split", [SPLIT], cards="8h 8d", rules=three) == ("split_3", 3000)
    assert put(ANN, "split", [SPLIT], cards="As Ad", rules=three) == ("aces_once", "BJ-7")
    assert put(ANN, "double", [SPLIT], hand=2, cards="8h 3d") == ("double_2", 3000)
    assert put(ANN, "double", [SPLIT], cards="As 9d") == ("aces_once", "BJ-7")


def test_a_doubled_hand_is_not_split() -> None:
    """BJ-7: two first cards; a doubled hand has three. The other hand of a split may be."""
    three = BlackjackRules(max_hands_per_box=3)
    ann = by(ANN, "double_1", 3000)
    assert put(ANN, "split", [ann]) == put(ANN, "split", [SPLIT, ann], rules=three) == ("hand_doubled", "BJ-7")
    always = BlackjackRules(coplayer_doubles="always")
    assert put(ANN, "split", [by(BOB, "double_1", 2000)], rules=always) == ("hand_doubled", "BJ-7")
    assert put(ANN, "split", [SPLIT, ann], hand=2, rules=three) == ("split_3", 3000)
    assert put(ANN, "double", [SPLIT]) == ("double_1", 3000)  # BJ-6: after a split too


def test_a_hand_that_is_not_there_is_not_split() -> None:
    """BJ-7: by nobody; and of a new hand nobody follows a split that the decider has not made."""
    three = BlackjackRules(max_hands_per_box=3)
    taken = by(EVE, "split_2", 1000, CLEO)
    assert put(ANN, "split", hand=2, rules=three) == put(BOB, "split", [SPLIT], hand=2) == ("no_stake_there", "BOX-5")
    assert put(EVE, "split", [SPLIT, taken], hand=2, rules=three) == ("not_first", "BOX-2")


def test_who_follows_a_split_names_the_hand_that_was_split() -> None:
    """BJ-7: of three hands, where the guest has not the same on the first two, the first is not taken for granted."""
    three = BlackjackRules(max_hands_per_box=4)
    bob, third = by(BOB, "split_2", 2000), by(ANN, "split_3", 3000)
    taken = by(BOB, "split_2", 1000, CLEO)
    for later, hand, brings in (([bob], 2, 2000), ([bob, taken], 2, 3000), ([bob, taken], 1, 2000), ([], 1, 2000)):
        assert put(BOB, "split", [SPLIT, *later, third], hand=hand, rules=three) == ("split_3", brings)
    assert put(BOB, "split", [SPLIT, third], hand=2, rules=three) == ("no_stake_there", "BOX-5")
    assert put(BOB, "split", [SPLIT, bob, third], named=False, rules=three) == ("split_3", 2000)
    for later in ([], [bob, taken]):
        assert put(BOB, "split", [SPLIT, *later, third], named=False, rules=three) == ("split_unclear", "BJ-7")
    assert put(BOB, "split", [SPLIT], named=False, rules=three) == ("split_2", 2000)
    sent = {"box": 1, "guest": "00000000-0000-4000-8000-000000000002", "act": "split"}
    read = [read_placement(sent | more)[0] for more in ({}, {"hand": 1})]
    assert [(one.hand, one.named) for one in read] == [(1, False), (1, True)]


def test_who_decides_since_another_has_left_follows_the_last_split_before_the_next() -> None:
    """PRM-2, BJ-7: Bob split, and left."""
    three, bob = BlackjackRules(max_hands_per_box=3), by(BOB, "split_2", 2000)
    assert put(ANN, "split", [bob]) == put(ANN, "split", [bob], rules=three) == ("split_2", 3000)
    assert put(ANN, "split", [bob, SPLIT], rules=three) == ("split_3", 3000)


def test_the_decider_doubles_the_own_stake_before_anothers() -> None:
    """BJ-6: co-players double when the owner does, also where it is the owner who pays."""
    assert put(ANN, "double", instead_of=CLEO) == ("not_first", "BOX-2")
    assert put(ANN, "double", [by(ANN, "double_1", 3000)], instead_of=CLEO) == ("double_1", 1000)
    assert put(ANN, "split", instead_of=CLEO) == ("not_first", "BOX-2")
    assert put(ANN, "double", instead_of=ANN) == ("double_1", 3000)


def test_a_box_with_even_money_has_a_black_jack() -> None:
    """BJ-5, BJ-9: its double is one of a Black Jack, whatever cards are known."""
    even, ann = by(CLEO, "even_money", 0), by(ANN, "double_1", 3000)
    always = BlackjackRules(coplayer_doubles="always")
    assert put(ANN, "double", [even]) == put(ANN, "double", [even], cards="As Kd") == ("double_1", 3000)
    assert put(BOB, "double", [even], rules=always) == ("not_first", "BOX-2")
    assert put(EVE, "double", [even, ann], instead_of=BOB) == ("no_stake_there", "BOX-5")
    assert put(ANN, "double", [even], cards="5h 6d") == ("no_blackjack", "BJ-9")


def test_where_it_is_not_known_who_decides_whoever_began_does() -> None:
    """BOX-2, BJ-7: of a round that was played without the server a co-player follows a split, and makes no third hand."""
    rules = Rules({"blackjack_rules": BlackjackRules()}, None, FloorRules())
    ann, bob = (f"00000000-0000-4000-8000-00000000000{number}" for number in (1, 2))
    stakes, later = [Stake(1, ann, "stake", 3000), Stake(1, bob, "stake", 2000)], []
    for guest, act, hand in ((ann, "split", 1), (bob, "split", 1), (ann, "double", 2), (bob, "double", 2)):
        sent = {"box": 1, "guest": guest, "act": act, "hand": hand}
        later.append(BLACKJACK.place(rules, stakes, later, sent, lambda _box, _away: None))
    assert [(one.stake.guest, one.stake.kind, one.stake.amount_minor) for one in later] == [
        (ann, "split_2", 3000), (bob, "split_2", 2000), (ann, "double_2", 3000), (bob, "double_2", 2000),
    ]  # fmt: skip


def test_insurance() -> None:
    """BJ-8: against an ace, up to half of all that the guest has there, on its own step."""
    ace = {"bank": "Ad"}
    assert put(ANN, "insurance", amount_minor=1500, **ace) == ("insurance", 1500)
    assert put(ANN, "insurance", amount_minor=1501, **ace) == ("insurance_too_much", "BJ-8")
    half = by(ANN, "insurance", 1500)
    assert put(ANN, "insurance", [half], amount_minor=1, **ace) == ("insurance_too_much", "BJ-8")
    assert put(ANN, "insurance", [half, SPLIT], amount_minor=1500, **ace) == ("insurance", 1500)
    assert put(BOB, "insurance", [half], amount_minor=999, **ace) == ("insurance", 999)
    step = BlackjackRules(insurance_step=500)
    assert put(ANN, "insurance", amount_minor=999, rules=step, **ace) == ("insurance_off_step", "BJ-8")
    assert put(ANN, "insurance", amount_minor=0, **ace) == ("insurance_off_step", "BJ-8")
    assert put(ANN, "insurance", amount_minor=500, bank="Kd") == ("no_ace", "BJ-8")
    assert put(ANN, "insurance", amount_minor=500) == ("no_ace", "BJ-8")
    assert put(ANN, "insurance", amount_minor=500, instead_of=ANN, **ace) == ("insurance", 500)
    assert put(ANN, "insurance", amount_minor=500, instead_of=BOB, **ace) == ("own_stakes_only", "BJ-8")
    assert put(EVE, "insurance", amount_minor=500, **ace) == ("no_stake_there", "BOX-5")
    assert put(ANN, "insurance", [by(ANN, "even_money", 0)], amount_minor=500, **ace) == (
        "even_money_or_insurance",
        "BJ-9",
    )


def test_even_money() -> None:
    """BJ-9: each player of a Black Jack against an ace, without insurance."""
    ace = {"bank": "Ad"}
    assert put(BOB, "even_money", cards="As Kd", **ace) == ("even_money", 0)
    assert put(BOB, "even_money", cards="9s Kd", **ace) == ("no_blackjack", "BJ-9")
    assert put(ANN, "even_money", [SPLIT], **ace) == ("no_blackjack", "BJ-9")
    assert put(ANN, "even_money", [by(ANN, "double_1", 3000)], **ace) == ("no_blackjack", "BJ-9")
    assert put(BOB, "even_money", bank="Kd") == ("no_ace", "BJ-8")
    assert put(BOB, "even_money", [by(BOB, "insurance", 500)], **ace) == ("even_money_or_insurance", "BJ-9")
    chosen = [by(BOB, "even_money", 0)]
    assert put(BOB, "even_money", chosen, **ace) == put(BOB, "double", chosen) == ("even_money_taken", "BJ-9")
    assert put(ANN, "split", chosen) == ("not_a_pair", "BJ-7")  # the round could not be settled


def test_nothing_else_comes_after_the_lock() -> None:
    """BOX-5."""
    assert put(ANN, "stake") == ("act_unknown", "BOX-5")


@pytest.mark.parametrize(
    ("stakes", "code", "rule"),
    [
        ([], "no_box", "BJ-2"),
        ([Stake(1, ANN, "double_1", 1000)], "kind_unknown", "BOX-5"),
        ([Stake(1, ANN, "coin", 500)], "kind_unknown", "BOX-5"),
        ([Stake(8, ANN, "stake", 1000)], "box_outside_layout", "BJ-1"),
        ([Stake(6, ANN, "stake", 1000)], "box_outside_layout", "BJ-1"),
        ([Stake(1, ANN, "stake", 1000)] * 2, "stake_twice", "BOX-2"),
        ([Stake(1, ANN, "stake", 3000), Stake(1, BOB, "stake", 3000)], "box_over_maximum", "BOX-3"),
    ],
)
def test_what_may_not_lie_at_the_lock(stakes, code, rule) -> None:
    with pytest.raises(Refused) as refused:
        check_lock(ten_table(5000), stakes, layout=5)
    assert (refused.value.code, refused.value.rule) == (f"blackjack.{code}", rule)


def test_stakes_are_within_the_posted_limits() -> None:
    """BOX-4."""
    check_lock(ten_table(5000), STAKES[1:], layout=5)
    for amount, code in ((500, "box.below_minimum"), (1500, "box.off_step"), (True, "box.amount_wrong")):
        with pytest.raises(Refused) as refused:
            check_lock(ten_table(5000), [Stake(1, ANN, "stake", amount)], layout=5)
        assert refused.value.code == code
