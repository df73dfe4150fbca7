"""What waits for somebody, as the dashboard's rail shows it: calls, alerts, approvals, entries to
be clarified.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.permissions import VERIFY, VIEW_AUDIT, VIEW_COUNT
from casino.pit import labels as pit_labels
from casino.pit.alerts import current_alerts, data_now
from casino.pit.board import read
from casino.pit.board.read import Watch
from casino.pit.board.signatures import may_sign, requests_elsewhere
from casino.pit.board.waiting import SEVERITIES, ShiftEntry, Waiting
from casino.pit.floor import show
from casino.pit.labels import MARKS
from casino.pit.models import Alert
from casino.text import floor
from casino.text.alerts import ALARM, ALERTS, LOUD, WARN
from casino.text.formats import format_money
from casino.text.vocabulary import ACTIONS
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from jackpot.services.gate import ADD, OUT
from jackpot.services.slips import CANCEL
from jackpot.services.standing import ADJUST, RESUME, RETIRE, SUSPEND
from jackpot.services.verify import REJECT
from payouts.models import Approval, House
from tables.models import ReviewItem
from tables.selectors.calls import Call
from tables.selectors.floor import FloorJackpot, clarify_open, corrections_open

CLARIFY = 12  # of what is to be clarified, the oldest stand in the rail; the floor's page has all
_STATIONS = {  # where in the control room an alert is seen to
    "jackpot_claimed": "#step-claimed",
    "display_unconfirmed": "#step-gated",
    "display_offline": "#room-displays",
    "cap_near": "#course",
    "jackpot_stands": "#room-head",
}
# Where the next step of a hit is taken, by why it waits.
_HITS = {
    "untrue": "#step-verified",
    "turned_down": "#step-approved",
    "below_zero": "#room-standing",
}
# Where what was asked about a jackpot is asked for again; else at its approvals.
_ASKED = {
    OUT: "#room-displays",
    ADD: "#room-displays",
    CANCEL: "#step-paid",
    REJECT: "#step-verified",
}
_ASKED |= dict.fromkeys((SUSPEND, RESUME, ADJUST, RETIRE), "#room-standing")


class Mark(NamedTuple):
    """Something at a table that stands out: how bad, its picture, its words, since when."""

    severity: str
    icon: str
    words: str
    since: datetime | None


class Waits:
    """Everything in the rail, by group the worst and then the oldest first. `at`: by table since
    when; `told`: what alerts mark at tables.

    `past`: alerts that are over and that nobody has acknowledged; `more`: there are more to be
    acknowledged than are read;
    `clarify_more`: so many entries the rail does not show.
    """

    def __init__(
        self,
        house: House,
        person: Person,
        tiles: list[show.Tile],
        jackpots: Mapping[UUID, FloorJackpot],
        calls: Mapping[UUID, Call],
        watched: Watch,
    ) -> None:
        self.house, self.person, self.tiles, self.jackpots, self.calls = (
            house,
            person,
            tiles,
            jackpots,
            calls,
        )
        self.watched = watched
        self.names = {str(tile.table.id): tile.table.name for tile in tiles}
        self.at: dict[str, dict[UUID, datetime]] = {"approvals": {}, "clarify": {}}
        self.told: dict[UUID, list[Mark]] = {}
        self._read()

    def _read(self) -> None:
        found = current_alerts(house_id=self.house.pk, first=LOUD)
        alerts = [self._alert(one) for one in (*found.waiting, *found.seen)]
        calls = [self._call(tile) for tile in self.tiles if tile.table.session_id in self.calls]
        self.alarms = sorted(
            [*calls, *(one for one in alerts if not one.seen_at and not one.over)],
            key=lambda one: (SEVERITIES.index(one.severity), one.since),
        )
        if self.watched.alerts_late:
            self.alarms.insert(0, self._unwatched())
        self.past = [one._replace(severity="") for one in alerts if one.over]
        self.seen = [one for one in alerts if one.seen_at]
        self.more = found.more
        self.approvals = sorted(
            [
                *self._corrections(),
                *self._requests(),
                *requests_elsewhere(self.house, self.person),
            ],
            key=lambda one: one.since,
        )
        self.signable = sum(1 for request in self.approvals if not request.own)
        self.clarify = [
            *self._doubted(),
            *(self._clarify(one) for one in clarify_open(house_id=self.house.pk).defer("payload")),
        ]
        self.clarify_first = self.clarify[:CLARIFY]
        self.clarify_more = max(0, len(self.clarify) - CLARIFY)

    def _alert(self, row: Alert) -> Waiting:
        kind, data = ALERTS[row.kind], data_now(row)
        place, href = "", ""
        if "jackpot" in data:
            place = getattr(self.jackpots.get(UUID(data["jackpot"])), "name", "")
            href = reverse("pit-jackpot", args=[data["jackpot"]]) + station(row.kind, data)
        if "table" in data:
            place = self.names.get(data["table"], "")
            href = href if row.kind in _STATIONS else reverse("floor-table", args=[data["table"]])
            if row.over_at is None and row.kind in MARKS:
                found = Mark(kind.severity, kind.icon, _(MARKS[row.kind]), row.raised_at)
                self.told.setdefault(UUID(data["table"]), []).append(found)
        if "round" in data:
            href = reverse("floor-round", args=[data["round"]])
        if "hand" in data:
            href = reverse("floor-hand", args=[data["hand"]])
        if "difference" in data and self.person.has_perm(VIEW_COUNT):
            href = reverse("cage-difference", args=[data["difference"]])
        if row.kind == "audit_failing" and self.person.has_perm(VIEW_AUDIT):
            href = reverse("audit")
        return Waiting(
            "alert",
            kind.severity,
            kind.icon,
            floor.colon(place, _(kind.title)) if place else _(kind.title),
            pit_labels.alert_text(row.kind, data, self.house, is_over=row.over_at is not None),
            "",
            row.raised_at,
            None,
            href,
            str(row.pk),
            over=row.over_at,
            seen_by=row.acknowledged_by.full_name if row.acknowledged_by else "",
            seen_at=row.acknowledged_at,
            kept={"alert": row.kind, "data": data, "at": place},
        )

    def _unwatched(self) -> Waiting:
        """What no alert can say: that nobody raises any."""
        text = _(pit_labels.UNWATCHED) % {
            "since": pit_labels.moment_text("since", self.watched.alerts_at)
        }
        title, since = _(pit_labels.UNWATCHED_TITLE), self.watched.alerts_at
        return Waiting("unwatched", ALARM, "warn", title, text, "", since, None, "", "alerts")

    def _call(self, tile: show.Tile) -> Waiting:
        table = tile.table
        call = self.calls[table.session_id]  # type: ignore[index]  # asked before
        href = reverse("floor-table", args=[table.id])
        text = _("Floor called: %(reason)s") % {"reason": call.reason_text}
        who = table.croupier or ""
        severity = WARN if call.taken_at else ALARM  # who is on the way needs no second one
        first = Waiting(
            "call", severity, "bell", table.name, text, who, call.at, None, href, str(table.id)
        )
        return first._replace(seen_by=call.taken_by, seen_at=call.taken_at)

    def _corrections(self) -> Iterable[Waiting]:
        for approval, play in corrections_open(house_id=self.house.pk):
            self.at["approvals"].setdefault(play.table_id, approval.requested_at)
            href = reverse(f"floor-{approval.subject_kind}", args=[play.pk])
            text = str(approval.payload.get("reason", ""))
            who = approval.requester.full_name if approval.requester else ""
            yield self._approval(approval, play.table.name, href, text, who)._replace(quoted=True)

    def _requests(self) -> Iterable[Waiting]:
        asked = read.jackpot_requests(house_id=self.house.pk, actions=OF_JACKPOTS)
        for approval, jackpot_id in asked:
            if jackpot_id is None or jackpot_id not in self.jackpots:
                continue
            name = self.jackpots[jackpot_id].name
            kept: ShiftEntry = {"action": approval.action, "at": name}
            href = reverse("pit-jackpot", args=[jackpot_id]) + f"#asked-{approval.pk}"
            text = floor.signatures(len(approval.signatures.all()), approval.signers)
            who = (
                approval.requester.full_name if approval.requester else _("asked for by the system")
            )
            yield self._approval(approval, name, href, text, who)._replace(kept=kept)

    def _approval(self, asked: Approval, place: str, href: str, text: str, who: str) -> Waiting:
        title, own = (
            f"{place} · " + capfirst(floor.say(ACTIONS, asked.action)),
            not may_sign(self.person, asked),
        )
        at, until, ref = asked.requested_at, asked.expires_at, str(asked.pk)
        return Waiting("approval", "appr", "code", title, text, who, at, until, href, ref, own)

    def _doubted(self) -> Iterable[Waiting]:
        """Slips of rounds that were corrected since, for who may ask to cancel them."""
        for award in (
            read.slips_doubted(house_id=self.house.pk) if self.person.has_perm(VERIFY) else ()
        ):
            self.at["clarify"].setdefault(award.table_id, award.slip.made_at)
            amount = format_money(award.amount_minor, self.house.currency, self.house.locale)
            title = _("Slip %(number)s") % {"number": award.slip.written} + " · " + amount
            text = _(
                "The round was corrected since and no longer gives it: cancel the slip, or correct"
                " the round back."
            )
            href = reverse("floor-jackpot", args=[award.jackpot_id]) + f"#slip-{award.slip.number}"
            yield Waiting(
                "clarify",
                WARN,
                "warn",
                title,
                text,
                "",
                award.slip.made_at,
                None,
                href,
                str(award.slip.pk),
            )

    def _clarify(self, row: ReviewItem) -> Waiting:
        self.at["clarify"].setdefault(row.table_id, row.received_at)
        who = row.sent_by.full_name if row.sent_by else ""
        title = floor.colon(row.table.name, floor.say(floor.CAME, row.kind))
        href = reverse("floor-clarify", args=[row.pk])
        return Waiting(
            "clarify", WARN, "warn", title, "", who, row.received_at, None, href, str(row.pk)
        )


def station(kind: str, data: Mapping[str, Any]) -> str:
    """Where in a jackpot's control room what an alert says is seen to."""
    if "action" in data:
        return _ASKED.get(data["action"], "#step-approved")
    return _HITS[data["why"]] if "why" in data else _STATIONS.get(kind, "")
