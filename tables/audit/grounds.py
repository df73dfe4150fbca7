"""Every transfer is of a kind that this program posts, and has what it was posted for: whoever has
the app role's password can call `ledger_post_v1`.

A kind's ground names the one transfer that each of its rows bears, by key (which a house has once)
or by number; and a kind moves accounts of its own, not others. That amounts are right, that a row
bears its transfer at all, and that what is reversed is so by its row's state, other audits prove:
`rounds_stand_as_posted` and its like, `stay_chips_are_posted`, `hands_are_posted`,
`hand_overrides_are_posted`, `counts_meet_their_transfer`, `entries_are_posted`,
`slips_are_paid_as_posted`, `bases_move_by_what_was_signed`, `what_is_payable_has_open_slips`.
"""

from typing import NamedTuple


class Grounded(NamedTuple):
    """What a kind of transfer needs: rows joined to the transfer `t`, and the accounts it moves."""

    ground: str
    moves: str


_CHIPS = "circulation tray chips_outside "
_LOCK = """
    JOIN tables_round r ON (r.id, r.house_id, 'round') = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'round:' || r.id || ':lock' AND EXISTS (SELECT FROM tables_roundstake k
            WHERE k.round_id = r.id AND (k.placed, k.revision) = (0, 0) AND k.accepted_minor > 0)
        OR EXISTS (SELECT FROM tables_roundstake k WHERE k.round_id = r.id AND k.placed > 0
            AND t.key = 'round:' || r.id || ':place:' || k.placed AND k.accepted_minor > 0)
"""
_SETTLE = """
    JOIN tables_roundresult x
        ON (x.round_id, x.house_id, 'round') = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'round:' || x.round_id || ':settle:' || x.revision
"""
_OVERRIDE = """
    JOIN tables_override o ON (o.transfer_id, o.house_id, o.round_id, 'override')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE t.key = 'override:' || o.approval_id
"""
_HAND = """
    JOIN tables_handresult r ON (r.transfer_id, r.house_id, r.hand_id, 'hand')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE t.key = 'hand:' || r.hand_id || ':end:' || r.revision
"""
_FAULT = """
    JOIN tables_handoverride o ON (o.transfer_id, o.house_id, o.hand_id, 'hand')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE t.key = 'fault:' || o.approval_id
"""
_CLEARED = """
    JOIN tables_handresult r ON (r.hand_id, r.house_id, 'hand')
        = (t.subject_id, t.house_id, t.subject_kind)
    JOIN tables_hand h ON (h.id, h.revision, h.state) = (r.hand_id, r.revision, 'voided')
    WHERE t.key = 'hand:' || r.hand_id || ':cleared:' || r.revision AND r.entered IS NOT NULL
"""
_COUNT_BACK = """
    JOIN payouts_countback b ON (b.transfer_id, b.house_id, b.count_id, 'count')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE starts_with(t.key, 'countback:' || b.count_id || ':')
"""
_STAY = """
    JOIN tables_staychips c ON (c.transfer_id, c.house_id, c.stay_id, 'stay')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE t.kind = CASE c.kind WHEN 'moved_in' THEN 'move' ELSE c.kind END
"""
# At a seat, or by itself.
_BOUGHT = """
    LEFT JOIN tables_staychips c ON (c.transfer_id, c.house_id, c.stay_id, c.kind, 'stay')
        = (t.id, t.house_id, t.subject_id, t.kind, t.subject_kind)
    LEFT JOIN tables_buyin b ON (b.transfer_id, b.house_id, b.id, 'buyin')
        = (t.id, t.house_id, t.subject_id, t.subject_kind) AND t.key = 'buyin:' || b.id
    WHERE c.id IS NOT NULL OR b.id IS NOT NULL
"""
_GIVEN = """
    LEFT JOIN tables_staychips c ON (c.transfer_id, c.house_id, c.stay_id, c.kind, 'stay')
        = (t.id, t.house_id, t.subject_id, t.kind, t.subject_kind)
    LEFT JOIN tables_tip b ON (b.transfer_id, b.house_id, b.id, 'tip')
        = (t.id, t.house_id, t.subject_id, t.subject_kind) AND t.key = 'tip:' || b.id
    WHERE c.id IS NOT NULL OR b.id IS NOT NULL
"""
# By the last guest who left, or once all have and a hand is put right.
_EMPTIED = """
    LEFT JOIN tables_pokerstay p ON (p.guest_id, p.house_id) = (t.subject_id, t.house_id)
        AND t.subject_kind = 'stay' AND t.key = 'stay:' || p.guest_id || ':emptied'
        AND p.left_at IS NOT NULL
    LEFT JOIN tables_handresult r ON (r.hand_id, r.house_id) = (t.subject_id, t.house_id)
        AND t.subject_kind = 'hand' AND t.key = 'hand:' || r.hand_id
            || CASE WHEN r.entered IS NULL THEN ':cleared:' ELSE ':emptied:' END || r.revision
        AND EXISTS (SELECT FROM payouts_transfer back WHERE back.reverses_id = r.transfer_id)
    WHERE p.guest_id IS NOT NULL OR r.id IS NOT NULL
"""
_AWARD = """
    JOIN jackpot_award a ON (a.transfer_id, a.house_id, a.id, 'award')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE (t.kind, t.key) = ('award_' || a.kind, 'award:' || a.id)
"""
# With coins there are: more than half of the smallest is no rounding (`cash_amount`).
_SLIP = """
    JOIN jackpot_award a ON (a.id, a.house_id, 'award')
        = (t.subject_id, t.house_id, t.subject_kind)
    JOIN jackpot_slip s ON s.award_id = a.id LEFT JOIN jackpot_takenback b ON b.slip_id = s.id
    CROSS JOIN LATERAL (SELECT CASE t.key
        WHEN 'award:' || a.id || ':slip_paid' THEN coalesce(b.cash_minor, s.cash_minor)
        WHEN 'award:' || a.id || ':slip_paid_again' THEN s.cash_minor END AS minor) cash
    CROSS JOIN LATERAL (SELECT coalesce(-sum(e.amount_minor), 0) AS minor FROM payouts_entry e
        JOIN payouts_account i ON i.id = e.account_id AND i.kind = 'cage_cash'
        WHERE e.transfer_id = t.id) posted
    WHERE posted.minor = cash.minor AND abs(cash.minor - a.amount_minor) <= 2
"""
_CANCELLED = """
    JOIN jackpot_award a ON (a.id, a.house_id, 'award')
        = (t.subject_id, t.house_id, t.subject_kind)
    JOIN jackpot_slip s ON s.award_id = a.id AND s.state = 'cancelled'
    WHERE t.key = 'award:' || a.id || ':award_cancelled'
"""
_HIT = """
    JOIN jackpot_hit h ON (h.id, h.house_id, 'hit') = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'hit:' || h.id || ':award' AND h.state = 'paid'
"""
_SEED = """
    JOIN jackpot_epoch e ON (e.id, e.house_id, 'epoch') = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'epoch:' || e.id || ':seed' AND e.number = 1
"""
_ADJUST = """
    JOIN payouts_approval p ON t.key = 'adjust:' || p.id AND (p.house_id, p.subject_id, 'jackpot')
        = (t.house_id, t.subject_id::text, t.subject_kind)
    WHERE (p.action, p.state) = ('jackpot.adjust', 'used')
"""
_RETIRE = """
    JOIN jackpot_jackpot j
        ON (j.id, j.house_id, 'jackpot') = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'retire:' || j.id AND j.phase = 'retired'
"""
_ENVY = """
    JOIN jackpot_waitingprize w
        ON (w.id, w.house_id, 'prize') = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'envy:' || w.id AND w.kind = 'envy' AND w.source_id <> w.round_id
"""
# Before a transfer is reversed that took prizes from a meter which was paid out since.
_TAKEN_OVER = """
    JOIN payouts_transfer o ON o.house_id = t.house_id AND o.id = CASE
        WHEN t.key ~ '^takeover:[1-9][0-9]{0,17}$' THEN substr(t.key, 10)::bigint END
    WHERE t.subject_id IS NULL
        AND EXISTS (SELECT FROM payouts_transfer back WHERE back.reverses_id = o.id)
        AND EXISTS (SELECT FROM payouts_entry e JOIN payouts_account a ON a.id = e.account_id
            JOIN jackpot_epochend d ON d.epoch_id = a.detail_id
            WHERE e.transfer_id = o.id AND a.kind = 'meter_prizes')
"""
# Before the house first played, by number, as a clock may be set back; a demo's, where all people
# are, as its floor was furnished.
_OPENED = """
    t.subject_id IS NULL AND (t.actor_id IS NOT NULL AND starts_with(t.key, 'opening:')
        AND NOT EXISTS (SELECT FROM public.payouts_transfer o WHERE o.house_id = t.house_id
            AND o.id < t.id AND o.subject_kind IN ('round', 'hand'))
        OR EXISTS (SELECT FROM casino_person d WHERE d.house_id = t.house_id
                HAVING bool_and(d.is_demo))
            AND (t.key = 'demo:' || t.kind || ':' OR EXISTS (SELECT FROM tables_table b
                WHERE b.house_id = t.house_id AND t.key = 'demo:' || t.kind || ':' || b.name)))
"""
_OPENING = f"WHERE {_OPENED}"
# Or by the piece, as it was signed.
_CHIPS_SIGNED = """
    JOIN payouts_approval p ON (p.id, p.house_id, 'approval')
        = (t.subject_id, t.house_id, t.subject_kind) AND t.key = 'chips:' || p.id
        AND (p.action, p.state) = ('chips.issue', 'used') AND t.kind = CASE p.payload ->> 'kind'
            WHEN 'issue' THEN 'chips_in_service' ELSE 'chips_withdrawn' END
        AND EXISTS (SELECT FROM payouts_chipmove m WHERE (m.transfer_id, m.approval_id)
            = (t.id, p.id))
"""
_IN_SERVICE = f"LEFT {_CHIPS_SIGNED.strip()} WHERE p.id IS NOT NULL OR {_OPENED}"
_INVENTORY = """
    JOIN payouts_inventory i ON (i.transfer_id, i.house_id, i.approval_id, 'approval')
        = (t.id, t.house_id, t.subject_id, t.subject_kind)
    WHERE t.key = 'inventory:' || i.house_id
"""
_COUNT = """
    JOIN payouts_countsignature g ON (g.count_id, g.house_id, 'count')
        = (t.subject_id, t.house_id, t.subject_kind)
    WHERE t.key = 'count:' || g.count_id AND g.stands AND g.difference_minor <> 0
"""
_BOX = """
    JOIN payouts_countsignature g ON (g.count_id, g.house_id, 'count')
        = (t.subject_id, t.house_id, t.subject_kind)
    JOIN payouts_count c ON (c.id, c.place_kind) = (g.count_id, 'drop')
    WHERE t.key = 'count:' || g.count_id AND g.stands
        AND (g.recorded_minor <> 0 OR g.difference_minor <> 0)
"""
# As the row says that it is about; what is about none, as it was signed.
_REVERSAL = """
    JOIN payouts_transfer o ON (o.id, o.house_id, o.subject_kind) = (t.reverses_id, t.house_id,
        t.subject_kind) AND o.subject_id IS NOT DISTINCT FROM t.subject_id
    LEFT JOIN jackpot_takenback b ON b.transfer_id = t.id
    LEFT JOIN jackpot_waitingprize w ON w.id = o.subject_id
    LEFT JOIN tables_entryreversal k
        ON k.transfer_id = t.id AND coalesce(k.buy_in_id, k.tip_id) = o.subject_id
    WHERE t.key = 'reversal:' || o.id AND CASE
        WHEN o.kind IN ('lock', 'settle', 'hand_raked', 'hand') THEN true
        WHEN o.kind = 'slip_paid' THEN b.id IS NOT NULL
        WHEN o.subject_kind IN ('buyin', 'tip') THEN k.id IS NOT NULL
        WHEN o.kind = 'envy' THEN w.state = 'dropped'
        ELSE o.subject_id IS NULL AND EXISTS (SELECT FROM payouts_approval p
            WHERE (p.house_id, p.action, p.state, p.subject_id)
                = (t.house_id, 'transfer.reverse', 'used', o.id::text))
    END
"""
REVERSAL = "reversal"
KINDS: dict[str, Grounded] = {
    "lock": Grounded(_LOCK, _CHIPS + "layout sub_meter reserve_share coin_income"),
    "settle": Grounded(_SETTLE, _CHIPS + "layout table_win prize_cost meter_prizes prizes_waiting"),
    "override": Grounded(_OVERRIDE, _CHIPS + "table_win"),
    "hand_raked": Grounded(_HAND, _CHIPS + "in_play rake"),
    "hand": Grounded(_HAND, _CHIPS + "stack pot_carried in_play rake"),
    "pay_for_fault": Grounded(_FAULT, _CHIPS + "house_fault"),
    "hand_cleared": Grounded(_CLEARED, "circulation stack pot_carried in_play"),
    "buy_in": Grounded(_BOUGHT, _CHIPS + "drop stack"),
    "top_up": Grounded(_STAY, _CHIPS + "drop stack"),
    "tip": Grounded(_GIVEN, "circulation stack in_play tronc"),
    "time": Grounded(_STAY, _CHIPS + "stack in_play time_income"),
    "out": Grounded(_STAY, "circulation in_play stack"),
    "counted": Grounded(_STAY, "in_play stack"),
    "move": Grounded(_STAY, "in_play stack"),
    "table_emptied": Grounded(_EMPTIED, "circulation pot_carried in_play"),
    "award": Grounded(
        _HIT,
        "sub_meter meter_base meter_prizes reserve_share reserve jackpot_top_up awards_payable",
    ),
    "award_late": Grounded(_AWARD, "award_cost awards_payable"),
    "award_prize": Grounded(_AWARD, "prizes_waiting awards_payable"),
    "award_cancelled": Grounded(
        _CANCELLED, "awards_payable award_receivable award_cost meter_base prizes_waiting"
    ),
    "slip_paid": Grounded(_SLIP, "awards_payable cage_cash cash_rounding"),
    "seed": Grounded(_SEED, "jackpot_top_up meter_base"),
    "adjust": Grounded(_ADJUST, "award_cost meter_base"),
    "retire": Grounded(_RETIRE, "sub_meter meter_base meter_prizes reserve_share reserve"),
    "envy": Grounded(_ENVY, "prize_cost meter_prizes prizes_waiting"),
    "prize_taken_over": Grounded(_TAKEN_OVER, "prize_cost meter_prizes"),
    "capital_in": Grounded(_OPENING, "cage_cash house_capital"),
    "chips_in_service": Grounded(_IN_SERVICE, "cage_chips chip_stock"),
    "chips_withdrawn": Grounded(_CHIPS_SIGNED, "cage_chips chip_stock"),
    "inventory_first": Grounded(
        _INVENTORY, _CHIPS + "cage_cash cage_chips chip_stock drop tronc inventory_difference"
    ),
    "fill": Grounded(_OPENING, "tray cage_chips"),
    "count_set_back": Grounded(_COUNT_BACK, _CHIPS + "drop count_difference untold_win"),
    "drop_count": Grounded(_BOX, "cage_cash drop count_difference"),
    "tray_count": Grounded(_COUNT, _CHIPS + "count_difference"),
    "tray_result": Grounded(_COUNT, _CHIPS + "untold_win"),
    REVERSAL: Grounded(_REVERSAL, ""),  # the mirror of what it reverses
}
# What the system posts, not a person: a hit that is paid, prizes with it, a demo.
_NOBODYS = ("award", "award_prize", "seed", "capital_in", "chips_in_service", "fill")


def _grounded() -> str:
    kinds: dict[str, list[str]] = {}
    for kind, (ground, _) in KINDS.items():
        kinds.setdefault(ground, []).append(f"'{kind}'")
    return " UNION ALL ".join(
        f"SELECT t.id FROM (SELECT * FROM payouts_transfer WHERE kind IN ({', '.join(of)})"
        f" AND (kind = '{REVERSAL}') = (reverses_id IS NOT NULL)) t {ground}"
        for ground, of in kinds.items()
    )


_MOVES = ", ".join(
    f"('{kind}', '{{{','.join(moves.split())}}}'::text[])"
    for kind, (_, moves) in KINDS.items()
    if moves
)
GROUNDS = {
    "transfers_have_their_ground": f"""
        SELECT t.id AS transfer_id, t.kind, t.key, t.actor_id::text FROM payouts_transfer t
        LEFT JOIN ({_grounded()}) grounded ON grounded.id = t.id
        WHERE grounded.id IS NULL OR t.actor_id IS NULL AND t.kind NOT IN {_NOBODYS}
    """,
    "transfers_move_accounts_of_their_kind": f"""
        SELECT t.id AS transfer_id, t.kind, a.kind AS account FROM payouts_transfer t
        JOIN (VALUES {_MOVES}) of (kind, moves) ON of.kind = t.kind
        JOIN payouts_entry e ON e.transfer_id = t.id JOIN payouts_account a ON a.id = e.account_id
        WHERE NOT a.kind = ANY (of.moves)
    """,
}
