"""A jackpot for the browser: a house of its own for each test, two linked tables with rounds, a display, people who can sign in."""

import itertools
from typing import ClassVar
from uuid import UUID

from casino.people.models import Person
from payouts.rules.rulesets.schema import Posted
from tests.browser.floor_house import PATIENT
from tests.browser.people import somebody
from tests.jackpot.linked import Linked, dull, royal

_numbers = itertools.count(1)
NAMES = {"boss": "Laura Bernasconi", "second": "Jean-Baptiste de la Rochefoucauld", "manager": "Beatrice Zumstein"}


class HitHouse(Linked):
    """UTH 1 and UTH 2 are open and linked; `boss`, `second` (pit bosses), `manager`, `cage` and `watch` sign in."""

    def __init__(self, *, displays: int = 2, tables: int = 2) -> None:
        super().__init__(suffix=f".h{next(_numbers)}", displays=displays, count=tables)
        self.boss, self.second = somebody(self.house, "pit_boss"), somebody(self.house, "pit_boss")
        self.manager, self.cage = somebody(self.house, "manager"), somebody(self.house, "cage")
        self.watch = somebody(self.house, "surveillance")
        for name, full_name in NAMES.items():
            Person.objects.filter(pk=getattr(self, name).pk).update(full_name=full_name)
        self.page = f"/floor/jackpots/{self.jackpot.pk}/"

    def running(self) -> tuple[UUID, UUID]:
        """A locked round with a coin at each table."""
        return self.start(0), self.start(1)

    def hit(self, *, winners: int = 2) -> str:
        """A hit that waits for people."""
        rounds = self.running()
        for table, round_id in enumerate(rounds):
            self.end(table, round_id, royal("hd"[table]) if table < winners else dull())
        return self.advance()

    def false_alarm(self) -> str:
        """A royal of UTH 1 that was called and was none: a hit that waits for its rejection."""
        called = self.start(0)
        self.call(0, called)
        self.end(0, called, dull())
        return self.advance()


class PatientHall(HitHouse):
    """Of which no time runs out while a test is at it."""

    posted: ClassVar[dict[str, Posted]] = PATIENT
