"""What makes a table an exception on the board besides its alerts: “Exceptions only” shows no table that is not marked."""

from dataclasses import replace
from uuid import uuid4

from django.db import transaction

from casino import floor_show
from casino.alerts import Alert
from tables.errors import RoundRunning
from tables.services import to_clarify_record
from tests.casino.floor_desk import words
from tests.floor import stakes_for
from tests.pit.desk import get, since, tile


def test_what_is_to_be_clarified_marks_its_table_and_waits_in_the_rail(desk):
    desk.open()
    assert tile(desk, "UTH 1")[0] == "open"
    with transaction.atomic():
        to_clarify_record(
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
    read = floor_show.floor_tables

    def slow(**asked):
        return [replace(one, running_s=2, long_s=1) if one.running_s is not None else one for one in read(**asked)]

    monkeypatch.setattr(floor_show, "floor_tables", slow)
    classes, text = tile(desk, "UTH 1")
    assert (classes.endswith(" marked warn"), "takes long" in text) == (True, True)


def test_alert_stands_with_its_own_age_and_its_act(desk):
    """The page counts on from when it was raised, not from when it was read; who runs the floor can acknowledge it there."""
    alert = Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=since(desk.table))
    article = (
        get(desk, path="board/").content.decode().partition(f'id="alert-{alert.pk}"')[2].partition("</article>")[0]
    )
    assert f'data-since="{alert.raised_at.isoformat()}"' in article
    assert f'data-post="/pit/alerts/{alert.pk}/acknowledge/"' in article
