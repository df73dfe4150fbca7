"""Taps: they settle as the cards do wherever both are known, and what the cards or the deck deny is said exactly."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.paytable import MadeHand
from tables.games.uth.possible import UthTaps
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import Outcome, Result, UthCards, settle
from tables.games.uth.stakes import UthBox
from tables.games.uth.taps import check_taps, contradictions, settle_tapped
from tests.tables.games.uth.strategies import Case, cases
from tests.turns import each

GAME = UthGame()
DRY = "2c 7d 9h Jc 4s"
HANDS = st.one_of(st.none(), st.builds(MadeHand, st.sampled_from(Category), st.booleans()))
OUTCOMES = st.builds(Outcome, st.integers(-1, 6), st.sampled_from(Result), HANDS)
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text()
)


def boxes(*numbers: int) -> list[UthBox]:
    return [UthBox(number, f"g{number}", 1500, 1500, 500) for number in numbers]


def taps_of(case: Case) -> UthTaps:
    """What a croupier who makes no mistake taps."""
    settled = settle(*case)
    return UthTaps(settled.outcomes, dealer_without_pair=settled.dealer_pair is False)


def taps(*outcomes: tuple[int, Result, Category | MadeHand | None], no_pair: bool = False) -> UthTaps:
    found = {}
    for number, (play, result, hand) in enumerate(outcomes, 1):
        found[number] = Outcome(play, result, MadeHand(hand) if isinstance(hand, Category) else hand)
    return UthTaps(found, no_pair)


@given(cases())
def test_taps_and_cards_settle_alike(case: Case) -> None:
    by_cards, tapped = settle(*case), taps_of(case)
    assert settle_tapped(case.game, case.boxes, tapped).lines == by_cards.lines
    assert settle_tapped(case.game, case.boxes, tapped, case.cards).lines == by_cards.lines
    assert contradictions(case.boxes, tapped, case.cards) == ()


@given(cases(), st.data())
def test_some_of_the_cards_never_contradict_what_all_of_them_say(case: Case, data: st.DataObject) -> None:
    tapped = taps_of(case)
    known = data.draw(st.sets(st.sampled_from(sorted(case.cards.boxes))))
    some = UthCards(
        case.cards.board,
        case.cards.dealer if data.draw(st.booleans()) else (),
        {number: case.cards.boxes[number] for number in known},
    )
    assert contradictions(case.boxes, tapped, some) == ()
    assert settle_tapped(case.game, case.boxes, tapped, some).lines == settle(*case).lines


@given(cases())
def test_cards_supply_the_classes_that_nobody_tapped(case: Case) -> None:
    tapped = taps_of(case)
    blank = UthTaps(
        {number: one._replace(hand=None) for number, one in tapped.boxes.items()}, tapped.dealer_without_pair
    )
    assert settle_tapped(case.game, case.boxes, blank, case.cards).lines == settle(*case).lines


@given(cases(st.just(GAME)))
def test_a_class_that_was_not_tapped_pays_nothing_and_nothing_else_changes(case: Case) -> None:
    tapped = taps_of(case)
    blank = UthTaps(
        {number: one._replace(hand=None) for number, one in tapped.boxes.items()}, tapped.dealer_without_pair
    )
    for before, after in zip(settle(*case).lines, settle_tapped(GAME, case.boxes, blank).lines, strict=True):
        if before.reason.code in ("uth.blind_won", "uth.trips_won"):
            assert (after.won_minor, after.reason.code) in ((0, "uth.blind_back"), (0, "uth.trips_lost"))
        else:
            assert before[:9] == after[:9]


@given(cases(), st.data())
def test_one_wrong_result_is_named(case: Case, data: st.DataObject) -> None:
    tapped = taps_of(case)
    number = data.draw(st.sampled_from(sorted(tapped.boxes)))
    right = tapped.boxes[number]
    assume(right.result is not Result.FOLD)
    wrong = data.draw(
        st.sampled_from([result for result in (Result.WIN, Result.LOSE, Result.TIE) if result is not right.result])
    )
    changed = UthTaps({**tapped.boxes, number: right._replace(result=wrong)}, tapped.dealer_without_pair)
    found = contradictions(case.boxes, changed, case.cards)
    assert [(one.code, one.box, one.data["tapped"], one.data["cards"]) for one in found] == [
        ("uth.result_differs", number, str(wrong), str(right.result))
    ]
    with pytest.raises(Refused):
        settle_tapped(case.game, case.boxes, changed, case.cards)


@given(cases(), st.data())
def test_one_wrong_class_is_named(case: Case, data: st.DataObject) -> None:
    tapped = taps_of(case)
    number = data.draw(st.sampled_from(sorted(tapped.boxes)))
    right = tapped.boxes[number]
    assert right.hand is not None
    wrong = data.draw(st.sampled_from([hand for hand in Category if hand is not right.hand.category]))
    changed = UthTaps({**tapped.boxes, number: right._replace(hand=MadeHand(wrong))}, tapped.dealer_without_pair)
    found = contradictions(case.boxes, changed, case.cards)
    assert [(one.code, one.box) for one in found] == [("uth.hand_differs", number)]
    assert found[0].text().startswith(f"Box {number}: tapped ")


@given(cases())
def test_a_wrong_dealer_is_named(case: Case) -> None:
    tapped = taps_of(case)
    changed = replace(tapped, dealer_without_pair=not tapped.dealer_without_pair)
    found = contradictions(case.boxes, changed, case.cards)
    folded = all(one.result is Result.FOLD for one in tapped.boxes.values())
    assert [one.code for one in found] == ([] if folded else ["uth.dealer_differs"])


def test_a_royal_with_or_without_a_hole_card_is_told_apart() -> None:
    over_board = UthCards.parse("Tc Jc Qc Kc Ac", "Kd 3h", {1: "9s 9d"})
    found = contradictions(boxes(1), taps((1, Result.TIE, Category.ROYAL_FLUSH)), over_board)
    assert [one.text() for one in found] == [
        "Box 1: tapped a royal flush with a hole card, the cards make one on the board alone."
    ]
    own = UthCards.parse("Tc Jc Qc 4d 4s", "Kd 3h", {1: "Kc Ac"})
    found = contradictions(boxes(1), taps((1, Result.WIN, MadeHand(Category.ROYAL_FLUSH, on_board=True))), own)
    assert [one.code for one in found] == ["uth.royal_differs"]


def test_without_the_dealers_cards_only_what_no_dealer_could_have_is_denied() -> None:
    quads = UthCards.parse("2c 2d 9h Jc 4s", "", {1: "2s 2h"})
    assert contradictions(boxes(1), taps((1, Result.WIN, None)), quads) == ()
    found = contradictions(boxes(1), taps((1, Result.LOSE, None)), quads)
    assert [(one.code, one.data["boxes"]) for one in found] == [("uth.no_dealer_hand", "1")]
    plays_the_board = UthCards.parse("As Ks Qd Jc Th", "", {1: "2s 2h"})
    assert [one.code for one in contradictions(boxes(1), taps((1, Result.WIN, None)), plays_the_board)] == [
        "uth.no_dealer_hand"
    ]
    paired = UthCards.parse("2c 2d 9h Jc 4s", "", {})
    assert [one.text() for one in contradictions(boxes(1), taps((1, Result.WIN, None), no_pair=True), paired)] == [
        "Dealer: tapped no pair, the cards make one pair."
    ]
    assert contradictions(boxes(1), taps((1, Result.WIN, None)), paired) == ()


def test_results_that_exclude_each_other_are_denied_together() -> None:
    """Each alone could be; but a dealer whom the nines beat cannot beat the jacks."""
    cards = UthCards.parse(DRY, "", {1: "Js 3d", 2: "9s 3h"})
    both = taps((1, Result.LOSE, None), (2, Result.WIN, None))
    assert [one.data["boxes"] for one in contradictions(boxes(1, 2), both, cards)] == ["1, 2"]
    for number, outcome in both.boxes.items():
        alone = UthCards(cards.board, (), {number: cards.boxes[number]})
        assert contradictions(boxes(number), UthTaps({number: outcome}), alone) == ()


def test_cards_of_one_box_may_deny_what_was_tapped_for_another() -> None:
    flush = UthCards.parse("2c 7c 9c Jd 4s", "", {1: "Ac 5c"})
    with pytest.raises(Refused) as between:
        settle_tapped(GAME, boxes(1, 2), taps((1, Result.WIN, None), (1, Result.LOSE, Category.FULL_HOUSE)), flush)
    assert between.value.code == "uth.dealer_between"
    royal = UthCards.parse("Tc Jc Qc 4d 4s", "", {1: "Kc Ac"})
    with pytest.raises(Refused) as two:
        settle_tapped(GAME, boxes(1, 2), taps((1, Result.WIN, None), (1, Result.WIN, ROYAL)), royal)
    assert two.value.code == "uth.two_royals"


def test_the_refusal_lists_every_contradiction() -> None:
    cards = UthCards.parse(DRY, "Kd 3h", {1: "Ac Ad"})
    with pytest.raises(Refused) as refusal:
        settle_tapped(GAME, boxes(1), taps((1, Result.LOSE, Category.FLUSH)), cards)
    assert (refusal.value.code, refusal.value.rule) == ("uth.cards_contradict", "HAND-6")
    listed = refusal.value.data["contradictions"]
    assert isinstance(listed, list)
    assert [one["code"] for one in listed] == ["uth.hand_differs", "uth.result_differs", "uth.dealer_differs"]
    assert refusal.value.text() == (
        "The cards say otherwise: Box 1: tapped flush, the cards make one pair. Box 1: tapped lose, by the cards it is win."
        " Dealer: tapped at least a pair, the cards make high card."
    )


ROYAL, COMMUNITY = MadeHand(Category.ROYAL_FLUSH), MadeHand(Category.ROYAL_FLUSH, on_board=True)


@each(
    ("tapped", "code"),
    [
        (taps((1, Result.LOSE, ROYAL)), "uth.royal_not_beaten"),
        (taps((1, Result.TIE, ROYAL)), "uth.royal_not_beaten"),
        (taps((1, Result.WIN, ROYAL), (4, Result.WIN, ROYAL)), "uth.two_royals"),
        (taps((0, Result.FOLD, ROYAL), (4, Result.WIN, ROYAL)), "uth.two_royals"),
        (taps((1, Result.WIN, COMMUNITY)), "uth.board_not_beaten"),
        (taps((1, Result.LOSE, COMMUNITY)), "uth.board_not_beaten"),
        (taps((1, Result.TIE, COMMUNITY), (1, Result.WIN, None)), "uth.board_not_beaten"),
        (taps((1, Result.TIE, COMMUNITY), (0, Result.FOLD, ROYAL)), "uth.board_not_beaten"),
        (taps((1, Result.TIE, COMMUNITY), (1, Result.TIE, Category.FLUSH)), "uth.board_in_every_hand"),
        (taps((1, Result.TIE, COMMUNITY), no_pair=True), "uth.board_in_dealers_hand"),
        (
            taps((1, Result.LOSE, MadeHand(Category.FLUSH, on_board=True)), (1, Result.WIN, Category.STRAIGHT)),
            "uth.board_in_every_hand",
        ),
        (taps((1, Result.WIN, MadeHand(Category.FLUSH, on_board=True))), "uth.board_not_beaten"),
        (
            taps((1, Result.LOSE, MadeHand(Category.FLUSH, on_board=True)), (1, Result.WIN, None)),
            "uth.board_in_every_hand",
        ),
        (taps((1, Result.TIE, COMMUNITY), (0, Result.FOLD, None)), "uth.board_in_every_hand"),
        (taps((1, Result.LOSE, Category.FLUSH), (1, Result.WIN, Category.STRAIGHT)), "uth.dealer_between"),
        (taps((1, Result.TIE, Category.FLUSH), (1, Result.TIE, Category.STRAIGHT)), "uth.dealer_between"),
        (taps((1, Result.TIE, Category.ONE_PAIR), no_pair=True), "uth.dealer_between"),
        (taps((1, Result.LOSE, Category.STRAIGHT), no_pair=True), "uth.dealer_between"),
        (taps((1, Result.WIN, Category.HIGH_CARD)), "uth.dealer_between"),
        (taps((1, Result.LOSE, None), (1, Result.WIN, Category.FULL_HOUSE), no_pair=True), "uth.no_such_board"),
        (taps((1, Result.WIN, Category.FOUR_OF_A_KIND), (0, Result.FOLD, Category.HIGH_CARD)), "uth.no_such_board"),
        (
            taps((0, Result.FOLD, MadeHand(Category.FLUSH, on_board=True)), (1, Result.WIN, Category.FULL_HOUSE)),
            "uth.no_such_board",
        ),
        (
            taps(*[(1, Result.WIN, Category.FOUR_OF_A_KIND)] * 3, (0, Result.FOLD, Category.STRAIGHT_FLUSH)),
            "uth.no_such_board",
        ),
        (taps((1, Result.TIE, MadeHand(Category.STRAIGHT, on_board=True)), (1, Result.LOSE, None)), "uth.board_ties"),
        (taps((1, Result.TIE, Category.FLUSH), (1, Result.LOSE, None)), "uth.board_ties"),
    ],
)
def test_taps_that_no_deck_could_make_are_refused(tapped: UthTaps, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        settle_tapped(GAME, boxes(*tapped.boxes), tapped)
    assert refusal.value.code == code
    assert refusal.value.rule in ("UTH-4", "PRG-7")


@each(
    "tapped",
    [
        taps((1, Result.WIN, ROYAL), (4, Result.LOSE, Category.STRAIGHT_FLUSH)),
        taps((0, Result.FOLD, ROYAL), (1, Result.WIN, None)),
        taps((1, Result.TIE, COMMUNITY), (0, Result.FOLD, COMMUNITY), (2, Result.TIE, COMMUNITY)),
        taps((1, Result.LOSE, MadeHand(Category.FLUSH, on_board=True)), (1, Result.WIN, Category.FLUSH)),
        taps((1, Result.WIN, Category.HIGH_CARD), no_pair=True),
        taps((1, Result.LOSE, Category.HIGH_CARD), no_pair=True),
        taps((1, Result.LOSE, Category.FLUSH), (1, Result.WIN, Category.FLUSH)),
    ],
)
def test_strange_taps_that_a_deck_can_make_are_taken(tapped: UthTaps) -> None:
    assert settle_tapped(GAME, boxes(*tapped.boxes), tapped).lines


FULL = UthCards.parse("2c 2d 2h 4c 4s", "", {1: "9s 8d"})
PLAIN = [UthBox(number, f"g{number}", 1500, 1500) for number in (1, 2)]


@each("boxes_", [PLAIN, boxes(1, 2)])
@each("result", [Result.WIN, Result.LOSE, Result.TIE])
def test_a_class_is_needed_where_the_board_alone_makes_one_that_is_paid(boxes_: list[UthBox], result: Result) -> None:
    """UTH-6, UTH-7: the full house on the board is box 2's too; not to name it would be to pay it nothing."""
    tapped = taps((1, Result.LOSE, None), (1, result, None))
    if result is Result.WIN or boxes_[1].trips_minor:
        with pytest.raises(Refused) as refusal:
            settle_tapped(GAME, boxes_, tapped, FULL)
        assert (refusal.value.code, refusal.value.data["box"]) == ("uth.board_in_every_hand", 2)
    else:
        assert settle_tapped(GAME, boxes_, tapped, FULL).lines


def test_the_boards_cards_deny_a_lower_class_of_a_box_whose_cards_are_not_known() -> None:
    with pytest.raises(Refused) as refusal:
        settle_tapped(GAME, PLAIN, taps((1, Result.TIE, None), (1, Result.LOSE, Category.FLUSH)), FULL)
    assert (refusal.value.code, refusal.value.data["box"]) == ("uth.board_in_every_hand", 2)
    assert settle_tapped(GAME, PLAIN, taps((1, Result.TIE, None), (1, Result.WIN, Category.FOUR_OF_A_KIND)), FULL).lines


def test_trips_of_a_folded_box_needs_its_class_only_where_it_survives() -> None:
    tapped = taps((1, Result.TIE, None), (0, Result.FOLD, None))
    with pytest.raises(Refused):
        settle_tapped(GAME, boxes(1, 2), tapped, FULL)
    gone = UthGame(UthRules(side_bets_survive_fold=False))
    assert settle_tapped(gone, boxes(1, 2), tapped, FULL).lines[-1].rule == "UTH-10"


@given(cases(st.just(GAME)), st.dictionaries(st.integers(0, 8), OUTCOMES, max_size=7), st.booleans())
def test_fuzz_taps(case: Case, outcomes: dict[int, Outcome], no_pair: bool) -> None:
    tapped = UthTaps(outcomes, no_pair)
    for call in (
        lambda: check_taps(GAME, case.boxes, tapped),
        lambda: settle_tapped(GAME, case.boxes, tapped),
        lambda: settle_tapped(GAME, case.boxes, tapped, case.cards),
        lambda: settle_tapped(GAME, case.boxes, tapped, UthCards(case.cards.board, (), case.cards.boxes)),
        lambda: contradictions(case.boxes, tapped, case.cards),
    ):
        try:
            call()
        except Refused as refusal:
            assert refusal.code.startswith("uth.")
            assert refusal.text()
            assert refusal.rule


@given(ANYTHING)
def test_fuzz_play(play: object) -> None:
    for result in Result:
        try:
            settle_tapped(GAME, boxes(1), UthTaps({1: Outcome(play, result)}))  # type: ignore[arg-type]
        except Refused as refusal:
            assert refusal.rule == "UTH-3"
        else:
            assert type(play) is int
            assert play in ((0,) if result is Result.FOLD else (1, 2, 3, 4))
