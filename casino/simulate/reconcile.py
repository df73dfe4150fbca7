"""After a restore: two people look at the slips that the books know and resume each jackpot, as
strangers to the code would.
"""

import random  # noqa: TID251  (nothing is drawn from it)

from casino.simulate.clients import Refused, Tally, Unreachable
from casino.simulate.people import BOSS, MANAGER, NoEntry, Person
from casino.simulate.texts import RECONCILED


class NotReconciled(Exception):
    """It did not come to that; says why."""


def reconcile(address: str) -> list[str]:
    """Resume every suspended jackpot of the demo house at the address; a line for each. Raises
    NotReconciled.
    """
    chance, tally = random.Random(0), Tally()
    people = [Person(address, username, tally, chance) for username in (BOSS, MANAGER)]
    try:
        boss, manager = (person.sign_in() for person in people)
        return [
            _slips(boss),
            *_continue(boss, manager),
            *(
                _resume(boss, manager, jackpot["id"])
                for jackpot in boss.client.every("jackpots/")
                if jackpot["phase"] == "suspended"
            ),
        ]
    except (NoEntry, Refused, Unreachable) as error:
        raise NotReconciled(str(error)) from error
    finally:
        for person in people:
            person.client.close()


def _slips(boss: Person) -> str:
    slips = boss.client.every("slips/")
    numbers = sorted(slip["number"] for slip in slips)
    if numbers != list(range(1, len(numbers) + 1)):
        raise NotReconciled(f"slips are missing: there are {numbers}")
    paid = sum(slip["state"] == "paid" for slip in slips)
    return (
        f"slips: {len(slips)} without a gap, {paid} of them paid; to be compared with what the cage"
        " has paid since"
    )


def _continue(boss: Person, manager: Person) -> list[str]:
    """Sign from which seal it goes on, where that is to be signed."""
    lines = []
    for approval in boss.client.every("approvals/"):
        if approval["action"] == "seals.continue" and approval["state"] == "open":
            boss.sign(approval)
            manager.sign(approval)
            by = f"{boss.name} and {manager.name}"
            lines.append(
                f"seals: {by} signed that they go on from seal {approval['payload']['seal']}"
            )
    return lines


def _resume(boss: Person, manager: Person, jackpot_id: str) -> str:
    asked = boss.post(f"jackpots/{jackpot_id}/resume-request/", {"reason": RECONCILED})
    try:
        boss.sign(asked)
    except Refused:
        pass  # one person alone resumes nothing
    else:
        raise NotReconciled(f"{boss.name} alone resumed a jackpot.")
    manager.sign(asked)
    now = boss.client.get(f"jackpots/{jackpot_id}/")
    if now["phase"] == "suspended":
        raise NotReconciled(f"{now['name']} was signed for by two and is still suspended.")
    by = f"{boss.name} and {manager.name}"
    return f"{now['name']}: resumed by {by}, incarnation {now['incarnation']}, {now['phase']}"
