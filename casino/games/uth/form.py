"""The plain form in which a supervisor enters a round's result, and what it says as the game reads
it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from casino.games.form import BoxFields, card_codes, cards_field, choice_field, tick_field
from payouts.rules.plain import Json
from payouts.rules.rulesets.paytable import BY_NAME, WORDS

_FLAGS = ("dealer_without_pair", "dispute", "feed")


class ResultForm(forms.Form):
    """What is asked for at the round's level of entry: of the whole table, of each box, and of a
    box without a coin.

    Where coins alone are entered, `free` are the boxes without one and `guests` who may play there,
    by id and name: the cards of a royal flush there are entered with its guest, because Envy is
    paid for it (PRG-6).
    """

    def __init__(
        self,
        at: str,
        entered: Mapping[str, str],
        level: str,
        boxes: Sequence[tuple[int, str, bool]],
        plays: Iterable[int],
        free: Sequence[int] = (),
        guests: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(initial=dict(entered), auto_id=f"{at}-%s", label_suffix="")
        self.whole = self._add(_whole(level)) if level != "jackpot_only" or boxes else []
        self.boxes = [BoxFields(*one, self._add(_of_box(one[0], level, plays))) for one in boxes]
        self.other = self._add(_other(free, guests)) if free else []

    def _add(self, fields: dict[str, forms.Field]) -> list[BoundField]:
        self.fields |= fields
        return [self[name] for name in fields]


def _whole(level: str) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        "board": cards_field(_("Board"), most=40, placeholder="Ah Kd 10s 4c 2h")
    }
    if level != "jackpot_only":
        fields["dealer"] = cards_field(_("Dealer's cards"))
    if level == "fast":
        fields["dealer_without_pair"] = tick_field(_("Dealer without a pair"))
        fields["dispute"] = tick_field(_("Dispute: all cards are needed"))
    return fields | {"feed": tick_field(_("With the cards that the shoe read"))}


def _of_box(box: int, level: str, plays: Iterable[int]) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    if level != "jackpot_only":
        fields["play"] = choice_field(
            _("Play"), [*((str(one), f"{one}×") for one in plays), ("0", _("none"))]
        )
    if level == "fast":
        results = [
            ("win", _("wins")),
            ("lose", _("loses")),
            ("tie", _("stand-off")),
            ("fold", _("folds")),
        ]
        fields["result"] = choice_field(_("Result"), results)
    if level != "full_cards":
        fields["hand"] = choice_field(
            _("Hand"), [(name, _(WORDS[category])) for name, category in BY_NAME.items()]
        )
        fields["on_board"] = tick_field(_("lies on the board"))
    fields["cards"] = cards_field(_("Cards"), placeholder="As Kd")
    return {f"{name}.{box}": field for name, field in fields.items()}


def _other(free: Iterable[int], guests: Iterable[tuple[str, str]]) -> dict[str, forms.Field]:
    return {
        "other.box": choice_field(_("Box"), [(str(box), str(box)) for box in free]),
        "other.guest": choice_field(_("Guest"), guests),
        "other.cards": cards_field(_("Cards")),
    }


def result_of_form(typed: Mapping[str, str], boxes: Iterable[int]) -> dict[str, Json]:
    """The result as JSON, as it would come from a tablet: only what was entered."""
    result: dict[str, Json] = {name: True for name in _FLAGS if typed.get(name)}
    for name in ("board", "dealer"):
        if cards := card_codes(typed.get(name, "")):
            result[name] = cards
    of_boxes: dict[str, Json] = {
        str(box): entered for box in boxes if (entered := _box(typed, box))
    }
    if other := typed.get("other.box", ""):
        named = {
            "cards": card_codes(typed.get("other.cards", "")),
            "guest": typed.get("other.guest", ""),
        }
        of_boxes[other[:4]] = {name: value for name, value in named.items() if value}
    return result | {"boxes": of_boxes}


def _box(typed: Mapping[str, str], box: int) -> dict[str, Json]:
    play, cards = typed.get(f"play.{box}", ""), card_codes(typed.get(f"cards.{box}", ""))
    entered: dict[str, Json] = {}
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


def result_entered(result: Mapping[str, Any], free: Sequence[int]) -> dict[str, str]:
    """A result that was recorded, as it would be typed: to be put right."""
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
        if number in map(str, free):
            typed |= {"other.box": number} | {
                f"other.{name}": str(box.get(name, "")) for name in ("cards", "guest")
            }
    return typed
