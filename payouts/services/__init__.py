"""Commands of the money floor: everything that writes. Each runs inside its caller's transaction
(`run_once`).
"""

from payouts.services.approval import (
    RESTS,
    approval_kill,
    approval_kill_of_person,
    approval_reject,
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
)
from payouts.services.approval_lists import Listed, listed, lists_of, whole_payload
from payouts.services.approved import (
    act_sign,
    approval_rule_add,
    approval_rule_change,
    approval_rule_request,
    transfer_correct,
    transfer_correction_request,
)
from payouts.services.chips import chips_request, chips_sign
from payouts.services.event import Subject, event_record
from payouts.services.house import house_create
from payouts.services.ledger import (
    AccountKey,
    accounts_open,
    posting_arguments,
    recipe_post,
    recipe_posting,
    transfer_post,
    transfer_replace,
    transfer_reverse,
    transfers_post,
)
from payouts.services.posted import (
    posted_table_draft,
    posted_table_edit,
    posted_table_reject,
    posted_table_release,
    posted_table_request,
    posted_table_sign,
    posted_table_withdraw,
    posted_tables_seed,
)
from payouts.services.seal import seal_take

__all__ = [
    "RESTS",
    "AccountKey",
    "Listed",
    "Subject",
    "accounts_open",
    "act_sign",
    "approval_kill",
    "approval_kill_of_person",
    "approval_reject",
    "approval_request",
    "approval_rule_add",
    "approval_rule_change",
    "approval_rule_request",
    "approval_sign",
    "approval_signed",
    "approval_use",
    "chips_request",
    "chips_sign",
    "event_record",
    "house_create",
    "listed",
    "lists_of",
    "posted_table_draft",
    "posted_table_edit",
    "posted_table_reject",
    "posted_table_release",
    "posted_table_request",
    "posted_table_sign",
    "posted_table_withdraw",
    "posted_tables_seed",
    "posting_arguments",
    "recipe_post",
    "recipe_posting",
    "seal_take",
    "transfer_correct",
    "transfer_correction_request",
    "transfer_post",
    "transfer_replace",
    "transfer_reverse",
    "transfers_post",
    "whole_payload",
]
