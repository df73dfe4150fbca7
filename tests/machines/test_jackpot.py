"""The jackpot as a state machine: whatever is asked in whatever order, and whoever dies in the middle, it does what the model of
plain Python says, or refuses with the code that the model says; after each step phase, meter, list, claims, splits, gates and slips
are the model's, and at the end of each run every audit passes.

Short in CI; `make machines` (FLOOR_EXAMPLES runs) is the long form.
"""

import os
from collections import Counter

import pytest
from django.test import override_settings
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.casino.audit.reports.conftest import CHEAP
from tests.machines.asking import Patient
from tests.machines.evenings import EveningMachine
from tests.machines.lives import JackpotMachine
from tests.machines.tries import TRIES, Try

SHORT = not os.environ.get("FLOOR_EXAMPLES")
EXAMPLES, STEPS = int(os.environ.get("FLOOR_EXAMPLES") or "4"), 25

# Runs that never come here prove nothing of it: the long form comes everywhere.
LONG = 100
PLAYED = {
    "lock",
    "settle",
    "correct",
    "call",
    "verify",
    "jackpot.award signed",
    "confirm",
    "paid",
    "died",
    "coordinator died",
}
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


# What the tries come to, each of which begins a life whatever is drawn; and what the long form does to a house besides.
TRIED = {
    *("jackpot.suspend signed: approval.person_resting", "slip paid: approval.person_resting"),
    *("verify: jackpot.dealer_decides", "correct: approval.unsigned", "jackpot.adjust signed: approval.changed"),
    *("withdraw: round.stands", "withdraw: round.cards_out", "reopen: round.cards_out", "card read"),
    *("prize asked again", "prize asked again: prize.not_to_ask", "prize asked by the sweep", "jackpot.prize signed"),
    *("person made", "person.sign_role signed", "barred", "password given", "authenticator forgotten"),
    *("clock set back", "clock set forward", "restored", "backed up", "restored a backup"),
}
FURTHER = {
    *("roles given", "let in", "person.not_yourself", "person.not_allowed", "signed twice over", "display replaced"),
    *("approval.closed", "approval.changed", "approval.signer_refused", "round.correct turned down", "reject asked"),
    *("jackpot.adjust signed", "jackpot.resume signed", "jackpot.suspend signed", "jackpot.display_out signed"),
    *("person.sign_role signed: approval.signer_refused", "jackpot.suspend signed: approval.closed"),
    *("resume asked: jackpot.phase", "display.unknown", "display.required", "paid", "rejected", "coordinator died"),
}


def begun_with(first: Try) -> type[EveningMachine]:
    return type("Begun", (EveningMachine,), {"firsts": (first,)})


def lives(
    machine: type[JackpotMachine], world: Patient, *, examples: int = EXAMPLES, steps: int = STEPS
) -> Counter[str]:
    """Run a machine; what was seen to happen."""
    run = settings(
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=SHORT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],  # shrinking copies a database for every try
    )
    machine = type("Run", (machine,), {"world": world, "seen": Counter()})
    with override_settings(PASSWORD_HASHERS=CHEAP):
        run_state_machine_as_test(machine, settings=run)
    return machine.seen


@pytest.mark.timeout(0)
@pytest.mark.usefixtures("by_rules_alone")
def test_jackpot_does_what_the_model_says(patients: Patient) -> None:
    seen = lives(JackpotMachine, patients)
    missed = (REACHED if EXAMPLES >= LONG else PLAYED) - seen.keys()
    assert not missed, seen


@pytest.mark.timeout(0)
@pytest.mark.usefixtures("by_rules_alone")
def test_whoever_turns_against_the_house_gets_what_the_model_says(patients: Patient) -> None:
    each = (lives(begun_with(first), patients, examples=1, steps=1) for first in TRIES)
    seen = sum(each, lives(EveningMachine, patients))
    missed = (TRIED | FURTHER if EXAMPLES >= LONG else TRIED) - seen.keys()
    assert not missed, (missed, seen)
