"""Which gaming day a table plays on: hours, closed days, the change of day, the nights of 23 and 25 hours (HSE-1)."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction

from casino.demo.rulesets import DEMO_TABLES
from payouts.errors import Refused
from payouts.models import Account, Transfer
from payouts.rules.rulesets.calendar import BAD_RAGAZ, DAY, Hours, HouseCalendar, gaming_day
from payouts.selectors import HouseNow, gaming_day_at
from tables import services
from tables.kinds import KINDS
from tables.models import Guest, ReviewItem, TableSession
from tables.services.floor import sessions
from tables.services.rounds import hours, lock
from tables.services.rounds.correct import DAY_OVER
from tests import floor as floors
from tests.blackjack import Blackjack, hands
from tests.databases import superuser
from tests.floor import POSTED, Floor, done, stakes_for, taps
from tests.tables.audits import breached, breached_here
from tests.tables.test_correct import sign
from tests.turns import each
from tests.worlds import world

ZURICH = ZoneInfo("Europe/Zurich")
LOST = taps(b1={"play": 1, "result": "lose"})


def go_to_day(floor: Floor, *, later: int) -> None:
    """Let the house be on the earliest gaming day that there is anywhere now, or so many later, by moving it: nobody sets a clock.

    From the first of these places to the last it is 34 hours, so there are two days at any time.
    """
    places = [(zone, time(hour)) for zone in ("Etc/GMT+12", "UTC", "Pacific/Kiritimati") for hour in range(12, 3, -1)]
    with superuser() as link:
        link.execute(
            "ALTER TABLE payouts_house DISABLE TRIGGER USER; ALTER TABLE payouts_postedtable DISABLE TRIGGER USER"
        )
        link.execute("UPDATE payouts_postedtable SET in_force_from = '2026-01-01' WHERE starts = 'day'")
        days = []
        for place in places:
            link.execute("UPDATE payouts_house SET time_zone = %s, gaming_day_change = %s", place)
            days.append(gaming_day_at(house_id=floor.house.pk))
            if days[-1] == days[0] + timedelta(days=later):
                return
    raise AssertionError(f"no place is {later} days after {days[0]}")


pytestmark = world(Floor)


@pytest.fixture
def yesterday(floor: Floor, own_database: str, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """Of yesterday. Its hours are not asked for: the calendar's are those of another change of day than the house then has."""
    monkeypatch.setattr(sessions, "_check_hours", lambda versions, now: None)
    monkeypatch.setattr(hours, "closing", lambda calendar, day, zone: None)
    go_to_day(floor, later=0)
    return floor


def refusal(work, **values) -> Refused:
    with pytest.raises(Refused) as refused, transaction.atomic():
        work(**values)
    return refused.value


OPENING = """
2026-01-12 12:00 hours_closed 18:00 03:00 | doors open at noon, tables at six
2026-01-12 17:59 hours_closed 18:00 03:00 | a Monday
2026-01-12 18:00 2026-01-12         |
2026-01-12 23:59 2026-01-12         |
2026-01-13 00:00 2026-01-12         | midnight changes nothing
2026-01-13 02:59 2026-01-12         |
2026-01-13 03:00 hours_closed 18:00 03:00 | yesterday's hours, until the gaming day changes
2026-01-13 05:59 hours_closed 18:00 03:00 |
2026-01-13 06:00 hours_closed 18:00 03:00 |
2026-01-16 18:00 2026-01-16         | a Friday: to 04
2026-01-17 03:59 2026-01-16         |
2026-01-17 04:00 hours_closed 18:00 04:00 |
2026-03-29 03:59 2026-03-28         | the night with 23 hours
2026-03-29 04:00 hours_closed 18:00 04:00 |
2026-10-25 03:59 2026-10-24         | the night with 25 hours
2026-10-25 04:00 hours_closed 18:00 04:00 |
2026-12-31 23:00 2026-12-31         | the night before a closed day runs on
2027-01-01 02:59 2026-12-31         |
2027-01-01 18:00 day_closed         |
2027-01-02 02:00 day_closed         | of the closed day
2027-01-02 18:00 2027-01-02         |
"""


@each("zone", [ZURICH, ZoneInfo("America/New_York")])
def test_table_opens_within_the_posted_hours_of_the_gaming_day(floor: Floor, monkeypatch, zone):
    """By the house's own clock, wherever it stands."""
    calendar = replace(BAD_RAGAZ, closed=("new_year",))
    monkeypatch.setattr(sessions, "posted_of", lambda versions: {"calendar": calendar})
    monkeypatch.setattr(sessions, "version_named", lambda _house, kind, name, _day: f"the {kind} of any day")
    values = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    for line in OPENING.strip().splitlines():
        day, clock, wanted, *hours = line.partition("|")[0].split()
        moment = datetime.fromisoformat(f"{day} {clock}").replace(tzinfo=zone, fold=1).astimezone(UTC)
        now = HouseNow(moment, gaming_day(moment, zone, 6 * 60), zone)
        monkeypatch.setattr(sessions, "house_now", lambda house_id, now=now: now)
        if "closed" in wanted:
            refused = refusal(services.table_open, **values, croupier_id=floor.martina.pk)
            assert (refused.code, refused.rule) == (f"table.{wanted}", "HSE-1"), line
            assert refused.data == (
                dict(zip(("opens", "closes", "now"), (*hours, clock), strict=True)) if hours else {}
            )
            assert not TableSession.objects.exists()
        else:
            with transaction.atomic():
                opened = services.table_open(**values, croupier_id=floor.martina.pk)
                assert opened.gaming_day.isoformat() == wanted, line
                transaction.set_rollback(True)


@world(None)
def test_table_opens_by_the_clock_of_the_database_and_the_calendar_that_it_names(db, monkeypatch):
    """The same house, open round the clock at one table, and at the other for an hour that is half a day away."""
    now = datetime.now(ZURICH)
    live = 6 * 60 + (now.hour * 60 + now.minute + 6 * 60) % DAY
    start, end = max(6 * 60, live - 30), min(6 * 60 + DAY, live + 30)
    doors = min(start, DAY - 1)  # the doors open before midnight, the tables when it is time
    away = HouseCalendar(week=(Hours(opens=doors, closes=end, closes_latest=end, live_from=start),) * 7)
    monkeypatch.setattr(floors, "DEMO_TABLES", (*DEMO_TABLES, (KINDS["calendar"], "Away", away)))
    floor = Floor()
    values = {"house_id": floor.house.pk, "pit_id": floor.pit.pk, "name": "UTH 3", "game": "uth", "boxes": 7}
    shut = done(services.table_create, **values, posted=POSTED | {"calendar": "Away"})
    values = {"house_id": floor.house.pk, "actor_id": floor.reto.pk, "croupier_id": floor.martina.pk}
    assert refusal(services.table_open, **values, table_id=shut.pk).code == "table.hours_closed"
    assert done(services.table_open, **values, table_id=floor.table.pk).closed_at is None


def queued(floor: Floor, guests: list[Guest], **changes: object) -> dict[str, object]:
    values = {"house_id": floor.house.pk, "table_id": floor.other.pk, "round_id": uuid4(), "person_id": floor.nora.pk}
    return values | {"stakes": stakes_for(guests), "result": LOST} | changes


def pit_takes(floor: Floor, late: dict[str, object], refused: Refused) -> dict[str, object]:
    values = {name: late[name] for name in ("house_id", "table_id", "round_id", "person_id")}
    payload = {"stakes": late["stakes"], "result": late["result"]}
    waits = done(services.review_item_record, **values, kind="queued", payload=payload, refused=refused)
    by = {"house_id": floor.house.pk, "clarify_id": waits.pk, "actor_id": floor.reto.pk}
    booked: dict[str, object] = done(services.review_item_take, **by, reason="seen on camera")
    assert ReviewItem.objects.values_list("state", "reason").get() == ("taken", "seen on camera")
    return booked


def test_after_the_closing_a_table_that_was_left_open_books_no_round_by_itself(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the gaming day too; what was locked before is settled, and the pit takes by hand what came after (HSE-1)."""
    guests = floor.open(floor.other, floor.nora)[:1]
    at = {"table_id": floor.other.pk, "croupier_id": floor.nora.pk}
    running = floor.lock(stakes_for(guests), **at)["id"]
    [(calendar, day)] = TableSession.objects.values_list("versions__calendar", "gaming_day")
    closes = hours.closing(calendar, day.isoformat(), floor.house.time_zone)
    begun = lock._CONTEXT
    for seconds in (-1, 0):
        moment = (closes + timedelta(seconds=seconds)).astimezone(UTC).isoformat()
        monkeypatch.setattr(lock, "_CONTEXT", f"""{begun}::jsonb || '{{"now": "{moment}", "day": "{day}"}}'""")
        if seconds < 0:
            assert floor.settle(running, LOST, person_id=floor.nora.pk)["state"] == "settled"
            assert done(services.round_take_queued, **queued(floor, guests))["state"] == "settled"
            running = floor.lock(stakes_for(guests), **at)["id"]
    assert floor.settle(running, LOST, person_id=floor.nora.pk)["state"] == "settled"
    late = queued(floor, guests)
    refusals = [
        refusal(floor.lock, stakes=stakes_for(guests), **at),
        refusal(floor.lock, stakes=stakes_for(guests), **at, supervisor=True),
        refusal(services.round_take_queued, **late),
        refusal(services.round_take_queued, **late, supervisor=True),
    ]
    at_six = f"{closes:%Y-%m-%d %H:%M}"
    over = ("table.hours_over", {"opened": day.isoformat(), "closes": at_six, "now": at_six})
    assert [(late_round.code, late_round.data) for late_round in refusals] == [over] * 4
    assert pit_takes(floor, late, refusals[-1])["state"] == "settled"
    assert breached_here() == {}


def test_round_that_was_played_yesterday_without_the_server_the_pit_takes_on_its_day(yesterday):
    guests = yesterday.open(yesterday.other, yesterday.nora)[:1]
    day = TableSession.objects.get().gaming_day
    go_to_day(yesterday, later=1)
    late = queued(yesterday, guests)
    refused = refusal(services.round_take_queued, **late)
    assert refused.code == "table.day_over"
    assert pit_takes(yesterday, late, refused)["state"] == "settled"
    assert list(Transfer.objects.filter(subject_kind="round").values_list("gaming_day", flat=True).distinct()) == [day]
    assert breached().keys() <= {"guards_in_place"}  # the house was moved behind its guards


def test_round_of_yesterday_is_settled_on_its_day_and_none_is_locked_any_more(yesterday):
    guests = yesterday.open()[:1]
    day = TableSession.objects.get().gaming_day
    round_id = UUID(yesterday.lock(stakes_for(guests, coins=1))["id"])
    go_to_day(yesterday, later=1)
    answer = yesterday.settle(round_id, LOST)
    assert answer["state"] == "settled"
    won = taps(b1={"play": 1, "result": "win"})
    refused = refusal(lambda: yesterday.correct(round_id, won))
    assert (refused.code, refused.data) == ("round.approval_needed", {"why": DAY_OVER})
    at = {"house_id": yesterday.house.pk, "round_id": round_id}
    prepared = services.round_evaluate(**at, result=won, state="settled")
    request = {"prepared": prepared, "person_id": yesterday.reto.pk, "reason": "seen on camera"}
    approval = done(services.round_correction_request, **request)
    sign(yesterday, approval, yesterday.ines)
    done(services.round_correct, **request, approval_id=approval.pk)
    days = Transfer.objects.filter(subject_kind="round").values_list("gaming_day", flat=True).distinct()
    assert list(days) == [day]
    refused = refusal(yesterday.lock, stakes=stakes_for(guests))
    assert (refused.code, refused.data) == (
        "table.day_over",
        {"opened": day.isoformat(), "day": (day + timedelta(days=1)).isoformat()},
    )
    values = {"house_id": yesterday.house.pk, "table_id": yesterday.table.pk, "actor_id": yesterday.reto.pk}
    done(services.table_close, **values)
    assert yesterday.open()
    assert TableSession.objects.get(closed_at=None).gaming_day == day + timedelta(days=1)


@world(Blackjack)
def test_after_the_closing_the_pit_places_and_corrects_by_hand(floor, monkeypatch):
    """What was locked before the closing is settled; stakes come and go back by the pit, and another person signs (HSE-1)."""
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    closes = datetime.now(ZURICH)
    monkeypatch.setattr(hours, "closing", lambda calendar, day, zone: closes)
    boss = {"person_id": floor.reto.pk, "supervisor": True}
    placing = floor.placing(round_id, owner, "double")
    back = {"house_id": floor.house.pk, "round_id": round_id, "placed": 1, "person_id": floor.martina.pk}
    assert refusal(services.round_place, **placing).code == "table.hours_over"
    done(services.round_place, **placing | boss)
    assert refusal(services.round_take_back, **back).code == "table.hours_over"
    done(services.round_take_back, **back | boss)
    floor.settle(round_id, {"bank": "20", "boxes": hands(b1=["lose"])})
    refused = refusal(lambda: floor.correct(round_id, {"bank": "20", "boxes": hands(b1=["push"])}))
    assert (refused.code, refused.data) == ("round.approval_needed", {"why": DAY_OVER})


@pytest.mark.parametrize(("ending", "state"), [("void", "voided"), ("reopen", "reopened"), ("withdraw", "voided")])
def test_round_of_yesterday_goes_back_on_its_day(yesterday, ending, state):
    guests = yesterday.open()[:1]
    round_id, day = UUID(yesterday.lock(stakes_for(guests, coins=1))["id"]), TableSession.objects.get().gaming_day
    go_to_day(yesterday, later=1)
    values = {"house_id": yesterday.house.pk, "round_id": round_id, "person_id": yesterday.martina.pk}
    values |= {
        "void": {"reason": "misdeal", "person_id": yesterday.reto.pk},
        "withdraw": {"table_id": yesterday.table.pk},
    }.get(ending, {})
    assert done(getattr(services, f"round_{ending}"), **values)["state"] == state
    assert set(Transfer.objects.filter(subject_kind="round").values_list("gaming_day", flat=True)) == {day}
    assert Account.objects.get(owner_id=yesterday.table.pk, kind="layout").balance_minor == 0
    assert set(breached()) == {"guards_in_place"}  # which stood in our way


# Noon to noon over each night on which Zurich's clocks change, and an ordinary one; changes of day as houses may have them.
NIGHTS = [
    datetime(2026, 3, 28, 11, tzinfo=UTC),
    datetime(2026, 10, 24, 11, tzinfo=UTC),
    datetime(2026, 7, 3, 11, tzinfo=UTC),
]


@each("change", [time(4), time(6), time(11, 30)])
@each("night", NIGHTS)
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
