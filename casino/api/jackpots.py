"""Progressive jackpots: phase, meter, parameters."""

from collections.abc import Sequence
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import jackpots, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.views import HouseView
from casino.people.permissions import DEAL, SET_UP, VIEW_JACKPOT
from jackpot import services
from jackpot.errors import JackpotUnknown
from jackpot.models import Jackpot
from jackpot.selectors.controller import controller_meters, unreasonable_contributions
from jackpot.selectors.jackpots import meters_read
from payouts.rules.plain import Json

WITH = ("epoch__funding", "hit", "gate")
NEW = {
    "name": "Progressive",
    "progressive": "Bad Ragaz Progressive",
    "funding": "Bad Ragaz Progressive",
    "rules": "",
    "offline_linked": "stop",
}


class Jackpots(HouseView):
    """Jackpots of the house; at a tablet, the one that its table is linked to."""

    rights = {"get": (VIEW_JACKPOT, DEAL), "post": (SET_UP,)}

    @openapi.listing("jackpots_list", "The jackpots with phase and meter", jackpots.JackpotNow)
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(Jackpot.objects.select_related(*WITH), jackpot="pk")
        return self.page(rows, ("name", "id"), _now)

    @openapi.command(
        "jackpot_create",
        "Set a jackpot up and open its first epoch with the seed; from the house's first round on"
        " it is asked for",
        jackpots.Jackpot,
        jackpots.JackpotCreate,
        NEW,
    )
    def post(self, request: Request) -> Response:
        house, values = self.scope.house(), self.sent(request, jackpots.JackpotCreate)

        def work() -> Json:
            return answer(
                jackpots.Jackpot,
                services.jackpot_create(house_id=house, actor_id=self.scope.actor, **values),
            )

        return self.once(request, "jackpot.create", work)


class JackpotCreateRequest(HouseView):
    """Ask for a jackpot."""

    rights = {"post": (SET_UP,)}

    @openapi.command(
        "jackpot_create_request",
        "Ask for a jackpot, with the seed and the versions that are released now: the last"
        " signature makes it",
        Approval,
        jackpots.JackpotCreate,
        NEW,
    )
    def post(self, request: Request) -> Response:
        house = self.scope.house()
        values = self.sent(request, jackpots.JackpotCreate)

        def work() -> Json:
            approval = services.jackpot_create_request(
                house_id=house, person_id=self.scope.actor, **values
            )
            return approval_answer(approval)

        return self.once(request, "jackpot.create_request", work)


class OneJackpot(HouseView):
    """One jackpot."""

    rights = {"get": (VIEW_JACKPOT,)}

    @openapi.one("jackpot_get", "A jackpot with phase and meter", jackpots.JackpotNow)
    def get(self, request: Request, jackpot_id: UUID) -> Response:
        """Show it. Raises JackpotUnknown."""
        found = list(self.scope.rows(Jackpot.objects.select_related(*WITH).filter(pk=jackpot_id)))
        if not found:
            raise JackpotUnknown
        return Response(_now(found)[0])


class JackpotMeters(HouseView):
    """Controller meters."""

    rights = {"get": (VIEW_JACKPOT,)}

    @openapi.one(
        "jackpot_meters",
        "What an authority asks of a controller: coins in, hits, amounts won, overflow, reserve,"
        " the last 25 hits; and tables that played more rounds in an hour of the last day than a"
        " table can",
        jackpots.ControllerMeters,
    )
    def get(self, request: Request, jackpot_id: UUID) -> Response:
        """Show them. Raises JackpotUnknown."""
        if not self.scope.rows(Jackpot.objects.filter(pk=jackpot_id), jackpot="pk").exists():
            raise JackpotUnknown
        meters, hours = (
            controller_meters(jackpot_id=jackpot_id),
            unreasonable_contributions(jackpot_id=jackpot_id),
        )
        return Response(answer(jackpots.ControllerMeters, meters, unreasonable=list(hours)))


class JackpotParameters(HouseView):
    """What linked tables do without the server."""

    rights = {"post": (SET_UP,)}

    @openapi.command(
        "jackpot_parameters",
        "Say what linked tables do without the server; refused while a round is locked",
        jackpots.Jackpot,
        jackpots.Parameters,
        {"offline_linked": "play_flagged"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        house, values = self.scope.house(), self.sent(request, jackpots.Parameters)

        def work() -> Json:
            changed = services.jackpot_parameters_set(
                house_id=house, jackpot_id=jackpot_id, actor_id=self.scope.actor, **values
            )
            return answer(jackpots.Jackpot, changed)

        return self.once(request, "jackpot.parameters", work, jackpot=jackpot_id)


def _now(found: Sequence[Jackpot]) -> list[dict[str, Json]]:
    readings = meters_read(found)
    return [
        answer(
            jackpots.JackpotNow,
            row,
            epoch=readings[row.pk].epoch_number,
            version=readings[row.pk].version,
            shown_minor=readings[row.pk].shown_minor,
        )
        for row in found
    ]
