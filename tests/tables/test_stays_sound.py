"""Whatever guests of poker tables do, chips outside are what is owed for them, and no audit finds anything (POK-2)."""

import random  # noqa: TID251  (an evening is made of its seed)
from collections.abc import Callable
from typing import Any

from django.db.models import Sum

from payouts.errors import Refused
from payouts.models import Account
from payouts.rules.ledger.chart import CLAIMS
from tables.models import PokerStay, Table
from tests.poker import PokerRoom
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(PokerRoom)
STEPS = 60


class Evening:
    """Guests who do what comes to their minds, and what the books must say of it, in plain sums."""

    def __init__(self, floor: PokerRoom, seed: int) -> None:
        self.floor = floor
        self.dice = random.Random(seed)
        self.tables = [floor.raked, floor.timed]
        self.stacks: dict[Any, int] = {}  # by stay
        self.refused: set[str] = set()

    def step(self) -> None:
        acts: list[Callable[[], None]] = [self.sit, self.add, self.tip, self.pause, self.move, self.leave, self.collect]
        try:
            self.dice.choice(acts)()
        except Refused as refused:
            self.refused.add(refused.code)

    def amount(self) -> int:
        return self.dice.choice([0, 40_00, 99_00, 150_00, 200_00, 201_00, 10_50, 10**18])

    def means(self) -> str:
        return self.dice.choice(["cash", "chips", "stack"])

    def anybody(self) -> PokerStay:
        """Sometimes one who has left."""
        stays = list(PokerStay.objects.order_by("began_at"))
        if not stays:
            stays = [self.floor.sit(9)]
            self.stacks[stays[0].pk] = 100_00
        return self.dice.choice(stays[-6:])

    def table(self) -> Table:
        return self.dice.choice(self.tables)

    def sit(self) -> None:
        amount = self.amount()
        stay = self.floor.sit(self.dice.randrange(0, 4), amount, self.table(), means=self.means())
        self.stacks[stay.pk] = amount

    def add(self) -> None:
        stay = self.anybody()
        amount = self.amount()
        self.floor.of(stay, "stay_chips", kind="top_up", amount_minor=amount, means=self.means())
        self.stacks[stay.pk] += amount

    def tip(self) -> None:
        self.floor.of(self.anybody(), "stay_chips", kind="tip", amount_minor=2_00, means=self.means())

    def pause(self) -> None:
        self.floor.of(self.anybody(), self.dice.choice(["stay_away", "stay_back"]))

    def move(self) -> None:
        stay = self.anybody()
        amount = self.amount()
        seat = self.dice.randrange(1, 10)
        table_id = self.dice.choice([None, *(table.pk for table in self.tables)])
        moved = self.floor.of(stay, "stay_move", seat=seat, table_id=table_id, counted_minor=amount)
        if moved.pk != stay.pk:
            self.stacks.pop(stay.pk)
            self.stacks[moved.pk] = amount

    def leave(self) -> None:
        stay = self.anybody()
        self.floor.of(stay, "stay_leave", counted_minor=self.amount(), waived=self.dice.choice(["", "goodwill"]))
        self.stacks.pop(stay.pk)

    def collect(self) -> None:
        self.floor.at_table("time_collect", self.table(), means=self.means())

    def booked(self) -> dict[Any, int]:
        rows = Account.objects.filter(kind="stack").exclude(balance_minor=0)
        return {stay: -minor for stay, minor in rows.values_list("detail_id", "balance_minor")}

    def difference(self) -> int:
        """What is owed for chips, against what lies outside."""
        rows = Account.objects.filter(house=self.floor.house, kind__in=["chips_outside", *CLAIMS])
        return rows.aggregate(minor=Sum("balance_minor"))["minor"]


def test_any_evening_balances(floor: PokerRoom) -> None:
    refused: set[str] = set()
    for seed in range(4):
        evening = Evening(floor, seed)
        before = evening.difference()
        for _ in range(STEPS):
            evening.step()
            assert evening.booked() == {stay: minor for stay, minor in evening.stacks.items() if minor}
            assert evening.difference() == before
        assert breached_here() == {}
        for stay in PokerStay.objects.filter(left_at=None):
            floor.of(stay, "stay_leave", counted_minor=10_00)
        assert (floor.stacks(), floor.stacks(floor.timed), evening.difference()) == ({}, {}, before)
        assert breached_here() == {}
        refused |= evening.refused
    assert {"poker.seat_outside", "poker.seat_taken", "poker.off_chip", "poker.stay_gone"} <= refused
