"""Rounds of Black Jack settled from cards and from taps (BJ-1 to BJ-9)."""

import pytest

from payouts.errors import Refused
from payouts.rules.lines import Stake
from tables.games.base import LevelRefused, Rules
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.result import dealt, read_result
from tables.games.blackjack.rules import BlackjackRules
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table

RULES = BlackjackRules()
ANN, BOB = "ann", "bob"
ONE = [Stake(1, ANN, "stake", 1500)]
DOUBLED = [*ONE, Stake(1, ANN, "double_1", 1500)]
SPLIT = [*ONE, Stake(1, ANN, "split_2", 1500)]
INSURED = [*ONE, Stake(1, ANN, "insurance", 750)]
EVEN = [*ONE, Stake(1, ANN, "even_money", 0)]
SHARED = [*ONE, Stake(1, BOB, "stake", 1000)]


def settled(stakes, result, rules=RULES, level="fast"):
    """A round as it ended; what is kept of its result settles again to the same."""
    posted = Rules({"blackjack_rules": rules, "box_limits": ten_table(50_000)}, None, FloorRules())
    found = BLACKJACK.end(posted, stakes, result, level=level)
    assert BLACKJACK.end(posted, stakes, found.result, level=level) == found
    return found


def lines_of(found):
    """(kind, what is handed back and won, code) of each line."""
    return [(line.kind, line.paid_minor, line.reason.code.removeprefix("blackjack.")) for line in found.lines]


def paid(stakes, hands, bank_cards, rules=RULES, **more):
    """The lines of one box, its hands told by cards or by a tap."""
    hands = [{"cards": one} if one[0] in "23456789TJQKA" else {"result": one} for one in hands]
    return lines_of(settled(stakes, {"boxes": {"1": {"hands": hands}}, "bank_cards": bank_cards, **more}, rules))


@pytest.mark.parametrize(
    ("hand", "bank", "line"),
    [
        ("Th 9h", "Td 8d", (3000, "won")),  # BJ-3: higher
        ("Th 9h", "Td 6d 4c", (0, "lost")),
        ("Th 9h", "Td 9d", (1500, "push")),
        ("Th 2h", "Td 6d Tc", (3000, "won")),  # bank bust, whatever the hand
        ("Th 6h 6d", "Td 6d Tc", (0, "bust")),  # lost at once, though the bank is bust too
        ("As 6h Kd", "Td 7d", (1500, "push")),  # BJ-1: an ace counts 1 where 11 is too much
        ("As As 9h", "Td 5d 5c", (3000, "won")),  # BJ-10: and 11 for one of two, in favour of the guest
        ("Th 8h", "Ad 6d", (3000, "won")),  # the bank stands on a soft 17
        ("As Kh", "9d 5d 7c", (3750, "blackjack_won")),  # BJ-4: 3:2, and above another 21
        ("As Kh", "9d", (3750, "blackjack_won")),  # at once: nothing waits for the bank
        ("As Kh", "Ad 5d", (3750, "blackjack_won")),  # here the bank's second card does
        ("As Kh", "Ad Td", (1500, "blackjack_push")),
        ("7s 7h 7d", "Ad Td", (0, "bank_blackjack")),  # it beats any other 21
        ("7s 7h 7d", "Td 5d 6c", (1500, "push")),
        ("As 2h", "Td 7d", (0, "lost")),
        ("5s 5h Ad", "Td 7d 4c", None),  # a bank that stands draws no more
    ],
)
def test_one_stake_by_cards(hand, bank, line) -> None:
    if line is None:
        with pytest.raises(Refused) as refused:
            paid(ONE, [hand], bank)
        assert (refused.value.code, refused.value.rule) == ("blackjack.card_too_many", "BJ-11")
    else:
        assert paid(ONE, [hand], bank) == [("stake", *line)]


def test_half_a_minor_unit_of_three_to_two_stays_with_the_house() -> None:
    """BJ-4: 3:2 of 15 is 22, not 22.50, where there is nothing smaller."""
    assert paid([Stake(1, ANN, "stake", 15)], ["As Kh"], "9d") == [("stake", 15 + 22, "blackjack_won")]


def test_bank_that_hits_soft_17_draws_on() -> None:
    """BJ-1, Open `bank_hits_soft_17`."""
    hits = BlackjackRules(bank_hits_soft_17=True)
    with pytest.raises(Refused, match="must draw"):
        paid(ONE, ["Th 8h"], "Ad 6d", hits)
    assert paid(ONE, ["Th 8h"], "Ad 6d 2c", hits) == [("stake", 0, "lost")]


def test_bank_black_jack_takes_doubled_and_split_stakes_or_not() -> None:
    """BJ-4, Open `bank_blackjack_takes`."""
    original = BlackjackRules(bank_blackjack_takes="original")
    lost, back = ("bank_blackjack", 0), ("original_only", 1500)
    for stakes, hands in ((DOUBLED, ["5s 6h Td"]), (SPLIT, ["8s 3h", "8h Kd"])):
        second = stakes[1].kind
        assert paid(stakes, hands, "Td Ad") == [("stake", *lost[::-1]), (second, *lost[::-1])]
        assert paid(stakes, hands, "Td Ad", original) == [("stake", *lost[::-1]), (second, *back[::-1])]
    bust = paid(SPLIT, ["8s 3h", "8h 9d 8d"], "Td Ad", original)
    assert bust == [("stake", *lost[::-1]), ("split_2", 0, "bust")]  # lost before the bank had it


def test_a_black_jack_doubled_as_11_beside_one_that_is_paid() -> None:
    """BJ-5: the owner doubles, a co-player is paid 3:2."""
    stakes = [*SHARED, Stake(1, ANN, "double_1", 1500)]
    lines = [("stake", 0, "lost"), ("stake", 2500, "blackjack_won"), ("double_1", 0, "lost")]
    assert paid(stakes, ["As Kh 2d"], "9d 9h") == lines
    taps = {"boxes": {"1": {"hands": [{"result": "blackjack", "doubled_result": "lose"}]}}, "bank": "18"}
    assert lines_of(settled(stakes, taps)) == lines


def test_who_does_not_double_plays_on_unchanged() -> None:
    """BJ-6."""
    stakes = [*SHARED, Stake(1, ANN, "double_1", 1500)]
    lines = [("stake", 3000, "won"), ("stake", 2000, "won"), ("double_1", 3000, "won")]
    assert paid(stakes, ["5s 6h Td"], "9d 9h") == lines


def test_a_co_player_who_doubles_alone_gets_one_card_while_the_owner_draws() -> None:
    """BJ-6, Open `coplayer_doubles = always`."""
    always = BlackjackRules(coplayer_doubles="always")
    stakes = [*SHARED, Stake(1, BOB, "double_1", 1000)]
    lines = [("stake", 3000, "won"), ("stake", 0, "lost"), ("double_1", 0, "lost")]
    assert paid(stakes, ["5s 6h 2d 8c"], "9d 9h", always) == lines


def test_who_doubles_anothers_stake_has_an_own_one_that_ends_like_the_hand() -> None:
    """BJ-6, Open `coplayer_doubles = always`: Ann doubles Bob's stake, which gets one card; her own stake draws on. The
    double pays her. Of a split hand whose place she took both her stakes are doubled.
    """
    always = BlackjackRules(coplayer_doubles="always")
    stakes = [*SHARED, Stake(1, ANN, "double_1", 1000, BOB)]
    lines = [("stake", 3000, "won"), ("stake", 0, "lost"), ("double_1", 0, "lost")]
    for hand, bank, found in (("5s 6h 2d 8c", "9d 9h", lines), ("5s 6h 7d 8c", "9d 8h", None)):
        won = [("stake", 0, "bust"), ("stake", 2000, "won"), ("double_1", 2000, "won")]
        assert paid(stakes, [hand], bank, always) == (found or won)
    taps = {"boxes": {"1": {"hands": [{"result": "win", "doubled_result": "lose"}]}}, "bank": "18"}
    ended = settled(stakes, taps, always)
    assert (lines_of(ended), ended.lines[2].guest) == (lines, ANN)
    split = [
        Stake(1, ANN, "split_2", 1500, ANN),
        Stake(1, ANN, "split_2", 1000, BOB),
        Stake(1, BOB, "double_2", 2500, ANN),
    ]
    lines = [("stake", 3000, "won"), ("stake", 2000, "won"), *[("split_2", 0, "lost")] * 2, ("double_2", 0, "lost")]
    assert paid([*SHARED, *split], ["8s 3h 9d", "8h 3d 2c"], "9d 9h", always) == lines


def test_who_doubles_anothers_black_jack_is_paid_for_the_own_one() -> None:
    """BJ-5: only its own guest takes a stake as 11. What another doubled before the cards were known is paid as a Black Jack, and
    the double ends as 11.
    """
    stakes = [*SHARED, Stake(1, BOB, "double_1", 1000, BOB), Stake(1, BOB, "double_1", 1500, ANN)]
    hands = {"1": {"hands": [{"result": "blackjack", "doubled_result": "lose"}]}}
    alone = [*stakes[:2], stakes[3]]
    ann, lost = ("stake", 3750, "blackjack_won"), ("double_1", 0, "lost")
    for result in (
        {"boxes": hands, "bank": "18"},
        {"boxes": {"1": {"hands": [{"cards": "As Kh 2d"}]}}, "bank_cards": "9d 9h"},
    ):
        assert lines_of(settled(alone, result)) == [ann, ("stake", 2500, "blackjack_won"), lost]
        assert lines_of(settled(stakes, result)) == [ann, ("stake", 0, "lost"), lost, lost]


def test_hands_of_a_split_are_settled_each() -> None:
    """BJ-7: ace and ten is 21 there; split aces have one card; 9, 10, 11 may be doubled."""
    lines = [("stake", 1500, "push"), ("split_2", 0, "lost")]
    assert paid(SPLIT, ["As Kh", "Ah 6d"], "Td 5d 6c") == lines
    doubled = [*SPLIT, Stake(1, ANN, "double_2", 1500)]
    lines = [("stake", 0, "bust"), ("split_2", 3000, "won"), ("double_2", 3000, "won")]
    assert paid(doubled, ["8s 6h Td", "8h 3d 9c"], "9d 9h") == lines


def test_insurance_and_even_money() -> None:
    """BJ-8: 2:1 when the bank has a Black Jack, else lost. BJ-9: 1:1, whatever the bank has."""
    assert paid(INSURED, ["Ts 9h"], "Ad Kd") == [("stake", 0, "bank_blackjack"), ("insurance", 2250, "insurance_won")]
    assert paid(INSURED, ["Ts 9h"], "Ad 7d") == [("stake", 3000, "won"), ("insurance", 0, "insurance_lost")]
    even = [*SHARED, Stake(1, ANN, "even_money", 0)]
    marked = ("even_money", 0, "even_money_chosen")
    for bank, other in (("Ad Kd", (1000, "blackjack_push")), ("Ad 7d", (2500, "blackjack_won"))):
        assert paid(even, ["As Kh"], bank) == [("stake", 3000, "even_money"), ("stake", *other), marked]
    assert paid(even[:1] + even[2:], ["As Kh"], "Ad")[0] == ("stake", 3000, "even_money")  # it waits for no card


@pytest.mark.parametrize(
    ("stakes", "hands", "more", "code", "rule"),
    [
        (EVEN, ["lose"], {"bank": "blackjack"}, "no_blackjack", "BJ-9"),  # it was promised 1:1, whatever the bank has
        (EVEN, ["Th 9h"], {"bank_cards": "Ad Kd"}, "no_blackjack", "BJ-9"),
        (INSURED, ["Th 9h"], {"bank_cards": "Kd 9d"}, "no_ace", "BJ-8"),
        (ONE, ["win", "win"], {"bank": "18"}, "hand_unknown", "BJ-7"),
        (SPLIT, ["win"], {"bank": "18"}, "outcome_missing", "BJ-3"),
        (ONE, ["win"], {}, "bank_missing", "BJ-2"),
        (INSURED, ["bust"], {}, "bank_missing", "BJ-2"),
        (
            [*SHARED, Stake(1, ANN, "even_money", 0)],
            ["blackjack"],
            {},
            "bank_missing",
            "BJ-2",
        ),  # there is an ace (BJ-9)
        (INSURED, ["bust"], {"bank": "none"}, "bank_missing", "BJ-2"),
        ([*SHARED, Stake(1, ANN, "even_money", 0)], ["blackjack"], {"bank": "none"}, "bank_missing", "BJ-2"),
        (DOUBLED, ["bust"], {"bank": "bust"}, "doubled_no_bust", "BJ-6"),
        (DOUBLED, ["bust"], {"bank": "none"}, "doubled_no_bust", "BJ-6"),
        (ONE, ["win"], {"bank": "21"}, "taps_impossible", "BJ-3"),
        (ONE, ["lose"], {"bank": "bust"}, "taps_impossible", "BJ-3"),
        (ONE, ["push"], {"bank": "blackjack"}, "taps_impossible", "BJ-3"),
        (SPLIT, ["blackjack", "lose"], {"bank": "18"}, "split_is_no_blackjack", "BJ-7"),
        (DOUBLED, ["blackjack"], {"bank": "18"}, "outcome_missing", "BJ-3"),
        (ONE, ["Th 9h"], {}, "bank_missing", "BJ-2"),
        (ONE, ["As Kh"], {"bank_cards": "Ad"}, "bank_missing", "BJ-2"),
        (INSURED, ["Th 9h 5c"], {"bank_cards": "Ad"}, "bank_missing", "BJ-2"),
        (ONE, ["Th 9h"], {"bank_cards": "Ad 4d"}, "bank_draws_on", "BJ-1"),
        (ONE, ["Th"], {"bank_cards": "Ad 7d"}, "cards_missing", "BJ-2"),
        (ONE, ["Th 9h 5c 2c"], {"bank_cards": "Ad 7d"}, "card_too_many", "BJ-11"),
        (ONE, ["As Kh 2c"], {"bank_cards": "Ad 7d"}, "card_too_many", "BJ-11"),
        (DOUBLED, ["Th 2h 5c"], {"bank_cards": "Ad 7d"}, "not_to_double", "BJ-6"),
        (DOUBLED, ["As 8h 5c"], {"bank_cards": "Ad 7d"}, "not_to_double", "BJ-6"),
        (DOUBLED, ["5s 5h"], {"bank_cards": "Ad 7d"}, "doubled_one_card", "BJ-6"),
        (DOUBLED, ["5s 5h 2c 9c"], {"bank_cards": "Ad 7d"}, "doubled_one_card", "BJ-6"),
        (SPLIT, ["8s 9h", "9d Kd"], {"bank_cards": "Ad 7d"}, "not_a_pair", "BJ-7"),
        (SPLIT, ["As 9h 2d", "Ad Kd"], {"bank_cards": "Ad 7d"}, "aces_one_card", "BJ-7"),
        (ONE, ["As As As As As As"], {"bank_cards": "As 7d"}, "not_in_shoe", "BJ-1"),
        (ONE, ["Th 9h"], {"bank_cards": "Ad 7d", "bank": "20"}, "cards_contradict", "HAND-6"),
    ],
)
def test_what_cannot_be_is_refused(stakes, hands, more, code, rule) -> None:
    with pytest.raises(Refused) as refused:
        paid(stakes, hands, **({"bank_cards": ""} | more))
    assert (refused.value.code, refused.value.rule) == (f"blackjack.{code}", rule)
    assert refused.value.text()
    assert refused.value.remedy


def test_what_was_doubled_has_a_result_of_its_own_only_where_it_can_end_otherwise() -> None:
    """BJ-6: not where nothing was doubled, nor where co-players double with the owner."""
    for stakes in (ONE, DOUBLED):
        with pytest.raises(Refused, match="On hand 1 of box 1 nothing was doubled") as refused:
            settled(stakes, {"boxes": {"1": {"hands": [{"result": "win", "doubled_result": "lose"}]}}, "bank": "18"})
        assert (refused.value.code, refused.value.rule) == ("blackjack.nothing_apart", "BJ-6")


def refusal(stakes, hands, rules=RULES, **more):
    with pytest.raises(Refused) as refused:
        settled(stakes, {"boxes": {"1": {"hands": [hands]}}} | more, rules)
    return refused.value.code.removeprefix("blackjack."), refused.value.rule


def test_a_hand_on_which_every_stake_is_doubled_gets_one_card() -> None:
    """BJ-6, Open `coplayer_doubles = always`: it draws on only for a stake that is not doubled; and is then bust, or
    has less, as cards may make it so.
    """
    always = BlackjackRules(coplayer_doubles="always")
    alone, bank = [*SHARED, Stake(1, BOB, "double_1", 1000)], {"bank_cards": "9d 8h"}
    every = [*alone, Stake(1, ANN, "double_1", 1500)]
    paid_for = [*alone, Stake(1, BOB, "double_1", 1500, ANN)]
    assert paid(alone, ["5s 6h 2d 8c"], "9d 8h", always)
    for stakes in (DOUBLED, every, paid_for):
        assert refusal(stakes, {"cards": "5s 6h 2d 8c"}, always, **bank) == ("doubled_one_card", "BJ-6")
        two = {"result": "win", "doubled_result": "lose"}
        assert refusal(stakes, two, always, bank="18") == ("nothing_apart", "BJ-6")
        assert refusal(stakes, {"result": "bust"}, always, bank="18") == ("doubled_no_bust", "BJ-6")
    for ends in ({"result": "bust"}, {"result": "bust", "doubled_result": "bust"}):
        assert refusal(alone, ends, always, bank="18") == ("doubled_no_bust", "BJ-6")
    lower = {"result": "lose", "doubled_result": "push"}
    assert refusal(alone, lower, always, bank="19") == ("drawn_lower", "BJ-6")
    assert settled(alone, {"boxes": {"1": {"hands": [lower]}}, "bank": "20"}, always).source == "taps"
    natural = {"result": "blackjack", "doubled_result": "bust"}
    assert refusal(DOUBLED, natural, bank="18") == ("doubled_no_bust", "BJ-6")


def test_split_aces_are_not_split_again() -> None:
    """BJ-7, Open `max_hands_per_box = 3`: also where the cards were not known when it was split."""
    three, stakes = BlackjackRules(max_hands_per_box=3), [*SPLIT, Stake(1, ANN, "split_3", 1500)]
    with pytest.raises(Refused) as refused:
        paid(stakes, ["As 9h", "Ah 8h", "Ad 7h"], "9d 8h", three)
    assert (refused.value.code, refused.value.rule) == ("blackjack.aces_once", "BJ-7")
    assert len(paid(stakes, ["8s Th", "8h Td", "8d Ts"], "9d 8h", three)) == 3


def test_taps_beside_cards_that_say_otherwise_are_refused() -> None:
    """HAND-6: cards outrank taps. BJ-6: one tap is enough where what was doubled ends with the rest."""
    hands = {"1": {"hands": [{"cards": "Th 9h", "result": "lose"}]}}
    with pytest.raises(Refused, match="The cards say “win”, but “lose” was entered"):
        settled(ONE, {"boxes": hands, "bank_cards": "Td 8d"})
    always, stakes = BlackjackRules(coplayer_doubles="always"), [*SHARED, Stake(1, BOB, "double_1", 1000)]
    won = {"boxes": {"1": {"hands": [{"cards": "5s 4h 9d 2c", "result": "win"}]}}, "bank_cards": "9d 8h"}
    assert {line[-1] for line in lines_of(settled(stakes, won, always))} == {"won"}
    lost = {"boxes": {"1": {"hands": [{"cards": "5s 4h 2d 8c", "result": "lose"}]}}, "bank_cards": "9d 8h"}
    with pytest.raises(Refused, match="The cards say “win”, but “lose” was entered"):
        settled(stakes, lost, always)


def test_full_cards_takes_no_taps() -> None:
    taps = {"boxes": {"1": {"hands": [{"result": "win"}]}}, "bank": "bust"}
    assert settled(ONE, taps).source == "taps"
    with pytest.raises(LevelRefused, match="all cards are entered"):
        settled(ONE, taps, level="full_cards")
    cards = {"boxes": {"1": {"hands": [{"cards": "Th 9h"}]}}, "bank_cards": "Td 8d"}
    assert settled(ONE, cards, level="full_cards").source == "cards"


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {"bank": "22"},
        {"bank": 20},
        {"boxes": []},
        {"boxes": {"01": {"hands": [{}]}}},
        {"boxes": {"8": {"hands": [{}]}}},
        {"boxes": {"1": {"hands": []}}},
        {"boxes": {"1": {"hands": [{}] * 5}}},
        {"boxes": {"1": {"hands": [{"result": "tie"}]}}},
        {"boxes": {"1": {"hands": [{"doubled_result": "win"}]}}},
        {"boxes": {"1": {"hands": [{"result": "blackjack", "doubled_result": "blackjack"}]}}},
        {"boxes": {"1": {"hands": [{"cards": 5}]}}},
        {"boxes": {"1": {"hands": [{"cards": "1x"}]}}},
        {"boxes": {"1": {"hands": [{"chips": 1}]}}},
        {"more": 1},
    ],
)
def test_what_cannot_be_read_is_refused(raw) -> None:
    with pytest.raises(Refused) as refused:
        read_result(raw)
    assert refused.value.code in ("round.result_wrong", "cards.unknown")


def test_a_shoe_is_dealt_in_the_order_of_the_game() -> None:
    """BJ-2: a card each, the bank's, a second each, what each box draws, the rest for the bank; a
    split hand takes the second card.
    """
    boxes, bank = dealt(range(20), [2, 5, 6], {2: [3], 5: [3, 2], 6: [2]})
    assert boxes == {2: [(0, 4, 7)], 5: [(1, 8, 9), (5, 10)], 6: [(2, 6)]}
    assert bank == (3, *range(11, 20))
    assert dealt([0, 1], [1, 2, 3], {}) == ({1: [(0,)], 2: [(1,)], 3: [()]}, ())


def test_a_shoe_and_how_many_cards_each_hand_has_are_the_whole_result() -> None:
    """BJ-2: what a feed read is given to the hands; other cards entered by hand are refused."""
    stakes = [*DOUBLED, Stake(4, BOB, "stake", 1000)]
    fed = BLACKJACK.read_feed({"cards": ["5s", "Th", "9d", "6h", "7c", "Td", "8d"]})
    assert fed == {"cards": "5s Th 9d 6h 7c Td 8d"}
    asked = {"feed": True, "boxes": {"1": {"hands": [{"count": 3}]}}}
    result = BLACKJACK.with_feed(asked, fed, staked={1, 4}, level="full_cards")
    hands = {"1": {"hands": [{"cards": "5s 6h Td"}]}, "4": {"hands": [{"cards": "Th 7c"}]}}
    assert result == {"boxes": hands, "bank_cards": "9d 8d"}
    found = lines_of(settled(stakes, result, level="full_cards"))
    assert found == [("stake", 3000, "won"), ("double_1", 3000, "won"), ("stake", 1000, "push")]
    for other in ({"bank_cards": "9d 9h"}, {"boxes": {"1": {"hands": [{"count": 3, "cards": "5s 6h Tc"}]}}}):
        with pytest.raises(Refused, match="the feed read"):
            BLACKJACK.with_feed(asked | other, fed, staked={1, 4}, level="full_cards")
    plain = {"boxes": {"1": {"hands": [{"result": "win"}]}}, "bank": "bust"}
    assert BLACKJACK.with_feed(plain, fed, staked={1}, level="fast") == plain
    assert BLACKJACK.with_feed(plain | {"feed": False}, fed, staked={1}, level="fast") == plain
    for bad in ({"feed": 1}, {"feed": True, "boxes": {"1": {"hands": [{"count": 1}]}}}):
        with pytest.raises(Refused, match="cannot be read"):
            BLACKJACK.with_feed(bad, fed, staked={1}, level="fast")


def test_coins_alone_are_no_black_jack() -> None:
    posted = Rules({"blackjack_rules": RULES, "box_limits": ten_table(50_000)}, None, FloorRules())
    with pytest.raises(LevelRefused, match="has no coin"):
        BLACKJACK.check(posted, ONE, layout=7, level="jackpot_only")
    BLACKJACK.check(posted, [Stake(7, ANN, "stake", 1000)], layout=7, level="full_cards")
