"""What goes wrong in a round, and what is decided about it."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.rounds import RoundCommand
from casino.api.schemas import openapi, rounds
from casino.api.schemas.answers import answer
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
