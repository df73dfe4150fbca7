"""Rounds: a list, one with its stakes and lines, and the commands of its life."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.late import check_reckoned, review_if_late
from casino.api.schemas import openapi, rounds
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.schemas.common import Nothing
from casino.api.views import HouseView
from casino.devices.api import FeedAuthentication
from casino.people.permissions import CORRECT, DEAL, RUN_FLOOR, VIEW_ROUND
from casino.text.floor import line_text, stake_text
from casino.text.request_errors import FilterMissing
from payouts.models import House
from payouts.rules.plain import Json
from tables import services
from tables.errors import RoundChanged, RoundUnknown
from tables.models import Round, RoundLine, RoundResult, RoundStake
from tables.selectors.rounds import LAID_OR_PLACED, round_is_at, stakes_shown


class Rounds(HouseView):
    """Rounds of a table, a session, or a gaming day."""

    rights = {"get": (VIEW_ROUND, DEAL)}

    @openapi.listing(
        "rounds_list",
        "Rounds, newest first, of a table, a session or a gaming day (one of them at least)",
        rounds.RoundRow,
        rounds.RoundsQuery,
    )
    def get(self, request: Request) -> Response:
        """List them. Raises FilterMissing."""
        columns = {
            "table": "table_id",
            "session": "session_id",
            "gaming_day": "session__gaming_day",
        }
        asked = {columns[name]: self.values[name] for name in columns if name in self.values}
        if not asked and self.scope.device is None:
            raise FilterMissing(filters=", ".join(columns))
        rows = self.scope.rows(Round.objects.filter(**asked), "table_id").defer(
            "versions", "lock_hash"
        )
        return self.page(
            rows,
            ("-locked_at", "-id"),
            lambda found: [answer(rounds.RoundRow, row) for row in found],
        )


class OneRound(HouseView):
    """One round with its stakes, result and lines."""

    rights = {"get": (VIEW_ROUND, DEAL)}

    @openapi.one(
        "round_get",
        "A round with stakes, result and lines: what to pay, and why",
        rounds.RoundWhole,
    )
    def get(self, request: Request, round_id: UUID) -> Response:
        """Show it. Raises RoundUnknown."""
        row = self.scope.rows(
            Round.objects.select_related("house").filter(pk=round_id), "table_id"
        ).first()
        if row is None:
            raise RoundUnknown
        stakes = RoundStake.objects.filter(LAID_OR_PLACED | Q(revision=row.revision), round=row)
        stakes = stakes.select_related("guest").order_by("revision", "id")
        lines = RoundLine.objects.filter(round_id=round_id, revision=row.revision)
        lines = lines.select_related("guest").order_by("place")
        result = RoundResult.objects.filter(round_id=round_id, revision=row.revision).first()
        return Response(
            answer(
                rounds.RoundWhole,
                row,
                stakes=[_stake(one, row.house) for one in stakes_shown(stakes)],
                result=result.result if result else None,
                source=result.source if result else None,
                lines=[_line(one, row.house) for one in lines],
                irregularities=list(row.irregularities.order_by("id")),
            )
        )


def _stake(row: RoundStake, house: House) -> dict[str, Json]:
    return answer(rounds.StakeInWords, row, words=stake_text(row, house))


def _line(row: RoundLine, house: House) -> dict[str, Json]:
    paid = row.returned_minor + row.won_minor + row.prize_minor
    return answer(rounds.LineInWords, row, paid_minor=paid, words=line_text(row, house))


class TableRound(HouseView):
    """A command to a round at a table, whose id the client made."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    def service_args(self, table_id: UUID, round_id: UUID) -> dict[str, Any]:
        """House, table and round. Raises HouseNeeded, TableUnknown."""
        house = self.scope.house()
        self.scope.check_table(table_id)
        return {
            "house_id": house,
            "table_id": table_id,
            "round_id": round_id,
            "supervisor": self.scope.supervisor,
        }


class RoundLock(TableRound):
    """No more bets."""

    @openapi.command(
        "round_lock",
        "No more bets: lock a round with all its stakes, before a card is dealt",
        rounds.Round,
        rounds.Lock,
        {
            "stakes": [
                {"box": 1, "guest": openapi.ID, "kind": "ante", "amount_minor": 1500},
                {"box": 1, "guest": openapi.ID, "kind": "blind", "amount_minor": 1500},
                {"box": 1, "guest": openapi.ID, "kind": "coin", "amount_minor": 500},
            ]
        },
    )
    def post(self, request: Request, table_id: UUID, round_id: UUID) -> Response:
        """Lock it; too late from a tablet, it is kept to be clarified."""
        where, values = self.service_args(table_id, round_id), self.sent(request, rounds.Lock)

        def work() -> Json:
            return services.round_lock(
                **where, stakes=values["stakes"], croupier_id=self.scope.actor
            )

        with review_if_late(self.scope, table_id, round_id, "lock", request.data):
            return self.once_for_round(
                request, "round.lock", work, round_id=round_id, table=table_id
            )


class RoundWithdraw(TableRound):
    """Take a lock back whose answer never came."""

    @openapi.command(
        "round_withdraw",
        "Take a lock back whose answer never came; if it comes later it is refused",
        rounds.Round,
    )
    def post(self, request: Request, table_id: UUID, round_id: UUID) -> Response:
        """Withdraw it; too late from a tablet, it is kept to be clarified: the guests have their
        chips.
        """
        where = self.service_args(table_id, round_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return services.round_withdraw(**where, person_id=self.scope.actor)

        with review_if_late(self.scope, table_id, round_id, "withdraw", {}):
            return self.once_for_round(
                request, "round.withdraw", work, round_id=round_id, table=table_id
            )


class RoundCommand(HouseView):
    """A command to a round that is there."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    def service_args(self, round_id: UUID) -> dict[str, Any]:
        """House, round and person. Raises HouseNeeded, RoundUnknown: a device knows the rounds of
        its table only.
        """
        house, table_id = self.scope.house(), self.scope.table_id
        if table_id and not round_is_at(table_id=table_id, round_id=round_id):
            raise RoundUnknown
        return {"house_id": house, "round_id": round_id, "person_id": self.scope.actor}

    def prepare(
        self,
        round_id: UUID,
        result: object,
        state: str = Round.State.LOCKED,
        placed: object = None,
    ) -> services.Prepared:
        """Work a result out before the transaction. Raises HouseNeeded, RoundUnknown and what the
        game refuses.
        """
        about = self.service_args(round_id)
        with services.refused_result(**about):
            house_id = about["house_id"]
            return services.round_evaluate(
                house_id=house_id, round_id=round_id, result=result, state=state, placed=placed
            )

    def corrected(self, round_id: UUID, values: rounds.CorrectionRequest) -> services.Prepared:
        """The same of a correction."""
        return self.prepare(round_id, values["result"], Round.State.SETTLED, values["placed"])


class RoundSettle(RoundCommand):
    """The result of a round."""

    @openapi.command(
        "round_settle",
        "Settle a round by its cards, or by what the croupier tapped",
        rounds.Round,
        rounds.Settle,
        {
            "result": {
                "boxes": {
                    "1": {"play": 4, "result": "win", "hand": "flush"},
                    "2": {"result": "fold"},
                }
            }
        },
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        """Settle it; too late from a tablet, it is kept to be clarified."""
        values = self.sent(request, rounds.Settle)
        check_reckoned(values["reckoned"])
        payload = {name: values[name] for name in ("result", "reckoned") if values[name]}
        with review_if_late(
            self.scope, self.scope.table_id, round_id, "settle", payload, whatever=values["keep"]
        ):
            prepared = self.prepare(round_id, values["result"])

            def work() -> Json:
                return services.round_settle(
                    prepared=prepared,
                    person_id=self.scope.actor,
                    supervisor=self.scope.supervisor,
                    reason=values["reason"],
                    approval_id=values["approval"],
                    entered=self.scope.entered,
                )

            return self.once_for_round(request, "round.settle", work, round_id=round_id)


class RoundReopen(RoundCommand):
    """Take a lock back at once."""

    @openapi.command(
        "round_reopen",
        "Take a lock back within the seconds that the house allows; the next lock has a new id",
        rounds.Round,
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where = self.service_args(round_id)
        self.sent(request, Nothing)

        def work() -> Json:
            return services.round_reopen(**where, supervisor=self.scope.supervisor)

        return self.once_for_round(request, "round.reopen", work, round_id=round_id)


class RoundVoid(RoundCommand):
    """Void a locked round."""

    rights = {"post": (RUN_FLOOR,)}

    @openapi.command(
        "round_void",
        "Void a locked round: all stakes and coins go back; one that claims the jackpot, or whose"
        " cards a feed has read where much lies there, by an approval",
        rounds.Round,
        rounds.Void,
        {"reason": "misdeal", "approval": None},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.Void)

        def work() -> Json:
            return services.round_void(
                **where, reason=values["reason"], approval_id=values["approval"]
            )

        return self.once_for_round(request, "round.void", work, round_id=round_id)


class RoundCorrect(RoundCommand):
    """Put a settled round right."""

    rights = {"post": (DEAL, CORRECT)}

    @openapi.command(
        "round_correct",
        "Put the result of a settled round right, alone within the house's seconds, or by an"
        " approval",
        rounds.Round,
        rounds.Correction,
        {
            "result": {"boxes": {"1": {"play": 1, "result": "win"}}},
            "reason": "mistyped",
            "revision": 1,
            "placed": None,
            "approval": None,
        },
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        values = self.sent(request, rounds.Correction)
        prepared = self.corrected(round_id, values)

        def work() -> Json:
            _check_seen(prepared, values["revision"])
            return services.round_correct(
                prepared=prepared,
                person_id=self.scope.actor,
                reason=values["reason"],
                approval_id=values["approval"],
            )

        return self.once_for_round(request, "round.correct", work, round_id=round_id)


def _check_seen(prepared: services.Prepared, revision: int | None) -> None:
    """Raise RoundChanged when the round was corrected since the caller looked at it; None is a
    caller who does not say.
    """
    if revision is not None and revision != prepared.record["revision"]:
        raise RoundChanged


class RoundCorrectionRequest(RoundCommand):
    """Ask for a correction's approval."""

    rights = {"post": (DEAL, CORRECT)}

    @openapi.command(
        "round_correction_request",
        "Ask the pit to approve a correction, or a first result that the feed contradicts or that"
        " wins much; the signers see what becomes of each stake",
        Approval,
        rounds.CorrectionRequest,
        {
            "result": {"boxes": {"1": {"play": 1, "result": "win"}}},
            "reason": "mistyped",
            "revision": 1,
        },
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        values = self.sent(request, rounds.CorrectionRequest)
        locked = Round.objects.filter(pk=round_id, state=Round.State.LOCKED)
        is_first = not values["revision"] and locked.exists()
        prepared = (
            self.prepare(round_id, values["result"])
            if is_first
            else self.corrected(round_id, values)
        )

        def work() -> Json:
            _check_seen(prepared, values["revision"])
            asked = services.round_correction_request(
                prepared=prepared, person_id=self.scope.actor, reason=values["reason"]
            )
            return approval_answer(asked)

        return self.once(request, "round.correction_request", work, round=round_id)


class RoundCards(RoundCommand):
    """Cards from a shoe or shuffler."""

    authentication_classes = (FeedAuthentication,)
    rights = {}
    feeds = ("post",)

    @openapi.command(
        "round_cards",
        "The cards of a round that runs or was settled, as a shoe or shuffler read them; what"
        " contradicts cards that were read before does not count, and is told to the pit",
        rounds.CardFeed,
        rounds.Feed,
        {"cards": {"board": "Ah Kh Qh Jh 2c", "dealer": "3c 4c", "boxes": {"1": "As Kd"}}},
    )
    def post(self, request: Request, round_id: UUID) -> Response:
        where, values = self.service_args(round_id), self.sent(request, rounds.Feed)
        device: Any = request.auth
        where |= {"device_id": where.pop("person_id"), "enrolled_at": device.enrolled_at}

        def work() -> Json:
            fed = services.card_feed_record(**where, cards=values["cards"])
            return answer(rounds.CardFeed, fed)

        return self.once(request, "round.cards", work, round=round_id)
