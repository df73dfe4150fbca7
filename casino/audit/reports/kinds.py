"""All reports, in the order of the list."""

from casino.audit.reports.shape import Kind
from casino.audit.reports.statements import (
    changes,
    day,
    gaps,
    hands,
    jackpots,
    people,
    pots,
    rake,
    results,
    settlements,
    slips,
)
from casino.records.report_labels import REPORTS

KINDS: dict[str, Kind] = {
    kind.code: kind
    for kind in (
        jackpots.STATEMENT,
        jackpots.HITS,
        results.RESULTS,
        settlements.SETTLEMENTS,
        gaps.DIFFERENCES,
        rake.RAKE,
        slips.PAYOUTS,
        changes.CORRECTIONS,
        hands.HANDS,
        pots.ODD_CHIPS,
        people.APPROVALS,
        slips.SLIPS,
        changes.PARAMETER_HISTORY,
        people.ACCESS,
        people.LOOKED,
        day.PROTOCOL,
    )
}
REPORTS.update((kind.code, kind.title) for kind in KINDS.values())
