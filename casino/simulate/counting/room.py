"""All trays of an evening: which table has which mistake, closers, and what comes after them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from casino.simulate.books.chips import CLOSER, TrayMoves
from casino.simulate.books.rules import Posted
from casino.simulate.counting.amiss import CashPlan, cash_plans, reliefs_of
from casino.simulate.counting.cash import TableCash
from casino.simulate.counting.trays import Tray, at_tablet, is_counted
from casino.simulate.games import GAMES
from casino.simulate.plan import JACKPOT_ONLY

if TYPE_CHECKING:
    from casino.simulate.floor import Evening
    from casino.simulate.poker.table import RakedTable
    from casino.simulate.tablet import Table


class Counting:
    """`trays` by id of their tables; `cash`: of those at which no poker is dealt."""

    sells = True  # where nothing is sold and nothing counted between, a script plays

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.trays: dict[str, Tray] = {}
        self.cash: list[TableCash] = []
        self.plans: Mapping[int, CashPlan] = {}

    def deal(
        self, rows: Sequence[Mapping[str, Any]], levels: Sequence[str], posted: Posted
    ) -> None:
        """Which of these tables has which mistake."""
        evening = self.evening
        numbered = [
            (number, row)
            for number, (row, level) in enumerate(zip(rows, levels, strict=True), 1)
            if is_counted(row, posted) and level != JACKPOT_ONLY
        ]
        options = evening.options
        if not self.sells:
            return
        apart = [number for number, row in numbered if not GAMES[row["game"]].LINKED]
        tables = [number for number, _row in numbered]
        self.plans = cash_plans(options.seed, evening.rounds_each, tables, apart)
        if not options.mistakes:
            self.plans = {table: plan._replace(kinds=()) for table, plan in self.plans.items()}

    def kinds(self, number: int) -> tuple[str, ...]:
        """The mistakes of a table."""
        return self.plans[number].kinds if number in self.plans else ()

    def join(self, table: "Table", tray: Tray | None) -> None:
        """A table has opened; `tray`: where it is counted."""
        if tray is None:
            return
        quiet = CashPlan(self.evening.options.seed, table.number, reliefs_of(1), 0, quiet=True)
        plan = self.plans.get(table.number, quiet)
        cash = table.cash = TableCash(table, tray, plan)
        tray.played(cash.moved, lambda: at_tablet(table.client, table.croupier))
        self.trays[table.row["id"]] = tray
        self.cash.append(cash)

    def join_poker(self, table: "RakedTable", tray: Tray, croupier: str) -> None:
        """The same of a table of poker."""

        def moved() -> TrayMoves:
            minor = table.book.into_tray()
            return TrayMoves(minor, minor)

        tray.played(moved, lambda: at_tablet(table.client, croupier))
        self.trays[table.row["id"]] = tray

    def close(self, table_id: str) -> None:
        """Count the closer of a counted table. Raises Refused, NotPlayable."""
        if table_id in self.trays:
            self.trays[table_id].count(CLOSER)

    def after_closing(self) -> None:
        """What comes late. Raises Refused, Unreachable."""
        for cash in self.cash:
            cash.after_closing(self.evening.people["manager"])
