"""What goes wrong at a poker table, and what is decided about it."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.schemas import hands, openapi
from casino.api.schemas.answers import answer
from casino.api.views import HouseView
from casino.people.permissions import DEAL, RUN_FLOOR
from casino.text.vocabulary import HAND_RULES
from payouts.rules.plain import Json
from tables import services


class HandIrregularities(HouseView):
    """Records of what went wrong."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "hand_irregular",
        "Record what went wrong at a poker table, in a hand or between two, and what was decided;"
        " a hand that is void or put right by it is so beside it",
        hands.RecordedIrregularity,
        hands.HandIrregular,
        {"hand": None, "kind": "conduct", "decision": "warned", "reason": "spoke of a live hand"}
        | {"seat": 3, "card": "", "override": False},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        house = self.scope.house()
        self.scope.check_table(table_id)
        values = self.sent(request, hands.HandIrregular)
        what: dict[str, Any] = {**values}
        hand_id = what.pop("hand")

        def work() -> Json:
            recorded = services.hand_irregular(
                house_id=house,
                table_id=table_id,
                hand_id=hand_id,
                **what,
                person_id=self.scope.actor,
                supervisor=self.scope.supervisor,
            )
            rule = gettext(HAND_RULES[recorded.kind])
            return answer(hands.RecordedIrregularity, recorded, rule=rule)

        return self.once(request, "hand.irregular", work, table=table_id)
