"""What the steps about a jackpot have in common, and those that a person proves with a PIN or a
code.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from django import forms
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino.people.models import Person
from casino.people.pages.fields import Reason, Secret
from casino.people.pages.page import Wrong, key_of, typed
from casino.people.pages.steps import Step
from casino.people.permissions import VERIFY
from casino.people.proofs import run_signed
from jackpot.models import Jackpot
from payouts.commands import request_fingerprint
from payouts.errors import mark
from payouts.rules.plain import Json

Row = TypeVar("Row", bound=Model)
ASKED = mark("Asked for: another person looks at it and signs.")
PROOF = {"inputmode": "numeric", "autocomplete": "one-time-code", "maxlength": 12}


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


class ProvedStep(Step[Row]):
    """A step that is done once for the form's key and the person's proof, which is no part of what
    is asked.
    """

    secret = Secret(label=_("Your PIN"), widget=forms.PasswordInput(attrs=PROOF))
    method = "pin"

    def body(self, words: dict[str, str]) -> Any:
        """What makes the same form the same request."""
        return super().body({name: text for name, text in words.items() if name != "secret"})

    def run(self, request: HttpRequest) -> Json:
        """Do it once. Raises Refused."""
        work = self.prepare()
        asked = request_fingerprint(self.command, self.person.pk, self.body(typed(request)))
        key, secret = key_of(request, self.person), self.values["secret"]
        return run_signed(
            key, asked, person=self.person, method=self.method, secret=secret, work=work
        ).body
