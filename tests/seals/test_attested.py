"""Signatures from before they were attested, and those that somebody makes look so."""

import psycopg

from payouts.rules.seal import numbers_in, unpack_runs
from payouts.unattested import TABLE, check_signatures
from tests.seals.house import Sealed, spoiled

SEALED = f"SELECT seal_id, keys FROM payouts_sealedrows WHERE \"table\" = '{TABLE}' ORDER BY seal_id"
OLDER = (
    f"UPDATE payouts_sealedrows SET columns = array_remove(columns, 'mac') WHERE \"table\" = '{TABLE}' AND seal_id = %s"
)
GONE = f"DELETE FROM payouts_sealedrows WHERE \"table\" = '{TABLE}' AND seal_id = %s"


def named(link: psycopg.Connection) -> set[int]:
    return {int(str(breach["key"])) for breach in check_signatures(link)[0].rows}


def test_a_signature_from_before_is_excused_while_a_seal_from_before_holds_it(sealed: Sealed) -> None:
    with spoiled(f"UPDATE {TABLE} SET mac = NULL") as link:
        parts = link.execute(SEALED).fetchall()
        rows = {seal: set(numbers_in(unpack_runs(bytes(keys)))) for seal, keys in parts}
        first, second, *_ = rows
        since = set().union(*(rows[seal] for seal in rows if seal > second))
        assert named(link) == rows[second] | since
        assert link.execute(OLDER, [first]).rowcount == 1
        assert named(link) == since
        assert link.execute(GONE, [first]).rowcount == 1
        assert named(link) == rows[first] | since
