"""The page on which a manager signs that somebody may sign: who he is, what he is now, what he is to be."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.people.models import Person
from casino.people.page import Wrong, allowed, key_of, page, reason_of, row_of, run, secret, seen, typed
from casino.people.permissions import VIEW_APPROVAL, VIEW_PERSON
from casino.people.proofs import run_signed
from casino.people.roles import label
from casino.people.signing_roles import ACTION, sign_role_sign
from casino.text import floor as floor_words
from casino.text.states import ENDED_REQUESTS
from payouts.commands import request_fingerprint
from payouts.errors import Refused
from payouts.models import Approval, House
from payouts.rules.approval import role_fits
from payouts.rules.plain import Json
from payouts.services import approval_reject


@require_GET
def asked(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What is asked for, who asked, and what the reader may do about it."""
    person = allowed(request, VIEW_APPROVAL)
    return _page(request, person, _found(person, pk))


@require_POST
@sensitive_post_parameters("secret")
def sign(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Sign with one's code; the last signature gives the roles."""
    person = allowed(request, VIEW_APPROVAL)
    approval = _found(person, pk)

    def work() -> Json:
        return sign_role_sign(
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
        return run_signed(key_of(request, person), print_, person=person, method=method, secret=given, work=work).body

    return _step(request, person, approval, "sign", step, _("Signed."))


@require_POST
def reject(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Refuse it, with a reason."""
    person = allowed(request, VIEW_APPROVAL)
    approval = _found(person, pk)
    words = typed(request)

    def work() -> Json:
        ids = {"approval_id": pk, "house_id": approval.house_id, "person_id": person.pk}
        return approval_reject(**ids, person_roles=person.roles, reason=reason_of(words)).state

    def step() -> Json:
        return run(request, person, "approval.reject", words | {"approval": str(pk)}, work)

    return _step(request, person, approval, "reject", step, _("Turned down."))


def _step(
    request: HttpRequest, person: Person, approval: Approval, form: str, step: Callable[[], Json], done: str
) -> HttpResponse:
    try:
        step()
    except Refused as refused:
        return _page(request, person, _found(person, approval.pk), Wrong(form, refused))
    messages.success(request, done)
    return redirect("person-asked", approval.pk)


def _page(request: HttpRequest, person: Person, approval: Approval, wrong: Wrong | None = None) -> HttpResponse:
    signed = [one.signer_id for one in approval.signatures.all()]
    waits = approval.waits
    own = person.pk == approval.requester_id or person.pk in approval.excluded
    fits = role_fits(person.roles, approval.roles)
    may = {"sign": waits and fits and not own and person.pk not in signed, "reject": waits and (fits or own)}
    payload = approval.payload
    context: dict[str, Any] = {
        "asked": approval,
        "who": {name: payload[name] for name in ("full_name", "username")},
        "rows": _rows(payload["before"], payload["after"]),
        "state": _("waits for a signature") if waits else floor_words.say(ENDED_REQUESTS, approval.state),
        "waits": waits,
        "own": own,
        "may_open": person.has_perm(VIEW_PERSON),
        "may": may,
        "forms": {form for form, offered in may.items() if offered},
        "words": typed(request),
        "seen": bytes(approval.payload_hash).hex(),
        "key": uuid4(),
    }
    return page(request, person, "pit/person_asked.html", context, approval.house, wrong)


def _rows(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What changes: its name, what it is, what it is to be."""
    names = {str(pk): name for pk, name in House.objects.filter(pk__in=_ids(before, after)).values_list("pk", "name")}

    def told(one: dict[str, Any]) -> tuple[str, str, str]:
        active = _("may sign in") if one["active"] else _("may not sign in")
        return names.get(one["house"], "–"), ", ".join(label(code) for code in one["roles"]), active

    return list(zip((_("House"), _("Roles"), _("Sign-in")), told(before), told(after), strict=True))


def _ids(*standings: dict[str, Any]) -> list[str]:
    return [one["house"] for one in standings if one["house"]]


def _found(person: Person, pk: UUID) -> Approval:
    rows = Approval.objects.filter(action=ACTION).select_related("house", "requester")
    return row_of(person, rows.prefetch_related("signatures__signer"), pk)
