"""What the pit records of a round besides its result: what went wrong in it, and what management
decides against the rules.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Choice, Reason, Text, Whole
from casino.people.permissions import CORRECT
from casino.pit.jackpots.standing import AMOUNT
from casino.pit.rounds.steps import RoundStep
from casino.text.floor import uuid_or_none
from casino.text.typed import minor_typed
from casino.text.wording import guest_name
from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from tables.errors import GuestUnknown, IrregularityBoxWrong, IrregularityHandWrong
from tables.games import game_of
from tables.games.base import HANDS_MOST
from tables.games.irregular import DECISIONS, About
from tables.models import RoundLine
from tables.services import irregularity_record, override_request
from tables.services.rounds.irregular import PLAYS


def _no_box(_given: str) -> Refused:
    return IrregularityBoxWrong(expected=PLAYS)


def _no_hand(given: str) -> Refused:
    return IrregularityHandWrong(hand=given)


class Irregular(RoundStep):
    """Record what went wrong; what happened and its decision are one choice."""

    step, command = "irregularity", "round.irregularity"
    done = mark("Recorded.")
    what = Choice(label=_("What happened, and what is decided"), required=True)
    box = Whole(_no_box, nothing=None, label=_("Box"), widget=forms.Select)
    hand = Whole(_no_hand, nothing=None, label=_("Hand of the box"), widget=forms.Select)
    card = Text(label=_("Card, such as “Ah”"), max_length=2)
    reason = Reason(500, label=_("Reason"))

    def offer(self) -> None:
        """What the round's game lists."""
        kinds = game_of(self.row.table.game).irregularities
        said = [
            (
                gettext(one.title),
                [(f"{code}:{way}", gettext(DECISIONS[way])) for way in one.decisions],
            )
            for code, one in kinds.items()
        ]
        self.options("what", said)
        none = ("", gettext("none"))
        self.options("box", [none, *((box, box) for box in range(1, self.row.table.boxes + 1))])
        self.options("hand", [none, *((hand, hand) for hand in range(1, HANDS_MOST + 1))])
        if not any(one.about is About.HAND for one in kinds.values()):
            del self.fields["hand"]

    def carry_out(self) -> Json:
        """Raises what `irregularity_record` refuses."""
        values = {name: self.values[name] for name in ("box", "hand", "card", "reason")}
        kind, _colon, decision = self.values["what"].partition(":")
        recorded = irregularity_record(
            **self.ids, **values, kind=kind, decision=decision, supervisor=True
        )
        return recorded.pk


class Overrule(RoundStep):
    """Ask to pay a guest, for a box, more than the rules give."""

    step, command, permission = "override", "round.override", CORRECT
    done = mark("Asked for: another person looks at it and signs.")
    whose = Choice(label=_("Box and guest"), required=True)
    amount = Text(required=True, widget=forms.TextInput(AMOUNT))
    reason = Reason(500, label=_("Reason"))

    def offer(self) -> None:
        """Guests whose stakes the result has lines for."""
        self.fields["amount"].label = gettext("Paid besides (%(currency)s)") % {
            "currency": self.row.house.currency
        }
        lines = RoundLine.objects.filter(round=self.row, revision=self.row.revision)
        rows = lines.values_list("box", "guest_id", "guest__number").order_by("box").distinct()
        box = gettext("Box")
        self.options(
            "whose", [(f"{at}:{pk}", f"{box} {at}, {guest_name(name)}") for at, pk, name in rows]
        )

    def carry_out(self) -> Json:
        """Raises GuestUnknown, AmountRefused, and what `override_request` refuses."""
        box, _colon, guest = self.values["whose"].partition(":")
        guest_id = uuid_or_none(guest)
        if guest_id is None or not box.isdecimal():
            raise GuestUnknown
        values: dict[str, Any] = {"box": int(box[:3]), "guest_id": guest_id}
        asked = override_request(
            **self.ids, **values, amount_minor=self._amount(), reason=self.values["reason"]
        )
        return str(asked.pk)

    def _amount(self) -> int:
        return minor_typed(self.values["amount"], self.row.house, least=1)
