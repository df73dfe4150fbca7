"""Which displays a jackpot's tables wait for: what each shows now, one more, one less."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import jackpots, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.schemas.common import Nothing, Why
from casino.api.standing import JackpotCommand
from casino.devices.models import DISPLAY, Device
from casino.people.permissions import SET_UP, VERIFY, VIEW_JACKPOT
from jackpot import services
from jackpot.errors import DisplayUnknown, JackpotUnknown
from jackpot.models import DisplaySession, GateDisplay, Jackpot, RequiredDisplay
from payouts.rules.plain import Json


class Displays(JackpotCommand):
    """The displays of a jackpot: those in service, and those that its tables wait for."""

    rights = {"get": (VIEW_JACKPOT,), "post": (SET_UP,)}

    @openapi.listing(
        "displays_list",
        "A jackpot's displays: whether its tables wait for them, and what each says that it shows",
        jackpots.Display,
    )
    def get(self, request: Request, jackpot_id: UUID) -> Response:
        """List them. Raises JackpotUnknown."""
        jackpot = self.scope.rows(Jackpot.objects.filter(pk=jackpot_id), jackpot="pk").first()
        if jackpot is None:
            raise JackpotUnknown
        required = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None)
        own = Device.objects.filter(jackpot=jackpot, kind=DISPLAY)
        rows = own.filter(Q(revoked_at=None) | Q(pk__in=required.values("display_id")))
        return self.page(
            rows, ("enrolled_at", "id"), lambda found: _display_answers(found, jackpot, required)
        )

    @openapi.command(
        "display_require",
        "Have the jackpot's tables wait for an enrolled display, from the next new value on; during"
        " a hit, ask for it",
        jackpots.RequiredDisplay,
        jackpots.DisplayRequire,
        {"display": openapi.ID},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        there, values = self.service_args(jackpot_id), self.sent(request, jackpots.DisplayRequire)

        def work() -> Json:
            display = enrolled(jackpot_id, values["display"])
            added = services.display_require(
                **there, display_id=display.pk, name=display.name, actor_id=self.scope.actor
            )
            added.refresh_from_db()
            return answer(jackpots.RequiredDisplay, added)

        return self.once(request, "display.require", work, jackpot=jackpot_id)


class DisplayAddRequest(JackpotCommand):
    """Ask for a further display."""

    rights = {"post": (VERIFY, SET_UP)}

    @openapi.command(
        "display_add_request",
        "Ask that the tables wait for a further display, also while a new value is being shown",
        Approval,
    )
    def post(self, request: Request, jackpot_id: UUID, display_id: UUID) -> Response:
        there = self.service_args(jackpot_id)
        self.sent(request, Nothing)

        def work() -> Json:
            name = enrolled(jackpot_id, display_id).name
            asked = services.display_add_request(
                **there, display_id=display_id, name=name, person_id=self.scope.actor
            )
            return approval_answer(asked)

        return self.once(
            request, "display.add_request", work, jackpot=jackpot_id, display=display_id
        )


class DisplayOutRequest(JackpotCommand):
    """Ask to take a dead display out."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "display_out_request",
        "Ask that the tables wait for a dead display no more; the last one can only be replaced",
        Approval,
        Why,
        {"reason": "dark since 21:40, seen by R. Caduff"},
    )
    def post(self, request: Request, jackpot_id: UUID, display_id: UUID) -> Response:
        there, values = self.service_args(jackpot_id), self.sent(request, Why)

        def work() -> Json:
            asked = services.display_out_request(
                **there, **values, display_id=display_id, person_id=self.scope.actor
            )
            return approval_answer(asked)

        return self.once(
            request, "display.out_request", work, jackpot=jackpot_id, display=display_id
        )


def enrolled(jackpot_id: UUID, display_id: UUID) -> Device:
    """The display of this jackpot, if it is in service. Raises DisplayUnknown."""
    found = Device.objects.filter(
        pk=display_id, jackpot_id=jackpot_id, kind=DISPLAY, revoked_at=None
    ).first()
    if found is None:
        raise DisplayUnknown
    return found


def _display_answers(
    found: Sequence[Device], jackpot: Jackpot, required: QuerySet[RequiredDisplay]
) -> list[dict[str, Any]]:
    ids = [one.pk for one in found]
    added = dict(required.filter(display_id__in=ids).values_list("display_id", "added_at"))
    heard = {
        one.display_id: one
        for one in DisplaySession.objects.filter(display_id__in=ids, jackpot=jackpot)
    }
    asked = GateDisplay.objects.filter(gate=jackpot.gate_id, display_id__in=ids)
    states = dict(asked.values_list("display_id", "state"))
    return [_display(one, added, heard, states) for one in found]


def _display(
    one: Device, added: dict[UUID, Any], heard: dict[UUID, DisplaySession], states: dict[UUID, str]
) -> dict[str, Json]:
    """One display: in service or revoked, since when it is required, what it said last, what the
    gate at hand knows of it.
    """
    last = heard.get(one.pk)
    return answer(
        jackpots.Display,
        display=one.pk,
        name=one.name,
        in_service=one.revoked_at is None,
        required_since=added.get(one.pk),
        seen_at=last.seen_at if last else None,
        shown=last.shown if last else "",
        version=last.version if last else None,
        gate=states.get(one.pk),
    )
