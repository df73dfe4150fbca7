"""What a hand at *pots* asks of the database: as many statements for two seats and one pot as for nine and four."""

from typing import Any
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts.commands import request_fingerprint, run_once
from tables import services
from tables.games.poker.entered import PotsEntry
from tables.games.poker.raking import Pot
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Betting, Street
from tables.models import HandPot
from tables.services.hands.entry import PlayedHand
from tests.poker import PokerRoom, at_table, opened, poker_table
from tests.worlds import world

STACKS = {2: (100_00, 100_00), 9: (40_00, 60_00, 80_00, *(100_00,) * 6)}
POTS = {2: 1, 9: 4}
STATEMENTS = 16
FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


class FullTables(PokerRoom):
    """A table of two guests, and one of nine of whom three have less than the others."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = {count: opened(self, poker_table(self, f"Poker of {count}")) for count in STACKS}
        for table in self.tables.values():
            at_table(self, "table_entry_level_set", table, entry_level="pots")
        self.stays = {
            count: [self.sit(seat, minor, self.tables[count]) for seat, minor in enumerate(stacks, 1)]
            for count, stacks in STACKS.items()
        }


pytestmark = world(FullTables)


def statements(floor: FullTables, count: int) -> list[str]:
    pots = PotsEntry(
        seats=tuple(range(1, count + 1)),
        stacks=STACKS[count],
        button=1,
        betting=Betting((Street(100_00),)),
        winners=tuple(PotWinners((seat, count)) for seat in range(1, POTS[count] + 1)),
    )
    entry = PlayedHand([stay.pk for stay in floor.stays[count]], Pot(), pots=pots)
    hand_id = uuid4()
    ids = {"house_id": floor.house.pk, "table_id": floor.tables[count].pk, "person_id": floor.martina.pk}

    def work() -> dict[str, Any]:
        services.hand_end(**ids, hand_id=hand_id, entry=entry)
        return {}

    with CaptureQueriesContext(connection) as captured:
        run_once(str(uuid4()), request_fingerprint("count", "test", {}), work)
    assert HandPot.objects.filter(hand=hand_id).count() == POTS[count]
    return [query["sql"] for query in captured if not query["sql"].startswith(FRAME)]


def test_a_hand_takes_as_many_statements_whatever_its_seats_and_pots(floor: FullTables) -> None:
    assert {count: len(statements(floor, count)) for count in STACKS} == dict.fromkeys(STACKS, STATEMENTS)
