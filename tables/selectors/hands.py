"""Hands of poker as they are shown, and what is asked for of them."""

from typing import NamedTuple
from uuid import UUID

import orjson
from django.db.models import Count, F, QuerySet, Sum

from payouts.db.fast_calls import call
from payouts.models import Approval
from payouts.rules.plain import Json
from tables.models import (
    Guest,
    Hand,
    HandIrregularity,
    HandOverride,
    HandPot,
    HandResult,
    HandSeat,
    HandShare,
)

CORRECTION = "poker.correct"  # of the approval matrix
VOID = "poker.void"
OVERRIDE = "poker.override"
REQUESTS = (CORRECTION, VOID, OVERRIDE)
PAGE = 20  # hands on one page of a session


class HandSums(NamedTuple):
    """The hands of a session that count together (minor units)."""

    hands: int
    rake_minor: int


class HandParts(NamedTuple):
    """All rows about one hand: entries by revision, guests who were dealt in by seat, requests for
    signatures, what went wrong, what management paid for it; and of the last entry, where its pots
    are entered, seats, pots and shares.
    """

    results: list[HandResult]
    guests: list[Guest]
    approvals: list[Approval]
    irregularities: list[HandIrregularity]
    overrides: list[HandOverride]
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
    """Five statements, and four where pots are entered."""
    entered = HandResult.objects.filter(hand_id=hand_id).select_related("entered_by", "hand")
    results = list(entered.order_by("revision"))
    dealt = {stay for result in results for stay in result.dealt}
    requests = Approval.objects.filter(
        action__in=REQUESTS, subject_kind="hand", subject_id=str(hand_id)
    )
    last = results[-1]
    rows = {"hand": hand_id, "revision": last.revision}
    has_pots = last.entered is not None
    requests = requests.select_related("requester").prefetch_related("signatures__signer")
    overrides = HandOverride.objects.filter(hand=hand_id).select_related("requested_by")
    return HandParts(
        results=results,
        guests=list(Guest.objects.filter(pk__in=dealt).order_by("box", "number")),
        approvals=list(requests.order_by("requested_at")),
        irregularities=list(irregularities_of(session_id=last.hand.session_id, hand_id=hand_id)),
        overrides=list(overrides.order_by("pk")) if has_pots else [],
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


_STANDING = """
    SELECT json_build_object('flop', r.flop, 'walk', r.walk, 'pot_minor', r.pot_minor,
        'posted_minor', r.posted_minor, 'rake_minor', r.rake_minor, 'players', cardinality(r.dealt),
        'passed', r.entered -> 'passed' IS NOT NULL,
        'pots', CASE WHEN r.entered IS NOT NULL THEN json_build_object(
            'uncalled', (
                SELECT json_build_object('seat', s.seat, 'amount_minor', s.returned_minor)
                FROM tables_handseat s
                WHERE (s.hand_id, s.revision) = (r.hand_id, r.revision) AND s.returned_minor > 0),
            'pots', (
                SELECT coalesce(json_agg(json_build_object(
                    'amount_minor', p.amount_minor, 'rake_minor', p.rake_minor,
                    'shares', (
                        SELECT json_agg(json_build_object('seat', h.seat, 'half', h.half,
                            'amount_minor', h.amount_minor, 'odd_minor', h.odd_minor) ORDER BY h.id)
                        FROM tables_handshare h WHERE (h.hand_id, h.revision, h.number)
                            = (r.hand_id, r.revision, p.number))
                ) ORDER BY p.number), '[]')
                FROM tables_handpot p WHERE (p.hand_id, p.revision) = (r.hand_id, r.revision))
        ) END)
    FROM tables_handresult r WHERE r.hand_id = $1::uuid AND r.revision = $2::int
"""


def hand_standing(hand: Hand) -> dict[str, Json]:
    """What counts of a hand: fee, how many were dealt in, and where its pots are entered what they
    came to, as the tablet shows it. One statement.
    """
    (standing,) = call(_STANDING, [hand.pk, hand.revision])
    read: dict[str, Json] = orjson.loads(standing)
    return read


def _newest(session_id: UUID) -> QuerySet[HandResult]:
    return HandResult.objects.filter(hand__session_id=session_id, revision=F("hand__revision"))
