"""Reads for the floor's pages: a fixed number of statements, however many tables, rounds or boxes
are on screen.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Q, QuerySet

from jackpot.models.states import FROZEN, Phase
from jackpot.rules.meter import meter
from payouts.models import Approval, PostedState, PostedTable
from payouts.models.approval import WAITING
from payouts.rules.ledger.chart import METER
from payouts.rules.rulesets.funding import FundingSchedule
from tables.models import Hand, ReviewItem, Round
from tables.selectors import hands
from tables.selectors.results import PLAYED, known, played
from tables.selectors.rounds import CORRECTION, OVERRIDE, VOID_CLAIMED

# What was recorded as won or lost today is read from the books, each round once (floor_results).
_FLOOR = f"""
WITH here AS (
    SELECT id, clock_timestamp() AS now, gaming_day_v1(clock_timestamp(), time_zone,
        gaming_day_change) AS day
    FROM payouts_house WHERE id = %s
)
SELECT t.id, t.name, t.game, t.boxes, t.posted::text, t.jackpot_id, p.id AS pit_id, p.name AS pit,
    here.now, here.day,
    s.id AS session_id, s.gaming_day AS opened_for, s.entry_level, s.versions::text, s.croupier_id,
        c.full_name AS croupier,
    r.id AS round_id, r.number AS round_number, extract(epoch
        FROM here.now - r.began_at)::int AS running_s,
    coalesce(seats.occupied, '{{}}') AS occupied, coalesce(staked.coins, '{{}}') AS coins,
    counted.at AS counted_at, coalesce(counted.running, false) AS counting,
    played.rounds::text AS played, paid.minor AS time_minor
FROM here
JOIN tables_table t ON t.house_id = here.id
JOIN tables_pit p ON p.id = t.pit_id
LEFT JOIN tables_tablesession s ON s.id = t.session_id
LEFT JOIN casino_person c ON c.id = s.croupier_id
LEFT JOIN tables_play r ON r.table_id = t.id AND r.state = 'locked'
LEFT JOIN LATERAL (
    SELECT array_agg(DISTINCT k.box) FILTER (WHERE k.kind = 'coin'
        AND k.accepted_minor > 0) AS coins,
        array_agg(DISTINCT k.box) AS boxes
    FROM tables_roundstake k WHERE k.round_id = r.id
) staked ON true
LEFT JOIN LATERAL (
    SELECT array_agg(DISTINCT box) AS occupied FROM (
        SELECT g.box FROM tables_guest g WHERE g.session_id = s.id AND g.left_at IS NULL
            AND g.box IS NOT NULL
        UNION ALL SELECT unnest(staked.boxes)) taken (box)
) seats ON true
LEFT JOIN LATERAL (
    SELECT max(n.ended_at) FILTER (WHERE n.state = 'signed') AS at,
        bool_or(n.state IN ('begun', 'entered', 'again')) AS running
    FROM payouts_count n WHERE (n.place_id, n.place_kind) = (t.id, 'tray')
        AND n.begun_at > here.now - interval '36 hours') counted ON true
LEFT JOIN LATERAL ({PLAYED}) played ON true
LEFT JOIN LATERAL (
    SELECT sum(c.amount_minor)::bigint AS minor
    FROM tables_tablesession o JOIN tables_guest g ON g.session_id = o.id
    JOIN tables_staychips c ON c.stay_id = g.id AND c.kind = 'time'
    WHERE o.house_id = here.id AND o.gaming_day = here.day AND o.table_id = t.id
        AND o.versions ? 'time_charge') paid ON true
WHERE CASE WHEN %s::uuid IS NULL THEN NOT t.retired OR EXISTS (SELECT FROM tables_tablesession o
        WHERE o.table_id = t.id AND (o.house_id, o.gaming_day) = (here.id, here.day))
    ELSE t.id = %s::uuid END
ORDER BY p.position, p.name, t.position, t.name
"""

_JACKPOTS = f"""
SELECT j.id, j.name, j.phase, j.offline_linked, j.progressive, j.funding, f.data::text,
    (SELECT -coalesce(sum(a.balance_minor), 0) FROM payouts_account a
     WHERE a.house_id = j.house_id AND a.detail_id = j.epoch_id AND a.kind IN {METER}),
    EXISTS (SELECT FROM jackpot_requireddisplay d WHERE d.jackpot_id = j.id AND d.ended_at IS NULL),
    coalesce(p.data ->> 'blocked_after_hit' = 'coins', false)
FROM jackpot_jackpot j JOIN jackpot_epoch e ON e.id = j.epoch_id JOIN payouts_postedtable f
    ON f.id = e.funding_id
LEFT JOIN payouts_postedtable p ON p.id = e.rules_id
WHERE j.house_id = %s ORDER BY j.name
"""

# By round who took which part in it; as `took_part` bars them, but for who handed its table over.
_PARTS = f"""
WITH asked AS (SELECT unnest(%s::uuid[]) AS id),
signed AS (
    SELECT r.id, a.id AS approval_id, a.requester_id FROM asked r JOIN payouts_approval a
        ON a.subject_kind = 'round' AND a.subject_id = r.id::text AND a.action = '{CORRECTION}'
            AND a.state = 'used'
)
SELECT r.id, r.croupier_id, 'dealt' FROM tables_round r JOIN asked USING (id) WHERE NOT r.queued
UNION SELECT x.round_id, x.entered_by_id, 'entered' FROM tables_roundresult x JOIN asked
    ON asked.id = x.round_id
    WHERE x.approval_id IS NULL
UNION SELECT e.round_id, e.sent_by_id, 'entered' FROM tables_toclarify e JOIN asked
    ON asked.id = e.round_id
    WHERE e.state <> 'dismissed'
UNION SELECT c.round_id, c.made_by_id, 'called' FROM jackpot_claim c JOIN asked
    ON asked.id = c.round_id WHERE c.origin = 'called'
UNION SELECT id, requester_id, 'requested' FROM signed
UNION SELECT signed.id, g.signer_id, 'signed' FROM signed
    JOIN payouts_approvalsignature g USING (approval_id)
"""


_PLAYED = -2  # the column of the rounds that the day has


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table as it stands at `now`. `occupied`, `coins`: boxes with a guest or a stake, boxes
    with a coin in the running round. `counted_at`: its tray was last, within the last 36 hours;
    `counting`: it is being counted.

    `rounds` of gaming day `day` are settled; `told` of them say a result; `result_minor` is what
    they say and guests paid for time, None where there is neither, and 0 and None while the tray is
    counted. From `long_s` seconds on a round
    takes long here: three times what half of the day's rounds took; None before the fifth. From
    `idle_s` on so does the pause before the next one.
    """

    id: UUID
    name: str
    game: str
    boxes: int
    posted: dict[str, str]
    jackpot_id: UUID | None
    pit_id: UUID
    pit: str
    now: datetime
    day: date
    session_id: UUID | None
    opened_for: date | None
    entry_level: str | None
    versions: dict[str, str]
    croupier_id: UUID | None
    croupier: str | None
    round_id: UUID | None
    round_number: int | None
    running_s: int | None
    occupied: tuple[int, ...]
    coins: tuple[int, ...]
    counted_at: datetime | None
    counting: bool
    rounds: int
    told: int
    result_minor: int | None
    long_s: int | None
    idle_s: int | None


class FloorJackpot(NamedTuple):
    """A jackpot of the house with what its meter shows and what it holds, which may be below zero
    (minor units).

    `coins_alone`: between a hit and the reopening it blocks coins and nothing else (PRG-9).
    """

    id: UUID
    name: str
    phase: str
    offline_linked: str
    progressive: str
    funding: str
    shown_minor: int
    sum_minor: int
    has_display: bool
    coins_alone: bool

    @property
    def takes_rounds(self) -> bool:
        """Whether a round, at least one without a coin, may begin at its tables."""
        return self.phase == Phase.OPEN or (self.coins_alone and self.phase in FROZEN)

    @property
    def takes_coins(self) -> bool:
        """Whether a round with a coin may begin."""
        return self.phase == Phase.OPEN and self.has_display


def _rows(sql: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values))
        return list(cursor.fetchall())


def floor_tables(*, house_id: UUID, table_id: UUID | None = None) -> list[FloorTable]:
    """All tables of a house in the order of pits and places, or one of them; empty if there is
    none. One statement, and another one where a round has ended since the last time.
    """
    rows = _rows(_FLOOR, [house_id, known(house_id), table_id, table_id])
    days = (
        played({row[0]: row[_PLAYED] for row in rows}, house_id=house_id, day=rows[0][9])
        if rows
        else {}
    )
    found = []
    for row in rows:
        *columns, _rounds, time_minor = row
        values: list[Any] = columns
        values[4], values[13] = json.loads(values[4]), json.loads(values[13] or "{}")
        values[19], values[20] = tuple(values[19]), tuple(values[20])
        day = days[row[0]]
        if time_minor is not None:
            day = day._replace(result_minor=(day.result_minor or 0) + time_minor)
        table = FloorTable(*values, **day._asdict())
        # who counts, and who witnesses, is shown nothing of what is recorded there (CNT-2)
        found.append(replace(table, told=0, result_minor=None) if table.counting else table)
    return found


def floor_jackpots(*, house_id: UUID) -> dict[UUID, FloorJackpot]:
    """The jackpots of a house by id, each with its meter. One statement."""
    found = {}
    for pk, name, phase, offline, progressive, funding, data, total, *may in _rows(
        _JACKPOTS, [house_id]
    ):
        shown = meter(FundingSchedule.from_data(json.loads(data)), max(int(total), 0)).shown_minor
        found[pk] = FloorJackpot(
            pk, name, phase, offline, progressive, funding, shown, int(total), *may
        )
    return found


def posted_for(
    tables: Iterable[FloorTable], *, house_id: UUID, kinds: Iterable[str]
) -> dict[str, PostedTable]:
    """The versions that count at these tables: by id those of open sessions, by `kind:name` those
    in force today. One statement.
    """
    tables, kinds = list(tables), list(kinds)
    pinned = {
        version for table in tables for kind, version in table.versions.items() if kind in kinds
    }
    today = PostedTable.objects.filter(
        house_id=house_id, kind__in=kinds, state=PostedState.APPROVED, starts="day"
    )
    if tables:
        today = today.filter(in_force_from__lte=tables[0].day)
    today = today.order_by("kind", "name", "-in_force_from").distinct("kind", "name")
    found: dict[str, PostedTable] = {}
    for row in PostedTable.objects.filter(Q(pk__in=today.values("pk")) | Q(pk__in=pinned)).order_by(
        "in_force_from"
    ):
        found[str(row.pk)] = found[f"{row.kind}:{row.name}"] = row
    return found


def clarify_open(*, house_id: UUID) -> QuerySet[ReviewItem]:
    """What has to be clarified, oldest first."""
    rows = ReviewItem.objects.filter(house_id=house_id, state=ReviewItem.State.OPEN).select_related(
        "table", "sent_by"
    )
    return rows.order_by("received_at")


def corrections_open(*, house_id: UUID) -> list[tuple[Approval, Round | Hand]]:
    """What waits for a signature about a round or a hand, oldest first: corrections, voids,
    overrides; each with its round or hand.
    """
    actions = (CORRECTION, VOID_CLAIMED, OVERRIDE, *hands.REQUESTS)
    requests = list(
        Approval.objects.filter(WAITING, house_id=house_id, action__in=actions)
        .order_by("requested_at")
        .select_related("requester")
        .prefetch_related("signatures")
    )
    rounds = Round.objects.filter(house_id=house_id, pk__in=_subjects(requests, "round"))
    played = Hand.objects.filter(house_id=house_id, pk__in=_subjects(requests, "hand"))
    plays: dict[str, Round | Hand] = {
        str(play.pk): play
        for rows in (rounds, played)
        for play in (rows.select_related("table") if requests else ())
    }
    return [(row, plays[row.subject_id]) for row in requests if row.subject_id in plays]


def _subjects(requests: Iterable[Approval], kind: str) -> list[str]:
    return [row.subject_id for row in requests if row.subject_kind == kind]


def croupiers(*, house_id: UUID, roles: Iterable[str]) -> QuerySet[Any]:
    """Who may deal in this house, by name."""
    people = get_user_model().objects.filter(
        house_id=house_id, is_active=True, roles__overlap=list(roles)
    )
    return people.order_by("full_name")


def posted_names(*, house_id: UUID) -> dict[str, list[str]]:
    """By kind, the names of posted tables of which a version was released."""
    rows = (
        PostedTable.objects.filter(house_id=house_id, state=PostedState.APPROVED)
        .values_list("kind", "name")
        .distinct()
    )
    found: dict[str, list[str]] = {}
    for kind, name in rows.order_by("kind", "name"):
        found.setdefault(kind, []).append(name)
    return found


def parts_taken(rounds: Iterable[UUID]) -> dict[tuple[UUID, UUID], list[str]]:
    """By round and person what they did to it: dealt, entered, called, requested or signed its
    correction. One statement.
    """
    found: dict[tuple[UUID, UUID], list[str]] = {}
    for round_id, person_id, part in _rows(_PARTS, [list(rounds)]):
        if person_id is not None:
            found.setdefault((round_id, person_id), []).append(part)
    return found
