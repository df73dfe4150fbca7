"""Pages on which what is asked for is signed or turned down: what they share, whatever it is."""

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.people.models import Person
from casino.people.page import (
    Wrong,
    allowed,
    key_of,
    page,
    reason_of,
    row_of,
    run,
    secret,
    seen,
    typed,
)
from casino.people.permissions import VIEW_APPROVAL
from casino.people.proofs import run_signed
from casino.text import floor as floor_words
from casino.text.states import ENDED_REQUESTS
from payouts.commands import request_fingerprint
from payouts.errors import Refused
from payouts.models import Approval
from payouts.rules.approval import role_fits
from payouts.rules.plain import Json
from payouts.services import approval_reject


class Kind(NamedTuple):
    """One action that is signed on a page of its own.

    `view`: the name of its address; the steps' are this with `-sign` and `-reject`. `sign`: signs,
    and carries it out with the last signature. `details`: what the page shows of it. `needs`: the
    permission for the steps, besides the one to read.
    """

    action: str
    view: str
    template: str
    sign: Callable[..., Approval]
    details: Callable[[Approval, Person], dict[str, Any]]
    needs: str = VIEW_APPROVAL


@require_GET
def asked(request: HttpRequest, pk: UUID, kind: Kind) -> HttpResponse:
    """What is asked for, who asked, and what the reader may do about it."""
    person = allowed(request, VIEW_APPROVAL)
    return _page(request, person, kind, _found(person, kind, pk))


@require_POST
@sensitive_post_parameters("secret")
def sign(request: HttpRequest, pk: UUID, kind: Kind) -> HttpResponse:
    """Sign with one's code or PIN; the last signature carries it out."""
    person = allowed(request, kind.needs)
    approval = _found(person, kind, pk)

    def work() -> Json:
        return kind.sign(
            approval_id=pk,
            house_id=approval.house_id,
            payload_hash=seen(request),
            signer_id=person.pk,
            signer_roles=person.roles,
            method=approval.method,
        ).state

    def step() -> Json:
        words = {"approval": str(pk), "seen": seen(request).hex()}
        print_ = request_fingerprint("approval.sign", person.pk, words)
        method, given = approval.method, secret(request)
        return run_signed(
            key_of(request, person), print_, person=person, method=method, secret=given, work=work
        ).body

    return _step(request, person, kind, approval, "sign", step, _("Signed."))


@require_POST
def reject(request: HttpRequest, pk: UUID, kind: Kind) -> HttpResponse:
    """Refuse it, with a reason."""
    person = allowed(request, kind.needs)
    approval = _found(person, kind, pk)
    words = typed(request)

    def work() -> Json:
        ids = {"approval_id": pk, "house_id": approval.house_id, "person_id": person.pk}
        return approval_reject(**ids, person_roles=person.roles, reason=reason_of(words)).state

    def step() -> Json:
        return run(request, person, "approval.reject", words | {"approval": str(pk)}, work)

    return _step(request, person, kind, approval, "reject", step, _("Turned down."))


def _step(
    request: HttpRequest,
    person: Person,
    kind: Kind,
    approval: Approval,
    form: str,
    step: Callable[[], Json],
    done: str,
) -> HttpResponse:
    try:
        step()
    except Refused as refused:
        return _page(request, person, kind, _found(person, kind, approval.pk), Wrong(form, refused))
    messages.success(request, done)
    return redirect(kind.view, approval.pk)


def _page(
    request: HttpRequest, person: Person, kind: Kind, approval: Approval, wrong: Wrong | None = None
) -> HttpResponse:
    signed = [one.signer_id for one in approval.signatures.all()]
    waits = approval.waits
    own = person.pk == approval.requester_id
    fits = person.has_perm(kind.needs) and role_fits(person.roles, approval.roles)
    part = own or person.pk in approval.excluded
    may = {
        "sign": waits and fits and not part and person.pk not in signed,
        "reject": waits and (fits or own),
    }
    context: dict[str, Any] = {
        "asked": approval,
        "view": {"sign": f"{kind.view}-sign", "reject": f"{kind.view}-reject"},
        "state": _("waits for a signature")
        if waits
        else floor_words.say(ENDED_REQUESTS, approval.state),
        "there": floor_words.signatures(len(signed), approval.signers),
        "waits": waits,
        "own": own,
        "part": part,
        "signed": person.pk in signed,
        "may": may,
        "forms": {form for form, offered in may.items() if offered},
        "words": typed(request),
        "seen": bytes(approval.payload_hash).hex(),
        "key": uuid4(),
    } | kind.details(approval, person)
    return page(request, person, kind.template, context, approval.house, wrong)


def _found(person: Person, kind: Kind, pk: UUID) -> Approval:
    rows = Approval.objects.filter(action=kind.action).select_related("house", "requester")
    return row_of(person, rows.prefetch_related("signatures__signer"), pk)
