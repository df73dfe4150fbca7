"""The rules of `test_places.py` that play at a table and count its tray."""

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from payouts.errors import Refused
from payouts.models import Count
from payouts.rules.ledger import recipes
from tables import services
from tables.models import Guest, TableSession
from tests.counts import VALUES, lines_of
from tests.drops import DropFloor
from tests.floor import stakes_for, taps
from tests.machines.places import AGAIN_FROM, Evening, Left, Places, Play, worth

# What a box of an ante of 15.00 takes out of the tray.
RESULTS = {"win": 30_00, "fold": -30_00, "lose": -45_00}
ENTERED = {"win": {"play": 1, "result": "win"}, "fold": {"result": "fold"}, "lose": {"play": 1, "result": "lose"}}
OUTCOMES = st.sampled_from(sorted(RESULTS))
BOUGHT = st.sampled_from((20_00, 100_00, 200_00))
PURPOSES = st.sampled_from(("relief", "spot", "closer", "closer", "opener"))
HEARD = st.sampled_from(("at once", "at once", "late", "never"))
SLIPS = st.sampled_from((0, 0, 0, 0, 1, 5, 20))
HASTY = st.sampled_from((False, False, False, True))
COUNTED = "table.being_counted"


class TrayMachine(RuleBasedStateMachine):
    """`floor` is played on."""

    floor: DropFloor
    seen: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self.places = Places()
        self.plays: list[Play] = []
        self.evening: Evening | None = None
        self.count: Count | None = None  # it freezes the tray
        self.entry: tuple[int, int] | None = None  # number and value of what waits for its witness
        self.entries = 0
        self.is_again = False
        self.opener: int | None = None  # the difference of a signed one
        self.running: Play | None = None

    @property
    def ids(self) -> dict[str, UUID]:
        return {"house_id": self.floor.house.pk, "table_id": self.floor.counted.pk}

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

    @property
    def frozen(self) -> str:
        """How what moves the tray is refused."""
        self.seen["frozen"] += self.count is not None
        return COUNTED if self.count else ""

    @initialize()
    def begin(self) -> None:
        self.evening = Evening(TableSession.objects.get(table=self.floor.counted))

    # Play
    @precondition(lambda self: self.evening and not self.running)
    @rule(outcome=OUTCOMES, heard=HEARD)
    def play(self, outcome: str, heard: str) -> None:
        """Nobody plays on while pieces are counted; a silent tablet sends what was played before."""
        if self.count or heard == "never":
            heard = "at once"
        play = self.made(RESULTS[outcome], outcome=outcome, booked=heard == "at once")
        if not self.count and not self.places.pays(play.takes):
            return
        if play.booked:
            self._sends(play)
        else:
            self.plays.append(play)

    def made(self, takes: int, **values: Any) -> Play:
        """At the table, now."""
        if self.evening is None:
            raise TypeError("the table is closed")
        return Play(evening=self.evening, takes=takes, box=self.places.box, **values)

    def _sends(self, play: Play) -> None:
        if play.outcome:
            values = self.ids | {"person_id": self.floor.martina.pk, "round_id": play.pk}
            values |= {"stakes": self.stakes(play.evening), "result": taps(b1=ENTERED[play.outcome])}
            work: Callable[..., Any] = services.round_take_queued
        else:
            values = self.ids | {"buyin_id": play.pk, "actor_id": self.floor.martina.pk, "amount_minor": play.takes}
            values |= {} if play.booked else {"session_id": play.evening.row.pk, "queued_at": play.at}
            work = services.buyin_enter
        if self.ask(self.frozen, work, **values):
            self.booked(play)

    def stakes(self, evening: Evening) -> list[dict[str, Any]]:
        return stakes_for([Guest.objects.get(session=evening.row, box=1)])

    def booked(self, play: Play) -> None:
        """The books hear of it."""
        self.seen["late round" if play.outcome else "late buy-in"] += not play.booked and not play.evening.is_open
        self.seen["set back"] += play.evening.closer is not None
        play.booked = True
        if play in self.plays:
            self.plays.remove(play)
        self.plays.append(play)  # in the order of the books
        self.places.book(play, play.takes)
        if not play.outcome:
            self._lies_in(play)

    def _lies_in(self, play: Play) -> None:
        """Booked into its box, before that was taken, after it, or after it was counted."""
        box = play.box
        if box.count is None:
            box.booked += play.takes
        elif box.is_signed:
            self.places.left[box.count.pk].follow(play.takes)
            self.seen["of a box"] += 1
        else:
            box.late.append(play.takes)

    @precondition(lambda self: self.evening and not self.running)
    @rule(amount=BOUGHT, heard=HEARD)
    def sell(self, amount: int, heard: str) -> None:
        """Cash for chips. What is *never* entered is a buy-in that nobody entered."""
        heard = "at once" if self.count else heard
        play = self.made(amount, booked=heard == "at once")
        if not self.count:
            if not self.places.pays(amount):
                return
            play.box.cash += amount
        if heard == "late":
            self.plays.append(play)
        elif heard == "at once":
            self._sends(play)

    def waiting(self) -> list[Play]:
        """On the tablet, in their order."""
        return [play for play in self.plays if not play.booked]

    @precondition(lambda self: self.waiting() and not self.running)
    @rule()
    def arrive(self) -> None:
        self._sends(self.waiting()[0])

    def sold(self) -> list[Play]:
        return [play for play in self.plays if not play.outcome and play.booked]

    @precondition(lambda self: self.sold())
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        self.takes_back(data.draw(st.sampled_from(self.sold()[-3:])))

    def takes_back(self, play: Play) -> None:
        """The guest gives the chips back, and has the cash; once the table is closed the office does it alone."""
        is_boxed = play.box.count is not None
        code = "cash.taken_back" if play.is_back else self.frozen or ("box.counted" if is_boxed else "")
        ids = {"house_id": self.floor.house.pk, "buyin_id": play.pk, "actor_id": self.floor.reto.pk}
        if self.ask(code, services.buyin_take_back, **ids, supervisor=True, reason="entered twice"):
            play.is_back = True
            self.places.book(play, -play.takes)
            play.box.booked -= play.takes
            if play.evening.is_open and self.places.pays(-play.takes):
                play.box.cash -= play.takes

    def correctable(self) -> list[Play]:
        rounds = [play for play in self.plays if play.outcome and play.booked]
        return [play for play in rounds[-1:] if play.evening is self.evening]

    @precondition(lambda self: self.evening and not self.count and not self.running)
    @rule(outcome=OUTCOMES, other=OUTCOMES, counted=st.booleans())
    def mistap(self, outcome: str, other: str, counted: bool) -> None:
        """Put right at once, or after a count."""
        self.play(outcome, "at once")
        if counted:
            self.count_through(VALUES[0], 0, alone=False)
        if self.correctable():
            self.correct(other)

    @precondition(lambda self: self.correctable() and not self.running)
    @rule(outcome=OUTCOMES)
    def correct(self, outcome: str) -> None:
        """Guest and house put right at the table what was paid, or nobody does: a count says which."""
        (play,) = self.correctable()
        if outcome == play.outcome:
            return
        self.ask("", self.floor.correct, play.pk, taps(b1=ENTERED[outcome]))
        self.seen["corrected"] += 1
        more = RESULTS[outcome] - play.takes
        self.seen["set back"] += play.evening.closer is not None
        self.places.book(play, more)
        if not self.count:
            self.places.pays(more)
        play.takes, play.outcome = play.takes + more, outcome

    @rule(value=st.sampled_from(VALUES), number=st.sampled_from((-1, -1, 1)))
    def vanish(self, value: int, number: int) -> None:
        """A piece leaves the tray, or turns up in it, and nobody says so; not while two count it."""
        if self.count is None and self.places.tray[value] + number >= 0:
            self.places.tray[value] += number
            self.seen["stolen"] += number < 0

    @precondition(lambda self: not self.count)
    @rule(amount=st.sampled_from((500_00, 1_000_00)), kind=st.sampled_from(("fill", "credit")))
    def fill(self, amount: int, kind: str) -> None:
        takes = -amount if kind == "fill" else amount
        if self.places.pays(takes):
            self.floor.move(kind, getattr(recipes, kind)(amount))
            self.places.books -= takes

    @precondition(lambda self: self.evening and not self.running and not self.count)
    @rule(outcome=OUTCOMES)
    def lock(self, outcome: str) -> None:
        if not self.places.pays(RESULTS[outcome]):
            return
        play = self.made(RESULTS[outcome], outcome=outcome)
        self.ask("", self.floor.lock, self.stakes(play.evening), table_id=self.floor.counted.pk, round_id=play.pk)
        self.running = play

    @precondition(lambda self: self.running)
    @rule()
    def settle(self) -> None:
        play, self.running = self.running, None
        if play is not None:
            self.ask("", self.floor.settle, play.pk, taps(b1=ENTERED[play.outcome]))
            self.booked(play)

    # Counts of the tray
    @rule(purpose=PURPOSES)
    def begin_count(self, purpose: str) -> None:
        is_open = self.evening is not None
        code = "count.running" if self.count else ""
        code = "table.round_running" if self.running and purpose != "opener" else code
        if purpose == "opener":
            code = "table.open" if is_open else code
        elif not is_open:
            code = "table.closed"
        values = {"purpose": purpose, "actor_id": self.floor.martina.pk}
        if count := self.ask(code, services.count_begin, **self.ids, **values):
            self.count, self.entry, self.entries, self.is_again = count, None, 0, False

    @property
    def counting(self) -> bool:
        """It is not signed yet."""
        return self.count is not None and self.count.pk not in self.places.left

    @precondition(lambda self: self.counting and not self.entry)
    @rule(value=st.sampled_from(VALUES), slip=SLIPS)
    def enter(self, value: int, slip: int) -> None:
        """Some of a denomination may be overlooked."""
        pieces = Counter(self.places.tray)
        overlooked = min(slip, pieces[value])
        pieces[value] -= overlooked
        self.seen["overlooked"] += overlooked > 0
        ids = {"house_id": self.floor.house.pk, "count_id": self.count.pk, "counter_id": self.floor.martina.pk}
        lines = lines_of(*[pieces[value] for value in VALUES])
        self.ask("", services.count_enter, **ids, lines=lines)
        self.entries += 1
        self.entry = self.entries, worth(pieces)

    @precondition(lambda self: self.counting)
    @rule(ok=st.sampled_from((True, True, True, False)), other=st.sampled_from((True, True, True, False)))
    def witness(self, ok: bool, other: bool) -> None:
        number, value = self.entry or (1, 0)
        person = self.floor.reto if other else self.floor.martina
        code = "" if other else "count.same_person"
        ids = {"house_id": self.floor.house.pk, "count_id": self.count.pk, "witness_id": person.pk}
        code = code if self.entry else "count.changed"
        answer = self.ask(code, services.count_witness, **ids, entry=number, ok=ok)
        if answer is None:
            return
        self.entry = None
        difference = value - self.places.books
        if not ok:
            assert answer.value_minor is None
        elif abs(difference) >= AGAIN_FROM and not self.is_again:
            assert (answer.value_minor, answer.recorded_minor, answer.difference_minor) == (None, None, None)
            self.is_again = True
            self.seen["again"] += 1
        else:
            figures = (answer.value_minor, answer.recorded_minor, answer.difference_minor)
            assert figures == (value, self.places.books, difference)
            self._signed(value, difference)

    def _signed(self, value: int, difference: int) -> None:
        self.places.left[self.count.pk] = Left(difference)
        self.places.books = value
        if self.count.purpose == "closer":
            self.evening.closer = self.count.pk
            return
        if self.count.purpose == "opener":
            self.opener = difference
        self.seen["between"] += self.count.purpose != "opener"
        self.count = None

    @precondition(lambda self: self.count)
    @rule()
    def give_up(self) -> None:
        """A signed closer stands as a count between."""
        ids = {"house_id": self.floor.house.pk, "count_id": self.count.pk, "actor_id": self.floor.reto.pk}
        self.ask("", services.count_give_up, **ids)
        if self.evening:
            self.evening.closer = None
        self.count = self.entry = None
        self.seen["given up"] += 1

    @precondition(lambda self: self.evening and not self.running)
    @rule(hasty=HASTY)
    def close(self, hasty: bool) -> None:
        if not (hasty or self.evening.closer):
            return
        code = "" if self.evening.closer else COUNTED if self.count else "table.not_counted"
        values = {"actor_id": self.floor.reto.pk, "reason": "the tablet is silent"}
        if self.ask(code, services.table_close, **self.ids, **values):
            self.evening.is_open = False
            self.evening = self.count = self.opener = None
            self.seen["closed"] += 1

    @precondition(lambda self: not self.evening)
    @rule(reason=st.sampled_from(("", "seen by both")), hasty=HASTY)
    def open(self, reason: str, hasty: bool) -> None:
        if self.opener is None and not hasty:
            return
        code = (
            "table.not_counted" if self.opener is None else "table.opener_differs" if self.opener and not reason else ""
        )
        code = COUNTED if self.count else code
        values = {"croupier_id": self.floor.martina.pk, "actor_id": self.floor.reto.pk}
        if session := self.ask(code, services.table_open, **self.ids, **values, reason=reason):
            self.evening = Evening(session)
            self.opener = None
            self.ask("", self.floor.seat, self.floor.counted, 1)
            self.seen["opened"] += 1

    # Several steps at once
    @precondition(lambda self: not self.count and not self.running)
    @rule(value=st.sampled_from(VALUES), slip=SLIPS, alone=HASTY)
    def count_through(self, value: int, slip: int, alone: bool) -> None:
        """From the begin to the signature, twice where they ask for it; who counts may try to witness too."""
        self.begin_count("spot" if self.evening else "opener")
        while self.counting:
            self.enter(value, slip)
            if alone:
                self.witness(ok=True, other=False)
            self.witness(ok=True, other=True)

    @precondition(lambda self: self.evening and not self.count and not self.running)
    @rule(value=st.sampled_from(VALUES), slip=SLIPS)
    def end_evening(self, value: int, slip: int) -> None:
        self.begin_count("closer")
        while self.counting:
            self.enter(value, slip)
            self.witness(ok=True, other=True)
        self.close(hasty=False)

    @precondition(lambda self: self.evening and not self.count and not self.running)
    @rule(outcome=OUTCOMES, amount=BOUGHT, again=st.booleans())
    def silent_tablet(self, outcome: str, amount: int, again: bool) -> None:
        """What was played and sold is heard of after the closer, perhaps in the next evening."""
        self.play(outcome, "late")
        self.sell(amount, "late")
        self.end_evening(VALUES[0], 0)
        if again:
            self.begin_evening(0, hasty=False)
        while self.waiting():
            self.arrive()

    @precondition(lambda self: not self.evening and not self.count)
    @rule(slip=SLIPS, hasty=HASTY)
    def begin_evening(self, slip: int, hasty: bool) -> None:
        """Without an opener first, and without a reason where that differs, if they are hasty."""
        if hasty:
            self.open("", hasty=True)
        self.count_through(VALUES[0], slip, alone=False)
        if hasty and not self.evening:
            self.open("", hasty=True)
        if not self.evening:
            self.open("seen by both", hasty=False)
