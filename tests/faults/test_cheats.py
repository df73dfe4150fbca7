"""Croupiers of Black Jack and a pit boss who cheat, on trial: a house refuses each of their tries; where its guard is taken away,
they say so.
"""

import threading
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from django import test
from django.db import connection

from casino.people.models import Person
from casino.people.pins import pin_set
from casino.simulate.books.rules import Posted
from casino.simulate.clients import Client, Refused, Tally
from casino.simulate.games import GAMES
from casino.simulate.plan import FAST, FULL_CARDS
from payouts.rules.rulesets.schema import Posted as Schema
from tables.games.blackjack import outcomes, taps
from tables.models import Round
from tables.rules.floor import FloorRules
from tables.services.later import place, take_back
from tables.services.rounds import correct, evaluate, settle
from tests.blackjack import Blackjack, hands
from tests.casino.api.callers import Caller, Callers
from tests.casino.api.ground import QUICK
from tests.faults import cheats
from tests.faults.attack import Attack
from tests.faults.cheats import BOOKS_ALONE, CHEAT, TRIES, enter_in_the_office
from tests.faults.floor import PlacingTable
from tests.faults.placed import placed_amiss
from tests.faults.prepare import PIN
from tests.tables.audits import breached_here
from tests.worlds import world

ROUNDS, SEED = 80, 40
BY_TAPS = {cheats.DOUBLES, cheats.TAPS, cheats.BUSTS, cheats.NO_BANK, cheats.STEPS}
BY_CARDS = {cheats.TYPES, cheats.CARD_MORE}


class InProcess(Client):
    """A client of the house in this process."""

    def __init__(self, caller: Caller) -> None:
        super().__init__("http://testserver", Tally())
        self.caller = caller

    def beside(self) -> "InProcess":
        return InProcess(Caller(test.Client()))

    def _once(
        self, path: str, data: bytes | None, headers: dict[str, str], *, deaf: float | None = None
    ) -> tuple[int, str, bytes]:
        every = self.caller.headers | self.headers | headers
        del every["Host"]
        kind = every.pop("Content-Type", "")
        method = "GET" if data is None else "POST"
        answer: Any = self.caller.client.generic(method, path, data or b"", kind, headers=every)
        return answer.status_code, answer.headers.get("Location", ""), answer.content


class Cheated(Blackjack):
    """A table of Black Jack by the demo's rules, but for the minutes of a correction."""

    posted: ClassVar[dict[str, Schema]] = {"floor_rules": FloorRules(undo_s=300)}


def manned() -> Callers:
    callers: Any = Callers(Cheated())
    callers.croupier = callers.at_tablet(callers.floor.bj, callers.floor.martina, "Tablet of Black Jack")
    pin_set(person=Person.objects.get(username="o.manager"), pin=PIN)
    return callers  # type: ignore[no-any-return]


pytestmark = world(manned)


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with QUICK:
        yield


def crooked(callers: Any, level: str) -> Iterator[PlacingTable]:
    """The table before its first round, and after each."""
    bj, game = callers.floor.bj, GAMES["blackjack"]
    manager = InProcess(callers.manager)
    row = manager.get(f"tables/{bj.pk}/")
    bj.refresh_from_db()
    day = str(bj.session.gaming_day)
    rules = game.rules_of(Posted(manager.every("posted-tables/")), row["posted"], day)
    differences: list[str] = []
    table: Any = PlacingTable(
        number=1,
        row=row,
        level=level,
        game=game,
        rules=rules,
        jackpot=None,
        client=InProcess(callers.croupier),
        device="",
        croupier="martina",
        people={},
        boss=None,
        stop=threading.Event(),
        tell=str,
        pause=float,
        met=nothing,
        differs=differences.append,
    )
    table.script = SimpleNamespace(turned=None)
    table.turn(Attack(), InProcess(callers.technician))
    own = {"table": 1, "layout": row["boxes"], "level": level, "rules": rules, "jackpot": None}
    plan = game.plan(seed=SEED, **own, mistakes=False)
    yield table
    for _number, each in zip(range(ROUNDS), plan.rounds(), strict=False):
        table.play(each)
        yield table
    assert differences == []


def rows_of(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


@pytest.mark.parametrize(("level", "missing"), [(FAST, BY_CARDS), (FULL_CARDS, BY_TAPS)])
def test_a_house_with_its_guards_refuses_each_and_its_books_hold(floor: Any, level: str, missing: set[str]) -> None:
    for table in crooked(floor, level):
        assert table.attack.wrong == []
    assert set(table.attack.missing) == {f"{CHEAT} {name}" for name in missing}
    assert placed_amiss(table.histories, rows_of) == []
    assert breached_here() == {}


def nothing(*_given: Any, **_named: Any) -> None:
    """Whatever is asked, nothing speaks against it."""


def nobody(*_given: Any, **_named: Any) -> dict[str, Any]:
    """Nobody waits, nothing is doubled."""
    return {}


# By what is tried: where it is entered, and which guard refuses it
AWAY: dict[str, tuple[str, ModuleType, str, Callable[..., Any]]] = {
    cheats.DOUBLES: (FAST, place, "_contradiction", nothing),
    cheats.INSURES: (FULL_CARDS, place, "_contradiction", nothing),
    cheats.TAKES_BACK: (FAST, take_back, "_contradiction", nothing),
    cheats.TAPS: (FAST, evaluate, "feed_against", nothing),
    cheats.TYPES: (FULL_CARDS, evaluate, "feed_against", nothing),
    cheats.BUSTS: (FAST, taps, "_check_doubled", nothing),
    cheats.CARD_MORE: (FULL_CARDS, outcomes, "doubled_on", nobody),
    cheats.NO_BANK: (FAST, taps, "asking", nobody),
    cheats.STEPS: (FAST, correct, "moves_much", nobody),
}


@pytest.mark.parametrize("name", TRIES)
def test_what_a_house_without_its_guard_takes_is_told(floor: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    level, module, guard, instead = AWAY[name]
    monkeypatch.setattr(module, guard, instead)
    table: Any = None
    try:
        for table in crooked(floor, level):
            if table.attack.wrong:
                break
    except Refused:  # the round cannot end as it was dealt
        pass
    assert [finding for finding in table.attack.wrong if finding.startswith(f"{CHEAT} {name}: was taken")]


def in_the_office(callers: Any) -> tuple[Attack, str]:
    """A pit boss enters a large win; what came of it, and of the round."""
    attack = Attack()
    round_id = callers.floor.lay((callers.floor.guest(1), 1, 500))
    manager = InProcess(callers.manager)
    turned: Any = SimpleNamespace(enters=InProcess(callers.boss), attack=attack, cosigns=manager.post)
    result = {"bank": "bust", "boxes": hands(b1=["win"])}
    try:
        enter_in_the_office(turned, str(round_id), result)
    except Refused as refused:
        assert refused.code == "round.state_refused"
    return attack, Round.objects.get(pk=round_id).state


def test_a_large_win_in_the_office_is_refused_to_one_person_and_booked_for_two(floor: Any) -> None:
    attack, state = in_the_office(floor)
    assert (dict(attack.refused), attack.wrong, state) == ({f"pit boss {BOOKS_ALONE}": 1}, [], "settled")


def test_a_large_win_that_one_person_books_in_the_office_is_told(floor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "check_entered", nothing)
    attack, _state = in_the_office(floor)
    assert [finding.partition(": was taken")[0] for finding in attack.wrong] == [f"pit boss {BOOKS_ALONE}"]
