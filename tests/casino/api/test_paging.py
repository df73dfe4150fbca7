"""Lists in pages: none skipped or shown twice while rows are added, cursors of one list, no query more for many rows."""

from collections.abc import Callable
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts.services import approval_request
from tables import services
from tests.casino.api import royals
from tests.casino.api.ground import Ground, kept, undone
from tests.cast import make_person
from tests.floor import POSTED, done, second_jackpot
from tests.turns import each

MORE = 7


def named(number: int, part: str) -> str:
    """Names that come before, between and behind those that are there."""
    return f"{'A' if number % 2 else 'Z'}{part} {number:02}"


def pit(ground: Ground, number: int) -> None:
    done(services.pit_create, house_id=ground.house.pk, name=named(number, "pit"))


def table(ground: Ground, number: int) -> None:
    values = {"house_id": ground.house.pk, "pit_id": ground.floor.pit.pk, "game": "uth", "boxes": 5, "posted": POSTED}
    done(services.table_create, **values, name=named(number, "table"))


def croupier(ground: Ground, number: int) -> None:
    make_person(f"{'a' if number % 2 else 'z'}.paged{number}", "croupier", house=ground.house)


def guest(ground: Ground, _number: int) -> None:
    ground.floor.seat(ground.floor.other, None)


def round_(ground: Ground, _number: int) -> None:
    where = {"house_id": ground.house.pk, "table_id": ground.floor.other.pk, "round_id": uuid4()}
    done(services.round_withdraw, **where, person_id=ground.floor.reto.pk, supervisor=True)


def entry(ground: Ground, _number: int) -> None:
    kept(ground.house.pk, ground.floor.other.pk)


def jackpot(ground: Ground, number: int) -> None:
    second_jackpot(ground.house, name=named(number, "jackpot"))


def display(ground: Ground, number: int) -> None:
    royals.display_of(ground.floor.jackpot, ground.floor.reto, named(number, "display"), required=bool(number % 2))


def approval(ground: Ground, number: int) -> None:
    done(
        approval_request,
        house_id=ground.house.pk,
        action="round.correct",
        subject_kind="round",
        subject_id=str(uuid4()),
        payload={"number": number},
        revision=number,
        requester_id=ground.floor.ines.pk,
    )


def other(ground: Ground) -> str:
    return str(ground.floor.other.pk)


# list: (its address, what else is asked, how one more row comes to be)
LISTS: dict[str, tuple[Callable[[Ground], str], Callable[[Ground], dict], Callable[[Ground, int], None]]] = {
    "pits": (lambda _g: "pits/", lambda _g: {}, pit),
    "tables": (lambda _g: "tables/", lambda _g: {}, table),
    "croupiers": (lambda _g: "croupiers/", lambda _g: {}, croupier),
    "guests": (lambda g: f"tables/{other(g)}/guests/", lambda _g: {}, guest),
    "rounds": (lambda _g: "rounds/", lambda g: {"table": other(g)}, round_),
    "to-clarify": (lambda _g: "to-clarify/", lambda _g: {}, entry),
    "jackpots": (lambda _g: "jackpots/", lambda _g: {}, jackpot),
    "displays": (lambda g: f"jackpots/{g.floor.jackpot.pk}/displays/", lambda _g: {}, display),
    "approvals": (lambda _g: "approvals/", lambda _g: {}, approval),
}


def pages(ground: Ground, name: str, limit: int, between: Callable[[int], None] = lambda _page: None) -> list[str]:
    """The ids of all rows, page by page; `between` runs after each page."""
    path, query, _add = LISTS[name]
    found, cursor, number = [], "", 0
    while cursor is not None:
        asked = {"limit": limit, **query(ground)} | ({"cursor": cursor} if cursor else {})
        status, page = ground.boss.get(path(ground), **asked)
        assert status == 200, page
        assert len(page["results"]) <= limit
        found += [row.get("id") or row["display"] for row in page["results"]]
        cursor, number = page["next"], number + 1
        between(number)
    return found


@each("name", LISTS)
def test_pages_neither_skip_nor_repeat_while_rows_are_added(ground: Ground, name: str) -> None:
    add = LISTS[name][2]
    with undone():
        for number in range(MORE):
            add(ground, number)
        before = pages(ground, name, 200)
        assert len(before) >= MORE
        found = pages(ground, name, 2, lambda page: add(ground, 100 + page) if page <= MORE else None)
        assert len(found) == len(set(found))  # none twice
        assert [one for one in found if one in set(before)] == before  # none skipped, in the same order


@each("name", LISTS)
def test_a_page_asks_the_database_as_often_with_many_rows_as_with_few(ground: Ground, name: str) -> None:
    path, query, add = LISTS[name]
    with undone():
        add(ground, 1)
        asked = []
        for more in (1, MORE):
            for number in range(more):
                add(ground, 10 * more + number)
            with CaptureQueriesContext(connection) as caught:
                assert ground.boss.get(path(ground), **query(ground))[0] == 200
            asked.append(len(caught))
        assert asked[0] == asked[1] <= 9, asked


@each("cursor", ["x", "W10:1abc:sig", "'; DROP TABLE tables_round; --", "\u202e", "a" * 500])
def test_a_made_up_cursor_is_refused(ground: Ground, cursor: str) -> None:
    status, problem = ground.boss.get("pits/", cursor=cursor)
    assert (status, problem["code"]) in ((400, "request.cursor_refused"), (400, "text.refused"))


def test_a_cursor_of_another_list_is_refused(ground: Ground) -> None:
    cursor = ground.boss.get("tables/", limit=1)[1]["next"]
    assert ground.boss.get("tables/", limit=1, cursor=cursor)[0] == 200
    status, problem = ground.boss.get("jackpots/", limit=1, cursor=cursor)
    assert (status, problem["code"]) == (400, "request.cursor_refused")


@each("limit", ["0", "201", "-1", "1.5", "x", "", "9" * 30])
def test_a_senseless_limit_is_refused(ground: Ground, limit: str) -> None:
    status, problem = ground.boss.get("pits/", limit=limit)
    assert (status, problem["code"]) == (400, "request.field_wrong")


def test_a_cursor_of_one_house_shows_nothing_of_another(ground: Ground) -> None:
    cursor = ground.foreign_boss.get("tables/", limit=1)[1]["next"]
    shown = {row["house"] for row in ground.boss.get("tables/", cursor=cursor)[1]["results"]}
    assert shown <= {str(ground.house.pk)}
