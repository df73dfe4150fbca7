"""The floor is cleared: a table is ended, a display comes off the list by two people, a device goes out of service."""

from collections.abc import Iterable
from typing import Any

from casino.simulate.clients import Refused
from casino.simulate.left import Left
from casino.simulate.people import Person

OVER = "the evening is over"
CLAIMS = "jackpot.round_claims"


def end_table(boss: Person, manager: Person, table: dict[str, Any], reason: str) -> None:
    """Void the round that runs at a table, and close it. Raises Refused."""
    if table["running_round"]:
        void(boss, manager, table["running_round"]["id"], reason)
    if table["state"] == "open":
        boss.post(f"tables/{table['id']}/close/")


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


def take_down(boss: Person, manager: Person, jackpot: str, displays: Iterable[str], left: Left) -> None:
    """Displays come off the list that tables wait for, each by two people in turns, and go out of service. Raises Refused."""
    path, asks, signs = f"jackpots/{jackpot}/displays/", manager, boss
    listed = {one["display"]: one for one in boss.client.every(path)}
    for display in displays:
        if listed.get(display, {}).get("required_since"):
            signs.sign(asks.post(f"{path}{display}/out-request/", {"reason": OVER}))
            asks, signs = signs, asks  # a code of an authenticator is good once in half a minute
        revoke(boss, display)
        left.cleared("displays", display)


def revoke(boss: Person, device: str) -> None:
    """Take a device out of service; one that is so already, or that nobody knows any more, stays as it is. Raises Refused."""
    try:
        boss.client.form(f"/devices/{device}/revoke/", reason=OVER)
    except Refused as refused:
        if refused.status != 404:
            raise
