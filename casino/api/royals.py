"""What a round has to do with the jackpot: the *Royal!* call, the approvals to void a claim or to pay an award late."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import describe, show
from casino.api.parse import Field, whole
from casino.api.rounds import REASON, RoundCommand
from casino.api.views import NOTHING
from casino.people.permissions import DEAL, RUN_FLOOR, VERIFY
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR
from payouts.rules.plain import Json
from tables import services

WHY: dict[str, Field] = {"reason": REASON}
LATE: dict[str, Field] = {"box": whole(1, 99), "amount_minor": whole(1, AMOUNT_MAX_MINOR), "reason": REASON}


class RoundCall(RoundCommand):
    """Royal!"""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @describe.command(
        "round_call",
        "Royal! A running round claims the jackpot before its cards are entered: all linked tables freeze now",
        NOTHING,
        "Round",
        {},
        of_round=True,
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        """Call it."""
        where = self.where(round_id)
        self.sent(request, NOTHING)

        def work() -> Json:
            return services.round_call(**where, supervisor=self.reach.supervisor)

        return self.once_for_round(request, "round.call", work, round_id=round_id)


class RoundVoidRequest(RoundCommand):
    """Ask to void a round that claims."""

    rights = {"post": (VERIFY,)}

    @describe.command(
        "round_void_request",
        "Ask for the approval to void a round that claims the jackpot; whoever dealt it may not sign",
        WHY,
        "Approval",
        {"reason": "cards were exposed"},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        """Ask."""
        where, values = self.where(round_id), self.sent(request, WHY)

        def work() -> Json:
            return show.approval(services.round_void_request(**where, **values))

        return self.once(request, "round.void_request", work, round=round_id)


class LateAwardRequest(RoundCommand):
    """Ask for what an overlooked royal flush should have won."""

    rights = {"post": (VERIFY,)}

    @describe.command(
        "late_award_request",
        "Ask the house to pay a royal flush that was overlooked until its jackpot had been paid to others",
        LATE,
        "Approval",
        {"box": 2, "amount_minor": 500_150, "reason": "seen on camera 4"},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        """Ask."""
        where, values = self.where(round_id), self.sent(request, LATE)

        def work() -> Json:
            return show.approval(services.late_award_request(**where, **values))

        return self.once(request, "round.late_award_request", work, round=round_id)
