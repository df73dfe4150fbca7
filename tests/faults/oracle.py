"""What must hold of the house's own rows, asked in SQL, and of what it said; each check names what it found."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from casino.simulate.tablet import SETTLED, Played
from tests.faults.house import House

Ask = Callable[[str], list[tuple[Any, ...]]]

# Between a hit's beginning and the reopening after it nothing is locked but what its list holds (PRG-9). Rounds, hits and gates
# have their turn, given under the jackpot's lock, so this is exact whatever the clock did. What was played without the server lay
# before no open meter.
STAKED_WHILE_FROZEN = """
SELECT h.number, n.round_id FROM jackpot_hit h
JOIN jackpot_runninground n ON n.jackpot_id = h.jackpot_id AND n.begun_turn > h.begun_turn
JOIN tables_round r ON r.id = n.round_id AND NOT r.queued
LEFT JOIN jackpot_gate g ON g.hit_id = h.id AND g.state = 'passed'
WHERE (g.ended_turn IS NULL OR n.begun_turn < g.ended_turn)
  AND NOT EXISTS (SELECT FROM jackpot_listedround l WHERE l.hit_id = h.id AND l.round_id = n.round_id)
"""
AWARDED_TWICE = """
SELECT hit_id, round_id, box, count(*) FROM jackpot_award a
WHERE kind <> 'prize' AND NOT EXISTS (SELECT FROM jackpot_slip s WHERE s.award_id = a.id AND s.state = 'cancelled')
GROUP BY hit_id, round_id, box HAVING count(*) > 1
"""
# Contributions are numbered under the jackpot's lock, and the next epoch is fed from the reopening on: none of a closed epoch comes
# behind one of the next.
CLOSED_EPOCHS_FED = """
SELECT c.epoch_id, c.round_id FROM jackpot_contribution c
JOIN jackpot_epochend e USING (epoch_id) JOIN jackpot_epoch own ON own.id = c.epoch_id
WHERE c.id > (SELECT min(n.id) FROM jackpot_contribution n JOIN jackpot_epoch next ON next.id = n.epoch_id
              WHERE next.jackpot_id = own.jackpot_id AND next.number > own.number)
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
# Hits that a further claim joined while their listed rounds were still ending (one began it), in the order of the log.
CLAIMED_WHILE_DRAINING = """
SELECT count(DISTINCT h.id) FROM jackpot_hit h
JOIN payouts_event drained ON drained.name = 'jackpot.verifying' AND drained.subject_id = h.jackpot_id::text
    AND drained.after ->> 'hit' = h.number::text
JOIN jackpot_claim c ON c.hit_id = h.id AND c.number > 1
JOIN payouts_event made ON made.name = 'claim.made' AND made.subject_id = c.id::text AND made.id < drained.id
"""


def recorded_since(before: Collection[str], ask: Ask) -> list[tuple[str, Any]]:
    """Key and answer of each command on record that was not there `before`; not by the house's clock, which may go back."""
    rows = ask("SELECT key, answer FROM payouts_commandkey")
    return [(key, answer) for key, answer in rows if key not in before]


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


def not_opened(seconds: float) -> list[str]:
    """After the last fault the floor opens again by itself; a negative number is never."""
    return [] if seconds >= 0 else ["the floor did not open again by itself after the last fault"]


def paid_amiss(slips: Iterable[Mapping[str, Any]], played: Iterable[Played]) -> list[str]:
    """Who was paid and is no winner of our own cards, or is one and was not; by round and box."""
    won = [(one.id, box) for one in played if one.state == SETTLED and one.outcome for box in one.outcome.winners]
    paid = [(slip["award"]["round"], slip["award"]["box"]) for slip in slips if slip["state"] == "paid"]
    return [] if sorted(paid) == sorted(won) else [f"paid was {sorted(paid)}, won have {sorted(won)}"]


def never(sometimes: Mapping[str, int]) -> list[str]:
    """What a campaign must have seen and has not: without it the rest proves nothing."""
    return [f"never happened: {what}" for what in sorted(sometimes) if not sometimes[what]]


def claimed_while_draining(ask: Ask) -> int:
    """How many hits a claim joined that was not their first and came before they had drained."""
    return int(ask(CLAIMED_WHILE_DRAINING)[0][0])
