"""A croupier whose game takes stakes after the lock: each is placed in another way than the last, its answer lost, taken back and
placed again, after one that must be refused. What must have become of it they write down (`placed.py`).
"""

import uuid
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from casino.simulate.books.blackjack import INSURANCE
from casino.simulate.books.lines import Outcome
from casino.simulate.plan import FAST, FULL_CARDS, RoundPlan
from casino.simulate.tablet import Played, Table
from tests.faults.placed import History, Stake

PLAIN, ASKED_AGAIN, TAKEN_BACK, REFUSED = (
    "stake after the lock", "stake after the lock asked for again", "stake after the lock taken back",
    "stake after the lock refused",
)  # fmt: skip
WAYS = (PLAIN, ASKED_AGAIN, TAKEN_BACK, REFUSED)
TOO_LATE, QUEUED = "stake after the result refused", "stake after the lock without the server"
OVER, RECORDED = "more than the maximum of a box", "irregularity recorded"
PUT_RIGHT = "stake after the lock put right by a correction"
BY = {FAST: "round settled by taps", FULL_CARDS: "round settled by cards"}
SEEN = (*WAYS, TOO_LATE, QUEUED, OVER, RECORDED, PUT_RIGHT, *BY.values())
EVERY = 3  # in one round of so many something goes wrong, or comes too late
NO_NUMBER = 999  # of no stake
AT_BOX = ("call_misunderstood", "cards_exposed")
IRREGULAR = (
    {"kind": "misdeal", "decision": "play_on"},
    {"kind": "call_misunderstood", "decision": "kept", "hand": 1, "card": "5h"},
    {"kind": "bank_surplus", "decision": "burnt", "card": "Td"},
    {"kind": "cards_exposed", "decision": "burnt"},
)


class Placing(Table):
    """A table at which more is staked when the cards lie."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.histories: dict[str, History] = {}
        self._ways, self._irregular = cycle(WAYS), cycle(IRREGULAR)

    def _place(self, round_id: str, plan: RoundPlan) -> None:
        where, own = f"rounds/{round_id}", self._begun(round_id, plan)
        if plan.number % EVERY == 0:
            self._record(where, own, plan)
        placements = self.game.placements(self.level, plan, self.guests)
        for placement, stake in zip(placements, self._stakes(plan), strict=True):
            self._place_one(where, own, {"placement": placement}, stake, plan)

    def _begun(self, round_id: str, plan: RoundPlan) -> History:
        laid = sum(line.stake for (_box, what), line in self._lines(plan) if what.startswith("stake "))
        self.client.tally.count(OVER, sum(one.amount for one in plan.boxes) > laid)
        own = self.histories[round_id] = History(laid)
        return own

    def _lines(self, plan: RoundPlan) -> Sequence[Any]:
        return list(self.game.settle(self.rules, self.jackpot, plan).lines.items())

    def _stakes(self, plan: RoundPlan) -> Iterator[Stake]:
        """By our own books, in their order."""
        later = [
            (what.split()[0], line.stake) for (_box, what), line in self._lines(plan) if not what.startswith("stake ")
        ]
        for act, (kind, amount) in zip(plan.deal.acts, later, strict=True):
            yield Stake(act.box, self.guests[act.guest], self.guests[act.source], kind, amount)

    def _place_one(self, where: str, own: History, body: dict[str, Any], stake: Stake, plan: RoundPlan) -> None:
        way = next(self._ways)
        if way == REFUSED:
            self._try_wrong(where, plan)
        self._send(f"{where}/place/", body, lost=way == ASKED_AGAIN)
        own.place(stake)
        if way == TAKEN_BACK:
            self._send(f"{where}/take-back/", {"placed": own.newest}, lost=True)
            own.take_back(stake)
            self._send(f"{where}/place/", body, lost=True)
            own.place(stake)
        self.client.tally.count(way)

    def _send(self, path: str, body: dict[str, Any], *, lost: bool) -> None:
        """`lost`: nobody hears the answer, and it is asked for again under the same key."""
        key = str(uuid.uuid4())
        if lost:
            self.client.unheard(path, body, key)
        self.client.post(path, body, key)

    def _try_wrong(self, where: str, plan: RoundPlan) -> None:
        """What is refused whenever a copy of it may come: insurance where no ace lies, and what nobody has placed."""
        first = plan.boxes[0]
        wrong = {
            "box": first.box,
            "guest": self.guests[first.guest],
            "act": "insurance",
            "amount_minor": 100,
            "bank": "9h",
        }
        self._refused(
            "insurance without an ace",
            ("blackjack.no_ace",),
            lambda: self.client.post(f"{where}/place/", {"placement": wrong}),
        )
        self._refused(
            "a stake that was never placed, taken back",
            ("round.stake_not_newest", "round.nothing_placed"),
            lambda: self.client.post(f"{where}/take-back/", {"placed": NO_NUMBER}),
        )

    def _record(self, where: str, own: History, plan: RoundPlan) -> None:
        """Something went wrong, and the round goes on."""
        what: dict[str, Any] = dict(next(self._irregular))
        if what["kind"] in AT_BOX:
            what["box"] = plan.boxes[0].box
        self._send(f"{where}/irregularities/", what | {"reason": "seen, and decided at the table"}, lost=True)
        own.irregular.append((what["kind"], what["decision"], what.get("box"), what.get("hand"), what.get("card", "")))
        self.client.tally.count(RECORDED)

    def _settle(self, one: Played, plan: RoundPlan, outcome: Outcome) -> None:
        super()._settle(one, plan, outcome)
        self.client.tally.count(BY[self.level])
        placements = self.game.placements(self.level, plan, self.guests)
        if placements and plan.number % EVERY == 0:
            late = {"placement": placements[0]}
            self._refused(TOO_LATE, ("round.state_refused",), lambda: self.client.post(f"rounds/{one.id}/place/", late))
            self.client.tally.count(TOO_LATE)
        if placements and plan.deal.acts[-1].act == INSURANCE and one.revision == 1:
            self._put_right(one, plan, outcome)

    def _put_right(self, one: Played, plan: RoundPlan, outcome: Outcome) -> None:
        """The last insurance of a settled round is taken off, and added again, for it was no mistake."""
        placements, own = self.game.placements(self.level, plan, self.guests), self.histories[one.id]
        result, *_earlier, stake = self.game.result(self.level, self.rules, plan, outcome), *self._stakes(plan)
        for off in (True, False):
            placed = placements[:-1] if off else placements
            self._correct(one, result, placed=placed)
            own.put_right(stake, off=off)
        self.client.tally.count(PUT_RIGHT)

    def send_waiting(self) -> None:
        """What came after the lock of a round that was played without the server comes with it."""
        for round_id, plan, _outcome in self.waiting:
            own = self._begun(round_id, plan)
            for stake in self._stakes(plan):
                own.place(stake)
                self.client.tally.count(QUEUED)
        super().send_waiting()
