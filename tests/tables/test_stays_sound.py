"""Whatever guests of poker tables and their dealers do, chips outside are what is owed for them, the rake is that of the hands, and
no audit finds anything (POK-2, RAK-1).
"""

import random  # noqa: TID251  (an evening is made of its seed)
from collections.abc import Callable
from typing import Any

from django.db.models import Sum

from payouts.errors import Refused
from payouts.models import Account
from payouts.rules.ledger.chart import CLAIMS
from tables.errors import HandNeedsApproval
from tables.models import Hand, PokerStay, Table
from tests.poker import PokerRoom, deal, of_hand
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(PokerRoom)
STEPS = 100
POTS: tuple[
    tuple[dict[str, Any], int], ...
] = (  # what is entered, what is earlier by 5 % in steps of 0.50, to at most 10.00
    ({"rake_minor": 5_00}, 5_00),
    ({"rake_minor": 0, "walk": True}, 0),
    ({"pot_minor": 120_00}, 6_00),
    ({"pot_minor": 120_00, "rake_minor": 4_00}, 4_00),
    ({"pot_minor": 120_00, "rake_minor": 7_00}, 0),
    ({"rake_minor": 10**18}, 0),
    ({"rake_minor": 2_25}, 0),
)


class Evening:
    """Guests who do what comes to their minds, and what the books must say of it, in plain sums."""

    def __init__(self, floor: PokerRoom, seed: int) -> None:
        self.floor = floor
        self.dice = random.Random(seed)
        self.tables = [floor.raked, floor.timed]
        self.came: list[PokerStay] = []
        self.stacks: dict[Any, int] = {}  # by stay
        self.rakes: dict[Hand, int] = {}
        self.refused: set[str] = set()

    def step(self) -> None:
        acts: list[Callable[[], None]] = [self.sit, self.add, self.tip, self.pause, self.move, self.leave, self.collect]
        acts += [self.sit, self.sit, self.deal, self.deal, self.deal, self.correct, self.void]
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
        if not self.came:
            self.came.append(self.floor.sit(9))
            self.stacks[self.came[0].pk] = 100_00
        return self.dice.choice(self.came[-6:])

    def table(self) -> Table:
        return self.dice.choice(self.tables)

    def sit(self) -> None:
        amount = self.amount()
        stay = self.floor.sit(self.dice.randrange(0, 3), amount, self.table(), means=self.means())
        self.came.append(stay)
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
            self.came.append(moved)
            self.stacks[moved.pk] = amount

    def leave(self) -> None:
        stay = self.anybody()
        self.floor.of(stay, "stay_leave", counted_minor=self.amount(), waived=self.dice.choice(["", "goodwill"]))
        self.stacks.pop(stay.pk)

    def collect(self) -> None:
        self.floor.at_table("time_collect", self.table(), means=self.means())

    def pot(self) -> tuple[dict[str, Any], int]:
        """What is entered of a pot, and what the house takes for it; in most cases."""
        entered, rake_minor = self.dice.choice(POTS)
        return dict(entered), rake_minor

    def deal(self) -> None:
        pot, rake_minor = self.pot()
        sitting = PokerStay.objects.filter(left_at=None, guest__session__table=self.table())
        stays = {self.anybody(), self.anybody()} if self.dice.random() < 0.2 else {*sitting}
        hand = deal(self.floor, *(stays or {self.anybody()}), pot=pot)
        self.rakes[hand] = rake_minor

    def correct(self) -> None:
        """Alone where it may be, else by the pit."""
        hand = self.any_hand()
        pot, rake_minor = self.pot()
        try:
            of_hand(self.floor, hand, "hand_correct", pot=pot)
        except HandNeedsApproval:
            request = self.floor.ask(hand, "hand_correction_request", pot=pot)
            of_hand(self.floor, hand, "hand_correct", pot=pot, approval_id=request.pk)
        self.rakes[hand] = rake_minor

    def void(self) -> None:
        hand = self.any_hand()
        request = self.floor.ask(hand, "hand_void_request")
        of_hand(self.floor, hand, "hand_void", approval_id=request.pk)
        self.rakes[hand] = 0

    def any_hand(self) -> Hand:
        if not self.rakes:
            self.deal()
        hand = self.dice.choice([*self.rakes][-3:])
        hand.refresh_from_db()
        return hand

    def raked(self) -> int:
        rows = Account.objects.filter(house=self.floor.house, kind="rake")
        return -(rows.aggregate(minor=Sum("balance_minor"))["minor"] or 0)

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
        earlier = evening.raked()
        for _ in range(STEPS):
            evening.step()
            assert evening.booked() == {stay: minor for stay, minor in evening.stacks.items() if minor}
            assert (evening.difference(), evening.raked() - earlier) == (before, sum(evening.rakes.values()))
        assert breached_here() == {}
        for stay in PokerStay.objects.filter(left_at=None):
            floor.of(stay, "stay_leave", counted_minor=10_00)
        assert (floor.stacks(), floor.stacks(floor.timed), evening.difference()) == ({}, {}, before)
        assert breached_here() == {}
        refused |= evening.refused
    assert {
        "poker.seat_outside",
        "poker.seat_taken",
        "poker.off_chip",
        "poker.stay_gone",
        "poker.hand_voided",
    } <= refused
    assert {"poker.too_few", "poker.rake_above_cap", "poker.off_step", "poker.no_rake"} <= refused
