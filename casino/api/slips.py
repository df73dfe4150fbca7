"""Slips: what the cage pays, and what was paid; a wrong one is cancelled by two people."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import describe, show, show_hits
from casino.api.approvals import SECRET
from casino.api.parse import SIX_DIGITS, Field, WrongError, one_of, text, whole
from casino.api.views import PAGING, HouseView
from casino.people.permissions import PAY_SLIPS, VERIFY, VIEW_SLIP
from casino.people.proofs import run_signed
from casino.people.refusals import SignInRequired
from jackpot import services
from jackpot.errors_cage import SlipUnknown
from jackpot.models import Slip
from jackpot.rules import slip_number
from payouts.errors import mark
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR
from payouts.rules.plain import Json

A_SLIP_NUMBER = mark("the number of a slip as it is written, such as 118, or 118-6B02EB8D after a restore")


def _number(value: Any, _name: str) -> tuple[int, int]:
    found = slip_number.read(value)
    if found is None:
        raise WrongError
    return found


FILTERS: dict[str, Field] = {
    "state": one_of("", *Slip.State.values, default=""),
    "number": Field(_number, A_SLIP_NUMBER, {"type": "string", "pattern": slip_number.PATTERN}, None),
}
PIN = text(6, 6, pattern=SECRET, expected=SIX_DIGITS, hidden=True)
PAY: dict[str, Field] = {"cash_minor": whole(0, AMOUNT_MAX_MINOR), "secret": PIN}
TAKE_BACK: dict[str, Field] = {"reason": text(3, 500), "secret": PIN}
CANCEL: dict[str, Field] = {"how": one_of(*Slip.CANCELS), "reason": text(3, 500)}


def slips() -> QuerySet[Slip]:
    """Slips with all that is shown of them."""
    return Slip.objects.select_related("award", "house")


class Slips(HouseView):
    """Slips of the house."""

    rights = {"get": (VIEW_SLIP,)}
    query = PAGING | FILTERS

    @describe.listing(
        "slips_list", "Slips, newest first; those in a state, or the one with a number", "Slip", PAGING | FILTERS
    )
    def get(self, request: Request) -> Response:
        """List them."""
        rows = self.reach.rows(slips(), jackpot="award__jackpot")
        if state := self.values["state"]:
            rows = rows.filter(state=state)
        if written := self.values["number"]:  # what bears another incarnation is another slip
            rows = rows.filter(number=written[0], incarnation=written[1])
        return self.page(rows, ("-made_at", "-id"), lambda found: [show_hits.slip(row) for row in found])


class OneSlip(HouseView):
    """One slip."""

    rights = {"get": (VIEW_SLIP,)}

    @describe.one(
        "slip_get", "A slip: for whom, how much in coins that exist, until when, and what became of it", "Slip"
    )
    def get(self, request: Request, slip_id: UUID) -> Response:
        """Show it. Raises SlipUnknown."""
        row = self.reach.rows(slips().filter(pk=slip_id), jackpot="award__jackpot").first()
        if row is None:
            raise SlipUnknown
        return Response(show_hits.slip(row))


class SlipCommand(HouseView):
    """A command about one slip."""

    def there(self, slip_id: UUID) -> dict[str, Any]:
        """House and slip. Raises HouseNeeded, SlipUnknown."""
        house = self.reach.house()
        if not self.reach.rows(Slip.objects.filter(pk=slip_id), jackpot="award__jackpot").exists():
            raise SlipUnknown
        return {"house_id": house, "slip_id": slip_id}

    def proved(
        self, request: Request, name: str, slip_id: UUID, values: dict[str, Any], work: Callable[..., object]
    ) -> Response:
        """Carry out once what the person proves by his PIN; it is no part of the request's fingerprint, as with a signature."""
        person = self.reach.person
        if person is None:
            raise SignInRequired
        there, secret = self.there(slip_id), values.pop("secret")

        def shown() -> Json:
            work(**there, **values, actor_id=person.pk)
            return show_hits.slip(slips().get(pk=slip_id))

        asked = self.print_for(name, {"slip": slip_id}, values)
        done = run_signed(self.key(request), asked, person=person, method="pin", secret=secret, work=shown)
        return Response({"replayed": done.replayed, "answer": done.body})


class SlipPay(SlipCommand):
    """Pay it."""

    rights = {"post": (PAY_SLIPS,)}

    @describe.command(
        "slip_pay",
        "Pay a slip, once, with exactly what it is in coins that exist; `secret` is the PIN of who pays it. Whoever signed its"
        " award may not",
        PAY,
        "Slip",
        {"cash_minor": 50_015, "secret": "270415"},
    )
    def post(self, request: Request, slip_id: UUID) -> Response:
        """Pay it."""
        return self.proved(request, "slip.pay", slip_id, self.sent(request, PAY), services.slip_pay)


class SlipTakeBack(SlipCommand):
    """Take its payment back."""

    rights = {"post": (PAY_SLIPS,)}

    @describe.command(
        "slip_take_back",
        "Take back what one has paid within the last minute, once for each slip, with one's PIN: it is to be paid again",
        TAKE_BACK,
        "Slip",
        {"reason": "another guest's slip", "secret": "270415"},
    )
    def post(self, request: Request, slip_id: UUID) -> Response:
        """Take it back."""
        return self.proved(request, "slip.take_back", slip_id, self.sent(request, TAKE_BACK), services.slip_take_back)


class SlipCancelRequest(SlipCommand):
    """Ask to cancel it."""

    rights = {"post": (VERIFY,)}

    @describe.command(
        "slip_cancel_request",
        "Ask to cancel a wrong award: `unpaid`, or paid and asked back (`receivable`) or lost (`loss`)",
        CANCEL,
        "Approval",
        {"how": "unpaid", "reason": "the claim was of box 4"},
    )
    def post(self, request: Request, slip_id: UUID) -> Response:
        """Ask."""
        there, values = self.there(slip_id), self.sent(request, CANCEL)

        def work() -> Json:
            return show.approval(services.award_cancel_request(**there, **values, person_id=self.reach.actor))

        return self.once(request, "slip.cancel_request", work, slip=slip_id)
