"""What came after the lock of a round of Black Jack, in the form that corrects it: each stake may
be taken off, and forgotten ones added.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from casino.games.form import card_codes, choice_field, tick_field
from casino.people.pages.fields import Text
from casino.text.floor import LINE_KINDS, say
from casino.text.formats import format_money
from casino.text.typed import amount_of
from casino.text.wording import guest_name
from payouts.errors import Refused
from payouts.rules.lines import Stake
from payouts.rules.plain import Json
from tables.games.base import HANDS_MOST
from tables.games.blackjack.labels import ACTS
from tables.games.blackjack.stakes import EVEN_MONEY, INSURANCE
from tables.models import Guest, Round, RoundStake
from tables.selectors.rounds import round_record
from tables.services.later.placements import stakes_put_right
from tables.services.later.staked import stakes_of

ADDED = (1, 2, 3)
_ACE = "As"  # that insurance or even money was taken says so


class LaterFields(NamedTuple):
    """A tick for each stake that came after the lock, to take it off; rows for what was forgotten,
    `opened` where something was entered there.
    """

    taken: list[BoundField]
    added: list[list[BoundField]]
    opened: bool


def lying(stakes: Iterable[RoundStake]) -> list[RoundStake]:
    """Those of the lock that stayed, then what came since and was not taken back, in its order."""
    rows = list(stakes)
    back = {one.takes_back for one in rows}
    laid = [one for one in rows if not one.placed and one.accepted_minor]
    later = [one for one in rows if one.placed and not one.takes_back and one.placed not in back]
    return laid + sorted(later, key=lambda one: one.placed)


def later_fields(round_: Round, lies: Iterable[RoundStake]) -> list[dict[str, forms.Field]]:
    """The ticks, then the rows."""
    guests = Guest.objects.filter(session_id=round_.session_id).order_by("number")
    names = [(str(one.pk), guest_name(one.number)) for one in guests]
    boxes = [(str(box), str(box)) for box in sorted({one.box for one in lies})]
    numbers = [(str(hand), str(hand)) for hand in range(1, HANDS_MOST + 1)]
    ticks: dict[str, forms.Field] = {
        f"off.{one.placed}": tick_field(_label(one, round_)) for one in lies if one.placed
    }
    rows = [
        {
            f"act.{row}": choice_field(_("What"), [(act, _(said)) for act, said in ACTS.items()]),
            f"box.{row}": choice_field(_("Box"), boxes),
            f"guest.{row}": choice_field(_("Guest"), names),
            f"hand.{row}": choice_field(_("Hand of the box"), numbers),
            f"source.{row}": choice_field(_("With the stake of"), names),
            f"amount.{row}": Text(label=_("Amount of an insurance"), max_length=16),
        }
        for row in ADDED
    ]
    return [ticks, *rows]


def _label(row: RoundStake, round_: Round) -> str:
    money = format_money(row.accepted_minor, round_.house.currency, round_.house.locale)
    box = _("Box %(number)s") % {"number": row.box}
    return f"{box} · {guest_name(row.guest.number)} · {say(LINE_KINDS, row.kind)} · {money}"


def form_placed(round_: Round, words: Mapping[str, str]) -> list[Json] | None:
    """All that should have come after the lock, as `round_evaluate` takes it: what is left, by its
    number, then what is added. None where nothing is taken off or added. Nothing is read strictly
    here.
    """
    lies = lying(RoundStake.objects.filter(round=round_).order_by("id"))
    off = {one.placed for one in lies if one.placed and words.get(f"off.{one.placed}")}
    added: list[Json] = [_added(round_, words, row) for row in ADDED if words.get(f"act.{row}")]
    if not off and not added:
        return None
    left: list[Json] = [
        {"placed": one.placed} for one in lies if one.placed and one.placed not in off
    ]
    return [*left, *added]


def later_by_form(round_: Round, words: Mapping[str, str]) -> list[Stake] | None:
    """The stakes that lie there after the lock by the form; None where it leaves them, or they
    cannot be: then the command says why.
    """
    if (placed := form_placed(round_, words)) is None:
        return None
    record = round_record(house_id=round_.house_id, round_id=round_.pk)
    try:
        changed = stakes_put_right(record, placed)
    except Refused:
        return None
    _laid, later = stakes_of({**record, "stakes": [*record["stakes"], *changed]})
    return [one.stake for one in later]


def _added(round_: Round, words: Mapping[str, str], row: int) -> dict[str, Json]:
    """A forgotten stake as it was entered; what is wrong with it the game refuses."""
    act, box, guest, hand, source, amount = (
        words.get(f"{name}.{row}", "").strip()
        for name in ("act", "box", "guest", "hand", "source", "amount")
    )
    sent: dict[str, Json] = {"box": _number(box), "guest": guest, "act": act}
    if hand:
        sent["hand"] = _number(hand)
    if source:
        sent["instead_of"] = source
    if amount:
        figure = amount_of(amount, round_.house.currency, round_.house.locale)
        sent["amount_minor"] = amount if figure is None else figure
    if act in (INSURANCE, EVEN_MONEY):
        sent["bank"] = card_codes(words.get("bank_cards", "")).partition(" ")[0] or _ACE
    return sent


def _number(text: str) -> Json:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text
