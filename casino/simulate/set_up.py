"""The floor before and after an evening, through the API alone: tables, tablets, displays."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from casino.simulate.cards import luck
from casino.simulate.clients import Refused, Tally
from casino.simulate.display import NEVER, Display
from casino.simulate.options import Options, Wrong
from casino.simulate.people import BOSS, CAGE, CROUPIERS, MANAGER, TECHNICIAN, Person, tablet_client, tablet_sign_in
from casino.simulate.pit import Pit
from casino.simulate.rules import JackpotRules

CODE = re.compile(r'class="secret">([^<]+)<')
RESCUE_S = 200


def people_in(options: Options, tally: Tally) -> dict[str, Person]:
    """The people of an evening, signed in. Raises NoEntry, Refused, Unreachable."""
    found = {}
    for part, username in {"boss": BOSS, "manager": MANAGER, "cage": CAGE, "technician": TECHNICIAN}.items():
        chance = luck(options.seed, "answers", username)
        found[part] = Person(options.url, username, tally, chance, lossy=options.lossy / 100).sign_in()
    return found


def jackpot_of(options: Options, boss: Person) -> dict[str, Any]:
    """The jackpot that is played for. Raises Wrong unless there is one that can open."""
    rows: list[dict[str, Any]] = [one for one in boss.client.every("jackpots/") if one["phase"] != "retired"]
    named = [one for one in rows if options.jackpot in ("", one["name"])]
    if not named:
        names = ", ".join(one["name"] for one in rows) or "none"
        raise Wrong(f"The house has no jackpot “{options.jackpot}”; it has: {names}.")
    jackpot = named[0]
    if jackpot["phase"] not in ("open", "showing"):
        raise Wrong(f"{jackpot['name']} is {jackpot['phase']}, not open: bring that to its end first.")
    return jackpot


def tables_of(options: Options, people: dict[str, Person], jackpot: dict[str, Any]) -> list[dict[str, Any]]:
    """The tables that are played at: those of the house, and further ones like them if more are asked for. Raises Wrong."""
    boss, technician = people["boss"], people["technician"]
    rows = [
        one for one in boss.client.every("tables/") if one["game"] == "uth" and one["jackpot"] in (None, jackpot["id"])
    ]
    if not rows:
        raise Wrong("The house has no table of Ultimate Texas Hold'em.")
    names = {one["name"] for one in boss.client.every("tables/")}
    wanted = options.tables or len(rows)
    while len(rows) < wanted:
        number = next(one for one in range(1, 1000) if f"UTH {one}" not in names)
        names.add(f"UTH {number}")
        like = {name: rows[0][name] for name in ("pit", "game", "boxes", "posted")}
        made = technician.post("tables/", like | {"name": f"UTH {number}", "position": number})
        technician.post(f"tables/{made['id']}/link/", {"jackpot": jackpot["id"]})
        rows.append(boss.client.get(f"tables/{made['id']}/"))
    for one in rows[wanted:]:
        if one["state"] == "open" and one["jackpot"]:
            raise Wrong(f"{one['name']} is open and feeds the same jackpot: close it, or play it too (--tables).")
    for one in rows[:wanted]:
        clear(people, one, jackpot["id"])
    return rows[:wanted]


def clear(people: dict[str, Person], table: dict[str, Any], jackpot_id: str) -> None:
    """End what an evening before this one left at a table, and link it."""
    boss = people["boss"]
    if table["running_round"]:
        boss.post(f"rounds/{table['running_round']['id']}/void/", {"reason": "left over"})
    if table["state"] == "open":
        boss.post(f"tables/{table['id']}/close/")
    if table["jackpot"] != jackpot_id:
        people["technician"].post(f"tables/{table['id']}/link/", {"jackpot": jackpot_id})


def croupiers_of(boss: Person) -> dict[str, str]:
    """Ids of the demo's croupiers by username. Raises Wrong where they are not there."""
    ids = {one["name"]: one["id"] for one in boss.client.every("croupiers/")}
    missing = [name for name in CROUPIERS.values() if name not in ids]
    if missing:
        raise Wrong(f"{missing[0]} is not there: the simulator plays with the people of the demo house.")
    return {username: ids[name] for username, name in CROUPIERS.items()}


def open_table(options: Options, boss: Person, row: dict[str, Any], level: str, croupier: str, croupier_id: str) -> Any:
    """Open a table and enrol its tablet; gives session, client and device. Raises Wrong where the house is closed."""
    try:
        session = boss.post(f"tables/{row['id']}/open/", {"croupier": croupier_id, "entry_level": level})
    except Refused as refused:
        raise Wrong(f"{row['name']} does not open: {refused.problem.get('title', refused)}") from refused
    chance = luck(options.seed, "answers", row["name"])
    client, device = tablet_client(options.url, row["id"], boss.client.tally, chance, lossy=options.lossy / 100)
    tablet_sign_in(client, device, croupier)
    return session, client, device


# --- displays ----------------------------------------------------------------------------------------------------------------
class Displays:
    """The displays of an evening. Their cookies are kept in a file if one is named: a screen stays the same screen."""

    def __init__(self, options: Options, people: dict[str, Person], jackpot: dict[str, Any], tally: Tally) -> None:
        self.options, self.technician, self.tally = options, people["technician"], tally
        self.jackpot, self.path = jackpot, f"jackpots/{jackpot['id']}/displays/"
        self.all: list[Display] = []

    def rescue(self, pit: Pit) -> None:
        """An evening before this one broke off while a value was on its way to the displays: show it. Raises Wrong."""
        first = next(one for one in self.options.manners if one != NEVER)
        self.all.append(display := self._kept(first) or self._new(f"Display 1 ({first})", first))
        display.start()
        listed = {one["display"]: one for one in self.technician.client.every(self.path)}
        if not listed[display.id]["gate"]:
            pit.manager.sign(self.technician.post(f"{self.path}{display.id}/add-request/"))
        if not pit.wait_open(RESCUE_S):
            raise Wrong(f"{self.jackpot['name']} waits for displays that do not come: bring that to its end first.")

    def enrol(self, pit: Pit, tell: Callable[[str], None]) -> None:
        """Hang them up, have the tables wait for them, and for no dead one of before."""
        there = [one.manner for one in self.all]
        for number, manner in enumerate(self.options.manners, 1):
            if manner in there:
                there.remove(manner)
            else:
                self.all.append(self._kept(manner) or self._new(f"Display {number} ({manner})", manner))
        self.keep()
        listed = {one["display"]: one for one in self.technician.client.every(self.path)}
        for display in self.all:
            display.tell = tell
            if not listed[display.id]["required_since"]:
                self.technician.post(self.path, {"display": display.id})
            display.start()
        mine = {one.id for one in self.all}
        others = [one for one in listed.values() if one["required_since"] and one["display"] not in mine]
        for one in others if mine else ():
            if not self._lives(one):
                tell(f"{one['name']} of an earlier evening is dark; it is taken out before the first round.")
                pit.take_out(one)

    def _lives(self, one: dict[str, Any]) -> bool:
        """Whether it is heard: its last sign of life changes while we look."""
        threading.Event().wait(2 if one["seen_at"] else 0)
        later = next(row for row in self.technician.client.every(self.path) if row["display"] == one["display"])
        return bool(later["seen_at"] != one["seen_at"])

    def _new(self, name: str, manner: str) -> Display:
        _where, page = self.technician.client.form("/devices/display/", jackpot=self.jackpot["id"], name=name)
        code = CODE.search(page.decode())
        if code is None:
            raise Wrong("The technician got no code for a display.")
        return Display(self.options.url, code[1], name, manner, self.tally)

    def _kept(self, manner: str) -> Display | None:
        """The display of that manner that hung there before, if it is still in service."""
        for one in self._read().get(self.jackpot["id"], ()):
            if one["manner"] == manner and one["id"] not in {display.id for display in self.all}:
                display = Display.again(self.options.url, one, self.tally)
                try:
                    display.client.ask(f"/display/{display.id}/now/")
                except Refused:
                    continue
                return display
        return None

    def keep(self) -> None:
        """Write the cookies down for the next evening."""
        if self.options.keep:
            kept = self._read() | {self.jackpot["id"]: [one.kept() for one in self.all]}
            path = Path(self.options.keep)
            path.touch(mode=0o600)
            path.write_text(json.dumps(kept))

    def _read(self) -> dict[str, list[dict[str, Any]]]:
        try:
            found: dict[str, list[dict[str, Any]]] = json.loads(Path(self.options.keep).read_text())
        except (OSError, ValueError):
            return {}
        return found

    def stop(self) -> None:
        """Turn them off, and keep what they need to come back."""
        for one in self.all:
            one.stop()
        self.keep()


# --- what linked tables do without the server ---------------------------------------------------------------------------------
def let_play_offline(technician: Person, jackpot: dict[str, Any], setting: str) -> None:
    """Set the house's rule for tables without the server. Raises Refused."""
    technician.post(f"jackpots/{jackpot['id']}/parameters/", {"offline_linked": setting})


def coins_known(rules: JackpotRules, jackpot: dict[str, Any]) -> None:
    """Raise Wrong where the meter cannot be followed from outside."""
    if rules.cap is not None and jackpot["shown_minor"] >= rules.cap:
        raise Wrong(
            f"{jackpot['name']} stands at its cap: what lies above it is not shown, so our books cannot follow it."
        )
