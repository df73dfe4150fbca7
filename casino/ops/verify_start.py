"""What the processes of a verification have in common, loaded once by the server that forks them
(`casino/ops/verify.py`).

Nothing here opens a connection: each process has its own.
"""

import gc
import importlib

import django

django.setup()
for _module in (
    "casino.ops.startup",
    "jackpot.audit.replay",
    "payouts.agreement",
    "payouts.audit",
    "payouts.sealed",
    "payouts.unsealed",
    "payouts.verify",
    "tables.audit.replay",
):
    importlib.import_module(_module)
gc.freeze()  # what is never looked at by the collector stays one copy for all of them
