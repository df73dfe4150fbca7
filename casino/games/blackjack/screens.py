"""Black Jack on the screens."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.games.blackjack import later, tablet
from casino.games.blackjack.later import LaterFields, later_by_form, later_fields, lying
from casino.games.form import BoxFields, card_codes, cards_field, choice_field, tick_field
from casino.text.differences import card_row
from casino.text.floor import DrawnCard, colon, drawn_cards
from casino.text.wording import guest_name
from payouts.rules.lines import Stake
from payouts.rules.plain import Json
from tables.games import Game, Rules
from tables.games.blackjack.labels import ENDINGS, RESULTS
from tables.games.blackjack.settle import Bank
from tables.games.blackjack.stakes import DOUBLES, hands_on
from tables.models import Round, RoundStake
from tables.selectors.sessions import RoundParts

PLAY = "round/play"
TABLET = "blackjack/game"
FORM = "games/_result.html"
RESULT = "games/blackjack/_told.html"
tablet_texts = tablet.tablet_texts
form_placed = later.form_placed
_OF_HAND = ("result", "doubled_result", "cards")
_HANDS = (1, 2, 3, 4)


class HandSheet(NamedTuple):
    """A hand as people read it: how it ended, what was doubled where that ended otherwise."""

    label: str
    result: str
    doubled: str
    cards: list[DrawnCard]


class Sheet(NamedTuple):
    """A result as people read it."""

    bank: str
    bank_cards: list[DrawnCard]
    hands: list[HandSheet]


class _Box(NamedTuple):
    """A box with stakes: who plays there, how many hands it has, which of them were doubled."""

    box: int
    guests: str
    hands: int
    doubled: frozenset[int]


class HandsForm(forms.Form):
    """What is asked for: how the bank ended, and each hand of each box; where it is a correction,
    what came after the lock (`later`: the ticks, then the rows).
    """

    def __init__(
        self,
        at: str,
        entered: Mapping[str, str],
        boxes: list[_Box],
        later: Sequence[dict[str, forms.Field]],
    ) -> None:
        super().__init__(initial=dict(entered), auto_id=f"{at}-%s", label_suffix="")
        banks = [(str(one), _bank(str(one))) for one in Bank if one is not Bank.NONE]
        whole = {
            "bank": choice_field(_("Bank"), banks),
            "bank_cards": cards_field(_("The bank's cards"), most=80),
            "feed": tick_field(_("With the cards that the shoe read")),
        }
        self.whole = self._add(whole)
        self.boxes = [
            BoxFields(one.box, one.guests, coin=False, fields=self._add(_fields(one)))
            for one in boxes
        ]
        self.other: list[BoundField] = []
        fields = [self._add(one) for one in later]
        opened = any(name.startswith("act.") and value for name, value in entered.items())
        self.later = LaterFields(fields[0], fields[1:], opened) if fields else None

    def _add(self, fields: dict[str, forms.Field]) -> list[BoundField]:
        self.fields |= fields
        return [self[name] for name in fields]


def _fields(box: _Box) -> dict[str, forms.Field]:
    ends = [(name, _(label)) for name, label in RESULTS.items()]
    found: dict[str, forms.Field] = {}
    for hand in range(1, box.hands + 1):
        of = _hand_of(hand) if box.hands > 1 else ""
        at = f"{box.box}.{hand}"
        found[f"result.{at}"] = choice_field(_label(of, _("Result")), ends)
        if hand in box.doubled:
            others = [end for end in ends if end[0] not in ("blackjack", "bust")]
            found[f"doubled_result.{at}"] = choice_field(
                _label(of, _("Doubled, where it ended otherwise")), others
            )
        found[f"cards.{at}"] = cards_field(_label(of, _("Cards")), most=80)
    return found


def _hand_of(hand: int) -> str:
    return _("Hand {hand}").format(hand=hand)


def _label(of: str, what: str) -> str:
    return colon(of, what) if of else what


def _boxes(lies: Sequence[RoundStake], later: Sequence[Stake] | None) -> list[_Box]:
    """`later`: what lies there after the lock instead, by a form."""
    laid = [
        Stake(one.box, str(one.guest_id), one.kind, one.accepted_minor)
        for one in lies
        if later is None or not one.placed
    ]
    laid += later or ()
    return [
        _Box(
            box,
            ", ".join(
                dict.fromkeys(guest_name(one.guest.number) for one in lies if one.box == box)
            ),
            hands_on(laid, box),
            frozenset(DOUBLES[one.kind] for one in laid if one.box == box and one.kind in DOUBLES),
        )
        for box in sorted({one.box for one in lies})
    ]


def form(round_: Round, parts: RoundParts, at: str, words: Mapping[str, str]) -> HandsForm:
    """Fields for the bank and for each hand that lies, also by what is taken off or added."""
    counts = next((one for one in reversed(parts.results) if one.revision == round_.revision), None)
    entered = words or (_entered(counts.result) if counts else {})
    lies = lying(parts.stakes)
    later = later_fields(round_, lies) if at == "correct" else ()
    return HandsForm(at, entered, _boxes(lies, later_by_form(round_, words)), later)


def form_result(round_: Round, words: Mapping[str, str]) -> dict[str, Json]:
    """Only what was entered; what is missing, or cannot be, the game refuses."""
    result: dict[str, Json] = {"feed": True} if words.get("feed") else {}
    if bank := words.get("bank", ""):
        result["bank"] = bank
    if cards := card_codes(words.get("bank_cards", "")):
        result["bank_cards"] = cards
    stakes = RoundStake.objects.filter(round=round_).select_related("guest").order_by("id")
    boxes: dict[str, Json] = {}
    for box in _boxes(lying(stakes), later_by_form(round_, words)):
        hands = [_hand(words, box, hand) for hand in range(1, box.hands + 1)]
        if any(hands):
            boxes[str(box.box)] = {"hands": [*hands]}
    return result | {"boxes": boxes}


def _hand(words: Mapping[str, str], box: _Box, hand: int) -> dict[str, Json]:
    read = {name: words.get(f"{name}.{box.box}.{hand}", "") for name in _OF_HAND}
    if hand not in box.doubled:
        del read["doubled_result"]
    return {
        name: card_codes(value) if name == "cards" else value
        for name, value in read.items()
        if value
    }


def _entered(result: Mapping[str, Any]) -> dict[str, str]:
    """A result that was recorded, as it would be typed: to be put right."""
    typed = {name: str(result.get(name) or "") for name in ("bank", "bank_cards")}
    for box, hands in result.get("boxes", {}).items():
        for hand, entered in enumerate(hands["hands"], 1):
            typed |= {f"{name}.{box}.{hand}": str(value) for name, value in entered.items()}
    return typed


def result_description(result: Mapping[str, Any]) -> Sheet:
    """The bank, and hand by hand how it ended; what cannot be read is left out."""
    boxes = result.get("boxes")
    hands = [
        _sheet(str(box), place, one, len(several))
        for box, entered in (boxes.items() if isinstance(boxes, dict) else ())
        if isinstance(entered, dict) and isinstance(several := entered.get("hands"), list)
        for place, one in enumerate(several, 1)
        if isinstance(one, dict)
    ]
    bank = result.get("bank")
    return Sheet(_bank(str(bank)) if bank else "", drawn_cards(result.get("bank_cards")), hands)


def outcomes(result: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Each hand of each box with its result, and what was doubled; the bank and its cards."""
    sheet = result_description(result)
    words: dict[str, tuple[str, ...]] = {"": (sheet.bank, card_row(sheet.bank_cards))}
    for box, entered in result.get("boxes", {}).items():
        hands = entered["hands"]
        texts = [_hand_text(hand) for hand in hands]
        words[box] = (
            tuple(colon(_hand_of(n), text) for n, text in enumerate(texts, 1))
            if len(hands) > 1
            else tuple(texts)
        )
    return words


def _hand_text(entered: Mapping[str, Any]) -> str:
    doubled = _ended(entered.get("doubled_result"))
    words = [
        _ended(entered.get("result")),
        f"{pgettext('a hand', 'doubled')} {doubled}" if doubled else "",
        card_row(drawn_cards(entered.get("cards"))),
    ]
    return " · ".join(filter(None, words))


def _sheet(box: str, hand: int, entered: Mapping[str, Any], hands: int) -> HandSheet:
    label = _("Box %(number)s") % {"number": box}
    if hands > 1:
        label += f" · {_hand_of(hand)}"
    result, doubled = (_ended(entered.get(name)) for name in ("result", "doubled_result"))
    return HandSheet(label, result, doubled, drawn_cards(entered.get("cards")))


def _ended(result: object) -> str:
    return _(RESULTS[result]) if isinstance(result, str) and result in RESULTS else ""


def _bank(ended: str) -> str:
    return _(ENDINGS[ended]) if ended in ENDINGS else ended


def surface(game: Game, rules: Rules) -> dict[str, Json]:
    """As `tablet.blackjack_data`."""
    return tablet.blackjack_data(rules)
