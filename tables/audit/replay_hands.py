"""Fees of poker hands, worked out again from what was entered of them and what was posted (RAK-1,
RAK-3).
"""

import time
from collections.abc import Iterator

import orjson

from payouts.audit import ROWS_MAX, AuditResult
from payouts.errors import Refused
from payouts.findings import Findings, Tell, tell_nobody
from tables.audit.replay import batches, window
from tables.games.poker.raking import Fee, Pot, fee_of
from tables.services.seats.parts import seats_posted

NAME = "hands_are_raked_again_to_their_fees"
_RESULTS = """
    SELECT x.hand_id::text, x.revision, cardinality(x.dealt), x.flop, x.walk, x.pot_minor,
        x.posted_minor, x.rake_minor, s.versions::text
    FROM tables_handresult x JOIN tables_hand r ON r.id = x.hand_id
    JOIN tables_tablesession s ON s.id = r.session_id WHERE true {window}
"""


def replay_hands(
    *, everything: bool = False, piece: tuple[int, int] | None = None, tell: Tell | None = None
) -> AuditResult:
    """Every result of a hand against the schedule that was in force; arguments as of `replay`."""
    findings = Findings(NAME, tell or tell_nobody, None if tell else ROWS_MAX)
    started = time.monotonic()
    count = 0
    query = _RESULTS.format(window=window(everything=everything, piece=piece))
    for _cursor, rows in batches(query):
        count += len(rows)
        for hand_id, revision, *entered in rows:
            findings.extend(
                {"hand_id": hand_id, "why": f"result {revision} {why}"} for why in _amiss(*entered)
            )
    return AuditResult(NAME, findings.rows, time.monotonic() - started, findings.count, count)


def _amiss(
    players: int,
    flop: bool,  # noqa: FBT001 - as the row has it
    walk: bool,  # noqa: FBT001 - likewise
    pot_minor: int | None,
    posted_minor: int | None,
    rake_minor: int,
    versions: str,
) -> Iterator[str]:
    posted = seats_posted(orjson.loads(versions))
    if posted is None:
        yield "is of a table that plays no poker"
        return
    pot = Pot(rake_minor=rake_minor, pot_minor=pot_minor, flop=flop, walk=walk)
    try:
        fee = fee_of(posted.game, posted.house, posted.rake, pot, players=players)
    except Refused as refused:
        yield f"is refused: {refused.code}"
        return
    if fee != Fee(rake_minor, posted_minor):
        yield "gives another fee"
