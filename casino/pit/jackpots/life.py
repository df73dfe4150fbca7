"""The life of a hit as steps, each with its times and people; the hits of a jackpot."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.pit.jackpots.asked import REST, rest
from casino.pit.jackpots.show import evidence_of_claim, results_of
from casino.records import words as audit_words
from casino.text import floor as floor_words
from casino.text.refusal_words import ACTIONS
from casino.text.states import ENDED_REQUESTS
from casino.text.wording import guest_name
from jackpot.models import (
    Award,
    Claim,
    Gate,
    GateDisplay,
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
from jackpot.services.gate import OUT
from payouts.errors import mark
from payouts.models import Approval, Event
from tables.models import Guest, Round, RoundLine, Table

HISTORY = 25
DONE, NOW, LATER = "done", "now", "later"


class Step(NamedTuple):
    """One station of a hit. `at`: when it was over, or began if it is at hand; `items` are what the template shows of it."""

    code: str
    title: str
    state: str
    at: datetime | None
    items: list[dict[str, Any]]


class _Names(NamedTuple):
    tables: Mapping[UUID, str]
    guests: Mapping[UUID, str]
    rounds: Mapping[UUID, Round]


def steps(jackpot: Jackpot, hit: Hit | None, now: Mapping[str, Any] | None) -> list[Step]:
    """The stations of a hit from its first claim to the reopening; none without a hit. `now`: the acts of the hit at hand, by
    `floor_jackpot_show.details`, put where they belong. A fixed number of statements.
    """
    if hit is None:
        return []
    claims = list(Claim.objects.filter(hit=hit).select_related("made_by", "decided_by").order_by("number"))
    listed = list(ListedRound.objects.filter(hit=hit).order_by("id"))
    splits = list(Split.objects.filter(hit=hit).prefetch_related("shares__claim").order_by("revision"))
    gates = list(Gate.objects.filter(hit=hit).prefetch_related("displays").order_by("number"))
    awards = list(Award.objects.filter(hit=hit).select_related("slip__paid_by").order_by("slip__number"))
    names = _names(jackpot, claims, listed, awards)
    acts = now or {}
    return [
        _claimed(hit, claims, names),
        _drained(hit, listed, claims, names),
        _verified(hit, claims, acts, names),
        _split(hit, splits, names),
        _approved(hit, claims, acts),
        _paid(hit, awards, names),
        _gated(hit, gates, acts),
        _reopened(jackpot, hit, gates),
    ]


def history(jackpot: Jackpot, before: int | None = None) -> tuple[list[dict[str, Any]], int | None]:
    """The last hits (before the one with this number), newest first, with what was won and by how many; before which number there
    are older ones, if there are any. Two statements.
    """
    rows = Hit.objects.filter(jackpot=jackpot)
    found = list((rows if before is None else rows.filter(number__lt=before)).order_by("-number")[: HISTORY + 1])
    hits = found[:HISTORY]
    awards = Award.objects.filter(hit__in=hits).values_list("hit", "kind", "amount_minor", "slip__state")
    won: dict[UUID, list[int]] = {}
    to_pay = Counter(hit_id for hit_id, _kind, _amount, slip in awards if slip == Slip.State.OPEN)
    for hit_id, kind, amount, _slip in awards:
        if kind == "share":
            won.setdefault(hit_id, []).append(amount)
    shown = [
        {
            "hit": hit,
            "state": audit_words.hit_state(hit.state, to_pay[hit.pk]),
            "won_minor": sum(won.get(hit.pk, [])),
            "winners": len(won.get(hit.pk, [])),
        }
        for hit in hits
    ]
    return shown, hits[-1].number if len(found) > HISTORY else None


# --- stations -----------------------------------------------------------------------------------------------------------------
def _claimed(hit: Hit, claims: list[Claim], names: _Names) -> Step:
    items = [
        {
            "at": one.made_at,
            "who": one.made_by.full_name if one.made_by else "",
            "text": _place(one, names),
            "more": floor_words.say(floor_words.CLAIM_ORIGINS, one.origin),
        }
        for one in claims
    ]
    return Step("claimed", _("Claim"), DONE, hit.begun_at, items)


def _drained(hit: Hit, listed: list[ListedRound], claims: list[Claim], names: _Names) -> Step:
    ids = [one.round_id for one in listed]
    ran = RunningRound.objects.in_bulk(ids)
    newest = {pk: one.revision for pk, one in names.rounds.items()}
    told = Q(prize_minor__gt=0) | Q(code=CLAIM.code)
    lines = RoundLine.objects.filter(told, round_id__in=ids).values_list("round_id", "revision", "prize_minor", "code")
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
    claiming = {one.round_id for one in claims if one.state not in (Claim.State.REFUSED, Claim.State.DROPPED)}
    items = []
    for one in listed:
        round_ = names.rounds.get(one.round_id)
        running = ran.get(one.round_id)
        is_running = running is not None and running.ended_at is None
        state = Round.State.LOCKED if is_running else running.ended_as if running else Round.State.SETTLED
        items.append(
            {
                "id": one.round_id,
                "running": is_running,
                "who": round_.ended_by.full_name if round_ and round_.ended_by and not is_running else "",
                "reason": round_.reason if round_ else "",
                "at": running.ended_at if running else None,
                "text": names.tables.get(one.table_id, ""),
                "number": round_.number if round_ else None,
                "state": state,
                "words": floor_words.say(Round.State, state),
                "claims": one.round_id in claiming,
                "dropped": one.round_id in claiming and not is_running and one.round_id not in standing,
                "owed_minor": owed.get(one.round_id, 0),
                "waiting_minor": waiting.get(one.round_id, 0),
            }
        )
    items.sort(key=lambda one: str(one["text"]))
    state = NOW if hit.state == Hit.State.DRAINING else DONE
    return Step("drained", _("Rounds that ran"), state, hit.drained_at or hit.begun_at, items)


def _verified(hit: Hit, claims: list[Claim], acts: Mapping[str, Any], names: _Names) -> Step:
    """At hand while a claim is to be looked at, and where none is true until somebody asks to reject the hit."""
    undecided = any(one.state in UNDECIDED for one in claims)
    is_asked = any(one["row"].subject_kind == "hit" for one in acts.get("asked", ()))
    to_reject = not is_asked and not any(one.state == Claim.State.VERIFIED for one in claims)
    at_hand = hit.state == Hit.State.VERIFYING and (undecided or to_reject)
    state = LATER if hit.state == Hit.State.DRAINING else NOW if at_hand else DONE
    decided = [one.decided_at for one in claims if one.decided_at]
    items: list[dict[str, Any]] = [{"claim": one} for one in acts.get("claims", [])]
    if not items:
        results = results_of(claims)
        items = [
            evidence_of_claim(one, results.get(one.pk, {}))
            | {
                "at": one.decided_at,
                "who": one.decided_by.full_name if one.decided_by else "",
                "text": _place(one, names),
                "more": floor_words.say(Claim.State, one.state),
                "reason": one.reason,
            }
            for one in claims
        ]
    return Step("verified", _("Checklist"), state, max(decided, default=None), items)


def _split(hit: Hit, splits: list[Split], names: _Names) -> Step:
    items = [
        {
            "at": one.at,
            "who": _("by the jackpot itself"),
            "revision": one.revision,
            "split": one,
            "rest": rest({name: getattr(one, f"{name}_minor") for name in REST}),
            "shares": [
                (_place(share.claim, names), share.share_minor)
                for share in sorted(one.shares.all(), key=lambda share: share.claim.number)
            ],
        }
        for one in splits
    ]
    state = LATER if not splits else DONE
    return Step("split", _("Split"), state, splits[-1].at if splits else None, items)


def _approved(hit: Hit, claims: list[Claim], acts: Mapping[str, Any]) -> Step:
    """At hand while something is to be signed, and where people turned the payment of true claims down."""
    asked = _asked("hit", [str(hit.pk)])
    open_ = {one["row"].pk: one for one in acts.get("asked", [])}
    items = [_request(row, event) | {"asked": open_.get(row.pk)} for row, event in asked]
    states = {one.state for one in claims}
    decided = hit.state == Hit.State.VERIFYING and Claim.State.VERIFIED in states and not states & {*UNDECIDED}
    at_hand = decided or any(one["asked"] for one in items)
    state = DONE if hit.state in (Hit.State.PAID, Hit.State.REJECTED) else NOW if at_hand else LATER
    return Step("approved", _("Approvals"), state, hit.ended_at, items)


def _asked(kind: str, subjects: list[str], *actions: str) -> list[tuple[Approval, Event | None]]:
    """Requests about these subjects with their signatures, oldest first, each with the event that closed it unused."""
    rows = Approval.objects.filter(subject_kind=kind, subject_id__in=subjects).select_related("requester")
    if actions:
        rows = rows.filter(action__in=actions)
    asked = list(rows.prefetch_related("signatures__signer").order_by("requested_at", "pk"))
    told = Event.objects.filter(subject_kind="approval", subject_id__in=[str(one.pk) for one in asked])
    closed = told.filter(name__in=("approval.rejected", "approval.killed")).select_related("actor")
    by_id = {one.subject_id: one for one in closed}
    return [(one, by_id.get(str(one.pk))) for one in asked]


def _request(row: Approval, event: Event | None) -> dict[str, Any]:
    """A request with its times and people: who asked, who signed, and who turned it down and why, or by what it was replaced."""
    is_open = row.state == Approval.State.OPEN
    over = row.expires_at if is_open and row.expires_at <= timezone.now() else None
    return {
        "at": row.requested_at,
        "who": row.requester.full_name if row.requester else _("asked for by the system"),
        "title": capfirst(floor_words.say(ACTIONS, row.action)),
        "state": row.state,
        "words": "" if is_open and over is None else floor_words.say(ENDED_REQUESTS, row.state),
        "closed_at": over or row.closed_at,
        "closed_by": event.actor.full_name if event and event.actor else "",
        "reason": floor_words.say(REPLACED, event.reason) if event else "",
        "signatures": list(row.signatures.all()),
        "need": row.signers,
    }


def _paid(hit: Hit, awards: list[Award], names: _Names) -> Step:
    items = [
        {
            "at": one.slip.paid_at or one.slip.made_at,
            "who": one.slip.paid_by.full_name if one.slip.paid_by else "",
            "award": one,
            "slip": one.slip,
            "amount_minor": one.amount_minor,
            "text": f"{names.tables.get(one.table_id, '')}, {_('Box')} {one.box} · {names.guests.get(one.guest_id, '')}",
            "kind": floor_words.say(floor_words.AWARD_KINDS, one.kind),
            "words": floor_words.say(Slip.State, one.slip.state),
        }
        for one in awards
    ]
    to_pay = any(one.slip.state == Slip.State.OPEN for one in awards)
    state = NOW if to_pay else DONE if hit.ended_at else LATER
    title = _("Not paid: it was none") if hit.state == Hit.State.REJECTED else _("Slips")
    return Step("paid", title, state, hit.ended_at, items)


def _gated(hit: Hit, gates: list[Gate], acts: Mapping[str, Any]) -> Step:
    at_hand = acts.get("gate") or {}
    shown = {str(display.display_id) for one in gates for display in one.displays.all()}
    outs = [_request(row, event) | {"row": row} for row, event in _asked("display", sorted(shown), OUT)]
    items: list[dict[str, Any]] = [
        {
            "row": one,
            "gate": at_hand if at_hand and at_hand["row"].pk == one.pk else None,
            "displays": [
                {
                    "row": display,
                    "words": floor_words.say(GateDisplay.State, display.state),
                    "out": _taken_out(one, display, outs),
                }
                for display in sorted(one.displays.all(), key=lambda display: display.name)
            ],
        }
        for one in gates
    ]
    for one in items:  # the gate at hand has rows of its own, with what may be done
        out = {display["row"].pk: display["out"] for display in one["displays"]}
        for own in one["gate"]["displays"] if one["gate"] else ():
            own["out"] = out.get(own["row"].pk)
    is_open = any(one.state == Gate.State.OPEN for one in gates)
    state = NOW if is_open else DONE if gates else LATER
    return Step("gated", _("Displays"), state, gates[-1].ended_at or gates[-1].made_at if gates else None, items)


def _taken_out(gate: Gate, display: GateDisplay, outs: list[dict[str, Any]]) -> dict[str, Any] | None:
    """By which request a display left a gate: the one that was used while the gate was there."""
    if display.state != GateDisplay.State.OUT:
        return None
    for one in outs:
        is_used = one["state"] == Approval.State.USED and one["row"].subject_id == str(display.display_id)
        if is_used and one["closed_at"] >= gate.made_at and (not gate.ended_at or one["closed_at"] <= gate.ended_at):
            return one
    return None


def _reopened(jackpot: Jackpot, hit: Hit, gates: list[Gate]) -> Step:
    """The jackpot opens by itself when no display is left to wait for; `last`: which one that was."""
    passed = [one for one in gates if one.state == Gate.State.PASSED]
    if not passed:
        return Step("reopened", _("Betting open"), LATER, None, [])
    at = passed[-1].ended_at
    seen = sorted((one.at, one.state, one.name) for one in passed[-1].displays.all() if one.at)
    text = _(LAST[seen[-1][1]]) % {"name": seen[-1][2]} if seen else ""
    return Step("reopened", _("Betting open"), DONE, at, [{"at": at, "who": _("by the jackpot itself"), "last": text}])


# --- parts --------------------------------------------------------------------------------------------------------------------
# By what a gate passed, by the state of its last display.
LAST = {
    "confirmed": mark("after “%(name)s” had shown it"),
    "out": mark("after “%(name)s” was taken out"),
}
# Why a request was closed without anybody's doing, by the reason that its event keeps.
REPLACED = {
    "the claims have changed": mark("the claims have changed"),
    "a claim was decided": mark("a claim was looked at again"),
    "who asked for it or signed it was barred": mark("who asked for it or signed it was barred"),
    "who asked for it or signed it lost the role": mark("who asked for it or signed it lost the role"),
}


def _names(jackpot: Jackpot, claims: list[Claim], listed: list[ListedRound], awards: list[Award]) -> _Names:
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
    text = floor_words.colon(_("Claim %(number)s") % {"number": claim.number}, names.tables.get(claim.table_id, ""))
    if claim.box:
        text += f", {_('Box')} {claim.box}"
    guest = names.guests.get(claim.guest_id, "") if claim.guest_id else ""
    return f"{text} · {guest}" if guest else text
