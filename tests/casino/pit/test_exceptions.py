"""What makes a table an exception on the board besides its alerts: “Exceptions only” shows no table that is not marked."""

import json
from dataclasses import replace
from datetime import date
from unittest.mock import patch
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from casino.devices.kinds import TABLETS
from casino.pit.floor import show
from casino.pit.models import Alert
from tables.errors import RoundRunning
from tables.models import Guest, Table
from tables.selectors.floor import floor_tables
from tables.selectors.results import played
from tables.services import review_item_record
from tables.services.review import entries
from tests.casino.devices import devices
from tests.casino.pit.clocks import later
from tests.casino.pit.desk import get, since, tile
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.floor import stakes_for
from tests.worlds import world

pytestmark = world(FloorDesk)


def test_what_is_to_be_clarified_marks_its_table_and_waits_in_the_rail(desk):
    desk.open()
    assert tile(desk, "UTH 1")[0] == "open"
    with patch.object(entries, "check_form"), transaction.atomic():
        review_item_record(
            house_id=desk.house.pk,
            table_id=desk.table.pk,
            round_id=uuid4(),
            kind="queued",
            payload={},
            refused=RoundRunning(),
            person_id=desk.martina.pk,
        )
    classes, text = tile(desk, "UTH 1")
    assert (classes, "To be clarified" in text) == ("open marked warn", True)
    assert "UTH 1: round played offline" in words(get(desk).content.decode())


def test_round_that_takes_long_marks_its_table(desk, monkeypatch):
    guests = desk.open()
    desk.lock(stakes_for(guests[:1]))
    assert tile(desk, "UTH 1")[0] == "running"
    read = floor_tables

    def slow(**asked):
        return [replace(one, running_s=2, long_s=1) if one.running_s is not None else one for one in read(**asked)]

    monkeypatch.setattr(show, "floor_tables", slow)
    classes, text = tile(desk, "UTH 1")
    assert (classes.endswith(" marked warn"), "takes long" in text) == (True, True)


def test_what_is_long_at_a_table_is_three_times_its_median():
    """A round takes 40 s there and the pause after it 20 s, but once each; what was played offline says nothing of either."""
    ends = ((0, 40), (60, 100), (120, 160), (180, 220), (240, 900), (1800, 1840), (1860, 1900))
    session, table = str(uuid4()), str(uuid4())

    def long_ones(count: int, *, queued: bool = False) -> tuple[int | None, int | None]:
        rows = [
            [session, str(uuid4()), number, "settled", 1, False, queued, *times]
            for number, times in enumerate(ends[:count], 1)
        ]
        found = played({UUID(table): json.dumps(rows)}, house_id=uuid4(), day=date(2026, 11, 21))[UUID(table)]
        return found.long_s, found.idle_s

    assert [long_ones(count) for count in (4, 5, 6, 7)] == [(None, None), (120, None), (120, 60), (120, 60)]
    assert long_ones(7, queued=True) == (None, None)


def test_time_in_a_state_says_from_when_on_it_is_long(desk, monkeypatch):
    """The browser colours it then; at a table without guests no pause is long."""
    read = floor_tables
    monkeypatch.setattr(
        show, "floor_tables", lambda **asked: [replace(one, long_s=120, idle_s=60) for one in read(**asked)]
    )

    def said() -> list[str]:
        page = get(desk, path="board/").content.decode()
        return [part.partition('"')[0] for part in page.split('data-long="')[1:]]

    desk.open(desk.other, desk.nora)
    Guest.objects.filter(session=Table.objects.get(pk=desk.other.pk).session).update(left_at=Now())
    assert said() == []
    guests = desk.open()
    assert said() == ["60"]
    desk.lock(stakes_for(guests[:1]))
    assert said() == ["120"]


def test_tablet_is_offline_soon_after_its_last_word(desk):
    """A page on which nobody deals says that it is there, too."""
    desk.open()
    device, token = devices.enrol(desk.table, desk.tim)
    tablet = Client()
    tablet.cookies[TABLETS.cookie(device.pk)] = token
    seen = []
    for seconds, is_there in ((0, True), (7, False), (16, True), (17, False)):
        with later(seconds):
            classes, text = tile(desk, "UTH 1")
            seen.append((classes, "Offline" in text))
            if is_there:
                assert tablet.get(f"/tablet/{device.pk}/here/").status_code == 204
    assert seen == [("open", False), ("open", False), ("open marked warn", True), ("open", False)]


def test_alert_stands_with_its_own_age_and_its_act(desk):
    """The page counts on from when it was raised, not from when it was read; who runs the floor can acknowledge it there."""
    alert = Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=since(desk.table))
    article = (
        get(desk, path="board/").content.decode().partition(f'id="alert-{alert.pk}"')[2].partition("</article>")[0]
    )
    assert f'data-since="{alert.raised_at.isoformat()}"' in article
    assert f'data-post="/pit/alerts/{alert.pk}/acknowledge/"' in article
