"""A table at *pots* as a state machine: guests come, top up, play, and leave with what is counted; hands are put right and voided,
whoever has left since. After each step stacks, what is in play and the fee are the model's, no stack is below nothing, and no audit
of pots finds anything; at the end of each life no audit does (POK-2, POK-6, POK-7, RAK-3).

The model pulls pots in chip by chip, as the simulator's book does (`casino/simulate/books/pots.py`).
"""
# ruff: noqa: N802 - tests are named after the rules

import copy
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from casino.simulate.books.poker import PostedAtTable
from casino.simulate.books.pots import FeltHand, Pushed, push
from casino.simulate.cards import luck
from casino.simulate.poker.betting import DealtIn, HandBetting
from payouts.errors import Refused
from payouts.models import Account
from payouts.rules.rulesets.rake import RakeSchedule
from tables import services
from tables.audit.pots import POTS
from tables.errors import HandNeedsApproval
from tables.games.poker.entered import pots_entry
from tables.games.poker.raking import Pot
from tables.games.poker.rules import PokerGame
from tables.models import Hand
from tables.services.hands.entry import PlayedHand
from tests.databases import module_database
from tests.floor import done
from tests.poker import PokerRoom, at_table, of_hand
from tests.tables.audits import breached, disagreeing

EXAMPLES = int(os.environ.get("FLOOR_EXAMPLES") or "8")
STEPS = 40
SHORT = not os.environ.get("FLOOR_EXAMPLES")
GAME = PokerGame()
CHIP = GAME.chip_minor
LEAST, MOST = GAME.buy_in_least_minor, GAME.buy_in_most_minor or 0
POSTED = PostedAtTable(
    chip=CHIP, blind=GAME.big_blind_minor, seats=GAME.seats, buy_in_least=LEAST, buy_in_most=MOST, tips_from_stack=True,
    less_booked=True, rake=RakeSchedule(step_minor=100).to_data(), small=GAME.small_blind_minor,
)  # fmt: skip
SPOILED = st.sampled_from(("stacks", "expects", "above", "folded", ""))
SEEDS = st.integers(0, 1 << 20)
MORE = st.sampled_from((0, 0, 0, -CHIP, CHIP))
AMOUNTS = st.sampled_from((LEAST, LEAST, 99_00, MOST, MOST + CHIP, LEAST - CHIP, LEAST + CHIP // 2))
REACHED = {
    *("hand", "side pot", "tie", "corrected", "voided", "left", "emptied", "put right with the pit", "of a guest gone"),
    *("poker.buy_in_outside", "poker.seat_taken", "poker.stacks_differ", "poker.pots_differ", "poker.bet_above_stack"),
    *("less than all", "owed to pockets", "poker.winner_folded", "poker.hand_voided", "poker.button_wrong"),
}


@dataclass
class Sitting:
    """A guest: seat and stack, in minor units."""

    seat: int
    stack: int
    sits: bool = True


@dataclass
class Dealing:
    """A hand by the model. `stacks`: of all who were dealt in at first; `booked`: by stay what it moved."""

    row: Hand
    seats: Mapping[int, UUID]
    stacks: Mapping[int, int]
    button: int
    booked: dict[UUID, int] = field(default_factory=dict)
    rake: int = 0
    source: str = ""  # of what no stack bears
    counts: bool = True


class RoomMachine(RuleBasedStateMachine):
    """One life on a database of its own."""

    world: PokerRoom
    database: str
    seen: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self._database = module_database("room", self.database)
        self._database.__enter__()
        self.floor = copy.copy(self.world)
        self.guests: dict[UUID, Sitting] = {}
        self.hands: list[Dealing] = []
        self.in_play = 0  # what is owed for it

    def teardown(self) -> None:
        """All leave, and what counts yet of the last hands is voided."""
        try:
            for stay in self.seated:
                self._leaves(stay, 0)
            for dealing in [dealing for dealing in self.hands[-3:] if dealing.counts]:
                self._void(dealing)
                self.books_are_the_models()
            assert breached() == {}
            assert disagreeing() == []
        finally:
            self._database.__exit__(None, None, None)

    @property
    def seated(self) -> dict[UUID, Sitting]:
        return {stay: guest for stay, guest in self.guests.items() if guest.sits}

    def ask(self, code: str, work: Callable[..., Any], *given: Any, **values: Any) -> Any:
        """Refused with this code, or done."""
        try:
            with transaction.atomic():
                answer = work(*given, **values)
        except Refused as refused:
            assert refused.code == code, f"{refused.code}: {refused}"
            self.seen[code] += 1
            return None
        assert not code, f"{code} was expected"
        return answer

    @initialize()
    def begin(self) -> None:
        for seat, amount in ((1, LEAST), (2, MOST), (4, 75_00), (6, 41_00)):
            self.sit(seat, amount)

    @rule(seat=st.integers(1, GAME.seats), amount=AMOUNTS)
    def sit(self, seat: int, amount: int) -> None:
        code = "poker.off_chip" if amount % CHIP else ""
        code = code if LEAST <= amount <= MOST else "poker.buy_in_outside"
        code = code or ("poker.seat_taken" if seat in {guest.seat for guest in self.seated.values()} else "")
        stay = self.ask(code, self.floor.sit, seat, amount)
        if stay:
            self.guests[stay.pk] = Sitting(seat, amount)

    @precondition(lambda self: self.seated)
    @rule(data=st.data(), amount=AMOUNTS)
    def top_up(self, data: st.DataObject, amount: int) -> None:
        stay = data.draw(st.sampled_from(list(self.seated)))
        guest = self.guests[stay]
        code = "poker.off_chip" if amount % CHIP else ""
        code = "poker.top_up_below" if amount < LEAST - guest.stack else code
        code = "poker.buy_in_above" if amount > max(MOST - guest.stack, 0) else code
        if self.ask(code, self._of, "stay_chips", stay, kind="top_up", amount_minor=amount, means="cash"):
            guest.stack += amount

    def _of(self, command: str, stay: UUID, **values: Any) -> Any:
        ids = {"house_id": self.floor.house.pk, "stay_id": stay, "actor_id": self.floor.reto.pk}
        return done(getattr(services, command), **ids | values)

    @precondition(lambda self: len(self.seated) > 2)
    @rule(data=st.data(), more=MORE)
    def leave(self, data: st.DataObject, more: int) -> None:
        self._leaves(data.draw(st.sampled_from(list(self.seated))), more)

    @precondition(lambda self: len(self.hands) > 3)
    @rule(more=MORE)
    def all_leave(self, more: int) -> None:
        for stay in list(self.seated):
            self._leaves(stay, more)

    def _leaves(self, stay: UUID, more: int) -> None:
        guest = self.guests[stay]
        counted = max(guest.stack + more, 0)
        self._of("stay_leave", stay, counted_minor=counted)
        self.in_play += guest.stack - counted
        guest.stack, guest.sits = 0, False
        self.seen["left"] += 1
        if not self.seated:
            self.seen["emptied"] += 1
            self.in_play = 0

    # Hands
    def betting(self, seed: int, stacks: Mapping[int, int], button: int) -> tuple[HandBetting, Pushed]:
        chance = luck("room", seed, len(self.hands), *stacks.values())
        betting = HandBetting(chance, POSTED, DealtIn(stacks, button, showdown=chance.random() < 0.7)).play()
        ranks = {seat: chance.randrange(3) for seat in stacks}
        played = FeltHand(betting.chips, ranks, button, flop=betting.flop, walk=betting.walk)
        return betting, push(POSTED, played)

    def entry(self, dealing: Dealing, betting: HandBetting, pushed: Pushed, **changed: Any) -> PlayedHand:
        pots = {
            "seats": betting.order,
            "stacks_minor": [dealing.stacks[seat] for seat in betting.order],
            "button": dealing.button,
            "streets": betting.streets,
            "dead": betting.dead,
            "winners": [{"high": list(seats)} for seats in pushed.winners],
            "expects": pushed.result,
        }
        return PlayedHand([dealing.seats[seat] for seat in betting.order], Pot(), pots=pots_entry(pots | changed))

    def spoiled(self, what: str, betting: HandBetting, pushed: Pushed, stacks: Mapping[int, int]) -> tuple[str, Any]:
        """How an entry is refused, and what of it is changed."""
        folded = [seat for seat, put in betting.chips.items() if put.folded]
        behind = [seat for seat in betting.order if stacks[seat] > betting.chips[seat].total]
        if what == "stacks" and behind:
            other = [stacks[seat] + CHIP * (seat == behind[0]) for seat in betting.order]
            return "poker.stacks_differ", {"stacks_minor": other, "expects": None}
        if what == "expects":
            first, *rest = pushed.result["pots"]
            pots = [first | {"amount_minor": first["amount_minor"] + CHIP}, *rest]
            return "poker.pots_differ", {"expects": pushed.result | {"pots": pots}}
        if what == "above":
            first, *rest = betting.streets
            return "poker.bet_above_stack", {"streets": [first | {"to_minor": 10**7}, *rest]}
        if what == "folded" and folded and len(betting.left) > 1:
            return "poker.winner_folded", {"winners": [{"high": folded[:1]}]}
        return "", {}

    @precondition(lambda self: sum(guest.stack > 0 for guest in self.seated.values()) > 1)
    @rule(data=st.data(), seed=SEEDS, hands=st.integers(2, 4), what=SPOILED)
    def hand(self, data: st.DataObject, seed: int, hands: int, what: str) -> None:
        self._plays(data, seed, what)
        for number in range(1, hands):
            if sum(guest.stack > 0 for guest in self.seated.values()) > 1:
                self._plays(data, seed + number, "")

    def _plays(self, data: st.DataObject, seed: int, what: str) -> None:
        able = sorted(guest.seat for guest in self.seated.values() if guest.stack)
        seats = data.draw(st.sets(st.sampled_from(able), min_size=2))
        stays = {guest.seat: stay for stay, guest in self.seated.items() if guest.seat in seats}
        stacks = {seat: self.guests[stay].stack for seat, stay in sorted(stays.items())}
        button = data.draw(st.sampled_from(sorted(seats)))
        betting, pushed = self.betting(seed, stacks, button)
        dealing = Dealing(Hand(), stays, stacks, button)
        code, changed = self.spoiled(what, betting, pushed, stacks)
        entry = self.entry(dealing, betting, pushed, **changed)
        ids = {"house_id": self.floor.house.pk, "table_id": self.floor.raked.pk, "person_id": self.floor.martina.pk}
        row = self.ask(code, done, services.hand_end, **ids, hand_id=uuid4(), entry=entry)
        if row is None:
            return
        dealing.row = row
        self.hands.append(dealing)
        self.books(dealing, {stays[seat]: net for seat, net in pushed.nets.items()}, pushed.rake)
        self.seen["hand"] += 1
        self.seen["side pot"] += len(pushed.result["pots"]) > 1
        self.seen["tie"] += any(len(seats) > 1 for seats in pushed.winners)

    def borne(self, dealing: Dealing, nets: Mapping[UUID, int]) -> dict[UUID, int]:
        """By stay what its stack bears of a result in place of what is booked: never more than lies there; of others, as it was."""
        moved = {}
        for stay in {**nets, **dealing.booked}:
            was = dealing.booked.get(stay, 0)
            guest = self.guests[stay]
            moved[stay] = max(nets.get(stay, 0), was - guest.stack) if guest.sits else was
        return moved

    def books(self, dealing: Dealing, nets: Mapping[UUID, int], rake: int) -> None:
        moved = self.borne(dealing, nets)
        self.seen["less than all"] += any(moved[stay] != nets.get(stay, 0) for stay in moved if self.guests[stay].sits)
        self.seen["owed to pockets"] += not self.seated and bool(sum(dealing.booked.values()) + dealing.rake)
        if dealing.source == "in_play":
            self.in_play += sum(dealing.booked.values()) + dealing.rake
        dealing.source = "in_play" if self.seated else "circulation"
        for stay, net in moved.items():
            if self.guests[stay].sits:
                self.guests[stay].stack += net - dealing.booked.get(stay, 0)
        self.in_play = self.in_play - sum(moved.values()) - rake if self.seated else 0
        dealing.booked, dealing.rake = moved, rake

    @precondition(lambda self: self.hands)
    @rule(data=st.data(), seed=SEEDS, drops=st.sampled_from((False, False, True)))
    def correct(self, data: st.DataObject, seed: int, drops: bool) -> None:
        dealing = data.draw(st.sampled_from(self.hands[-3:]))
        stacks = dict(dealing.stacks)
        if drops and len(stacks) > 2:
            del stacks[data.draw(st.sampled_from(sorted(stacks)))]
        self._correct(dealing, seed, stacks)

    def _correct(self, dealing: Dealing, seed: int, stacks: Mapping[int, int]) -> None:
        betting, pushed = self.betting(seed, stacks, dealing.button)
        entry = self.entry(dealing, betting, pushed)
        nets = {dealing.seats[seat]: net for seat, net in pushed.nets.items()}
        lost = any(net and stay not in nets for stay, net in self.borne(dealing, nets).items())
        codes = {
            "poker.hand_voided": not dealing.counts,
            "poker.button_wrong": dealing.button not in stacks,
            "poker.stack_short": lost,
        }
        code = next((code for code, refuses in codes.items() if refuses), "")
        if not self.ask(code, self._corrects, dealing, entry):
            return
        self.seen["corrected"] += 1
        self.seen["of a guest gone"] += any(not self.guests[stay].sits for stay in nets)
        self.books(dealing, nets, pushed.rake)

    def _corrects(self, dealing: Dealing, entry: PlayedHand) -> Hand:
        """Alone where it may be, else with the pit."""
        try:
            dealing.row = of_hand(self.floor, dealing.row, "hand_correct", entry=entry)
        except HandNeedsApproval:
            signed = self.floor.ask(dealing.row, "hand_correction_request", entry=entry)
            dealing.row = of_hand(self.floor, dealing.row, "hand_correct", entry=entry, approval_id=signed.pk)
            self.seen["put right with the pit"] += 1
        return dealing.row

    @precondition(lambda self: self.won())
    @rule(seed=SEEDS)
    def correct_what_was_given_on(self, seed: int) -> None:
        """Who won has tipped all of it when it turns out that others had."""
        dealing, stay = self.won()[-1]
        tip = {"kind": "tip", "amount_minor": self.guests[stay].stack, "means": "stack"}
        self.ask("", self._of, "stay_chips", stay, **tip)
        self.guests[stay].stack = 0
        self._correct(dealing, seed, dict(dealing.stacks))

    def won(self) -> list[tuple[Dealing, UUID]]:
        """Hands that count, with a guest who has won in them and sits there with chips."""
        return [
            (dealing, stay)
            for dealing in self.hands[-3:]
            for stay, net in dealing.booked.items()
            if dealing.counts and net > 0 and self.guests[stay].stack
        ]

    @precondition(lambda self: self.hands)
    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        self._void(data.draw(st.sampled_from(self.hands[-3:])))

    def _void(self, dealing: Dealing) -> None:
        if not self.ask("" if dealing.counts else "poker.hand_voided", self._voids, dealing):
            return
        self.seen["voided"] += 1
        self.books(dealing, {}, 0)
        dealing.counts = False

    def _voids(self, dealing: Dealing) -> Hand:
        signed = self.floor.ask(dealing.row, "hand_void_request")
        hand: Hand = of_hand(self.floor, dealing.row, "hand_void", approval_id=signed.pk)
        return hand

    @invariant()
    def books_are_the_models(self) -> None:
        rows = Account.objects.filter(owner_id=self.floor.raked.pk).exclude(balance_minor=0)
        booked = {(kind, stay): -minor for kind, stay, minor in rows.values_list("kind", "detail_id", "balance_minor")}
        assert {stay: minor for (kind, stay), minor in booked.items() if kind == "stack"} == {
            stay: guest.stack for stay, guest in self.guests.items() if guest.stack
        }
        assert min([0, *(guest.stack for guest in self.guests.values())]) == 0
        assert booked.get(("in_play", None), 0) == self.in_play
        assert booked.get(("rake", None), 0) == sum(dealing.rake for dealing in self.hands)
        with connection.cursor() as cursor:
            for name, query in POTS.items():
                cursor.execute(query)
                assert (name, cursor.fetchall()) == (name, [])


@pytest.fixture(scope="module")
def room(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[PokerRoom, str]]:
    with django_db_blocker.unblock(), module_database("machines") as name:
        room = PokerRoom()
        at_table(room, "table_entry_level_set", room.raked, entry_level="pots")
        yield room, name


@pytest.mark.timeout(0)
def test_POK_2_and_6_a_table_at_pots_does_what_the_model_says(room: tuple[PokerRoom, str]) -> None:
    run = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        derandomize=SHORT,
        database=None,
        deadline=None,
        phases=[Phase.generate],  # one that fails is short enough to be read
        suppress_health_check=list(HealthCheck),
    )
    values = {"world": room[0], "database": room[1], "seen": Counter()}
    machine: Any = type("Run", (RoomMachine,), values)
    run_state_machine_as_test(machine, settings=run)
    if SHORT:  # else it is chance
        assert REACHED - {name for name, times in machine.seen.items() if times} == set()
