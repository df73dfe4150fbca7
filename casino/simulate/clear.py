"""The floor is cleared: a table is ended, a display comes off the list by two people, a device goes
out of service.
"""

import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from casino.simulate.clients import Refused
from casino.simulate.counting.trays import FROZEN, UNCOUNTED, close_by_books
from casino.simulate.display import PROMPT, Display
from casino.simulate.left import Left
from casino.simulate.people import Person
from casino.simulate.texts import OVER

CLAIMS = "jackpot.round_claims"
# a display that lives is heard every second; one that was killed is held for 6 s
LOOK_S, HELD_S = 2.0, 7.0


def end_table(
    boss: Person, manager: Person, table: dict[str, Any], reason: str, lies: int | None = None
) -> None:
    """Void the round that runs at a table, and close it; where it must be counted first, by what
    its rounds say, if not by `lies` (minor units). Raises Refused, NotPlayable.
    """
    if table["running_round"]:
        void(boss, manager, table["running_round"]["id"], reason)
    if table["state"] != "open":
        return
    close = f"tables/{table['id']}/close/"
    try:
        boss.post(close, {"reason": reason})
    except Refused as refused:
        if refused.code not in (UNCOUNTED, FROZEN):
            raise
        close_by_books(boss, manager, table, lies)
        boss.post(close, {"reason": reason})


def void(boss: Person, manager: Person, round_id: str, reason: str) -> None:
    """Void a round; one that claims the jackpot by two people. Raises Refused."""
    where = f"rounds/{round_id}"
    try:
        boss.post(f"{where}/void/", {"reason": reason})
    except Refused as refused:
        if refused.code != CLAIMS:
            raise
        asked = boss.post(f"{where}/void-request/", {"reason": reason})
        manager.sign(asked)
        boss.post(f"{where}/void/", {"reason": reason, "approval": asked["id"]})


def listed(person: Person, jackpot: str) -> dict[str, dict[str, Any]]:
    """The displays of a jackpot by id: which ones its tables wait for, when each was heard last.
    Raises Refused.
    """
    return {one["display"]: one for one in person.client.every(f"jackpots/{jackpot}/displays/")}


def tap(person: Person, jackpot: str, manner: str) -> Display:
    """Become the demo house's own display, or one more where somebody shows that. Raises Refused.

    Whoever showed it until a moment ago and was killed holds it for some seconds yet.
    """
    before = listed(person, jackpot)
    time.sleep(LOOK_S)
    for display, one in listed(person, jackpot).items():
        silent = (
            one["required_since"]
            and one["seen_at"]
            and one["seen_at"] == before[display]["seen_at"]
        )
        if silent and datetime.now(UTC) - datetime.fromisoformat(one["seen_at"]) < timedelta(
            seconds=2 * HELD_S
        ):
            time.sleep(HELD_S)
            break
    return Display(person.client.address, "Display", manner, person.client.tally, jackpot=jackpot)


def take_down(
    people: Mapping[str, Person], jackpot: str, displays: Iterable[str], left: Left
) -> None:
    """Displays come off the list that tables wait for, each by two people in turns, and go out of
    service; the demo house's own comes back on it where it was taken off as dark. Raises Refused.
    """
    boss, asks, signs = people["boss"], people["manager"], people["boss"]
    ours, there = list(displays), listed(boss, jackpot)
    waited_for = {display for display, one in there.items() if one["required_since"]}
    if waited_for and waited_for <= set(ours):
        own = tap(boss, jackpot, PROMPT)
        people["technician"].post(f"jackpots/{jackpot}/displays/", {"display": own.id})
        own.stop()
    for display in ours:
        if display in waited_for:
            signs.sign(
                asks.post(f"jackpots/{jackpot}/displays/{display}/out-request/", {"reason": OVER})
            )
            asks, signs = signs, asks  # a code of an authenticator is good once in half a minute
        revoke(boss, display)
        left.cleared("displays", display)


def revoke(boss: Person, device: str) -> None:
    """Take a device out of service; one that is so already, or that nobody knows any more, stays as
    it is. Raises Refused.
    """
    try:
        boss.client.form(f"/devices/{device}/revoke/", reason=OVER)
    except Refused as refused:
        if refused.status != 404:
            raise
