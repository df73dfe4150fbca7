"""Hands of poker: how they end, and how they are put right."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.late import NOT_OF_THE_ROUND, described, review_record
from casino.api.schemas import hands, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.views import HouseView
from casino.devices.alone import tablet_use
from casino.devices.api import EVENT, EVENT_MOST
from casino.people.permissions import CORRECT, DEAL, RUN_FLOOR, VIEW_ROUND
from casino.text.request_errors import KeptForReview
from payouts.errors import Refused
from payouts.rules.plain import Json
from payouts.services import event_record
from tables import services
from tables.errors import HandMissing
from tables.models import Hand
from tables.selectors.hands import hand_standing
from tables.services.hands.clarify import HAND_END
from tables.services.hands.entry import entry_of

PLAYED = {"dealt": openapi.TWO_IDS, "rake_minor": 500, "pot_minor": None, "pots": None}
CORRECTED = {"revision": 1, "reason": "mistyped", "correction": "entry_wrong"}


class HandsBegin(HouseView):
    """The begin of a hand, whose id the client made."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "hand_begin",
        "A hand at *pots* runs: until its end, chips of who is dealt in move by its croupier alone",
        hands.HandRunning,
        hands.HandBegin,
        {"number": 13, "button": 3, "dealt": openapi.TWO_IDS, "variant": None},
    )
    def post(self, request: Request, table_id: UUID, hand_id: UUID) -> Response:
        """Note it."""
        house = self.scope.house()
        self.scope.check_table(table_id)
        values = self.sent(request, hands.HandBegin)

        def work() -> Json:
            begun = services.hand_begin(
                house_id=house,
                table_id=table_id,
                hand_id=hand_id,
                number=values["number"],
                button=values["button"],
                dealt=values["dealt"],
                variant=values["variant"] or "",
                person_id=self.scope.actor,
                supervisor=self.scope.supervisor,
            )
            return answer(hands.HandRunning, begun)

        return self.once(request, "hand.begin", work, table=table_id, hand=hand_id)


class HandsEnd(HouseView):
    """The end of a hand, whose id the client made."""

    rights = {"post": (DEAL, RUN_FLOOR)}
    takes_queued = True

    @openapi.command(
        "hand_end",
        "A hand of poker ends: who was dealt in, and what the house takes out of its pot",
        hands.HandStanding,
        hands.HandEnd,
        PLAYED | {"flop": True, "walk": False, "variant": None, "began_at": None, "queued": False},
    )
    def post(self, request: Request, table_id: UUID, hand_id: UUID) -> Response:
        """Book it; one that was queued and is refused is kept to be clarified."""
        house = self.scope.house()
        self.scope.check_table(table_id)
        values = self.sent(request, hands.HandEnd)
        if self.scope.device is not None and not values["queued"]:
            tablet: Any = request._request
            tablet_use(tablet.seat)
        event = request.headers.get(EVENT, "")[:EVENT_MOST]

        def work() -> Json:
            known = Hand.objects.filter(pk=hand_id).exists()
            hand = services.hand_end(
                house_id=house,
                table_id=table_id,
                hand_id=hand_id,
                entry=entry_of(values),
                person_id=self.scope.actor,
                supervisor=self.scope.supervisor,
                queued=values["queued"],
                began_at=values["began_at"],
            )
            if values["queued"] and not known:
                self._note(hand, event, values)
            return hand_answer(hand)

        try:
            return self.once(request, "hand.end", work, table=table_id, hand=hand_id)
        except NOT_OF_THE_ROUND:
            raise
        except Refused as refused:
            if self.scope.device is None or not values["queued"]:
                raise
            item = review_record(
                self.scope, table_id, hand_id, kind=HAND_END, payload=request.data, refused=refused
            )
            raise KeptForReview(refused, described(item)) from refused

    def _note(self, hand: Hand, event: str, values: hands.HandEnd) -> None:
        """Write down when the device played it, and as its how many-th event: the server's clock
        knows only when it came.
        """
        device, began_at = self.scope.device, values["began_at"]
        event_record(
            "hand.played_offline",
            hand,
            actor_id=self.scope.actor,
            after={
                "device": str(device.pk) if device else None,
                "event": event,
                "began_at": began_at.isoformat() if began_at else None,
            },
        )


class OneHand(HouseView):
    """One hand with its entries."""

    rights = {"get": (VIEW_ROUND, DEAL)}

    @openapi.one(
        "hand_get",
        "A hand of poker as it stands, and all that was entered of it",
        hands.HandWhole,
    )
    def get(self, request: Request, hand_id: UUID) -> Response:
        """Show it. Raises HandMissing."""
        hand = self.scope.rows(Hand.objects.filter(pk=hand_id), "table_id").first()
        if hand is None:
            raise HandMissing
        return Response(hand_whole(hand))


class HandCommand(HouseView):
    """A command to a hand that is booked."""

    rights = {"post": (DEAL, CORRECT)}

    def service_args(self, hand_id: UUID, values: Mapping[str, Any]) -> dict[str, Any]:
        """House, hand, person and what was seen. Raises HouseNeeded, HandMissing: a device knows
        the hands of its table only.
        """
        house = self.scope.house()
        table_id = self.scope.table_id
        if table_id and not Hand.objects.filter(pk=hand_id, table_id=table_id).exists():
            raise HandMissing
        return {
            "house_id": house,
            "hand_id": hand_id,
            "person_id": self.scope.actor,
            "revision": values["revision"],
            "reason": values["reason"],
        }


class HandsCorrect(HandCommand):
    """Put a hand right."""

    @openapi.command(
        "hand_correct",
        "Put right what was entered of a hand, alone within the house's seconds, or by an approval",
        hands.HandStanding,
        hands.HandCorrection,
        PLAYED | CORRECTED | {"approval": None},
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        values = self.sent(request, hands.HandCorrection)
        where = self.service_args(hand_id, values)

        def work() -> Json:
            approval_id = values["approval"]
            hand = services.hand_correct(
                **where,
                entry=entry_of(values),
                approval_id=approval_id,
                correction=values["correction"],
            )
            return hand_answer(hand)

        return self.once(request, "hand.correct", work, hand=hand_id)


class HandsCorrectionRequest(HandCommand):
    """Ask for a correction's approval."""

    @openapi.command(
        "hand_correction_request",
        "Ask the pit to approve a correction of a hand; who dealt it does not sign",
        Approval,
        hands.HandCorrectionRequest,
        PLAYED | CORRECTED,
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        values = self.sent(request, hands.HandCorrectionRequest)
        where = self.service_args(hand_id, values)

        def work() -> Json:
            approval = services.hand_correction_request(
                **where, entry=entry_of(values), correction=values["correction"]
            )
            return approval_answer(approval)

        return self.once(request, "hand.correction_request", work, hand=hand_id)


class HandsVoid(HandCommand):
    """A hand that does not count."""

    @openapi.command(
        "hand_void",
        "A hand does not count, by an approval: what was taken out of its pot goes back",
        hands.HandStanding,
        hands.HandVoid,
        {"revision": 1, "reason": "card twice in the deck", "approval": openapi.ID},
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        values = self.sent(request, hands.HandVoid)
        where = self.service_args(hand_id, values)

        def work() -> Json:
            return hand_answer(services.hand_void(**where, approval_id=values["approval"]))

        return self.once(request, "hand.void", work, hand=hand_id)


class HandsVoidRequest(HandCommand):
    """Ask for the approval of a void."""

    @openapi.command(
        "hand_void_request",
        "Ask the pit to approve that a hand does not count; who dealt it does not sign",
        Approval,
        hands.HandVoidRequest,
        {"revision": 1, "reason": "card twice in the deck"},
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        values = self.sent(request, hands.HandVoidRequest)
        where = self.service_args(hand_id, values)

        def work() -> Json:
            return approval_answer(services.hand_void_request(**where))

        return self.once(request, "hand.void_request", work, hand=hand_id)


class HandsOverrideRequest(HandCommand):
    """Ask to pay a guest for a fault of the house."""

    rights = {"post": (CORRECT,)}

    @openapi.command(
        "hand_override_request",
        "Ask to pay a guest of a hand for a pot that went to another seat and cannot be got back;"
        " whoever dealt or entered it may not sign; the last signature pays",
        Approval,
        hands.HandOverrideRequest,
        {"revision": 1, "stay": openapi.ID, "amount_minor": 2_000, "reason": "pushed to seat 5"},
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        values = self.sent(request, hands.HandOverrideRequest)
        where = self.service_args(hand_id, values)

        def work() -> Json:
            approval = services.hand_override_request(
                **where, stay_id=values["stay"], amount_minor=values["amount_minor"]
            )
            return approval_answer(approval)

        return self.once(request, "hand.override_request", work, hand=hand_id)


def hand_answer(hand: Hand) -> dict[str, Json]:
    """A hand as it stands."""
    return answer(hands.HandStanding, hand, **_standing(hand))


def hand_whole(hand: Hand) -> dict[str, Json]:
    """A hand with all that was entered of it."""
    entries = [
        answer(hands.HandEntered, entry, entered_by=entry.entered_by_id)
        for entry in hand.results.order_by("revision")
    ]
    more = {"croupier": hand.croupier_id, "entries": entries}
    return answer(hands.HandWhole, hand, **_standing(hand), **more)


def _standing(hand: Hand) -> dict[str, Any]:
    return {**hand_standing(hand), "table": hand.table_id}
