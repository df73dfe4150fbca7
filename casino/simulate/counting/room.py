"""All trays of an evening: which table has which mistake, closers, and what comes after them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from casino.simulate.books import results
from casino.simulate.books.chips import CLOSER, TrayMoves
from casino.simulate.books.compare import Books, Service
from casino.simulate.books.results import Place
from casino.simulate.books.rules import Posted
from casino.simulate.counting import gaps
from casino.simulate.counting.amiss import THEFT, CashPlan, cash_plans, reliefs_of
from casino.simulate.counting.boxes import count_box, waiting
from casino.simulate.counting.cash import TableCash
from casino.simulate.counting.trays import Tray, at_tablet, is_counted
from casino.simulate.games import GAMES
from casino.simulate.plan import JACKPOT_ONLY
from casino.simulate.texts import money

if TYPE_CHECKING:
    from casino.simulate.floor import Evening
    from casino.simulate.poker.table import RakedTable
    from casino.simulate.tablet import Table


AT_ONCE = 4


class Counting:
    """`trays` by id of their tables; `cash`: of those at which no poker is dealt."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.trays: dict[str, Tray] = {}
        self.cash: list[TableCash] = []
        self._poker: dict[str, RakedTable] = {}
        self.plans: dict[int, CashPlan] = {}
        self.explained = False
        self.robbed: list[gaps.Row] = []  # as the report of differences names it
        self._known: set[str] = set()  # differences of before
        self._results: results.Results = {}  # before any of our tables has opened
        self._strange: set[str] = set()  # and of what visitors have entered

    def deal(
        self, rows: Sequence[Mapping[str, Any]], levels: Sequence[str], posted: Posted
    ) -> None:
        """Which of these tables has which mistake: none where rounds tell no results, for there no
        difference is one. Raises Refused, Unreachable.
        """
        options, rounds = self.evening.options, self.evening.rounds_each
        counted = [place for place, row in enumerate(rows) if is_counted(row, posted)]
        if counted:
            self._look()
        tables = [place + 1 for place in counted if levels[place] != JACKPOT_ONLY]
        apart = [table for table in tables if not GAMES[rows[table - 1]["game"]].LINKED]
        reliefs = reliefs_of(rounds, theft=options.theft)
        dealt = cash_plans(options.seed, rounds, tables, apart, theft=options.theft)
        for place in counted:
            plan = CashPlan(options.seed, place + 1, reliefs, rounds)
            kinds = dealt[place + 1].kinds if place + 1 in dealt else ()
            if not options.mistakes:
                kinds = tuple(kind for kind in kinds if kind == THEFT)
            self.plans[place + 1] = plan._replace(kinds=kinds)

    def kinds(self, number: int) -> tuple[str, ...]:
        """The mistakes of a table."""
        return self.plans[number].kinds if number in self.plans else ()

    def join(self, table: "Table", tray: Tray | None) -> None:
        """A table has opened; `tray`: where it is counted."""
        if tray is None:
            return
        cash = table.cash = TableCash(table, tray, self.plans[table.number])
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
        self._poker[table.row["id"]] = table

    def close(self) -> None:
        """Count the closers, side by side. Raises Refused, Unreachable, NotPlayable."""
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="closer") as threads:
            list(threads.map(lambda tray: tray.count(CLOSER), self.trays.values()))

    def after_closing(self) -> None:
        """What comes late; then the drop boxes are counted. Raises Refused, Unreachable,
        NotPlayable.
        """
        people = self.evening.people
        for cash in self.cash:
            cash.after_closing(people["manager"])
        for table_id, table in self._poker.items():
            book = self.trays[table_id].book
            book.cash = book.sold = table.book.cash
        boxes = {
            table_id: tray.book.cash
            for table_id, tray in self.trays.items()
            if tray.book.counts[-1].purpose == CLOSER
        }
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="box") as threads:
            list(threads.map(partial(count_box, people), boxes.keys(), boxes.values()))

    def _look(self) -> None:
        """Before anybody plays: which differences there are; and boxes are emptied. What visitors
        have entered is no cash.
        """
        people = self.evening.people
        manager = people["manager"].client
        self._known = {row["difference_id"] for row in gaps.gap_rows(manager, [gaps.TODAY])}
        for table_id in waiting(people["cage"]):
            count_box(people, table_id, 0)
        now = {row["difference_id"] for row in gaps.gap_rows(manager, [gaps.TODAY])}
        self._strange = now - self._known
        _today, self._results = results.read_today(manager)

    # The end
    def cash_of(self) -> dict[Place, dict[str, int]]:
        """Drop and tips of tables at which no poker is dealt."""
        return {
            self.evening.places[cash.table.number]: {
                "drop": cash.book.sold,
                "tips": cash.book.tips,
            }
            for cash in self.cash
        }

    def compare(self, books: Books, service: Service) -> None:
        """Counts, results and differences beside ours; then people say why, and all of it is
        explained. Raises Refused, Unreachable.
        """
        evening = self.evening
        trays = [tray for tray in self.trays.values() if tray.book.counts]
        if not trays or self.explained:
            return
        for tray in trays:
            gaps.compare_counts(tray, books)
            place = tray.name, self._day(tray)
            gaps.compare_results(
                place, tray.book, before=self._results, books=books, now=service.results
            )
        rows = self._rows()
        own = [row for row in rows if row["difference_id"] not in self._known | self._strange]
        gaps.compare_gaps(trays, own, books)
        self._tell(own)
        waits = [row for row in rows if self._is_open(row)]
        if waits:
            gaps.explain_all(waits, trays, evening.people["manager"])
            evening.say(f"{len(waits)} differences are explained; the house is as it was.")
        still = [row["table"] for row in self._rows() if self._is_open(row)]
        books.same("tables with differences that nobody has explained", still, [])
        self.explained = True

    def _tell(self, rows: Sequence[gaps.Row]) -> None:
        evening = self.evening
        for row in rows:
            evening.say(
                f"{row['table']}, {row['place']} at the {row['purpose']}: counted"
                f" {money(row['counted'])} from the books, {money(row['left'])} is left."
            )
        if evening.options.theft:
            self.robbed = gaps.robbed(rows)
            for row in self.robbed:
                since, until = (f"{moment:%H:%M:%S}" for moment in gaps.span_of(row))
                evening.say(
                    f"The report names it: {money(-row['left'])} left the tray of {row['table']}"
                    f" between {since} and {until} (UTC)."
                )

    def _is_open(self, row: gaps.Row) -> bool:
        return row["state"] == gaps.OPEN and row["difference_id"] not in self._known

    def _rows(self) -> list[gaps.Row]:
        days = {self._day(tray) for tray in self.trays.values()}
        return gaps.gap_rows(self.evening.people["manager"].client, days)

    def _day(self, tray: Tray) -> str:
        return str(tray.rows[0]["gaming_day"])
