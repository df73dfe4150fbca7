"""Commands of the jackpot. Each runs inside its caller's transaction (`run_once`)."""

from jackpot.services.barrier import jackpot_exclude, jackpot_share
from jackpot.services.parameters import epoch_accounts_open, jackpot_create, jackpot_parameters_set

__all__ = [
    "epoch_accounts_open",
    "jackpot_create",
    "jackpot_exclude",
    "jackpot_parameters_set",
    "jackpot_share",
]
