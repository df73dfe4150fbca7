"""What came too late or was refused when nobody could put it right: the pit takes or dismisses
it."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.floor import TableCommand
from casino.api.poker.hands import hand_answer
from casino.api.schemas import openapi, rounds
from casino.api.schemas.answers import answer
from casino.api.schemas.common import Why
from casino.api.views import HouseView
from casino.people.permissions import RUN_FLOOR, VIEW_REVIEW_ITEM
from payouts.rules.plain import Json
from tables import services
from tables.errors import ClarifyUnknown
from tables.models import Hand, ReviewItem
from tables.services.hands.clarify import HAND_END


class ReviewItemList(HouseView):
    """The list."""

    rights = {"get": (VIEW_REVIEW_ITEM,)}

    @openapi.listing(
        "to_clarify_list",
        "What has to be clarified, newest first",
        rounds.ToClarify,
        rounds.ToClarifyQuery,
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(ReviewItem.objects.filter(state=self.values["state"]), "table_id")
        return self.page(
            rows,
            ("-received_at", "-id"),
            lambda found: [answer(rounds.ToClarify, row) for row in found],
        )


class ClarifyCommand(HouseView):
    """A command about one entry."""

    rights = {"post": (RUN_FLOOR,)}
    body: type[Why] = Why

    def service_args(self, request: Request, clarify_id: UUID) -> dict[str, Any]:
        """House, entry, person and reason. Raises HouseNeeded, ClarifyUnknown."""
        house, table_id = self.scope.house(), self.scope.table_id
        if table_id and not ReviewItem.objects.filter(pk=clarify_id, table_id=table_id).exists():
            raise ClarifyUnknown
        where = {"house_id": house, "clarify_id": clarify_id, "actor_id": self.scope.actor}
        return where | self.sent(request, self.body)


class ClarifyTake(ClarifyCommand):
    """Book it after all."""

    @openapi.command(
        "to_clarify_take",
        "Book what came after all; an entry that is still open afterwards was asked for, and is"
        " booked when others have signed",
        rounds.Taken,
        Why,
        {"reason": "seen on camera 4"},
    )
    def post(self, request: Request, clarify_id: UUID) -> Response:
        where = self.service_args(request, clarify_id)

        def work() -> Json:
            taken = services.review_item_take(**where)
            entry = ReviewItem.objects.get(pk=clarify_id)
            is_hand = entry.kind == HAND_END
            return {
                "round": None if is_hand else taken,
                "hand": hand_answer(Hand.objects.get(pk=taken["id"])) if is_hand else None,
                "entry": answer(rounds.ToClarify, entry),
            }

        return self.once(request, "to_clarify.take", work, entry=clarify_id)


class ClarifyDismiss(ClarifyCommand):
    """Book nothing of it."""

    body = rounds.Dismissed

    def untakable(self, clarify_id: UUID) -> bool:
        """Whether the books would not take it as things stand."""
        entry = self.scope.rows(ReviewItem.objects.filter(pk=clarify_id), "table_id").first()
        return bool(entry and services.review_item_try(entry, actor_id=self.scope.actor))

    @openapi.command(
        "to_clarify_dismiss",
        "Book nothing of it, and say why",
        rounds.ToClarify,
        rounds.Dismissed,
        {"reason": "chips went back", "never_played": True},
    )
    def post(self, request: Request, clarify_id: UUID) -> Response:
        where = self.service_args(request, clarify_id)
        where["untakable"] = self.untakable(clarify_id)

        def work() -> Json:
            return answer(rounds.ToClarify, services.review_item_dismiss(**where))

        return self.once(request, "to_clarify.dismiss", work, entry=clarify_id)


class ClarifyClose(TableCommand):
    """Close what can change nothing."""

    @openapi.command(
        "to_clarify_close",
        "Close the entries of a table that can change nothing in the books, for one reason: at most"
        " a hundred, the oldest first",
        rounds.ClosedTogether,
        Why,
        {"reason": "cannot be read"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, Why)

        def work() -> Json:
            return services.review_items_close(**where, **values)._asdict()

        return self.once(request, "to_clarify.close", work, table=table_id)
