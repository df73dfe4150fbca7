"""What the pit is alerted to about buy-ins, tips and counts, as the conditions of
`casino/pit/alert_rules.py`.
"""

from casino.pit.poker_alerts import STANDS_S
from tables.services.cash.kinds import KINDS
from tables.services.cash.refused import REFUSED

_NAMES = ", ".join(f"'{name}.{REFUSED}'" for name in KINDS)
_ENTRY = f"CASE WHEN v.name IN ({_NAMES}) THEN v.subject_id::uuid END"  # other events have others

# A tablet sent what it had entered without the server, and it lies in no books.
_ENTRY_UNBOOKED = f"""
    SELECT v.house_id, v.id::text, jsonb_build_object('table', (v.after ->> 'table')::uuid,
        'since', v.at, 'amount_minor', v.after -> 'amount_minor', 'by', p.full_name,
        'people', jsonb_build_array(v.actor_id))
    FROM payouts_event v LEFT JOIN casino_person p ON p.id = v.actor_id
    WHERE v.name IN ({_NAMES}) AND v.at > clock_timestamp() - interval '{STANDS_S} seconds'
        AND NOT EXISTS (SELECT FROM tables_buyin b WHERE b.id = {_ENTRY})
        AND NOT EXISTS (SELECT FROM tables_tip b WHERE b.id = {_ENTRY})
"""

# A tray was so far from the books that the house wants it explained (RES-4); an opener's tells of
# what was done between (CNT-4).
_DIFFERENCE_OPEN = """
    SELECT d.house_id, d.id::text, jsonb_build_object('table', d.table_id, 'difference', d.id,
        'since', g.signed_at, 'difference_minor', count_left_v1(d.count_id),
        'people', jsonb_build_array(g.counter_id, g.witness_id))
    FROM tables_difference d JOIN payouts_countsignature g
        ON g.count_id = d.count_id AND g.stands
    WHERE d.state = 'open'
"""

# By the books more has left the tray than ever came: a fill was not entered. Of tables that are
# counted; how much, nobody hears before a count (CNT-2).
_TRAY_SHORT = """
    SELECT t.house_id, t.id::text, jsonb_build_object('table', t.id, 'people', '[]'::jsonb)
    FROM tables_table t JOIN payouts_account a
        ON (a.house_id, a.kind, a.owner_id) = (t.house_id, 'tray', t.id) AND a.balance_minor < 0
    WHERE EXISTS (SELECT FROM payouts_count c WHERE (c.house_id, c.place_id, c.place_kind, c.state)
        = (t.house_id, t.id, 'tray', 'signed'))
"""

CASH: dict[str, str] = {
    "entry_unbooked": _ENTRY_UNBOOKED,
    "difference_open": _DIFFERENCE_OPEN,
    "tray_short": _TRAY_SHORT,
}
