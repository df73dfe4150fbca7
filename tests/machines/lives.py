"""Lives of a jackpot: mostly it goes its way, now and then something else happens."""

from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from tests.machines.asking import DISPLAYS, TABLES
from tests.machines.hit_model import AWARD, REJECT, SIGNERS
from tests.machines.standing import Standing
from tests.machines.things import Claim

TABLE, DISPLAY, BOX = st.integers(0, TABLES - 1), st.integers(0, DISPLAYS - 1), st.sampled_from((None, 1, 2))
One = TypeVar("One")
PIT, PIT_ROLES = ("reto", "bea", "ines"), ("pit_boss", "manager")

EVENTS = (
    *["goes_on"] * 9,
    *(
        "begins",
        "ends",
        "is_put_right",
        "is_put_right",
        "is_taken_back",
        "is_taken_back",
        "never_came",
        "royal_is_called",
    ),
    *(
        "claim_is_looked_at",
        "claim_is_looked_at",
        "rejection_is_asked",
        "is_signed",
        "display_confirms",
        "displays_change",
    ),
    *("as_a_whole", "slip_is_brought"),
)

# What concerns a phase.
MEDDLING = {
    "draining": ("is_taken_back", "is_taken_back", "royal_is_called", "never_came", "is_put_right", "as_a_whole"),
    "verifying": ("is_put_right", "is_signed", "claim_is_looked_at", "rejection_is_asked", "as_a_whole"),
    "showing": (
        "display_confirms",
        "displays_change",
        "displays_change",
        "as_a_whole",
        "is_put_right",
        "slip_is_brought",
    ),
}


class JackpotMachine(Standing):
    """One rule, so that the runs come far: mostly the jackpot goes its way, now and then something else happens."""

    @rule(data=st.data(), what=st.sampled_from(EVENTS))
    def happens(self, data: st.DataObject, what: str) -> None:
        getattr(self, what)(data, self.dies(data))

    def begins(self, data: st.DataObject, dies: int | None) -> None:
        self.lock(data.draw(TABLE), data.draw(st.sampled_from((0, 1, 2, 2))), dies)

    def ends(self, data: st.DataObject, dies: int | None) -> None:
        for one in self.one_of(data, self.model.running() or self.model.rounds):
            self.settle(one, data.draw(BOX), dies)

    def is_put_right(self, data: st.DataObject, dies: int | None) -> None:
        settled = [one for one in self.model.rounds if one.state == "settled"]
        claiming = [
            claim.round for claim in (self.model.hit.claims if self.model.hit else []) if claim.round in settled
        ]
        for one in self.one_of(data, claiming if claiming and data.draw(st.booleans()) else settled):
            self.correct(one, data.draw(BOX), dies)

    def is_taken_back(self, data: st.DataObject, dies: int | None) -> None:
        for one in self.one_of(data, self.model.running() or self.model.rounds):
            self.take_back(one, data.draw(st.sampled_from(("reopen", "withdraw", "void", "void signed"))), dies)

    def never_came(self, data: st.DataObject, dies: int | None) -> None:
        self.withdraw_unknown(data.draw(TABLE), dies)

    def royal_is_called(self, data: st.DataObject, dies: int | None) -> None:
        for one in self.one_of(data, self.model.running() or self.model.rounds):
            self.call(one, dies)

    def claim_is_looked_at(self, data: st.DataObject, dies: int | None) -> None:
        hits = [self.model.hit] if self.model.hit and data.draw(st.booleans()) else self.model.hits
        for claim in self.one_of(data, [claim for hit in hits for claim in hit.claims]):
            person = data.draw(st.sampled_from((*PIT, f"dealer{claim.round.table}")))
            self.decide(claim, data.draw(st.booleans()), person, dies)

    def rejection_is_asked(self, data: st.DataObject, dies: int | None) -> None:
        self.ask_rejection(dies)

    def is_signed(self, data: st.DataObject, dies: int | None) -> None:
        asked, person = (
            self.asked_now(data.draw(st.sampled_from((AWARD, REJECT)))),
            data.draw(st.sampled_from((*PIT, "nora"))),
        )
        if asked is not None:
            self.sign(asked, person, dies)

    def display_confirms(self, data: st.DataObject, dies: int | None) -> None:
        last = len(self.model.gates) - 1
        if last >= 0:
            number = last if data.draw(st.integers(0, 3)) else data.draw(st.integers(0, last))
            self.confirm(number, data.draw(DISPLAY), data.draw(st.integers(0, 3)) > 0, dies)

    def displays_change(self, data: st.DataObject, dies: int | None) -> None:
        self.display_moves(data.draw(DISPLAY), dies, out=data.draw(st.booleans()))

    def as_a_whole(self, data: st.DataObject, dies: int | None) -> None:
        self.whole(data.draw(st.sampled_from(("suspend", "suspend", "resume", "close", "reopen", "adjust"))), dies)

    def slip_is_brought(self, data: st.DataObject, dies: int | None) -> None:
        for award in self.one_of(data, self.model.awards):
            if data.draw(st.booleans()):
                self.pay(award, "cage", dies)
            else:
                self.cancel(award, dies)

    def one_of(self, data: st.DataObject, among: list[One]) -> list[One]:
        """One of them, as a list; none where there is none."""
        return [data.draw(st.sampled_from(among))] if among else []

    # Runs that come far
    def goes_on(self, data: st.DataObject, dies: int | None) -> None:
        """As it mostly goes: what the jackpot waits for is done, and something else comes between."""
        model = self.model
        self.meddle(data)
        if model.suspended and not (model.hit and data.draw(st.booleans())):
            self.whole("resume", dies)
        elif model.phase == "closed":
            self.whole("reopen", dies)
        elif model.phase == "open":
            self.play(data)
        elif model.phase == "draining" and model.hit:
            for one in [one for one in model.hit.listed if one.state == "locked"]:
                self.settle(one, data.draw(BOX), self.dies(data))
            self.advance(None)
        elif model.phase == "verifying" and model.hit:
            self.look(data)
        else:
            self.show(data)

    def meddle(self, data: st.DataObject) -> None:
        """Now and then something happens that concerns what the jackpot is at."""
        if data.draw(st.integers(0, 2)) == 0:
            event = data.draw(st.sampled_from(MEDDLING.get(self.model.phase, EVENTS[-1:])))
            getattr(self, event)(data, self.dies(data))

    def play(self, data: st.DataObject) -> None:
        """All tables lock, and one of them has a royal flush."""
        for table in range(TABLES):
            if not self.model.running(table):
                self.lock(table, data.draw(st.sampled_from((2, 2, 2, 1, 0))), self.dies(data))
        for one in self.one_of(data, self.model.running()):
            for _ in range(data.draw(st.sampled_from((0, 1, 2)))):
                self.call(one, self.dies(data))
            self.meddle(data)
            self.settle(one, data.draw(st.sampled_from((None, 1, 1, 2))), self.dies(data))

    def look(self, data: st.DataObject) -> None:
        """Every claim is decided; then people sign the payment, or that it was none."""
        hit = self.model.hit
        assert hit is not None
        for claim in [claim for claim in hit.claims if claim.state == "open"]:
            self.decide(claim, data.draw(st.integers(0, 3)) > 0, self.looks(claim, data), self.dies(data))
        self.advance(data.draw(st.none() | st.integers(0, 120)))
        if any(claim.state == "verified" for claim in hit.claims):
            for _ in range(SIGNERS):
                self.meddle(data)
                asked = self.asked_now(AWARD)
                if asked is not None and self.model.counted(asked) < SIGNERS:
                    self.sign(asked, self.somebody(request=asked), self.dies(data))
        else:
            self.ask_rejection(None, by=self.somebody())
            asked = self.asked_now(REJECT)
            if asked is not None:
                self.sign(asked, self.somebody(request=asked), self.dies(data))
        self.advance(data.draw(st.none() | st.integers(0, 120)))

    def looks(self, claim: Claim, data: st.DataObject) -> str:
        """Mostly somebody who may decide about it."""
        fits = [name for name in PIT if self.model.holds(name, PIT_ROLES) and not self.model.rests(name)]
        free = [name for name in fits if name not in claim.authors]
        return data.draw(st.sampled_from(free or fits or list(PIT)))

    def show(self, data: st.DataObject) -> None:
        """Every display confirms."""
        self.advance(None)
        for display in sorted(self.model.required if self.model.gate else ()):
            self.meddle(data)
            self.confirm(len(self.model.gates) - 1, display, data.draw(st.integers(0, 5)) > 0, self.dies(data))
        self.advance(data.draw(st.none() | st.integers(0, 60)))

    @invariant()
    def jackpot_is_the_models(self) -> None:
        self.same()
