"""Forms of sign-in. Passwords are never given back into a page."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.people.services import PASSWORD_MOST


def _password(autocomplete: str, label: Any, help_text: Any = "") -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(
        label=label, help_text=help_text, max_length=PASSWORD_MOST, strip=False, widget=widget
    )


class _Once(forms.TextInput):
    """A field that comes back empty: a code is good for one try."""

    def format_value(self, value: object) -> None:
        """Nothing."""


class _Code(forms.CharField):
    """Six digits, also when typed as the app shows them: 123 456."""

    def __init__(self, **options: Any) -> None:
        attrs = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
        super().__init__(max_length=12, widget=_Once(attrs=attrs), **options)

    def to_python(self, value: object) -> str:
        """Without the gap."""
        return "".join(str(super().to_python(value) or "").split())


class SignInForm(forms.Form):
    """Name, password and code on one page."""

    username = forms.CharField(
        label=_("Name"),
        max_length=60,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    password = _password("current-password", _("Password"))
    code = _Code(
        label=_("Code"),
        required=False,
        help_text=_(
            "Six digits from your authenticator app. Leave it empty at your very first sign-in."
        ),
    )


class CodeForm(forms.Form):
    """The code that confirms a new authenticator."""

    code = _Code(label=_("Code"), help_text=_("The six digits that the app shows now."))


class OwnPasswordForm(forms.Form):
    """A new password, twice."""

    password = _password(
        "new-password",
        _("New password"),
        _("At least 12 characters. Several words are easy to remember."),
    )
    again = _password("new-password", _("New password again"))

    def clean(self) -> dict[str, Any]:
        """Both must be the same."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("password") and data.get("again") and data["password"] != data["again"]:
            self.add_error("again", _("The two do not match."))
        return data


class PasswordForm(OwnPasswordForm):
    """The same, behind the current password."""

    present = _password("current-password", _("Current password"))
    field_order = ["present", "password", "again"]
