"""Cards: text, numbers, and what is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.rules.hands.cards import (
    DECK,
    TEXTS,
    CardCount,
    CardTwice,
    CardUnknown,
    card_text,
    card_texts,
    check_cards,
    parse_cards,
)
from tests.payouts.rules.anything import ANYTHING
from tests.turns import each

REFUSED = CardUnknown, CardTwice, CardCount


def test_numbers_and_texts_of_a_deck() -> None:
    assert parse_cards("2c 2d 2h 2s 3c Td As") == (0, 1, 2, 3, 4, 33, 51)
    assert card_texts(DECK) == TEXTS
    assert parse_cards(TEXTS) == DECK
    assert len(set(TEXTS)) == 52


@each("cards", ["As Kd", "As,Kd", " As ,  Kd\n", ["As", "Kd"], ("As", "Kd"), [51, 45], ["As", 45], (51, "Kd")])
def test_cards_are_read_in_every_form(cards: Any) -> None:
    assert parse_cards(cards) == (51, 45)


def test_no_cards_are_no_cards() -> None:
    assert parse_cards("") == parse_cards([]) == parse_cards(()) == ()


@given(st.lists(st.sampled_from(DECK), unique=True))
def test_what_is_written_is_read_again(ids: list[int]) -> None:
    assert parse_cards(" ".join(card_texts(ids))) == parse_cards([card_text(card) for card in ids]) == tuple(ids)


@each(
    ("cards", "shown"),
    [
        ("Ax", "Ax"),
        ("as", "as"),
        ("AS", "AS"),
        ("10s", "10s"),
        ("AsKd", "AsKd"),
        (["As Kd"], "As Kd"),
        (["As", ""], ""),
        ([52], "52"),
        ([-1], "-1"),
        ([True], "bool"),
        ([1.0], "float"),
        ([None], "NoneType"),
        ([b"As"], "bytes"),
        ([["As"]], "list"),
        ([10**400], "int"),
        (["\0\ud800ä"], "??ä"),
        (["A" * 10_000], "A" * 20),
        ("A" * 10_000, "A" * 20),
        (None, "NoneType"),
        (7, "7"),
        (b"As", "bytes"),
        ({"As"}, "set"),
        ({"As": 1}, "dict"),
    ],
)
def test_what_is_no_card_is_refused_by_name(cards: Any, shown: str) -> None:
    with pytest.raises(CardUnknown) as refusal:
        parse_cards(cards)
    assert refusal.value.data == {"card": shown}
    assert shown in refusal.value.text()


def test_the_card_that_is_there_twice_is_named() -> None:
    with pytest.raises(CardTwice) as refusal:
        parse_cards("As Kd 7h Kd As")
    assert refusal.value.data == {"card": "Kd"}
    assert refusal.value.rule == "HAND-7"


@each(
    ("counts", "given_", "wanted"), [((4,), 2, "4"), ((5, 6, 7), 2, "5-7"), ((3, 4, 5), 2, "3-5"), ((0, 1), 2, "0-1")]
)
def test_a_wrong_count_says_what_is_wanted(counts: tuple[int, ...], given_: int, wanted: str) -> None:
    with pytest.raises(CardCount) as refusal:
        parse_cards("As Kd", counts)
    assert refusal.value.data == {"given": given_, "wanted": wanted}


def test_more_cards_than_a_deck_are_refused_before_they_are_read() -> None:
    with pytest.raises(CardCount) as refusal:
        parse_cards([object()] * 1_000_000)  # type: ignore[list-item]
    assert refusal.value.data == {"given": 1_000_000, "wanted": "0-52"}


def test_cards_of_several_hands_are_checked_together() -> None:
    assert check_cards((51, 45, 0)) == (51, 45, 0)
    with pytest.raises(CardTwice):
        check_cards(parse_cards("As Kd") + parse_cards("Kd 2c"))


@given(ANYTHING)
def test_anything_is_cards_or_one_of_three_refusals(anything: Any) -> None:
    for read in (parse_cards, card_text):
        try:
            answer = read(anything)
        except REFUSED as refusal:
            json.dumps(refusal.data).encode()
            refusal.text().encode()
            assert refusal.remedy
        else:
            assert answer in TEXTS or set(answer) <= set(DECK)
