"""Pages on which what is asked for is signed or turned down: what they share, whatever it is."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from casino.people.acts import ACTS, SignedAct
from casino.people.models import Person
from casino.people.pages.fields import Hash, Reason
from casino.people.pages.page import Wrong, allowed_by_any, page, row_of
from casino.people.pages.signed_step import RefusalStep, SignedStep
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import VIEW_APPROVAL
from casino.text import floor
from casino.text.states import ENDED_REQUESTS
from payouts.errors import mark
from payouts.models import Approval
from payouts.rules.approval import role_fits
from payouts.rules.plain import Json


@dataclass(frozen=True)
class Kind:
    """One action that is signed on a page of its own.

    `view`: the name of its address; the steps' are this with `-sign` and `-reject`. `details`: what
    the page shows of it.
    """

    action: str
    view: str
    template: str
    details: Callable[[Approval, Person], dict[str, Any]]

    @property
    def act(self) -> SignedAct:
        """How it is signed, and which permission the steps need besides the one to read."""
        return ACTS[self.action]


class _Sign(SignedStep[Approval]):
    step, command, subject, done = "sign", "approval.sign", "approval", mark("Signed.")
    seen = Hash()

    def method(self) -> str:
        return self.row.method


class _Reject(RefusalStep[Approval]):
    step, command, subject, done = "reject", "approval.reject", "approval", mark("Turned down.")
    reason = Reason(500, label=gettext_lazy("Reason"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.refuse(self.row)

    def pending(self) -> Approval:
        return self.row

    def carry_out(self) -> Json:
        return (
            ACTS[self.row.action]
            .reject(
                approval_id=self.row.pk,
                house_id=self.row.house_id,
                person_id=self.person.pk,
                person_roles=self.person.roles,
                reason=self.values["reason"],
            )
            .state
        )


def page_of(kind: Kind) -> Page[Approval]:
    """The page of one kind, with its steps."""

    class Sign(_Sign):
        permission = kind.act.needs

        def carry_out(self) -> Json:
            return kind.act.sign(
                approval_id=self.row.pk,
                house_id=self.row.house_id,
                payload_hash=self.values["seen"],
                signer_id=self.person.pk,
                signer_roles=self.person.roles,
                method=self.row.method,
            ).state

    class Reject(_Reject):
        permission = kind.act.needs

    return Page(kind.view, partial(_found, kind), partial(_page, kind), by_name(Sign, Reject))


@require_GET
def asked(request: HttpRequest, pk: UUID, page: Page[Approval]) -> HttpResponse:
    """What is asked for, who asked, and what the reader may do about it."""
    person = allowed_by_any(request, VIEW_APPROVAL, page.steps[_Sign.step].permission)
    return page.show(request, person, page.find(person, pk), None)


def _page(
    kind: Kind, request: HttpRequest, person: Person, approval: Approval, wrong: Wrong | None = None
) -> HttpResponse:
    signed = [one.signer_id for one in approval.signatures.all()]
    waits = approval.waits
    own = person.pk == approval.requester_id
    fits = person.has_perm(kind.act.needs) and role_fits(person.roles, approval.roles)
    part = own or person.pk in approval.excluded
    offered: dict[str, Step[Approval]] = {}
    if waits and fits and not part and person.pk not in signed:
        offered["sign"] = _Sign.offered(
            approval, person, wrong, seen=bytes(approval.payload_hash).hex()
        )
    if waits and (fits or own):
        offered["reject"] = _Reject.offered(approval, person, wrong)
    context: dict[str, Any] = {
        "asked": approval,
        "view": {"sign": f"{kind.view}-sign", "reject": f"{kind.view}-reject"},
        "state": (
            _("waits for a signature") if waits else floor.say(ENDED_REQUESTS, approval.state)
        ),
        "there": floor.signatures(len(signed), approval.signers),
        "waits": waits,
        "own": own,
        "part": part,
        "signed": person.pk in signed,
        "forms": offered.keys(),
        **offered,
    } | kind.details(approval, person)
    return page(request, person, kind.template, context, approval.house, wrong)


def _found(kind: Kind, person: Person, pk: UUID) -> Approval:
    rows = Approval.objects.filter(action=kind.action).select_related("house", "requester")
    return row_of(person, rows.prefetch_related("signatures__signer"), pk)
