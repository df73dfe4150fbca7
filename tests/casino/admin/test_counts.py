"""What is entered of a count is in no list of the records before the count has ended (CNT-2, DRP-4)."""

from payouts.models import Count, CountEntry, CountLine, CountSignature, Event
from tables import services
from tests.casino.people import people
from tests.counts import OPENER
from tests.drops import FULL, DropFloor
from tests.floor import done
from tests.worlds import world

LESS = FULL | {20_00: 79}


class ReadFloor(DropFloor):
    """An auditor and a manager read the records."""

    def __init__(self) -> None:
        super().__init__()
        roles = ("auditor", "manager", "surveillance")
        self.readers = [people.signed_in(people.make(self.house, f"{role}.r", role)) for role in roles]

    def listed(self, count: Count) -> set[str]:
        """What of a count somebody reads: its lists, and the pages of its rows by their addresses."""
        rows = {
            "countentry": CountEntry.objects.filter(count=count),
            "countline": CountLine.objects.filter(entry__count=count),
            "countsignature": CountSignature.objects.filter(count=count),
        }
        read = set()
        for client in self.readers:
            for name, of_count in rows.items():
                page = client.get(f"/admin/payouts/{name}/?q={count.pk}").content.decode()
                opened = [client.get(f"/admin/payouts/{name}/{row.pk}/change/").status_code for row in of_count]
                read |= {name} if 'class="field-' in page or 200 in opened else set()
        return read


ALL = {"countentry", "countline", "countsignature"}


@world(ReadFloor)
def test_CNT_2_entries_are_read_once_their_count_has_ended(floor: ReadFloor) -> None:  # noqa: N802
    tray = floor.begin("spot")
    box = floor.take()
    floor.enter(tray, 39, *OPENER[1:])
    floor.counts(box, floor.first, FULL)
    assert (floor.listed(tray), floor.listed(box)) == (set(), set())
    floor.counts(box, floor.second, LESS)
    entered = Event.objects.filter(name__in=["count.entered", "count.differs"]).order_by("pk")[1:]
    assert [set(event.after) for event in entered] == [{"table", "number"}] * 3 + [{"table", "number", "denominations"}]
    floor.witness(tray)
    assert (floor.listed(tray), floor.listed(box)) == (ALL, set())
    floor.counts(box, floor.second, FULL)
    floor.agrees(box, floor.first)
    assert floor.listed(box) == ALL


@world(ReadFloor)
def test_DRP_4_what_lay_in_a_box_whose_count_was_given_up_stays_unread(floor: ReadFloor) -> None:  # noqa: N802
    tray = floor.begin("spot")
    box = floor.take()
    floor.enter(tray, *OPENER)
    floor.counts(box, floor.first, FULL)
    floor.counts(box, floor.second, LESS)
    floor.give_up(tray)
    done(services.drop_count_give_up, house_id=floor.house.pk, count_id=box.pk, actor_id=floor.first.pk)
    assert (floor.listed(tray), floor.listed(box)) == ({"countentry", "countline"}, set())
