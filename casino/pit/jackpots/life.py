"""The life of a hit as steps, each with its times and people; the hits of a jackpot."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from casino.pit.jackpots.asked import REST, Request, rest
from casino.pit.jackpots.claims import hand_of, results_of
from casino.pit.jackpots.standing import slip_row
from casino.pit.jackpots.stations import (
    DONE,
    LATER,
    NOW,
    ClaimMade,
    Item,
    Revision,
    Station,
    asked_for,
    closed_request,
    gated,
    reopened,
)
from casino.pit.jackpots.steps import JackpotStep
from casino.pit.jackpots.waits import Progress, round_at_hit
from casino.records import labels
from casino.text import floor
from casino.text.wording import guest_name
from jackpot.models import (
    Award,
    Claim,
    Gate,
    Hit,
    Jackpot,
    ListedRound,
    RunningRound,
    Slip,
    Split,
    WaitingPrize,
)
from jackpot.models.states import UNDECIDED, PrizeState
from jackpot.rules.progressive import CLAIM
from tables.models import Guest, Round, RoundLine, Table

HISTORY = 25


class PastHit(NamedTuple):
    """A hit with what was won, and by how many."""

    hit: Hit
    state: str
    won_minor: int
    winners: int


class _Names(NamedTuple):
    tables: Mapping[UUID, str]
    guests: Mapping[UUID, str]
    rounds: Mapping[UUID, Round]


def steps(
    jackpot: Jackpot,
    hit: Hit | None,
    now: Progress | None,
    cancel: Callable[[Award], JackpotStep | None] = lambda award: None,
) -> list[Station]:
    """The stations of a hit from its first claim to the reopening; none without a hit. `now`: the
    acts of the hit at hand, put where they belong; `cancel`: the form about the slip of an award. A
    fixed number of statements.
    """
    if hit is None:
        return []
    claims = list(
        Claim.objects.filter(hit=hit).select_related("made_by", "decided_by").order_by("number")
    )
    listed = list(ListedRound.objects.filter(hit=hit).order_by("id"))
    splits = list(
        Split.objects.filter(hit=hit).prefetch_related("shares__claim").order_by("revision")
    )
    gates = list(Gate.objects.filter(hit=hit).prefetch_related("displays").order_by("number"))
    awards = list(
        Award.objects.filter(hit=hit).select_related("slip__paid_by").order_by("slip__number")
    )
    names = _names(jackpot, claims, listed, awards)
    return [
        _claimed(hit, claims, names),
        _drained(hit, listed, claims, names),
        _verified(hit, claims, now, names),
        _split(hit, splits, names),
        _approved(hit, claims, now.asked if now else []),
        _paid(hit, awards, names, cancel),
        gated(gates, now.gate if now else None),
        reopened(gates),
    ]


def history(jackpot: Jackpot, before: int | None = None) -> tuple[list[PastHit], int | None]:
    """The last hits (before the one with this number), newest first, with what was won and by how
    many; before which number there are older ones, if there are any. Two statements.
    """
    rows = Hit.objects.filter(jackpot=jackpot)
    found = list(
        (rows if before is None else rows.filter(number__lt=before)).order_by("-number")[
            : HISTORY + 1
        ]
    )
    hits = found[:HISTORY]
    awards = Award.objects.filter(hit__in=hits).values_list(
        "hit", "kind", "amount_minor", "slip__state"
    )
    won: dict[UUID, list[int]] = {}
    to_pay = Counter(hit_id for hit_id, _kind, _amount, slip in awards if slip == Slip.State.OPEN)
    for hit_id, kind, amount, _slip in awards:
        if kind == "share":
            won.setdefault(hit_id, []).append(amount)
    past = [
        PastHit(
            hit,
            labels.hit_state(hit.state, to_pay[hit.pk]),
            sum(own := won.get(hit.pk, [])),
            len(own),
        )
        for hit in hits
    ]
    return past, hits[-1].number if len(found) > HISTORY else None


def _claimed(hit: Hit, claims: list[Claim], names: _Names) -> Station:
    items = [
        ClaimMade(one, _place(one, names), floor.say(floor.CLAIM_ORIGINS, one.origin))
        for one in claims
    ]
    return Station("claimed", _("Claim"), DONE, hit.begun_at, items)


def _drained(hit: Hit, listed: list[ListedRound], claims: list[Claim], names: _Names) -> Station:
    ids = [one.round_id for one in listed]
    ran = RunningRound.objects.in_bulk(ids)
    newest = {pk: one.revision for pk, one in names.rounds.items()}
    told = Q(prize_minor__gt=0) | Q(code=CLAIM.code)
    lines = RoundLine.objects.filter(told, round_id__in=ids).values_list(
        "round_id", "revision", "prize_minor", "code"
    )
    owed: dict[UUID, int] = {}
    standing = set()
    for round_id, revision, prize, code in lines:
        if revision == newest.get(round_id):
            owed[round_id] = owed.get(round_id, 0) + prize
            standing |= {round_id} if code == CLAIM.code else set()
    waiting = dict(
        WaitingPrize.objects.filter(round_id__in=ids, state=PrizeState.WAITING)
        .values_list("round_id")
        .annotate(sum=Sum("amount_minor"))
    )
    claiming = {
        one.round_id
        for one in claims
        if one.state not in (Claim.State.REFUSED, Claim.State.DROPPED)
    }
    items = []
    for one in listed:
        row = names.rounds.get(one.round_id)
        found = round_at_hit(one, ran.get(one.round_id), names.tables, row.number if row else None)
        claims_it = one.round_id in claiming
        items.append(
            found._replace(
                row=row,
                claims=claims_it,
                dropped=claims_it and not found.running and one.round_id not in standing,
                owed_minor=owed.get(one.round_id, 0),
                waiting_minor=waiting.get(one.round_id, 0),
            )
        )
    items.sort(key=lambda one: one.table)
    state = NOW if hit.state == Hit.State.DRAINING else DONE
    return Station("drained", _("Rounds that ran"), state, hit.drained_at or hit.begun_at, items)


def _verified(hit: Hit, claims: list[Claim], now: Progress | None, names: _Names) -> Station:
    """At hand while a claim is to be looked at, and where none is true until somebody asks to
    reject the hit.
    """
    undecided = any(one.state in UNDECIDED for one in claims)
    is_asked = any(one.row.subject_kind == "hit" for one in (now.asked if now else ()))
    to_reject = not is_asked and not any(one.state == Claim.State.VERIFIED for one in claims)
    at_hand = hit.state == Hit.State.VERIFYING and (undecided or to_reject)
    state = LATER if hit.state == Hit.State.DRAINING else NOW if at_hand else DONE
    decided = [one.decided_at for one in claims if one.decided_at]
    items: Sequence[Item] = (now and now.claims) or _decided(claims, names)
    return Station("verified", _("Checklist"), state, max(decided, default=None), items)


def _decided(claims: list[Claim], names: _Names) -> list[ClaimMade]:
    results = results_of(claims)
    return [
        ClaimMade(
            one,
            _place(one, names),
            floor.say(Claim.State, one.state),
            hand_of(one, results.get(one.pk, {})),
        )
        for one in claims
    ]


def _split(hit: Hit, splits: list[Split], names: _Names) -> Station:
    items = [
        Revision(
            one,
            rest({name: getattr(one, f"{name}_minor") for name in REST}),
            [
                (_place(share.claim, names), share.share_minor)
                for share in sorted(one.shares.all(), key=lambda share: share.claim.number)
            ],
        )
        for one in splits
    ]
    state = LATER if not splits else DONE
    return Station("split", _("Split"), state, splits[-1].at if splits else None, items)


def _approved(hit: Hit, claims: list[Claim], requests: list[Request]) -> Station:
    """At hand while something is to be signed, and where people turned the payment of true claims
    down.
    """
    asked = asked_for("hit", [str(hit.pk)])
    open_ = {one.row.pk: one for one in requests}
    items = [open_.get(row.pk) or closed_request(row, event) for row, event in asked]
    states = {one.state for one in claims}
    decided = (
        hit.state == Hit.State.VERIFYING
        and Claim.State.VERIFIED in states
        and not states & {*UNDECIDED}
    )
    at_hand = decided or any(row.pk in open_ for row, _event in asked)
    state = DONE if hit.state in (Hit.State.PAID, Hit.State.REJECTED) else NOW if at_hand else LATER
    return Station("approved", _("Approvals"), state, hit.ended_at, items)


def _paid(
    hit: Hit, awards: list[Award], names: _Names, cancel: Callable[[Award], JackpotStep | None]
) -> Station:
    items = [slip_row(one, names.tables, names.guests, cancel(one)) for one in awards]
    to_pay = any(one.slip.state == Slip.State.OPEN for one in awards)
    state = NOW if to_pay else DONE if hit.ended_at else LATER
    title = _("Not paid: not confirmed") if hit.state == Hit.State.REJECTED else _("Slips")
    return Station("paid", title, state, hit.ended_at, items)


def _names(
    jackpot: Jackpot, claims: list[Claim], listed: list[ListedRound], awards: list[Award]
) -> _Names:
    guests = {one.guest_id for one in claims if one.guest_id} | {one.guest_id for one in awards}
    rounds = {one.round_id for one in claims} | {one.round_id for one in listed}
    found = Guest.objects.filter(pk__in=guests).values_list("pk", "number")
    return _Names(
        dict(Table.objects.filter(house_id=jackpot.house_id).values_list("pk", "name")),
        {pk: guest_name(number) for pk, number in found},
        Round.objects.select_related("ended_by").in_bulk(list(rounds)),
    )


def _place(claim: Claim, names: _Names) -> str:
    """`Claim 1: UTH 2, box 4 · Guest 7`."""
    text = floor.colon(
        _("Claim %(number)s") % {"number": claim.number}, names.tables.get(claim.table_id, "")
    )
    if claim.box:
        text += f", {_('Box')} {claim.box}"
    guest = names.guests.get(claim.guest_id, "") if claim.guest_id else ""
    return f"{text} · {guest}" if guest else text
