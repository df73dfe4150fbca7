"""What people do to a jackpot as a whole: two of them stop it, go on, put its meter right, retire
it; one closes and reopens it.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import jackpots, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.schemas.common import Nothing, Why
from casino.api.views import HouseView
from casino.people.permissions import MANAGE, SUSPEND, VERIFY
from jackpot import services
from jackpot.errors import JackpotUnknown
from jackpot.models import Jackpot
from jackpot.services import standing
from payouts.rules.ledger.postings import whole_amount
from payouts.rules.plain import Json


class JackpotCommand(HouseView):
    """A command to one jackpot."""

    def service_args(self, jackpot_id: UUID) -> dict[str, Any]:
        """House and jackpot. Raises HouseNeeded, JackpotUnknown: a device knows the jackpot of its
        table only.
        """
        house = self.scope.house()
        if not self.scope.rows(
            Jackpot.objects.filter(pk=jackpot_id, house_id=house), jackpot="pk"
        ).exists():
            raise JackpotUnknown
        return {"house_id": house, "jackpot_id": jackpot_id}

    def ask(
        self, request: Request, jackpot_id: UUID, action: str, payload: Mapping[str, Any]
    ) -> Response:
        """Ask for the approval of an act; `payload` is what it will be called with."""
        there = self.service_args(jackpot_id)

        def work() -> Json:
            asked = services.jackpot_request(
                **there, action=action, payload=dict(payload), person_id=self.scope.actor
            )
            return approval_answer(asked)

        return self.once(request, f"{action}_request", work, jackpot=jackpot_id)


class SuspendRequest(JackpotCommand):
    """Ask for a stop."""

    rights = {"post": (SUSPEND,)}

    @openapi.command(
        "jackpot_suspend_request",
        "Ask to suspend a jackpot: no new round at its tables; what runs is settled, and a hit goes"
        " on inside",
        Approval,
        Why,
        {"reason": "the shuffler of UTH 2 is being examined"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        return self.ask(request, jackpot_id, standing.SUSPEND, self.sent(request, Why))


class ResumeRequest(JackpotCommand):
    """Ask to go on."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "jackpot_resume_request",
        "Ask to end a suspension: back to the phase that was kept, and to betting by the displays",
        Approval,
        Why,
        {"reason": "the shuffler is in order"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        return self.ask(request, jackpot_id, standing.RESUME, self.sent(request, Why))


class AdjustRequest(JackpotCommand):
    """Ask to put a fault of the meter right."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "jackpot_adjust_request",
        "Ask to put a fault of the meter right at the house's cost: a positive amount raises it",
        Approval,
        jackpots.Adjust,
        {"amount_minor": 1_500, "reason": "three coins of round 12 were not entered"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        """Ask. Raises AmountRefused for nothing."""
        values = self.sent(request, jackpots.Adjust)
        whole_amount(abs(values["amount_minor"]))
        return self.ask(request, jackpot_id, standing.ADJUST, values)


class RetireRequest(JackpotCommand):
    """Ask to retire it."""

    rights = {"post": (MANAGE,)}

    @openapi.command(
        "jackpot_retire_request",
        "Ask to retire a closed jackpot: all that it holds goes to another one of the house, which"
        " is open",
        Approval,
        jackpots.Retire,
        {"to": openapi.ID, "reason": "replaced by the new progressive"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        """Ask. Raises JackpotUnknown for an heir that is none."""
        values = self.sent(request, jackpots.Retire)
        if values["to"] == jackpot_id:
            raise JackpotUnknown
        self.service_args(values["to"])
        return self.ask(
            request,
            jackpot_id,
            standing.RETIRE,
            {"to": str(values["to"]), "reason": values["reason"]},
        )


class JackpotClose(JackpotCommand):
    """Close it."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "jackpot_close",
        "Close a jackpot: no new round at its tables; refused while one is locked",
        jackpots.Jackpot,
        Why,
        {"reason": "end of the tournament"},
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        there, values = self.service_args(jackpot_id), self.sent(request, Why)

        def work() -> Json:
            return answer(
                jackpots.Jackpot,
                services.jackpot_close(**there, **values, actor_id=self.scope.actor),
            )

        return self.once(request, "jackpot.close", work, jackpot=jackpot_id)


class JackpotReopen(JackpotCommand):
    """Open it again."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "jackpot_reopen",
        "Open a closed jackpot: betting begins when its displays have shown the value",
        jackpots.Jackpot,
    )
    def post(self, request: Request, jackpot_id: UUID) -> Response:
        there = self.service_args(jackpot_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return answer(
                jackpots.Jackpot, services.jackpot_reopen(**there, actor_id=self.scope.actor)
            )

        return self.once(request, "jackpot.reopen", work, jackpot=jackpot_id)
