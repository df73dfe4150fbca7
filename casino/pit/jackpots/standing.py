"""What people do to a jackpot as a whole: stop it, go on, put its meter right, close, reopen,
retire it; and cancel a slip.

The services and their rights are those of the API (`casino/api/standing.py`,
`casino/api/slips.py`).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Choice, RowChoice, Subject, Text
from casino.people.permissions import MANAGE, SUSPEND, VERIFY
from casino.pit.jackpots.steps import JackpotStep, Reader, ReasonedStep
from casino.text import floor
from casino.text.typed import minor_typed
from jackpot import services
from jackpot.errors import JackpotUnknown
from jackpot.models import Award, Jackpot, Slip
from jackpot.models.states import IN_PLAY, Phase
from jackpot.services import standing
from jackpot.services.slips import CANCEL, CANCELLED_AS
from jackpot.services.state import phase_of
from payouts.errors import mark
from payouts.models import Approval
from payouts.rules.ledger.postings import whole_amount
from payouts.rules.plain import Json

BY = (("raise", _("too little: raise it")), ("lower", _("too much: lower it")))
AMOUNT = {"inputmode": "decimal", "autocomplete": "off", "maxlength": 24}


def offers(reader: Reader, requests: Iterable[Approval]) -> dict[str, JackpotStep]:
    """By step the forms that the person may send now; what is asked for is not asked for twice. The
    services decide again.

    At most one statement.
    """
    jackpot, person, inner = reader.jackpot, reader.person, phase_of(reader.jackpot)
    verifies, asked, is_closed = (
        person.has_perm(VERIFY),
        {one.action for one in requests},
        jackpot.phase == Phase.CLOSED,
    )
    offered: dict[type[JackpotStep], bool] = {
        _Suspend: (
            person.has_perm(SUSPEND) and jackpot.phase not in (Phase.SUSPENDED, Phase.RETIRED)
        ),
        _Resume: verifies and jackpot.phase == Phase.SUSPENDED,
        _Adjust: verifies and inner not in (Phase.DRAINING, Phase.RETIRED),
        _Close: verifies and jackpot.phase in IN_PLAY,
        _Reopen: verifies and is_closed,
        _Retire: person.has_perm(MANAGE) and is_closed,
    }
    return {
        step.step: reader.form(step)
        for step, may in offered.items()
        if may and step.action not in asked
    }


def heirs(jackpot: Jackpot) -> QuerySet[Jackpot]:
    """The other jackpots of the house."""
    return (
        Jackpot.objects.filter(house_id=jackpot.house_id).exclude(pk=jackpot.pk).exclude(epoch=None)
    )


class SlipRow(NamedTuple):
    """An award with its slip, and the form by which the person asks to cancel that."""

    award: Award
    kind: str
    table: str
    guest: str
    state: str
    cancel: JackpotStep | None


def slip_row(
    award: Award, tables: Mapping[UUID, str], guests: Mapping[UUID, str], cancel: JackpotStep | None
) -> SlipRow:
    """An award in words."""
    kind = floor.say(floor.AWARD_KINDS, award.kind)
    table, guest = tables.get(award.table_id, ""), guests.get(award.guest_id, "")
    return SlipRow(award, kind, table, guest, floor.say(Slip.State, award.slip.state), cancel)


def cancel_of(reader: Reader, award: Award, requests: Iterable[Approval]) -> JackpotStep | None:
    """The form by which the person asks to cancel the slip of an award, with what can become of it;
    not twice.
    """
    asked = any(
        one.action == CANCEL and one.payload["slip"] == str(award.slip.pk) for one in requests
    )
    hows = CANCELLED_AS.get(award.slip.state, ())
    if asked or not hows or not reader.person.has_perm(VERIFY):
        return None
    form = reader.form(_Cancel, slip=award.slip.pk)
    form.options("how", [(how, floor.say(floor.CANCELS, how)) for how in hows])
    return form


class _Ask(ReasonedStep):
    """Ask for the approval of an act on the jackpot."""

    def payload(self) -> dict[str, Json]:
        """What the act needs besides the reason."""
        return {}

    def prepare(self) -> Callable[[], Json]:
        """What is asked is read before. Raises what `payload` raises."""
        asked, ids = (
            self.payload() | {"reason": self.values["reason"]},
            self.ids | {"jackpot_id": self.row.pk},
        )
        return lambda: str(services.jackpot_request(**ids, action=self.action, payload=asked).pk)


class _Suspend(_Ask):
    step, action, command, permission = (
        "suspend",
        standing.SUSPEND,
        f"{standing.SUSPEND}_request",
        SUSPEND,
    )


class _Resume(_Ask):
    step, action, command = "resume", standing.RESUME, f"{standing.RESUME}_request"


class _Adjust(_Ask):
    step, action, command = "adjust", standing.ADJUST, f"{standing.ADJUST}_request"
    by = Choice(label=_("The meter shows"), choices=BY)
    amount = Text(required=True, widget=forms.TextInput(AMOUNT))
    field_order = ("by", "amount")

    def offer(self) -> None:
        self.fields["amount"].label = f"{gettext('Amount')} ({self.row.house.currency})"

    def payload(self) -> dict[str, Json]:
        """By how much, in minor units. Raises AmountRefused for what is no amount, or says no way
        to move.
        """
        by = self.values["by"]
        text = self.values["amount"] if by in dict(BY) else ""
        amount_minor = whole_amount(minor_typed(text, self.row.house, least=1))
        return {"amount_minor": -amount_minor if by == "lower" else amount_minor}


class _Retire(_Ask):
    step, action, command, permission = (
        "retire",
        standing.RETIRE,
        f"{standing.RETIRE}_request",
        MANAGE,
    )
    to = RowChoice(JackpotUnknown, label=_("To jackpot"))
    field_order = ("to",)

    def offer(self) -> None:
        self.options(
            "to",
            list(
                heirs(self.row).filter(phase=Phase.OPEN).order_by("name").values_list("pk", "name")
            ),
        )

    def payload(self) -> dict[str, Json]:
        """Raises JackpotUnknown for an heir that is none."""
        heir = heirs(self.row).filter(pk=self.values["to"]).first()
        if heir is None:
            raise JackpotUnknown
        return {"to": str(heir.pk)}


class _Own(JackpotStep):
    """What one person does to a jackpot alone."""

    @property
    def ids(self) -> dict[str, Any]:
        return {
            "house_id": self.row.house_id,
            "jackpot_id": self.row.pk,
            "actor_id": self.person.pk,
        }


class _Close(_Own, ReasonedStep):
    step, command, done = "close", "jackpot.close", mark("The jackpot is closed.")

    def carry_out(self) -> Json:
        return services.jackpot_close(**self.ids, **self.values).phase


class _Reopen(_Own):
    step, command = "reopen", "jackpot.reopen"
    done = mark("The jackpot is reopened: bets open when its displays have shown the value.")

    def carry_out(self) -> Json:
        return services.jackpot_reopen(**self.ids).phase


class _Cancel(ReasonedStep):
    """Of what cannot become of a slip the service says so."""

    step, command, about = "cancel", "slip.cancel_request", "slip"
    slip = Subject(Http404)
    how = Choice(label=_("What becomes of it"))
    field_order = ("slip", "how")

    def prepare(self) -> Callable[[], Json]:
        """The slip is one of this jackpot. Raises Http404."""
        values = dict(self.values)
        award = get_object_or_404(Award, slip=values.pop("slip"), jackpot=self.row)
        return lambda: str(
            services.award_cancel_request(**self.ids, slip_id=award.slip.pk, **values).pk
        )


STEPS = (_Suspend, _Resume, _Adjust, _Close, _Reopen, _Retire, _Cancel)
