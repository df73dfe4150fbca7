"""Who calls the API from a table: two ways in, and nothing forged."""

import pytest
from django.contrib.auth.decorators import login_not_required
from django.test import Client
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import urls as project
from casino.devices.api import DeviceAuthentication, FeedAuthentication
from casino.devices.services import device_revoke
from casino.devices.signin import device_sign_in
from casino.people.deny import DenyAll
from casino.people.models import Person
from payouts.models import House
from tables.models import Table
from tests.casino.devices.devices import PIN, browser_of, enrol, feed, make_table
from tests.casino.people import people
from tests.turns import each


class Anybody(DenyAll):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return True


class Who(APIView):
    authentication_classes = [DeviceAuthentication, FeedAuthentication]
    permission_classes = [Anybody]

    def post(self, request: Request) -> Response:
        """Tell who asks."""
        return Response(
            {"person": str(request.user.pk) if request.user else None, "device": str(request.auth and request.auth.pk)}
        )


class Api:
    """The project's addresses and one of the API."""

    urlpatterns = [*project.urlpatterns, path("api/who/", login_not_required(Who.as_view()))]


@pytest.fixture(autouse=True)
def _api(settings) -> None:
    settings.ROOT_URLCONF = Api


def ask(client: Client, device: object = None, **headers: str):
    named = {"X-Saalchef-Device": str(device)} if device is not None else {}
    return client.post("/api/who/", {}, content_type="application/json", headers=named | headers)


def code(response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def test_person_signed_in_on_the_tablet(tablet, martina: Person, django_assert_num_queries) -> None:
    device = tablet[0]
    device_sign_in(device=device, username="m.frei", pin=PIN)
    browser = browser_of(*tablet, client=Client(enforce_csrf_checks=True))
    ask(browser, device.pk)  # writes that it was seen
    with django_assert_num_queries(1):
        response = ask(browser, device.pk)
    assert response.json() == {"person": str(martina.pk), "device": str(device.pk)}


def test_call_without_the_header_is_nobody_s(tablet, martina: Person) -> None:
    """The cookie goes along with whatever the browser sends; a form or a foreign page cannot set the header."""
    device_sign_in(device=tablet[0], username="m.frei", pin=PIN)
    assert ask(browser_of(*tablet)).json() == {"person": None, "device": "None"}


@each("site", ["cross-site", "same-site", "none", "nonsense"])
def test_call_from_a_foreign_page_is_refused(tablet, martina: Person, site: str) -> None:
    device_sign_in(device=tablet[0], username="m.frei", pin=PIN)
    response = ask(browser_of(*tablet), tablet[0].pk, **{"Sec-Fetch-Site": site})
    assert code(response) == (403, "device.foreign_page")
    assert ask(browser_of(*tablet), tablet[0].pk, **{"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_nobody_signed_in(tablet) -> None:
    assert code(ask(browser_of(*tablet), tablet[0].pk)) == (401, "device.sign_in_required")


@each("named", ["", "nonsense", "00000000-0000-4000-8000-000000000000", "x" * 5000])
def test_device_that_there_is_not(tablet, named: str) -> None:
    assert code(ask(browser_of(*tablet), named)) == (401, "device.not_enrolled")


def test_another_table_s_tablet_and_a_revoked_one(tablet, house: House, boss: Person, martina: Person) -> None:
    other = enrol(make_table(house, "UTH 2"), boss)
    device_sign_in(device=other[0], username="m.frei", pin=PIN)
    assert code(ask(browser_of(*tablet), other[0].pk)) == (401, "device.not_enrolled")
    assert ask(browser_of(*other), other[0].pk).status_code == 200
    device_revoke(device_id=other[0].pk, reason="lost", by=boss)
    assert code(ask(browser_of(*other), other[0].pk)) == (401, "device.not_enrolled")


def test_office_session_counts_for_nothing_here(tablet, martina: Person, boss: Person) -> None:
    device_sign_in(device=tablet[0], username="m.frei", pin=PIN)
    browser = browser_of(*tablet, client=people.signed_in(boss))
    assert ask(browser, tablet[0].pk).json()["person"] == str(martina.pk)
    assert ask(browser).json()["person"] is None


def test_feed_bears_its_token(table: Table, boss: Person, tablet) -> None:
    device, token = feed(table, boss)
    assert ask(Client(), Authorization=f"Bearer {token}").json() == {"person": None, "device": str(device.pk)}
    assert ask(Client(), Authorization=f"bearer  {token} ").json()["device"] == str(device.pk)
    for header in ("Bearer", "Bearer ", "Bearer x", f"Bearer {tablet[1]}", "Bearer ä\x80"):
        response = ask(Client(), Authorization=header)
        assert code(response) == (401, "device.not_enrolled")
    assert ask(Client(), Authorization=f"Basic {token}").json() == {"person": None, "device": "None"}
    device_revoke(device_id=device.pk, reason="lost", by=boss)
    assert code(ask(Client(), Authorization=f"Bearer {token}")) == (401, "device.not_enrolled")


def test_schema_names_both_ways_in(settings) -> None:
    schema = SchemaGenerator(patterns=[path("api/who/", Who.as_view())]).get_schema(request=None, public=True)
    assert schema["components"]["securitySchemes"].keys() == {"tablet", "feed"}
    assert schema["paths"]["/api/who/"]["post"]["security"] == [{"tablet": []}, {"feed": []}]


def test_refusal_speaks_the_language_of_who_is_signed_in_at_the_table(tablet, martina: Person, house: House) -> None:
    Person.objects.filter(pk=martina.pk).update(language="it")
    device_sign_in(device=tablet[0], username="m.frei", pin=PIN)
    office = people.signed_in(people.make(house, "m.leitung", "manager", language="fr"))
    assert ask(browser_of(*tablet, client=office), tablet[0].pk)["Content-Language"] == "it"
