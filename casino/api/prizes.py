"""Prizes that wait for people: one that nobody is asked about any more is asked for again."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import openapi
from casino.api.schemas.approvals import Approval
from casino.api.schemas.common import Why
from casino.api.views import HouseView
from casino.people.permissions import VERIFY
from jackpot import services
from jackpot.errors import PrizeUnknown
from jackpot.models import WaitingPrize
from payouts.rules.plain import Json


class PrizeRequest(HouseView):
    """Ask for it again."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "prize_request",
        "Ask again for a prize that was turned down, or whose slip was cancelled unpaid (its id:"
        " `subject_id` of the approval, or `prize` of the slip's award)",
        Approval,
        Why,
        {"reason": "the cards were seen on camera"},
    )
    def post(self, request: Request, prize_id: UUID) -> Response:
        """Ask. Raises PrizeUnknown."""
        house, values = self.scope.house(), self.sent(request, Why)
        if not self.scope.rows(
            WaitingPrize.objects.filter(pk=prize_id, house_id=house), jackpot="jackpot"
        ).exists():
            raise PrizeUnknown

        def work() -> Json:
            asked = services.prize_request_again(
                house_id=house, prize_id=prize_id, **values, person_id=self.scope.actor
            )
            return approval_answer(asked)

        return self.once(request, "prize.ask_again", work, prize=prize_id)
