"""One jackpot at every moment of its life, each in a house of its own: what a guard is about is there."""

from typing import Any

from jackpot import services as jackpots
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal
from tests.jackpot.lived import Lived


class Moments(Lived):
    """The lived house is open. Others, by suffix: `.d` draining, `.v` verifying (both claims verified, nobody signed), `.s` showing
    (the first display confirmed, the second not), `.c` closed, `.x` suspended while it was open.
    """

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.draining = Linked(suffix=".d")
        called, _ = self.draining.start(0), self.draining.start(1)
        self.draining.call(0, called)
        self.verifying = self._to_verifying(".v")
        self.showing = self._to_verifying(".s")
        self.showing.approve()
        self.showing.confirm(self.showing.displays[0])
        self.closed = Linked(suffix=".c")
        self.closed.end(0, self.closed.start(0), dull())
        by = {"house_id": self.closed.house.pk, "jackpot_id": self.closed.jackpot.pk, "actor_id": self.closed.bea.pk}
        done(jackpots.jackpot_close, **by, reason="works in the hall")
        self.suspended = Linked(suffix=".x")
        self._suspend(self.suspended)

    def _to_verifying(self, suffix: str) -> Linked:
        floor = Linked(displays=2, suffix=suffix)
        rounds = [floor.start(table) for table in (0, 1)]
        for table, round_id in enumerate(rounds):
            floor.end(table, round_id, royal("hd"[table]))
        floor.advance()
        floor.verify_all()
        return floor

    def _suspend(self, floor: Linked) -> None:
        of: dict[str, Any] = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}
        asked = done(jackpots.jackpot_request, **of, action="jackpot.suspend", payload={"reason": "a wrong sum"})
        floor.sign(asked, floor.bea)
