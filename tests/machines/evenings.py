"""Evenings of a house that somebody turns against, whose clock jumps, and which is restored: between what goes its way."""

from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from tests.machines.asking import DEALERS
from tests.machines.clocks import Clocks
from tests.machines.desk_model import DAY, HOUR
from tests.machines.lives import DISPLAY, JackpotMachine
from tests.machines.prize_model import CANCELLED_AS
from tests.machines.tries import TRIES, Try

ACTS = ("signs", "signs", "asks", "decides", "pays", "asks_for_a_prize")
TRIED = (
    *["signs"] * 4,
    *["is_driven"] * 6,
    *("asks", "asks", "turns_down", "decides", "pays", "asks_for_a_prize", "sweeps"),
    *("makes_somebody", "gives_roles", "bars", "lets_in"),
    *("reads_a_card", "reads_a_card", "acts_for_the_croupier", "acts_for_the_croupier"),
    *("the_clock_jumps", "the_clock_jumps", "a_display_is_replaced", "is_restored", "backs_up", "restores"),
)
JUMPS = (*[-HOUR] * 4, *[2 * 60] * 4, HOUR + 60, DAY + HOUR)
GIVEN = ({"pit_boss"}, {"manager"}, {"cage"}, {"croupier"}, {"technician", "cage"})


class EveningMachine(JackpotMachine, Clocks):
    """A life begins with a try, and half of what happens is one."""

    firsts: ClassVar[tuple[Try, ...]] = TRIES
    driven = ""  # who does all that is tried now

    @initialize(data=st.data())
    def begins_with(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.firsts))(self)

    @rule(data=st.data(), tries=st.lists(st.sampled_from(TRIED), min_size=1, max_size=3))
    def is_tried(self, data: st.DataObject, tries: list[str]) -> None:
        for one in tries:
            getattr(self, one)(data, self.dies(data))

    def goes_on(self, data: st.DataObject, dies: int | None) -> None:
        """Where nobody of the pit is left, the house waits until the next evening, and lets people in again."""
        pit = [name for name in self.model.people if self.model.holds(name, {"pit_boss", "manager"})]
        if sum(not self.model.rests(name) for name in pit) < 2:
            self.night()
            for name in self.model.people:
                self.see(name)
            for name in ("bea", "ines", "reto"):
                if not self.model.people[name].active and name != self.chief():
                    self.let_in(name, self.chief(), dies, active=True)
        super().goes_on(data, dies)

    def chief(self) -> str:
        """A manager."""
        return next(name for name in self.model.people if self.model.holds(name, {"manager"}))

    def anybody(self, data: st.DataObject) -> str:
        """Who may sign in: often one whom another made anew, or who has a part in the hit."""
        if self.driven:
            return self.driven
        there = [name for name, person in self.model.people.items() if person.active]
        anew = [name for name in there if self.model.made_anew(name)]
        authors = [name for name in there if self.model.hit and name in self.model.took_part(self.model.hit)]
        likely = [name for name in there if name not in DEALERS]
        return data.draw(st.sampled_from(data.draw(st.sampled_from((likely, likely, there, anew, authors))) or likely))

    def manager(self, data: st.DataObject) -> str:
        """Mostly one who is."""
        managers = [name for name in self.model.people if self.model.holds(name, {"manager"})]
        return data.draw(st.sampled_from(managers)) if data.draw(st.integers(0, 7)) else self.anybody(data)

    # People
    def is_driven(self, data: st.DataObject, dies: int | None) -> None:
        """A manager gives a colleague another sign-in, and acts by it."""
        name = data.draw(st.sampled_from(("reto", "bea", "ines", "cage")))
        self.give_password(name, self.manager(data), dies, factor=data.draw(st.booleans()))
        if self.model.people[name].active:
            self.driven = name
            for what in data.draw(st.lists(st.sampled_from(ACTS), min_size=1, max_size=3)):
                getattr(self, what)(data, dies)
            self.driven = ""

    def makes_somebody(self, data: st.DataObject, dies: int | None) -> None:
        if len(self.model.people) < 12:
            self.make(data.draw(st.sampled_from(GIVEN)), self.manager(data), dies)

    def gives_roles(self, data: st.DataObject, dies: int | None) -> None:
        name = self.anybody(data)
        if name not in DEALERS:
            self.give_roles(name, data.draw(st.sampled_from(GIVEN)), self.manager(data), dies)

    def bars(self, data: st.DataObject, dies: int | None) -> None:
        name = self.anybody(data)
        if name not in DEALERS:
            self.let_in(name, self.manager(data), dies, active=False)

    def lets_in(self, data: st.DataObject, dies: int | None) -> None:
        for name in self.one_of(data, [name for name, person in self.model.people.items() if not person.active]):
            self.let_in(name, self.manager(data), dies, active=True)

    # Requests
    def asks(self, data: st.DataObject, dies: int | None) -> None:
        """For something that waits then, while the jackpot goes on."""
        what, by = (
            data.draw(st.sampled_from(("suspend", "resume", "adjust", "adjust", "out", "in", "cancel", "reject"))),
            "",
        )
        by = self.anybody(data)
        if what in ("out", "in"):
            self.ask_display(data.draw(DISPLAY), by, out=what == "out")
        elif what == "reject":
            self.ask_rejection(dies, by=by)
        elif what == "cancel":
            for award in self.one_of(data, self.model.awards):
                how = data.draw(st.sampled_from([how for hows in CANCELLED_AS.values() for how in hows]))
                self.ask_cancel(award, how, by)
        else:
            self.ask_whole(what, by, data.draw(st.sampled_from((500, -300))))

    def signs(self, data: st.DataObject, dies: int | None) -> None:
        """What is open, or what is not any more."""
        asked = [one for one in self.model.asked if one.key is not None]
        wait = [one for one in asked if not self.model.shut(one)]
        for request in self.one_of(data, wait if wait and data.draw(st.integers(0, 3)) else asked[-8:]):
            other = self.other_payload(request) if data.draw(st.integers(0, 5)) == 0 else b""
            self.sign(request, self.anybody(data), dies, other=other)

    def turns_down(self, data: st.DataObject, dies: int | None) -> None:
        for request in self.one_of(data, [one for one in self.model.open() if one.key is not None]):
            self.turn_down(request, self.anybody(data), dies)

    def asks_for_a_prize(self, data: st.DataObject, dies: int | None) -> None:
        for prize in self.one_of(data, self.model.prizes):
            self.ask_again(prize, self.anybody(data), dies)

    def sweeps(self, data: st.DataObject, dies: int | None) -> None:
        self.sweep()

    # Claims, slips, rounds
    def decides(self, data: st.DataObject, dies: int | None) -> None:
        hit = self.model.hit or (self.model.hits[-1] if self.model.hits else None)
        for claim in self.one_of(data, hit.claims if hit else []):
            self.decide(claim, data.draw(st.booleans()), self.anybody(data), dies)

    def pays(self, data: st.DataObject, dies: int | None) -> None:
        for award in self.one_of(data, self.model.awards):
            self.pay(award, self.anybody(data), dies, more=data.draw(st.sampled_from((0, 0, 0, 5, -5))))

    def reads_a_card(self, data: st.DataObject, dies: int | None) -> None:
        for one in self.one_of(data, self.model.running()):
            self.feed(one, dies)

    def acts_for_the_croupier(self, data: st.DataObject, dies: int | None) -> None:
        """The pit boss enters a result, or calls; from then on he is an author."""
        for one in self.one_of(data, self.model.running()):
            if data.draw(st.booleans()):
                self.call(one, dies, by="reto")
            else:
                self.settle(one, data.draw(st.sampled_from((None, 1, 1, 2))), dies, by="reto")

    # What befalls the house
    def the_clock_jumps(self, data: st.DataObject, dies: int | None) -> None:
        self.jump(data.draw(st.sampled_from(JUMPS)))

    def a_display_is_replaced(self, data: st.DataObject, dies: int | None) -> None:
        self.replace(data.draw(DISPLAY))

    def is_restored(self, data: st.DataObject, dies: int | None) -> None:
        """Twice in a row too."""
        for _ in range(data.draw(st.sampled_from((1, 1, 2)))):
            self.restored(dies)

    def backs_up(self, data: st.DataObject, dies: int | None) -> None:
        self.back_up()

    def restores(self, data: st.DataObject, dies: int | None) -> None:
        self.restore(dies)
