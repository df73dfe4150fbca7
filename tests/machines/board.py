"""The floor of the state machine, with a display that its jackpot needs and people who decide about a hit."""

from tests.blackjack import blackjack_table
from tests.cast import make_person
from tests.floor import Floor
from tests.jackpot.linked import Linked


class Board(Linked):
    """A linked table, one that is not, one of Black Jack, closed at first; hits are decided as in the tests of the jackpot."""

    def __init__(self) -> None:
        Floor.__init__(self)  # `Linked` would link and open its tables, which here the machine does
        self.bj = blackjack_table(self)
        self.bea = make_person("bea.m", "manager", house=self.house)
