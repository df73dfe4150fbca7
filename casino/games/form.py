"""The plain form in which a supervisor enters a round's result, and what it says as the games read
it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from payouts.rules.rulesets.paytable import BY_NAME, WORDS

_SUITS = {"♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c", "♠": "s", "♤": "s"}
_FLAGS = ("dealer_without_pair", "dispute", "feed")
HANDS = [(name, WORDS[category]) for name, category in BY_NAME.items()]


@dataclass(frozen=True, slots=True)
class BoxFields:
    """What is typed for one box."""

    box: int
    guests: str
    coin: bool
    play: str = ""
    result: str = ""
    hand: str = ""
    on_board: bool = False
    cards: str = ""


@dataclass(frozen=True, slots=True)
class ResultFields:
    """A result form: the whole table's fields and those of each box.

    Where coins alone are entered, `free` are the boxes without one and `guests` who may play there,
    by id and name: the cards of a royal flush there are entered with its guest, because Envy is
    paid for it (PRG-6).
    """

    boxes: list[BoxFields]
    level: str
    plays: tuple[int, ...]
    hands: list[tuple[str, str]]
    board: str = ""
    dealer: str = ""
    dealer_without_pair: bool = False
    dispute: bool = False
    feed: bool = False
    free: tuple[int, ...] = ()
    guests: tuple[tuple[str, str], ...] = ()
    other_box: str = ""
    other_cards: str = ""
    other_guest: str = ""


def cards_typed(text: str) -> str:
    """Cards as people write them ("10♥, kd" or "10hkd") as the rules read them ("Th Kd"); what is
    no card stays as it is.

    >>> cards_typed("10♥, kd"), cards_typed("ahKDqs"), cards_typed("dunno")
    ('Th Kd', 'Ah Kd Qs', 'dunno')
    """
    for sign, letter in _SUITS.items():
        text = text.replace(sign, letter)
    letters = "".join(text.replace(",", " ").split()).replace("10", "T").replace("\ufe0f", "")
    pairs = [
        letters[at].upper() + letters[at + 1 :][:1].lower() for at in range(0, len(letters), 2)
    ]
    known = all(
        len(pair) == 2 and pair[0] in "23456789TJQKA" and pair[1] in "cdhs" for pair in pairs
    )
    return " ".join(pairs) if known else text.strip()


def result_typed(typed: Mapping[str, str], boxes: Iterable[int]) -> dict[str, Any]:
    """The result as JSON, as it would come from a tablet: only what was entered."""
    result: dict[str, Any] = {name: True for name in _FLAGS if typed.get(name)}
    for name in ("board", "dealer"):
        if cards := cards_typed(typed.get(name, "")):
            result[name] = cards
    result["boxes"] = {str(box): entered for box in boxes if (entered := _box(typed, box))}
    if other := typed.get("other.box", ""):
        named = {
            "cards": cards_typed(typed.get("other.cards", "")),
            "guest": typed.get("other.guest", ""),
        }
        result["boxes"][other[:4]] = {name: value for name, value in named.items() if value}
    return result


def _box(typed: Mapping[str, str], box: int) -> dict[str, Any]:
    play, cards = typed.get(f"play.{box}", ""), cards_typed(typed.get(f"cards.{box}", ""))
    entered: dict[str, Any] = {}
    if play.isascii() and play.isdigit():
        entered["play"] = int(play[:4])
    if cards:
        entered["cards"] = cards
    for name in ("result", "hand"):
        if value := typed.get(f"{name}.{box}", ""):
            entered[name] = value
    if "hand" in entered and typed.get(f"on_board.{box}"):
        entered["on_board"] = True
    return entered


def fields_typed(empty: ResultFields, typed: Mapping[str, str]) -> ResultFields:
    """The form as it came, so that nothing typed is lost."""
    return ResultFields(
        [_fields_of_box(one, typed) for one in empty.boxes],
        empty.level,
        empty.plays,
        empty.hands,
        board=typed.get("board", ""),
        dealer=typed.get("dealer", ""),
        dealer_without_pair=bool(typed.get("dealer_without_pair")),
        dispute=bool(typed.get("dispute")),
        feed=bool(typed.get("feed")),
        free=empty.free,
        guests=empty.guests,
        other_box=typed.get("other.box", ""),
        other_cards=typed.get("other.cards", ""),
        other_guest=typed.get("other.guest", ""),
    )


def _fields_of_box(empty: BoxFields, typed: Mapping[str, str]) -> BoxFields:
    box = empty.box
    return BoxFields(
        box,
        empty.guests,
        empty.coin,
        play=typed.get(f"play.{box}", ""),
        result=typed.get(f"result.{box}", ""),
        hand=typed.get(f"hand.{box}", ""),
        on_board=bool(typed.get(f"on_board.{box}")),
        cards=typed.get(f"cards.{box}", ""),
    )


def fields_recorded(empty: ResultFields, result: Mapping[str, Any]) -> ResultFields:
    """The form filled with a result that was recorded, to be put right."""
    typed: dict[str, str] = {name: str(result.get(name) or "") for name in ("board", "dealer")}
    typed |= {name: "on" for name in _FLAGS if result.get(name)}
    for number, box in result.get("boxes", {}).items():
        typed |= {
            f"{name}.{number}": str(box[name])
            for name in ("play", "result", "hand", "cards")
            if name in box
        }
        if box.get("on_board"):
            typed[f"on_board.{number}"] = "on"
        if number in map(str, empty.free):
            typed |= {"other.box": number} | {
                f"other.{name}": str(box.get(name, "")) for name in ("cards", "guest")
            }
    return fields_typed(empty, typed)
