"""Alerts: each condition raises one and is over when it is gone; two runs and two hands at once; who may mark what."""

import threading
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now

from casino.ops import heartbeats
from casino.ops.models import AuditRun
from casino.pit import alert_rules, alerts, shifts
from casino.pit.alerts import AlertUnknown, Derived, alert_acknowledge, alerts_derive, current_alerts
from casino.pit.models import Alert
from casino.pit.shifts import ShiftOwn, ShiftTaken, shift_newest, shift_take_over
from casino.tasks import alerts_task
from casino.text.alerts import LOUD
from jackpot.models import DisplaySession, SignOfLife
from payouts.models import Event
from tables.games import GAMES
from tables.services import table_open
from tests.casino.devices import devices
from tests.cast import make_house
from tests.databases import superuser
from tests.floor import Floor, done, stakes_for, taps
from tests.jackpot.linked import Linked, royal
from tests.worlds import world


def standing(house) -> list[str]:
    return sorted(Alert.objects.filter(house=house, over_at=None).values_list("kind", flat=True))


def acknowledge(alert: Alert, person) -> Alert:
    return done(alert_acknowledge, house_id=alert.house_id, alert_id=alert.pk, person_id=person.pk)


pytestmark = [world(Floor), pytest.mark.usefixtures("own_database")]


# Conditions
def test_quiet_floor_raises_nothing(floor):
    floor.open()
    heartbeats.audit_store()
    assert alerts_derive() == Derived(0, 0)


def test_silent_tablet_of_an_open_table(floor, monkeypatch):
    tablet, _ = devices.enrol(floor.table, floor.tim)
    monkeypatch.setitem(
        alert_rules.CONDITIONS, "tablet_offline", at_once("tablet_offline", alert_rules.TABLET_SILENT_S)
    )
    assert alerts_derive() == Derived(0, 0)  # the table is closed
    floor.open()
    assert alerts_derive() == Derived(1, 0)
    (alert,) = Alert.objects.all()
    assert (alert.house_id, alert.kind, alert.subject) == (floor.house.pk, "tablet_offline", str(floor.table.pk))
    assert alert.data["since"][:19] == tablet.enrolled_at.isoformat()[:19]
    assert alerts_derive() == Derived(0, 0)  # it stands already
    monkeypatch.undo()
    assert alerts_derive() == Derived(0, 1)
    alert.refresh_from_db()
    assert alert.over_at > alert.raised_at
    monkeypatch.setitem(
        alert_rules.CONDITIONS, "tablet_offline", at_once("tablet_offline", alert_rules.TABLET_SILENT_S)
    )
    assert alerts_derive() == Derived(1, 0)  # the same thing again is another alert
    assert Alert.objects.count() == 2


def at_once(kind: str, seconds: int) -> str:
    """The condition without its patience."""
    sql = alert_rules.CONDITIONS[kind]
    assert f"interval '{seconds} seconds'" in sql
    return sql.replace(f"interval '{seconds} seconds'", "interval '0 seconds'")


@world(Linked, displays=2)
def test_draining_table_that_says_nothing_and_a_display_that_does_not_confirm(linked: Linked, monkeypatch):
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal())
    assert linked.now().phase == "draining"
    assert alerts_derive() == Derived(1, 0)  # the claim itself
    monkeypatch.setitem(alert_rules.CONDITIONS, "draining_silent", at_once("draining_silent", alert_rules.DRAINING_S))
    alerts_derive()
    assert standing(linked.house) == ["draining_silent", "jackpot_claimed"]
    assert Alert.objects.get(kind="draining_silent").data["table"] == str(linked.tables[1].pk)
    linked.void(second)
    linked.advance()
    linked.verify_all()
    linked.approve()
    assert linked.now().phase == "showing"
    alerts_derive()
    assert standing(linked.house) == []
    kind = "display_unconfirmed"
    monkeypatch.setitem(alert_rules.CONDITIONS, kind, at_once(kind, alert_rules.DISPLAY_CONFIRMS_S))
    alerts_derive()
    assert standing(linked.house) == ["display_unconfirmed"] * 2


@world(Linked, displays=1)
def test_display_that_its_tables_wait_for_and_that_is_dark(linked: Linked, monkeypatch):
    kind = "display_offline"
    monkeypatch.setitem(alert_rules.CONDITIONS, kind, at_once(kind, alert_rules.DISPLAY_SILENT_S))
    assert alerts_derive() == Derived(0, 0)  # it was never heard of: nobody has started it yet
    DisplaySession.objects.create(
        display_id=linked.displays[0], house=linked.house, jackpot=linked.jackpot, session_id=uuid4(), seen_at=Now()
    )
    assert alerts_derive() == Derived(1, 0)
    assert Alert.objects.get().data["name"] == "Display 1"
    monkeypatch.undo()
    assert alerts_derive() == Derived(0, 1)


@pytest.mark.parametrize(("bounds", "raised"), [((0, 1), 1), ((3, 90), 1), ((1, 90), 0)])
def test_pace_of_a_table_beyond_what_its_game_plays(floor, monkeypatch, bounds, raised):
    guests = floor.open()[:1]
    floor.settle(floor.lock(stakes_for(guests))["id"], taps(b1={"result": "fold"}))
    least, most = alert_rules.PACE["uth"]
    sql = alert_rules.CONDITIONS["pace_off"].replace(f"('uth', {least}, {most},", f"('uth', {bounds[0]}, {bounds[1]},")
    patient = f"clock_timestamp() - interval '{alert_rules.PACE_S} seconds'"
    opened, arrived = (f"{name} < {patient}" for name in ("s.opened_at", "g.arrived_at"))
    assert opened in sql
    assert arrived in sql
    for text in (opened, arrived):
        sql = sql.replace(text, text.replace(str(alert_rules.PACE_S), "0"))
    monkeypatch.setitem(alert_rules.CONDITIONS, "pace_off", sql)
    assert alerts_derive() == Derived(raised, 0)
    if raised:
        data = Alert.objects.get().data
        assert (data["an_hour"], data["least"], data["most"]) == (2, *bounds)


def test_empty_table_is_not_too_slow(floor, monkeypatch):
    done(floor_open, floor=floor)
    sql = alert_rules.CONDITIONS["pace_off"].replace(f"interval '{alert_rules.PACE_S} seconds'", "interval '0 seconds'")
    monkeypatch.setitem(alert_rules.CONDITIONS, "pace_off", sql)
    assert alerts_derive() == Derived(0, 0)
    floor.seat(floor.table, 1)
    assert alerts_derive() == Derived(1, 0)


def floor_open(floor: Floor) -> None:
    ids = {"house_id": floor.house.pk, "table_id": floor.table.pk}
    table_open(**ids, croupier_id=floor.martina.pk, actor_id=floor.reto.pk)


def test_meter_near_its_cap(floor, monkeypatch):
    assert alerts_derive() == Derived(0, 0)  # it has none
    cap = "(f.data ->> 'cap_minor')::bigint"
    assert cap in alert_rules.CONDITIONS["cap_near"]
    for minor, raised in ((1_060_000, 0), (1_050_000, 1)):  # it holds 1 000 000
        monkeypatch.setitem(alert_rules.CONDITIONS, "cap_near", alert_rules._CAP_NEAR.replace(cap, str(minor)))
        assert alerts_derive() == Derived(raised, 0)
    assert Alert.objects.get().data["cap_minor"] == 1_050_000


def test_audits_that_fail_and_audits_that_stand_still(floor, monkeypatch):
    other = make_house("Another")
    AuditRun.objects.create(seconds=1, ok=False, breaches=[{"audit": "entries_sum", "rows": []}])
    assert alerts_derive() == Derived(2, 0)  # every house hears of it
    assert Alert.objects.get(house=other).data["audits"] == ["entries_sum"]
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    assert alerts_derive() == Derived(0, 2)
    monkeypatch.setitem(alert_rules.CONDITIONS, "audit_failing", at_once("audit_failing", alert_rules.AUDIT_S))
    assert alerts_derive() == Derived(2, 0)
    assert Alert.objects.filter(over_at=None, house=other).get().data["audits"] == []


def test_more_coins_than_a_table_can_play(floor, monkeypatch):
    guests = floor.open()[:1]
    for _ in range(2):
        floor.settle(floor.lock(stakes_for(guests, coins=1))["id"], taps(b1={"result": "fold"}))
    assert alerts_derive() == Derived(0, 0)
    sql = alert_rules.CONDITIONS["too_many_coins"].replace(" 150) AS most", " 1) AS most")
    assert sql != alert_rules.CONDITIONS["too_many_coins"]
    monkeypatch.setitem(alert_rules.CONDITIONS, "too_many_coins", sql)
    assert alerts_derive() == Derived(1, 0)
    data = Alert.objects.get().data
    assert (data["table"], data["rounds"], data["most"]) == (str(floor.table.pk), 2, 1)


# Who marks what
def raised(floor: Floor, subject: str = "x") -> Alert:
    return Alert.objects.create(house=floor.house, kind="audit_failing", subject=subject, data={})


def test_acknowledged_once_and_stays_until_it_is_over(floor):
    alert = raised(floor)
    first = acknowledge(alert, floor.reto)
    assert acknowledge(alert, floor.ines).acknowledged_by == floor.reto
    assert first.acknowledged_at is not None
    assert Event.objects.filter(name="alert.acknowledged").count() == 1
    assert current_alerts(house_id=floor.house.pk) == ([], False, [alert])  # not over yet
    alerts_derive()
    assert current_alerts(house_id=floor.house.pk) == ([], False, [])


def test_over_and_not_acknowledged_stays(floor):
    alert = raised(floor)
    alerts_derive()
    (shown,) = current_alerts(house_id=floor.house.pk).waiting
    assert shown.over_at is not None
    acknowledge(alert, floor.reto)
    assert current_alerts(house_id=floor.house.pk) == ([], False, [])


def test_what_was_acknowledged_hides_nothing_new_and_alarms_come_first(floor, monkeypatch):
    """A hall full of dark tablets, all seen and still so, and many that nobody saw: the round that holds the jackpot up is told."""
    monkeypatch.setattr(alerts, "SHOWN", 3)
    old = [Alert.objects.create(house=floor.house, kind="tablet_offline", subject=f"s{n}", data={}) for n in range(4)]
    for one in old:
        acknowledge(one, floor.reto)
    warnings = [Alert.objects.create(house=floor.house, kind="pace_off", subject=f"w{n}", data={}) for n in range(3)]
    alarm = Alert.objects.create(house=floor.house, kind="draining_silent", subject="a", data={})
    past = Alert.objects.create(house=floor.house, kind="draining_silent", subject="over", data={})
    Alert.objects.filter(pk=past.pk).update(over_at=Now())
    assert current_alerts(house_id=floor.house.pk, first=LOUD) == ([alarm, *warnings[:2]], True, old[:3])
    Alert.objects.filter(pk=warnings[2].pk).update(over_at=Now())
    assert current_alerts(house_id=floor.house.pk, first=LOUD).waiting == [alarm, *warnings[:2]]
    acknowledge(past, floor.reto)
    acknowledge(warnings[2], floor.reto)
    acknowledge(warnings[0], floor.reto)
    assert current_alerts(house_id=floor.house.pk, first=LOUD).more is False


def test_run_that_came_to_its_end_leaves_a_sign_of_life_and_one_that_failed_none(floor, monkeypatch):
    alerts_derive(worker="here")
    (sign,) = SignOfLife.objects.filter(kind=alerts.SIGN).values_list("worker", "at")
    assert sign[0] == "here"
    monkeypatch.setitem(alert_rules.CONDITIONS, "pace_off", "SELECT 1 / 0, '', ''")
    with pytest.raises(DatabaseError, match="division by zero"):
        alerts_derive(worker="there")
    assert list(SignOfLife.objects.filter(kind=alerts.SIGN).values_list("worker", "at")) == [sign]


def test_every_game_has_a_pace(floor):
    assert set(alert_rules.PACE) == set(GAMES)
    assert all(0 < least < most for least, most in alert_rules.PACE.values())


def test_alert_of_another_house_is_unknown(floor):
    alert = raised(floor)
    with pytest.raises(AlertUnknown):
        done(alert_acknowledge, house_id=make_house("Another").pk, alert_id=alert.pk, person_id=floor.reto.pk)
    alert.refresh_from_db()
    assert alert.acknowledged_at is None


@pytest.mark.parametrize(
    "change", ["data = '{}'", "kind = 'x'", "raised_at = now()", "over_at = NULL", "over_at = now()"]
)
def test_database_keeps_what_an_alert_said_and_each_mark(floor, change):
    raised(floor)
    alerts_derive()
    with superuser() as link, pytest.raises(Exception, match="refused"):
        link.execute(f"UPDATE casino_alert SET {change}, subject = subject || 'y'")


def test_database_takes_no_alert_away_and_no_second_one_that_stands(floor):
    raised(floor)
    with superuser() as link, pytest.raises(Exception, match="refused"):
        link.execute("DELETE FROM casino_alert")
    with pytest.raises(DatabaseError, match="alert_once_at_a_time"), transaction.atomic():
        raised(floor)


# At once
def test_second_run_at_once_goes_home(floor, monkeypatch):
    """A run stands still in the middle, a second one comes: it does nothing, and what the first found is raised once."""
    inside, go_on, came = threading.Event(), threading.Event(), []
    found = alerts._found

    def stand():
        inside.set()
        assert go_on.wait(60)
        return found() | {(floor.house.pk, "audit_failing", "audit"): {}}

    def run():
        try:
            came.append(alerts_derive())
        finally:
            connection.close()

    monkeypatch.setattr(alerts, "_found", stand)
    thread = threading.Thread(target=run)
    thread.start()
    assert inside.wait(60)
    assert alerts_derive() is None
    go_on.set()
    thread.join(60)
    assert came == [Derived(1, 0)]
    alerts_task()
    assert Alert.objects.count() == 1


def test_without_the_lock_an_older_run_ends_what_a_newer_one_raised(floor, monkeypatch):
    """Why there is a lock: an older view, written late, takes an alert off that still stands."""
    monkeypatch.setattr(alerts, "_alone", lambda: True)
    key = (floor.house.pk, "audit_failing", "audit")
    inner = []

    def older():
        if not inner:
            inner.append(True)
            with monkeypatch.context() as newer, transaction.atomic():
                newer.setattr(alerts, "_found", lambda: {key: {}})
                Alert.objects.bulk_create([Alert(house_id=key[0], kind=key[1], subject=key[2], data={})])
        return {}

    monkeypatch.setattr(alerts, "_found", older)
    assert alerts_derive() == Derived(0, 1)


# The shift
def take(floor: Floor, person, seen: int):
    return done(shift_take_over, house_id=floor.house.pk, person_id=person.pk, seen=seen, was_open=list, note="")


def test_shift_passes_on_and_of_two_who_come_at_once_one_has_it(floor):
    assert shift_newest(house_id=floor.house.pk) is None
    take(floor, floor.reto, 0)
    with pytest.raises(ShiftTaken):
        take(floor, floor.ines, 0)  # the page showed what was before
    with pytest.raises(ShiftOwn):
        take(floor, floor.reto, 1)
    second = take(floor, floor.ines, 1)
    assert (second.number, second.given_by) == (2, floor.reto)
    assert Event.objects.filter(name="shift.taken").count() == 2


def test_two_who_take_the_shift_at_once(floor, monkeypatch):
    """Both have read the same; the unique number has one winner."""
    monkeypatch.setattr(shifts, "shift_newest", lambda *, house_id: None)
    take(floor, floor.reto, 0)
    with pytest.raises(ShiftTaken):
        take(floor, floor.ines, 0)
