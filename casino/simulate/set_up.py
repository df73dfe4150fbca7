"""The floor before and after an evening, through the API alone: tables, tablets, displays."""

import re
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from casino.simulate.books.rules import JackpotRules, Posted
from casino.simulate.cards import luck
from casino.simulate.clear import end_table, listed, tap
from casino.simulate.clients import Client, Refused, Tally
from casino.simulate.counting.trays import COUNTED_BY, Tray, at_tablet, is_counted
from casino.simulate.display import NEVER, Display
from casino.simulate.games import GAMES, Game
from casino.simulate.left import Left
from casino.simulate.options import Options, Wrong
from casino.simulate.people import (
    BOSS,
    CAGE,
    CROUPIERS,
    MANAGER,
    TECHNICIAN,
    Person,
    tablet_client,
    tablet_sign_in,
)
from casino.simulate.pit import Pit
from casino.simulate.texts import TAKEN, refusal

CODE = re.compile(r'class="secret">([^<]+)<')
RESCUE_S = 200


def people_in(options: Options, tally: Tally, left: Left) -> dict[str, Person]:
    """The people of an evening, signed in. Raises NoEntry, Refused, Unreachable."""
    found = {}
    for part, username in {
        "boss": BOSS,
        "manager": MANAGER,
        "cage": CAGE,
        "technician": TECHNICIAN,
    }.items():
        chance = luck(options.seed, "answers", username)
        found[part] = Person(
            options.url, username, tally, chance, lossy=options.lossy / 100
        ).sign_in()
        left.note("sessions", found[part].client.cookies)
    return found


def jackpot_of(options: Options, boss: Person) -> dict[str, Any]:
    """The jackpot that is played for. Raises Wrong unless there is one that can open."""
    rows: list[dict[str, Any]] = [
        one for one in boss.client.every("jackpots/") if one["phase"] != "retired"
    ]
    named = [one for one in rows if options.jackpot in ("", one["name"])]
    if not named:
        names = ", ".join(one["name"] for one in rows) or "none"
        raise Wrong(f"The house has no jackpot “{options.jackpot}”; it has: {names}.")
    jackpot = named[0]
    if jackpot["phase"] not in ("open", "showing"):
        raise Wrong(
            f"{jackpot['name']} is {jackpot['phase']}, not open: bring that to its end first."
        )
    return jackpot


def tables_of(
    options: Options, people: dict[str, Person], jackpot: dict[str, Any]
) -> list[dict[str, Any]]:
    """The tables that are played at, game by game: those of the house, and further ones like them
    if more are asked for. Raises Wrong, also where somebody plays at them and nobody says that they
    may be taken.
    """
    found = []
    for code, wanted in options.by_game().items():
        found += _tables_of_game(GAMES[code], code, wanted, people, jackpot)
    taken = [one for one in found if one["state"] == "open"]
    if taken and not options.may_take("; ".join(_played(one) for one in taken)):
        where = ", ".join(one["name"] for one in taken)
        raise Wrong(
            f"Somebody plays at {where}: close them first, or say that they may be taken"
            f" ({options.taking})."
        )
    for one in found:
        take(people, one, jackpot["id"])
    return found


def _tables_of_game(
    game: Game,
    code: str,
    asked: int | None,
    people: dict[str, Person],
    jackpot: dict[str, Any],
) -> list[dict[str, Any]]:
    """So many tables of one game, or all of the house. Raises Wrong."""
    boss, technician = people["boss"], people["technician"]
    tables = boss.client.every("tables/")
    links = (None, jackpot["id"]) if game.LINKED else (None,)
    rows = [
        one
        for one in tables
        if one["game"] == code and one["jackpot"] in links and not one["retired"]
    ]
    if not rows:
        raise Wrong(f"The house has no table of {game.TITLE}.")
    names = {one["name"] for one in tables}
    wanted = asked or len(rows)
    while len(rows) < wanted:
        number = next(one for one in range(1, 1000) if f"{game.NAME} {one}" not in names)
        name = f"{game.NAME} {number}"
        names.add(name)
        made = technician.post("tables/", like(rows[0]) | {"name": name, "position": number})
        if game.LINKED:
            technician.post(f"tables/{made['id']}/link/", {"jackpot": jackpot["id"]})
        rows.append(boss.client.get(f"tables/{made['id']}/"))
    for one in rows[wanted:]:
        if one["state"] == "open" and one["jackpot"]:
            raise Wrong(
                f"{one['name']} is open and feeds the same jackpot: close it, or play it too"
                " (--tables)."
            )
    return rows[:wanted]


def levels_of(rows: list[dict[str, Any]]) -> list[str]:
    """How each of these tables is entered: those of a game in turns."""
    levels: list[str] = []
    for place, row in enumerate(rows):
        levels_in_turn = GAMES[row["game"]].LEVELS
        before = sum(other["game"] == row["game"] for other in rows[:place])
        levels.append(levels_in_turn[before % len(levels_in_turn)])
    return levels


def like(row: dict[str, Any]) -> dict[str, Any]:
    """A table as another one, but that nobody counts its tray: nothing lies there, for there is no
    fill through the API.
    """
    parts = {part: row[part] for part in ("pit", "game", "boxes")}
    names = {kind: name for kind, name in row["posted"].items() if kind not in COUNTED_BY}
    return parts | {"posted": names}


def _played(table: dict[str, Any]) -> str:
    """Who plays at an open table."""
    round_too = ", and a round is running" if table["running_round"] else ""
    return f"{table['name']} is open, {table['croupier']['name']} has it{round_too}"


def take(people: dict[str, Person], table: dict[str, Any], jackpot_id: str) -> None:
    """End what is played at a table, and link it where its game feeds the jackpot."""
    end_table(people["boss"], people["manager"], table, TAKEN)
    if GAMES[table["game"]].LINKED and table["jackpot"] != jackpot_id:
        people["technician"].post(f"tables/{table['id']}/link/", {"jackpot": jackpot_id})


def croupiers_of(boss: Person) -> dict[str, str]:
    """Ids of the demo's croupiers by username. Raises Wrong where they are not there."""
    ids = {one["name"]: one["id"] for one in boss.client.every("croupiers/")}
    missing = [name for name in CROUPIERS.values() if name not in ids]
    if missing:
        raise Wrong(
            f"{missing[0]} is not there: the simulator plays with the people of the demo house."
        )
    return {username: ids[name] for username, name in CROUPIERS.items()}


class OpenedTable(NamedTuple):
    """A table that was opened, with its tablet; `tray`: where it is counted."""

    session: dict[str, Any]
    client: Client
    device: str
    tray: Tray | None


class Opening(NamedTuple):
    """How a table is opened; `croupier_id`: as the house knows them, `amiss`: what its people do
    amiss with chips.
    """

    row: dict[str, Any]
    level: str
    croupier: str
    croupier_id: str
    amiss: tuple[str, ...] = ()


def open_table(
    options: Options, boss: Person, opening: Opening, posted: Posted, left: Left
) -> OpenedTable:
    """Enrol a table's tablet, count its tray where that is asked for, and open it. Raises Wrong
    where the house is closed.
    """
    row, croupier = opening.row, opening.croupier
    chance = luck(options.seed, "answers", row["name"])
    client, device = tablet_client(
        options.url, row["id"], boss.client.tally, chance, lossy=options.lossy / 100
    )
    left.note("tablets", device)
    tray = Tray(row, posted, boss) if is_counted(row, posted) else None
    try:
        tablet_sign_in(client, device, croupier)
        if tray:
            tray.open(at_tablet(client, croupier), opening.amiss)
        session = begin_session(boss, opening)
    except Exception:
        client.close()
        raise
    left.note("tables", {"table": row["id"], "session": session["id"]})
    return OpenedTable(session, client, device, tray)


def begin_session(boss: Person, opening: Opening) -> dict[str, Any]:
    """Open a table. Raises Wrong where the house is closed."""
    row = opening.row
    try:
        # its people may be of today, and its prizes wait then: asked about, it opens all the same
        given = {"croupier": opening.croupier_id, "entry_level": opening.level}
        session: dict[str, Any] = boss.post(
            f"tables/{row['id']}/open/", given | {"reason": "rehearsal"}
        )
    except Refused as refused:
        raise Wrong(f"{row['name']} does not open: {refusal(refused.problem)}.") from refused
    return session


class Displays:
    """The displays of an evening: one is the demo house's own, if no browser shows it; the others
    hang beside it, until it ends.
    """

    def __init__(
        self,
        options: Options,
        people: dict[str, Person],
        jackpot: dict[str, Any],
        tally: Tally,
        left: Left,
    ) -> None:
        self.options, self.technician, self.tally, self.left = (
            options,
            people["technician"],
            tally,
            left,
        )
        self.jackpot, self.path = jackpot, f"jackpots/{jackpot['id']}/displays/"
        self.all: list[Display] = []

    def rescue(self, pit: Pit) -> None:
        """A value is on its way to displays that do not come: show it. Raises Wrong."""
        display = self._tapped(next(one for one in self.options.manners if one != NEVER))
        display.start()
        if not self._listed()[display.id]["gate"]:
            pit.manager.sign(self.technician.post(f"{self.path}{display.id}/add-request/"))
        if not pit.wait_open(RESCUE_S):
            raise Wrong(
                f"{self.jackpot['name']} waits for displays that do not come: bring that to its end"
                " first."
            )

    def enrol(self, pit: Pit, tell: Callable[[str], None]) -> None:
        """Hang them up, have the tables wait for them, and for no dead one of before."""
        there = [one.manner for one in self.all]
        for number, manner in enumerate(self.options.manners, 1):
            if manner in there:
                there.remove(manner)
            elif not self.all and manner != NEVER:
                self._tapped(manner)
            else:
                self._new(f"Demo-Display {number}", manner)
        listed = self._listed()
        for display in self.all:
            display.tell = tell
            if not listed[display.id]["required_since"]:
                self.technician.post(self.path, {"display": display.id})
            display.start()
        mine = {one.id for one in self.all}
        for one in listed.values():
            if one["required_since"] and one["display"] not in mine and not self._lives(one):
                tell(f"{one['name']} is dark; it is taken out before the first round.")
                pit.take_out(one)

    def _listed(self) -> dict[str, dict[str, Any]]:
        return listed(self.technician, self.jackpot["id"])

    def _lives(self, one: dict[str, Any]) -> bool:
        """Whether it is heard: its last sign of life changes while we look."""
        threading.Event().wait(2 if one["seen_at"] else 0)
        return bool(self._listed()[one["display"]]["seen_at"] != one["seen_at"])

    def _tapped(self, manner: str) -> Display:
        display = tap(self.technician, self.jackpot["id"], manner)
        one = self._listed()[display.id]
        display.name = f"{one['name']} ({manner})"
        if not one["required_since"]:  # the house's own stays when we go
            self.left.note("displays", display.id)
        self.all.append(display)
        return display

    def _new(self, name: str, manner: str) -> None:
        _where, page = self.technician.client.form(
            "/devices/display/", jackpot=self.jackpot["id"], name=name
        )
        code = CODE.search(page.decode())
        if code is None:
            raise Wrong("The technician got no code for a display.")
        display = Display(self.options.url, f"{name} ({manner})", manner, self.tally, code=code[1])
        self.left.note("displays", display.id)
        self.all.append(display)

    def stop(self) -> None:
        """Turn them off."""
        for one in self.all:
            one.stop()


def let_play_offline(technician: Person, jackpot: dict[str, Any], setting: str) -> None:
    """Set the house's rule for tables without the server. Raises Refused."""
    technician.post(f"jackpots/{jackpot['id']}/parameters/", {"offline_linked": setting})


def coins_known(rules: JackpotRules, jackpot: dict[str, Any]) -> None:
    """Raise Wrong where the meter cannot be followed from outside."""
    if rules.cap is not None and jackpot["shown_minor"] >= rules.cap:
        raise Wrong(
            f"{jackpot['name']} stands at its cap: what lies above it is not shown, so our books"
            " cannot follow it."
        )
