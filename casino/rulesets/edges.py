"""The exact edges of rule sets, which take a processor a minute or more: one rule set after the
other is worked out by a worker, drafts too, and kept by the hash of its rules.

Who works holds an advisory lock as long as they live. What they did not come to the end of is
there to be taken up again, by chance another first: one that never comes to its end holds up no
other.
"""

import secrets
from fractions import Fraction

from django.db import connection

from casino.database import alone
from casino.rulesets.models import RuleEdges
from payouts.models import PostedTable
from payouts.rules.plain import check_data, fingerprint
from payouts.rules.rulesets.kinds import Edges, TableKind
from payouts.rules.rulesets.schema import Posted
from tables.kinds import KINDS

LOCK = 7_202_611_261  # advisory
DIGITS = 12


def edges_next() -> None:
    """Work out the edges of one rule set that has none yet, if there is one and nobody is at it."""
    with alone(LOCK) as free:
        missing = _missing() if free else []
        if not missing:
            return
        kind, edges, posted = secrets.choice(missing)
        texts = {name: _decimal(edge) for name, edge in edges.work_out(posted).items()}
        connection.close_if_unusable_or_obsolete()  # it lay idle meanwhile
        row = RuleEdges(kind=kind, rules_hash=_hash(posted), edges=texts)
        RuleEdges.objects.bulk_create([row], ignore_conflicts=True)


def edges_of(kind: TableKind, posted: Posted) -> dict[str, Fraction]:
    """By name, the edges of a rule set; empty while they are being worked out."""
    row = RuleEdges.objects.filter(kind=kind.code, rules_hash=_hash(posted)).first()
    return {name: Fraction(text) for name, text in row.edges.items()} if row else {}


def _missing() -> list[tuple[str, Edges, Posted]]:
    weighed = {code: (kind, kind.edges) for code, kind in KINDS.items() if kind.edges}
    there = {
        (code, bytes(one)) for code, one in RuleEdges.objects.values_list("kind", "rules_hash")
    }
    rows = PostedTable.objects.filter(kind__in=weighed).values_list("kind", "data")
    read = [(code, weighed[code][1], weighed[code][0].read(data)) for code, data in rows]
    return [one for one in read if (one[0], _hash(one[2])) not in there]


def _hash(posted: Posted) -> bytes:
    return fingerprint(check_data(posted.to_data(), "data"))


def _decimal(edge: Fraction) -> str:
    unit = 10**DIGITS
    whole, rest = divmod(abs(round(edge * unit)), unit)
    return f"{'-' if edge < 0 else ''}{whole}.{rest:0{DIGITS}}"
