"""What goes wrong in a round, and what is decided about it, also against the rules."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.rounds import RoundCommand
from casino.api.schemas import openapi, rounds
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.people.permissions import CORRECT
from payouts.rules.plain import Json
from tables import services


class RoundIrregularities(RoundCommand):
    """Records of what went wrong."""

    @openapi.command(
        "round_irregularity",
        "Record what went wrong in a round and what was decided; afterwards, by the pit only;"
        " a round that is void by it is voided beside it",
        rounds.Irregularity,
        rounds.Irregular,
        {"kind": "misdeal", "decision": "play_on", "reason": "dealt again in order"},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.Irregular)

        def work() -> Json:
            recorded = services.irregularity_record(
                **where, **values, supervisor=self.scope.supervisor
            )
            return answer(rounds.Irregularity, recorded)

        return self.once_for_round(request, "round.irregularity", work, round_id=round_id)


class RoundOverrideRequest(RoundCommand):
    """Ask to pay a guest against the rules."""

    rights = {"post": (CORRECT,)}

    @openapi.command(
        "round_override_request",
        "Ask to pay a guest, for a box of a settled round, more than the rules give; whoever dealt"
        " or settled it may not sign; the last signature pays",
        Approval,
        rounds.Override,
        {"box": 1, "guest": openapi.ID, "amount_minor": 2_000, "reason": "a card was taken away"},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.Override)

        def work() -> Json:
            asked = services.override_request(
                **where,
                box=values["box"],
                guest_id=values["guest"],
                amount_minor=values["amount_minor"],
                reason=values["reason"],
            )
            return approval_answer(asked)

        return self.once(request, "round.override_request", work, round=round_id)
