"""What the pit is alerted to at poker tables, as the conditions of `casino/pit/alert_rules.py`."""

from tables.services.seats.count import STACKS_COUNTED
from tables.services.seats.parts import EMPTIED

STANDS_S = 43_200  # what happened stands for so long

# Less than the schedule gives for its pot was taken out of a hand, as it stands now (RAK-3).
_RAKE_BELOW = f"""
    SELECT h.house_id, h.id::text, jsonb_build_object('table', h.table_id, 'hand', h.id, 'number',
        h.number, 'rake_minor', taken.rake_minor, 'posted_minor', taken.posted_minor,
        'people', jsonb_build_array(h.croupier_id, taken.entered_by_id))
    FROM tables_table t JOIN tables_hand h ON h.table_id = t.id AND h.state = 'ended'
        AND h.ended_at > clock_timestamp() - interval '{STANDS_S} seconds'
    JOIN tables_handresult taken ON taken.hand_id = h.id AND taken.revision = h.revision
        AND taken.rake_minor < taken.posted_minor
"""

# All guests of a poker table have left, and with them more or fewer chips than hands can explain.
_CHIPS_AMISS = f"""
    SELECT v.house_id, v.id::text, jsonb_build_object('table', v.subject_id, 'since', v.at,
        'missing_minor', v.after -> 'missing_minor')
    FROM payouts_event v
    WHERE v.name = '{EMPTIED}' AND v.subject_kind = 'table'
        AND v.at > clock_timestamp() - interval '{STANDS_S} seconds'
"""

# Stacks were counted, and the floor has signed that they are not what the books have.
_STACKS_OFF = f"""
    SELECT v.house_id, v.id::text, jsonb_build_object('table', v.subject_id, 'since', v.at,
        'missing_minor', v.after -> 'missing_minor', 'people', jsonb_build_array(v.actor_id))
    FROM payouts_event v
    WHERE v.name = '{STACKS_COUNTED}' AND v.subject_kind = 'table'
        AND v.after ->> 'missing_minor' <> '0'
        AND v.at > clock_timestamp() - interval '{STANDS_S} seconds'
"""

POKER: dict[str, str] = {
    "rake_below": _RAKE_BELOW,
    "chips_amiss": _CHIPS_AMISS,
    "stacks_off": _STACKS_OFF,
}
