"""Slips: what the cage pays, and what was paid; a wrong one is cancelled by two people."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import hits, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.views import HouseView
from casino.people.permissions import PAY_SLIPS, VERIFY, VIEW_SLIP
from casino.people.proofs import run_signed
from casino.people.refusals import SignInRequired
from jackpot import services
from jackpot.errors import SlipUnknown
from jackpot.models import Slip
from jackpot.services.slips import cash_amount
from payouts.rules.plain import Json


def slips() -> QuerySet[Slip]:
    """Slips with all that is shown of them."""
    return Slip.objects.select_related("award", "house")


def slip_answer(row: Slip) -> dict[str, Json]:
    """A slip with its award; read with both its award and its house."""
    return answer(
        hits.Slip, row, to_pay_minor=cash_amount(row.award.amount_minor, row.house.currency)
    )


class Slips(HouseView):
    """Slips of the house."""

    rights = {"get": (VIEW_SLIP,)}

    @openapi.listing(
        "slips_list",
        "Slips, newest first; those in a state, or the one with a number",
        hits.Slip,
        hits.SlipsQuery,
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(slips(), jackpot="award__jackpot")
        if state := self.values["state"]:
            rows = rows.filter(state=state)
        if written := self.values.get("number"):  # what bears another incarnation is another slip
            rows = rows.filter(number=written[0], incarnation=written[1])
        return self.page(
            rows, ("-made_at", "-id"), lambda found: [slip_answer(row) for row in found]
        )


class OneSlip(HouseView):
    """One slip."""

    rights = {"get": (VIEW_SLIP,)}

    @openapi.one(
        "slip_get",
        "A slip: for whom, how much in coins that exist, until when, and what became of it",
        hits.Slip,
    )
    def get(self, request: Request, slip_id: UUID) -> Response:
        """Show it. Raises SlipUnknown."""
        row = self.scope.rows(slips().filter(pk=slip_id), jackpot="award__jackpot").first()
        if row is None:
            raise SlipUnknown
        return Response(slip_answer(row))


class SlipCommand(HouseView):
    """A command about one slip."""

    def service_args(self, slip_id: UUID) -> dict[str, Any]:
        """House and slip. Raises HouseNeeded, SlipUnknown."""
        house = self.scope.house()
        if not self.scope.rows(Slip.objects.filter(pk=slip_id), jackpot="award__jackpot").exists():
            raise SlipUnknown
        return {"house_id": house, "slip_id": slip_id}

    def proved(
        self,
        request: Request,
        name: str,
        slip_id: UUID,
        sent: Mapping[str, Any],
        work: Callable[..., object],
    ) -> Response:
        """Carry out once what the person proves by their PIN; it is no part of the request's
        fingerprint, as with a signature.
        """
        person = self.scope.person
        if person is None:
            raise SignInRequired
        there = self.service_args(slip_id)
        values = {field: value for field, value in sent.items() if field != "secret"}

        def slip_changed() -> Json:
            work(**there, **values, actor_id=person.pk)
            return slip_answer(slips().get(pk=slip_id))

        asked = self.print_for(name, {"slip": slip_id}, values)
        done = run_signed(
            self.key(request),
            asked,
            person=person,
            method="pin",
            secret=sent["secret"],
            work=slip_changed,
            **self.scope.proof_place,
        )
        return Response({"replayed": done.replayed, "answer": done.body})


class SlipPay(SlipCommand):
    """Pay it."""

    rights = {"post": (PAY_SLIPS,)}

    @openapi.command(
        "slip_pay",
        "Pay a slip, once, with exactly what it is in coins that exist; `secret` is the PIN of who"
        " pays it. Whoever signed its award or took part in it may not",
        hits.Slip,
        hits.Pay,
        {"cash_minor": 50_015, "secret": "270415"},
    )
    def post(self, request: Request, slip_id: UUID) -> Response:
        return self.proved(
            request, "slip.pay", slip_id, self.sent(request, hits.Pay), services.slip_pay
        )


class SlipTakeBack(SlipCommand):
    """Take its payment back."""

    rights = {"post": (PAY_SLIPS,)}

    @openapi.command(
        "slip_take_back",
        "Take back what one has paid within the last minute, once for each slip, with one's PIN: it"
        " is to be paid again",
        hits.Slip,
        hits.TakeBack,
        {"reason": "another guest's slip", "secret": "270415"},
    )
    def post(self, request: Request, slip_id: UUID) -> Response:
        return self.proved(
            request,
            "slip.take_back",
            slip_id,
            self.sent(request, hits.TakeBack),
            services.slip_take_back,
        )


class SlipCancelRequest(SlipCommand):
    """Ask to cancel it."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "slip_cancel_request",
        "Ask to cancel a wrong award: `unpaid`, or paid and asked back (`receivable`) or lost"
        " (`loss`)",
        Approval,
        hits.SlipCancel,
        {"how": "unpaid", "reason": "the claim was of box 4"},
    )
    def post(self, request: Request, slip_id: UUID) -> Response:
        there, values = self.service_args(slip_id), self.sent(request, hits.SlipCancel)

        def work() -> Json:
            return approval_answer(
                services.award_cancel_request(**there, **values, person_id=self.scope.actor)
            )

        return self.once(request, "slip.cancel_request", work, slip=slip_id)
