"""A table that is linked to a jackpot asks once before it opens, while a prize could not be signed or paid."""

from casino.people import services as people_services
from casino.people.models import Person
from payouts.models import Event
from tables.models import Table
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.worlds import world

pytestmark = world(FloorDesk)
WHY = "Why it is done all the same"


def opening(desk: FloorDesk, table: Table, status: int = 302, **fields: str) -> str:
    given = {"croupier": str(desk.martina.pk), "entry_level": "fast", "both": "1"} | fields
    return words(desk.post("boss", f"tables/{table.pk}/open/", status, **given))


def test_linked_table_opens_with_a_reason_that_stays(desk: FloorDesk) -> None:
    Person.objects.filter(house=desk.house, roles__contains=["cage"]).update(pin="")
    page = opening(desk, desk.table, 409)
    sentence = (
        "UTH 1 is linked to a jackpot. If its prize were won now, it would have to wait: nobody of the cage can pay it."
    )
    assert (sentence in page, WHY in page, Table.objects.get(pk=desk.table.pk).session_id) == (True, True, None)
    opening(desk, desk.table, 400, reason="x")
    opening(desk, desk.other)  # at no jackpot: nothing to be asked about
    opening(desk, desk.table, reason="the cashier comes at eight")
    events = Event.objects.filter(name="table.opened").order_by("pk")
    assert [(event.after.get("prize_lacks"), event.reason) for event in events] == [
        (None, ""),
        ("cashier", "the cashier comes at eight"),
    ]


def test_nothing_is_asked_while_a_prize_could_be_signed_and_paid(desk: FloorDesk) -> None:
    assert WHY not in words(desk.get("boss", f"tables/{desk.table.pk}/"))
    opening(desk, desk.table)


def test_who_was_made_within_a_day_signs_no_prize_of_a_house_that_has_not_played(desk: FloorDesk) -> None:
    chief = people.make(None, "chief", "manager")
    for person in Person.objects.filter(house=desk.house).exclude(username="boss.floor"):
        people_services.password_reset(person=person, by=chief)
    page = opening(desk, desk.table, 409)
    assert "too few people can sign it, and nobody of the cage can pay it." in page
