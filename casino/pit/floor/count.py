"""The floor counts all stacks of a poker table: a field for each guest, and what the books have."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Text
from casino.people.pages.steps import Step
from casino.people.permissions import RUN_FLOOR
from casino.pit.hands.show import player
from casino.pit.jackpots.standing import AMOUNT
from casino.text.typed import minor_typed
from payouts.errors import mark
from payouts.rules.plain import Json
from tables.models import PokerStay, Table
from tables.selectors.stays import in_play_minor, stays_shown
from tables.services import stacks_count

STACK = "stack."  # the field of a guest's stack, with the stay's id


class CountStep(Step[Table]):
    """Count what lies before each guest."""

    step, command = "count", "floor.count"
    permission, subject = RUN_FLOOR, "table"
    done = mark("Counted: the books have what lies before each guest.")
    missing = Text(
        label=_("Difference signed, if there is one: missing, or with − too many"),
        widget=forms.TextInput(AMOUNT),
    )

    def __init__(self, row: Table, *args: Any, **options: Any) -> None:
        super().__init__(row, *args, **options)
        sitting = _sitting(row).select_related("guest")
        for stay in sitting.order_by("guest__box"):
            field = Text(label=player(stay.guest), widget=forms.TextInput(AMOUNT))
            self.fields[f"{STACK}{stay.pk}"] = field

    @property
    def stacks(self) -> list[forms.BoundField]:
        """A field for each guest who sits there."""
        return [self[name] for name in self.fields if name.startswith(STACK)]

    def carry_out(self) -> Json:
        """Raises AmountRefused, and what `stacks_count` refuses."""
        house = self.row.house
        typed = {name.removeprefix(STACK): self.values[name] for name in self.fields}
        difference = typed.pop("missing")
        counted = {stay: minor_typed(text, house) for stay, text in typed.items() if text}
        signed = minor_typed(difference, house, least=None) if difference else None
        booked = stacks_count(
            house_id=self.row.house_id,
            table_id=self.row.pk,
            counted=counted,
            missing_minor=signed,
            actor_id=self.person.pk,
        )
        return booked.recorded.pk


def booked_at(row: Table) -> dict[str, int]:
    """What the books have on a table, in minor units. Two statements."""
    sitting = stays_shown(_sitting(row), house_id=row.house_id, charge=None)
    before_minor = sum(stay.stack_minor for stay in sitting)
    play_minor = in_play_minor(row.pk)
    return {"before": before_minor, "in_play": play_minor, "together": before_minor + play_minor}


def _sitting(row: Table) -> QuerySet[PokerStay]:
    """Nobody at a closed table."""
    return PokerStay.objects.filter(guest__session__table=row, left_at=None)
