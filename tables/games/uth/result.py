"""The result of a round of Ultimate Texas Hold'em as it is sent: read strictly, kept in one
canonical form.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from payouts.errors import mark
from payouts.rules.hands.cards import card_texts, check_cards, parse_cards
from payouts.rules.hands.ranks import Category, rank_ids
from payouts.rules.rulesets.paytable import MadeHand
from payouts.rules.rulesets.schema import picture
from tables.games.base import AN_OBJECT, FeedContradicts, ResultWrong
from tables.games.uth.settle import Outcome, Result, UthCards, made_hand

_FIELDS = {"board", "dealer", "dealer_without_pair", "dispute", "boxes"}
_BOX_FIELDS = {"play", "cards", "result", "hand", "on_board", "guest"}
_BOXES = {str(number): number for number in range(1, 100)}
_HANDS = {category.name.lower(): category for category in Category}

BOX_NUMBER = mark("the number of a box")
YES_OR_NO = mark("true or false")
A_RESULT = mark("win, lose, tie or fold")
A_HAND = mark("a hand such as full_house")
A_MULTIPLE = mark("a whole number from 0 to 10")
CARDS = mark("cards such as “Ah Kd”")
A_GUEST = mark("the id of the guest who plays the box")
NO_GUEST = mark("left out: the stakes say whose box it is")


@dataclass(frozen=True, slots=True)
class BoxReading:
    """What was entered for one box: Play as a multiple of the Ante, two cards, and what the
    croupier tapped.

    `guest`: whose box it is, where no stake says it (a royal flush on a box without a coin, where
    coins alone are entered).
    """

    play: int = 0
    cards: tuple[int, ...] = ()
    result: Result | None = None
    hand: MadeHand | None = None
    guest: str = ""

    def to_data(self) -> dict[str, Any]:
        """As plain JSON, without what was not entered."""
        data: dict[str, Any] = {"play": self.play}
        if self.cards:
            data["cards"] = " ".join(card_texts(self.cards))
        if self.result is not None:
            data["result"] = str(self.result)
        if self.hand is not None:
            data |= {"hand": self.hand.category.name.lower(), "on_board": self.hand.on_board}
        if self.guest:
            data["guest"] = self.guest
        return data


@dataclass(frozen=True, slots=True)
class UthReading:
    """A result as it was entered. `dispute`: somebody disagreed, so all cards are needed."""

    board: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    dealer_without_pair: bool = False
    dispute: bool = False
    boxes: Mapping[int, BoxReading] = field(default_factory=dict)

    @property
    def tapped(self) -> bool:
        """Whether the croupier said how boxes compare; otherwise the cards say it."""
        return any(box.result is not None for box in self.boxes.values())

    def cards(self) -> UthCards | None:
        """The cards, checked together; None when no board was entered. Raises CardTwice,
        CardCount."""
        holes = {number: box.cards for number, box in self.boxes.items() if box.cards}
        if not self.board and not self.dealer and not holes:
            return None
        return UthCards(self.board, self.dealer, holes)

    def outcomes(self) -> dict[int, Outcome]:
        """What was tapped. Raises ResultWrong for a box of which no result was entered."""
        found = {}
        for number, box in self.boxes.items():
            if box.result is None:
                raise ResultWrong(field=f"boxes.{number}.result", expected=A_RESULT)
            found[number] = Outcome(box.play, box.result, box.hand)
        return found

    def to_data(self) -> dict[str, Any]:
        """As plain JSON in canonical form."""
        data: dict[str, Any] = {
            "boxes": {str(number): self.boxes[number].to_data() for number in sorted(self.boxes)}
        }
        if self.board:
            data["board"] = " ".join(card_texts(self.board))
        if self.dealer:
            data["dealer"] = " ".join(card_texts(self.dealer))
        for name in ("dealer_without_pair", "dispute"):
            if getattr(self, name):
                data[name] = True
        return data


def read_result(raw: object) -> UthReading:
    """Read a result. Raises ResultWrong, and CardUnknown, CardTwice, CardCount for cards.

    >>> read_result({"boxes": {"1": {"play": 4, "result": "win", "hand": "flush"}}}).boxes[1].play
    4
    """
    data = _object(raw, "result", _FIELDS)
    boxes = _object(data.get("boxes", {}), "boxes", None)
    return UthReading(
        board=_cards(data.get("board"), "board"),
        dealer=_cards(data.get("dealer"), "dealer"),
        dealer_without_pair=_flag(data, "dealer_without_pair", ""),
        dispute=_flag(data, "dispute", ""),
        boxes={_number(name): _box(one, f"boxes.{name}") for name, one in boxes.items()},
    )


def read_feed(raw: object) -> dict[str, Any]:
    """The cards of a feed in canonical form: `{"boxes": {"1": "As Kd"}}`, with `board` and `dealer`
    as far as they are known.

    Raises ResultWrong, and CardUnknown, CardTwice for cards.
    """
    data = _object(raw, "cards", {"board", "dealer", "boxes"})
    holes = {
        _number(name): _cards(one, f"boxes.{name}")
        for name, one in _object(data.get("boxes", {}), "boxes", None).items()
    }
    fed: dict[str, Any] = {
        "boxes": {str(number): " ".join(card_texts(holes[number])) for number in sorted(holes)}
    }
    places = {name: _cards(data.get(name), name) for name in ("board", "dealer")}
    check_cards(tuple(card for place in (*places.values(), *holes.values()) for card in place))
    return fed | {name: " ".join(card_texts(cards)) for name, cards in places.items() if cards}


def with_feed(
    result: object,
    fed: Mapping[str, Any] | None,
    *,
    staked: Collection[int],
    coins_alone: bool = False,
) -> object:
    """A result that says `"feed": true`, with the cards that were fed; any other as it is, without
    that word.

    What is entered beside them stays; cards may be entered again, but not others. Cards of a box
    that has no stakes and is not entered are left out: nobody plays it. Where coins alone are
    entered somebody may, and a royal flush of theirs counts (PRG-6). Raises ResultWrong,
    FeedContradicts.
    """
    if not isinstance(result, dict) or "feed" not in result:
        return result
    asked = _flag(result, "feed", "")
    entered = {name: value for name, value in result.items() if name != "feed"}
    if not asked or fed is None:
        return entered
    for name in ("board", "dealer"):
        entered[name] = _one_reading(name, fed.get(name), entered.get(name))
    boxes = dict(_object(entered.get("boxes", {}), "boxes", None))
    for name, cards in fed["boxes"].items():
        plays = name in boxes or _number(name) in staked
        if not plays and not (
            coins_alone and _is_royal(_cards(entered["board"], "board"), parse_cards(cards))
        ):
            continue
        box, where = boxes.get(name, {}), f"boxes.{name}"
        boxes[name] = {
            **_object(box, where, None),
            "cards": _one_reading(f"{where}.cards", cards, box.get("cards")),
        }
    return entered | {"boxes": boxes}


def _is_royal(board: tuple[int, ...], hole: tuple[int, ...]) -> bool:
    """Whether these cards make a royal flush of the box's own."""
    return len(board + hole) == 7 and made_hand(rank_ids(board + hole), rank_ids(board)).own_royal


def _one_reading(where: str, fed: str | None, entered: object) -> object:
    """What was fed, or else entered. Raises FeedContradicts where both are there and differ, in
    whatever order.
    """
    hand = _cards(entered, where)
    if fed and hand and sorted(hand) != sorted(parse_cards(fed)):
        raise FeedContradicts(field=where, fed=fed, entered=" ".join(card_texts(hand)))
    return fed or entered


def _object(raw: object, where: str, fields: set[str] | None) -> Mapping[str, Any]:
    if not isinstance(raw, dict) or not all(isinstance(name, str) for name in raw):
        raise ResultWrong(field=where, expected=AN_OBJECT)
    if fields is not None and raw.keys() - fields:
        raise ResultWrong(field=f"{where}.{picture(min(raw.keys() - fields))}", expected=AN_OBJECT)
    return raw


def _number(name: str) -> int:
    if name not in _BOXES:  # in one spelling: "1" and "01" would be one box with two results
        raise ResultWrong(field=f"boxes.{picture(name)}", expected=BOX_NUMBER)
    return _BOXES[name]


def _box(raw: object, where: str) -> BoxReading:
    data = _object(raw, where, _BOX_FIELDS)
    play, result, hand = data.get("play", 0), data.get("result"), data.get("hand")
    if type(play) is not int or not 0 <= play <= 10:
        raise ResultWrong(field=f"{where}.play", expected=A_MULTIPLE)
    if result is not None and result not in list(Result):
        raise ResultWrong(field=f"{where}.result", expected=A_RESULT)
    if hand is not None and (not isinstance(hand, str) or hand not in _HANDS):
        raise ResultWrong(field=f"{where}.hand", expected=A_HAND)
    made = None if hand is None else MadeHand(_HANDS[hand], _flag(data, "on_board", where))
    cards, guest = (
        _cards(data.get("cards"), f"{where}.cards"),
        _guest(data.get("guest"), f"{where}.guest"),
    )
    return BoxReading(play, cards, None if result is None else Result(result), made, guest)


def _guest(raw: object, where: str) -> str:
    try:
        return "" if raw is None else str(UUID(raw if isinstance(raw, str) else ""))
    except ValueError as error:
        raise ResultWrong(field=where, expected=A_GUEST) from error


def _cards(raw: object, where: str) -> tuple[int, ...]:
    if raw is None or raw == "":
        return ()
    if not isinstance(raw, str) and not (
        isinstance(raw, list) and all(isinstance(card, str) for card in raw)
    ):
        raise ResultWrong(field=where, expected=CARDS)
    return parse_cards(raw)


def _flag(data: Mapping[str, Any], name: str, where: str) -> bool:
    value = data.get(name, False)
    if type(value) is not bool:
        raise ResultWrong(field=f"{where}.{name}".lstrip("."), expected=YES_OR_NO)
    return value
