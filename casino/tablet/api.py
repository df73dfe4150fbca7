"""A table as its tablet shows it, in one answer; where its guests can go on; and the call that
brings the floor to it.
"""

from uuid import UUID

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.floor import TableCommand
from casino.api.schemas import floor, openapi, stays
from casino.api.schemas.answers import answer
from casino.api.views import HouseView
from casino.people.permissions import DEAL, RUN_FLOOR, VIEW_TABLE
from casino.tablet.seats import free_seats
from casino.tablet.surface import RELATED, jackpot_snapshot, standing
from payouts.rules.plain import Json
from tables.errors import TableUnknown
from tables.models import Table
from tables.services import floor_call


class Surface(HouseView):
    """What a tablet asks for again and again."""

    rights = {"get": (VIEW_TABLE, DEAL)}

    @openapi.one(
        "table_surface",
        "A table for its tablet: session, guests, the newest round with stakes and result, the"
        " versions played under; with `jackpot=1` also what its socket would tell of the jackpot,"
        " for a tablet whose socket is down. At a poker table its seats instead of guests and"
        " round",
        floor.Surface,
        floor.SurfaceQuery,
        or_else=stays.SeatsSurface,
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """Show it. Raises TableUnknown."""
        rows = self.scope.rows(Table.objects.select_related(*RELATED).filter(pk=table_id), "pk")
        table = rows.first()
        if table is None:
            raise TableUnknown
        told = jackpot_snapshot(table) if self.values["jackpot"] else None
        return Response(standing(table) | {"told": told})


class SeatsElsewhere(HouseView):
    """Where a guest can go on."""

    rights = {"get": (VIEW_TABLE, DEAL)}

    @openapi.one(
        "free_seats",
        "Where a guest of a poker table can go on: the other open poker tables of the house, each"
        " with the numbers of its free seats",
        stays.FreeSeats,
        of_a_game=True,
    )
    def get(self, _request: Request, table_id: UUID) -> Response:
        """Show them. Raises TableUnknown, NoStacks."""
        table = self.scope.rows(Table.objects.filter(pk=table_id), "pk").first()
        if table is None:
            raise TableUnknown
        return Response(free_seats(table))


class FloorCall(TableCommand):
    """Call the floor to a table."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "floor_call",
        "Call the floor to a table, or (nothing) say that it is seen to",
        floor.FloorCall,
        floor.Call,
        {"reason": "dispute"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where, values = self.service_args(table_id), self.sent(request, floor.Call)

        def work() -> Json:
            call = floor_call(**where, reason=values["reason"] or None)
            return answer(floor.FloorCall, table=table_id, reason=call.reason if call else None)

        return self.once(request, "floor.call", work, table=table_id)


urlpatterns = [
    path("tables/<uuid:table_id>/surface/", Surface.as_view()),
    path("tables/<uuid:table_id>/free-seats/", SeatsElsewhere.as_view()),
    path("tables/<uuid:table_id>/floor-call/", FloorCall.as_view()),
]
