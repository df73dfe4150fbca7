"""An evening that was killed: whoever comes next clears away what it left, a hit at hand
included."""

from collections.abc import Callable
from typing import Any

from casino.simulate.clear import end_table, listed, revoke, take_down, tap, void
from casino.simulate.clients import Client, Refused, Tally
from casino.simulate.counting.gaps import OPEN, TODAY, explain_all, gap_rows
from casino.simulate.display import PROMPT
from casino.simulate.left import Left
from casino.simulate.options import Options, Wrong
from casino.simulate.people import CAGE, PINS, Person
from casino.simulate.pit import Pit
from casino.simulate.poker.room import leave_all
from casino.simulate.set_up import people_in

WHY = "the evening was broken off"
END_S = 240.0
MOVING = ("draining", "verifying", "showing")


def clear_away(url: str, left: Left, say: Callable[[str], None]) -> None:
    """Bring to its end what an evening has left, and clear it away. Raises Wrong, NoEntry, Refused,
    Unreachable.
    """
    if left.is_played:
        raise Wrong("Another evening is being played on this house: wait for its end, or stop it.")
    say("An evening before this one was broken off: what it left is cleared away.")
    before = left.rows("sessions")
    people = people_in(Options(url=url), Tally(), left)
    try:
        _clear(left, people, say)
    finally:
        for person in people.values():
            cookies = person.client.cookies
            person.sign_out()
            person.client.close()
            left.cleared("sessions", cookies)
    for cookies in before:
        _sign_out(url, cookies)
        left.cleared("sessions", cookies)
    say(
        "All of it is gone: tables are closed, displays and tablets out of service, people signed"
        " out."
    )


def _clear(left: Left, people: dict[str, Person], say: Callable[[str], None]) -> None:
    boss, manager = people["boss"], people["manager"]
    tables = _open_still(boss, left)
    for row in tables:
        if row["running_round"]:
            void(boss, manager, row["running_round"]["id"], WHY)
    jackpot = _known(boss, f"jackpots/{left.jackpot}/") if left.jackpot else None
    if jackpot:
        if jackpot["phase"] in MOVING:
            _end_hit(people, jackpot, left, say)
        _pay_slips(people, left)
        take_down(people, jackpot["id"], left.rows("displays"), left)
    leave_all(boss, left)
    trays = {tray["table"]: tray["minor"] for tray in left.rows("trays")}
    for row in tables:
        end_table(boss, manager, row | {"running_round": None}, WHY, trays.get(row["id"]))
    for tray in left.rows("trays"):
        left.cleared("trays", tray)
    _explain(manager, {row["name"] for row in tables})
    for one in left.rows("tables"):
        left.cleared("tables", one)
    for kind in ("displays", "tablets"):
        for device in left.rows(kind):
            revoke(boss, device)
            left.cleared(kind, device)


def _explain(manager: Person, tables: set[str]) -> None:
    """Differences of these tables; what that evening would have known of them is lost."""
    rows = gap_rows(manager.client, [TODAY])
    waits = [row for row in rows if row["table"] in tables and row["state"] == OPEN]
    if waits:
        explain_all(waits, (), manager)


def _open_still(boss: Person, left: Left) -> list[dict[str, Any]]:
    """The tables that are open still as that evening opened them: what somebody opened since is
    theirs.
    """
    rows = [(one, _known(boss, f"tables/{one['table']}/")) for one in left.rows("tables")]
    return [
        row
        for one, row in rows
        if row and row["session"] and row["session"]["id"] == one["session"]
    ]


def _known(boss: Person, path: str) -> dict[str, Any] | None:
    """What stands there; nothing where the house was emptied since."""
    try:
        found: dict[str, Any] = boss.client.get(path)
    except Refused as refused:
        if refused.status != 404:
            raise
        return None
    return found


def _end_hit(
    people: dict[str, Person], jackpot: dict[str, Any], left: Left, say: Callable[[str], None]
) -> None:
    """People look at what is claimed, and nobody knows its cards: it is refused; what was verified
    is paid. Raises Wrong.
    """
    boss = people["boss"]
    display = tap(boss, jackpot["id"], PROMPT).start()
    # the house's own is shown elsewhere
    if not listed(boss, jackpot["id"])[display.id]["required_since"]:
        left.note("displays", display.id)
    pit = Pit(
        people,
        jackpot,
        boss.client.tally,
        tell=say,
        differs=say,
        is_true=lambda _round, _box: False,
    )
    pit.start()
    try:
        if not pit.wait_open(END_S):
            raise Wrong(f"{jackpot['name']} does not open: look at it in the control room.")
    finally:
        pit.end()
        display.stop()


def _pay_slips(people: dict[str, Person], left: Left) -> None:
    """The slips that guests of that evening have won: nobody will come for them."""
    sessions = {one["session"] for one in left.rows("tables")}
    cage, boss = people["cage"], people["boss"]
    for slip in cage.client.every("slips/"):
        if (
            slip["state"] == "open"
            and boss.client.get(f"rounds/{slip['award']['round']}/")["session"] in sessions
        ):
            cage.post(
                f"slips/{slip['id']}/pay/",
                {"cash_minor": slip["to_pay_minor"], "secret": PINS[CAGE]},
            )


def _sign_out(url: str, cookies: dict[str, str]) -> None:
    client = Client(url, Tally())
    client.cookies.update(cookies)
    try:
        client.form("/sign-out/")
    except Refused:
        pass  # the session is over
    finally:
        client.close()
