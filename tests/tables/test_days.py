"""Which gaming day a table plays on: closed days, the change of day, the two nights of the year with 23 and 25 hours (HSE-1)."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction

from payouts.errors import Refused
from payouts.models import Account, Transfer
from payouts.rules.calendar import BAD_RAGAZ, gaming_day
from payouts.selectors import gaming_day_at
from tables import services
from tables.models import TableSession
from tests.conftest import superuser
from tests.floor import Floor, done, stakes_for, taps
from tests.tables.audits import breached

ZURICH = ZoneInfo("Europe/Zurich")
LOST = taps(b1={"play": 1, "result": "lose"})


def change_day(floor: Floor, *, days: int) -> None:
    """Let the house be so many days further, by moving it elsewhere: nobody sets a clock."""
    wanted = gaming_day_at(house_id=floor.house.pk) + timedelta(days=days)
    places = [(zone, time(hour)) for zone in ("Pacific/Kiritimati", "UTC", "Etc/GMT+12") for hour in range(4, 13)]
    with superuser() as link:
        link.execute(
            "ALTER TABLE payouts_house DISABLE TRIGGER USER; ALTER TABLE payouts_postedtable DISABLE TRIGGER USER"
        )
        link.execute("UPDATE payouts_postedtable SET in_force_from = '2026-01-01' WHERE starts = 'day'")
        for place in places:
            link.execute("UPDATE payouts_house SET time_zone = %s, gaming_day_change = %s", place)
            if gaming_day_at(house_id=floor.house.pk) == wanted:
                return
    raise AssertionError(f"no place has {wanted}")


@pytest.fixture
def floor(own_database: str) -> Floor:
    floor = Floor()
    change_day(floor, days=-1)
    return floor


def refusal(work, **values) -> Refused:
    with pytest.raises(Refused) as refused, transaction.atomic():
        work(**values)
    return refused.value


def test_table_does_not_open_on_a_closed_day(floor, monkeypatch):
    """Whatever day it is: the calendar is closed on it."""
    from tables.services import sessions

    closed = replace(BAD_RAGAZ, closed=("new_year", "christmas_eve"))
    monkeypatch.setattr(sessions, "posted_of", lambda versions: {"calendar": closed})
    values = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    for day, shut in ((date(2027, 1, 1), True), (date(2026, 12, 24), True), (date(2026, 12, 25), False)):
        monkeypatch.setattr(sessions, "gaming_day_at", lambda house_id, day=day: day)
        if shut:
            assert refusal(services.table_open, **values, croupier_id=floor.martina.pk).code == "table.day_closed"
            assert not TableSession.objects.exists()
        else:
            opened = done(services.table_open, **values, croupier_id=floor.martina.pk)
            assert opened.gaming_day == day


def test_round_of_yesterday_is_settled_on_its_day_and_none_is_locked_any_more(floor):
    guests = floor.open()[:1]
    day = TableSession.objects.get().gaming_day
    round_id = UUID(floor.lock(stakes_for(guests, coins=1))["id"])
    change_day(floor, days=1)
    answer = floor.settle(round_id, LOST)
    assert answer["state"] == "settled"
    floor.correct(round_id, taps(b1={"play": 1, "result": "win"}))
    days = Transfer.objects.filter(subject_kind="round").values_list("gaming_day", flat=True).distinct()
    assert list(days) == [day]
    refused = refusal(floor.lock, stakes=stakes_for(guests))
    assert (refused.code, refused.data) == (
        "table.day_over",
        {"opened": day.isoformat(), "day": (day + timedelta(days=1)).isoformat()},
    )
    values = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(services.table_close, **values)
    assert floor.open()
    assert TableSession.objects.get(closed_at=None).gaming_day == day + timedelta(days=1)


@pytest.mark.parametrize(("ending", "state"), [("void", "voided"), ("reopen", "reopened"), ("withdraw", "voided")])
def test_round_of_yesterday_goes_back_on_its_day(floor, ending, state):
    guests = floor.open()[:1]
    round_id, day = UUID(floor.lock(stakes_for(guests, coins=1))["id"]), TableSession.objects.get().gaming_day
    change_day(floor, days=1)
    values = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    values |= {"void": {"reason": "misdeal"}, "withdraw": {"table_id": floor.table.pk}}.get(ending, {})
    assert done(getattr(services, f"round_{ending}"), **values)["state"] == state
    assert set(Transfer.objects.filter(subject_kind="round").values_list("gaming_day", flat=True)) == {day}
    assert Account.objects.get(owner_id=floor.table.pk, kind="layout").balance_minor == 0
    assert set(breached()) == {"guards_in_place"}  # which stood in our way


# Noon to noon over each night on which Zurich's clocks change, and an ordinary one; changes of day as houses may have them.
NIGHTS = [
    datetime(2026, 3, 28, 11, tzinfo=UTC),
    datetime(2026, 10, 24, 11, tzinfo=UTC),
    datetime(2026, 7, 3, 11, tzinfo=UTC),
]


@pytest.mark.parametrize("change", [time(4), time(6), time(11, 30)])
@pytest.mark.parametrize("night", NIGHTS, ids=lambda night: night.date().isoformat())
def test_database_and_rules_agree_on_the_day_through_each_night(db, night, change):
    """What a lock asks the database, every ten minutes; each day begins once and none comes back."""
    minutes = change.hour * 60 + change.minute
    days = []
    with connection.cursor() as cursor:
        for step in range(26 * 6):
            moment = night + timedelta(minutes=10 * step)
            cursor.execute("SELECT gaming_day_v1(%s, 'Europe/Zurich', %s)", [moment, change])
            days.append(cursor.fetchone()[0])
            assert days[-1] == gaming_day(moment, ZURICH, minutes), moment
    assert days == sorted(days)
    assert set(days) == {night.date(), night.date() + timedelta(days=1)}
