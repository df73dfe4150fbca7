"""Guests at a table."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.floor import TableCommand
from casino.api.schemas import floor, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.common import Nothing
from casino.api.views import HouseView
from casino.people.permissions import DEAL, RUN_FLOOR, VIEW_TABLE
from payouts.rules.plain import Json
from tables import services
from tables.errors import GuestUnknown, TableUnknown
from tables.models import Guest, Table


class Guests(TableCommand):
    """Guests who are at a table."""

    rights = {"get": (VIEW_TABLE, DEAL), "post": (DEAL, RUN_FLOOR)}

    @openapi.listing("guests_list", "The guests who are at a table", floor.Guest)
    def get(self, request: Request, table_id: UUID) -> Response:
        """List them. Raises TableUnknown."""
        there = self.scope.rows(Table.objects.filter(pk=table_id), "pk").values_list(
            "session_id", flat=True
        )
        if not there:
            raise TableUnknown
        rows = Guest.objects.filter(session_id=there[0], left_at=None)
        return self.page(
            rows, ("number", "id"), lambda found: [answer(floor.Guest, row) for row in found]
        )

    @openapi.command(
        "guest_arrive",
        "A guest comes to a table, and sits at or owns a box",
        floor.Guest,
        floor.GuestArrive,
        {"box": 3, "seated": True, "distance": 0},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where, values = self.service_args(table_id), self.sent(request, floor.GuestArrive)

        def work() -> Json:
            return answer(
                floor.Guest,
                services.guest_arrive(**where, **values, croupier_id=self.scope.must_deal),
            )

        return self.once(request, "guest.arrive", work, table=table_id)


class GuestCommand(HouseView):
    """A command about one guest."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    def service_args(self, guest_id: UUID) -> dict[str, Any]:
        """House, guest and person. Raises HouseNeeded, GuestUnknown: from a tablet only the guests
        of its table are known.
        """
        house, table_id = self.scope.house(), self.scope.table_id
        if table_id and not Guest.objects.filter(pk=guest_id, session__table_id=table_id).exists():
            raise GuestUnknown
        return {
            "house_id": house,
            "guest_id": guest_id,
            "actor_id": self.scope.actor,
            "croupier_id": self.scope.must_deal,
        }


class GuestMove(GuestCommand):
    """A guest takes another place."""

    @openapi.command(
        "guest_move",
        "A guest takes another place, or gives up a box",
        floor.Guest,
        floor.GuestMove,
        {"box": None, "seated": False, "distance": 2},
    )
    def post(self, request: Request, guest_id: UUID) -> Response:
        where, values = self.service_args(guest_id), self.sent(request, floor.GuestMove)

        def work() -> Json:
            return answer(floor.Guest, services.guest_move(**where, **values))

        return self.once(request, "guest.move", work, guest=guest_id)


class GuestLeave(GuestCommand):
    """A guest leaves."""

    @openapi.command("guest_leave", "A guest leaves the table", floor.Guest)
    def post(self, request: Request, guest_id: UUID) -> Response:
        where = self.service_args(guest_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return answer(floor.Guest, services.guest_leave(**where))

        return self.once(request, "guest.leave", work, guest=guest_id)
