"""When the pit is alerted: each condition as SQL that gives (house, subject, data) of what is so
now.

Seconds, minutes and bounds are named here; `docs/FLOOR.md` explains them to a pit boss.
"""

from django.conf import settings

from casino.devices.heard import TABLET_AT, silent
from casino.people.tries import SLOWED_MOST_S
from casino.pit.cash_alerts import CASH
from casino.pit.poker_alerts import POKER
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.services.split import AWARD
from jackpot.services.standing import ADJUST
from payouts.rules.ledger.chart import METER
from tables.games import GAMES
from tables.selectors.rounds import CORRECTION
from tables.services.rounds.doubts import ENDED as DOUBT_ENDED
from tables.services.rounds.doubts import EVENT as DOUBTED
from tables.services.rounds.doubts import FEED_WAITS
from tables.services.rounds.much_won import EVENT as MUCH_WON
from tables.services.rounds.undo import WITHDREW

TABLET_SILENT_S = 45  # and then somebody has to see to it: no restart of the server takes so long
DISPLAY_SILENT_S = 12  # a display says every 2 s that it lives
DISPLAY_CONFIRMS_S = 10  # a display shows a new value within some two seconds
# from the first claim on, a listed round has so long before somebody should walk there
DRAINING_S = 120
PACE_S = 1800  # what a table played in so long is compared with the pace of its game
# rounds or hands an hour at least, with so many guests who play, and at most
PACE = {code: game.pace for code, game in GAMES.items()}
_PACES = ", ".join(
    f"('{code}', {least}, {most}, {GAMES[code].players_least})"
    for code, (least, most) in PACE.items()
)
CAP_PER_CENT = 95  # of the most that a meter may show
AUDIT_S = 300  # the books are checked every minute
ALERTS_S = 45  # alerts are derived every 5 s; an audit may hold that up
EXPIRED_S = 43_200  # a request that nobody signed is told for half a day
FAILURES = 3  # in a row, of a jackpot's step: the sweep tries every 2 s
# and so long a lock that had come and was withdrawn, a doubt, or a new card feed
WITHDRAWN_S = 43_200
FEED_LAGS_S = 60  # what a shoe reads may come so much later than the result
UNSEEN_S = 604_800  # so long a win is raised; the alert of it stays until somebody has looked


_TABLET_OFFLINE = f"""
    SELECT t.house_id, t.id::text,
        jsonb_build_object('table', t.id, 'since', least(seen.at, clock_timestamp()), 'revoked',
            seen.revoked)
    FROM tables_table t JOIN tables_tablesession s ON s.id = t.session_id CROSS
        JOIN LATERAL ({TABLET_AT}) seen
    WHERE {silent("seen.at", TABLET_SILENT_S)}
"""
# Its tablet says by itself that it is not: it has tried for half a minute.
_TABLET_UNSTORED = """
    SELECT t.house_id, d.id::text,
        jsonb_build_object('table', t.id, 'name', d.name)
    FROM tables_table t JOIN casino_device d ON d.table_id = t.id AND d.kind = 'tablet'
        AND d.revoked_at IS NULL AND NOT d.page_stored
    WHERE t.session_id IS NOT NULL
"""
# Until somebody has looked at the claim. One that was called gets its box by the result of its
# round.
_JACKPOT_CLAIMED = """
    SELECT c.house_id, c.id::text, jsonb_build_object('jackpot', h.jackpot_id, 'table', c.table_id,
        'box', c.box,
        'guest', g.number, 'croupier', dealt.full_name, 'by', made.full_name)
    FROM jackpot_hit h JOIN jackpot_claim c ON c.hit_id = h.id AND c.state IN ('called', 'open')
    LEFT JOIN tables_guest g ON g.id = c.guest_id LEFT JOIN casino_person made
        ON made.id = c.made_by_id
    LEFT JOIN tables_round r ON r.id = c.round_id LEFT JOIN casino_person dealt
        ON dealt.id = r.croupier_id
    WHERE h.state IN ('draining', 'verifying')
"""
_DRAINING_SILENT = f"""
    SELECT r.house_id, l.round_id::text, jsonb_build_object('table', l.table_id, 'round',
        l.round_id, 'since', h.begun_at)
    FROM jackpot_hit h JOIN jackpot_listedround l ON l.hit_id = h.id
    JOIN jackpot_runninground r ON r.round_id = l.round_id AND r.ended_at IS NULL
    WHERE h.state = 'draining' AND h.begun_at < clock_timestamp() - interval '{DRAINING_S} seconds'
"""
_DISPLAY_UNCONFIRMED = f"""
    SELECT g.house_id, g.id || ':' || d.display_id,
        jsonb_build_object('jackpot', g.jackpot_id, 'display', d.display_id, 'name', d.name,
            'since', g.made_at)
    FROM jackpot_gate g JOIN jackpot_gatedisplay d ON d.gate_id = g.id AND d.state = 'waiting'
    WHERE g.state = 'open'
        AND g.made_at < clock_timestamp() - interval '{DISPLAY_CONFIRMS_S} seconds'
"""
# One that was never heard of has not gone dark: it is not started yet. The alert above tells when a
# new value waits for it.
_DISPLAY_OFFLINE = f"""
    SELECT d.house_id, d.jackpot_id || ':' || d.display_id,
        jsonb_build_object('jackpot', d.jackpot_id, 'display', d.display_id, 'name', d.name,
            'since', least(s.seen_at, clock_timestamp()))
    FROM jackpot_requireddisplay d JOIN jackpot_jackpot j ON j.id = d.jackpot_id
        AND j.phase NOT IN ('closed', 'retired')
    JOIN jackpot_displaysession s ON s.display_id = d.display_id
    WHERE d.ended_at IS NULL AND {silent("s.seen_at", DISPLAY_SILENT_S)}
"""
_PACE_OFF = f"""
    SELECT t.house_id, t.id::text,
        jsonb_build_object('table', t.id, 'an_hour', played.an_hour, 'least', pace.least, 'most',
            pace.most)
    FROM tables_table t JOIN tables_tablesession s ON s.id = t.session_id
    JOIN (VALUES {_PACES})
        AS pace (game, least, most, players) ON pace.game = t.game
    CROSS JOIN LATERAL (
        SELECT count(*) * 3600 / {PACE_S} AS an_hour FROM tables_play r
        WHERE r.table_id = t.id AND r.state IN ('settled', 'ended') AND NOT r.queued
            AND r.began_at > clock_timestamp() - interval '{PACE_S} seconds') played
    WHERE played.an_hour > pace.most OR (
        played.an_hour < pace.least
            AND s.opened_at < clock_timestamp() - interval '{PACE_S} seconds'
            -- where nothing is taken out of pots, hands need not be entered
            AND (pace.players = 1 OR s.versions ->> 'rake' IS NOT NULL)
        AND pace.players <= (
            SELECT count(*) FROM tables_guest g LEFT JOIN tables_pokerstay k ON k.guest_id = g.id
            WHERE g.session_id = s.id AND g.left_at IS NULL AND k.away_since IS NULL
                AND g.arrived_at < clock_timestamp() - interval '{PACE_S} seconds'))
"""
# What a jackpot's meter holds; below zero when it paid more prizes than that.
_HELD = f"""
        SELECT -coalesce(sum(a.balance_minor), 0) AS held_minor FROM payouts_account a
        WHERE a.house_id = j.house_id AND a.detail_id = j.epoch_id AND a.kind IN {METER}"""
_CAP_NEAR = f"""
    SELECT j.house_id, e.id::text, jsonb_build_object('jackpot', j.id, 'cap_minor',
        (f.data ->> 'cap_minor')::bigint)
    FROM jackpot_jackpot j JOIN jackpot_epoch e ON e.id = j.epoch_id JOIN payouts_postedtable f
        ON f.id = e.funding_id
    CROSS JOIN LATERAL ({_HELD}) meter
    WHERE j.phase <> 'retired'
        AND meter.held_minor * 100 >= (f.data ->> 'cap_minor')::bigint * {CAP_PER_CENT}
"""
_AUDIT_FAILING = f"""
    SELECT h.id, 'audit', jsonb_build_object('audits', CASE WHEN run.ok THEN '[]' ELSE
            jsonb_path_query_array(run.breaches, '$[*].audit') END, 'since', run.at)
    FROM payouts_house h CROSS JOIN (SELECT ok, breaches, at FROM casino_auditrun ORDER BY id DESC
        LIMIT 1) run
    WHERE NOT run.ok OR run.at < clock_timestamp() - interval '{AUDIT_S} seconds'
"""
# More rounds with coins in an hour than any table can play: what an authority calls unreasonable.
_TOO_MANY_COINS = f"""
    SELECT c.house_id, c.table_id || ':' || extract(epoch FROM date_trunc('hour', c.at))::bigint,
        jsonb_build_object('table', c.table_id, 'jackpot', e.jackpot_id, 'rounds', count(*), 'most',
            bound.most)
    FROM jackpot_contribution c JOIN jackpot_epoch e ON e.id = c.epoch_id JOIN jackpot_jackpot j
        ON j.id = e.jackpot_id
    JOIN jackpot_epoch now ON now.id = j.epoch_id LEFT JOIN payouts_postedtable p
        ON p.id = now.rules_id
    CROSS JOIN LATERAL (
        SELECT coalesce((p.data ->> 'rounds_an_hour_most')::int,
            {JackpotRules().rounds_an_hour_most}) AS most) bound
    WHERE c.reverses_id IS NULL AND c.at > date_trunc('hour', clock_timestamp()) - interval '1 hour'
    GROUP BY c.house_id, c.table_id, e.jackpot_id, date_trunc('hour', c.at), bound.most
        HAVING count(*) > bound.most
"""

# Who, other than its requester, turned a request down, or ended it by deciding a claim again.
_NO = """
        SELECT p.full_name FROM payouts_event e JOIN casino_person p ON p.id = e.actor_id
        WHERE e.subject_kind = 'approval' AND e.subject_id = {0}.id::text
            AND e.name IN ('approval.rejected', 'approval.killed')
            AND e.actor_id IS DISTINCT FROM {0}.requester_id
        LIMIT 1"""

# Nobody signed in time, and nobody has asked again, which would have ended it. What the system asks
# for, it asks for again itself.
_REQUEST_EXPIRED = f"""
    SELECT a.house_id, a.id::text, jsonb_strip_nulls(jsonb_build_object('action', a.action, 'asked',
        a.requested_at,
        'table', r.table_id, 'round', r.id, 'jackpot', of.jackpot))
    FROM payouts_house house JOIN payouts_approval a ON a.house_id = house.id AND a.state = 'open'
        AND a.expires_at < clock_timestamp()
            AND a.expires_at > clock_timestamp() - interval '{EXPIRED_S} seconds'
    LEFT JOIN tables_round r ON r.id = CASE WHEN a.subject_kind = 'round'
        THEN a.subject_id::uuid END
    LEFT JOIN jackpot_hit hit ON hit.id = CASE WHEN a.subject_kind = 'hit'
        THEN a.subject_id::uuid END
    CROSS JOIN LATERAL (SELECT coalesce(hit.jackpot_id::text,
        a.payload ->> 'jackpot') AS jackpot) of
    WHERE a.requester_id IS NOT NULL AND (r.id IS NOT NULL OR of.jackpot IS NOT NULL)
"""

# Whether a request was used, turned down, or ended by a decision of somebody.
_ENDED = """({0}.state IN ('used', 'rejected') OR {0}.state = 'killed' AND EXISTS (
        SELECT FROM payouts_event k WHERE k.subject_kind = 'approval'
            AND k.subject_id = {0}.id::text AND k.name = 'approval.killed'
            AND k.actor_id IS NOT NULL))"""

# Two others in a row said no to the same thing: whoever holds a payment up so is told to everybody.
# Who takes back what they asked for has said nothing.
_REJECTED_AGAIN = f"""
    SELECT a.house_id, a.action || ':' || a.subject_id, jsonb_strip_nulls(jsonb_build_object(
        'action', a.action, 'by', last.full_name, 'before', first.full_name,
        'table', r.table_id, 'round', r.id, 'jackpot', of.jackpot))
    FROM payouts_house house JOIN payouts_approval a ON a.house_id = house.id
        AND a.state IN ('rejected', 'killed') AND {_ENDED.format("a")}
        AND a.closed_at > clock_timestamp() - interval '{EXPIRED_S} seconds'
    CROSS JOIN LATERAL (
        SELECT b.id, b.state, b.requester_id FROM payouts_approval b
        WHERE (b.subject_kind, b.subject_id) = (a.subject_kind, a.subject_id)
            AND b.action = a.action AND b.house_id = a.house_id AND b.closed_at < a.closed_at
            AND {_ENDED.format("b")}
        ORDER BY b.closed_at DESC LIMIT 1) before
    CROSS JOIN LATERAL ({_NO.format("a")}) last CROSS JOIN LATERAL ({_NO.format("before")}) first
    LEFT JOIN tables_round r ON r.id = CASE WHEN a.subject_kind = 'round'
        THEN a.subject_id::uuid END
    LEFT JOIN jackpot_hit hit ON hit.id = CASE WHEN a.subject_kind = 'hit'
        THEN a.subject_id::uuid END
    CROSS JOIN LATERAL (SELECT coalesce(hit.jackpot_id::text,
        a.payload ->> 'jackpot') AS jackpot) of
    WHERE before.state <> 'used' AND NOT EXISTS (
        SELECT FROM payouts_approval b
        WHERE (b.subject_kind, b.subject_id) = (a.subject_kind, a.subject_id)
            AND b.action = a.action AND b.house_id = a.house_id AND b.closed_at > a.closed_at
            AND {_ENDED.format("b")})
"""

# A lock that did come was taken back by who deals, without a reason: somebody asks what was on the
# table.
_LOCK_WITHDRAWN = f"""
    SELECT t.house_id, r.id::text, jsonb_build_object('table', t.id, 'round', r.id, 'number',
        r.number,
        'seconds', extract(epoch FROM r.ended_at - r.locked_at)::int)
    FROM tables_table t JOIN tables_round r ON r.table_id = t.id AND r.state = 'voided'
        AND r.reason = '{WITHDREW}'
        AND r.locked_at > clock_timestamp() - interval '{WITHDRAWN_S} seconds'
"""

# A stake after the lock that nothing proves wrong, or cards of a feed that contradict others or a
# result: somebody asks at the table. What a feed goes on to send against itself is told once, a
# result until more cards fit it, and that it came before its cards once these had time to be read.
_STAKE_DOUBTED = f"""
    SELECT v.house_id, v.id::text, v.after - 'cards' - 'data'
        || jsonb_build_object('table', r.table_id, 'round', r.id, 'number', r.number)
        || CASE WHEN g.id IS NULL THEN '{{}}' ELSE jsonb_build_object('guest', g.number) END
    FROM payouts_event v
    JOIN tables_round r ON r.id = CASE WHEN v.name = '{DOUBTED}' THEN v.subject_id::uuid END
    LEFT JOIN tables_guest g ON g.id::text = v.after ->> 'guest'
    WHERE v.name = '{DOUBTED}' AND v.subject_kind = 'round'
        AND v.at > clock_timestamp() - interval '{WITHDRAWN_S} seconds'
        AND NOT (v.after ? 'cards' AND EXISTS (SELECT FROM payouts_event o
            WHERE o.subject_kind = 'round' AND o.subject_id = v.subject_id
                AND o.name = '{DOUBTED}' AND o.after ->> 'why' = v.after ->> 'why'
                AND o.id < v.id))
        AND (v.after ->> 'why' <> '{FEED_WAITS}'
            OR v.at < clock_timestamp() - interval '{FEED_LAGS_S} seconds')
        AND NOT (v.after ? 'revision' AND EXISTS (SELECT FROM payouts_event o
            WHERE o.subject_kind = 'round' AND o.subject_id = v.subject_id
                AND o.name = '{DOUBT_ENDED}' AND o.after ->> 'revision' = v.after ->> 'revision'
                AND o.id > v.id))
"""

# Whoever has the token of a card feed writes the cards by which rounds are settled.
_FEED_ENROLLED = f"""
    SELECT d.house_id, d.id::text, jsonb_build_object('table', d.table_id, 'name', d.name, 'by',
        p.full_name, 'since', d.enrolled_at, 'people', jsonb_build_array(p.id))
    FROM casino_device d JOIN casino_person p ON p.id = d.enrolled_by_id
    WHERE d.kind = 'feed' AND d.enrolled_at > clock_timestamp() - interval '{WITHDRAWN_S} seconds'
        AND (d.revoked_at IS NULL OR EXISTS (SELECT FROM tables_round r
            JOIN tables_cardfeed c ON c.round_id = r.id AND c.device_id = d.id
            WHERE r.table_id = d.table_id
                AND r.locked_at > clock_timestamp() - interval '{2 * WITHDRAWN_S} seconds'))
"""

# Wrong PINs at a tablet that its croupier attends lock nobody out, so somebody goes there.
_PINS_SLOWED = f"""
    SELECT d.house_id, d.id::text, jsonb_build_object('table', d.table_id, 'name', d.name, 'since',
        min(w.at), 'people', jsonb_agg(DISTINCT s.croupier_id))
    FROM casino_slowedpin w JOIN casino_device d ON d.id = w.place::uuid
    JOIN tables_table t ON t.id = d.table_id LEFT JOIN tables_tablesession s ON s.id = t.session_id
    WHERE w.failures >= {settings.SIGN_IN_TRIES}
        AND w.at > clock_timestamp() - interval '{2 * SLOWED_MOST_S} seconds'
    GROUP BY d.id
"""

# A win of the house's threshold or more that one person has entered, until another has looked.
_WIN_UNSEEN = f"""
    SELECT v.house_id, v.id::text, v.after || jsonb_build_object('table', r.table_id, 'round', r.id,
        'number', r.number)
    FROM payouts_event v
    JOIN tables_round r ON r.id = CASE WHEN v.name = '{MUCH_WON}' THEN v.subject_id::uuid END
    WHERE v.name = '{MUCH_WON}' AND v.subject_kind = 'round'
        AND v.at > clock_timestamp() - interval '{UNSEEN_S} seconds'
        AND NOT EXISTS (SELECT FROM casino_alert a WHERE a.house_id = v.house_id
            AND a.kind = 'win_unseen' AND a.subject = v.id::text AND a.acknowledged_at IS NOT NULL)
"""

# A hit whose claims are decided, and of which nothing is asked: no claim is true, the meter is
# below zero, or people turned the payment down. Its tables stand still until a person takes the
# next step; a request or a correction to be signed is one.
HIT_WAITS = f"""
    SELECT h.house_id, h.id || ':' || found.why, jsonb_build_object('jackpot', h.jackpot_id, 'hit',
        h.id, 'why', found.why,
        'since', greatest(h.drained_at, claims.decided_at, award.turned_down_at))
    FROM jackpot_hit h JOIN jackpot_jackpot j ON j.id = h.jackpot_id
    CROSS JOIN LATERAL (
        SELECT bool_or(c.state = 'verified') AS any_true,
            bool_or(c.state IN ('called', 'open')) AS any_open,
            max(c.decided_at) AS decided_at FROM jackpot_claim c WHERE c.hit_id = h.id) claims
    LEFT JOIN LATERAL (
        SELECT a.state, (SELECT max(e.at) FROM payouts_event e WHERE e.subject_kind = 'approval'
            AND e.subject_id = a.id::text
            AND e.name = 'approval.rejected') AS turned_down_at
        FROM payouts_approval a WHERE a.subject_kind = 'hit' AND a.subject_id = h.id::text
            AND a.action = '{AWARD}'
        ORDER BY (SELECT max(e.id) FROM payouts_event e WHERE e.subject_kind = 'approval'
            AND e.subject_id = a.id::text
            AND e.name = 'approval.requested') DESC LIMIT 1) award ON true
    CROSS JOIN LATERAL ({_HELD}) meter
    CROSS JOIN LATERAL (
        SELECT CASE WHEN NOT claims.any_true THEN 'untrue' WHEN meter.held_minor < 0
            THEN 'below_zero'
            WHEN award.state = 'rejected' THEN 'turned_down' END AS why) found
    WHERE h.state = 'verifying' AND NOT claims.any_open AND found.why IS NOT NULL AND NOT EXISTS (
        SELECT FROM payouts_approval a WHERE a.state = 'open' AND a.expires_at > clock_timestamp()
            AND (
            a.subject_kind = 'hit' AND a.subject_id = h.id::text
            OR a.action = '{ADJUST}' AND a.payload ->> 'jackpot' = j.id::text
                AND found.why = 'below_zero'
            OR a.action = '{CORRECTION}' AND (a.subject_id, a.revision) IN (
                SELECT r.id::text, r.revision FROM jackpot_listedround l JOIN tables_round r
                    ON r.id = l.round_id
                WHERE l.hit_id = h.id)))
"""

# A step of a jackpot fails again and again: no table of it opens until somebody has looked.
_JACKPOT_STANDS = f"""
    SELECT j.house_id, j.id::text, jsonb_build_object('jackpot', j.id, 'since', s.since, 'error',
        s.error)
    FROM jackpot_standstill s JOIN jackpot_jackpot j ON j.id = s.jackpot_id
    WHERE s.over_at IS NULL AND s.failures >= {FAILURES}
"""

# Others set the sign-in of somebody who signs, and no second manager has seen it yet.
_SIGN_IN_ANEW = """
    SELECT p.house_id, p.id || ':' || e.id, jsonb_build_object('name', p.full_name, 'by',
        setter.full_name, 'since', e.at)
    FROM (SELECT * FROM casino_person WHERE is_active AND house_id IS NOT NULL
        AND roles::text[] && signing_roles_v1(house_id) OFFSET 0) p CROSS JOIN LATERAL (
        SELECT max(u.id) AS id FROM credential_unseen_v1(p.id, p.house_id) u
        WHERE u.setter IS NOT NULL) unseen
    JOIN payouts_event e ON e.id = unseen.id JOIN casino_person setter ON setter.id = e.actor_id
    WHERE credential_rests_v1(p.id, p.house_id)
"""

CONDITIONS: dict[str, str] = {
    "jackpot_claimed": _JACKPOT_CLAIMED,
    "tablet_offline": _TABLET_OFFLINE,
    "tablet_unstored": _TABLET_UNSTORED,
    "draining_silent": _DRAINING_SILENT,
    "display_unconfirmed": _DISPLAY_UNCONFIRMED,
    "display_offline": _DISPLAY_OFFLINE,
    "pace_off": _PACE_OFF,
    "cap_near": _CAP_NEAR,
    "audit_failing": _AUDIT_FAILING,
    "too_many_coins": _TOO_MANY_COINS,
    "request_expired": _REQUEST_EXPIRED,
    "rejected_again": _REJECTED_AGAIN,
    "sign_in_anew": _SIGN_IN_ANEW,
    "lock_withdrawn": _LOCK_WITHDRAWN,
    "stake_doubted": _STAKE_DOUBTED,
    "feed_enrolled": _FEED_ENROLLED,
    "pins_slowed": _PINS_SLOWED,
    "win_unseen": _WIN_UNSEEN,
    **POKER,
    **CASH,
    "jackpot_stands": _JACKPOT_STANDS,
    "hit_waits": HIT_WAITS,
}
