"""The floor's machine on trial at its table of Black Jack: a try comes to what the model says, and without its guard the machine
tells.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from payouts import commands
from tables.games.blackjack import placing
from tables.services.later import place, take_back
from tables.services.rounds import correct, evaluate, irregular, lock, queued, undo
from tests.databases import module_database
from tests.machines import box_tries as tries
from tests.machines.guards import Guard, instead, written
from tests.machines.tables import World
from tests.machines.test_floor import FloorMachine


def nothing(*_: object, **__: object) -> None:
    """What a part of the program does that is not there."""


def only_laid(record: dict[str, Any], _revision: int | None = None) -> Any:
    return STAKES_OF(record)[0], []


def backwards(record: dict[str, Any]) -> Any:
    return STAKES_ANSWERED(record)[::-1]


def everything(limits: object, stakes: Any) -> Any:
    return [one._replace(accepted_minor=one.accepted_minor + one.returned_minor) for one in ALLOCATE(limits, stakes)]


STAKES_OF, STAKES_ANSWERED, ALLOCATE = evaluate.stakes_of, take_back.stakes_answered, lock.allocate
GUARDS: dict[tries.Try, Guard] = {
    tries.a_co_player_doubles_before_the_owner: instead(place, "decider_of", nothing),
    tries.a_stake_is_doubled_twice: instead(placing._Table, "has", nothing),
    tries.who_took_even_money_insures: instead(placing._Table, "has", nothing),
    tries.a_box_with_even_money_is_split: instead(placing, "_check_no_blackjack", nothing),
    tries.insurance_is_taken_without_an_ace: instead(placing, "_check_ace", nothing),
    tries.a_stake_goes_back: written("round_take_back_v1", "IF FOUND THEN", "IF FOUND AND false THEN"),
    tries.an_older_stake_goes_back: instead(take_back, "stakes_answered", backwards),
    tries.the_same_key_comes_again: instead(commands, "_claim", nothing),
    tries.a_result_is_overtaken: written("round_settle_v1", "<> coalesce(r.placed, 0)", "< 0"),
    tries.what_came_later_settles: instead(evaluate, "stakes_of", only_laid),
    tries.a_result_is_put_right: instead(correct, "_check_alone", nothing),
    tries.everything_goes_back: instead(undo, "transfer_reverse", nothing),
    tries.a_round_whose_cards_are_out_is_reopened: instead(undo, "_check_no_cards", nothing),
    tries.more_than_the_maximum_is_laid: instead(lock, "allocate", everything),
    tries.who_has_handed_over_places: instead(place, "check_duty", nothing),
    tries.something_is_recorded_late: instead(irregular, "_check_who", nothing),
    tries.something_is_recorded_of_a_box_that_does_not_play: instead(irregular, "_check_box", nothing),
    tries.played_without_the_server: instead(queued, "placements_stand", lambda *_, **_ever: True),
}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with django_db_blocker.unblock(), module_database("boxes") as name:
        yield World(name)


@contextmanager
def life_of(world: World) -> Iterator[FloorMachine]:
    life = type("Run", (FloorMachine,), {"world": world, "seen": Counter()})()
    try:
        yield life
    finally:
        life.leave()


def test_every_try_has_its_guard() -> None:
    assert GUARDS.keys() == set(tries.TRIES)


@pytest.mark.parametrize("tried", tries.TRIES, ids=lambda tried: str(tried.__name__))
def test_a_try_comes_to_what_the_model_says_and_the_machine_tells_when_its_guard_is_gone(
    world: World, monkeypatch: pytest.MonkeyPatch, tried: tries.Try
) -> None:
    with life_of(world) as life:
        tried(life)
    with life_of(world) as life:
        GUARDS[tried](monkeypatch)
        with pytest.raises(AssertionError):
            tried(life)
