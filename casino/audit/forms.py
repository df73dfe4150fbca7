"""Forms of the desk's pages: they show what was asked for; what it means, the page reads."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from casino.people.pages.fields import Choice, PageForm, Text


class FilterForm(PageForm):
    """Filters as they were asked for, each a choice of what the page offers."""

    def __init__(self, asked: Mapping[str, Any]) -> None:
        super().__init__(initial=asked, auto_id="%s")

    def offer(
        self, name: str, label: str, choices: Iterable[tuple[Any, str]], *, every: bool = True
    ) -> None:
        """Add a filter; `every`: it may be left out."""
        all_of_them = [("", _("all"))] if every else []
        self.fields[name] = Choice(label=label, choices=[*all_of_them, *choices])


class CalculatorForm(FilterForm):
    """A jackpot, and figures in place of its own. `wrong`: the one that cannot be calculated
    with.
    """

    CHANGES = ("seed", "meter", "reserve", "cap")  # what the house may set otherwise

    def __init__(self, asked: Mapping[str, Any], wrong: str) -> None:
        super().__init__(asked)
        self.wrong = wrong

    def ask(self, name: str, label: str, own: str) -> None:
        """Add a figure; `own`: what counts where nothing is typed."""
        attrs = {"autocomplete": "off", "placeholder": own}
        attrs |= {"inputmode": "numeric"} if name == "coins" else {}
        attrs |= {"aria-invalid": "true"} if name == self.wrong else {}
        self.fields[name] = Text(label=label, widget=forms.TextInput(attrs))

    @property
    def basis(self) -> list[forms.BoundField]:
        """What is calculated from."""
        return [field for field in self if field.name not in self.CHANGES]

    @property
    def changes(self) -> list[forms.BoundField]:
        """What would be otherwise."""
        return [self[name] for name in self.CHANGES]
