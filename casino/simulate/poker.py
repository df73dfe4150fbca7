"""A table of poker beside an evening: guests buy in, hands end, the house takes its rake out of
their pots, and everybody leaves. The pit boss enters what its croupier calls out.
"""

import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.simulate.cards import luck
from casino.simulate.clients import Refused, Unreachable
from casino.simulate.left import Left
from casino.simulate.people import Person

if TYPE_CHECKING:
    from casino.simulate.floor import Evening

GAME, LEVEL, CROUPIER = "poker", "rake_only", "v.roth"
SEATS, BUY_INS = (1, 2, 4, 5, 7, 8), (100_00, 150_00, 200_00)
CHIP, BLIND = 100, 200
RAKE_PART, RAKE_MOST = 20, 1000  # a twentieth of the pot, down to whole chips
LEAST = 25_00  # with less a guest tops up
HAND_UNITS, HAND_S = 5.0, 0.2


@dataclass
class PokerGuest:
    """A guest with chips, in minor units."""

    stay: str
    minor: int


class RakedTable:
    """One table, from opening to the last guest."""

    def __init__(self, evening: "Evening", row: dict[str, Any]) -> None:
        self.evening, self.row = evening, row
        self.boss, self.left, self.stop = evening.people["boss"], evening.left, evening.stop
        self.chance = luck(evening.options.seed, "poker", row["name"])
        self.guests: list[PokerGuest] = []
        self.hands, self.rake_minor, self.tips_minor = 0, 0, 0
        self._thread = threading.Thread(target=self._play, daemon=True, name=row["name"])

    def open(self, croupier_id: str) -> "RakedTable":
        """Open it, seat guests, and begin. Raises Refused, Unreachable."""
        where = f"tables/{self.row['id']}"
        body = {"croupier": croupier_id, "entry_level": LEVEL}
        session = self.boss.post(f"{where}/open/", body)
        self.left.note("tables", {"table": self.row["id"], "session": session["id"]})
        for seat in SEATS:
            minor = self.chance.choice(BUY_INS)
            buy_in = {"seat": seat, "amount_minor": minor, "means": "cash"}
            stay = self.boss.post(f"{where}/stays/", buy_in)
            self.left.note("stays", {"stay": stay["id"], "minor": minor})
            self.guests.append(PokerGuest(stay["id"], minor))
        self._thread.start()
        return self

    def close(self) -> None:
        """End with the hand at hand; guests leave with their chips. Raises Refused, Unreachable."""
        self.stop.set()
        self._thread.join()
        lost = 0
        for guest in self.guests:
            left = self.boss.post(f"stays/{guest.stay}/leave/", {"counted_minor": guest.minor})
            lost -= left["difference_minor"]
        for noted in self.left.rows("stays"):
            self.left.cleared("stays", noted)
        if lost != (gone := self.rake_minor + self.tips_minor):
            self._differs(f"guests left {lost} on the table, rake and tips are {gone}")

    def _play(self) -> None:
        try:
            self.hand()
            while not self.stop.wait(HAND_S):
                self.evening.pause(HAND_UNITS)
                self.hand()
        except (Refused, Unreachable) as error:
            self._differs(f"cannot go on: {error}")

    def _differs(self, what: str) -> None:
        self.evening.differs(f"{self.row['name']}: {what}")

    def hand(self) -> None:
        """One hand: two go to the end, the others fold. Raises Refused, Unreachable."""
        for guest in self.guests:
            if guest.minor < LEAST:
                self._chips(guest, "top_up", BUY_INS[0], "cash")
        dealt = self.chance.sample(self.guests, self.chance.randint(2, len(self.guests)))
        stake = self.chance.randint(3, LEAST // CHIP) * CHIP
        for place, guest in enumerate(dealt):
            guest.minor -= stake if place < 2 else BLIND
        pot = 2 * stake + BLIND * (len(dealt) - 2)
        by_key = {"rake_minor": min(pot // RAKE_PART // CHIP * CHIP, RAKE_MOST)}
        entered = {"pot_minor": pot} if self.chance.random() < 0.5 else by_key
        played = self.boss.post(
            f"tables/{self.row['id']}/hands/{uuid.uuid4()}/end/",
            {"dealt": [guest.stay for guest in dealt], "flop": True, "walk": False} | entered,
        )
        self.hands += 1
        self.rake_minor += played["rake_minor"]
        dealt[0].minor += pot - played["rake_minor"]
        if self.chance.random() < 0.2:
            self._chips(dealt[0], "tip", CHIP, "stack")
            self.tips_minor += CHIP

    def _chips(self, guest: PokerGuest, kind: str, amount_minor: int, means: str) -> None:
        body = {"kind": kind, "amount_minor": amount_minor, "means": means}
        self.boss.post(f"stays/{guest.stay}/chips/", body)
        guest.minor += amount_minor if kind == "top_up" else -amount_minor


def poker_beside(evening: "Evening", croupiers: Mapping[str, str]) -> RakedTable | None:
    """Open the house's first table of poker at which nobody plays, if one is asked for. Raises
    Refused, Unreachable.
    """
    rows = evening.people["boss"].client.every("tables/") if evening.options.poker else []
    free = [row for row in rows if (row["game"], row["state"]) == (GAME, "closed")]
    return RakedTable(evening, free[0]).open(croupiers[CROUPIER]) if free else None


def leave_all(boss: Person, left: Left) -> None:
    """Guests of an evening that was broken off leave with what they brought. Raises Unreachable,
    and Refused where it is not that they have left.
    """
    for stay in left.rows("stays"):
        try:
            boss.post(f"stays/{stay['stay']}/leave/", {"counted_minor": stay["minor"]})
        except Refused as refused:
            if refused.status not in (404, 409):
                raise
        left.cleared("stays", stay)
