"""What spin is asked about the jackpot's barrier (`docs/model`), what it must answer, and how it is asked.

Every property that a model names must hold. Every mutant (a rule of the protocol taken out, by a switch) must break the property
named for it. Every `sometimes_` must be broken too: what it says never happens does happen, so the model is not empty.
"""

import functools
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MODELS = Path(__file__).parents[2] / "docs" / "model"
PROGRAMS = ("spin", "gcc")  # spin itself calls gcc, for the preprocessor

# The sizes of each model: at the first every property is asked for by itself, at any other all of them at once.
SIZES: dict[str, list[tuple[str, ...]]] = {
    "barrier": [("TABLES=2",), ("TABLES=3", "ONCE")],
    "gate": [("DISPLAYS=2", "FAULTS=2"), ("DISPLAYS=3", "FAULTS=2")],
    "whole": [()],
}

# By model: the switch, and the property that tells.
MUTANTS = {
    "barrier": {
        "M_STALE": "no_stake_after_freeze",
        "M_CLAIM_SHARED": "no_stake_after_freeze",
        "M_NO_DRAIN": "drained_before_verdict",
        "M_NOT_LISTED": "only_listed_rounds_win",
        "M_LATE_TRUTH": "only_settled_claims_are_paid",
        "M_BLIND": "paid_once",
        "M_TWO_TRANSACTIONS": "paid_once",
        "M_VOID_SHARED": "every_call_is_answered",
        "M_REOPEN_LATE": "no_reopening_after_the_hit",
        "M_LATE_LOCK": "chips_back_means_no_stake",
        "M_UPGRADE": "no_deadlock",
        "M_NO_BEAT": "draining_leads_to_open",
    },
    "gate": {
        "M_NO_DISPLAY": "opens_only_when_shown",
        "M_OLD_GATE": "opens_only_when_shown",
        "M_PLACE": "opens_only_when_shown",
        "M_ANY_DIGITS": "amount_shown_is_in_force",
        "M_MOVED": "amount_shown_is_in_force",
        "M_LAST_OUT": "opens_with_a_display",
        "M_OLD_REVISION": "paid_as_signed",
        "M_APPROVAL_STAYS": "paid_as_signed",
        "M_TWO_TRANSACTIONS": "paid_once",
        "M_NEVER_OUT": "verdict_leads_to_open",
    },
    "whole": {
        "M_STALE": "no_stake_until_shown",
        "M_CLAIM_SHARED": "no_stake_until_shown",
        "M_NO_DISPLAY": "no_stake_until_shown",
        "M_NO_DRAIN": "only_listed_rounds_win",
        "M_NO_BEAT": "draining_leads_to_open",
    },
}

DEADLOCK = "no_deadlock"  # asked of the model without a formula
# What spin says when it finds a property broken; any other error is one of the model.
FOUND = re.compile(r"pan:1: (assertion violated  !\(|acceptance cycle|invalid end state)")
# What it says when it did not look everywhere.
CUT_SHORT = re.compile(r"search depth too small|Search not completed|out of memory|aborting", re.IGNORECASE)


class ModelError(Exception):
    """A model that cannot be built or searched to its end."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question to spin: a property of a model of one size, with one rule taken out or none."""

    model: str
    size: tuple[str, ...]
    name: str
    broken: bool = False  # the answer it must have
    mutant: str = ""

    @property
    def defines(self) -> tuple[str, ...]:
        """The switches of the preprocessor."""
        sometimes = ("SOMETIMES",) if self.name.startswith("sometimes_") else ()
        return (*self.size, *sometimes, *((self.mutant,) if self.mutant else ()))

    def __str__(self) -> str:
        return " ".join((self.model, *self.defines, self.name))


@dataclass(frozen=True, slots=True)
class Answer:
    """What spin found: whether the property is broken, after how many states, and the way there where it should not be."""

    broken: bool
    states: int
    seconds: float
    trail: str  # if it must not be broken


def source(model: str) -> str:
    """A model's text."""
    return (MODELS / f"{model}.pml").read_text(encoding="utf-8")


def formulas(model: str) -> dict[str, str]:
    """By name the formulas of a model."""
    return dict(re.findall(r"^ltl (\w+) \{(.*?)\}$", source(model), re.MULTILINE | re.DOTALL))


def leads_somewhere(model: str, name: str) -> bool:
    """Whether a property says that something comes to pass; any other says that something never does."""
    return "<>" in formulas(model).get(name, "")


def checks() -> Iterator[Check]:
    """Every question: properties at every size, mutants and what happens sometimes at the first."""
    for model, sizes in SIZES.items():
        names = formulas(model)
        first, *larger = sizes
        for name in (DEADLOCK, *names):
            yield Check(model, first, name, broken=name.startswith("sometimes_"))
        for size in larger:
            yield Check(model, size, "safe")
        for mutant, name in MUTANTS[model].items():
            yield Check(model, first, name, broken=True, mutant=mutant)
            if larger and name != DEADLOCK and not leads_somewhere(model, name):
                yield Check(model, first, "safe", broken=True, mutant=mutant)


def missing() -> str:
    """A sentence that names the programs that there are not; empty when all are there."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"no {' and no '.join(absent)} was found: the jackpot's model was not checked" if absent else ""


class Searches:
    """The programs that spin makes, each built once, in a folder that is deleted at the end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="model-")
        self._built: dict[tuple[object, ...], Path] = {}

    def __enter__(self) -> "Searches":
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def ask(self, check: Check) -> Answer:
        """Search a model. Raises ModelError when it was not searched to the end."""
        fair = leads_somewhere(check.model, check.name)
        program = self._program(check, fair=fair)
        which = [] if check.name == DEADLOCK else ["-N", check.name]
        cycles = ["-a", "-f"] if fair else []  # under weak fairness
        began = time.monotonic()
        said = _run([f"./{program.name}", "-m200000", "-w22", *cycles, *which], program.parent)
        seconds = time.monotonic() - began
        states, errors = re.search(r"(\d+) states, stored", said), re.search(r"errors: (\d+)", said)
        broken = FOUND.search(said) is not None
        if CUT_SHORT.search(said) and not broken:
            raise ModelError(f"{check}: not searched to the end\n{said}")
        if states is None or errors is None or (errors[1] != "0") != broken:
            raise ModelError(f"{check}: an answer that is none\n{said}")
        # The way there is read only where none should be.
        trail = _run([f"./{program.name}", "-r", *which], program.parent) if broken and not check.broken else ""
        return Answer(broken, int(states[1]), seconds, trail)

    def _program(self, check: Check, *, fair: bool) -> Path:
        options = _options(check, fair=fair)
        key = (check.model, check.defines, options)
        if key not in self._built:
            folder = Path(self._folder.name) / str(len(self._built))
            folder.mkdir()
            shutil.copy(MODELS / f"{check.model}.pml", folder)
            said = _run(["spin", *(f"-D{define}" for define in check.defines), "-a", f"{check.model}.pml"], folder)
            if not (folder / "pan.c").exists():
                raise ModelError(f"{check}\n{said}")
            said = _run(["gcc", "-w", *options, "-o", "pan", "pan.c"], folder)
            if not (folder / "pan").exists():
                raise ModelError(f"{check}\n{said}")
            self._built[key] = folder / "pan"
        return self._built[key]


def _options(check: Check, *, fair: bool) -> tuple[str, ...]:
    speed = (
        "-O0" if check.broken else "-O1"
    )  # what is broken is found after a few states: the time goes to the compiler
    if fair:
        return speed, "-DNFAIR=3"  # for more than six processes
    return (speed, "-DSAFETY", "-DNOCLAIM") if check.name == DEADLOCK else (speed, "-DSAFETY")


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout


@functools.cache
def happenings(model: str) -> frozenset[str]:
    """What a model notes as worth seeing."""
    found = re.search(r"mtype:seen = \{ NOTHING,(.*?)\}", source(model), re.DOTALL)
    return frozenset(re.findall(r"\w+", found[1])) if found else frozenset()


def switches(model: str) -> frozenset[str]:
    """The mutants that a model has."""
    return frozenset(re.findall(r"\bM_\w+", source(model)))
