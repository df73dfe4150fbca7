"""Hands of poker as they are shown, and what is asked for of them."""

from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, F, QuerySet, Sum

from payouts.models import Approval
from payouts.rules.plain import Json
from tables.models import (
    Guest,
    Hand,
    HandIrregularity,
    HandPot,
    HandResult,
    HandSeat,
    HandShare,
)

CORRECTION = "poker.correct"  # of the approval matrix
VOID = "poker.void"
PAGE = 20  # hands on one page of a session


class HandSums(NamedTuple):
    """The hands of a session that count together (minor units)."""

    hands: int
    rake_minor: int


class HandParts(NamedTuple):
    """All rows about one hand: entries by revision, guests who were dealt in by seat, requests for
    signatures, what went wrong; and of the last entry, where its pots are entered, seats, pots and
    shares.
    """

    results: list[HandResult]
    guests: list[Guest]
    approvals: list[Approval]
    irregularities: list[HandIrregularity]
    seats: list[HandSeat]
    pots: list[HandPot]
    shares: list[HandShare]


def session_hands(
    *, session_id: UUID, before: int | None = None
) -> tuple[list[HandResult], int | None]:
    """What was entered last of each hand of a session, newest first, of those numbered below
    `before`; and where the next page begins, None at the end. One statement.
    """
    rows = _newest(session_id).select_related("hand__croupier").order_by("-hand__number")
    if before is not None:
        rows = rows.filter(hand__number__lt=before)
    results = list(rows[: PAGE + 1])
    following = results[PAGE - 1].hand.number if len(results) > PAGE else None
    return results[:PAGE], following


def hand_sums(*, session_id: UUID) -> HandSums:
    """One statement."""
    rows = _newest(session_id).filter(hand__state=Hand.State.ENDED)
    return HandSums(**rows.aggregate(hands=Count("pk"), rake_minor=Sum("rake_minor", default=0)))


def hand_parts(*, hand_id: UUID) -> HandParts:
    """Four statements, and three where pots are entered."""
    entered = HandResult.objects.filter(hand_id=hand_id).select_related("entered_by", "hand")
    results = list(entered.order_by("revision"))
    dealt = {stay for result in results for stay in result.dealt}
    requests = Approval.objects.filter(
        action__in=(CORRECTION, VOID), subject_kind="hand", subject_id=str(hand_id)
    )
    last = results[-1]
    rows = {"hand": hand_id, "revision": last.revision}
    has_pots = last.entered is not None
    requests = requests.select_related("requester").prefetch_related("signatures__signer")
    return HandParts(
        results=results,
        guests=list(Guest.objects.filter(pk__in=dealt).order_by("box", "number")),
        approvals=list(requests.order_by("requested_at")),
        irregularities=list(irregularities_of(session_id=last.hand.session_id, hand_id=hand_id)),
        seats=list(HandSeat.objects.filter(**rows).order_by("seat")) if has_pots else [],
        pots=list(HandPot.objects.filter(**rows).order_by("number")) if has_pots else [],
        shares=list(HandShare.objects.filter(**rows).order_by("pk")) if has_pots else [],
    )


def irregularities_of(
    *, session_id: UUID, hand_id: UUID | None = None
) -> QuerySet[HandIrregularity]:
    """What went wrong in a hand of a session; None: between its hands."""
    rows = HandIrregularity.objects.filter(session=session_id, hand=hand_id)
    return rows.select_related("recorded_by").order_by("pk")


def pots_result(hand: Hand) -> dict[str, Json]:
    """What a hand came to that counts, as the tablet shows it. Three statements."""
    rows = {"revision": hand.revision}
    back = hand.seats.filter(**rows, returned_minor__gt=0).first()
    shares: dict[int, list[Json]] = {}
    for share in hand.shares.filter(**rows).order_by("pk"):
        shared: dict[str, Json] = {
            name: getattr(share, name) for name in ("seat", "half", "amount_minor", "odd_minor")
        }
        shares.setdefault(share.number, []).append(shared)
    return {
        "uncalled": {"seat": back.seat, "amount_minor": back.returned_minor} if back else None,
        "pots": [
            {
                "amount_minor": pot.amount_minor,
                "rake_minor": pot.rake_minor,
                "shares": shares.get(pot.number, []),
            }
            for pot in hand.pots.filter(**rows).order_by("number")
        ],
    }


def _newest(session_id: UUID) -> QuerySet[HandResult]:
    return HandResult.objects.filter(hand__session_id=session_id, revision=F("hand__revision"))
