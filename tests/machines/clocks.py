"""What befalls a house: its clock jumps; a backup of it is restored, once or twice (issue 19)."""

import copy
from contextlib import ExitStack
from uuid import uuid4

from django.db import transaction

from casino.people.events import record
from jackpot import services as jackpots
from tests.clock import clock_jumps, clock_of_a_restore
from tests.databases import module_database
from tests.machines.against import Against
from tests.machines.asking import DISPLAYS
from tests.machines.desk_model import DAY, HOUR
from tests.machines.whole_model import FIRST_S, Jackpot


class Clocks(Against):
    """Whatever the clock says, nothing is held up; and a restore waits for people."""

    def __init__(self) -> None:
        super().__init__()
        self.copy = ExitStack()  # the database that is used, where another one is kept as the backup
        self.kept: Jackpot | None = None
        self.told, self.told_at = 1, 0  # the incarnation that screens have seen, and what the clock said at the restore
        self.silent = set(range(DISPLAYS))  # not heard of since the clock has jumped

    def teardown(self) -> None:
        self.databases.push(self.copy)
        super().teardown()

    def jump(self, seconds: int) -> None:
        clock_jumps(seconds)
        self.model.now += seconds
        self.silent = set(range(DISPLAYS))
        self.seen["clock set back" if seconds < 0 else "clock set forward"] += 1

    def night(self) -> None:
        """A day, and hours in each of which the log has an entry."""
        self.jump(DAY + HOUR)
        for _hour in range(8):
            with transaction.atomic():
                record("sign_in.done", person=self.person("reto"), by=self.person("reto"))
            self.jump(HOUR)
        self.model.night()

    def replace(self, display: int) -> None:
        """Another device shows what a display showed, once it is silent: its time does not hang on a clock that was ahead."""
        if display in self.silent:
            self.silent.discard(display)
            self.floor.sessions[self.floor.displays[display]] = uuid4()
            self.floor.heard(self.floor.displays[display])
            self.seen["display replaced"] += 1

    def confirm(self, number: int, display: int, digits: bool, dies: int | None) -> None:
        self.silent.discard(display)
        super().confirm(number, display, digits, dies)

    # Backups
    def back_up(self) -> None:
        """The database as it is now is kept; what comes is written to a copy of it."""
        if self.kept is None:
            self.kept = copy.deepcopy(self.model)
            self.copy.enter_context(module_database("copy", self.database))
            self.seen["backed up"] += 1

    def restore(self, dies: int | None) -> None:
        """All that was written since is gone; it takes a minute."""
        if self.kept is None:
            return
        now, self.model = self.model.now, copy.deepcopy(self.kept)
        self.copy.close()
        self.copy.enter_context(module_database("copy", self.database))
        self.jump(now - self.model.now + 60)
        self.seen["restored a backup"] += 1
        self.restored(dies)

    def restored(self, dies: int | None) -> None:
        """What is done after a restore, before anything serves: versions that screens have seen are older than all to come."""
        with clock_of_a_restore(FIRST_S + self.model.now):
            self.ask(self.model.restored(), jackpots.jackpots_restored, "restored", dies)
        if self.model.now > self.told_at:
            assert self.model.incarnation > self.told
        self.told, self.told_at = max(self.told, self.model.incarnation), max(self.told_at, self.model.now)
