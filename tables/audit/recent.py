"""What the minute's audit reads of rounds (`payouts/audit_recent.py`): those that were touched, and
those that run.
"""

from payouts.audit_recent import listed, of_each
from tables.audit.counts import drop_is_its_boxes
from tables.audit.grounds import GROUNDS

# What a command does to a round leaves a row in at least one of these.
MARKED = [
    "tables_roundstake",
    "tables_roundresult",
    "tables_roundline",
    "tables_cardfeed",
    "tables_irregularity",
    "tables_override",
    "jackpot_contribution",
]

_TOUCHED = """
        SELECT t.subject_id FROM fresh JOIN public.payouts_transfer t ON t.id = fresh.id
            WHERE t.subject_kind = 'round' AND t.subject_id IS NOT NULL
        UNION SELECT round_id FROM public.tables_roundstake WHERE id > {tables_roundstake}
        UNION SELECT round_id FROM public.tables_roundresult WHERE id > {tables_roundresult}
        UNION SELECT round_id FROM public.tables_roundline WHERE id > {tables_roundline}
        UNION SELECT round_id FROM public.tables_cardfeed WHERE id > {tables_cardfeed}
        UNION SELECT round_id FROM public.tables_irregularity WHERE id > {tables_irregularity}
        UNION SELECT round_id FROM public.tables_override WHERE id > {tables_override}
        UNION SELECT round_id FROM public.jackpot_contribution WHERE id > {jackpot_contribution}
        UNION SELECT id FROM public.tables_round WHERE state = 'locked'
        UNION SELECT round_id FROM public.jackpot_runninground WHERE ended_at IS NULL
"""


def _of(table: str, column: str = "round_id") -> str:
    return f"SELECT row.* FROM touched CROSS JOIN {of_each('touched', table, column)} row"


VIEWS = {
    "touched (id)": listed(_TOUCHED, "uuid"),
    "tables_round": _of("tables_round", "id"),
    "jackpot_runninground": _of("jackpot_runninground"),
    **{table: _of(table) for table in MARKED},
}
MOVED_BY = "SELECT t.id FROM touched JOIN public.payouts_transfer t ON t.subject_id = touched.id"

# A sub-meter holds what the coins of each round brought, round by round, and nothing else fills it
# while its epoch runs.
OWN = {
    "contributions_fill_the_meter": """
        SELECT coalesce(fed.id, held.id)::text AS round_id, fed.meter::text,
            held.meter::text AS meter_held, fed.reserve::text,
            held.reserve::text AS reserve_held
        FROM (
            SELECT round_id AS id, sum(meter_minor) AS meter, sum(reserve_minor) AS reserve
                FROM jackpot_contribution GROUP BY 1
        ) fed
        FULL JOIN (
            SELECT CASE t.subject_kind WHEN 'round' THEN t.subject_id END AS id,
                -sum(x.amount_minor) FILTER (WHERE a.kind = 'sub_meter') AS meter,
                -sum(x.amount_minor) FILTER (WHERE a.kind = 'reserve_share') AS reserve
            FROM payouts_entry x JOIN payouts_transfer t ON t.id = x.transfer_id
                JOIN payouts_account a ON a.id = x.account_id
            WHERE a.kind IN ('sub_meter', 'reserve_share') AND (t.subject_kind = 'round'
                OR a.detail_id IN (SELECT epoch_id FROM jackpot_jackpot WHERE phase <> 'retired'))
            GROUP BY 1
        ) held ON held.id = fed.id
        WHERE (coalesce(fed.meter, 0), coalesce(fed.reserve, 0)) <> (coalesce(held.meter, 0),
            coalesce(held.reserve, 0))
    """,
    # Added up by night; meanwhile nobody has kept sums of coins that have not come.
    "kept_sums_are_of_the_coins": """
        SELECT epoch_id::text, upto FROM jackpot_fed WHERE upto > (SELECT coalesce(max(id), 0)
            FROM public.jackpot_contribution)
    """,
    # Of drops that something has moved.
    "drop_is_its_boxes": drop_is_its_boxes(
        "(SELECT * FROM payouts_account WHERE id IN (SELECT account_id FROM payouts_entry))"
    ),
}
SAME = [
    *GROUNDS,
    "stakes_are_posted",
    "later_stakes_are_posted",
    "stakes_have_their_lines",
    "settled_rounds_have_results",
    "results_are_posted",
    "overrides_are_posted",
    "rounds_stand_as_posted",
    "rounds_post_at_their_table",
    "rounds_are_their_sessions",
    "rows_of_a_round_are_of_its_house",
    "running_rounds_are_rounds",
    "no_round_between_a_hit_and_its_gate",
    "meter_pays_what_results_say",
    "no_round_has_more_coins_than_boxes",
    "coins_go_back_with_their_round",
    "contributions_follow_their_schedule",
    "contributions_are_taken_back_whole",
    "contributions_once_for_a_round",
    "hits_list_what_ran",
    "no_coin_between_a_hit_and_its_gate",
]
