"""Signatures that nobody gave: written past the program, by whoever has a password of the database.

Those from before signatures were attested bear nothing. They are excused where a seal holds them,
up to the first one that seals the HMAC too: it took in what stood when the column came. Since then
the database refuses a signature without.
"""

from bisect import bisect
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg

from payouts.attest import SignatureContent, is_attested
from payouts.findings import Breach, Findings, Tell, tell_nobody
from payouts.rules.seal import Run, unpack_runs

NAME = "signatures_are_attested"
UNPROVED = "does not bear the program's proof"
TABLE = "payouts_approvalsignature"
PAGE = 2_000  # rows read at a time
_SIGNATURES = f"""
    SELECT s.id, a.house_id, s.approval_id, s.signer_id, s.payload_hash, s.method, s.step,
        s.ordinal, s.mac
    FROM {TABLE} s LEFT JOIN payouts_approval a ON a.id = s.approval_id ORDER BY s.id
"""
_BEFORE = """
    SELECT keys FROM payouts_sealedrows WHERE "table" = %(table)s AND seal_id <= coalesce((
        SELECT min(seal_id) FROM payouts_sealedrows
        WHERE "table" = %(table)s AND 'mac' = ANY (columns)), seal_id)
"""
Link = psycopg.Connection[Any]


def check_signatures(link: Link, tell: Tell = tell_nobody) -> tuple[Findings, int]:
    """Find the signatures that no key of ours attests; and how many there are."""
    findings = Findings(NAME, tell)
    before = _before(link)
    count = 0
    with link.cursor(name="signatures", binary=True) as cursor:
        cursor.itersize = PAGE
        cursor.execute(_SIGNATURES)
        for number, house, *content, mac in cursor:
            count += 1
            signature = SignatureContent(*content)
            if not (_within(before, number) if mac is None else is_attested(signature, mac)):
                findings.add(_breach(number, house, signature))
    return findings, count


def _before(link: Link) -> list[Run]:
    """The numbers of those from before, as runs that rise."""
    runs: list[Run] = []
    for (keys,) in link.execute(_BEFORE, {"table": TABLE}):
        try:
            runs += unpack_runs(bytes(keys))
        except ValueError:  # a spoiled part: the chain says so
            continue
    return sorted(runs)


def _within(runs: Sequence[Run], number: int) -> bool:
    place = bisect(runs, number, key=lambda run: run[0])
    return place > 0 and number <= runs[place - 1][1]


def _breach(number: int, house: UUID | None, signature: SignatureContent) -> Breach:
    return {
        "table": TABLE,
        "key": str(number),
        "house_id": str(house) if house else None,
        "approval_id": str(signature.approval_id),
        "signer_id": str(signature.signer_id),
        "what": UNPROVED,
    }
