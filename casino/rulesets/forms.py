"""The form in which a posted table is drafted: its name, a note, and every field of its rules."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Choice, PageForm, Text
from casino.text.ruleset_fields import Cell, Group


class FieldGroup(NamedTuple):
    """A field of the rules, or a list of them: its head and its rows."""

    label: str
    field: forms.BoundField | None
    head: tuple[str, ...]
    rows: list[list[forms.BoundField]]


class DraftForm(PageForm):
    """A draft; its name is fixed once it is there."""

    name = Text(label=_("Name"), required=True, max_length=60)
    note = Text(label=_("Note"), max_length=500)

    def __init__(self, sent: Mapping[str, Any] | None = None, **initial: Any) -> None:
        super().__init__(sent, initial=initial, auto_id="%s")

    @property
    def texts(self) -> dict[str, str]:
        """What was typed into the fields of the rules, by path."""
        return {path[2:]: str(text) for path, text in self.data.items() if path.startswith("f.")}

    def groups(self, groups: list[Group]) -> list[FieldGroup]:
        """The fields of the rules, as they are drawn."""
        return [
            FieldGroup(
                group.label,
                self._field(group.cell) if group.cell else None,
                group.head,
                [[self._field(cell, named=True) for cell in row] for row in group.rows],
            )
            for group in groups
        ]

    def _field(self, cell: Cell, *, named: bool = False) -> forms.BoundField:
        """The field of a value; `named`: no label stands beside it."""
        attrs = {"aria-label": cell.label} if named else {}
        if cell.wrong:
            attrs["aria-invalid"] = "true"
        field: forms.Field
        if cell.options:
            field = Choice(choices=[("", ""), *cell.options], widget=forms.Select(attrs))
        else:
            attrs |= {"autocomplete": "off"}
            attrs |= {"inputmode": "decimal"} if cell.numeric else {}
            attrs |= {"placeholder": cell.empty} if cell.empty else {}
            field = Text(max_length=30, widget=forms.TextInput(attrs))
        field.label, field.initial = cell.label, cell.text
        self.fields[f"f.{cell.path}"] = field
        return self[f"f.{cell.path}"]
