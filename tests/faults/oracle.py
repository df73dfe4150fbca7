"""What must hold of the house's own rows, asked in SQL, and of what it said; each check names what it found."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
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
REOPENS_S = 30.0  # after the last fault, without a hand
LATE_S = 3.0  # the late display confirms a value so long after it was asked to
LATE = f"""
SELECT count(*) FROM jackpot_gatedisplay d JOIN jackpot_gate g ON g.id = d.gate_id
WHERE right(d.name, 6) = '(late)' AND d.state = 'confirmed' AND d.at >= g.made_at + interval '{LATE_S} seconds'
"""


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


def seals_amiss(house: House) -> list[str]:
    """What is not as it was sealed while the house was being killed; and that it was sealed at all."""
    done = house.manage("verify", "--json", "--processes", "1", check=False)
    told = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    if not told:
        return [f"the seals cannot be verified: {done.stderr[-500:]}"]
    taken = next(one["looked_at"] for one in told["checks"] if one["name"] == "seals_are_a_chain")
    wrong = [f"{one['name']}: {one['breaches'][:3]}" for one in told["checks"] if one["count"]]
    return wrong if taken else [*wrong, "no seal was taken"]


def deadlocks(house_log: str) -> list[str]:
    """Locks are taken in one order everywhere, so the server never has to break two that wait for one another."""
    found = house_log.count(DEADLOCK)
    return [f"the database broke {found} deadlocks"] if found else []


def opened_late(seconds: float) -> list[str]:
    """After the last fault the floor opens again by itself, in time; a negative number is never."""
    if 0 <= seconds <= REOPENS_S:
        return []
    return [f"the floor opened again {seconds:.0f} s after the last fault, not within {REOPENS_S:.0f}"]


def never(sometimes: Mapping[str, int]) -> list[str]:
    """What a campaign must have seen and has not: without it the rest proves nothing."""
    return [f"never happened: {what}" for what in sorted(sometimes) if not sometimes[what]]


# --- what a campaign must have seen -----------------------------------------------------------------------------------------------
def claimed_while_draining(hits: Iterable[Mapping[str, Any]]) -> int:
    """Hits that a further claim joined while their listed rounds were still ending, as the service dates both."""
    return sum(any(_drains_at(hit, claim["made_at"]) for claim in hit["claims"][1:]) for hit in hits)  # one began it


def _drains_at(hit: Mapping[str, Any], moment: str) -> bool:
    drained_at = hit["drained_at"]
    return drained_at is None or datetime.fromisoformat(moment) <= datetime.fromisoformat(drained_at)


def late_confirmations(ask: Ask) -> int:
    """Confirmations of the display that is late on purpose, and was. Others are late when they were cut off, and tell nothing."""
    return int(ask(LATE)[0][0])
