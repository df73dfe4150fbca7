"""Odds, paytables and what they give back: exact figures against published ones."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.rules.hands.ranks import Category, rank_ids
from payouts.rules.rulesets.odds import Odds, OddsUnknown
from payouts.rules.rulesets.own_hand import BOARDS, HANDS, class_counts
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS, PayLine, Paytable
from payouts.rules.rulesets.paytable_odds import edge_advice, frequencies, own_hand_advice, percent, table_odds
from tests.tables.games.uth.strategies import paytables
from tests.turns import each

CLASSES = ("three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush")
# The published numbers of seven-card hands.
PUBLISHED = [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324]


def trips(*pays: int) -> Paytable:
    return Paytable.of(**{hand: f"{pay}:1" for hand, pay in zip(CLASSES, pays, strict=True)})


def test_class_counts_are_the_published_ones() -> None:
    assert [class_counts()[hand].hands for hand in Category] == PUBLISHED
    assert sum(PUBLISHED) == HANDS == comb(52, 7)


def test_how_often_the_board_alone_makes_the_hand() -> None:
    """Checked by counting boards: which two further cards leave the hand as it is."""
    on_board = {hand: count.deals_on_board for hand, count in class_counts().items()}
    assert on_board[Category.ROYAL_FLUSH] == 4 * comb(47, 2)
    # A straight flush is lost as "the board's own" only to the one card above it that makes a higher one.
    nine_below_the_king, king_high = 4 * 8, 4
    assert on_board[Category.STRAIGHT_FLUSH] == nine_below_the_king * comb(46, 2) + king_high * comb(46, 2)
    # Four of a kind on the board stays as it is when no hole card is above the fifth card.
    quads = sum(
        48 // 12 * comb(47 - 4 * above, 2)
        for rank in range(13)
        for above in (sum(r > k and r != rank for r in range(13)) for k in range(13) if k != rank)
    )
    assert on_board[Category.FOUR_OF_A_KIND] == quads
    assert all(0 <= on_board[hand] <= BOARDS * class_counts()[hand].hands for hand in Category)


def test_the_board_count_of_full_houses_by_trying_every_hole() -> None:
    """Every full house on the board with every pair of hole cards, counted with the ranking alone; suits are alike, so
    one each.
    """
    count = 0
    for three in range(13):
        for two in range(13):
            if two != three:
                board = tuple(4 * three + suit for suit in range(3)) + tuple(4 * two + suit for suit in range(2))
                rest = [card for card in range(52) if card not in board]
                same = rank_ids(board)
                holes = ((first, second) for place, first in enumerate(rest) for second in rest[place + 1 :])
                count += 24 * sum(rank_ids(board + hole) == same for hole in holes)  # C(4,3) * C(4,2) suits
    assert count == class_counts()[Category.FULL_HOUSE].deals_on_board


@each(
    ("pays", "edge"),
    [
        ((3, 4, 7, 8, 30, 40, 50), "3.4979 %"),
        ((3, 4, 7, 9, 30, 40, 50), "0.9018 %"),
        ((3, 5, 6, 8, 30, 40, 50), "1.9040 %"),
    ],
)
def test_published_edges_of_trips(pays: tuple[int, ...], edge: str) -> None:
    assert percent(table_odds(trips(*pays)).edge) == edge


def test_the_posted_tables_are_the_printed_ones() -> None:
    assert trips(3, 4, 7, 8, 30, 40, 50) == UTH_TRIPS
    assert {line.hand.name.lower(): str(line.odds) for line in UTH_BLIND.lines} == {
        "straight": "1:1",
        "flush": "3:2",
        "full_house": "3:1",
        "four_of_a_kind": "10:1",
        "straight_flush": "50:1",
        "royal_flush": "500:1",
    }


@given(paytables())
def test_odds_are_expectation_and_variance_of_the_gain(table: Paytable) -> None:
    odds, chances = table_odds(table), frequencies()
    gains = [(chances[hand], Fraction(*table.odds().get(hand, (-1, 1)))) for hand in Category]
    mean = sum(chance * gain for chance, gain in gains)
    assert odds.edge == -mean
    assert odds.variance == sum(chance * (gain - mean) ** 2 for chance, gain in gains)
    assert odds.hit_rate == sum(line.probability for line in odds.lines)
    assert sum(line.returned for line in odds.lines) == 1 - odds.edge


def test_advice_on_likely_mistakes() -> None:
    assert own_hand_advice(UTH_TRIPS) == UTH_BLIND.advice() == ()
    assert [one.text() for one in trips(3, 7, 4, 8, 30, 40, 50).advice()] == ["A flush pays less than a straight."]
    assert [one.code for one in own_hand_advice(trips(3, 4, 7, 8, 30, 40, 30))] == ["paytable.falls"]
    assert [one.code for one in own_hand_advice(trips(4, 5, 7, 8, 30, 40, 50))] == ["paytable.edge_negative"]
    assert [one.code for one in own_hand_advice(trips(1, 1, 1, 1, 1, 1, 1))] == ["paytable.edge_high"]
    gaps = Paytable.of(flush="3:2", straight_flush="3:1").advice()
    assert [one.text() for one in gaps] == [
        "A full house pays less than a flush.",
        "A royal flush pays less than a straight flush.",
    ]
    assert edge_advice(Fraction(0)) == edge_advice(Fraction(1, 4)) == ()


@given(st.integers(0, 10**12), st.builds(Odds, st.integers(1, 10_000), st.integers(1, 10_000)), st.integers(1, 10_000))
def test_odds_down_and_up_meet_the_exact_amount(stake: int, odds: Odds, step: int) -> None:
    down, up, exact = odds.won(stake, step), odds.won(stake, step, up=True), Fraction(stake * odds.pays, odds.per)
    assert down <= exact <= up
    assert up - down in (0, step)
    assert down % step == up % step == 0
    assert odds.won(stake + 1, step) >= down


@given(st.builds(Odds, st.integers(1, 10_000), st.integers(1, 10_000)))
def test_odds_are_read_as_written(odds: Odds) -> None:
    assert Odds.parse(str(odds)) == odds


@each(
    "text",
    [
        "",
        "3",
        "3:0",
        "0:1",
        "3-2",
        " 3:2",
        "3:2 ",
        "-3:2",
        "10001:1",
        "1:10001",
        "3:2:1",
        "³:2",
        "03:2",
        None,
        3,
        "9" * 5000,
    ],
)
def test_what_is_no_odds_is_refused(text: object) -> None:
    with pytest.raises(OddsUnknown) as refusal:
        Odds.parse(text)  # type: ignore[arg-type]
    assert refusal.value.rule == "UTH-11"


def test_a_class_has_one_line() -> None:
    line = PayLine(hand=Category.FLUSH, odds=Odds(3, 2))
    for lines in ((line, line), ()):
        with pytest.raises(Refused):
            Paytable(lines=lines)
    with pytest.raises(Refused):
        PayLine(hand=5, odds=Odds(3, 2))
    with pytest.raises(Refused):
        PayLine(hand=Category.FLUSH, odds=(3, 2))
