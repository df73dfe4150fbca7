"""Approvals: what waits for a signature, as it is signed; sign, reject."""

from collections.abc import Callable, Iterable
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.schemas import approvals, openapi
from casino.api.schemas.answers import answer
from casino.api.views import HouseView
from casino.people.acts import act_of
from casino.people.models import Person
from casino.people.permissions import VIEW_APPROVAL
from casino.people.proofs import run_signed
from casino.people.refusals import NotAllowed, SignInRequired
from jackpot.hints import hint
from jackpot.models import Jackpot
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from payouts import services
from payouts.commands import run_once
from payouts.models import Approval, ApprovalSignature
from payouts.models.approval import WAITING
from payouts.rules.approval import ApprovalUnknown, ProofRefused
from payouts.rules.plain import Json


class Approvals(HouseView):
    """What waits for a signature."""

    rights = {"get": (VIEW_APPROVAL,)}

    @openapi.listing(
        "approvals_list",
        "Open approvals of the house, newest first, with what is signed",
        approvals.Approval,
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(_approvals()).filter(WAITING)
        return self.page(
            rows, ("-requested_at", "-id"), lambda found: [_signed_answer(row) for row in found]
        )


class OneApproval(HouseView):
    """One approval, open or not."""

    rights = {"get": (VIEW_APPROVAL,)}

    @openapi.one(
        "approval_get", "An approval with payload, hash and signatures", approvals.Approval
    )
    def get(self, request: Request, approval_id: UUID) -> Response:
        """Show it. Raises ApprovalUnknown."""
        return Response(_signed_answer(_found(self.scope.rows(_approvals()), approval_id)))


class ApprovalCommand(HouseView):
    """A command about one approval."""

    rights = {"post": (VIEW_APPROVAL,)}

    def approval_and_person(self, approval_id: UUID) -> tuple[Approval, Person]:
        """The approval and the person. Raises HouseNeeded, ApprovalUnknown, NotAllowed."""
        person = self.scope.person
        if person is None:
            raise SignInRequired
        rows = self.scope.rows(_approvals()).filter(house_id=self.scope.house())
        approval = _found(rows, approval_id)
        if not person.has_perm(act_of(approval).needs):
            raise NotAllowed
        return approval, person


class ApprovalSign(ApprovalCommand):
    """Sign."""

    @openapi.command(
        "approval_sign",
        "Sign what was seen, by PIN or by a code of the authenticator, as the approval's `method`"
        " says; the last signature carries it out, but a correction or a void of a round or of a"
        " hand, which its own command does by the approval",
        approvals.Approval,
        approvals.Sign,
        {"payload_hash": "0" * 64, "secret": "270415"},
    )
    def post(self, request: Request, approval_id: UUID) -> Response:
        """Sign it. The proof is no part of the request's fingerprint: a repeat shows another code.
        The signer is: a tablet's keys are its own, and nobody shall take another's signature for
        theirs.
        """
        approval, person = self.approval_and_person(approval_id)
        values = self.sent(request, approvals.Sign)
        seen = {"payload_hash": values["payload_hash"]}
        done = run_signed(
            self.key(request),
            self.print_for("approval.sign", {"approval": approval_id, "signer": person.pk}, seen),
            person=person,
            method=approval.method,
            secret=values["secret"],
            work=_sign(approval, person, bytes.fromhex(values["payload_hash"])),
            **self.scope.proof_place,
        )
        return Response({"replayed": done.replayed, "answer": done.body})


class ApprovalReject(ApprovalCommand):
    """Reject."""

    @openapi.command(
        "approval_reject",
        "Refuse what was asked for, by PIN or by a code of the authenticator as the approval's"
        " `method` says; who asked for it takes it back without",
        approvals.Approval,
        approvals.Reject,
        {"reason": "not what I saw", "secret": "270415"},
    )
    def post(self, request: Request, approval_id: UUID) -> Response:
        """Refuse it. As with a signature, the proof is no part of the request's fingerprint."""
        approval, person = self.approval_and_person(approval_id)
        values = self.sent(request, approvals.Reject)
        about = {"approval": approval_id, "person": person.pk}
        same = self.print_for("approval.reject", about, {"reason": values["reason"]})
        work = _reject(approval, person, values["reason"])
        if person.pk == approval.requester_id:
            done = run_once(self.key(request), same, work)
        elif values["secret"] is None:
            raise ProofRefused(method=approval.method)
        else:
            done = run_signed(
                self.key(request),
                same,
                person=person,
                method=approval.method,
                secret=values["secret"],
                work=work,
                **self.scope.proof_place,
            )
        return Response({"replayed": done.replayed, "answer": done.body})


def _sign(approval: Approval, person: Person, payload_hash: bytes) -> Callable[[], Json]:
    def work() -> Json:
        act_of(approval).sign(
            approval_id=approval.pk,
            house_id=approval.house_id,
            payload_hash=payload_hash,
            signer_id=person.pk,
            signer_roles=person.roles,
            method=approval.method,
        )
        return _signed_answer(_found(_approvals(), approval.pk))

    return work


def _reject(approval: Approval, person: Person, reason: str) -> Callable[[], Json]:
    def work() -> Json:
        act_of(approval).reject(
            approval_id=approval.pk,
            house_id=approval.house_id,
            person_id=person.pk,
            person_roles=person.roles,
            reason=reason,
        )
        _tell(approval)
        return _signed_answer(_found(_approvals(), approval.pk))

    return work


def _tell(approval: Approval) -> None:
    """Screens show what waits for signatures at a jackpot: a rejection changes it."""
    if approval.subject_kind == "hit":
        rows = Jackpot.objects.filter(hits__pk=UUID(approval.subject_id))
    elif approval.action in OF_JACKPOTS and "jackpot" in approval.payload:
        rows = Jackpot.objects.filter(pk=approval.payload["jackpot"])
    else:
        return
    for jackpot_id in rows.values_list("pk", flat=True):
        hint(jackpot_id)


def _approvals() -> QuerySet[Approval]:
    return Approval.objects.prefetch_related("signatures", "lists")


def _found(rows: QuerySet[Approval], approval_id: UUID) -> Approval:
    found = rows.filter(pk=approval_id).first()
    if found is None:
        raise ApprovalUnknown
    return found


def _signed_answer(row: Approval) -> dict[str, Json]:
    return approval_answer(row, row.signatures.all())


def approval_answer(row: Approval, signed: Iterable[ApprovalSignature] = ()) -> dict[str, Json]:
    """What is asked for, exactly as it is signed; and by whom it is signed so far."""
    return answer(
        approvals.Approval,
        row,
        lists=services.lists_of(row),
        signed_by=[one.signer_id for one in signed],
    )
