"""Trays of a campaign: tables open and close on their counts, and some are counted between while everything breaks. Whoever carries
out a signature dies in the middle of it, or once a count has begun.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from casino.simulate.books.chips import RELIEF
from casino.simulate.books.compare import Books, Service
from casino.simulate.books.rules import Posted
from casino.simulate.clients import Client
from casino.simulate.counting.amiss import MISCOUNTED, CashPlan
from casino.simulate.counting.cash import TableCash
from casino.simulate.counting.room import Counting
from casino.simulate.counting.trays import Tray, at_tablet
from casino.simulate.plan import RoundPlan
from casino.simulate.tablet import Table
from tests.faults.breaker import Breaker

WITHIN, BEGUN = "killed in the middle of a count's signature", "killed between a count's begin and its entry"
FAULTS = (WITHIN, BEGUN)
BETWEEN = "tray counted between two rounds"
SEEN = (BETWEEN, f"amiss: {MISCOUNTED}")
EVERY = 5  # after so many rounds a tray is counted
APART = 4  # every so manyth table of the jackpot is
MOST = 3  # of each fault at a table

Ask = Callable[..., list[tuple[Any, ...]]]

# What the house has of each signed count, and how often its difference was posted.
COUNTS = """
SELECT c.id::text, g.recorded_minor + g.difference_minor, g.difference_minor,
    (SELECT count(*) FROM payouts_transfer t WHERE t.subject_kind = 'count' AND t.subject_id = c.id
        AND t.kind IN ('tray_count', 'tray_result'))
FROM payouts_count c JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
WHERE c.place_kind = 'tray' AND c.state = 'signed' AND c.place_id = ANY(%s::uuid[])
"""


class KilledCash(TableCash):
    """A table whose tray is counted between its rounds."""

    def __init__(self, room: "KilledCounts", table: Table, tray: Tray) -> None:
        super().__init__(table, tray, CashPlan(0, table.number, (), 0))
        self.room = room
        self.killed: Counter[str] = Counter()

    def after(self, plan: RoundPlan) -> None:
        """A round has ended."""
        if self.table.waiting or plan.number % EVERY or not self._is_counted():
            return
        self.tray.count(RELIEF)
        self.table.client.tally.count(BETWEEN)

    def _is_counted(self) -> bool:
        """Where nobody tries meanwhile what a count refuses."""
        table: Any = self.table
        crooked = table.script.turned.crooked if table.script.turned else ()
        return not table.game.LINKED or (table.number % APART == 0 and table.number not in crooked)

    def dies(self, kind: str) -> AbstractContextManager[None]:
        """Of every second count one part is cut off, in turns."""
        breaker = self.room.breaker
        part = FAULTS[len(self.tray.rows) // 2 % 2]
        if breaker is None or kind != part or len(self.tray.rows) % 2 or self.killed[kind] >= MOST:
            return nullcontext()
        self.killed[kind] += 1
        return breaker.after(BEGUN) if kind == BEGUN else breaker.within(WITHIN, "tray", str(self.table.row["id"]))


class CutOff:
    """The client of a counted table, whose commands are cut off."""

    def __init__(self, client: Client, cash: KilledCash) -> None:
        self.client, self.tally, self.cash = client, client.tally, cash

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """As the client does, under one key whatever becomes of it."""
        kinds = {"/counts/": BEGUN, "/witness/": WITHIN}
        kind = next((kind for end, kind in kinds.items() if path.endswith(end)), "")
        with self.cash.dies(kind):
            return self.client.post(path, body)


class KilledCounts(Counting):
    """The trays of a campaign: nothing is sold, and `counted_amiss` alone compares. `breaker`: None until things break."""

    breaker: Breaker | None = None

    def deal(self, rows: Sequence[Mapping[str, Any]], levels: Sequence[str], posted: Posted) -> None:
        """No mistakes but those of `kinds`."""

    def after_closing(self) -> None:
        """Nothing comes late."""

    def compare(self, books: Books, service: Service) -> None:
        """What croupiers and attackers have put right since a count is in no tray."""

    def kinds(self, number: int) -> tuple[str, ...]:
        """Somebody miscounts once at each table, and the next count has the other half."""
        return (MISCOUNTED,)

    def join(self, table: Table, tray: Tray | None) -> None:
        """A table has opened."""
        if tray is None:
            return
        cash = table.cash = KilledCash(self, table, tray)
        client: Any = CutOff(table.client, cash)
        tray.played(cash.moved, lambda: at_tablet(client, table.croupier))
        self.trays[table.row["id"]] = tray
        self.cash.append(cash)


def counted_amiss(trays: Collection[Tray], ask: Ask) -> list[str]:
    """What the house has otherwise than those who counted: each count once, its difference posted once, where there is one."""
    booked = {counted.id: counted for tray in trays for counted in tray.book.counts}
    rows = {str(known): tuple(row) for known, *row in ask(COUNTS, [tray.row["id"] for tray in trays])}
    amiss = [f"count {known}: {'ours' if known in booked else 'theirs'} alone" for known in booked.keys() ^ rows.keys()]
    for known in booked.keys() & rows.keys():
        value, difference, posted = rows[known]
        if value != booked[known].value or posted != bool(difference):
            amiss.append(f"count {known}: {rows[known]} in place of {booked[known].value}")
    return amiss
