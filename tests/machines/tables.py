"""The state machine's tables and guests: what the floor is asked, and what the model says to it."""

import copy
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar
from uuid import UUID, uuid4

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from casino.demo.rulesets import DEMO_TABLES
from jackpot.models import Jackpot
from jackpot.selectors.jackpots import meter_read
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Account
from tables import services
from tables.audit.replay import replay
from tables.games.blackjack.rules import BlackjackRules
from tables.models import Guest as GuestRow
from tables.models import Round, Table, TableSession
from tables.rules.floor import FloorRules
from tests import floor as floors
from tests.clock import clock_jumps
from tests.databases import module_database
from tests.machines import model
from tests.machines.board import Board
from tests.machines.box_model import HANDS
from tests.machines.model import ALONE_S, BACK_S, Coup, Guest, Session
from tests.tables.audits import breached, disagreeing

DEALERS, LEVELS = ("martina", "nora"), ("fast", "fast", "fast", "full_cards", "jackpot_only")
BJ = 2  # the table of Black Jack
UTH_TABLES = st.integers(0, 4).map(lambda number: int(number == 4))  # mostly the linked one
TABLES = UTH_TABLES | st.just(BJ)


class World:
    """The floor that each run has a copy of. Nothing in a run is late but by the clock's jumps."""

    def __init__(self, database: str) -> None:
        patient = FloorRules(reopen_s=BACK_S, withdraw_s=BACK_S, undo_s=ALONE_S)
        with pytest.MonkeyPatch.context() as patch:
            posted = {"floor_rules": patient, "blackjack_rules": BlackjackRules(max_hands_per_box=HANDS)}
            tables = [(kind, name, posted.get(kind.code, start)) for kind, name, start in DEMO_TABLES]
            patch.setattr(floors, "DEMO_TABLES", tables)
            self.floor = Board()
        self.database = database
        self.ids = (self.floor.table.pk, self.floor.other.pk, self.floor.bj.pk)
        self.people = {name: getattr(self.floor, name).pk for name in (*DEALERS, "reto")}


class Tables(RuleBasedStateMachine):
    """One run on a database of its own."""

    world: World
    seen: ClassVar[Counter[str]]  # over all runs: what was done, and by which codes it was refused

    def __init__(self) -> None:
        super().__init__()
        self._database = module_database("machine", self.world.database)
        self._database.__enter__()
        self.floor = copy.copy(self.world.floor)
        self.house = {"house_id": self.floor.house.pk}
        self.tables = [model.Table(linked=place == 0) for place in range(3)]
        self.jackpot = model.Jackpot()
        self.coups: dict[UUID, Coup] = {}
        self.bodies: dict[UUID, tuple[object, ...]] = {}
        self.guests: dict[UUID, Guest] = {}
        self.entries: list[tuple[UUID, str, UUID, Any]] = []  # id, kind, round, what was kept
        self.kept: set[UUID] = set()
        self.came: set[UUID] = set()  # rounds of which a result was kept, whatever became of it
        self.before = self.balances()
        self.now = 0  # what the clock of the house says, in seconds

    def teardown(self) -> None:
        try:
            assert breached() == {}
            assert disagreeing() == []
            assert [result.name for result in replay(everything=True) if result.breaches] == []
        finally:
            self.leave()

    def leave(self) -> None:
        self._database.__exit__(None, None, None)

    # Asking
    def ask(self, code: str, command: Callable[..., Any], *, keyed: bool = False, **values: Any) -> Any:
        """Carry a command out: it must be refused with this code, having written nothing, or done. `keyed`: under a key, twice."""
        try:
            work = partial(command, **self.house, **values)
            answer = self.twice(work) if keyed else floors.done(work)
        except Refused as refused:
            self.seen[refused.code] += 1
            assert refused.code == code, f"{refused.code}: {refused}"
            self.refusal = refused
            return None
        assert code == "", f"{code} was expected"
        self.seen[getattr(command, "__name__", "")] += 1
        return answer

    def twice(self, work: Callable[[], Any]) -> Any:
        """The same key again is answered, and does nothing."""
        key, request = f"machine-{uuid4()}", request_fingerprint("asked", "machine", {})
        first, second = (run_once(key, request, work) for _ in range(2))
        assert (second.body, second.replayed) == (first.body, True)
        self.seen["same key again"] += 1
        return first.body

    def where(self, table: int) -> dict[str, Any]:
        return {"table_id": self.world.ids[table]}

    def pit(self) -> dict[str, Any]:
        return {"actor_id": self.world.people["reto"]}

    def balances(self) -> list[dict[str, int]]:
        rows = Account.objects.filter(owner_id__in=self.world.ids).values_list("owner_id", "kind", "balance_minor")
        found: list[dict[str, int]] = [{} for _ in self.world.ids]
        for owner, kind, amount in rows:
            place = found[self.world.ids.index(owner)]
            place[kind] = place.get(kind, 0) + amount
        return found

    # The table
    @initialize(level=st.sampled_from(LEVELS))
    def begin(self, level: str) -> None:
        self.open_table(0, "martina", level)
        for box in (1, 2, 3):
            self.arrive(0, box, 0)

    @precondition(lambda self: not all(there.session for there in self.tables))
    @rule(table=TABLES, croupier=st.sampled_from(DEALERS), level=st.sampled_from(LEVELS))
    def open_table(self, table: int, croupier: str, level: str) -> None:
        there, level = self.tables[table], "fast" if table == BJ else level
        unlinked = level == "jackpot_only" and not there.linked
        code = "table.open" if there.session else "table.level_needs_jackpot" if unlinked else ""
        person = self.world.people[croupier]
        self.ask(code, services.table_open, **self.where(table), croupier_id=person, entry_level=level, **self.pit())
        if not code:
            there.session = Session(croupier, level)
            for box, distance in ((1, 0), (2, 0), (None, 1), (None, 2))[: 4 if table == BJ else 2]:
                self.arrive(table, box, distance)

    @precondition(lambda self: self.coups)
    @rule(seconds=st.sampled_from((-3600, BACK_S + 60, ALONE_S + 60)))
    def clock(self, seconds: int) -> None:
        """It is set back, or jumps to where some things are late."""
        clock_jumps(seconds)
        self.now += seconds
        self.seen["clock set back" if seconds < 0 else "clock set forward"] += 1

    def busy(self, table: int) -> str:
        there = self.tables[table]
        return "table.closed" if not there.session else "table.round_running" if there.running else ""

    def frozen(self) -> str:
        """What linked tables are told from a claim to the reopening."""
        return "jackpot.not_open" if self.jackpot.hit else ""

    @precondition(lambda self: any(there.session and there.session.rounds >= 4 for there in self.tables))
    @rule(table=TABLES)
    def close_table(self, table: int) -> None:
        code, there = self.busy(table), self.tables[table]
        self.ask(code, services.table_close, **self.where(table), **self.pit(), reason="the evening is over")
        if not code:
            for guest in self.tables[table].session.guests:
                guest.here = False
            there.session = None

    @rule(table=TABLES, croupier=st.sampled_from(DEALERS))
    def hand_over(self, table: int, croupier: str) -> None:
        session = self.tables[table].session
        code, person = "" if session else "table.closed", self.world.people[croupier]
        self.ask(code, services.table_hand_over, **self.where(table), croupier_id=person, **self.pit())
        if session and croupier != session.croupier:
            session.had.add(session.croupier)
            session.croupier = croupier

    @precondition(lambda self: self.coups)
    @rule(table=UTH_TABLES, level=st.sampled_from(LEVELS))
    def set_level(self, table: int, level: str) -> None:
        there = self.tables[table]
        code = self.busy(table)
        if there.session and level == "jackpot_only" and not there.linked:
            code = "table.level_needs_jackpot"
        self.ask(code, services.table_entry_level_set, **self.where(table), entry_level=level, **self.pit())
        if not code:
            there.session.level = level

    @precondition(lambda self: self.coups)
    @rule(table=TABLES, linked=st.booleans())
    def link(self, table: int, linked: bool) -> None:
        there = self.tables[table]
        code = self.frozen() if linked or there.linked else ""
        code = code or ("table.round_running" if there.running else "")
        if not code and not linked and there.session and there.session.level == "jackpot_only":
            code = "table.level_needs_jackpot"
        jackpot = self.floor.jackpot.pk if linked else None
        self.ask(code, services.table_link, **self.where(table), jackpot_id=jackpot, **self.pit())
        there.linked = there.linked if code else linked

    # Guests
    def place(self, session: Session, box: int | None, *, but: Guest | None = None) -> str:
        if box is not None and box > 7:
            return "guest.box_outside"
        owned = {guest.box for guest in session.guests if guest.here and guest is not but}
        return "guest.box_owned" if box is not None and box in owned else ""

    @rule(table=TABLES, box=st.none() | st.integers(1, 8), distance=st.integers(0, 3))
    def arrive(self, table: int, box: int | None, distance: int) -> None:
        session = self.tables[table].session
        code = self.place(session, box) if session else "table.closed"
        values = {"box": box, "seated": box is not None, "distance": distance, **self.pit()}
        row = self.ask(code, services.guest_arrive, **self.where(table), **values)
        if not code:
            self.guests[row.pk] = Guest(session, box, key=str(row.pk), distance=distance)
            session.guests.append(self.guests[row.pk])
            assert row.number == len(session.guests)

    @precondition(lambda self: self.guests)
    @rule(data=st.data(), box=st.none() | st.integers(1, 8), leave=st.booleans())
    def move_or_leave(self, data: st.DataObject, box: int | None, leave: bool) -> None:
        guest_id = data.draw(st.sampled_from(list(self.guests)))
        guest = self.guests[guest_id]
        code = "" if guest.here else "guest.unknown"
        if leave and len([one for one in self.guests.values() if one.here]) > 3:
            self.ask(code, services.guest_leave, guest_id=guest_id, **self.pit())
            guest.here = False
            return
        code = code or self.place(guest.session, box, but=guest)
        values = {"box": box, "seated": box is not None, "distance": 3, **self.pit()}
        self.ask(code, services.guest_move, guest_id=guest_id, **values)
        if not code:
            guest.box, guest.distance = box, 3

    @invariant()
    def books_are_the_models(self) -> None:
        for there, now, before in zip(self.tables, self.balances(), self.before, strict=True):
            for kind in {*now, *there.books}:
                assert now.get(kind, 0) - before.get(kind, 0) == there.books[kind], kind
        reading = meter_read(jackpot_id=self.floor.jackpot.pk)
        meter = model.meter_sum(self.jackpot, self.tables)
        assert (reading.epoch_number, reading.sum_minor) == (self.jackpot.epoch, meter)
        phase = Jackpot.objects.values_list("phase", flat=True).get()
        assert phase in (("draining", "verifying") if self.jackpot.hit else ("open",))

    @invariant()
    def floor_is_the_models(self) -> None:
        rows = {row[0]: row[1:] for row in Round.objects.values_list("id", "state", "number", "revision", "queued")}
        assert rows == {one: (coup.state, coup.number, coup.revision, coup.queued) for one, coup in self.coups.items()}
        guests = GuestRow.objects.values_list("id", "box", "left_at")
        assert {one: (box, left is None) for one, box, left in guests} == {
            one: (guest.box, guest.here) for one, guest in self.guests.items()
        }
        names = {key: name for name, key in self.world.people.items()}
        open_now = TableSession.objects.filter(closed_at=None).values_list("table_id", "croupier_id", "entry_level")
        assert {one: (names[croupier], level) for one, croupier, level in open_now} == {
            self.world.ids[place]: (there.session.croupier, there.session.level)
            for place, there in enumerate(self.tables)
            if there.session
        }
        linked = dict(Table.objects.values_list("id", "jackpot_id"))
        assert [linked[one] is not None for one in self.world.ids] == [there.linked for there in self.tables]
