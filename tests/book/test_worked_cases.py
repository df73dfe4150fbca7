"""The book's worked cases 1 to 5."""

from jackpot.rules.split import award
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.funding import FundingSchedule
from tables.games.uth.round import RoundRules, settle_cards
from tables.games.uth.settle import Result, UthCards
from tables.rules.limits import ten_table
from tables.rules.prime import BoxStake, allocate
from tests.book.tables import box, by_kind, nets, settled


def test_case_1_dealer_king_high_against_queen_high() -> None:
    result = settled("2c 7d 9h Jc 4s", "Kd 3h", "Qs 8c", 1)
    assert nets(result) == {"ante": 0, "blind": -15_00, "play": -15_00}
    assert by_kind(result)["ante"].returned_minor == 15_00
    assert by_kind(result)["ante"].rule == "UTH-4"


def test_case_2_a_flush_beats_trips_with_an_ante_of_15() -> None:
    result = settled("2c 7c 9c Jd 4s", "Js Jh", "Ac 5c", 1)
    assert result.outcomes[1].hand is not None
    assert (result.outcomes[1].hand.category, result.outcomes[1].result) == (Category.FLUSH, Result.WIN)
    assert nets(result) == {"ante": 15_00, "blind": 22_50, "play": 15_00}


def test_case_3_the_prime_rule() -> None:
    stakes = [
        BoxStake("owner", 100_00, owner=True, seated=True, distance=1),
        BoxStake("A", 300_00, distance=2),
        BoxStake("B", 300_00, seated=True, distance=3),
        BoxStake("C", 100_00, seated=True, distance=4),
    ]
    found = {one.guest: one for one in allocate(ten_table(500_00), stakes)}
    assert {guest: one.accepted_minor for guest, one in found.items()} == {
        "owner": 100_00,
        "B": 300_00,
        "A": 100_00,
        "C": 0,
    }
    assert (found["A"].returned_minor, found["C"].returned_minor) == (200_00, 100_00)
    assert found["C"].text() == "C gets 10000 back: rank 4 of PRM-1, maximum 50000 reached."
    assert found["A"].text() == "A gets 20000 back: rank 3 of PRM-1, 10000 left of the maximum 50000."


def test_case_4_three_winners_of_48_317_35() -> None:
    given = award(48_317_35, ["table 1", "table 2", "table 3"])
    assert [share for _, share in given.shares] == [16_105_78] * 3
    assert given.remainder_minor == 1
    assert FundingSchedule().seed_minor + given.remainder_minor == 10_000_01


def test_case_5_envy_for_a_royal_without_a_coin() -> None:
    holes = {1: "2d 7h", 2: "3d 8h", 3: "Ac 9s", 5: "5d 6h"}
    cards = UthCards.parse("Tc Jc Qc Kc 4s", "Kd 3h", holes)
    boxes = [box(number) for number in holes]
    result = settle_cards(RoundRules(), boxes, cards, dict.fromkeys(holes, 1), {1: 500, 2: 500, 5: 500})
    assert {line.box: line.prize_minor for line in result.lines if line.kind == "envy"} == {
        1: 500_00,
        2: 500_00,
        5: 500_00,
    }
    assert result.claims == ()
    assert all(line.paid_by == "house" for line in result.lines)
    assert all(line.prize_minor == 0 for line in result.lines if line.kind == "coin")
