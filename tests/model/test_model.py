"""The protocol of the jackpot's barrier, searched exhaustively (docs/model/README.md)."""

import os
from collections.abc import Iterator

import pytest

from tests.model.spin import MUTANTS, SIZES, Searches, checks, formulas, happenings, missing, switches


@pytest.fixture(scope="module")
def searches() -> Iterator[Searches]:
    if why := missing():
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with Searches() as searches:
        yield searches


@pytest.mark.parametrize("check", [*checks()], ids=str)
@pytest.mark.timeout(0)  # how long a search takes says nothing
def test_spin_finds_what_it_must(searches, check):
    answer = searches.ask(check)
    assert answer.broken == check.broken, answer.trail


@pytest.mark.parametrize("model", SIZES)
def test_every_mutant_is_asked_for(model):
    assert switches(model) == set(MUTANTS[model])


@pytest.mark.parametrize("model", SIZES)
def test_every_property_is_broken_by_a_mutant(model):
    """A property that nothing breaks says nothing."""
    named = {name for name in formulas(model) if name != "safe" and not name.startswith("sometimes_")}
    assert named <= set(MUTANTS[model].values())


@pytest.mark.parametrize("model", SIZES)
def test_everything_worth_seeing_is_looked_for(model):
    sought = {name for name in formulas(model) if name.startswith("sometimes_")}
    assert sought == {f"sometimes_{name.lower()}" for name in happenings(model)}
