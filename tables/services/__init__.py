"""Commands of the floor: everything that writes. Each runs inside its caller's transaction
(`run_once`).
"""

from tables.services.cash.enter import buyin_enter, tip_enter
from tables.services.cash.take_back import buyin_take_back, tip_take_back
from tables.services.counts.begin import count_begin, count_give_up
from tables.services.counts.differences import difference_explain, difference_explain_sign
from tables.services.counts.drop import (
    drop_count_begin,
    drop_count_enter,
    drop_count_give_up,
    drop_count_witness,
)
from tables.services.counts.enter import count_enter
from tables.services.counts.witness import count_witness
from tables.services.floor.calls import floor_call, floor_call_take
from tables.services.floor.changes import table_change, table_change_request, table_change_sign
from tables.services.floor.guests import guest_arrive, guest_leave, guest_move
from tables.services.floor.sessions import (
    table_close,
    table_entry_level_set,
    table_hand_over,
    table_open,
)
from tables.services.floor.tables import pit_create, table_create, table_link
from tables.services.hands.begin import hand_abandon, hand_begin
from tables.services.hands.correct import (
    hand_correct,
    hand_correction_request,
    hand_void,
    hand_void_request,
)
from tables.services.hands.end import hand_end
from tables.services.hands.irregular import hand_irregular
from tables.services.hands.override import hand_override_request, hand_override_sign
from tables.services.inventory.take import inventory_request, inventory_sign
from tables.services.later.place import round_place
from tables.services.later.take_back import round_take_back
from tables.services.review.clarify import (
    review_item_dismiss,
    review_item_is_missing,
    review_item_take,
    review_item_try,
)
from tables.services.review.effect import review_item_is_idle, review_items_close
from tables.services.review.entries import review_item_record
from tables.services.rounds.correct import round_correct, round_correction_request, round_hold
from tables.services.rounds.doubts import refused_result
from tables.services.rounds.evaluate import Prepared, round_evaluate
from tables.services.rounds.feed import card_feed_record
from tables.services.rounds.irregular import irregularity_record
from tables.services.rounds.late import late_award_request
from tables.services.rounds.lock import round_lock
from tables.services.rounds.override import override_request, override_sign
from tables.services.rounds.queued import round_take_queued
from tables.services.rounds.settle import round_settle
from tables.services.rounds.undo import (
    round_call,
    round_reopen,
    round_void,
    round_void_request,
    round_withdraw,
)
from tables.services.seats.chips import stay_chips
from tables.services.seats.count import stacks_count
from tables.services.seats.moves import session_roll, stay_move
from tables.services.seats.stays import stay_away, stay_back, stay_begin, stay_leave
from tables.services.seats.time_charge import time_collect

__all__ = [
    "Prepared",
    "buyin_enter",
    "buyin_take_back",
    "card_feed_record",
    "count_begin",
    "count_enter",
    "count_give_up",
    "count_witness",
    "difference_explain",
    "difference_explain_sign",
    "drop_count_begin",
    "drop_count_enter",
    "drop_count_give_up",
    "drop_count_witness",
    "floor_call",
    "floor_call_take",
    "guest_arrive",
    "guest_leave",
    "guest_move",
    "hand_abandon",
    "hand_begin",
    "hand_correct",
    "hand_correction_request",
    "hand_end",
    "hand_irregular",
    "hand_override_request",
    "hand_override_sign",
    "hand_void",
    "hand_void_request",
    "inventory_request",
    "inventory_sign",
    "irregularity_record",
    "late_award_request",
    "override_request",
    "override_sign",
    "pit_create",
    "refused_result",
    "review_item_dismiss",
    "review_item_is_idle",
    "review_item_is_missing",
    "review_item_record",
    "review_item_take",
    "review_item_try",
    "review_items_close",
    "round_call",
    "round_correct",
    "round_correction_request",
    "round_evaluate",
    "round_hold",
    "round_lock",
    "round_place",
    "round_reopen",
    "round_settle",
    "round_take_back",
    "round_take_queued",
    "round_void",
    "round_void_request",
    "round_withdraw",
    "session_roll",
    "stacks_count",
    "stay_away",
    "stay_back",
    "stay_begin",
    "stay_chips",
    "stay_leave",
    "stay_move",
    "table_change",
    "table_change_request",
    "table_change_sign",
    "table_close",
    "table_create",
    "table_entry_level_set",
    "table_hand_over",
    "table_link",
    "table_open",
    "time_collect",
    "tip_enter",
    "tip_take_back",
]
