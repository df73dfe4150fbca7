"""The pit begins a count on the page of its table, witnesses it, gives it up; an opener that differs asks for a reason."""

import pytest

from payouts.models import Count, CountEntry
from tables.models import TableSession
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.counts import OPENER, VALUES, CountedFloor
from tests.worlds import world


class CountedDesk(FloorDesk, CountedFloor):
    """A desk with the counted table."""


pytestmark = world(CountedDesk)


@pytest.fixture
def page_of(desk: CountedDesk):
    return lambda who, path="": words(desk.get(who, f"tables/{desk.counted.pk}/{path}"))


def post(desk: CountedDesk, who: str, step: str, status: int | tuple[int, ...] = 302, **fields: object) -> str:
    return words(desk.post(who, f"tables/{desk.counted.pk}/{step}/", status, **fields))


def test_an_opener_is_begun_witnessed_and_opens_the_table(desk, page_of):
    opening = {"croupier": desk.martina.pk, "entry_level": "fast"}
    assert "The tray of UTH 3 has not been counted." in post(desk, "boss", "open", REFUSED, **opening)
    assert "Begin to count" in page_of("boss")
    assert "Begin to count" not in page_of("manager")
    post(desk, "boss", "count-tray", purpose="opener")
    count = Count.objects.get()
    assert "Count of the tray: opener" in page_of("boss")
    assert "Sign the count" not in page_of("boss")
    desk.enter(count, 40, 200, 149, *OPENER[3:])
    for who in ("boss", "manager"):
        page = page_of(who)
        assert ("Sign the count" in page, "36’590.00" in page, "36’600.00" in page) == (True, True, False)
    assert "Sign the count" not in page_of("watch")
    signing = {"entry": 1, "secret": desk.pin("manager")}
    post(desk, "manager", "witness-count", **signing, ok="")
    count.refresh_from_db()
    assert count.state == "begun"
    desk.enter(count, 40, 200, 149, *OPENER[3:])
    assert "The count was entered anew" in post(desk, "manager", "witness-count", REFUSED, **signing, ok="1")
    post(desk, "manager", "witness-count", **signing | {"entry": 2}, ok="1")
    refused = post(desk, "boss", "open", REFUSED, **opening)
    assert "The opener of UTH 3 differs by CHF -10.00 from the books." in refused.replace("−", "-"), refused
    assert "Why it is done all the same" in refused
    post(desk, "boss", "open", **opening, reason="one blue less, seen by both")
    assert TableSession.objects.get(table=desk.counted).opener_id == count.pk


def test_a_count_is_given_up(desk, page_of):
    desk.opened()
    post(desk, "boss", "count-tray", purpose="spot")
    assert "The tray of this table is being counted." in post(desk, "boss", "close", REFUSED)
    post(desk, "boss", "give-up-count")
    assert Count.objects.get(purpose="spot").state == "given_up"
    assert "Begin to count" in page_of("boss")
    assert "This count has ended" in post(desk, "boss", "give-up-count", REFUSED)


def test_CNT_8_the_closing_asks_for_the_cards_where_trays_are_counted(desk, page_of):  # noqa: N802
    desk.open()
    assert "All cards are there" not in words(desk.get("boss", f"tables/{desk.table.pk}/"))
    for answer in ({"cards_complete": "on"}, {"reason": "two cards are torn"}):
        desk.opened()
        desk.sign("closer", *OPENER)
        assert "All cards are there" in page_of("boss")
        page = post(desk, "boss", "close", REFUSED)
        assert "Nobody has confirmed that all cards of UTH 3 are there." in page
        assert "Why it is done all the same" in page
        post(desk, "boss", "close", **answer)
        assert not TableSession.objects.filter(table=desk.counted, closed_at=None).exists()


def test_the_pit_enters_a_count_without_a_tablet_and_sees_the_difference_once_both_have_signed(desk, page_of):
    desk.opened()
    post(desk, "boss", "count-tray", purpose="spot")
    assert "Enter what was counted" in page_of("boss")
    assert "Enter what was counted" not in page_of("manager")
    pieces = {f"pieces-{value}": str(number) for value, number in zip(VALUES, OPENER, strict=True)}
    secret = {"secret": desk.pin("boss")}
    for typed in ("", "-1", "2.5"):
        page = post(desk, "boss", "enter-count", REFUSED, **pieces | {"pieces-500": typed}, **secret)
        assert "Enter and sign" in page
        assert not CountEntry.objects.filter(count__purpose="spot").exists()
    post(desk, "boss", "enter-count", **pieces | {"pieces-500": "199"}, **secret)
    assert "Enter what was counted" not in page_of("boss")
    before = page_of("manager")
    assert ("36’595.00" in before, "-5.00" in before.replace("−", "-")) == (True, False)
    post(desk, "manager", "witness-count", entry=1, secret=desk.pin("manager"), ok="1")
    for who in ("boss", "manager", "watch"):
        after = page_of(who).replace("−", "-")
        assert ("Counts of the session" in after, "36’595.00" in after, "-5.00" in after) == (True, True, True), who
    assert "counted " in words(desk.get("boss", ""))


def test_the_tile_says_that_a_tray_is_counted(desk):
    desk.opened()
    desk.begin("spot")
    assert "Tray being counted" in words(desk.get("boss", ""))
