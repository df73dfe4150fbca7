"""Tables of poker in a campaign: now and then an answer is lost and asked for again under its key, and whoever carries out a hand,
a buy-in or a move between tables dies in the middle of it, or once a hand has begun.
"""

import uuid
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from casino.simulate.poker.plan import BEGIN, BUY_IN, HAND, MISHAPS, MOVE, POTS_HAND, POTS_MISHAPS
from casino.simulate.poker.potted import PottedTable
from casino.simulate.poker.room import PokerRoom
from casino.simulate.poker.table import RakedTable
from tests.faults.breaker import Breaker

TABLES = 2
ASKED_AGAIN = "poker: command asked for again"
SEEN = (
    ASKED_AGAIN,
    "poker: guests who changed tables",
    *(f"poker: {mishap}" for mishap in dict.fromkeys((*MISHAPS, *POTS_MISHAPS))),
)
# By command, whose account of which kind it must post to: whoever holds that has it in the middle.
ACCOUNT = {HAND: "tray", BUY_IN: "tray", MOVE: "stack", POTS_HAND: "stack"}
WITHIN = {what: f"killed in the middle of a {what}" for what in ACCOUNT}
BEGUN = "killed between a hand_begin and its hand_end"
FAULTS = (*WITHIN.values(), BEGUN)
EVERY, LOST_EVERY = {HAND: 8, BUY_IN: 3, MOVE: 1, POTS_HAND: 8}, 5
MOST = 3  # of each kind at a table


class KilledTable(RakedTable):
    """A table at which commands are cut off."""

    room: "KilledRoom"

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.commands: Counter[str] = Counter()
        self.killed: Counter[str] = Counter()

    def command(self, what: str, path: str, body: Mapping[str, Any]) -> Any:
        """As the table does, under one key whatever becomes of it."""
        self.commands[what] += 1
        key = str(uuid.uuid4())
        if self.room.breaker and sum(self.commands.values()) % LOST_EVERY == 0:
            self.client.unheard(path, dict(body), key)
            self.client.tally.count(ASKED_AGAIN)
        with self._dies(what, path, body):
            return self.client.post(path, dict(body), key)

    def _dies(self, what: str, path: str, body: Mapping[str, Any]) -> AbstractContextManager[None]:
        breaker = self.room.breaker
        if what == BEGIN:  # midway: no hand that is to hang finds the web dead by it
            due = self.commands[POTS_HAND] % EVERY[POTS_HAND] == EVERY[POTS_HAND] // 2
        else:
            due = self.commands[what] % EVERY[what] == 0
        due = due and self.killed[what] < MOST
        if breaker is None or not due or (what == MOVE and not body["table"]):
            return nullcontext()
        self.killed[what] += 1
        if what == BEGIN:
            return breaker.after(BEGUN)
        return breaker.within(WITHIN[what], ACCOUNT[what], self.hangs_on(what, path))

    def hangs_on(self, what: str, path: str) -> str:
        """Whose account it is."""
        return path.split("/")[1] if what == MOVE else str(self.row["id"])


class KilledPottedTable(PottedTable, KilledTable):
    """One whose pots are entered."""

    def hangs_on(self, what: str, path: str) -> str:
        """Of a hand, the stack that it moves most."""
        return self.moving if what == POTS_HAND else super().hangs_on(what, path)


class KilledRoom(PokerRoom):
    """The tables of a campaign; `breaker`: None until things break."""

    levels = (KilledPottedTable, KilledTable)
    breaker: Breaker | None = None
