"""What must hold of the house's own rows, asked in SQL, and of what it said; each check names what it found."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.faults.house import House

Ask = Callable[[str], list[tuple[Any, ...]]]

# Between a hit's beginning and the reopening after it nothing is locked but what its list holds (PRG-9). Rows are dated by the
# database's clock under the jackpot's lock, so this is exact. What was played without the server lay before no open meter.
STAKED_WHILE_FROZEN = """
SELECT h.number, r.id FROM jackpot_hit h
JOIN tables_round r ON r.jackpot_id = h.jackpot_id AND r.state <> 'withdrawn' AND NOT r.queued AND r.locked_at > h.begun_at
LEFT JOIN jackpot_gate g ON g.hit_id = h.id AND g.state = 'passed'
WHERE (g.ended_at IS NULL OR r.locked_at < g.ended_at)
  AND NOT EXISTS (SELECT FROM jackpot_listedround l WHERE l.hit_id = h.id AND l.round_id = r.id)
"""
AWARDED_TWICE = """
SELECT hit_id, round_id, box, count(*) FROM jackpot_award a
WHERE kind <> 'prize' AND NOT EXISTS (SELECT FROM jackpot_slip s WHERE s.award_id = a.id AND s.state = 'cancelled')
GROUP BY hit_id, round_id, box HAVING count(*) > 1
"""
CLOSED_EPOCHS_FED = """
SELECT c.epoch_id, c.round_id FROM jackpot_contribution c JOIN jackpot_epochend e USING (epoch_id)
WHERE c.at > e.at
"""
OPENED_UNSHOWN = """
SELECT g.number, d.name FROM jackpot_gate g JOIN jackpot_gatedisplay d ON d.gate_id = g.id
WHERE g.state = 'passed' AND d.state = 'waiting'
"""
CHECKS: Mapping[str, str] = {
    "a stake lies between freeze and reopening": STAKED_WHILE_FROZEN,
    "a winner has two awards of one hit": AWARDED_TWICE,
    "a closed epoch was fed": CLOSED_EPOCHS_FED,
    "tables opened though a display had not shown the value": OPENED_UNSHOWN,
}
DEADLOCK = "deadlock detected"


def rows_amiss(ask: Ask) -> list[str]:
    """What the rows show that must not be."""
    return [f"{what}: {', '.join(map(str, row))}" for what, query in CHECKS.items() for row in ask(query)]


def audits_amiss(house: House) -> list[str]:
    """Each audit that names a breach, with rounds settled again from their record."""
    done = house.manage("audit", "--json", "--replay", check=False)
    told = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    if not told:
        return [f"the audits cannot run: {done.stderr[-500:]}"]
    return [f"audit {one['name']}: {one['breaches'][:3]}" for one in told["audits"] if one["breaches"]]


def deadlocks(house_log: str) -> list[str]:
    """Locks are taken in one order everywhere, so the server never has to break two that wait for one another."""
    found = house_log.count(DEADLOCK)
    return [f"the database broke {found} deadlocks"] if found else []
