"""Forms of devices and of one's own PIN."""

from collections.abc import Iterable
from typing import Any, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.devices.refusals import DeviceJackpotUnknown, DeviceTableUnknown
from casino.people.models import Person
from casino.people.pages.fields import PageForm, RowChoice, Text, Tick
from casino.people.services import PASSWORD_MOST
from jackpot.models import Jackpot
from tables.models import Table


class EnrolForm(PageForm):
    """What a device belongs to, and its name there."""

    name = Text(label=gettext_lazy("Name"), required=True, max_length=40)
    field_order = ["table", "jackpot", "name"]

    @classmethod
    def offered(
        cls, device: str, places: Iterable[Table | Jackpot], person: Person, name: str
    ) -> Self:
        """The form for a kind of device, with a name to begin with; who is of no house reads whose
        each place is.
        """
        form = cls(initial={"name": name}, auto_id=f"%s-{device}")
        place = next(iter(form.fields.values()))
        place.widget.choices = [
            (one.pk, one.name if person.house_id else f"{one.name} · {one.house.name}")
            for one in places
        ]
        return form


class TableForm(EnrolForm):
    """Of a tablet or a card feed."""

    table = RowChoice(DeviceTableUnknown, label=gettext_lazy("Table"))


class JackpotForm(EnrolForm):
    """Of a display."""

    jackpot = RowChoice(DeviceJackpotUnknown, label=gettext_lazy("Jackpot"))


ENROL = {"table": TableForm, "jackpot": JackpotForm}  # by the place of a kind of device


class RevokeForm(PageForm):
    """Why a device is taken out of service."""

    reason = Text(label=gettext_lazy("Reason"), required=True, min_length=3, max_length=200)
    lost = Tick(
        label=gettext_lazy("What lies on it and was not sent is lost."),
        widget=forms.CheckboxInput,
    )


class CodeForm(PageForm):
    """The code that makes a browser a device."""

    code = Text(
        label=gettext_lazy("Code"),
        required=True,
        max_length=20,
        widget=forms.TextInput(
            {
                "class": "code",
                "autofocus": True,
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
                "placeholder": "abcd-efgh",
            }
        ),
    )


class PinForm(forms.Form):
    """A new PIN, twice, behind the password."""

    present = forms.CharField(
        label=gettext_lazy("Current password"),
        max_length=PASSWORD_MOST,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    pin = forms.CharField(
        label=gettext_lazy("New PIN"),
        help_text=gettext_lazy("Six digits, not all the same and not in a row."),
        max_length=12,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )
    again = forms.CharField(
        label=gettext_lazy("New PIN again"),
        max_length=12,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )

    def clean(self) -> dict[str, Any]:
        """Both must be the same."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("pin") and data.get("again") and data["pin"] != data["again"]:
            self.add_error("again", _("The two do not match."))
        return data
