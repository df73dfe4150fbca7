"""What the house refuses is told in the words of the story: of the refusals that belong to it, with what they name."""

import re
from collections.abc import Callable
from pathlib import Path

from casino.simulate.games import GAMES
from casino.simulate.texts import REFUSALS, refusal
from payouts.errors import Refused
from payouts.rules.hands.cards import CardTwice
from tables.errors import HoursClosed
from tables.games.blackjack.outcomes import CardsContradict
from tables.games.blackjack.taps import DoubledNoBust
from tables.games.uth.stakes import OffStep
from tables.rules.limits import OffStep as BoxOffStep
from tests.turns import each

WORDS = {code: text for game in GAMES.values() for code, text in game.REFUSALS.items()}
RAISED: dict[str, tuple[Callable[[], Refused], str]] = {
    "uth.off_step": (
        lambda: OffStep(box=2, kind="ante", step_minor=500, amount_minor=1501),
        "box 2, ante: only in steps of 5.00, not 15.01",
    ),
    "blackjack.cards_contradict": (
        lambda: CardsContradict(says="blackjack", tapped="win", box=1),
        "the cards say blackjack, but win was entered",
    ),
    "blackjack.doubled_no_bust": (
        lambda: DoubledNoBust(box=3, hand=2),
        "hand 2 of box 3 was doubled and is never bust",
    ),
    "box.off_step": (
        lambda: BoxOffStep(step_minor=1000, amount_minor=1501),
        "only in steps of 10.00, not 15.01",
    ),
    "cards.twice": (lambda: CardTwice(card="As"), "the card As appears more than once"),
    "table.hours_closed": (
        lambda: HoursClosed(opens="18:00", closes="03:00", now="04:12"),
        "on this gaming day tables open from 18:00 to 03:00; now it is 04:12",
    ),
}


@each("code", RAISED)
def test_what_a_refusal_names_is_told(code: str) -> None:
    make, told = RAISED[code]
    refused = make()
    assert refused.code == code
    assert refusal({"code": code, "title": "Auf Deutsch.", "data": refused.data}, WORDS) == told


def test_every_word_is_of_a_refusal_that_there_is() -> None:
    errors = (Path(__file__).parents[3] / "docs" / "errors.md").read_text()
    assert [code for code in REFUSALS | WORDS if f"| `{code}` |" not in errors] == []


def test_no_sentence_of_the_house_is_told_in_the_story() -> None:
    """It would be in the language of whoever is signed in there."""
    package = Path(__file__).parents[3] / "casino" / "simulate"
    told = [
        path.name
        for path in package.rglob("*.py")
        if re.search(r"""problem(\.get\(|\[)["'](title|detail)""", path.read_text())
    ]
    assert told == ["clients.py"]  # what a differing evening shows to a developer
