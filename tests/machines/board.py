"""The floor of the state machine, with a display that its jackpot needs and people who decide about a hit."""

from tests.cast import make_person
from tests.floor import Floor
from tests.jackpot.linked import Linked


class Board(Linked):
    """One linked table and one that is not, both closed, as the machine begins; hits are decided as in the tests of the jackpot."""

    def __init__(self) -> None:
        Floor.__init__(self)  # `Linked` would link and open its tables, which here the machine does
        self.bea = make_person("bea.m", "manager", house=self.house)
