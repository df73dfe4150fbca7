"""Pits, tables and their sessions."""

from collections.abc import Sequence
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import describe, show
from casino.api.parse import Field, identity, record, text, whole
from casino.api.views import NOTHING, PAGING, HouseView
from casino.api.who import OfficeAuthentication
from casino.devices.api import DeviceAuthentication, FeedAuthentication
from casino.people.permissions import DEAL, RUN_FLOOR, SET_UP, VIEW_TABLE
from payouts.rules.plain import Json
from tables import services
from tables.errors import TableUnknown
from tables.games import GAMES
from tables.models import Pit, Round, Table
from tables.models.floor import ENTRY_LEVELS
from tables.services.parts import FLOOR_KINDS

SMALL = 32_767  # what a place in an order may be
LEVEL = text(1, 20, codes=ENTRY_LEVELS)
NAMES: dict[str, Any] = {
    "type": "object",
    "description": "By kind, the name of the posted table that counts: exactly those that the game needs, and "
    + " and ".join(FLOOR_KINDS)
    + ".",
    "additionalProperties": {"type": "string", "minLength": 2, "maxLength": 60},
}
PIT: dict[str, Field] = {"name": text(1, 40), "position": whole(0, SMALL, default=0)}
TABLE: dict[str, Field] = {
    "pit": identity(),
    "name": text(1, 40),
    "game": text(1, 20, codes=tuple(GAMES)),
    "boxes": whole(1, max(game.boxes_most for game in GAMES.values())),
    "posted": record(NAMES),
    "position": whole(0, SMALL, default=0),
}
LINK: dict[str, Field] = {"jackpot": identity(nullable=True)}
OPEN: dict[str, Field] = {
    "croupier": identity(),
    "entry_level": text(1, 20, codes=ENTRY_LEVELS, default="fast"),
}
HAND_OVER: dict[str, Field] = {"croupier": identity()}
ENTRY: dict[str, Field] = {"entry_level": LEVEL}
FLOOR_ORDER = ("position", "name", "id")


class Pits(HouseView):
    """Pits of the house."""

    rights = {"get": (VIEW_TABLE, DEAL), "post": (SET_UP,)}
    query = PAGING

    @describe.listing("pits_list", "The pits of the house, in the order in which they stand", "Pit", PAGING)
    def get(self, request: Request) -> Response:
        """List them."""
        rows = self.reach.rows(Pit.objects.all(), "tables")
        return self.page(rows, FLOOR_ORDER, lambda found: [show.pit(row) for row in found])

    @describe.command("pit_create", "Add a pit", PIT, "Pit", {"name": "Pit 1", "position": 1})
    def post(self, request: Request) -> Response:
        """Add one."""
        house, values = self.reach.house(), self.sent(request, PIT)

        def work() -> Json:
            return show.pit(services.pit_create(house_id=house, actor_id=self.reach.actor, **values))

        return self.once(request, "pit.create", work)


class Tables(HouseView):
    """Tables of the house, as they stand."""

    rights = {"get": (VIEW_TABLE, DEAL), "post": (SET_UP,)}
    query = PAGING

    @describe.listing("tables_list", "The tables as they stand: session, croupier, running round", "TableNow", PAGING)
    def get(self, request: Request) -> Response:
        """List them."""
        return self.page(self.reach.rows(_standing(), "pk"), FLOOR_ORDER, _now)

    @describe.command(
        "table_create",
        "Add a table and open its accounts",
        TABLE,
        "Table",
        {
            "pit": describe.ID,
            "name": "UTH 1",
            "game": "uth",
            "boxes": 6,
            "posted": {
                "uth_rules": "UTH 5–50",
                "blind": "UTH Blind",
                "trips": "UTH Trips",
                "floor_rules": "Bad Ragaz",
                "calendar": "Rund um die Uhr",
            },
            "position": 1,
        },
    )
    def post(self, request: Request) -> Response:
        """Add one."""
        house, values = self.reach.house(), self.sent(request, TABLE)
        pit_id = values.pop("pit")

        def work() -> Json:
            made = services.table_create(house_id=house, pit_id=pit_id, actor_id=self.reach.actor, **values)
            return show.table(made)

        return self.once(request, "table.create", work)


class OneTable(HouseView):
    """One table."""

    authentication_classes = (DeviceAuthentication, FeedAuthentication, OfficeAuthentication)
    rights = {"get": (VIEW_TABLE, DEAL)}
    feeds = ("get",)

    @describe.one("table_get", "A table as it stands; a card feed sees here which round runs at its table", "TableNow")
    def get(self, request: Request, table_id: UUID) -> Response:
        """Show it. Raises TableUnknown."""
        found = list(self.reach.rows(_standing().filter(pk=table_id), "pk"))
        if not found:
            raise TableUnknown
        return Response(_now(found)[0])


class _Where(TypedDict):
    house_id: UUID
    table_id: UUID
    actor_id: UUID


class TableCommand(HouseView):
    """A command to one table."""

    rights = {"post": (RUN_FLOOR,)}

    def where(self, table_id: UUID) -> _Where:
        """House, table and person, as services ask for them. Raises HouseNeeded, TableUnknown."""
        house = self.reach.house()
        self.reach.check_table(table_id)
        return {"house_id": house, "table_id": table_id, "actor_id": self.reach.actor}


class TableLink(TableCommand):
    """Link a table to a jackpot."""

    rights = {"post": (SET_UP,)}

    @describe.command("table_link", "Link a table to a jackpot, or to none", LINK, "Table", {"jackpot": describe.ID})
    def post(self, request: Request, table_id: UUID) -> Response:
        """Link it."""
        where, values = self.where(table_id), self.sent(request, LINK)

        def work() -> Json:
            return show.table(services.table_link(**where, jackpot_id=values["jackpot"]))

        return self.once(request, "table.link", work, table=table_id)


class TableOpen(TableCommand):
    """Open a table."""

    @describe.command(
        "table_open",
        "Open a table for this gaming day",
        OPEN,
        "Session",
        {"croupier": describe.ID, "entry_level": "fast"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Open it."""
        where, values = self.where(table_id), self.sent(request, OPEN)

        def work() -> Json:
            return show.session(
                services.table_open(**where, croupier_id=values["croupier"], entry_level=values["entry_level"])
            )

        return self.once(request, "table.open", work, table=table_id)


class TableClose(TableCommand):
    """Close a table."""

    @describe.command("table_close", "Close a table; its guests are gone", NOTHING, "Session", {})
    def post(self, request: Request, table_id: UUID) -> Response:
        """Close it."""
        where = self.where(table_id)
        self.sent(request, NOTHING)

        def work() -> Json:
            return show.session(services.table_close(**where))

        return self.once(request, "table.close", work, table=table_id)


class TableHandOver(TableCommand):
    """Give a table to another croupier."""

    @describe.command(
        "table_hand_over",
        "Give a table to another croupier, also in the middle of a round",
        HAND_OVER,
        "HandOver",
        {"croupier": describe.ID},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Hand it over."""
        where, croupier = self.where(table_id), self.sent(request, HAND_OVER)["croupier"]

        def work() -> Json:
            return show.hand_over(services.table_hand_over(**where, croupier_id=croupier), table_id, croupier)

        return self.once(request, "table.hand_over", work, table=table_id)


class TableEntryLevel(TableCommand):
    """Change how rounds are entered."""

    @describe.command(
        "table_entry_level",
        "Change how rounds are entered, from the next round on",
        ENTRY,
        "Session",
        {"entry_level": "full_cards"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Change it."""
        where, values = self.where(table_id), self.sent(request, ENTRY)

        def work() -> Json:
            return show.session(services.table_entry_level_set(**where, **values))

        return self.once(request, "table.entry_level", work, table=table_id)


def _standing() -> QuerySet[Table]:
    return Table.objects.select_related("session__croupier")


def _now(found: Sequence[Table]) -> list[dict[str, Json]]:
    playing = Round.objects.filter(table_id__in=[row.pk for row in found], state=Round.State.LOCKED).only(
        "id", "table_id", "number", "locked_at"
    )
    running = {row.table_id: row for row in playing}
    return [show.table_now(row, running) for row in found]
