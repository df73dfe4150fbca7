"""What the house posts, as released: for programs that work an amount out again from the very
tables that were in force.
"""

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.schemas import floor, openapi
from casino.api.schemas.answers import answer
from casino.api.views import HouseView
from casino.people.permissions import VIEW_POSTED_TABLE
from payouts.models import PostedState, PostedTable


class PostedTables(HouseView):
    """Released versions of posted tables."""

    rights = {"get": (VIEW_POSTED_TABLE,)}

    @openapi.listing(
        "posted_tables_list",
        "Released versions of posted tables with their data. On a gaming day the one counts whose"
        " `in_force_from` is the latest that is not after it; for kinds that start with an epoch"
        " the one that was released last when the epoch began",
        floor.PostedTable,
        floor.PostedTablesQuery,
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(PostedTable.objects.filter(state=PostedState.APPROVED))
        kind = self.values["kind"]
        order = ("kind", "name", "-version", "id")
        return self.page(
            rows.filter(kind=kind) if kind else rows,
            order,
            lambda found: [answer(floor.PostedTable, row) for row in found],
        )
