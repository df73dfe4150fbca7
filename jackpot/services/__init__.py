"""Commands of the jackpot. Each runs inside its caller's transaction (`run_once`), but
`jackpot_advance`, which makes its own.
"""

from jackpot.services.advance import jackpot_advance, jackpots_due
from jackpot.services.approved import jackpot_sign
from jackpot.services.award import boxes_awarded
from jackpot.services.barrier import SHARE, jackpot_exclude, jackpot_share
from jackpot.services.claims import Winner, claims_live, claims_set, hit_call
from jackpot.services.creation import jackpot_create, jackpot_create_request
from jackpot.services.due import jackpot_steps_do
from jackpot.services.gate import (
    display_add_request,
    display_heard,
    display_out,
    display_out_request,
    display_require,
    display_session_alarm,
    gate_confirm,
)
from jackpot.services.parameters import epoch_accounts_open, jackpot_parameters_set
from jackpot.services.prizes import (
    Owed,
    envy_of_link,
    epoch_ended,
    owes_elsewhere,
    prize_take_over,
    prizes_drop,
    prizes_void,
    prizes_wait,
)
from jackpot.services.prizes_again import prize_ask_again, prize_request_again, prizes_unasked
from jackpot.services.restored import jackpots_restored, standby_promoted
from jackpot.services.slips import (
    LATE,
    STANDS,
    award_cancel,
    award_cancel_request,
    award_late,
    late_most,
    late_payload,
    may_take_back,
    slip_doubted,
    slip_pay,
    slip_take_back,
)
from jackpot.services.standing import (
    jackpot_adjust,
    jackpot_close,
    jackpot_reopen,
    jackpot_request,
    jackpot_resume,
    jackpot_retire,
    jackpot_suspend,
)
from jackpot.services.verify import UNCLARIFIED, claim_refuse, claim_verify, hit_reject_request

__all__ = [
    "LATE",
    "SHARE",
    "STANDS",
    "UNCLARIFIED",
    "Owed",
    "Winner",
    "award_cancel",
    "award_cancel_request",
    "award_late",
    "boxes_awarded",
    "claim_refuse",
    "claim_verify",
    "claims_live",
    "claims_set",
    "display_add_request",
    "display_heard",
    "display_out",
    "display_out_request",
    "display_require",
    "display_session_alarm",
    "envy_of_link",
    "epoch_accounts_open",
    "epoch_ended",
    "gate_confirm",
    "hit_call",
    "hit_reject_request",
    "jackpot_adjust",
    "jackpot_advance",
    "jackpot_close",
    "jackpot_create",
    "jackpot_create_request",
    "jackpot_exclude",
    "jackpot_parameters_set",
    "jackpot_reopen",
    "jackpot_request",
    "jackpot_resume",
    "jackpot_retire",
    "jackpot_share",
    "jackpot_sign",
    "jackpot_steps_do",
    "jackpot_suspend",
    "jackpots_due",
    "jackpots_restored",
    "late_most",
    "late_payload",
    "may_take_back",
    "owes_elsewhere",
    "prize_ask_again",
    "prize_request_again",
    "prize_take_over",
    "prizes_drop",
    "prizes_unasked",
    "prizes_void",
    "prizes_wait",
    "slip_doubted",
    "slip_pay",
    "slip_take_back",
    "standby_promoted",
]
