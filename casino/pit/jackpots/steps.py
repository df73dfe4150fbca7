"""What the steps about a jackpot have in common."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from casino.people.models import Person
from casino.people.pages.fields import Reason
from casino.people.pages.page import Wrong
from casino.people.pages.steps import Step
from casino.people.permissions import VERIFY
from jackpot.models import Jackpot
from payouts.errors import mark

ASKED = mark("Asked for: another person looks at it and signs.")


class JackpotStep(Step[Jackpot]):
    """A step about a jackpot, or something of it. `action`: what it asks people to sign, which is
    not asked for twice.
    """

    permission, subject, done = VERIFY, "jackpot", ASKED
    action: ClassVar[str] = ""

    @property
    def ids(self) -> dict[str, Any]:
        """Whose it is, and who does it."""
        return {"house_id": self.row.house_id, "person_id": self.person.pk}


@dataclass(frozen=True)
class Reader:
    """Who reads the page of which jackpot, with the step that was refused."""

    jackpot: Jackpot
    person: Person
    wrong: Wrong | None = None

    def form(self, step: type[JackpotStep], **initial: Any) -> JackpotStep:
        """The form of a step."""
        return step.offered(self.jackpot, self.person, self.wrong, **initial)


class ReasonedStep(JackpotStep):
    """One that is done for a reason."""

    reason = Reason(500, label=_("Reason"))
