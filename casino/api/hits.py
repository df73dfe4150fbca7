"""Hits of jackpots: the life of one, its claims looked at by people, and its rejection."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import describe, show, show_hits
from casino.api.parse import Field, identity, record, text
from casino.api.views import PAGING, HouseView
from casino.people.permissions import VERIFY, VIEW_HIT
from jackpot import services
from jackpot.errors import ClaimUnknown, HitUnknown
from jackpot.models import Claim, Hit
from payouts.rules.plain import Json

FILTERS: dict[str, Field] = {"jackpot": identity(default=None)}
REASON = text(3, 500)
VERIFIED: dict[str, Field] = {"checklist": record(describe.ref("Checklist"))}
WHY: dict[str, Field] = {"reason": REASON}


class Hits(HouseView):
    """Hits of the house, or of one jackpot."""

    rights = {"get": (VIEW_HIT,)}
    query = PAGING | FILTERS

    @describe.listing("hits_list", "Hits, newest first; of one jackpot, if it is named", "HitRow", PAGING | FILTERS)
    def get(self, request: Request) -> Response:
        """List them."""
        rows = self.reach.rows(Hit.objects.all(), jackpot="jackpot")
        if self.values["jackpot"] is not None:
            rows = rows.filter(jackpot=self.values["jackpot"])
        return self.page(rows, ("-begun_at", "-id"), lambda found: [show_hits.hit_row(row) for row in found])


class OneHit(HouseView):
    """The life of a hit."""

    rights = {"get": (VIEW_HIT,)}

    @describe.one(
        "hit_get",
        "The life of a hit: rounds that it waits for, claims, splits, signatures, awards with their slips, displays",
        "HitWhole",
    )
    def get(self, request: Request, hit_id: UUID) -> Response:
        """Show it. Raises HitUnknown."""
        rows = self.reach.rows(Hit.objects.select_related("epoch__rules", "house"), jackpot="jackpot")
        hit = rows.filter(pk=hit_id).first()
        if hit is None:
            raise HitUnknown
        return Response(show_hits.hit_whole(hit))


class RejectRequest(HouseView):
    """Ask to reject a hit."""

    rights = {"post": (VERIFY,)}

    @describe.command(
        "hit_reject_request",
        "Ask to reject a hit of which no claim is true: the meter stays, the same amount is shown again",
        WHY,
        "Approval",
        {"reason": "a misread card"},
    )
    def post(self, request: Request, hit_id: UUID) -> Response:
        """Ask."""
        house, values = self.reach.house(), self.sent(request, WHY)
        if not self.reach.rows(Hit.objects.filter(pk=hit_id), jackpot="jackpot").exists():
            raise HitUnknown

        def work() -> Json:
            asked = services.hit_reject_request(house_id=house, hit_id=hit_id, person_id=self.reach.actor, **values)
            return show.approval(asked)

        return self.once(request, "hit.reject_request", work, hit=hit_id)


class ClaimCommand(HouseView):
    """A command about one claim; on a tablet, one of its table."""

    rights = {"post": (VERIFY,)}

    def there(self, claim_id: UUID) -> dict[str, Any]:
        """House, claim and person. Raises HouseNeeded, ClaimUnknown."""
        house = self.reach.house()
        if not self.reach.rows(Claim.objects.filter(pk=claim_id), "table_id").exists():
            raise ClaimUnknown
        return {"house_id": house, "claim_id": claim_id, "person_id": self.reach.actor}


class ClaimVerify(ClaimCommand):
    """It is true."""

    @describe.command(
        "claim_verify",
        "Verify a claim: the items of the house's checklist are noted; whoever dealt its table may not",
        VERIFIED,
        "Claim",
        {"checklist": {"cards_seen": "by R. Caduff", "deck_counted": "52", "camera_time": "22:14:05"}},
    )
    def post(self, request: Request, claim_id: UUID) -> Response:
        """Verify it."""
        there, values = self.there(claim_id), self.sent(request, VERIFIED)

        def work() -> Json:
            return _read_again(services.claim_verify(**there, **values))

        return self.once(request, "claim.verify", work, claim=claim_id)


class ClaimRefuse(ClaimCommand):
    """It is not."""

    @describe.command(
        "claim_refuse",
        "Refuse a claim that is not true; whoever dealt its table may not",
        WHY,
        "Claim",
        {"reason": "the ten was of clubs"},
    )
    def post(self, request: Request, claim_id: UUID) -> Response:
        """Refuse it."""
        there, values = self.there(claim_id), self.sent(request, WHY)

        def work() -> Json:
            return _read_again(services.claim_refuse(**there, **values))

        return self.once(request, "claim.refuse", work, claim=claim_id)


def _read_again(claim: Claim) -> dict[str, Json]:
    """With the moment that the database gave it."""
    claim.refresh_from_db()
    return show_hits.claim(claim)
