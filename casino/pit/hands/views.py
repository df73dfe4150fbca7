"""One hand of poker: what was entered of it, and what is asked for and signed to put it right."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.people.acts import ACTS
from casino.people.models import Person
from casino.people.pages.fields import Hash, Reason, Subject, Text, Tick
from casino.people.pages.page import Wrong, allowed, page, row_of
from casino.people.pages.signed_step import ProvedStep, RefusalStep
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import RUN_FLOOR, VIEW_ROUND
from casino.pit.hands.irregular import IrregularHand
from casino.pit.hands.rulings import PayForFault, PotsCorrection, ticked_now
from casino.pit.hands.show import HandRequest, details, player
from casino.pit.hands.steps import HandRequestStep, HandStep
from casino.pit.jackpots.standing import AMOUNT
from casino.text.ruleset_fields import input_text
from casino.text.typed import minor_typed
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.services import approval_reject, approval_signed
from tables.games.poker.raking import Pot
from tables.models import Guest, Hand
from tables.selectors.hands import OVERRIDE, REQUESTS, VOID
from tables.services import (
    hand_correct,
    hand_correction_request,
    hand_void,
    hand_void_request,
)
from tables.services.hands.correct import signed_entry, signed_kind
from tables.services.hands.entry import PlayedHand, dealt_possible
from tables.services.parts import table_locked

PLAYER = "dealt."  # the field of a guest who may have been dealt in, with the stay's id


@require_GET
def hand(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A hand with every revision, and what may be done with it."""
    person = allowed(request, VIEW_ROUND)
    return _hand_page(request, person, _row(person, pk))


class _HandCorrection(HandRequestStep):
    step, command = "correct", "hand.correction_request"
    flop = Tick(label=_("Flop dealt"), widget=forms.CheckboxInput)
    walk = Tick(label=_("Everybody folded to the blind"), widget=forms.CheckboxInput)
    pot = Text(label=_("Pot, if it is known"), widget=forms.TextInput(AMOUNT))
    rake = Text(label=_("Rake; empty: by the schedule"), widget=forms.TextInput(AMOUNT))
    field_order = ("flop", "walk", "pot", "rake", "reason")

    def __init__(self, row: Hand, *args: Any, **options: Any) -> None:
        super().__init__(row, *args, **options)
        guests = Guest.objects.filter(stay__in=dealt_possible(row))
        for guest in guests.order_by("box", "number"):
            field = Tick(label=player(guest), widget=forms.CheckboxInput)
            self.fields[f"{PLAYER}{guest.pk}"] = field

    @property
    def players(self) -> list[forms.BoundField]:
        """A box to tick for each guest who sat there while the hand was played."""
        return [self[name] for name in self.fields if name.startswith(PLAYER)]

    def carry_out(self) -> Json:
        """Raises AmountRefused, and what `hand_correction_request` refuses."""
        values = self.values
        pot = Pot(
            rake_minor=self._minor("rake"),
            pot_minor=self._minor("pot"),
            flop=values["flop"],
            walk=values["walk"],
        )
        approval = hand_correction_request(
            **self.subject_values, entry=PlayedHand(self._dealt(), pot)
        )
        return str(approval.pk)

    def _dealt(self) -> list[UUID]:
        names = [name for name, ticked in self.values.items() if ticked]
        return [UUID(name.removeprefix(PLAYER)) for name in names if name.startswith(PLAYER)]

    def _minor(self, name: str) -> int | None:
        text = self.values[name]
        return minor_typed(text, self.row.house) if text else None


class _HandVoid(HandRequestStep):
    step, command = "void", "hand.void_request"

    def carry_out(self) -> Json:
        return str(hand_void_request(**self.subject_values).pk)


class _AboutRequest(HandStep):
    permission, about = VIEW_ROUND, "approval"
    approval = Subject(ApprovalUnknown)

    @cached_property
    def requested(self) -> Approval:
        """The request that the form was made for. Raises ApprovalUnknown."""
        about = Approval.objects.filter(
            action__in=REQUESTS, subject_kind="hand", subject_id=str(self.row.pk)
        )
        approval = about.filter(house_id=self.row.house_id, pk=self.values["approval"]).first()
        if approval is None:
            raise ApprovalUnknown
        return approval


class _HandSignature(ProvedStep[Hand], _AboutRequest):
    """Sign what was asked for; the last signature carries it out."""

    step, command = "sign", "hand.sign"
    seen = Hash()

    def run(self, request: HttpRequest) -> Json:
        self.proof = self.requested.method
        return super().run(request)

    def carry_out(self) -> Json:
        approval = self.requested
        # before the approval, as every command about a hand does
        table_locked(self.row.house_id, self.row.table_id, any_jackpot=True)
        ACTS[approval.action].sign(
            approval_id=approval.pk,
            house_id=approval.house_id,
            payload_hash=self.values["seen"],
            signer_id=self.person.pk,
            signer_roles=self.person.roles,
            method=approval.method,
        )
        if approval_signed(approval) < approval.signers:
            return None
        if approval.action == OVERRIDE:  # its last signature has paid
            return {"paid_minor": approval.payload["amount_minor"]}
        about = {name: approval.payload[name] for name in ("revision", "reason")}
        values: dict[str, Any] = self.ids | about | {"approval_id": approval.pk}
        if approval.action == VOID:
            return {"state": hand_void(**values).state}
        corrected = hand_correct(
            **values,
            entry=signed_entry(approval.payload),
            correction=signed_kind(approval.payload),
        )
        return {"revision": corrected.revision}

    def message(self, answer: Json) -> str:
        if not answer:
            return gettext("Signed.")
        if self.requested.action == OVERRIDE:
            return gettext("Decided and paid.")
        return gettext("Voided.") if self.requested.action == VOID else gettext("Corrected.")


class _HandRejection(RefusalStep[Hand], _AboutRequest):
    """Refuse what was asked for, or take back one's own request, with a reason."""

    step, command = "reject", "hand.reject"
    reason = Reason(500, label=_("Reason"))

    def pending(self) -> Approval:
        return self.requested

    def carry_out(self) -> Json:
        approval_reject(
            approval_id=self.requested.pk,
            house_id=self.row.house_id,
            person_id=self.person.pk,
            person_roles=self.person.roles,
            reason=self.values["reason"],
        )
        return None


def _hand_page(
    request: HttpRequest, person: Person, row: Hand, refusal: Wrong | None = None
) -> HttpResponse:
    hand_details = details(row, person)
    waiting = [
        (pending, *_request_forms(row, person, pending, refusal))
        for pending in hand_details.waiting
    ]
    offered = _forms(row, person, refusal) if hand_details.may_ask else {}
    if person.has_perm(RUN_FLOOR):
        offered["irregularity"] = IrregularHand.offered(row, person, refusal)
    signing = [form for _pending, *forms in waiting for form in forms if form]
    places = {form.at for form in (*signing, *offered.values())}
    context = hand_details._asdict() | offered | {"waiting": waiting, "forms": places}
    return page(request, person, "pit/hands/hand.html", context, row.house, wrong=refusal)


def _forms(row: Hand, person: Person, refusal: Wrong | None) -> dict[str, Step[Hand]]:
    """What was typed is given back, what it was made from is new."""
    last = row.results.get(revision=row.revision)
    initial: dict[str, Any] = {
        name: input_text(f"{name}_minor", getattr(last, f"{name}_minor"), row.house)
        for name in ("pot", "rake")
    }
    initial |= {"revision": row.revision, "flop": last.flop, "walk": last.walk}
    dealt = {f"{PLAYER}{stay}": True for stay in last.dealt}
    void = {"void": _HandVoid.offered(row, person, refusal, revision=row.revision)}
    if last.entered is not None:
        now = {"revision": row.revision} | ticked_now(row)
        return {
            **void,
            "pots_correction": PotsCorrection.offered(row, person, refusal, **now),
            "override": PayForFault.offered(row, person, refusal, revision=row.revision),
        }
    return void | {"correct": _HandCorrection.offered(row, person, refusal, **initial, **dealt)}


def _request_forms(
    row: Hand, person: Person, pending: HandRequest, refusal: Wrong | None
) -> tuple[_HandSignature | None, _HandRejection | None]:
    approval = pending.approval
    about = {"approval": str(approval.pk), "seen": bytes(approval.payload_hash).hex()}
    sign = _HandSignature.offered(row, person, refusal, **about) if pending.may_sign else None
    reject = _HandRejection.offered(row, person, refusal, **about) if pending.may_reject else None
    if sign:
        sign.prove_by(approval.method)
    if reject:
        reject.refuse(approval)
    return sign, reject


def _row(person: Person, pk: UUID | None) -> Hand:
    return row_of(person, Hand.objects.select_related("house", "table", "session", "croupier"), pk)


PAGE = Page(
    "floor-hand",
    _row,
    _hand_page,
    by_name(
        *(_HandCorrection, PotsCorrection, _HandVoid, PayForFault, IrregularHand),
        *(_HandSignature, _HandRejection),
    ),
)
