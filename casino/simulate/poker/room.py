"""The tables of poker beside an evening: opened, played side by side, and left in order."""

import threading
from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

from casino.simulate import set_up
from casino.simulate.books.compare import Books
from casino.simulate.books.poker import posted_at
from casino.simulate.books.rules import Posted
from casino.simulate.clients import Refused
from casino.simulate.left import Left
from casino.simulate.people import CROUPIERS, Person
from casino.simulate.poker.potted import PottedTable
from casino.simulate.poker.table import RakedTable

if TYPE_CHECKING:
    from casino.simulate.floor import Evening

GAME = "poker"


class PokerRoom:
    """`tables`: those that play, in turns at a level each."""

    levels: tuple[type[RakedTable], ...] = (PottedTable, RakedTable)

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.tables: list[RakedTable] = []
        self._lock = threading.Lock()

    def open(self, posted: Posted, croupiers: Mapping[str, str]) -> None:
        """Open as many tables as are asked for, of those at which nobody plays and pots pay; a
        table that is missing is set up like the first. Raises Wrong, NotPlayable, Refused,
        Unreachable.
        """
        evening, boss = self.evening, self.evening.people["boss"]
        opened = []
        names = list(CROUPIERS)[::-1]
        for row, croupier, at_level in zip(self._rows(), names, cycle(self.levels), strict=False):
            opening = set_up.Opening(row, at_level.level, croupier, croupiers[croupier])
            opened_table = set_up.open_table(evening.options, boss, opening, posted, evening.left)
            table = at_level(self, row)
            self.tables.append(table)
            if opened_table.tray:
                table.tray = opened_table.tray
                evening.counting.join_poker(table, opened_table.tray, croupier)
            opened.append((table, opened_table.client, opened_table.session["gaming_day"]))
        for table, client, day in opened:
            table.open(client, day, posted_at(posted, table.row["posted"], day))

    def _rows(self) -> list[dict[str, Any]]:
        wanted = self.evening.options.poker
        if not wanted:
            return []
        people = self.evening.people
        boss, technician = people["boss"], people["technician"]
        rows = [
            row
            for row in boss.client.every("tables/")
            if (row["game"], row["state"]) == (GAME, "closed") and "rake" in row["posted"]
        ]
        while rows and len(rows) < wanted:
            number = len(rows) + 1
            named = {"name": f"Poker {number}", "position": number}
            made = technician.post("tables/", set_up.like(rows[0]) | named)
            rows.append(boss.client.get(f"tables/{made['id']}/"))
        return rows[:wanted]

    # Seats
    def seat_at(self, table: RakedTable) -> int:
        """A seat of a table that is free, and from now on is not; 0 where there is none."""
        with self._lock:
            return table.free.pop(0) if table.free else 0

    def give_back(self, table: RakedTable, seat: int) -> None:
        """A seat is free again."""
        with self._lock:
            table.free.append(seat)

    def beside(self, table: RakedTable) -> RakedTable:
        """The table to which its guests go; itself where it is alone."""
        place = self.tables.index(table) + 1
        return self.tables[place % len(self.tables)]

    # The end
    def close(self) -> None:
        """Hands at hand are played to their end; guests leave. Raises Refused, Unreachable."""
        self.evening.stop.set()
        for table in self.tables:
            table.end_play()
        for table in self.tables:
            table.leave_all()

    def hang_up(self) -> None:
        """All tablets."""
        for table in self.tables:
            table.client.close()

    def compare(self, books: Books) -> None:
        """Each table's book with what the service has. Raises Refused, Unreachable."""
        for table in self.tables:
            table.compare(books.same)

    def totals(self) -> dict[str, dict[str, int]]:
        """The evening of each table in figures, in minor units."""
        return {table.name: table.book.totals() for table in self.tables}


def leave_all(boss: Person, left: Left) -> None:
    """Guests of an evening that was broken off leave with what they brought. Raises Unreachable,
    and Refused where it is not that they have left.
    """
    for stay in left.rows("stays"):
        try:
            boss.post(f"stays/{stay['stay']}/leave/", {"counted_minor": stay["minor"]})
        except Refused as refused:
            if refused.status not in (404, 409):
                raise
        left.cleared("stays", stay)
