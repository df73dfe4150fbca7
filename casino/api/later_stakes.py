"""Stakes that come after the lock: placed as it happens, or taken back where it was a mistake."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.rounds import RoundCommand
from casino.api.schemas import openapi, rounds
from payouts.rules.plain import Json
from tables import services


class RoundPlace(RoundCommand):
    """A stake that comes after the lock."""

    @openapi.command(
        "round_place",
        "A stake that comes after the lock, as it happens: doubling, splitting, insurance, even"
        " money",
        rounds.Round,
        rounds.Place,
        {"placement": {"box": 1, "guest": openapi.ID, "act": "double", "cards": "5h 6d"}},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.Place)

        def work() -> Json:
            return services.round_place(
                **where,
                placement=values["placement"],
                supervisor=self.scope.supervisor,
                reason=values["reason"],
            )

        return self.once_for_round(request, "round.place", work, round_id=round_id)


class RoundTakeBack(RoundCommand):
    """A stake that came after the lock goes back."""

    @openapi.command(
        "round_take_back",
        "Take the newest stake that came after the lock back, before the round ends: it was a"
        " mistake",
        rounds.Round,
        rounds.TakeBack,
        {"placed": 1},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.TakeBack)

        def work() -> Json:
            return services.round_take_back(
                **where,
                placed=values["placed"],
                supervisor=self.scope.supervisor,
                reason=values["reason"],
            )

        return self.once_for_round(request, "round.take_back", work, round_id=round_id)
