"""The exact edge of Black Jack: figures of hands against published ones (BJ-1 to BJ-9)."""

from fractions import Fraction

import pytest

from tables.games.blackjack.edge import hands as edge_hands
from tables.games.blackjack.edge.bank import NOTHING, Bank, with_card
from tables.games.blackjack.edge.hands import Hands
from tables.games.blackjack.edge.house import blackjack_value, value_of_deal
from tables.games.blackjack.edge.splits import Split
from tables.games.blackjack.points import ACE, TEN
from tables.games.blackjack.rules import BlackjackRules

# Six decks, the bank hits soft 17, no hole card, any two cards may be doubled: stand, hit, double (Wizard of Odds,
# Blackjack Appendix 9, "euro-6dh17r4", as of 2019).
PUBLISHED = {
    (1, 0): (-0.722356, -0.379910, -1.024099),
    (2, 1): (-0.721887, -0.529734, -1.443774),
    (5, 4): (-0.720879, -0.235772, -0.535879),
    (6, 0): (-0.466029, -0.421285, -0.909374),
}


def pair(place: int, other: int):
    return with_card(with_card(NOTHING, place), other)


def test_hands_are_worth_what_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_hands, "may_double", lambda counts, *, soft, split: sum(counts) == 2)
    hands = Hands(Bank(ACE, hits_soft_17=True), BlackjackRules(bank_hits_soft_17=True))
    for cards, figures in PUBLISHED.items():
        hand = pair(*cards)
        found = [Fraction(act(), hands._scale(hand)) for act in hands._acts(hand).values()]
        assert [round(float(one), 6) for one in found] == list(figures)[-len(found) :]


def test_black_jack_against_an_ace() -> None:
    """BJ-4: 3:2 unless the bank's next card is one of the 95 tens of the other 309."""
    hands = Hands(Bank(ACE, hits_soft_17=False), BlackjackRules())
    natural = pair(ACE, TEN)
    assert blackjack_value(hands, natural) == value_of_deal(hands, natural) == Fraction(3, 2) * Fraction(214, 309)


def test_a_card_that_nobody_has_looked_at_changes_nothing() -> None:
    """BJ-7 with more hands: a split hand is worth on average what it was before another card was dealt."""
    rules = BlackjackRules(max_hands_per_box=4)
    split = Split(Hands(Bank(5, hits_soft_17=False), rules), TEN, lost=1)
    same = split.chance(2, 0)
    before, with_ten, with_other = (split.value(*place).dealt for place in ((2, 0), (3, 0), (2, 1)))
    assert before == same * with_ten + (1 - same) * with_other
    pair_next, other_next = split.value(3, 0).pair, split.other_rank(2, 0)
    assert before == same * pair_next + (1 - same) * other_next


def test_best_play_goes_by_the_cards() -> None:
    """12 of ten and two draws against a bank's 4, 12 of seven and five stands; 11 is doubled, 20 stands."""
    hands = Hands(Bank(3, hits_soft_17=False), BlackjackRules())
    acts = {cards: hands.act(pair(*cards)) for cards in ((1, TEN), (4, 6), (4, 5), (TEN, TEN))}
    assert acts == {(1, TEN): "hit", (4, 6): "stand", (4, 5): "double", (TEN, TEN): "stand"}
