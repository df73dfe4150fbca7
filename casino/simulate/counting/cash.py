"""What happens at a counted table beside its rounds: guests buy chips and give tips, its tray is
counted at reliefs, people err, and a chip may be stolen.
"""

import uuid
from typing import TYPE_CHECKING, Any

from casino.simulate import texts
from casino.simulate.books.chips import RELIEF, TrayMoves, into_tray
from casino.simulate.books.lines import Line, Lines, add
from casino.simulate.cards import luck
from casino.simulate.counting import amiss
from casino.simulate.counting.amiss import CashPlan
from casino.simulate.counting.trays import Tray, happens
from casino.simulate.people import Person
from casino.simulate.plan import RoundPlan

if TYPE_CHECKING:
    from casino.simulate.tablet import Played, Table

BUYS, TIPS = 0.12, 0.12  # shares of rounds
BOUGHT_MINOR = (10_000, 20_000)
TIP_MINOR = 500


class TableCash:
    """The cash of one table. `late`: a round that lies on its silent tablet."""

    def __init__(self, table: "Table", tray: Tray, plan: CashPlan) -> None:
        self.table, self.tray, self.plan = table, tray, plan
        self.book = tray.book
        self.late: tuple[str, RoundPlan, Any] | None = None
        self.mistakes: dict[str, Played] = {}  # by kind of mistake, rounds that were entered amiss
        self.done: list[str] = []
        self._reliefs = list(plan.reliefs)  # that are still to come

    def moved(self) -> TrayMoves:
        """What rounds have moved into the tray."""
        chips = entered = 0
        for played in list(self.table.played):
            if played.outcome and played.is_settled:
                chips += into_tray(played.outcome.lines)
                entered += into_tray(played.lines)
        if self.late:
            chips += into_tray(self.late[2].lines)
        return TrayMoves(chips, entered)

    def after(self, plan: RoundPlan) -> None:
        """A round has ended. Raises Refused, Unreachable."""
        if self.table.waiting:
            return  # without the server
        number = plan.number
        chance = luck(self.plan.seed, "cash", self.plan.table, number)
        if chance.random() < BUYS:
            self._buy(chance.choice(BOUGHT_MINOR))
        if chance.random() < TIPS:
            self._tip()
        self._tips_amiss()
        if self._is_relieved:
            self._buys_amiss(chance.choice(BOUGHT_MINOR))
        if not self._reliefs and self._comes(amiss.THEFT):
            self.book.move(-amiss.STOLEN_MINOR, 0, amiss.THEFT)
        if self._reliefs and number >= self._reliefs[0]:
            self._reliefs.pop(0)
            self.tray.count(RELIEF)

    @property
    def _is_relieved(self) -> bool:
        """Whether a relief was counted."""
        return len(self._reliefs) < len(self.plan.reliefs)

    def _comes(self, kind: str) -> bool:
        """Whether a mistake happens now: each once."""
        if kind not in self.plan.kinds or kind in self.done:
            return False
        self._happens(kind)
        return True

    # Chips and cash
    def _buy(self, minor: int, *, times: int = 1) -> list[str]:
        where = f"tables/{self.table.row['id']}/buy-ins/"
        ids = [str(uuid.uuid4()) for _time in range(times)]
        for known in ids:
            self.table.client.post(where, {"id": known, "amount_minor": minor})
        self.book.sell(minor)
        self.table.client.tally.count("buy-ins", times)
        return ids

    def _tip(self) -> None:
        tip = {"id": str(uuid.uuid4()), "amount_minor": TIP_MINOR}
        self.table.client.post(f"tables/{self.table.row['id']}/tips/", tip)
        self.book.tips += TIP_MINOR
        self.table.client.tally.count("tips")

    def _tips_amiss(self) -> None:
        """Neither moves the tray: a chip goes from a guest to the staff, or does not."""
        self._comes(amiss.TIP_MISSED)
        if self._comes(amiss.TIP_KEPT):
            self._tip()

    def _buys_amiss(self, minor: int) -> None:
        if self._comes(amiss.MISSED):
            self.book.sell(minor, entered=False, amiss=amiss.MISSED)
        if self._comes(amiss.TWICE):
            _first, second = self._buy(minor, times=2)
            self.table.client.post(f"buy-ins/{second}/take-back/")

    def _happens(self, kind: str) -> None:
        self.done.append(kind)
        happens(self.table.client, kind)
        if kind != amiss.THEFT:
            self.table.tell(f"{self.table.name}: {kind}.")

    # Rounds
    def mistypes(self, plan: RoundPlan) -> str:
        """Which mistake, if any, its croupier makes with the result of this round and leaves."""
        if plan.mishap or plan.together or plan.royal:
            return ""
        spans = ((amiss.ENTRY, self._is_relieved), (amiss.CORRECTED, not self._reliefs))
        for kind, is_due in spans:
            if is_due and kind in self.plan.kinds and kind not in self.done:
                return kind
        return ""

    def mistyped(self, kind: str, one: "Played") -> None:
        """A round was entered so: what the house has of it we read there. Raises Refused."""
        rows = self.table.client.get(f"rounds/{one.id}/")["lines"]
        lines: Lines = {}
        for row in rows:
            names = ("stake_minor", "returned_minor", "won_minor", "prize_minor")
            add(lines, one.place_of(row), Line(*(row[name] for name in names)))
        one.entered = lines
        self.mistakes[kind] = one
        self.book.amiss.append(kind)
        self._happens(kind)

    def holds_back(self, plan: RoundPlan) -> bool:
        """Whether the tablet is silent now, and the round is sent after the closer."""
        return amiss.LATE in self.plan.kinds and plan.number == self.plan.last

    def hold_back(self, plan: RoundPlan, outcome: Any) -> None:
        """It is played, and lies on the tablet."""
        self.late = str(uuid.uuid4()), plan, outcome
        self.book.amiss.append(amiss.LATE)
        self._happens(amiss.LATE)

    def after_closing(self, manager: Person) -> None:
        """What comes when the table has closed on its closer. Raises Refused, Unreachable."""
        if self.late:
            (round_id, plan, outcome), self.late = self.late, None
            self.table.waiting.append((round_id, plan, outcome))
            self.table.send_waiting()
        if one := self.mistakes.get(amiss.CORRECTED):
            self._put_right(one, manager)

    def _put_right(self, one: "Played", manager: Person) -> None:
        table = self.table
        right = table.game.result(table.level, table.rules, one.plan, one.outcome)
        body = {"result": right, "reason": texts.MISTYPED, "revision": one.revision}
        request = manager.post(f"rounds/{one.id}/correction-request/", body)
        table.boss.sign(request)
        manager.post(f"rounds/{one.id}/correct/", body | {"approval": request["id"]})
        one.revision += 1
        one.entered = None
        table.tell(f"{table.name}: a result is put right after the closer.")
