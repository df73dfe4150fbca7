"""Steps that a person signs with their PIN or a code of their authenticator."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model
from django.forms import PasswordInput
from django.http import HttpRequest
from django.utils.translation import gettext as _

from casino.people.fields import Secret
from casino.people.page import key_of, typed
from casino.people.proofs import run_signed
from casino.people.steps import Step
from payouts.commands import request_fingerprint
from payouts.rules.plain import Json

Row = TypeVar("Row", bound=Model)


class SignedStep(Step[Row]):
    """The command is carried out once the proof is right, which is no part of its fingerprint."""

    secret = Secret()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.proof, secret = self.method(), self.fields["secret"]
        secret.label = _("Your PIN") if self.proof == "pin" else _("Code of your authenticator")
        digits = {"inputmode": "numeric", "autocomplete": "one-time-code", "maxlength": 12}
        secret.widget = PasswordInput(
            {"type": "password" if self.proof == "pin" else "text", **digits}
        )

    def method(self) -> str:
        """How the person proves who they are: `pin` or `totp`."""
        raise NotImplementedError

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        """What makes the same form the same request, without its secret."""
        return super().body({name: text for name, text in words.items() if name != "secret"})

    def run(self, request: HttpRequest) -> Json:
        """Do it once for the form's key. Raises what `run_signed` raises."""
        same = request_fingerprint(self.command, self.person.pk, self.body(typed(request)))
        proof = {
            "method": self.proof,
            "secret": self.fields["secret"].clean(self.data.get("secret")),
        }
        return run_signed(
            key_of(request, self.person), same, person=self.person, **proof, work=self.prepare()
        ).body
