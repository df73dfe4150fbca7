"""Steps that a person proves with a PIN or a code of their authenticator."""

from typing import Any, TypeVar

from django.db.models import Model
from django.forms import PasswordInput
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.people.pages.fields import Secret
from casino.people.pages.page import form_data, key_of
from casino.people.pages.steps import Step
from casino.people.proofs import run_signed
from payouts.commands import request_fingerprint
from payouts.models import Approval
from payouts.rules.plain import Json

Row = TypeVar("Row", bound=Model)
PROOF = {"inputmode": "numeric", "autocomplete": "one-time-code", "maxlength": 12}


class ProvedStep(Step[Row]):
    """A step that is carried out once the proof is right; the proof is no part of what is asked
    (`run_signed`). `proof`: `pin` or `totp`.
    """

    secret = Secret(label=gettext_lazy("Your PIN"), widget=PasswordInput(PROOF))
    proof = "pin"

    def prove_by(self, method: str) -> None:
        """Ask for a `pin` or for the code of a `totp`."""
        self.proof = method
        if method == "totp":
            self.fields["secret"].label = _("Code of your authenticator")
            self.fields["secret"].widget = PasswordInput({"type": "text", **PROOF})

    def run(self, request: HttpRequest) -> Json:
        """Do it once for the form's key. Raises what `run_signed` raises."""
        same = request_fingerprint(self.command, self.person.pk, self.body(form_data(request)))
        secret = self.fields["secret"].clean(self.data.get("secret"))
        key, work = key_of(request, self.person), self.prepare()
        done = run_signed(
            key, same, person=self.person, method=self.proof, secret=secret, work=work
        )
        return done.body


class SignedStep(ProvedStep[Row]):
    """One whose row says which proof it wants."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.prove_by(self.method())

    def method(self) -> str:
        """`pin` or `totp`."""
        raise NotImplementedError


class RefusalStep(ProvedStep[Row]):
    """A "no" to what is asked for: proved like a "yes", unless the requester takes it back
    (`proof` is empty then).
    """

    def pending(self) -> Approval:
        """What is refused. Raises ApprovalUnknown."""
        raise NotImplementedError

    def refuse(self, approval: Approval) -> None:
        """Ask for the proof that this approval wants of the person."""
        if approval.requester_id == self.person.pk:
            self.proof = ""
            self.fields.pop("secret", None)
        else:
            self.prove_by(approval.method)

    def run(self, request: HttpRequest) -> Json:
        """Do it once for the form's key. Raises what `run_signed` raises, ApprovalUnknown."""
        self.refuse(self.pending())
        return super().run(request) if self.proof else super(ProvedStep, self).run(request)
