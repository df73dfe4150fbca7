"""The stations of a hit, and those at its gates."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.pit.jackpots.asked import Request
from casino.pit.jackpots.claims import ClaimHand, ClaimSheet
from casino.pit.jackpots.displays import ClosedRequest, DisplayAtGate, GateSheet
from casino.pit.jackpots.standing import SlipRow
from casino.pit.jackpots.waits import RoundAtHit
from casino.text import floor
from casino.text.states import ENDED_REQUESTS
from casino.text.vocabulary import ACTIONS
from jackpot.models import (
    Claim,
    Gate,
    GateDisplay,
    Split,
)
from jackpot.services.gate import OUT
from payouts.errors import mark
from payouts.models import Approval, Event

DONE, NOW, LATER = "done", "now", "later"


class ClaimMade(NamedTuple):
    """A claim that came, or, with what it rests on, one that was decided."""

    row: Claim
    place: str
    word: str
    hand: ClaimHand | None = None


class Revision(NamedTuple):
    """How the meter was split then, by claims and by what is left."""

    split: Split
    rest: list[tuple[str, int]]
    shares: list[tuple[str, int]]


Item = (
    ClaimMade
    | RoundAtHit
    | ClaimSheet
    | Revision
    | Request
    | ClosedRequest
    | SlipRow
    | GateSheet
    | str
)


class Station(NamedTuple):
    """One station of a hit. `at`: when it was over, or began if it is at hand."""

    code: str
    title: str
    state: str
    at: datetime | None
    items: Sequence[Item]


def asked_for(kind: str, subjects: list[str], *actions: str) -> list[tuple[Approval, Event | None]]:
    """Requests about these subjects with their signatures, oldest first, each with the event that
    closed it unused.
    """
    rows = Approval.objects.filter(subject_kind=kind, subject_id__in=subjects).select_related(
        "requester"
    )
    if actions:
        rows = rows.filter(action__in=actions)
    asked = list(rows.prefetch_related("signatures__signer").order_by("requested_at", "pk"))
    told = Event.objects.filter(
        subject_kind="approval", subject_id__in=[str(one.pk) for one in asked]
    )
    closed = told.filter(name__in=("approval.rejected", "approval.killed")).select_related("actor")
    by_id = {one.subject_id: one for one in closed}
    return [(one, by_id.get(str(one.pk))) for one in asked]


def closed_request(row: Approval, event: Event | None) -> ClosedRequest:
    """What became of a request: it was signed, somebody turned it down and said why, or it was
    replaced.
    """
    is_open = row.state == Approval.State.OPEN
    over = row.expires_at if is_open and row.expires_at <= timezone.now() else None
    return ClosedRequest(
        row,
        event,
        capfirst(floor.say(ACTIONS, row.action)),
        "" if is_open and over is None else floor.say(ENDED_REQUESTS, row.state),
        over or row.closed_at,
        floor.say(REPLACED, event.reason) if event else "",
    )


def gated(gates: list[Gate], at_hand: GateSheet | None) -> Station:
    """The gate at hand has rows of its own, with what may be done."""
    ids = {str(display.display_id) for one in gates for display in one.displays.all()}
    outs = asked_for("display", sorted(ids), OUT)
    items = []
    for one in gates:
        if at_hand and at_hand.row.pk == one.pk:
            rows = at_hand.displays
        else:
            found = sorted(one.displays.all(), key=lambda row: row.name)
            rows = [DisplayAtGate(row, floor.say(GateDisplay.State, row.state)) for row in found]
        rows = [row._replace(request=_taken_out(one, row.row, outs)) for row in rows]
        items.append(GateSheet(one, rows, acts=at_hand is not None and at_hand.row.pk == one.pk))
    is_open = any(one.state == Gate.State.OPEN for one in gates)
    state = NOW if is_open else DONE if gates else LATER
    return Station(
        "gated",
        _("Displays"),
        state,
        gates[-1].ended_at or gates[-1].made_at if gates else None,
        items,
    )


def _taken_out(
    gate: Gate, display: GateDisplay, outs: list[tuple[Approval, Event | None]]
) -> ClosedRequest | None:
    """By which request a display left a gate: the one that was used while the gate was there."""
    if display.state != GateDisplay.State.OUT:
        return None
    for row, event in outs:
        is_used = row.state == Approval.State.USED and row.subject_id == str(display.display_id)
        closed = row.closed_at
        if (
            is_used
            and closed
            and closed >= gate.made_at
            and (not gate.ended_at or closed <= gate.ended_at)
        ):
            return closed_request(row, event)
    return None


def reopened(gates: list[Gate]) -> Station:
    """The jackpot opens by itself when no display is left to wait for, and says which one that
    was."""
    passed = [one for one in gates if one.state == Gate.State.PASSED]
    if not passed:
        return Station("reopened", _("Betting open"), LATER, None, [])
    at = passed[-1].ended_at
    seen = sorted((one.at, one.state, one.name) for one in passed[-1].displays.all() if one.at)
    text = _(LAST[seen[-1][1]]) % {"name": seen[-1][2]} if seen else ""
    return Station("reopened", _("Betting open"), DONE, at, [text])


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
    "who asked for it or signed it lost the role": mark(
        "who asked for it or signed it lost the role"
    ),
}
