"""Devices: enrolled by a code that is good once, revoked for good, each act with its event."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models.functions import Now

from casino.devices import services as devices
from casino.devices.models import Device, DeviceCode, DeviceSession
from casino.devices.refusals import (
    DeviceRevoked,
    DeviceTableUnknown,
    DeviceUnknown,
    DeviceUnsent,
    EnrolmentCodeRefused,
    NotEnrolled,
)
from casino.devices.services import CODE_TRIES, device_code_make, device_enrol, device_revoke, feed_enrol, token_hash
from casino.devices.signin import device_sign_in, seat_of
from casino.people.models import Person
from casino.people.refusals import NotAllowed
from casino.people.roles import CODES
from payouts.db.constraints import constraint_of
from payouts.models import Event, House
from payouts.rules.plain import TextRefused
from tables.models import Table, TableSession
from tests.casino.devices.devices import PIN, dealer, enrol, feed, make_table
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each


@pytest.fixture
def boss(house: House) -> Person:
    return people.make(house, "p.boss", "pit_boss")


@pytest.fixture
def stranger(db: None) -> Person:
    return people.make(make_house("Casino Wiesbaden", "EUR"), "f.remd", "pit_boss")


def names() -> list[str]:
    return list(Event.objects.filter(name__startswith="device").order_by("pk").values_list("name", flat=True))


def wrong_half(text: str) -> str:
    return text[:-1] + ("a" if text[-1] != "a" else "b")


# Enrolling
def test_code_makes_a_tablet_of_the_table(table: Table, boss: Person) -> None:
    code, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    device, token = device_enrol(kind="tablet", code=text)
    assert (device.table, device.house_id, device.kind, device.name) == (table, table.house_id, "tablet", "Tablet")
    assert (device.enrolled_by, device.code, device.revoked_at) == (boss, code, None)
    assert seat_of(device_id=device.pk, token=token).device == device
    events = Event.objects.filter(name__startswith="device").order_by("pk")
    assert [(event.name, event.actor_id, event.house_id) for event in events] == [
        ("device.code_made", boss.pk, table.house_id),
        ("device.enrolled", boss.pk, table.house_id),
    ]
    assert events[1].subject_id == str(device.pk)


def test_neither_token_nor_code_is_stored(table: Table, boss: Person) -> None:
    code, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    device, token = device_enrol(kind="tablet", code=text)
    assert len(token) >= 43  # 256 bits in base 64
    with connection.cursor() as cursor:
        cursor.execute("SELECT d::text || c::text FROM casino_device d, casino_devicecode c")
        stored = cursor.fetchone()[0]
        cursor.execute("SELECT string_agg(e::text, '') FROM payouts_event e")
        stored += cursor.fetchone()[0]
    plain = text.replace("-", "")
    assert token not in stored
    assert plain not in stored
    assert plain[4:] not in stored.replace(str(device.pk), "").replace(str(code.pk), "")


@each("typed", ["{}", "{} ", " {} ", "{upper}", "{spaced}", "{bare}"])
def test_code_is_taken_however_it_is_typed(table: Table, boss: Person, typed: str) -> None:
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    device_enrol(
        kind="tablet", code=typed.format(text, upper=text.upper(), spaced=" ".join(text), bare=text.replace("-", ""))
    )


@each("typed", ["", "abcd", "abcd-efg1", "abcdefghi", "äbcd-efgh", "abcd\0fgh", "x" * 100_000])
def test_what_is_no_code_is_refused(table: Table, boss: Person, typed: str) -> None:
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=typed)
    assert names() == []


def test_used_code_is_refused(table: Table, boss: Person) -> None:
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    device_enrol(kind="tablet", code=text)
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=text)
    assert Device.objects.count() == 1


def test_old_code_is_refused(table: Table, boss: Person, monkeypatch) -> None:
    monkeypatch.setattr(devices, "CODE_MINUTES", -1)
    code, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=text)
    code.refresh_from_db()
    assert code.ended_as == "expired"


def test_new_code_for_the_same_tablet_ends_the_one_before(table: Table, boss: Person) -> None:
    _, first = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    _, other = device_code_make(kind="tablet", place_id=table.pk, name="Second tablet", by=boss)
    _, second = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=first)
    assert {device_enrol(kind="tablet", code=text)[0].name for text in (second, other)} == {"Tablet", "Second tablet"}


def test_fifth_wrong_try_ends_a_code(table: Table, boss: Person) -> None:
    code, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    for _ in range(CODE_TRIES):
        with pytest.raises(EnrolmentCodeRefused):
            device_enrol(kind="tablet", code=wrong_half(text))
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=text)
    code.refresh_from_db()
    assert (code.ended_as, code.tries) == ("spent", CODE_TRIES)
    assert names() == ["device.code_made", *["device.code_refused"] * (CODE_TRIES - 1), "device.code_spent"]


def test_fourth_wrong_try_leaves_one(table: Table, boss: Person) -> None:
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    for _ in range(CODE_TRIES - 1):
        with pytest.raises(EnrolmentCodeRefused):
            device_enrol(kind="tablet", code=wrong_half(text))
    device_enrol(kind="tablet", code=text)


@each("change", [{"is_active": False}, {"roles": ["croupier"]}])
def test_code_of_who_may_not_any_more_is_refused(table: Table, boss: Person, change: dict[str, object]) -> None:
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    Person.objects.filter(pk=boss.pk).update(**change)
    with pytest.raises(EnrolmentCodeRefused):
        device_enrol(kind="tablet", code=text)


def test_enrolling_anew_under_the_same_name_replaces(table: Table, boss: Person) -> None:
    old, old_token = enrol(table, boss)
    other, other_token = enrol(table, boss, "Second tablet")
    shoe, shoe_token = feed(table, boss, "Tablet")
    new, new_token = enrol(table, boss)
    with pytest.raises(NotEnrolled):
        seat_of(device_id=old.pk, token=old_token)
    for device, token in ((other, other_token), (new, new_token)):
        assert seat_of(device_id=device.pk, token=token).device == device
    assert seat_of(device_id=None, token=shoe_token, kind="feed").device == shoe
    old.refresh_from_db()
    assert (old.revoked_reason, old.revoked_by) == ("enrolled anew", boss)


def test_same_code_twice_at_once_makes_one_device(own_database: str) -> None:
    house = make_house()
    table, boss = make_table(house), people.make(house, "p.boss", "pit_boss")
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    assert sorted(at_once(8, lambda _: device_enrol(kind="tablet", code=text))) == ["EnrolmentCodeRefused"] * 7 + [
        "done"
    ]
    assert Device.objects.count() == 1


def test_parallel_wrong_tries_are_all_charged(own_database: str) -> None:
    house = make_house()
    table, boss = make_table(house), people.make(house, "p.boss", "pit_boss")
    code, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    assert set(at_once(8, lambda _: device_enrol(kind="tablet", code=wrong_half(text)))) == {"EnrolmentCodeRefused"}
    code.refresh_from_db()
    assert (code.tries, code.ended_as) == (CODE_TRIES, "spent")


def test_two_feeds_of_one_name_at_once_leave_one(own_database: str) -> None:
    house = make_house()
    table, boss = make_table(house), people.make(house, "p.boss", "pit_boss")
    assert set(at_once(4, lambda _: feed_enrol(place_id=table.pk, name="Shoe", by=boss))) == {"done"}
    assert (Device.objects.filter(revoked_at=None).count(), Device.objects.count()) == (1, 4)


def at_once(times: int, act) -> list[str]:
    """Do it in as many threads at the same moment; what came of each."""
    start = threading.Barrier(times)

    def one(number: int) -> str:
        try:
            start.wait()
            act(number)
        except (EnrolmentCodeRefused, NotEnrolled) as refused:
            return type(refused).__name__
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(one, range(times)))


# Who may
@each("role", CODES)
def test_who_may_enrol_and_revoke(house: House, table: Table, boss: Person, role: str) -> None:
    device, _ = enrol(table, boss)
    person = people.make(house, "x.y", role)
    acts = (
        lambda: device_code_make(kind="tablet", place_id=table.pk, name="Other", by=person),
        lambda: feed_enrol(place_id=table.pk, name="Shoe", by=person),
        lambda: device_revoke(device_id=device.pk, reason="lost", by=person),
    )
    for act in acts:
        if role in ("pit_boss", "technician", "manager"):
            act()
        else:
            with pytest.raises(NotAllowed):
                act()


def test_nobody_reaches_another_house(table: Table, boss: Person, stranger: Person, chief: Person) -> None:
    device, _ = enrol(table, boss)
    with pytest.raises(DeviceTableUnknown):
        device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=stranger)
    with pytest.raises(DeviceTableUnknown):
        feed_enrol(place_id=table.pk, name="Shoe", by=stranger)
    with pytest.raises(DeviceUnknown):
        device_revoke(device_id=device.pk, reason="lost", by=stranger)
    assert not devices.devices_of(stranger).exists()
    assert not devices.tables_of(stranger).exists()
    device_revoke(device_id=device.pk, reason="lost", by=chief)  # a manager of the installation does


@each("name", ["", "  ", "x" * 41, "a\0b", "a\u202eb"])
def test_strange_name_is_refused(table: Table, boss: Person, name: str) -> None:
    with pytest.raises(TextRefused):
        device_code_make(kind="tablet", place_id=table.pk, name=name, by=boss)
    with pytest.raises(TextRefused):
        feed_enrol(place_id=table.pk, name=name, by=boss)


def test_table_that_there_is_not(boss: Person) -> None:
    with pytest.raises(DeviceTableUnknown):
        device_code_make(kind="tablet", place_id=uuid4(), name="Tablet", by=boss)


# Revoking
def test_revoked_device_is_out_at_once_with_its_session(table: Table, boss: Person) -> None:
    device, token = enrol(table, boss)
    session = device_sign_in(device=device, username=dealer(table.house).username, pin=PIN)
    device_revoke(device_id=device.pk, reason="fell down", by=boss)
    with pytest.raises(NotEnrolled):
        seat_of(device_id=device.pk, token=token)
    session.refresh_from_db()
    assert (session.ended_as, session.ended_by) == ("revoked", boss)
    event = Event.objects.get(name="device.revoked")
    assert (event.actor_id, event.subject_id, event.reason) == (boss.pk, str(device.pk), "fell down")
    with pytest.raises(DeviceRevoked):
        device_revoke(device_id=device.pk, reason="again", by=boss)
    with pytest.raises(NotEnrolled):
        device_sign_in(device=device, username="m.frei", pin=PIN)


def test_what_a_tablet_has_not_sent_is_not_given_up_unasked(table: Table, boss: Person) -> None:
    """Issue 44-1: at an open table, while it is silent or has told of entries that lie there."""
    device, _ = enrol(table, boss)
    about = {"device_id": device.pk, "by": boss, "reason": "fell down"}
    opened = {"house": table.house, "table": table, "gaming_day": "2026-11-29", "entry_level": "fast", "versions": {}}
    table.session = TableSession.objects.create(**opened, croupier=boss, opened_by=boss)
    table.save(update_fields=["session"])
    for fields in ({"unsent": 2, "last_seen_at": Now()}, {"unsent": 0, "last_seen_at": Now() - timedelta(seconds=20)}):
        Device.objects.filter(pk=device.pk).update(**fields)
        with pytest.raises(DeviceUnsent):
            device_revoke(**about)
    device_revoke(**about, lost=True)
    assert Event.objects.get(name="device.revoked").after == {"given_up": True}


@each("reason", ["", "  ", "ab", "x" * 201, "a\0bc"])
def test_revoking_needs_a_reason(table: Table, boss: Person, reason: str) -> None:
    device, _ = enrol(table, boss)
    with pytest.raises(TextRefused):
        device_revoke(device_id=device.pk, reason=reason, by=boss)


def test_device_that_there_is_not(boss: Person) -> None:
    with pytest.raises(DeviceUnknown):
        device_revoke(device_id=uuid4(), reason="lost", by=boss)


# Tokens
def test_token_is_good_for_its_own_device_and_kind_only(table: Table, boss: Person) -> None:
    tablet, tablet_token = enrol(table, boss)
    other, _ = enrol(table, boss, "Second tablet")
    shoe, shoe_token = feed(table, boss)
    for device_id, token, kind in (
        (other.pk, tablet_token, "tablet"),
        (tablet.pk, tablet_token, "feed"),
        (shoe.pk, shoe_token, "tablet"),
        (tablet.pk, "", "tablet"),
        (tablet.pk, "\udcff\0", "tablet"),
        (None, token_hash(tablet_token).hex(), "tablet"),
    ):
        with pytest.raises(NotEnrolled):
            seat_of(device_id=device_id, token=token, kind=kind)


def test_last_seen_is_written_once_a_minute(table: Table, boss: Person, django_assert_num_queries) -> None:
    device, token = enrol(table, boss)
    assert device.last_seen_at is None
    seat_of(device_id=device.pk, token=token)
    device.refresh_from_db()
    first = device.last_seen_at
    assert first is not None
    with django_assert_num_queries(2):  # is somebody signed in? no: the device alone
        seat_of(device_id=device.pk, token=token)
    Device.objects.filter(pk=device.pk).update(last_seen_at="2026-01-01T00:00Z")
    seat_of(device_id=device.pk, token=token)
    device.refresh_from_db()
    assert device.last_seen_at >= first


# What the database itself refuses
def refused_by(constraint: str, act) -> None:
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        act()
    assert constraint_of(caught.value) == constraint


def test_database_keeps_devices(table: Table, boss: Person, stranger: Person) -> None:
    device, _ = enrol(table, boss)
    rows = Device.objects.filter(pk=device.pk)
    refused = {
        "device_name_once": {"name": "Tablet", "kind": "tablet", "code": spare_code(table, boss)},
        "device_kind_known": {"name": "x", "kind": "tablet", "code": None},
        "casino_device_code_id_key": {"name": "x", "kind": "tablet", "code": device.code},
        "casino_device_token_hash_key": {"name": "x", "kind": "feed", "token_hash": bytes(device.token_hash)},
        "device_table_of_house": {"name": "x", "kind": "feed", "house": stranger.house},
    }
    for constraint, fields in refused.items():
        values = {"house": table.house, "table": table, "enrolled_by": boss, "token_hash": uuid4().bytes * 2}
        refused_by(constraint, lambda values=values | fields: Device.objects.create(**values))
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        rows.update(table=make_table(table.house, "UTH 2"))
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        rows.update(token_hash=b"x" * 32)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        rows.delete()
    refused_by("device_revoked_by", lambda: rows.update(revoked_at=Now()))
    device_revoke(device_id=device.pk, reason="lost", by=boss)
    with pytest.raises(IntegrityError, match="refused"), transaction.atomic():
        rows.update(revoked_at=None, revoked_by=None, revoked_reason="")


def spare_code(table: Table, boss: Person) -> DeviceCode:
    return device_code_make(kind="tablet", place_id=table.pk, name="spare", by=boss)[0]


def test_database_keeps_codes_and_sessions(table: Table, boss: Person) -> None:
    device, _ = enrol(table, boss)
    code = DeviceCode.objects.get()
    with pytest.raises(IntegrityError, match="refused"), transaction.atomic():
        DeviceCode.objects.filter(pk=code.pk).update(ended_at=None, ended_as="")
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        DeviceCode.objects.filter(pk=code.pk).update(expires_at=Now())
    session = device_sign_in(device=device, username=dealer(table.house).username, pin=PIN)
    values = {"device": device, "person": boss, "expires_at": Now()}
    refused_by("device_session_one_open", lambda: DeviceSession.objects.create(**values))
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        DeviceSession.objects.filter(pk=session.pk).update(person=boss)
    refused_by("device_session_ended", lambda: DeviceSession.objects.filter(pk=session.pk).update(ended_as="revoked"))
    DeviceSession.objects.filter(pk=session.pk).update(ended_at=Now(), ended_as="signed_out")
    with pytest.raises(IntegrityError, match="refused"), transaction.atomic():
        DeviceSession.objects.filter(pk=session.pk).update(ended_at=None, ended_as="")


def test_code_of_another_table_enrols_nothing_there(table: Table, boss: Person) -> None:
    code = spare_code(table, boss)
    other = make_table(table.house, "UTH 2")
    values = {"house": table.house, "table": other, "kind": "tablet", "name": "x", "enrolled_by": boss}
    refused_by(
        "device_code_its_own", lambda: Device.objects.create(**values, code=code, token_hash=UUID(int=0).bytes * 2)
    )
