"""Each role lands on its own screen, and its start page says what waits for it: nothing that is not its own, nothing forgotten."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.ops.models import AuditRun
from casino.people.models import Person
from casino.people.roles import CODES
from casino.pit.alerts import Alert
from payouts.models import Approval, House
from tables.services import table_create
from tests.browser.posted import posted
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.cast import make_house
from tests.floor import POSTED, done, taps
from tests.floor import stakes_for as stakes
from tests.jackpot.linked import Linked, dull, royal
from tests.turns import each
from tests.watched import watched
from tests.worlds import world

LANDINGS = {"pit_boss": "/pit/", "surveillance": "/pit/", "auditor": "/audit/"}


@pytest.fixture(autouse=True)
def worker(db: None) -> None:
    watched()


def said(client: Client, role: str) -> str:
    response = client.get(f"/home/{role}/", headers={"accept-language": "en"})
    assert response.status_code == 200
    return words(response.content.decode())


@each("role", CODES)
def test_each_role_lands_on_its_own_screen(house: House, role: str) -> None:
    client = people.signed_in(people.make(house, "x.y", role))
    response = client.get("/", follow=True)
    assert response.redirect_chain == [(LANDINGS.get(role, f"/home/{role}/"), 302)]
    assert response.status_code == 200


def test_who_is_of_no_house_among_several_lands_where_something_is(chief: Person, house: House) -> None:
    make_house("Casino Wiesbaden", "EUR")
    client = people.signed_in(chief)
    assert client.get("/", follow=True).redirect_chain == [("/home/manager/", 302)]
    assert "What waits" not in said(client, "manager")


def test_pit_leads_back_to_the_start_page_of_each_role(house: House) -> None:
    page = people.signed_in(people.make(house, "x.y", "pit_boss", "cage")).get("/pit/").content.decode()
    assert 'href="/home/pit_boss/"' in page
    assert 'href="/home/cage/"' in page


@world(FloorDesk)
def test_manager_sees_alerts_requests_and_the_day(desk: FloorDesk) -> None:
    assert "Nothing waits for you." in said(desk.clients["manager"], "manager")
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    guests = desk.open()[:1]
    desk.settle(desk.lock(stakes(guests))["id"], taps(b1={"play": 4, "result": "lose"}))
    data = {"table": str(desk.table.pk), "since": "2026-11-21T22:14:05+00:00"}
    Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=data)
    Alert.objects.create(house=desk.house, kind="audit_failing", subject="y", data=data | {"audits": ["entries_sum"]})
    page = said(desk.clients["manager"], "manager")
    assert page.index("The books do not agree") < page.index("Tablet offline")  # the worst first
    assert "Open tables 1 / 2" in page
    assert "Rounds today 1" in page
    assert "Books agree" in page


def test_request_waits_for_who_may_sign_it_and_for_nobody_else(house: House) -> None:
    asked = posted(house)["requested"]
    manager = people.signed_in(people.make(house, "l.a", "manager"))
    page = manager.get("/home/manager/", headers={"accept-language": "en"}).content.decode()
    assert "Release of a posted table" in page
    assert f"/posted-tables/{asked.pk}/" in page
    writer = Approval.objects.get(subject_id=str(asked.pk)).requester
    assert "Nothing waits for you." in said(people.signed_in(writer), "technician")


@world(Linked)
def test_cage_sees_the_slips_that_are_to_be_paid(linked: Linked) -> None:
    cage = people.signed_in(people.make(linked.house, "k.asse", "cage"))
    assert "Slips to be paid 0" in said(cage, "cage")
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal("h"))
    linked.end(1, second, dull())
    linked.advance()
    linked.verify_all()
    linked.approve()
    page = said(cage, "cage")
    assert "Slips to be paid 1" in page
    assert "Slip 1 · CHF 10’002.00" in page
    assert "UTH 1, Box 1" in page
    assert "Open tables" not in page  # the floor is none of its business


@world(FloorDesk)
def test_croupier_is_told_where_he_deals_and_that_a_pin_is_missing(desk: FloorDesk) -> None:
    croupier = desk.people["croupier"]
    assert "You deal at no table now." in said(desk.clients["croupier"], "croupier")
    assert "You have no PIN yet" in said(desk.clients["croupier"], "croupier")
    desk.open(desk.table, croupier)
    desk.pin("croupier")
    page = said(desk.clients["croupier"], "croupier")
    assert "UTH 1 You are its croupier." in page
    assert "You have no PIN yet" not in page


@world(FloorDesk)
def test_as_many_statements_for_six_tables_as_for_two(desk: FloorDesk) -> None:
    counted = []
    for last in (2, 6):
        for number in range(3, last + 1):
            values = {"pit_id": desk.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED, "position": number}
            done(table_create, house_id=desk.house.pk, **values, name=f"UTH {number}")
        said(desk.clients["manager"], "manager")
        with CaptureQueriesContext(connection) as statements:
            said(desk.clients["manager"], "manager")
        counted.append(len(statements))
    assert counted[0] == counted[1]


# Errors and apps
def test_closed_page_says_to_whom_it_opens(house: House) -> None:
    client = people.signed_in(people.make(house, "x.y", "cage"))
    for address, roles in (
        ("/pit/", "Pit boss · Auditor · Surveillance · Technician · Manager"),
        ("/devices/", "Pit boss · Technician · Manager"),
        ("/floor/set-up/", "Technician"),
    ):
        response = client.get(address, headers={"accept-language": "en"})
        assert response.status_code == 403
        assert f"It opens to {roles} To the start page" in words(response.content.decode())


@each("screen", ["tablet", "display", "pit"])
def test_each_kind_of_screen_has_a_manifest_in_the_language_of_who_asks(client: Client, db: None, screen: str) -> None:
    response = client.get(f"/manifest/{screen}/", headers={"accept-language": "fr"})
    told = json.loads(response.content)
    assert response["Content-Type"] == "application/manifest+json"
    assert "public" in response["Cache-Control"]
    assert told["lang"] == "fr"
    assert told["start_url"] == {"tablet": "/tablet/", "display": "/display/", "pit": "/"}[screen]
    assert told["display"] == ("standalone" if screen == "pit" else "fullscreen")
    assert {icon["sizes"] for icon in told["icons"]} == {"any", "192x192", "512x512"}


def test_pages_name_the_manifest_of_their_screen(client: Client, person: Person) -> None:
    for address, screen in (("/sign-in/", "pit"), ("/tablet/enrol/", "tablet"), ("/display/enrol/", "display")):
        assert f'rel="manifest" href="/manifest/{screen}/"' in client.get(address).content.decode()
    assert client.get("/manifest/nothing/").status_code == 404
    assert client.get("/favicon.ico")["Location"].endswith("favicon.ico")
