"""A jackpot of the floor: what its hit waits for, and the steps by which people bring it on: look, sign, show."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.devices.models import Device
from casino.people.models import Person
from casino.people.page import Wrong, allowed, here_of, key_of, page, reach, reason_of, row_of, run, secret, seen, typed
from casino.people.permissions import SET_UP, VERIFY, VIEW_APPROVAL, VIEW_HIT, VIEW_SLIP
from casino.people.proofs import run_signed
from casino.pit.jackpots import life as dashboard_jackpot_show
from casino.pit.jackpots import show as floor_jackpot_show
from casino.pit.jackpots.displays import displays_spare
from casino.pit.jackpots.prizes import PRIZES
from casino.pit.jackpots.standing import ASKED, SLIPS, STANDING
from casino.text.floor import uuid_or_none
from jackpot import services
from jackpot.hints import hint
from jackpot.models import Claim, Jackpot
from jackpot.rules.jackpot_rules import CHECKS
from payouts.commands import request_fingerprint
from payouts.errors import Refused
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.services import approval_reject

Words = dict[str, str]


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """The house's jackpots; the only one is opened at once, none is said."""
    person = allowed(request, VIEW_SLIP)
    there = list(_reached(person).order_by("name"))
    if len(there) == 1:
        return redirect("floor-jackpot", there[0].pk)
    context = {"jackpots": floor_jackpot_show.listed(there), "forms": set()}
    return page(request, person, "pit/jackpots/jackpots.html", context, here_of(person).house)


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What the jackpot waits for, with everything that people decide about its hit; the cage sees its slips."""
    return _jackpot_page(request, allowed(request, VIEW_SLIP), pk)


@require_POST
@sensitive_post_parameters("secret")
def jackpot_step(request: HttpRequest, pk: UUID, step: str) -> HttpResponse:
    """One step, by the form of that name."""
    if step not in STEPS:
        raise Http404
    permission, act, about = STEPS[step]
    person = allowed(request, permission)
    jackpot = row_of(person, _reached(person), pk)
    words = typed(request)
    try:
        said = act(request, person, jackpot, words)
    except Refused as refused:
        at = f"{step}:{words.get(about, '')}" if about else step
        return _jackpot_page(request, person, pk, Wrong(at, refused))
    messages.success(request, said)
    return redirect("floor-jackpot", pk)


# --- claims ---------------------------------------------------------------------------------------------------------------------
def _verify(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    claim_id = _claim(jackpot, words)
    noted = {check: words[check].strip() for check in CHECKS if check in words}

    def work() -> Json:
        claim = services.claim_verify(
            house_id=jackpot.house_id, claim_id=claim_id, person_id=person.pk, checklist=noted
        )
        return claim.state

    run(request, person, "claim.verify", words, work)
    return _("Claim verified.")


def _refuse(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    ids = {"house_id": jackpot.house_id, "claim_id": _claim(jackpot, words), "person_id": person.pk}

    def work() -> Json:
        return services.claim_refuse(**ids, reason=reason_of(words)).state

    run(request, person, "claim.refuse", words, work)
    return _("Claim rejected.")


def _claim(jackpot: Jackpot, words: Words) -> UUID:
    """The claim of the form, of this jackpot. Raises Http404."""
    return get_object_or_404(Claim, pk=uuid_or_none(words.get("claim")), hit__jackpot=jackpot).pk


def _reject_hit(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    if jackpot.hit_id is None:
        raise Http404
    ids = {"house_id": jackpot.house_id, "hit_id": jackpot.hit_id, "person_id": person.pk}

    def work() -> Json:
        return str(services.hit_reject_request(**ids, reason=reason_of(words)).pk)

    run(request, person, "hit.reject_request", words | {"hit": str(jackpot.hit_id)}, work)
    return _(ASKED)


# --- displays -------------------------------------------------------------------------------------------------------------------
def _out(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "person_id": person.pk}
    display_id = uuid_or_none(words.get("display"))
    if display_id is None:
        raise Http404

    def work() -> Json:
        return str(services.display_out_request(**ids, display_id=display_id, reason=reason_of(words)).pk)

    run(request, person, "display.out_request", words | {"jackpot": str(jackpot.pk)}, work)
    return _(ASKED)


def _add(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    """As by the API: who looks at hits, and who sets the floor up. Raises PermissionDenied for others."""
    if not person.has_perm(VERIFY) and not person.has_perm(SET_UP):
        raise PermissionDenied(SET_UP)
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "person_id": person.pk}
    device = _spare(jackpot, words)

    def work() -> Json:
        return str(services.display_add_request(**ids, display_id=device.pk, name=device.name).pk)

    run(request, person, "display.add_request", words | {"jackpot": str(jackpot.pk)}, work)
    return _(ASKED)


def _name(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "actor_id": person.pk}
    device = _spare(jackpot, words)

    def work() -> Json:
        return str(services.display_require(**ids, display_id=device.pk, name=device.name).pk)

    run(request, person, "display.require", words | {"jackpot": str(jackpot.pk)}, work)
    return _("Its tables wait for “%(name)s”.") % {"name": device.name}


def _spare(jackpot: Jackpot, words: Words) -> Device:
    """The enrolled display of the form, for which the tables do not wait. Raises Http404."""
    return get_object_or_404(displays_spare(jackpot), pk=uuid_or_none(words.get("display")))


# --- signatures -----------------------------------------------------------------------------------------------------------------
def _sign(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    approval = _asked(jackpot, words)

    def work() -> Json:
        return services.jackpot_sign(
            house_id=jackpot.house_id,
            approval_id=approval.pk,
            payload_hash=seen(request),
            signer_id=person.pk,
            signer_roles=person.roles,
            method=approval.method,
        ).state

    asked = request_fingerprint(
        "jackpot.sign", person.pk, {"approval": str(approval.pk), "seen": words.get("seen", "")}
    )
    key = key_of(request, person)
    run_signed(key, asked, person=person, method=approval.method, secret=secret(request), work=work)
    return _("Signed.")


def _turn_down(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    approval = _asked(jackpot, words)

    def work() -> Json:
        approval_reject(
            approval_id=approval.pk,
            house_id=jackpot.house_id,
            person_id=person.pk,
            person_roles=person.roles,
            reason=reason_of(words),
        )
        hint(jackpot.pk)  # screens show how many signatures are there
        return None

    run(request, person, "jackpot.turn_down", words, work)
    return _("Done.")


def _asked(jackpot: Jackpot, words: Words) -> Approval:
    """The request of the form, if it is about this jackpot. Raises ApprovalUnknown."""
    wanted = uuid_or_none(words.get("approval"))
    found = next((one for one in floor_jackpot_show.asked_of(jackpot) if one.pk == wanted), None)
    if found is None:
        raise ApprovalUnknown
    return found


# --- parts ----------------------------------------------------------------------------------------------------------------------
Act = Callable[[HttpRequest, Person, Jackpot, Words], str]
# By form: who may send it, what it does, and the field that says which of several such forms it was.
STEPS: dict[str, tuple[str, Act, str]] = {
    "verify": (VERIFY, _verify, "claim"),
    "refuse": (VERIFY, _refuse, "claim"),
    "reject-hit": (VERIFY, _reject_hit, ""),
    "out": (VERIFY, _out, "display"),
    "add": (VIEW_HIT, _add, ""),
    "name": (SET_UP, _name, ""),
    "sign": (VIEW_APPROVAL, _sign, "approval"),
    "turn-down": (VIEW_APPROVAL, _turn_down, "approval"),
    **STANDING,
    **SLIPS,
    **PRIZES,
}


def _jackpot_page(request: HttpRequest, person: Person, pk: UUID, wrong: Wrong | None = None) -> HttpResponse:
    jackpot = row_of(person, _reached(person), pk)
    context: dict[str, Any] = floor_jackpot_show.details(jackpot, person)
    context["words"] = typed(request) if wrong else {}
    if context["whole"]:
        history, older = dashboard_jackpot_show.history(jackpot)
        context |= {"history": history, "older": older, "is_now": True}
    return page(request, person, "pit/jackpots/jackpot.html", context, jackpot.house, wrong)


def _reached(person: Person) -> Any:
    rows = Jackpot.objects.select_related("house", "epoch__funding", "epoch__rules", "hit", "gate")
    return rows.filter(**reach(person)).exclude(epoch=None)
