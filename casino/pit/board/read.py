"""What the pit's dashboard reads besides the floor's own selectors: a fixed number of statements,
however many tables there are.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from casino.devices.heard import TABLET_AT, TABLET_QUIET_S, silent
from casino.pit.alert_rules import ALERTS_S, AUDIT_S, DISPLAY_SILENT_S, HIT_WAITS
from casino.pit.alerts import SIGN
from jackpot.models import Award, Hit, Slip, WaitingPrize
from jackpot.services.split import AWARD
from payouts.models import Approval
from payouts.models.approval import WAITING
from tables.selectors.rounds import CORRECTION, awards_doubted
from tables.selectors.running import RUNS

PACE_FROM_S = 600  # a table that is open for less plays no pace that says anything

_LIVE = f"""
SELECT t.id, CASE WHEN s.id IS NULL THEN closed.at
    ELSE coalesce(running.began_at, greatest(s.opened_at, last.ended_at)) END,
    CASE WHEN s.opened_at < clock_timestamp() - interval '{PACE_FROM_S} seconds'
        THEN round(played.rounds * 3600.0
        / least(3600, extract(epoch FROM clock_timestamp() - s.opened_at)))::int END,
    tablet.at, {silent("tablet.at", TABLET_QUIET_S)},
    CASE WHEN s.opened_at < clock_timestamp() - interval '{PACE_FROM_S} seconds'
        THEN round(raked.minor * 3600.0
        / least(3600, extract(epoch FROM clock_timestamp() - s.opened_at)))::bigint END,
    coalesce(dealt.variant, ''), hand.at
FROM tables_table t
LEFT JOIN tables_tablesession s ON s.id = t.session_id
LEFT JOIN LATERAL (
    SELECT max(c.closed_at) AS at FROM tables_tablesession c WHERE c.table_id = t.id) closed ON true
LEFT JOIN tables_play running ON running.table_id = t.id AND running.state = 'locked'
LEFT JOIN LATERAL (
    SELECT r.ended_at FROM tables_play r WHERE r.session_id = s.id AND r.state <> 'locked'
    ORDER BY r.number DESC LIMIT 1) last ON true
LEFT JOIN LATERAL (
    SELECT count(*) AS rounds FROM tables_play r WHERE r.table_id = t.id AND r.session_id = s.id
        AND r.state IN ('settled', 'ended')
        -- stable, so that the index ends the search
        AND r.began_at > statement_timestamp() - interval '1 hour') played ON true
LEFT JOIN LATERAL (
    SELECT coalesce(sum(fee.minor), 0) AS minor FROM (
        SELECT x.rake_minor AS minor FROM tables_hand h
        JOIN tables_handresult x ON (x.hand_id, x.revision) = (h.id, h.revision)
        WHERE h.table_id = t.id AND h.session_id = s.id AND h.state = 'ended'
            AND h.ended_at > statement_timestamp() - interval '1 hour'
        UNION ALL SELECT c.amount_minor FROM tables_guest g
        JOIN tables_staychips c ON c.stay_id = g.id AND c.kind = 'time'
        WHERE g.session_id = s.id AND s.versions ? 'time_charge'
            AND c.at > statement_timestamp() - interval '1 hour') fee) raked ON true
LEFT JOIN payouts_postedtable game ON game.id = (s.versions ->> 'poker_game')::uuid
    AND CASE jsonb_typeof(game.data -> 'variants') WHEN 'array'
        THEN jsonb_array_length(game.data -> 'variants') > 1 END
LEFT JOIN LATERAL (
    SELECT h.variant FROM tables_hand h WHERE h.session_id = s.id
    ORDER BY h.number DESC LIMIT 1) dealt ON game.id IS NOT NULL
LEFT JOIN ({RUNS}) hand ON hand.session_id = s.id
LEFT JOIN LATERAL ({TABLET_AT}) tablet ON true
WHERE t.house_id = %s
"""

_PANELS = f"""
SELECT j.id, j.phase_at, j.kept_phase,
    (SELECT array_agg(t.name ORDER BY t.position, t.name) FROM jackpot_listedround l
        JOIN jackpot_runninground r ON r.round_id = l.round_id AND r.ended_at IS NULL
            JOIN tables_table t ON t.id = l.table_id
        WHERE l.hit_id = j.hit_id),
    (SELECT json_agg(json_build_array(t.name, c.box, guest.number, dealt.full_name)
        ORDER BY c.number)::text
        FROM jackpot_claim c JOIN tables_table t ON t.id = c.table_id LEFT JOIN tables_guest guest
            ON guest.id = c.guest_id
        LEFT JOIN tables_round r ON r.id = c.round_id LEFT JOIN casino_person dealt
            ON dealt.id = r.croupier_id
        WHERE c.hit_id = j.hit_id AND c.state IN ('called', 'open')),
    (SELECT array_agg(d.name ORDER BY d.name) FROM jackpot_gatedisplay d WHERE d.gate_id = g.id
        AND d.state = 'waiting'),
    (SELECT count(*) FROM jackpot_gatedisplay d WHERE d.gate_id = g.id AND d.state <> 'out'),
    (SELECT count(*) FROM jackpot_requireddisplay d WHERE d.jackpot_id = j.id
        AND d.ended_at IS NULL),
    (SELECT array_agg(d.name ORDER BY d.name) FROM jackpot_requireddisplay d
        JOIN jackpot_displaysession s ON s.display_id = d.display_id
        WHERE d.jackpot_id = j.id AND d.ended_at IS NULL
            AND {silent("s.seen_at", DISPLAY_SILENT_S)}),
    (SELECT array_agg(d.name ORDER BY d.name) FROM jackpot_requireddisplay d
        WHERE d.jackpot_id = j.id AND d.ended_at IS NULL
        AND NOT EXISTS (SELECT FROM jackpot_displaysession s WHERE s.display_id = d.display_id)),
    decided.id IS NOT NULL AND NOT EXISTS (SELECT FROM jackpot_claim c WHERE c.hit_id = decided.id
        AND c.state = 'verified'),
    (SELECT array[coalesce(p.full_name, ''), e.reason] FROM payouts_event e LEFT
        JOIN casino_person p ON p.id = e.actor_id
        WHERE e.subject_kind = 'approval' AND e.name = 'approval.rejected' AND e.subject_id = (
            SELECT a.id::text FROM payouts_approval a WHERE a.subject_kind = 'hit'
                AND a.subject_id = decided.id::text
                AND a.action = '{AWARD}' ORDER BY (SELECT max(v.id) FROM payouts_event v
                    WHERE v.subject_kind = 'approval' AND v.subject_id = a.id::text
                        AND v.name = 'approval.requested') DESC LIMIT 1)
        ORDER BY e.id DESC LIMIT 1),
    (SELECT json_agg(json_build_array(r.id, t.name, r.number) ORDER BY t.name, r.number)::text
        FROM jackpot_listedround l
        JOIN tables_round r ON r.id = l.round_id JOIN tables_table t ON t.id = r.table_id
        JOIN payouts_approval a ON a.subject_kind = 'round' AND a.subject_id = r.id::text
            AND a.action = '{CORRECTION}'
            AND a.state = 'open' AND a.expires_at > clock_timestamp() AND a.revision = r.revision
        WHERE l.hit_id = decided.id)
FROM jackpot_jackpot j LEFT JOIN jackpot_gate g ON g.id = j.gate_id AND g.state = 'open'
LEFT JOIN jackpot_hit decided ON decided.id = j.hit_id AND decided.state = 'verifying'
    AND NOT EXISTS (SELECT FROM jackpot_claim c WHERE c.hit_id = j.hit_id
        AND c.state IN ('called', 'open'))
    AND NOT EXISTS (SELECT FROM payouts_approval a WHERE a.subject_kind = 'hit'
        AND a.subject_id = j.hit_id::text
        AND a.state = 'open' AND a.expires_at > clock_timestamp())
WHERE j.house_id = %s
"""

_HITS = f"""
SELECT j.name, found.data::text, ARRAY(
    SELECT unnest(c.dealers) FROM jackpot_claim c WHERE c.hit_id = (found.data ->> 'hit')::uuid
        AND c.state <> 'dropped')
FROM ({HIT_WAITS}) AS found (house_id, subject, data) JOIN jackpot_jackpot j
    ON j.id = (found.data ->> 'jackpot')::uuid
WHERE found.house_id = %s ORDER BY j.name
"""

# One row whatever is missing. `coalesce`: what has never been there is late.
_WATCH = f"""
SELECT audit.at, coalesce(audit.ok, false),
    coalesce(audit.at < clock_timestamp() - interval '{AUDIT_S} seconds', false),
    coalesce(sign.at, (SELECT min(created_at) FROM payouts_house)),
    coalesce(sign.at < clock_timestamp() - interval '{ALERTS_S} seconds', true)
FROM (VALUES (1)) AS one LEFT JOIN (SELECT at, ok FROM casino_auditrun ORDER BY id DESC
    LIMIT 1) AS audit ON true
LEFT JOIN jackpot_signoflife sign ON sign.kind = %s
"""


class Watch(NamedTuple):
    """When the books were checked last (None: never), with what outcome; since when alerts may be
    missing; `late`: for too long.
    """

    at: datetime | None
    ok: bool
    late: bool
    alerts_at: datetime
    alerts_late: bool


class HitWaits(NamedTuple):
    """A hit that waits for people of whom nothing is asked, as its alert says it; `dealers` decide
    nothing about it.
    """

    jackpot: str
    data: dict[str, Any]
    dealers: list[UUID]


class LiveTable(NamedTuple):
    """`since`: when it was closed, opened, its running round was locked, or its last one ended.

    `an_hour`: rounds or hands, None while that says nothing yet; `rake_minor`: what was taken out
    of pots and for time, likewise. `variant`: of its newest hand, "" where none is played in turn.
    `silent`: its tablet is not heard of; None where it has none. `hand_since`: when the hand began
    that runs there, as far as its tablet tells.
    """

    since: datetime | None
    an_hour: int | None
    tablet_at: datetime | None
    silent: bool | None
    rake_minor: int | None
    variant: str
    hand_since: datetime | None = None


class Claimed(NamedTuple):
    """A claim that nobody has looked at yet: its table, box and guest (None: called, and no result
    yet), who dealt the round.
    """

    table: str
    box: int | None
    guest: int | None
    croupier: str | None


class Panel(NamedTuple):
    """What a jackpot waits for. `shows`: displays that its tables wait for; `dark`: those of them
    that are not heard of any more;
    `new`: that never were.

    Of a hit whose claims are decided while nothing is asked for about it: `untrue`, no claim is
    true; `turned_down`, who said no to its payment, and why; `corrections`, of its rounds those
    whose correction waits for its signature (id, table, number).
    """

    phase_at: datetime
    kept_phase: str
    draining: list[str]
    claims: list[Claimed]
    unconfirmed: list[str]
    gate_displays: int
    shows: int
    dark: list[str]
    new: list[str]
    untrue: bool
    turned_down: list[str] | None
    corrections: list[tuple[str, str, int | None]]


def live_tables(*, house_id: UUID) -> dict[UUID, LiveTable]:
    """By table. One statement."""
    return {row[0]: LiveTable(*row[1:]) for row in _rows(_LIVE, [house_id])}


def silent_tables(live: Mapping[UUID, LiveTable]) -> set[UUID]:
    """Those whose tablet is not heard of."""
    return {pk for pk, table in live.items() if table.silent}


def panels(*, house_id: UUID) -> dict[UUID, Panel]:
    """By jackpot. One statement."""
    found = {}
    for (
        pk,
        phase_at,
        kept,
        draining,
        claims,
        unconfirmed,
        displays,
        shows,
        dark,
        new,
        *stuck,
    ) in _rows(_PANELS, [house_id]):
        untrue, turned_down, corrections = stuck
        found[pk] = Panel(
            phase_at,
            kept,
            draining or [],
            [Claimed(*one) for one in json.loads(claims or "[]")],
            unconfirmed or [],
            displays,
            shows,
            dark or [],
            new or [],
            untrue,
            turned_down,
            json.loads(corrections or "[]"),
        )
    return found


def jackpot_requests(
    *, house_id: UUID, actions: Iterable[str]
) -> list[tuple[Approval, UUID | None]]:
    """What waits for signatures about jackpots, oldest first, each with its jackpot. Three
    statements.
    """
    rows = Approval.objects.filter(WAITING, house_id=house_id, action__in=list(actions))
    asked = list(
        rows.select_related("requester")
        .prefetch_related("signatures")
        .order_by("requested_at", "pk")
    )
    of = jackpots_of(asked, house_id=house_id)
    return [(request, of[request.pk]) for request in asked]


def jackpots_of(requests: Iterable[Approval], *, house_id: UUID) -> dict[UUID, UUID | None]:
    """By request the jackpot that it is about. Two statements."""
    rows = list(requests)
    of: dict[str, UUID] = {}
    for kind, model in (("hit", Hit), ("prize", WaitingPrize)):
        ids = [row.subject_id for row in rows if row.subject_kind == kind] or [str(house_id)]
        of |= {
            str(pk): jackpot
            for pk, jackpot in model.objects.filter(pk__in=ids).values_list("pk", "jackpot")
        }
    return {row.pk: of.get(row.subject_id) or _uuid(row.payload.get("jackpot")) for row in rows}


def hits_waiting(*, house_id: UUID) -> list[HitWaits]:
    """Hits of which people have to take the next step unasked. One statement."""
    return [
        HitWaits(name, json.loads(data), dealers)
        for name, data, dealers in _rows(_HITS, [house_id])
    ]


def watch() -> Watch:
    """Whether the books are checked and alerts derived, by the database's clock. One statement."""
    return Watch(*_rows(_WATCH, [SIGN])[0])


def slips_open(*, house_id: UUID) -> list[Award]:
    """What is still to be paid out, the oldest first. One statement."""
    rows = Award.objects.filter(house_id=house_id, slip__state=Slip.State.OPEN).select_related(
        "slip", "jackpot"
    )
    return list(rows.order_by("slip__made_at", "slip__number"))


def slips_doubted(*, house_id: UUID) -> list[Award]:
    """Awards whose round was corrected since, so that it no longer gives them, the oldest first.
    One statement.
    """
    rows = awards_doubted(
        Award.objects.filter(house_id=house_id, slip__state__in=[Slip.State.OPEN, Slip.State.PAID])
    )
    return list(rows.select_related("slip", "jackpot").order_by("slip__made_at", "slip__number"))


def _uuid(text: object) -> UUID | None:
    return UUID(text) if isinstance(text, str) else None


def _rows(sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
