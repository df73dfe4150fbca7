"""Fields of the pages' forms: each reads what was typed or raises the refusal that says so, never
Django's ValidationError.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.utils.functional import cached_property

from casino.text.floor import uuid_or_none
from payouts.errors import Refused


class PageForm(forms.Form):
    """A form of these fields."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | options)

    @cached_property
    def values(self) -> dict[str, Any]:
        """What was typed, as the fields read it. Raises what they raise."""
        self.full_clean()
        return self.cleaned_data


class Text(forms.CharField):
    """Text as it was typed, without space around it; whether it will do, the service says."""

    def __init__(self, *, required: bool = False, **options: Any) -> None:
        super().__init__(required=required, **options)

    def clean(self, value: Any) -> str:
        """The text; empty for none."""
        return str(value or "").strip()


class Reason(Text):
    """Why, in the person's own words."""

    def __init__(self, most: int = 200, **options: Any) -> None:
        widget = forms.TextInput(attrs={"maxlength": most, "autocomplete": "off"})
        super().__init__(required=True, widget=widget, **options)


class Choice(forms.ChoiceField):
    """One of what is offered; whether it will do, the service says. Its choices may be a function,
    called when it is drawn.
    """

    def __init__(self, *, required: bool = False, **options: Any) -> None:
        super().__init__(required=required, **options)

    def clean(self, value: Any) -> str:
        """What was chosen; empty for nothing."""
        return str(value or "")


class Choices(forms.MultipleChoiceField):
    """Several of what is offered, each with a box to tick; whether they will do, the service
    says."""

    widget = forms.CheckboxSelectMultiple

    def clean(self, value: Any) -> list[str]:
        """What was ticked."""
        return [str(one) for one in value or ()]


class RowChoice(Choice):
    """The id of a row that is offered; None for nothing where `empty`. Raises what it was made with
    for what is no id.
    """

    def __init__(self, missing: type[Exception], *, empty: bool = False, **options: Any) -> None:
        super().__init__(required=not empty, **options)
        self.missing = missing

    def clean(self, value: Any) -> Any:
        """The id."""
        return _id(value, self.missing, empty=not self.required)


class Subject(forms.Field):
    """The id of the row that the form is about, in the form without being seen. Raises what it was
    made with for what is no id.
    """

    widget = forms.HiddenInput

    def __init__(self, missing: type[Exception]) -> None:
        super().__init__()
        self.missing = missing

    def clean(self, value: Any) -> UUID | None:
        """The id."""
        return _id(value, self.missing)


class Whole(forms.IntegerField):
    """A whole number of three digits at most, or the one for nothing. Raises what `refuse` makes of
    anything else.
    """

    def __init__(
        self,
        refuse: Callable[[str], Refused],
        *,
        nothing: int | None = 0,
        required: bool = False,
        **options: Any,
    ) -> None:
        digits = forms.TextInput(
            attrs={"inputmode": "numeric", "maxlength": 3, "autocomplete": "off"}
        )
        widget = options.pop("widget", digits)
        super().__init__(required=required, widget=widget, **options)
        self.refuse, self.nothing = refuse, nothing

    def clean(self, value: Any) -> int | None:
        """The number."""
        text = str(value or "").strip()
        if text and not (text.isascii() and text.isdigit() and len(text) <= 3):
            raise self.refuse(text[:20])
        return int(text) if text else self.nothing


class Tick(forms.Field):
    """A box to tick, or a choice between `1` and nothing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def clean(self, value: Any) -> bool:
        """Whether it is ticked."""
        return value in ("1", True)


class Hash(forms.Field):
    """The hash of what a signer's form showed; nothing for what is none, which no approval has."""

    widget = forms.HiddenInput

    def clean(self, value: Any) -> bytes:
        """The hash."""
        text = str(value or "")
        return (
            bytes.fromhex(text) if len(text) == 64 and set(text) <= set("0123456789abcdef") else b""
        )


class Secret(forms.CharField):
    """A PIN or code, without spaces; never given back into a page."""

    widget = forms.PasswordInput

    def clean(self, value: Any) -> str:
        """As it was typed."""
        return "".join(str(value or "").split())


def _id(value: object, missing: type[Exception], *, empty: bool = False) -> UUID | None:
    found = uuid_or_none(value)
    if found is None and (value or not empty):
        raise missing
    return found
