"""One round: what was staked, what is to be paid and why; settled, withdrawn, voided or corrected by the floor."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.games import screens_of
from casino.people.models import Person
from casino.people.page import Wrong, allowed, key_of, page, row_of, run, secret, seen, typed
from casino.people.permissions import CORRECT, RUN_FLOOR, VERIFY, VIEW_ROUND
from casino.people.proofs import run_signed
from casino.pit.rounds import show as floor_round_show
from jackpot.services import jackpot_exclude
from payouts.commands import request_fingerprint
from payouts.errors import Refused
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.services import approval_reject, approval_sign, approval_signed
from tables.errors import ApprovalNeeded, RoundChanged
from tables.models import Round
from tables.selectors.rounds import CORRECTION, VOID_CLAIMED
from tables.services import (
    round_call,
    round_correct,
    round_correction_request,
    round_evaluate,
    round_hold,
    round_settle,
    round_void,
    round_void_request,
    round_withdraw,
)

SAID = {
    "call": gettext_lazy("Royal is called: all linked tables are locked until the hit is decided."),
    "void-ask": gettext_lazy("Asked for: another person looks at it and signs."),
}


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A round with its stakes and lines, every revision, and what may be done with it."""
    return _round_page(request, allowed(request, VIEW_ROUND), pk)


# --- a round whose tablet is dead ---------------------------------------------------------------------------------------------
@require_POST
def round_step(request: HttpRequest, pk: UUID, step: str) -> HttpResponse:
    """Settle, withdraw or void a running round for its croupier, or call *Royal!* for him."""
    person = allowed(request, VERIFY if step == "void-ask" else RUN_FLOOR)
    found = _found(person, pk)
    if step not in ("settle", "withdraw", "void", "call", "void-ask"):
        raise Http404
    words = typed(request)
    try:
        if step == "settle":
            _settle(request, person, found, words)
        else:
            _take_back(request, person, found, step, words)
    except Refused as refused:
        return _round_page(request, person, pk, Wrong(step, refused))
    messages.success(request, SAID.get(step) or _("Done."))
    return redirect("floor-round", pk)


def _settle(request: HttpRequest, person: Person, found: Round, words: dict[str, str]) -> None:
    prepared = round_evaluate(
        house_id=found.house_id, round_id=found.pk, result=screens_of(found.table.game).typed(found, words)
    )

    def work() -> Json:
        return {"state": round_settle(prepared=prepared, person_id=person.pk, supervisor=True)["state"]}

    run(request, person, "round.settle", words | {"round": str(found.pk)}, work)


def _take_back(request: HttpRequest, person: Person, found: Round, step: str, words: dict[str, str]) -> None:
    ids: dict[str, Any] = {"house_id": found.house_id, "round_id": found.pk, "person_id": person.pk}

    def work() -> Json:
        reason = words.get("reason", "").strip()
        if step == "call":
            return {"state": round_call(**ids, supervisor=True)["state"]}
        if step == "void-ask":
            return {"approval": str(round_void_request(**ids, reason=reason).pk)}
        if step == "void":
            return {"state": round_void(**ids, reason=reason)["state"]}
        return {"state": round_withdraw(**ids, table_id=found.table_id, supervisor=True)["state"]}

    run(request, person, f"round.{step}", words | {"round": str(found.pk)}, work)


# --- corrections --------------------------------------------------------------------------------------------------------------
@require_POST
def correct(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Put a settled round right; where one person may not, ask for the approval of it."""
    person = allowed(request, VIEW_ROUND)
    allowed(request, CORRECT)
    found = _found(person, pk)
    words = typed(request)
    reason, body = words.get("reason", "").strip(), words | {"round": str(pk)}
    try:
        result = screens_of(found.table.game).typed(found, words)
        prepared = round_evaluate(house_id=found.house_id, round_id=pk, result=result, state=Round.State.SETTLED)

        def work() -> Json:
            if words.get("revision") != str(prepared.record["revision"]):
                raise RoundChanged  # the form was filled from lines that another person has corrected since
            return {"revision": round_correct(prepared=prepared, person_id=person.pk, reason=reason)["revision"]}

        def ask() -> Json:
            return str(round_correction_request(prepared=prepared, person_id=person.pk, reason=reason).pk)

        try:
            run(request, person, "round.correct", body, work)
        except ApprovalNeeded:
            run(request, person, "round.correct.ask", body, ask, ":ask")
            messages.success(request, _("The correction was asked for: another person looks at it and signs."))
        else:
            messages.success(request, _("Corrected."))
    except Refused as refused:
        return _round_page(request, person, pk, Wrong("correct", refused))
    return redirect("floor-round", pk)


# --- what others asked for: a correction, or to void a round that claims -------------------------------------------------------
@require_POST
@sensitive_post_parameters("secret")
def sign(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Sign what was asked for; the last signature carries it out."""
    person = allowed(request, VIEW_ROUND)
    found = _found(person, pk)
    try:
        approval = _asked(request, found)
        carry_out = _voiding if approval.action == VOID_CLAIMED else _correcting
        work = carry_out(found, approval, person, lambda: _put_name(request, person, approval))
        body = {"round": str(pk), "approval": str(approval.pk), "seen": request.POST.get("seen", "")}
        asked = request_fingerprint("round.correct.sign", person.pk, body)
        key, proof = key_of(request, person), secret(request)
        answer = run_signed(key, asked, person=person, method=approval.method, secret=proof, work=work)
    except Refused as refused:
        return _round_page(request, person, pk, Wrong("sign", refused))
    done = _("Voided.") if approval.action == VOID_CLAIMED else _("Corrected.")
    messages.success(request, done if answer.body else _("Signed."))
    return redirect("floor-round", pk)


def _put_name(request: HttpRequest, person: Person, approval: Approval) -> bool:
    """Sign; say whether it was the last signature that is needed."""
    approval_sign(
        approval_id=approval.pk,
        house_id=approval.house_id,
        payload_hash=seen(request),
        signer_id=person.pk,
        signer_roles=person.roles,
        method=approval.method,
    )
    return approval_signed(approval) >= approval.signers


def _correcting(found: Round, approval: Approval, person: Person, put_name: Callable[[], bool]) -> Callable[[], Json]:
    result, reason = approval.payload["result"], approval.payload["reason"]
    prepared = round_evaluate(house_id=found.house_id, round_id=found.pk, result=result, state=Round.State.SETTLED)

    def work() -> Json:
        round_hold(prepared)  # before the approval, as every correction does
        if not put_name():
            return None
        done = round_correct(prepared=prepared, person_id=person.pk, reason=reason, approval_id=approval.pk)
        return {"revision": done["revision"]}

    return work


def _voiding(found: Round, approval: Approval, person: Person, put_name: Callable[[], bool]) -> Callable[[], Json]:
    def work() -> Json:
        if found.jackpot_id is not None:
            jackpot_exclude(found.jackpot_id)  # before the approval, as everything about a hit does
        if not put_name():
            return None
        ids = {"house_id": found.house_id, "round_id": found.pk, "person_id": person.pk}
        return {"state": round_void(**ids, reason=approval.payload["reason"], approval_id=approval.pk)["state"]}

    return work


@require_POST
def reject(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Refuse a correction, or take back one's own request for it, with a reason."""
    person = allowed(request, VIEW_ROUND)
    found = _found(person, pk)
    words = typed(request)
    try:
        approval = _asked(request, found)

        def work() -> Json:
            approval_reject(
                approval_id=approval.pk,
                house_id=found.house_id,
                person_id=person.pk,
                person_roles=person.roles,
                reason=words.get("reason", "").strip(),
            )
            return None

        run(request, person, "round.correct.reject", words | {"round": str(pk)}, work)
    except Refused as refused:
        return _round_page(request, person, pk, Wrong("reject", refused))
    messages.success(request, _("Done."))
    return redirect("floor-round", pk)


# --- parts --------------------------------------------------------------------------------------------------------------------
def _round_page(request: HttpRequest, person: Person, pk: UUID, wrong: Wrong | None = None) -> HttpResponse:
    found = _found(person, pk)
    words = typed(request) if wrong else {}
    at = wrong.at if wrong else ""
    context = floor_round_show.details(found, person, words if at in ("settle", "correct") else {})
    may = context["may"]
    forms = {"withdraw": may["void"], "void-ask": may["void_ask"]} | may
    context |= {"words": words, "forms": {name for name, there in forms.items() if there}}
    return page(request, person, "pit/rounds/round.html", context, found.house, wrong)


def _found(person: Person, pk: UUID) -> Round:
    rows = Round.objects.select_related("house", "table", "session", "croupier", "ended_by")
    return row_of(person, rows, pk)


def _requests(found: Round) -> QuerySet[Approval]:
    return Approval.objects.filter(
        house_id=found.house_id, action__in=(CORRECTION, VOID_CLAIMED), subject_id=str(found.pk)
    )


def _asked(request: HttpRequest, found: Round) -> Approval:
    """The request that the form was made for. Raises ApprovalUnknown."""
    try:
        wanted = _requests(found).filter(pk=UUID(request.POST.get("approval", ""))).first()
    except ValueError:
        wanted = None
    if wanted is None:
        raise ApprovalUnknown
    return wanted
