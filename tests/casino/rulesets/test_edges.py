"""Edges that a worker works out: each rule set once, whoever is killed or comes twice; and what its page says of them."""

import threading
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from django.utils import translation

from casino.database import plain_connection
from casino.rulesets.edges import LOCK, edges_next
from casino.rulesets.models import RuleEdges
from casino.rulesets.odds import figures
from casino.rulesets.show import comparison
from casino.tasks import edges_task
from payouts.models import House, PostedTable
from payouts.rules.rulesets.kinds import Edges, TableKind
from payouts.services import posted_table_draft, posted_tables_seed
from tables.games import GAMES
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.rules import BlackjackRules
from tests.casino.people.hasher import plain_settings
from tests.casino.rulesets.test_pages import Desk
from tests.cast import make_house, make_person
from tests.sharing import Sharing, SharingRules


class Worker:
    """What works the edges of an invented kind out: it counts, and does `then` before it answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[int] = []
        self.then: Any = lambda: None
        words = {"stake": "House edge", "side": "Side"}
        self.kind = TableKind("sharing_rules", "What sharing pays", SharingRules(), edges=Edges(words, self.work_out))
        game = Sharing()
        game.kinds = (self.kind,)
        monkeypatch.setitem(GAMES, "sharing", game)

    def work_out(self, rules: SharingRules) -> dict[str, Fraction]:
        self.seen.append(rules.pays)
        self.then()
        return {"stake": Fraction(1, 3 * rules.pays), "side": Fraction(-2, 3)}

    def post(self, *pays: int, house: House | None = None) -> House:
        """Draft rule sets that pay so."""
        house = house or make_house()
        with transaction.atomic():
            person = make_person("drafts.it", "technician", house=house)
            for one in pays:
                data = SharingRules(pays=one).to_data()
                named: dict[str, Any] = {"kind": self.kind, "name": f"{one}:1", "note": "", "actor_id": person.pk}
                posted_table_draft(house_id=house.pk, data=data, **named)
        return house


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    return Worker(monkeypatch)


def found() -> list[dict[str, str]]:
    return [*RuleEdges.objects.order_by("at").values_list("edges", flat=True)]


THIRD = {"stake": "0.333333333333", "side": "-0.666666666667"}


def test_drafts_are_worked_out_one_at_a_time_and_equal_rules_once(own_database: str, worker: Worker) -> None:
    house = worker.post(1, 2)
    with transaction.atomic():
        posted_tables_seed(house_id=make_house("Another").pk, tables=[(worker.kind, "Same", SharingRules(pays=1))])
    for there in (1, 2, 2):
        edges_task()
        assert RuleEdges.objects.count() == there
    assert sorted(worker.seen) == [1, 2]
    assert THIRD in found()
    assert PostedTable.objects.filter(house=house).count() == 2


def test_what_was_broken_off_or_killed_is_taken_up_again(own_database: str, worker: Worker) -> None:
    worker.post(1)

    def over() -> None:
        raise SoftTimeLimitExceeded

    worker.then = over
    with pytest.raises(SoftTimeLimitExceeded):
        edges_next()
    assert found() == []
    worker.then = lambda: None
    with plain_connection() as other:  # a worker that is at it
        [(process,)] = other.execute("SELECT pg_backend_pid() FROM pg_advisory_lock(%s)", [LOCK]).fetchall()
        edges_next()
        assert (found(), worker.seen) == ([], [1])
        _kill(process)
    edges_next()
    assert (found(), worker.seen) == ([THIRD], [1, 1])


def _kill(process: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [process])


def test_two_at_a_time_leave_one_row(own_database: str, worker: Worker) -> None:
    worker.post(1)

    def meanwhile() -> None:
        other = threading.Thread(target=_elsewhere)
        other.start()
        other.join()
        assert worker.seen == [1]  # the other went away
        worker.then = lambda: None
        [row] = [RuleEdges(kind="sharing_rules", rules_hash=bytes(one), edges=THIRD) for one in _hashes()]
        row.save()  # and a third, whose lock was lost, was faster

    worker.then = meanwhile
    edges_next()
    assert found() == [THIRD]


def _elsewhere() -> None:
    try:
        edges_next()
    finally:
        connection.close()


def _hashes() -> Iterator[bytes]:
    return iter(PostedTable.objects.filter(kind="sharing_rules").values_list("data_hash", flat=True))


def test_its_page_says_the_edges_or_that_they_are_worked_out(db: None, settings: Any, worker: Worker) -> None:
    plain_settings(settings)
    desk = Desk()
    worker.post(1, 2, house=desk.house)
    one, two = PostedTable.objects.filter(kind="sharing_rules").order_by("name")
    page = desk.get("tim", f"{one.pk}/")
    assert "is being worked out" in page
    for row, edge in ((one, "0.333333333333"), (two, "0.166666666667")):
        RuleEdges.objects.create(
            kind="sharing_rules", rules_hash=row.data_hash, edges={"stake": edge, "side": "-0.666666666667"}
        )
    page = desk.get("tim", f"{one.pk}/").replace("\xa0", " ")
    assert "is being worked out" not in page
    assert "33.3333 %" in page
    assert "\N{MINUS SIGN}66.6667 %" in page
    assert "falls from 33.3333 % to 16.6667 %" in comparison(one, two).verdict.replace("\xa0", " ")


def test_black_jack_names_its_edges_in_four_languages(db: None) -> None:
    [kind], named = BLACKJACK.kinds, set()
    for language in ("de", "en", "fr", "it"):
        with translation.override(language):
            said = figures(kind, BlackjackRules(), House(currency="CHF", locale="de-CH"))
        assert said is not None
        assert len({value for _name, value in said.facts}) == 1
        named.add(said.facts)
    assert [len(facts) for facts in named] == [3] * 4
