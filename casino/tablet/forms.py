"""Forms of a tablet: who signs in, the PIN that opens it again, the table that is taken over."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import PageForm, Text, Tick

PIN_MOST = 12  # longer ones are only work


class Pin(forms.CharField):
    """A PIN, as it was typed; never given back into a page."""

    def __init__(self, **options: Any) -> None:
        attrs = {
            "class": "digits",
            "inputmode": "numeric",
            "pattern": "[0-9]{6}",
            "maxlength": 6,
            "autocomplete": "off",
        }
        super().__init__(widget=forms.PasswordInput(attrs), **options)

    def clean(self, value: Any) -> str:
        """Its beginning, where it is longer than any."""
        return str(value or "")[:PIN_MOST]


class WakeForm(PageForm):
    """The PIN of who is signed in."""

    pin = Pin(label=_("PIN"))


class SignInForm(WakeForm):
    """Who, by the key with their name or by their sign-in name, and their PIN."""

    person = Text()
    username = Text(
        label=_("Sign-in name"),
        widget=forms.TextInput(
            {
                "maxlength": 60,
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )


class HandOverForm(PageForm):
    """A table is taken over; `both`: by who deals at another one too."""

    both = Tick(widget=forms.HiddenInput)
