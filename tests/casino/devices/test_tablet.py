"""Pages of a tablet: its cookie, its door, PIN, hand-over; beside an office session, and without one."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from casino.demo.people import demo_load
from casino.demo.tablet import demo_tablet
from casino.devices import alone, signin
from casino.devices.kinds import TABLETS
from casino.devices.models import Device, DeviceSession
from casino.devices.services import device_code_make, device_revoke
from casino.people.models import Person
from casino.people.refusals import DemoRefused
from payouts.commands import request_fingerprint, run_once
from payouts.models import Event, House
from tables.models import HandOver, Round, Table, TableSession
from tests.casino.devices.devices import PIN, address, browser_of, dealer, enrol, make_table, open_table
from tests.casino.people import people
from tests.cast import make_house
from tests.databases import superuser
from tests.turns import each

REFUSED = "Name und PIN passen nicht zusammen, oder diese PIN ist gesperrt."
HERE = 'data-here="([^"]+)"'


@pytest.fixture
def browser(tablet: tuple[Device, str]) -> Client:
    return browser_of(*tablet)


def sign_in(browser: Client, device: Device, username: str = "m.frei", pin: str = PIN, person: object = "other"):
    data = {"person": str(person), "username": username, "pin": pin}
    return browser.post(address(device, "sign-in/"), data)


def said(response) -> str | None:
    refused = response.context.get("refused")
    return refused["code"] if refused else None


# Enrolling
def test_code_gives_the_browser_its_cookie(table: Table, boss: Person, client: Client) -> None:
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    assert client.get("/tablet/")["Location"] == "/tablet/enrol/"
    response = client.post("/tablet/enrol/", {"code": text})
    device = Device.objects.get()
    assert response["Location"] == address(device)
    cookie = response.cookies[TABLETS.cookie(device.pk)]
    assert cookie.key == f"saalchef-device-{settings.INSTANCE}-{device.pk.hex}"
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
    assert int(cookie["max-age"]) == 400 * 24 * 3600
    assert not cookie["secure"]
    assert client.get("/tablet/")["Location"] == address(device)


def test_cookie_is_for_https_alone_where_there_is_https(table: Table, boss: Person, client: Client, settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    cookies = client.post("/tablet/enrol/", {"code": text}).cookies
    assert [cookie["secure"] for name, cookie in cookies.items() if name.startswith(TABLETS.prefix)] == [True]


@each("data", [{}, {"code": ""}, {"code": "abcd-efgh"}, {"code": "x\0"}, {"code": "ä" * 5000}])
def test_wrong_code_is_said_and_no_cookie_given(client: Client, db: None, data: dict[str, str]) -> None:
    response = client.post("/tablet/enrol/", data)
    assert said(response) == "device.code_refused"
    assert not [name for name in response.cookies if name.startswith(TABLETS.prefix)]


def test_forged_enrolment_is_refused(table: Table, boss: Person) -> None:
    _, text = device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=boss)
    assert Client(enforce_csrf_checks=True).post("/tablet/enrol/", {"code": text}).status_code == 403
    assert not Device.objects.exists()


# The door
PAGES = [("", "get"), ("sign-in/", "get"), ("sign-in/", "post"), ("sign-out/", "post")]
PAGES += [("hand-over/", "post"), ("language/", "post"), ("here/", "get"), ("idle/", "post")]
PAGES += [("touched/", "post"), ("wake/", "post")]


@each(("page", "method"), PAGES)
def test_no_page_opens_without_the_device_s_own_cookie(
    device: Device, house: House, boss: Person, martina: Person, page: str, method: str
) -> None:
    other, other_token = enrol(make_table(house, "UTH 2"), boss)
    forged = Client()
    forged.cookies[TABLETS.cookie(device.pk)] = other_token  # another table's token under this one's name
    for client in (Client(), people.signed_in(martina), people.signed_in(boss), browser_of(other, other_token), forged):
        response = getattr(client, method)(address(device, page))
        assert response.status_code == 403
        assert "Dieses Gerät ist nicht registriert, oder es wurde gesperrt." in response.content.decode()
    assert getattr(forged, method)(address(uuid4(), page)).status_code == 403


def test_revoked_tablet_is_turned_away_and_forgets_its_cookie(browser: Client, device: Device, boss: Person) -> None:
    device_revoke(device_id=device.pk, reason="lost", by=boss)
    response = browser.get(address(device))
    assert response.status_code == 403
    assert response.cookies[TABLETS.cookie(device.pk)].value == ""
    assert browser.get("/tablet/")["Location"] == "/tablet/enrol/"


def test_program_gets_a_problem_document(device: Device) -> None:
    response = Client().get(address(device), headers={"Accept": "application/json"})
    assert (response.status_code, response.json()["code"]) == (403, "device.not_enrolled")


def test_browser_with_several_tablets_chooses(
    tablet: tuple[Device, str], house: House, boss: Person, martina: Person
) -> None:
    other = enrol(make_table(house, "UTH 2"), boss)
    browser = browser_of(*other, client=browser_of(*tablet))
    gone, gone_token = enrol(make_table(house, "UTH 3"), boss)
    browser_of(gone, gone_token, client=browser)
    device_revoke(device_id=gone.pk, reason="lost", by=boss)
    browser.cookies[f"{TABLETS.prefix}nonsense"] = "x"
    sign_in(browser, tablet[0])
    response = browser.get("/tablet/")
    seats = {seat.device.table.name: seat.person for seat in response.context["seats"]}
    assert seats == {"UTH 1": martina, "UTH 2": None}
    assert response.cookies[TABLETS.cookie(gone.pk)].value == ""


# Signing in and out
def test_name_and_pin_lead_to_the_table(browser: Client, device: Device, martina: Person) -> None:
    assert browser.get(address(device))["Location"] == address(device, "sign-in/")
    page = browser.get(address(device, "sign-in/"))
    assert page.context["names"].chosen is None
    response = sign_in(browser, device)
    assert response["Location"] == address(device)
    assert response.cookies[TABLETS.cookie(device.pk)]["max-age"]  # lives on
    assert "m.frei ist angemeldet" in browser.get(address(device)).content.decode()
    assert browser.post(address(device, "sign-out/"))["Location"] == address(device, "sign-in/")
    assert browser.get(address(device))["Location"] == address(device, "sign-in/")
    assert browser.post(address(device, "sign-out/")).status_code == 302


def test_next_time_his_name_and_pin_are_enough(browser: Client, device: Device, martina: Person) -> None:
    sign_in(browser, device)
    page = browser.get(address(device, "sign-in/"))
    assert page.context["names"].chosen == martina
    assert re.search(rf'value="{martina.pk}" required checked', page.content.decode())
    assert sign_in(browser, device, username="", person=martina.pk).status_code == 302


@each(
    "data",
    [
        {},
        {"person": "other", "username": "m.frei", "pin": "000001"},
        {"person": "other", "username": "n.iemand", "pin": PIN},
        {"person": "other", "username": "\0", "pin": "\0"},
        {"person": "nonsense", "username": "m.frei", "pin": ""},
        {"person": "other", "username": "x" * 50_000, "pin": "1" * 50_000},
    ],
)
def test_refused_sign_in_says_one_thing(browser: Client, device: Device, martina: Person, data) -> None:
    response = browser.post(address(device, "sign-in/"), data)
    assert (response.status_code, said(response)) == (200, "device.sign_in_refused")
    assert PIN not in response.content.decode()
    assert not DeviceSession.objects.exists()


def test_forged_sign_in_is_refused(tablet: tuple[Device, str], martina: Person) -> None:
    browser = browser_of(*tablet, client=Client(enforce_csrf_checks=True))
    assert sign_in(browser, tablet[0]).status_code == 403


# Beside the office
def test_office_session_is_nobody_on_the_tablet(
    tablet: tuple[Device, str], device: Device, house: House, martina: Person
) -> None:
    office = people.signed_in(people.make(house, "m.leitung", "manager"))
    browser = browser_of(*tablet, client=office)
    assert browser.get(address(device)).status_code == 302  # signed in at the office, not here
    sign_in(browser, device)
    assert browser.get("/home/manager/").context["user"].username == "m.leitung"
    assert "m.frei ist angemeldet" in browser.get(address(device)).content.decode()
    browser.post("/sign-out/")
    assert browser.get("/home/manager/").status_code == 302
    assert "m.frei ist angemeldet" in browser.get(address(device)).content.decode()  # other windows do not end it


def test_tablet_session_opens_nothing_at_the_office(browser: Client, device: Device, martina: Person) -> None:
    sign_in(browser, device)
    for page in ("/", "/home/croupier/", "/password/", "/pin/", "/devices/"):
        assert browser.get(page).status_code == 302
    assert settings.SESSION_COOKIE_NAME not in browser.cookies


def test_tablet_speaks_the_person_s_language_and_the_office_its_own(
    tablet: tuple[Device, str], device: Device, house: House, martina: Person
) -> None:
    manager = people.make(house, "m.leitung", "manager", language="fr")
    browser = browser_of(*tablet)
    people.sign_in(browser, manager)
    assert browser.get(address(device, "sign-in/"))["Content-Language"] == "de"
    sign_in(browser, device)
    browser.post(address(device, "language/"), {"language": "it"})
    martina.refresh_from_db()
    manager.refresh_from_db()
    assert (martina.language, manager.language) == ("it", "fr")
    assert browser.get(address(device))["Content-Language"] == "it"
    assert browser.get("/home/manager/")["Content-Language"] == "fr"
    browser.post(address(device, "language/"), {"language": "xx"})
    martina.refresh_from_db()
    assert martina.language == "it"


# The table
def test_page_of_a_closed_table_is_told_when_it_is_open(browser: Client, device: Device, martina: Person) -> None:
    sign_in(browser, device)
    page = browser.get(address(device)).content.decode()
    assert "Der Tisch ist geschlossen." in page
    assert browser.get(here := re.search(HERE, page)[1]).status_code == 204
    open_table(device.table, martina)
    assert browser.get(here).status_code == 205


def test_taking_the_table_over(browser: Client, device: Device, martina: Person, house: House) -> None:
    before = dealer(house, "r.caduff")
    session = open_table(device.table, before)
    sign_in(browser, device)
    page = browser.get(address(device)).content.decode()
    assert "Von Name r.caduff übernehmen" in page
    key = re.search(r'name="key" value="([^"]+)"', page)[1]
    run_once(
        key, request_fingerprint("nothing", martina.pk, {}), lambda: None
    )  # somebody else's key, that happens to be the same
    for _ in range(2):  # a double tap
        assert browser.post(address(device, "hand-over/"), {"key": key})["Location"] == address(device)
    session.refresh_from_db()
    assert session.croupier == martina
    assert browser.get(re.search(HERE, page)[1]).status_code == 205  # a page on which another still has it
    handed = HandOver.objects.get()
    assert (handed.from_croupier, handed.to_croupier, handed.by) == (before, martina, martina)
    page = browser.get(address(device)).content.decode()
    assert 'id="page"' in page  # the round
    assert "übernehmen" not in page


def test_who_still_has_another_open_table_is_asked(browser: Client, device: Device, martina: Person) -> None:
    """The page asks before he taps; a tap on a page of before is asked, too, and takes nothing."""
    session = open_table(device.table, dealer(device.house, "r.caduff"))
    sign_in(browser, device)
    before = browser.get(address(device)).content.decode()
    open_table(make_table(device.house, "UTH 2"), martina)
    key = {"key": str(uuid4())}
    asked = browser.post(address(device, "hand-over/"), key)
    assert said(asked) == "table.croupier_elsewhere"
    assert "m.frei hat UTH 2 noch." in asked.content.decode()
    for page, is_asked in ((before, False), (browser.get(address(device)).content.decode(), True)):
        assert ("Sie haben UTH 2 noch." in page, 'name="both"' in page) == (is_asked, is_asked)
    session.refresh_from_db()
    assert session.croupier != martina
    assert browser.post(address(device, "hand-over/"), key | {"both": "1"})["Location"] == address(device)
    session.refresh_from_db()
    assert session.croupier == martina


@each("key", ["", "x", "\0" * 20, "x" * 500])
def test_hand_over_with_a_broken_key_is_refused(browser: Client, device: Device, martina: Person, key: str) -> None:
    open_table(device.table, dealer(device.house, "r.caduff"))
    sign_in(browser, device)
    response = browser.post(address(device, "hand-over/"), {"key": key})
    assert said(response) == "text.refused"
    assert not HandOver.objects.exists()


def test_closed_table_is_not_handed_over(browser: Client, device: Device, martina: Person) -> None:
    sign_in(browser, device)
    assert said(browser.post(address(device, "hand-over/"), {"key": str(uuid4())})) == "table.closed"


def test_a_tablet_that_was_left_alone_does_nothing_before_the_pin(
    browser: Client, device: Device, martina: Person, house: House
) -> None:
    """It is marked once, commands nothing and takes no table, and goes on with the same sign-in after the right PIN."""
    session = open_table(device.table, martina)
    sign_in(browser, device)

    def command():
        headers = {"X-Saalchef-Device": str(device.pk), "Idempotency-Key": str(uuid4())}
        at = f"/api/tables/{device.table_id}/"
        assert browser.get(f"{at}surface/", headers=headers).status_code == 200
        return browser.post(f"{at}floor-call/", {"reason": ""}, content_type="application/json", headers=headers)

    for _ in range(2):
        assert browser.post(address(device, "idle/")).status_code == 204
    answer = command()
    assert (answer.status_code, answer.json()["code"]) == (401, "device.idle")
    TableSession.objects.filter(pk=session.pk).update(croupier=dealer(house, "r.caduff"))
    sign_in_page = address(device, "sign-in/")
    assert browser.post(address(device, "hand-over/"), {"key": str(uuid4())})["Location"] == sign_in_page
    assert browser.get(address(device))["Location"] == sign_in_page
    TableSession.objects.filter(pk=session.pk).update(croupier=martina)
    refused = browser.post(address(device, "wake/"), {"pin": "000001"})
    assert (refused.status_code, refused.json()["code"]) == (422, "pin.refused")
    assert command().status_code == 401
    assert browser.post(address(device, "wake/"), {"pin": PIN}).status_code == 204
    assert command().status_code == 200
    events = Event.objects.filter(name__in=["device.signed_in", "device.idle", "device.woken"]).order_by("at")
    assert [one.name for one in events] == ["device.signed_in", "device.idle", "device.woken"]


def unused_for(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    monkeypatch.setattr(alone, "unused_s", lambda _session: seconds)


def test_the_server_knows_that_a_tablet_was_left_alone(
    browser: Client, device: Device, martina: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a word of its page: after the posted ten minutes and five of grace it commands nothing, and no touch wakes it; while
    a round runs it does, and what was queued is taken. That it is used is written down once a minute.
    """
    session = open_table(device.table, martina)
    sign_in(browser, device)
    headers = {"X-Saalchef-Device": str(device.pk)}
    signed = DeviceSession.objects.get(ended_at=None)

    def post(path: str, body: dict[str, object]) -> tuple[int, str | None]:
        more = headers | {"Idempotency-Key": str(uuid4())}
        answer = browser.post(f"/api/tables/{device.table_id}/{path}/", body, "application/json", headers=more)
        return answer.status_code, answer.json().get("code")

    def command() -> tuple[int, str | None]:
        return post("floor-call", {"reason": ""})

    def used_at() -> object:
        signed.refresh_from_db()
        return signed.used_at

    idle = (401, "device.idle")
    for seconds, is_noted in ((59, False), (60, True), (900, True)):
        before = used_at()
        unused_for(monkeypatch, seconds)
        assert (command(), used_at() != before) == ((200, None), is_noted), seconds
    before = used_at()
    unused_for(monkeypatch, 901)
    for path in ("", "surface/"):
        reads = f"/api/tables/{device.table_id}/{path}" if path else address(device)
        assert browser.get(reads, headers=headers).status_code == 200
    there = {"house": device.house, "table": device.table, "session": session, "croupier": martina}
    runs = Round.objects.create(
        **there, id=uuid4(), number=1, state="locked", entry_level="fast", versions={}, lock_hash=b"0" * 32
    )
    assert (command(), signed.idle_at) == ((200, None), None)
    Round.objects.filter(pk=runs.pk).update(state="reopened", ended_at=Now())
    assert command() == idle
    assert DeviceSession.objects.get(pk=signed.pk, ended_at=None).idle_at is not None
    offline = {"round": str(uuid4()), "stakes": [], "result": {"boxes": {}}}
    assert post("queued-rounds", {"rounds": [offline]}) == (200, None)
    hand = {"dealt": [str(uuid4()), str(uuid4())]}
    assert post(f"hands/{uuid4()}/end", hand) == idle
    assert post(f"hands/{uuid4()}/end", hand | {"queued": True}) == (422, "poker.no_stacks")
    monkeypatch.undo()
    assert (command(), browser.post(address(device, "touched/")).status_code) == (idle, 401)
    assert browser.post(address(device, "wake/"), {"pin": PIN}).status_code == 204
    assert (command(), browser.post(address(device, "touched/")).status_code) == ((200, None), 204)
    log = Event.objects.filter(name__in=["device.idle", "device.woken"]).order_by("pk")
    assert [(event.name, event.actor_id) for event in log] == [
        ("device.idle", martina.pk),
        ("device.woken", martina.pk),
    ]


def test_a_tablet_is_left_alone_by_the_clock_that_wrote_when_it_was_used(
    browser: Client, device: Device, martina: Person
) -> None:
    """The web server's may be another: no PIN would ever open the tablet for more than a moment."""
    open_table(device.table, martina)
    sign_in(browser, device)
    headers = {"X-Saalchef-Device": str(device.pk), "Idempotency-Key": str(uuid4())}
    for hours in (-1, 1):
        with time_machine.travel(timezone.now() + timedelta(hours=hours)):
            assert browser.post(address(device, "touched/")).status_code == 204
            path = f"/api/tables/{device.table_id}/floor-call/"
            assert browser.post(path, {"reason": ""}, "application/json", headers=headers).status_code == 200


def test_who_has_not_the_table_takes_none_long_after_he_signed_in(
    browser: Client, device: Device, martina: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page watches there whether the tablet is touched: the sign-in itself is good for so long. Of a closed table by default."""
    sign_in(browser, device)
    for seconds, stands in ((600, address(device)), (601, address(device, "sign-in/"))):
        monkeypatch.setattr(signin, "signed_in_s", lambda _session, seconds=seconds: seconds)
        shown = browser.get(address(device), follow=True)
        assert shown.request["PATH_INFO"] == stands
    sign_in(browser, device)
    open_table(device.table, dealer(house, "r.caduff"))
    answer = browser.post(address(device, "hand-over/"), {"key": str(uuid4())})
    assert (answer["Location"], HandOver.objects.count()) == (address(device, "sign-in/"), 0)
    assert DeviceSession.objects.get(ended_at=None).idle_at is not None
    monkeypatch.undo()
    sign_in(browser, device)
    assert browser.post(address(device, "hand-over/"), {"key": str(uuid4())})["Location"] == address(device)
    assert HandOver.objects.count() == 1
    page = browser.get(address(device))
    assert 0 < page.context["page"]["signed_in_s"] < 60


def test_nobody_signed_in_takes_no_table(browser: Client, device: Device, martina: Person) -> None:
    open_table(device.table, martina)
    response = browser.post(address(device, "hand-over/"), {"key": str(uuid4())})
    assert response["Location"] == address(device, "sign-in/")
    assert not Event.objects.filter(name="table.handed_over").exists()


# Demo
def test_demo_browser_becomes_a_tablet_with_one_tap(settings, db: None, client: Client) -> None:
    settings.DEMO = True
    demo_load()
    page = client.get("/tablet/enrol/")
    table = page.context["demo_places"][0]
    other = Client()
    addresses = [one.post("/tablet/demo/", {"table": str(table.pk)})["Location"] for one in (client, other)]
    assert len(set(addresses)) == 2
    for one, there in zip((client, other), addresses, strict=True):  # neither turned the other out
        shown = one.get(f"{there}sign-in/").context["demo_pins"]
        assert [person.username for person in shown] == [
            "m.frei",
            "n.egli",
            "l.moretti",
            "p.gerber",
            "d.kunz",
            "v.roth",
            "r.caduff",
            "e.hunziker",
        ]
        data = {"person": "other", "username": shown[0].username, "pin": shown[0].pin}
        assert one.post(f"{there}sign-in/", data)["Location"] == there


@each("table", ["", "nonsense", "00000000-0000-4000-8000-000000000000"])
def test_demo_table_that_there_is_not(settings, db: None, client: Client, table: str) -> None:
    settings.DEMO = True
    demo_load()
    assert client.post("/tablet/demo/", {"table": table}).status_code == 404


def test_outside_demo_mode_there_is_nothing_of_it(tablet, device: Device, martina: Person) -> None:
    browser = browser_of(*tablet)
    assert browser.post("/tablet/demo/", {"table": str(device.table_id)}).status_code == 404
    assert not browser.get("/tablet/enrol/").context["demo_places"]
    assert browser.get(address(device, "sign-in/")).context["demo_pins"] == []
    with pytest.raises(DemoRefused):
        demo_tablet(place_id=device.table_id)


# Another transaction holds what is needed
@pytest.mark.parametrize(
    ("accept", "kind"), [("text/html", "text/html"), ("application/json", "application/problem+json")]
)
def test_a_lock_that_is_not_given_in_time_is_no_fault(own_database: str, accept: str, kind: str) -> None:
    table = make_table(make_house())
    device, token = enrol(table, dealer(table.house, "p.boss", "pit_boss"))
    dealer(table.house, "m.frei")
    browser = browser_of(device, token)
    browser.raise_request_exception = False
    data = {"person": "other", "username": "m.frei", "pin": PIN}
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with superuser() as other, other.transaction():
        other.execute("SELECT FROM casino_device WHERE id = %s FOR UPDATE", [device.pk])
        answer = browser.post(address(device, "sign-in/"), data, headers={"Accept": accept, "Accept-Language": "en"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer["Content-Type"].startswith(kind)
    assert "The books are busy at the moment." in answer.content.decode()
    assert not DeviceSession.objects.exists()
    assert browser.post(address(device, "sign-in/"), data).status_code == 302
    assert DeviceSession.objects.count() == 1
