"""What the house took out of the pots of poker, beside what the posted schedule gives (RAK-3)."""

from casino.audit.reports.hours import hour_of, hour_told, hours_made
from casino.audit.reports.shape import Column, Kind
from casino.text.vocabulary import OF_GAMES
from payouts.errors import mark
from tables.selectors.versions import as_it_stood

# Each hand as it stands by now, on the gaming day of its session, whenever it was put right.
_RAKE = """
    WITH hands AS (
        SELECT s.gaming_day AS day, h.table_id, h.variant, h.croupier_id, h.number,
            s.id AS session_id,
            date_trunc('hour', h.ended_at, z.time_zone) AS since,
            (s.versions ->> 'rake')::uuid AS schedule_id, e.rake_minor, e.posted_minor
        FROM tables_tablesession s JOIN payouts_house z ON z.id = s.house_id
        JOIN tables_hand h ON h.session_id = s.id AND h.state = 'ended'
        JOIN tables_handresult e ON e.hand_id = h.id AND e.revision = h.revision
        WHERE s.house_id = %(house)s AND s.gaming_day BETWEEN %(first)s AND %(last)s
            AND (%(table)s::uuid IS NULL OR s.table_id = %(table)s)
            AND (%(croupier)s::uuid IS NULL OR h.croupier_id = %(croupier)s)
            AND (%(version)s::uuid IS NULL
                 OR EXISTS (SELECT FROM jsonb_each_text(s.versions) v
                     WHERE v.value = %(version)s::text))
    ), lines AS (
        SELECT grouping(day) AS of_table, day, since, table_id, variant, croupier_id, schedule_id,
            array_agg(DISTINCT session_id) AS sessions, count(*) AS hands,
            count(posted_minor) AS known, sum(rake_minor) AS rake,
            sum(rake_minor) FILTER (WHERE posted_minor IS NOT NULL) AS checked,
            sum(posted_minor) AS posted,
            string_agg(number::text, ', ' ORDER BY number)
                FILTER (WHERE rake_minor < posted_minor) AS less
        FROM hands
        GROUP BY GROUPING SETS
            ((day, since, table_id, variant, croupier_id, schedule_id), (table_id))
    )
    SELECT CASE l.of_table WHEN 1 THEN 'table' ELSE 'hour' END, l.day,
        {hour}, v.name, coalesce(l.variant, ''),
        coalesce(p.full_name, ''), coalesce(k.name, ''), k.version, l.hands, l.known,
        l.known * 1000 / l.hands, l.rake, l.checked, l.posted, l.checked - l.posted,
        CASE l.of_table WHEN 1 THEN '' ELSE coalesce(l.less, '') END
    FROM lines l JOIN tables_table t ON t.id = l.table_id
    {table}
    LEFT JOIN casino_person p ON p.id = l.croupier_id
    LEFT JOIN payouts_postedtable k ON k.id = l.schedule_id
    ORDER BY min(v.position) OVER (PARTITION BY t.id), min(v.name) OVER (PARTITION BY t.id),
        t.id::text, l.of_table, l.day, l.since, l.variant, p.full_name,
        k.name, k.version
"""
_RAKE = _RAKE.replace("{table}", as_it_stood("o.id = ANY(l.sessions)")).replace(
    "{hour}", hour_of("l.since", "(SELECT time_zone FROM payouts_house WHERE id = %(house)s)")
)

RAKE = Kind(
    "rake",
    mark("Rake"),
    mark(
        "What the house took out of the pots of poker, by table, hour, variant, croupier and posted"
        " schedule, beside what the schedule gives."
    ),
    (
        Column(
            "line",
            mark("Line"),
            "code",
            words={"hour": mark("hour"), "table": mark("table together")},
        ),
        Column("day", mark("Gaming day"), "day"),
        Column("hour", mark("Hour"), "number", tells=hour_told),
        Column("table", mark("Table")),
        Column(
            "variant",
            mark("Variant"),
            "code",
            words=OF_GAMES["variant"],
        ),
        Column("croupier", mark("Croupier")),
        Column("schedule", mark("Rake schedule")),
        Column("version", mark("Version"), "number"),
        Column("hands", mark("Hands"), "number", total=True),
        Column("known", mark("Pot known"), "number", total=True),
        Column("coverage", mark("Known, in ‰ of the hands"), "number"),
        Column("rake", mark("Rake"), "money", total=True),
        Column("checked", mark("Of known pots"), "money", total=True),
        Column("posted", mark("By the schedule"), "money", total=True),
        Column("difference", mark("Difference"), "money", total=True),
        Column("less", mark("Hands with less than posted")),
    ),
    _RAKE,
    takes=frozenset({"table", "croupier", "version"}),
    note=mark(
        "Void hands do not count; a hand that was put right counts as it stands, on its gaming day."
        " The schedule can be compared where the pot was entered: a dash stands where it was not."
        " The totals add up the hours."
    ),
    summed=lambda row: "hour" in row[:1],
    made=hours_made(2),
)
