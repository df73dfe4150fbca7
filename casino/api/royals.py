"""What a round has to do with the jackpot: the *Royal!* call, the approvals to void a claim or to
pay an award late.
"""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.rounds import RoundCommand
from casino.api.schemas import openapi, rounds
from casino.api.schemas.approvals import Approval
from casino.api.schemas.common import Nothing, Why
from casino.people.permissions import DEAL, RUN_FLOOR, VERIFY
from payouts.rules.plain import Json
from tables import services


class RoundCall(RoundCommand):
    """Royal!"""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "round_call",
        "Royal! A running round claims the jackpot before its cards are entered: all linked tables"
        " freeze now",
        rounds.Round,
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where = self.service_args(round_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return services.round_call(**where, supervisor=self.scope.supervisor)

        return self.once_for_round(request, "round.call", work, round_id=round_id)


class RoundVoidRequest(RoundCommand):
    """Ask to void a round that claims."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "round_void_request",
        "Ask for the approval to void a round that claims the jackpot, or whose cards a feed has"
        " read; whoever dealt it may not sign",
        Approval,
        Why,
        {"reason": "cards were exposed"},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, Why)

        def work() -> Json:
            return approval_answer(services.round_void_request(**where, **values))

        return self.once(request, "round.void_request", work, round=round_id)


class LateAwardRequest(RoundCommand):
    """Ask for what an overlooked royal flush should have won."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "late_award_request",
        "Ask the house to pay a royal flush that was overlooked until its jackpot had been paid to"
        " others",
        Approval,
        rounds.LateAward,
        {"box": 2, "amount_minor": 500_150, "reason": "seen on camera 4"},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.LateAward)

        def work() -> Json:
            return approval_answer(services.late_award_request(**where, **values))

        return self.once(request, "round.late_award_request", work, round=round_id)
