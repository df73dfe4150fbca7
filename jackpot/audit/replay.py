"""Every split computed again: from the rules of its epoch, the meter that was split and the claims
that shared it.

That the meter was the one that entries give, and who was verified, are audits in SQL
(`jackpot/audit/hits.py`).
"""

import time
from collections.abc import Iterator

from jackpot.models import Share, Split
from jackpot.rules.meter import close_epoch
from jackpot.rules.progressive import ProgressiveRules
from jackpot.services.split import split_is
from payouts.audit import ROWS_MAX, AuditResult
from payouts.errors import Refused
from payouts.findings import Findings, Tell, tell_nobody
from payouts.rules.rulesets.funding import FundingSchedule


def replay_splits(*, tell: Tell | None = None) -> AuditResult:
    """Compute every split again, of every revision; a breach names its hit and revision. `tell`: as
    in `run_audits`.
    """
    started = time.monotonic()
    found = Findings("splits_come_out_again", tell or tell_nobody, None if tell else ROWS_MAX)
    epoch = "hit__epoch"
    for split in (
        Split.objects.select_related(f"{epoch}__progressive", f"{epoch}__funding")
        .order_by("id")
        .iterator(100)
    ):
        for why in _differs(split):
            found.add({"hit_id": str(split.hit_id), "revision": split.revision, "why": why})
    return AuditResult(found.name, found.rows, time.monotonic() - started, found.count)


def _differs(split: Split) -> Iterator[str]:
    epoch = split.hit.epoch
    claims = (
        Share.objects.filter(split=split)
        .order_by("claim__number")
        .values_list("claim_id", flat=True)
    )
    try:
        rules = ProgressiveRules.from_data(epoch.progressive.data)
        closing = close_epoch(
            rules,
            FundingSchedule.from_data(epoch.funding.data),
            [str(claim) for claim in claims],
            sum_minor=split.sum_minor,
            shown_at_claim_minor=split.hit.shown_minor,
            reserve_minor=0,  # it decides where the next seed comes from, and nothing of the split
        )
    except Refused as refused:
        yield f"is refused: {refused.code}"
        return
    if split.unit_minor != rules.payout_unit:
        yield "is floored to another unit"
    if not split_is(split, closing):
        yield "gives other amounts"
