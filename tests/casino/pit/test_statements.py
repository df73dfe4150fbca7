"""Whatever waits for somebody, and however much: the board and the hand-over ask as many statements as for one of each."""

import itertools
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.pit.board.waits import CLARIFY
from casino.pit.models import Alert, ShiftHandOver
from jackpot import services as jackpots
from tables import services
from tables.errors import RoundRunning
from tables.services.review import entries
from tests.casino.people import people
from tests.casino.pit.desk import get, since
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.floor import done, second_jackpot, taps
from tests.jackpot.linked import Linked, dull
from tests.watched import watched
from tests.worlds import world

pytestmark = world(FloorDesk)


class Waiting:
    """A house in which more and more waits: corrections and requests to be signed, late rounds, alerts, slips, jackpots."""

    def __init__(self) -> None:
        watched()
        self.linked = Linked(displays=2)
        self.boss = people.make(self.linked.house, "boss.linked", "pit_boss")
        self.client: Client = people.signed_in(self.boss)
        self.numbers = itertools.count(1)
        self.ids = {"house_id": self.linked.house.pk}

    def more(self) -> None:
        """One more of everything."""
        linked, number = self.linked, next(self.numbers)
        if linked.now().phase == "open":
            assert linked.win(0) == "open"  # leaves a slip to be paid
        self.correction()
        late = {"table_id": linked.tables[1].pk, "round_id": uuid4(), "kind": "queued", "payload": {}}
        with patch.object(entries, "check_form"):
            done(services.review_item_record, **self.ids, **late, refused=RoundRunning(), person_id=linked.reto.pk)
        for kind in ("waiting", "seen"):
            one = Alert.objects.create(
                house=linked.house,
                kind="tablet_offline",
                subject=f"{kind}{number}",
                data=since(linked.tables[number % 2]),
            )
            if kind == "seen":
                assert self.client.post(f"/pit/alerts/{one.pk}/acknowledge/").status_code == 200
        self.jackpot(number)

    def correction(self) -> None:
        """A settled round that somebody wants put right."""
        linked = self.linked
        round_id = linked.start(1, coins=0)
        linked.end(1, round_id, dull())
        result = taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"})
        prepared = services.round_evaluate(**self.ids, round_id=round_id, result=result, state="settled")
        done(services.round_correction_request, prepared=prepared, person_id=linked.reto.pk, reason="seen on camera")

    def jackpot(self, number: int) -> None:
        """Another jackpot with a request of its own."""
        made = second_jackpot(self.linked.house, name=f"Progressive {number + 1}")
        asked = {"jackpot_id": made.pk, "display_id": uuid4(), "name": f"Another {number}"}
        done(jackpots.display_add_request, **self.ids, **asked, person_id=self.linked.reto.pk)

    def asked(self, path: str) -> tuple[int, str]:
        """By how many statements a page is read, and what it says."""
        headers = {"accept-language": "en"}
        assert self.client.get(path, headers=headers).status_code == 200  # what is read once is not counted
        with CaptureQueriesContext(connection) as statements:
            page = self.client.get(path, headers=headers).content.decode()
        return len(statements), page


TOLD = ("Tablet offline", "Correction of a round")


@pytest.mark.parametrize(
    ("path", "told"),
    [("/pit/", TOLD), ("/pit/board/", TOLD), ("/pit/hand-over/", TOLD), ("/floor/", ("seen on camera", "#asked-"))],
)
@world(Waiting)
def test_page_takes_as_many_statements_for_much_as_for_little(
    floor: Waiting, own_database: str, path: str, told: tuple[str, str]
) -> None:
    house = floor
    house.more()
    few, page = house.asked(path)
    assert [part for part in (*told, "Progressive 2") if part not in page] == []
    for _ in range(4):
        house.more()
    many, longer = house.asked(path)
    for part in told:
        assert longer.count(part) >= page.count(part) + 4, part
    assert many == few


@world(Waiting)
def test_hand_over_takes_as_many_statements_for_many_shifts_as_for_one(floor: Waiting) -> None:
    house = floor
    other = people.make(house.linked.house, "boss.other", "pit_boss")

    def taken(number: int) -> None:
        by = (house.boss, other)[number % 2]
        was_open = [{"what": "Alert", "place": "UTH 1", "since": "2026-11-21T22:14:05+00:00"}]
        ShiftHandOver.objects.create(
            house=house.linked.house, number=number, taken_by=by, given_by=other, was_open=was_open
        )

    for number in (1, 2):
        taken(number)
    few, _page = house.asked("/pit/hand-over/")
    for number in range(3, 9):
        taken(number)
    many, page = house.asked("/pit/hand-over/")
    assert (many, page.count('id="hand-over-')) == (few, 7)


def test_board_says_how_much_more_is_to_be_clarified_and_leads_to_all_of_it(desk) -> None:
    """The rail shows the oldest twelve; of thirteen and more it says so, and the floor's page shows each of them."""

    def late(count: int) -> None:
        for _ in range(count):
            entry = {"table_id": desk.other.pk, "round_id": uuid4(), "kind": "queued", "payload": {}}
            with patch.object(entries, "check_form"):
                done(
                    services.review_item_record,
                    house_id=desk.house.pk,
                    **entry,
                    refused=RoundRunning(),
                    person_id=desk.nora.pk,
                )

    late(CLARIFY)
    page = get(desk).content.decode()
    assert page.count('id="clarify-') == CLARIFY
    assert "after these" not in page
    late(3)
    page = get(desk).content.decode()
    assert page.count('id="clarify-') == CLARIFY
    assert "3 more come after these. All of them" in words(page)
    assert 'href="/floor/?clarify=all#clarify"' in page
    assert desk.get("boss").count("Look and decide") == CLARIFY
    assert 'href="?clarify=all#clarify"' in desk.get("boss")
    whole = desk.get("boss", "?clarify=all")
    assert (whole.count("Look and decide"), "after these" in whole) == (CLARIFY + 3, False)
    assert 'data-fresh="/floor/?clarify=all"' in whole  # and it stays so when the page reads itself again
