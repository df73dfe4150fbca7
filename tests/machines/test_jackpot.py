"""The jackpot as a state machine: whatever is asked in whatever order, and whoever dies in the middle, it does what the model of
plain Python says, or refuses with the code that the model says; after each step phase, meter, list, claims, splits, gates and slips
are the model's, and at the end of each run every audit passes.

Short in CI; `make machines` (FLOOR_EXAMPLES runs) is the long form.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from jackpot import hints
from tests.conftest import module_database
from tests.machines import hit_model
from tests.machines.hits import DEALER, DISPLAYS, SIGNERS, TABLES, Hits, Patient

SHORT = "FLOOR_EXAMPLES" not in os.environ
EXAMPLES, STEPS = int(os.environ.get("FLOOR_EXAMPLES", "4")), 25
TABLE, DISPLAY, BOX = st.integers(0, TABLES - 1), st.integers(0, DISPLAYS - 1), st.sampled_from((None, 1, 2))
One = TypeVar("One")
REQUESTS = ("jackpot.award", "jackpot.reject")


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


class JackpotMachine(Hits):
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
            self.decide(claim, data.draw(st.booleans()), data.draw(st.sampled_from((*SIGNERS, DEALER))), dies)

    def rejection_is_asked(self, data: st.DataObject, dies: int | None) -> None:
        self.ask_rejection(dies)

    def is_signed(self, data: st.DataObject, dies: int | None) -> None:
        self.sign(data.draw(st.sampled_from(REQUESTS)), data.draw(st.sampled_from((*SIGNERS, "martina"))), dies)

    def display_confirms(self, data: st.DataObject, dies: int | None) -> None:
        last = len(self.model.gates) - 1
        if last >= 0:
            number = last if data.draw(st.integers(0, 3)) else data.draw(st.integers(0, last))
            self.confirm(number, data.draw(DISPLAY), data.draw(st.integers(0, 3)) > 0, dies)

    def displays_change(self, data: st.DataObject, dies: int | None) -> None:
        (self.display_out if data.draw(st.booleans()) else self.display_add)(data.draw(DISPLAY), dies)

    def as_a_whole(self, data: st.DataObject, dies: int | None) -> None:
        self.whole(data.draw(st.sampled_from(("suspend", "suspend", "resume", "close", "reopen", "adjust"))), dies)

    def slip_is_brought(self, data: st.DataObject, dies: int | None) -> None:
        for award in self.one_of(data, self.model.awards):
            self.slip(award, data.draw(st.booleans()), dies)

    def one_of(self, data: st.DataObject, among: list[One]) -> list[One]:
        """One of them, as a list; none where there is none."""
        return [data.draw(st.sampled_from(among))] if among else []

    # --- runs that come far ----------------------------------------------------------------------------------------------------
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
            person = data.draw(st.sampled_from(("ines", "reto")))
            self.decide(claim, data.draw(st.integers(0, 3)) > 0, person, self.dies(data))
        self.advance(data.draw(st.none() | st.integers(0, 120)))
        if any(claim.state == "verified" for claim in hit.claims):
            for person in ("bea", "ines", "reto"):
                if self.model.award and len(self.model.award.signed) < hit_model.SIGNERS:
                    self.meddle(data)
                    self.sign("jackpot.award", person, self.dies(data))
        else:
            self.ask_rejection(None)
            self.sign("jackpot.reject", "bea", self.dies(data))
        self.advance(data.draw(st.none() | st.integers(0, 120)))

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


# Runs that never come here prove nothing of it: the long form comes everywhere.
LONG = 100
PLAYED = {"lock", "settle", "correct", "call", "verify", "sign", "confirm", "paid", "died", "coordinator died"}
REACHED = PLAYED | {
    *("double royal", "triple royal", "rejected", "call fixed", "call dropped", "claim voided", "listed round voided"),
    *("withdrawn while draining", "corrected while verifying", "late truth", "hit by a correction", "split anew"),
    *("gate made anew", "display taken off a gate", "hit ended in a suspension", "display added", "close", "reopen"),
    *("suspend", "resume", "adjust", "slip paid", "slip cancelled: unpaid", "slip cancelled: receivable"),
    *("jackpot.not_open", "jackpot.not_listed", "jackpot.phase", "jackpot.second_call", "jackpot.call_without_coin"),
    *("jackpot.round_claims", "jackpot.claim_state", "jackpot.hit_state", "jackpot.dealer_decides"),
    *("gate.over", "gate.value_wrong", "gate.version_wrong", "gate.display_unknown", "display.last", "display.unknown"),
    *("approval.signed_twice", "approval.signer_refused", "slip.state", "round.state_refused"),
}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[Patient]:
    with django_db_blocker.unblock(), module_database("patients") as name:
        yield Patient(name)


@pytest.mark.timeout(0)
def test_jackpot_does_what_the_model_says(world: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints._worker, "send", lambda jackpot_id: True)  # steps are taken by rules alone
    run = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        derandomize=SHORT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],  # shrinking copies a database for every try
    )
    machine = type("Run", (JackpotMachine,), {"world": world, "seen": Counter()})
    run_state_machine_as_test(machine, settings=run)
    missed = (REACHED if EXAMPLES >= LONG else PLAYED) - machine.seen.keys()
    assert not missed, machine.seen
