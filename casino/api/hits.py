"""Hits of jackpots: the life of one, its claims looked at by people, and its rejection."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.approvals import approval_answer
from casino.api.schemas import hits, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.approvals import Approval
from casino.api.schemas.common import Why
from casino.api.views import HouseView
from casino.people.permissions import VERIFY, VIEW_HIT
from jackpot import services
from jackpot.errors import ClaimUnknown, HitUnknown
from jackpot.models import Award, Claim, Gate, Hit, ListedRound, RunningRound, Share, Split
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.services.slips import cash_amount
from payouts.models import Approval as ApprovalRow
from payouts.models import House
from payouts.rules.plain import Json
from tables.models import Table


class Hits(HouseView):
    """Hits of the house, or of one jackpot."""

    rights = {"get": (VIEW_HIT,)}

    @openapi.listing(
        "hits_list",
        "Hits, newest first; of one jackpot, if it is named",
        hits.HitRow,
        hits.HitsQuery,
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(Hit.objects.all(), jackpot="jackpot")
        if jackpot := self.values.get("jackpot"):
            rows = rows.filter(jackpot=jackpot)
        return self.page(
            rows, ("-begun_at", "-id"), lambda found: [answer(hits.HitRow, row) for row in found]
        )


class OneHit(HouseView):
    """The life of a hit."""

    rights = {"get": (VIEW_HIT,)}

    @openapi.one(
        "hit_get",
        "The life of a hit: rounds that it waits for, claims, splits, signatures, awards with their"
        " slips, displays",
        hits.HitWhole,
    )
    def get(self, request: Request, hit_id: UUID) -> Response:
        """Show it. Raises HitUnknown."""
        rows = self.scope.rows(
            Hit.objects.select_related("epoch__rules", "house"), jackpot="jackpot"
        )
        hit = rows.filter(pk=hit_id).first()
        if hit is None:
            raise HitUnknown
        return Response(_whole(hit))


class RejectRequest(HouseView):
    """Ask to reject a hit."""

    rights = {"post": (VERIFY,)}

    @openapi.command(
        "hit_reject_request",
        "Ask to reject a hit of which no claim is true: the meter stays, the same amount is shown"
        " again",
        Approval,
        Why,
        {"reason": "a misread card"},
    )
    def post(self, request: Request, hit_id: UUID) -> Response:
        house, values = self.scope.house(), self.sent(request, Why)
        if not self.scope.rows(Hit.objects.filter(pk=hit_id), jackpot="jackpot").exists():
            raise HitUnknown

        def work() -> Json:
            asked = services.hit_reject_request(
                house_id=house, hit_id=hit_id, person_id=self.scope.actor, **values
            )
            return approval_answer(asked)

        return self.once(request, "hit.reject_request", work, hit=hit_id)


class ClaimCommand(HouseView):
    """A command about one claim; on a tablet, one of its table."""

    rights = {"post": (VERIFY,)}

    def service_args(self, claim_id: UUID) -> dict[str, Any]:
        """House, claim and person. Raises HouseNeeded, ClaimUnknown."""
        house = self.scope.house()
        if not self.scope.rows(Claim.objects.filter(pk=claim_id), "table_id").exists():
            raise ClaimUnknown
        return {"house_id": house, "claim_id": claim_id, "person_id": self.scope.actor}


class ClaimVerify(ClaimCommand):
    """It is true."""

    @openapi.command(
        "claim_verify",
        "Verify a claim: the items of the house's checklist are noted; whoever dealt its table"
        " may not",
        hits.Claim,
        hits.Verified,
        {
            "checklist": {
                "cards_seen": "by R. Caduff",
                "deck_counted": "52",
                "camera_time": "22:14:05",
            }
        },
    )
    def post(self, request: Request, claim_id: UUID) -> Response:
        there, values = self.service_args(claim_id), self.sent(request, hits.Verified)

        def work() -> Json:
            return _read_again(services.claim_verify(**there, **values))

        return self.once(request, "claim.verify", work, claim=claim_id)


class ClaimRefuse(ClaimCommand):
    """It is not."""

    @openapi.command(
        "claim_refuse",
        "Refuse a claim that is not true; whoever dealt its table may not",
        hits.Claim,
        Why,
        {"reason": "the ten was of clubs"},
    )
    def post(self, request: Request, claim_id: UUID) -> Response:
        there, values = self.service_args(claim_id), self.sent(request, Why)

        def work() -> Json:
            return _read_again(services.claim_refuse(**there, **values))

        return self.once(request, "claim.refuse", work, claim=claim_id)


def _read_again(claim: Claim) -> dict[str, Json]:
    """With the moment that the database gave it."""
    claim.refresh_from_db()
    return answer(hits.Claim, claim)


def _whole(row: Hit) -> dict[str, Json]:
    """A hit with its whole life; read with its epoch's rules and its house.

    It goes on while it is read. So what follows from something is read before that: no signature is
    asked for a split that is not shown, and nothing is awarded that nobody was asked about.
    """
    # the newest after this hit
    gate = Gate.objects.filter(jackpot=row.jackpot_id, hit=row).order_by("-number").first()
    displays = list(gate.displays.order_by("name", "pk")) if gate else []
    awards = list(Award.objects.filter(hit=row).select_related("slip").order_by("slip__number"))
    asked = ApprovalRow.objects.filter(
        house_id=row.house_id, subject_kind="hit", subject_id=str(row.pk)
    )
    approvals = list(asked.order_by("requested_at", "pk").prefetch_related("signatures"))
    splits = _splits(row)
    claims = list(Claim.objects.filter(hit=row).order_by("number"))
    return answer(
        hits.HitWhole,
        row,
        checklist=_rules(row).checklist(),
        rounds=_rounds(row),
        claims=claims,
        splits=splits,
        approvals=[approval_answer(one, one.signatures.all()) for one in approvals],
        awards=[_award(one, row.house) for one in awards],
        gate=answer(hits.GateAfter, gate, displays=displays) if gate else None,
    )


def _rules(row: Hit) -> JackpotRules:
    """What the house posted for the epoch of the hit."""
    posted = row.epoch.rules
    return JackpotRules() if posted is None else JackpotRules.from_data(posted.data)


def _rounds(row: Hit) -> list[Json]:
    """The rounds that ran when the hit began, each with what it still owes: while one is running,
    the hit waits.
    """
    listed = list(ListedRound.objects.filter(hit=row).order_by("table_id"))
    names = dict(
        Table.objects.filter(pk__in=[one.table_id for one in listed]).values_list("pk", "name")
    )
    ran: dict[UUID, RunningRound] = RunningRound.objects.in_bulk([one.round_id for one in listed])
    return [
        _listed(one, names.get(one.table_id, ""), ran.get(one.round_id))
        for one in sorted(listed, key=lambda listed: names.get(listed.table_id, ""))
    ]


def _listed(one: ListedRound, name: str, ran: RunningRound | None) -> dict[str, Json]:
    ended_as, ended_at = (ran.ended_as, ran.ended_at) if ran else ("", None)
    running = ran is not None and ended_at is None
    return answer(
        hits.ListedRound, one, name=name, running=running, ended_as=ended_as, ended_at=ended_at
    )


def _splits(row: Hit) -> list[Json]:
    """Every revision; the newest counts."""
    splits = list(Split.objects.filter(hit=row).order_by("revision"))
    shares: dict[int, list[Share]] = {one.pk: [] for one in splits}
    for share in Share.objects.filter(split__in=splits).order_by("claim__number"):
        shares[share.split_id].append(share)
    return [answer(hits.Split, one, shares=shares[one.pk]) for one in splits]


def _award(row: Award, house: House) -> dict[str, Json]:
    """What a guest is owed, with its slip."""
    slip = answer(
        hits.SlipOfAward, row.slip, to_pay_minor=cash_amount(row.amount_minor, house.currency)
    )
    return answer(hits.AwardPaid, row, slip=slip)
