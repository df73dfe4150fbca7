"""Commands of the floor: everything that writes. Each runs inside its caller's transaction
(`run_once`).
"""

from tables.services.clarify import review_item_dismiss, review_item_take, review_item_try
from tables.services.correct import round_correct, round_correction_request, round_hold
from tables.services.entries import review_item_record
from tables.services.evaluate import Prepared, round_evaluate
from tables.services.feed import card_feed_record
from tables.services.floor import pit_create, table_create, table_link
from tables.services.guests import guest_arrive, guest_leave, guest_move
from tables.services.irregular import irregularity_record
from tables.services.late import late_award_request
from tables.services.lock import round_lock
from tables.services.override import override_request, override_sign
from tables.services.place import round_place
from tables.services.queued import round_take_queued
from tables.services.sessions import table_close, table_entry_level_set, table_hand_over, table_open
from tables.services.settle import round_settle
from tables.services.take_back import round_take_back
from tables.services.undo import (
    round_call,
    round_reopen,
    round_void,
    round_void_request,
    round_withdraw,
)

__all__ = [
    "Prepared",
    "card_feed_record",
    "guest_arrive",
    "guest_leave",
    "guest_move",
    "irregularity_record",
    "late_award_request",
    "override_request",
    "override_sign",
    "pit_create",
    "review_item_dismiss",
    "review_item_record",
    "review_item_take",
    "review_item_try",
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
    "table_close",
    "table_create",
    "table_entry_level_set",
    "table_hand_over",
    "table_link",
    "table_open",
]
