"""What a guest does when the cards lie, as it is sent: read strictly."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from payouts.errors import mark
from payouts.rules.hands.cards import card_texts
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR
from payouts.rules.rulesets.schema import picture
from tables.games.base import PlacementWrong
from tables.games.blackjack.placing import Placement
from tables.games.blackjack.points import ACE, place_of
from tables.games.blackjack.rules import BOXES
from tables.games.blackjack.shoe import parse_shoe
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE

_NEEDED = {"box", "guest", "act"}
_FIELDS = _NEEDED | {"hand", "amount_minor", "instead_of", "bank", "cards", "away"}
_HANDS, _GUESTS = 4, 99

A_PLACEMENT = mark("an object with a box, a guest and what the guest does")
A_NUMBER = mark("a whole number that is possible here")
A_GUEST = mark("the id of a guest")
SOME_GUESTS = mark("a list of ids of guests")
AN_ACT = mark("double, split, insurance or even_money")
A_CARD = mark("a card such as “Ah”")
SOME_CARDS = mark("cards such as “Ah Kd”")


def read_placement(raw: object) -> tuple[Placement, frozenset[str]]:
    """Read a placement, and which guests are away. Raises PlacementWrong, and CardUnknown,
    NotInShoe for cards.
    """
    if not isinstance(raw, dict) or not raw.keys() >= _NEEDED:
        raise PlacementWrong(field="placement", expected=A_PLACEMENT)
    if more := raw.keys() - _FIELDS:
        raise PlacementWrong(field=picture(min(more, key=str)), expected=A_PLACEMENT)
    if not isinstance(raw["act"], str):
        raise PlacementWrong(field="act", expected=AN_ACT)
    instead, away = raw.get("instead_of"), raw.get("away", [])
    if not isinstance(away, list) or len(away) > _GUESTS:
        raise PlacementWrong(field="away", expected=SOME_GUESTS)
    bank = _bank(raw.get("bank"))
    if bank is None and raw["act"] in (INSURANCE, EVEN_MONEY):
        raise PlacementWrong(field="bank", expected=A_CARD)
    placement = Placement(
        _number(raw, "box", 1, BOXES),
        _guest(raw["guest"], "guest"),
        raw["act"],
        _number(raw, "hand", 1, _HANDS, 1),
        _number(raw, "amount_minor", 0, AMOUNT_MAX_MINOR) if "amount_minor" in raw else None,
        None if instead is None else _guest(instead, "instead_of"),
        bank,
        _cards(raw.get("cards"), "cards"),
        "hand" in raw,
    )
    return placement, frozenset(_guest(one, "away") for one in away)


def particulars(raw: object) -> dict[str, Any]:
    """What a placement says beside the stake that it brings, in canonical form, without what it
    says nothing of. Raises as `read_placement`.
    """
    read, away = read_placement(raw)
    cards = {"cards": read.cards, "bank": () if read.bank is None else (read.bank,)}
    entered: dict[str, Any] = {
        name: " ".join(card_texts(several)) for name, several in cards.items() if several
    }
    return (
        entered
        | ({"away": sorted(away)} if away else {})
        | {
            "act": read.act,
            "hand": read.hand,
            "named": read.named,
        }
    )


def splits_aces(entered: Mapping[str, Any]) -> bool:
    """Whether the particulars of a placement are of aces that were split."""
    cards = parse_shoe(entered.get("cards", ""))
    return entered["act"] == "split" and bool(cards) and place_of(cards[0]) == ACE


def _number(raw: dict[str, Any], name: str, least: int, most: int, default: int = 0) -> int:
    value = raw.get(name, default)
    if type(value) is not int or not least <= value <= most:
        raise PlacementWrong(field=name, expected=A_NUMBER)
    return value


def _guest(raw: object, where: str) -> str:
    try:
        return str(UUID(raw))  # type: ignore[arg-type]  # whatever is no text is refused by it
    except (AttributeError, TypeError, ValueError) as error:
        raise PlacementWrong(field=where, expected=A_GUEST) from error


def _bank(raw: object) -> int | None:
    cards = _cards(raw, "bank")
    if len(cards) > 1:
        raise PlacementWrong(field="bank", expected=A_CARD)
    return cards[0] if cards else None


def _cards(raw: object, where: str) -> tuple[int, ...]:
    if raw is None or raw == "":
        return ()
    if not isinstance(raw, str) and not (
        isinstance(raw, list) and all(isinstance(card, str) for card in raw)
    ):
        raise PlacementWrong(field=where, expected=SOME_CARDS)
    return parse_shoe(raw)
