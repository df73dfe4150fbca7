"""What the steps about a hand have in common."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Reason, Whole
from casino.people.pages.steps import Step
from casino.people.permissions import CORRECT
from payouts.errors import Refused, mark
from tables.errors import HandChanged
from tables.models import Hand


def _changed(_given: str) -> Refused:
    return HandChanged()


class HandStep(Step[Hand]):
    """A step about a hand."""

    permission, subject = CORRECT, "hand"

    @property
    def ids(self) -> dict[str, Any]:
        """Which one, and who does it."""
        return {
            "house_id": self.row.house_id,
            "hand_id": self.row.pk,
            "person_id": self.person.pk,
        }


class HandRequestStep(HandStep):
    """Ask for a signature about the hand as the form showed it."""

    done = mark("Asked for: another person looks at it and signs.")
    revision = Whole(_changed, nothing=None, widget=forms.HiddenInput)
    reason = Reason(500, label=_("Reason"))

    @property
    def subject_values(self) -> dict[str, Any]:
        """Which hand, as it was seen, and why."""
        return self.ids | {name: self.values[name] for name in ("revision", "reason")}
