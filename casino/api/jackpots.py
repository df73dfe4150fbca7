"""Progressive jackpots: phase, meter, parameters."""

from collections.abc import Sequence
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import describe, show, show_hits
from casino.api.parse import Field, text
from casino.api.views import PAGING, HouseView
from casino.people.permissions import DEAL, SET_UP, VIEW_JACKPOT
from jackpot import services
from jackpot.errors import JackpotUnknown
from jackpot.models import Jackpot
from jackpot.selectors.controller import controller_meters, unreasonable_contributions
from jackpot.selectors.jackpots import meters_read
from payouts.rules.plain import Json

OFFLINE = text(1, 20, codes=tuple(Jackpot.OFFLINE))
CREATE: dict[str, Field] = {
    "name": text(2, 60),
    "progressive": text(2, 60),
    "funding": text(2, 60),
    "rules": text(0, 60, default=""),
    "offline_linked": text(1, 20, codes=tuple(Jackpot.OFFLINE), default="stop"),
}
WITH = ("epoch__funding", "hit", "gate")
PARAMETERS: dict[str, Field] = {"offline_linked": OFFLINE}


class Jackpots(HouseView):
    """Jackpots of the house; at a tablet, the one that its table is linked to."""

    rights = {"get": (VIEW_JACKPOT, DEAL), "post": (SET_UP,)}
    query = PAGING

    @describe.listing("jackpots_list", "The jackpots with phase and meter", "JackpotNow", PAGING)
    def get(self, request: Request) -> Response:
        """List them."""
        rows = self.reach.rows(Jackpot.objects.select_related(*WITH), jackpot="pk")
        return self.page(rows, ("name", "id"), _now)

    @describe.command(
        "jackpot_create",
        "Set a jackpot up and open its first epoch with the seed",
        CREATE,
        "Jackpot",
        {
            "name": "Progressive",
            "progressive": "Bad Ragaz Progressive",
            "funding": "Bad Ragaz Progressive",
            "rules": "",
            "offline_linked": "stop",
        },
    )
    def post(self, request: Request) -> Response:
        """Add one."""
        house, values = self.reach.house(), self.sent(request, CREATE)

        def work() -> Json:
            return show.jackpot(services.jackpot_create(house_id=house, actor_id=self.reach.actor, **values))

        return self.once(request, "jackpot.create", work)


class OneJackpot(HouseView):
    """One jackpot."""

    rights = {"get": (VIEW_JACKPOT,)}

    @describe.one("jackpot_get", "A jackpot with phase and meter", "JackpotNow")
    def get(self, request: Request, jackpot_id: UUID) -> Response:
        """Show it. Raises JackpotUnknown."""
        found = list(self.reach.rows(Jackpot.objects.select_related(*WITH).filter(pk=jackpot_id)))
        if not found:
            raise JackpotUnknown
        return Response(_now(found)[0])


class JackpotMeters(HouseView):
    """Controller meters."""

    rights = {"get": (VIEW_JACKPOT,)}

    @describe.one(
        "jackpot_meters",
        "What an authority asks of a controller: coins in, hits, amounts won, overflow, reserve, the last 25 hits; and tables that "
        "played more rounds in an hour of the last day than a table can",
        "ControllerMeters",
    )
    def get(self, request: Request, jackpot_id: UUID) -> Response:
        """Show them. Raises JackpotUnknown."""
        if not self.reach.rows(Jackpot.objects.filter(pk=jackpot_id), jackpot="pk").exists():
            raise JackpotUnknown
        meters = controller_meters(jackpot_id=jackpot_id)
        return Response(show_hits.meters(meters, unreasonable_contributions(jackpot_id=jackpot_id)))


class JackpotParameters(HouseView):
    """What linked tables do without the server."""

    rights = {"post": (SET_UP,)}

    @describe.command(
        "jackpot_parameters",
        "Say what linked tables do without the server; refused while a round is locked",
        PARAMETERS,
        "Jackpot",
        {"offline_linked": "play_flagged"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        """Set it."""
        house, values = self.reach.house(), self.sent(request, PARAMETERS)

        def work() -> Json:
            changed = services.jackpot_parameters_set(
                house_id=house, jackpot_id=jackpot_id, actor_id=self.reach.actor, **values
            )
            return show.jackpot(changed)

        return self.once(request, "jackpot.parameters", work, jackpot=jackpot_id)


def _now(found: Sequence[Jackpot]) -> list[dict[str, Json]]:
    readings = meters_read(found)
    return [show.jackpot_now(row, readings[row.pk]) for row in found]
