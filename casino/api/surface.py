"""A table as its tablet shows it, in one answer."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import describe
from casino.api.views import HouseView
from casino.api.who import DEAL, VIEW_TABLES
from casino.tablet_surface import RELATED, standing
from tables.errors import TableUnknown
from tables.models import Table


class Surface(HouseView):
    """What a tablet asks for again and again."""

    rights = {"get": (VIEW_TABLES, DEAL)}

    @describe.one(
        "table_surface",
        "A table for its tablet: session, guests, the newest round with stakes and result, the versions played under",
        "Surface",
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """Show it. Raises TableUnknown."""
        rows = self.reach.rows(Table.objects.select_related(*RELATED).filter(pk=table_id), "pk")
        table = rows.first()
        if table is None:
            raise TableUnknown
        return Response(standing(table))
