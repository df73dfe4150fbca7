"""Pits, tables and their sessions."""

from collections.abc import Sequence
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import floor, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.views import HouseView
from casino.api.who import OfficeAuthentication
from casino.devices.api import DeviceAuthentication, FeedAuthentication
from casino.devices.heard import tablet_state
from casino.people.permissions import DEAL, RUN_FLOOR, SET_UP, VIEW_TABLE
from casino.rulesets.signers import prize_lacks_at
from payouts.rules.plain import Json
from tables import services
from tables.errors import TableUnknown
from tables.models import Pit, Round, Table, TableSession, TableVersion
from tables.services.floor.changes import TableSetUp

FLOOR_ORDER = ("position", "name", "id")


class Pits(HouseView):
    """Pits of the house."""

    rights = {"get": (VIEW_TABLE, DEAL), "post": (SET_UP,)}

    @openapi.listing(
        "pits_list", "The pits of the house, in the order in which they stand", floor.Pit
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(Pit.objects.all(), "tables")
        return self.page(rows, FLOOR_ORDER, lambda found: [answer(floor.Pit, row) for row in found])

    @openapi.command(
        "pit_create", "Add a pit", floor.Pit, floor.PitCreate, {"name": "Pit 1", "position": 1}
    )
    def post(self, request: Request) -> Response:
        house, values = self.scope.house(), self.sent(request, floor.PitCreate)

        def work() -> Json:
            return answer(
                floor.Pit, services.pit_create(house_id=house, actor_id=self.scope.actor, **values)
            )

        return self.once(request, "pit.create", work)


class Tables(HouseView):
    """Tables of the house, as they stand."""

    rights = {"get": (VIEW_TABLE, DEAL), "post": (SET_UP,)}

    @openapi.listing(
        "tables_list", "The tables as they stand: session, croupier, running round", floor.TableNow
    )
    def get(self, request: Request) -> Response:
        return self.page(self.scope.rows(_standing(), "pk"), FLOOR_ORDER, _now)

    @openapi.command(
        "table_create",
        "Add a table and open its accounts",
        floor.Table,
        floor.TableCreate,
        {
            "pit": openapi.ID,
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
        house, values = self.scope.house(), self.sent(request, floor.TableCreate)
        of_table: dict[str, Any] = {name: value for name, value in values.items() if name != "pit"}

        def work() -> Json:
            made = services.table_create(
                house_id=house, pit_id=values["pit"], actor_id=self.scope.actor, **of_table
            )
            return answer(floor.Table, made)

        return self.once(request, "table.create", work)


class OneTable(HouseView):
    """One table."""

    authentication_classes = (DeviceAuthentication, FeedAuthentication, OfficeAuthentication)
    rights = {"get": (VIEW_TABLE, DEAL)}
    feeds = ("get",)

    @openapi.one(
        "table_get",
        "A table as it stands; a card feed sees here which round runs at its table",
        floor.TableNow,
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """Show it. Raises TableUnknown."""
        found = list(self.scope.rows(_standing().filter(pk=table_id), "pk"))
        if not found:
            raise TableUnknown
        return Response(_now(found)[0])


class _TableArgs(TypedDict):
    house_id: UUID
    table_id: UUID
    actor_id: UUID


class TableCommand(HouseView):
    """A command to one table."""

    rights = {"post": (RUN_FLOOR,)}

    def service_args(self, table_id: UUID) -> _TableArgs:
        """House, table and person, as services ask for them. Raises HouseNeeded, TableUnknown."""
        house = self.scope.house()
        self.scope.check_table(table_id)
        return {"house_id": house, "table_id": table_id, "actor_id": self.scope.actor}


class TableLink(TableCommand):
    """Link a table to a jackpot."""

    rights = {"post": (SET_UP,)}

    @openapi.command(
        "table_link",
        "Link a table to a jackpot, or to none",
        floor.Table,
        floor.TableLink,
        {"jackpot": openapi.ID},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where, values = self.service_args(table_id), self.sent(request, floor.TableLink)

        def work() -> Json:
            return answer(floor.Table, services.table_link(**where, jackpot_id=values["jackpot"]))

        return self.once(request, "table.link", work, table=table_id)


class TableVersions(HouseView):
    """The versions of a table."""

    rights = {"get": (VIEW_TABLE,)}

    @openapi.listing(
        "table_versions",
        "What a table was, is, and will be when it is closed",
        floor.VersionOfTable,
    )
    def get(self, request: Request, table_id: UUID) -> Response:
        """Show them. Raises TableUnknown."""
        if not self.scope.rows(Table.objects.filter(pk=table_id), "pk").exists():
            raise TableUnknown
        rows = TableVersion.objects.filter(table=table_id)
        return self.page(
            rows, ("number",), lambda part: [answer(floor.VersionOfTable, row) for row in part]
        )


_SET_UP = {
    "pit": openapi.ID,
    "name": "UTH 1",
    "position": 1,
    "boxes": 5,
    "posted": {
        "uth_rules": "UTH 5–50",
        "blind": "UTH Blind",
        "trips": "UTH Trips",
        "floor_rules": "Bad Ragaz",
        "calendar": "Rund um die Uhr",
    },
    "retired": False,
}


class TablesChange(TableCommand):
    """Change a table."""

    rights = {"post": (SET_UP,)}

    @openapi.command(
        "table_change",
        "Change a table that was never opened, at once",
        floor.VersionOfTable,
        floor.TableChange,
        _SET_UP,
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        set_up = _set_up(self.sent(request, floor.TableChange))

        def work() -> Json:
            return answer(floor.VersionOfTable, services.table_change(**where, set_up=set_up))

        return self.once(request, "table.change", work, table=table_id)


class TablesChangeRequest(TableCommand):
    """Ask for the change of a table."""

    rights = {"post": (SET_UP,)}

    @openapi.command(
        "table_change_request",
        "Ask for what a table is to be from its next opening on; once signed it counts when the"
        " table is closed, at once where it is",
        Approval,
        floor.TableChangeRequest,
        _SET_UP | {"reason": "a smaller layout"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, floor.TableChangeRequest)

        def work() -> Json:
            approval = services.table_change_request(
                house_id=where["house_id"],
                table_id=table_id,
                set_up=_set_up(values),
                reason=values["reason"],
                requester_id=where["actor_id"],
            )
            return approval_answer(approval)

        return self.once(request, "table.change_request", work, table=table_id)


def _set_up(values: floor.TableChange) -> TableSetUp:
    return TableSetUp(
        pit_id=values["pit"],
        name=values["name"],
        position=values["position"],
        boxes=values["boxes"],
        posted=values["posted"],
        retired=values["retired"],
    )


class TableOpen(TableCommand):
    """Open a table."""

    @openapi.command(
        "table_open",
        "Open a table for this gaming day. One that is linked to a jackpot whose prize nobody could"
        " sign or pay now, only with a reason",
        floor.Session,
        floor.TableOpen,
        {"croupier": openapi.ID, "entry_level": "fast", "reason": "the cashier comes at eight"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where, values = self.service_args(table_id), self.sent(request, floor.TableOpen)

        def work() -> Json:
            opened = services.table_open(
                **where,
                croupier_id=values["croupier"],
                entry_level=values["entry_level"],
                prize_lacks=prize_lacks_at(table_id),
                reason=values["reason"],
            )
            return answer(floor.Session, opened)

        return self.once(request, "table.open", work, table=table_id)


class TableClose(TableCommand):
    """Close a table."""

    @openapi.command(
        "table_close",
        "Close a table; its guests are gone. Where its tablet is silent or has not sent all, or"
        " something is to be clarified, or the house counts its trays and nobody confirms that the"
        " cards are complete, only with a reason",
        floor.Session,
        floor.TableClosing,
        {"cards_complete": True},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, floor.TableClosing)

        def work() -> Json:
            known = tablet_state(table_id)
            return answer(floor.Session, services.table_close(**where, **known, **values))

        return self.once(request, "table.close", work, table=table_id)


class TableHandOver(TableCommand):
    """Give a table to another croupier."""

    @openapi.command(
        "table_hand_over",
        "Give a table to another croupier, also in the middle of a round",
        floor.HandOver,
        floor.TableHandOver,
        {"croupier": openapi.ID},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where, croupier = (
            self.service_args(table_id),
            self.sent(request, floor.TableHandOver)["croupier"],
        )

        def work() -> Json:
            changed = services.table_hand_over(**where, croupier_id=croupier)
            before = changed.from_croupier_id if changed else croupier
            return answer(
                floor.HandOver, table=table_id, from_croupier=before, to_croupier=croupier
            )

        return self.once(request, "table.hand_over", work, table=table_id)


class TableEntryLevel(TableCommand):
    """Change how rounds are entered."""

    @openapi.command(
        "table_entry_level",
        "Change how rounds are entered, from the next round on",
        floor.Session,
        floor.TableEntryLevel,
        {"entry_level": "full_cards"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where, values = self.service_args(table_id), self.sent(request, floor.TableEntryLevel)

        def work() -> Json:
            return answer(floor.Session, services.table_entry_level_set(**where, **values))

        return self.once(request, "table.entry_level", work, table=table_id)


def _standing() -> QuerySet[Table]:
    return Table.objects.select_related("session__croupier")


def _now(found: Sequence[Table]) -> list[dict[str, Json]]:
    playing = Round.objects.filter(
        table_id__in=[row.pk for row in found], state=Round.State.LOCKED
    ).only("id", "table_id", "number", "locked_at")
    running = {row.table_id: row for row in playing}
    return [_standing_now(row, row.session, running.get(row.pk)) for row in found]


def _standing_now(
    row: Table, session: TableSession | None, running: Round | None
) -> dict[str, Json]:
    state, croupier = ("open", session.croupier) if session else ("closed", None)
    return answer(floor.TableNow, row, state=state, croupier=croupier, running_round=running)
