"""The floor of the state machine, with a display that its jackpot needs and people who decide about a hit."""

from uuid import uuid4

from jackpot.services import display_require
from tests.cast import make_person
from tests.floor import Floor, done
from tests.jackpot.linked import Linked


class Board(Linked):
    """One linked table and one that is not, both closed, as the machine begins; hits are decided as in the tests of the jackpot."""

    def __init__(self) -> None:
        Floor.__init__(self)  # `Linked` would link and open its tables, which here the machine does
        self.bea = make_person("bea.m", "manager", house=self.house)
        self.displays = [uuid4()]
        self.sessions = {self.displays[0]: uuid4()}
        ids = {"house_id": self.house.pk, "jackpot_id": self.jackpot.pk, "display_id": self.displays[0]}
        done(display_require, **ids, name="Entrance", actor_id=self.tim.pk)
