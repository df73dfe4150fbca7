"""A floor with poker tables for the pit's pages in a browser."""

import time
from typing import ClassVar
from uuid import uuid4

from payouts.models import Approval
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables.errors import StayGone
from tables.games.poker.rules import PokerGame
from tables.games.poker.streets import Street
from tables.games.poker.variants import HORSE
from tables.models import Hand, ReviewItem, Table
from tables.services import hand_end, review_item_record
from tests.browser.floor_house import FloorHouse
from tests.databases import superuser
from tests.floor import done
from tests.poker import GAME, PokerRoom, at_table, deal, of_hand, of_stay, opened, poker_table, pots_of, sit

FIXED = {"limit": "split", "small_bet_minor": 200, "big_bet_minor": 400, "bring_in_minor": 100, "seats": 8}


class PokerHouse(FloorHouse):
    """At Poker 1 three guests sit, one of them pausing; at Poker 2 one who owes for time."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [
        *PokerRoom.also_posted,
        (GAME, "HORSE", PokerGame(variants=HORSE, **FIXED)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.raked = opened(self, poker_table(self))
        self.timed = opened(self, poker_table(self, "Poker 2", "Zeit", time_charge="Five"))
        self.stays = [sit(self, seat, self.raked) for seat in (1, 2, 5)]
        sit(self, 9, self.timed, 120_00)
        of_stay(self, self.stays[2], "stay_away")

    def opened_an_hour_ago(self) -> None:
        """Only then a pace says anything."""
        self._sessions("opened_at = opened_at - interval '1 hour'")

    def opened_yesterday(self) -> None:
        """Their gaming day is over."""
        self._sessions("gaming_day = gaming_day - 1")

    def _sessions(self, change: str) -> None:
        guard = "ALTER TABLE tables_tablesession {} TRIGGER table_session_guard"
        with superuser() as link, link.transaction():
            link.execute(guard.format("DISABLE"))
            link.execute(f"UPDATE tables_tablesession SET {change} WHERE house_id = %s", [self.house.pk])
            link.execute(guard.format("ENABLE ALWAYS"))

    def deal(self, count: int = 1, *, apart_s: float = 0) -> list[Hand]:
        """Hands of the two who play, each with a rake of 5.00; seconds apart, of which the board knows what is usual."""
        hands = []
        for _hand in range(count):
            time.sleep(apart_s)
            hands.append(deal(self, *self.stays[:2]))
        return hands

    def deal_pots(self) -> Hand:
        """A hand at *pots* of nine, with two side pots and an odd chip; its winner was put right."""
        table = opened(self, poker_table(self, "Poker 3"))
        at_table(self, "table_entry_level_set", table, entry_level="pots")
        stays = [sit(self, seat, table, {3: 40_00, 6: 90_00}.get(seat, 200_00)) for seat in range(1, 10)]
        folded = {1: 0, 2: 1_00, 4: 0, 7: 0, 8: 2_00}
        streets = (Street(10_00, folded), Street(25_00), Street(60_00), Street(90_00))
        mistyped, right = (pots_of(stays, *streets, winners=won) for won in ([[3], [6], [5]], [[3, 6], [6], [9]]))
        ids = {"house_id": self.house.pk, "table_id": table.pk, "person_id": self.martina.pk}
        hand: Hand = done(hand_end, **ids, hand_id=uuid4(), entry=mistyped)
        of_hand(self, hand, "hand_correct", entry=right)
        return hand

    def rotation(self) -> Table:
        """Poker 3 is open, of HORSE, and has dealt its last variant, which has the longest name."""
        table = opened(self, poker_table(self, "Poker 3", "HORSE"))
        deal(self, *(sit(self, seat, table) for seat in (1, 8)), variant=HORSE[-1])
        return table

    def ask(self, hand: Hand, command: str = "hand_correction_request", **values: object) -> Approval:
        """A request by the croupier about a hand."""
        if command == "hand_correction_request":
            values = {"pot": {"pot_minor": 60_00}} | values
        request: Approval = of_hand(self, hand, command, **values)
        return request

    def clarify(self) -> ReviewItem:
        """A hand that was refused as it came: one who was dealt in had left."""
        payload = {"dealt": [str(stay.pk) for stay in self.stays], "rake_minor": 4_00, "queued": True}
        by = {"house_id": self.house.pk, "table_id": self.raked.pk, "person_id": self.martina.pk}
        came = {"round_id": uuid4(), "kind": "hand_end", "payload": payload, "refused": StayGone()}
        entry: ReviewItem = done(review_item_record, **by, **came)
        return entry
