"""A table closes when all of it is known, or for a reason that stays."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models.functions import Now

from casino.devices.models import Device
from payouts.models import Event
from tables.errors import RoundChanged
from tables.models import Guest, TableSession
from tables.services import review_item_record
from tests.casino.devices import devices
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.floor import done, stakes_for, taps
from tests.worlds import world

pytestmark = world(FloorDesk)


def test_hse1_a_table_of_which_something_is_not_known_closes_with_a_reason_that_stays(desk):
    """By page and API; what is not known stands where nobody says that all is well, and in the event."""
    desk.open()
    played = desk.lock(stakes_for(Guest.objects.order_by("box")[:1]))
    desk.settle(played["id"], taps(b1={"result": "fold"}))
    tablet, _ = devices.enrol(desk.table, desk.tim)
    close = f"tables/{desk.table.pk}/close/"
    with transaction.atomic():
        Device.objects.filter(pk=tablet.pk).update(last_seen_at="2020-01-01T20:14Z")
    for path in ("", f"tables/{desk.table.pk}/"):
        page = desk.get("boss", path)
        assert ('<span class="state silent">' in page, '<span class="state open">' in page) == (True, False)
    page = words(desk.post("boss", close, REFUSED))
    since = datetime(2020, 1, 1, 20, 14, tzinfo=UTC).astimezone(ZoneInfo(desk.house.time_zone))
    unheard = f"The tablet of UTH 1 has not been heard of since {since:%Y-%m-%d %H:%M}. The last that came from it has number 1:"
    assert (unheard in page, "Why it is done all the same" in page) == (True, True)
    with transaction.atomic():
        Device.objects.filter(pk=tablet.pk).update(last_seen_at=Now(), unsent=3)
    unsent = "On the tablet of UTH 1 entries lie that have not been sent: 3. The last that came from it has number 1."
    page = words(desk.post("boss", close, REFUSED))
    assert (unsent in page, "Why it is done all the same" in page) == (True, True)
    with transaction.atomic():
        Device.objects.filter(pk=tablet.pk).update(unsent=0)
    at = {
        "house_id": desk.house.pk,
        "table_id": desk.table.pk,
        "round_id": played["id"],
        "person_id": desk.martina.pk,
    }
    payload = {"result": taps(b1={"play": 1, "result": "win"})}
    refused = RoundChanged()
    done(review_item_record, **at, kind="settle", payload=payload, refused=refused)
    assert "At UTH 1 there is still to be clarified: 1." in words(desk.post("boss", close, REFUSED))
    assert "Why it is done all the same" in words(desk.post("boss", close, REFUSED, reason="x"))
    assert TableSession.objects.get().closed_at is None
    desk.post("boss", close, reason="the tablet fell into the water")
    event = Event.objects.get(name="table.closed")
    unknown = {"silent_since": None, "last": 1, "to_clarify": 1}
    session = {"session": str(TableSession.objects.get(closed_at__isnull=False).pk)}
    assert (event.reason, event.after) == ("the tablet fell into the water", session | unknown)
