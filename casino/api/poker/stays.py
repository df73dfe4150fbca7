"""Guests at the seats of a poker table, and their chips."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.floor import TableCommand
from casino.api.schemas import floor, openapi, stays
from casino.api.schemas.answers import answer
from casino.api.schemas.common import Nothing
from casino.api.views import HouseView
from casino.devices.heard import tablet_state
from casino.people.permissions import DEAL, RUN_FLOOR
from payouts.rules.plain import Json
from tables import services
from tables.errors import StayGone
from tables.models import PokerStay
from tables.selectors.stays import stays_shown
from tables.services.seats.parts import seats_posted


class Stays(TableCommand):
    """Who sits down at a table."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "stay_begin",
        "A guest sits down at a poker table and buys in",
        stays.Stay,
        stays.StayBegin,
        {"seat": 3, "amount_minor": 10_000, "means": "cash"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, stays.StayBegin)

        def work() -> Json:
            stay = services.stay_begin(**where, **values, croupier_id=self.scope.must_deal)
            return stay_answer(stay)

        return self.once(request, "stay.begin", work, table=table_id)


class StayCommand(HouseView):
    """A command about one stay."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    def service_args(self, stay_id: UUID) -> dict[str, Any]:
        """House, stay and person. Raises HouseNeeded, StayGone: from a tablet only the stays at its
        table are known.
        """
        house = self.scope.house()
        table_id = self.scope.table_id
        at_tables = PokerStay.objects.filter(pk=stay_id)
        if table_id and not at_tables.filter(guest__session__table_id=table_id).exists():
            raise StayGone
        return {
            "house_id": house,
            "stay_id": stay_id,
            "actor_id": self.scope.actor,
            "croupier_id": self.scope.must_deal,
        }


class StaysChips(StayCommand):
    """Chips beside the hands."""

    @openapi.command(
        "stay_chips",
        "A guest tops up between two hands, or tips",
        stays.Stay,
        stays.StayChipsMove,
        {"kind": "top_up", "amount_minor": 5_000, "means": "cash"},
    )
    def post(self, request: Request, stay_id: UUID) -> Response:
        where = self.service_args(stay_id)
        values = self.sent(request, stays.StayChipsMove)

        def work() -> Json:
            return stay_answer(services.stay_chips(**where, **values).stay)

        return self.once(request, "stay.chips", work, stay=stay_id)


class StayAway(StayCommand):
    """A guest pauses."""

    @openapi.command("stay_away", "A guest pauses and keeps the seat", stays.Stay)
    def post(self, request: Request, stay_id: UUID) -> Response:
        where = self.service_args(stay_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return stay_answer(services.stay_away(**where))

        return self.once(request, "stay.away", work, stay=stay_id)


class StayBack(StayCommand):
    """A guest plays on."""

    @openapi.command("stay_back", "A guest who paused plays on", stays.Stay)
    def post(self, request: Request, stay_id: UUID) -> Response:
        where = self.service_args(stay_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return stay_answer(services.stay_back(**where))

        return self.once(request, "stay.back", work, stay=stay_id)


class StaysMove(StayCommand):
    """A guest takes another seat."""

    @openapi.command(
        "stay_move",
        "A guest takes another seat, or goes on at another table with the chips that are counted;"
        " that is a new stay",
        stays.Stay,
        stays.StayMove,
        {"seat": 5, "table": None, "counted_minor": 0},
    )
    def post(self, request: Request, stay_id: UUID) -> Response:
        where = self.service_args(stay_id)
        values = self.sent(request, stays.StayMove)
        seat, counted_minor = values["seat"], values["counted_minor"]

        def work() -> Json:
            moved = services.stay_move(
                **where, table_id=values["table"], seat=seat, counted_minor=counted_minor
            )
            return stay_answer(moved)

        return self.once(request, "stay.move", work, stay=stay_id)


class StaysLeave(StayCommand):
    """A guest leaves."""

    @openapi.command(
        "stay_leave",
        "A guest leaves with the chips that are counted; half hours that are due are paid, or"
        " waived with a reason",
        stays.StayLeaving,
        stays.StayLeave,
        {"counted_minor": 12_000, "waived": ""},
    )
    def post(self, request: Request, stay_id: UUID) -> Response:
        where = self.service_args(stay_id)
        values = self.sent(request, stays.StayLeave)

        def work() -> Json:
            leaving = services.stay_leave(**where, **values)
            return answer(stays.StayLeaving, leaving, stay=stay_id)

        return self.once(request, "stay.leave", work, stay=stay_id)


class TableStacks(TableCommand):
    """A count of all stacks."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "stacks_count",
        "Count the chips before each guest of a table between two hands; a difference from the"
        " books is signed by the floor",
        stays.StacksCounted,
        stays.StacksCount,
        {"stacks": {openapi.ID: 12_000}, "missing_minor": None},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, stays.StacksCount)

        def work() -> Json:
            done = services.stacks_count(
                **where,
                counted=values["stacks"],
                missing_minor=values["missing_minor"],
                croupier_id=self.scope.must_deal,
            )
            return answer(stays.StacksCounted, done.recorded, stacks=done.stacks)

        return self.once(request, "stacks.count", work, table=table_id)


class TableTime(TableCommand):
    """The fee for the time."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "time_collect",
        "Take the half hours that are due from these guests of a table, or from all",
        stays.TimePayments,
        stays.TimeCollect,
        {"stays": None, "means": "stack"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, stays.TimeCollect)

        def work() -> Json:
            payments = services.time_collect(
                **where,
                stay_ids=values["stays"],
                means=values["means"],
                croupier_id=self.scope.must_deal,
            )
            return answer(stays.TimePayments, payments=payments)

        return self.once(request, "table.time", work, table=table_id)


class TableRoll(TableCommand):
    """Go on in the next gaming day."""

    @openapi.command(
        "session_roll",
        "A poker table goes on in the gaming day that is, with who sits there; with a reason as for"
        " closing",
        floor.Session,
        floor.TableEnd,
        {"reason": ""},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        reason = self.sent(request, floor.TableEnd)["reason"]

        def work() -> Json:
            known = tablet_state(table_id)
            return answer(floor.Session, services.session_roll(**where, **known, reason=reason))

        return self.once(request, "table.roll", work, table=table_id)


def stay_answer(stay: PokerStay) -> dict[str, Json]:
    """A stay as it is answered."""
    posted = seats_posted(stay.guest.session.versions)
    charge = posted.charge if posted else None
    rows = PokerStay.objects.filter(pk=stay.pk)
    [stay_now] = stays_shown(rows, house_id=stay.house_id, charge=charge)
    return answer(stays.Stay, stay_now)
