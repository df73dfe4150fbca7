"""The demo house's own display: its tables wait for it from the beginning, and one tap makes any browser that display."""

from uuid import UUID

import pytest
from django.test import Client

from casino.demo import people as demo
from casino.demo.display import OWN
from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol, device_revoke
from casino.people.models import Person
from casino.pit.alerts import alerts_derive
from casino.pit.models import Alert
from jackpot.models import DisplaySession, Jackpot, RequiredDisplay
from jackpot.services import display_heard, display_require
from tests.casino.pit.clocks import later
from tests.databases import superuser
from tests.floor import done


@pytest.fixture
def demo_on(settings, own_database: str) -> None:
    settings.DEMO = True
    demo.demo_load()


def waited_for() -> list[UUID]:
    return list(RequiredDisplay.objects.filter(ended_at=None).values_list("display_id", flat=True))


def tap(browser: Client) -> UUID:
    """Become a display with one tap; gives its id."""
    answer = browser.post("/display/demo/", {"jackpot": str(Jackpot.objects.get().pk)})
    device = UUID(answer["Location"].split("/")[2])
    assert browser.get(answer["Location"]).status_code == 200
    return device


def heard(display: UUID) -> None:
    """It is shown somewhere."""
    jackpot = Jackpot.objects.get()
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "display_id": display, "session_id": display}
    done(display_heard, **ids)


def dark() -> None:
    """Whoever showed it has shut it."""
    with superuser() as link:
        link.execute("UPDATE jackpot_displaysession SET seen_at = seen_at - interval '1 minute'")
    assert DisplaySession.objects.exists()


def test_a_fresh_house_has_a_display_that_its_tables_wait_for(demo_on: None) -> None:
    [own] = Device.objects.filter(kind="display")
    assert (own.name, waited_for()) == (OWN, [own.pk])
    demo.demo_load()
    assert (Device.objects.get(kind="display"), waited_for()) == (own, [own.pk])


def test_a_fresh_house_begins_without_an_alert(demo_on: None) -> None:
    with later(3_600):
        alerts_derive()
    assert list(Alert.objects.values_list("kind", flat=True)) == []


def test_one_tap_makes_a_browser_the_display_that_is_waited_for_and_no_second_one_beside_it(demo_on: None) -> None:
    own, first, second = waited_for()[0], Client(), Client()
    assert tap(first) == own
    heard(own)
    other = tap(second)
    assert other != own
    assert waited_for() == [own]
    assert second.get("/display/")["Location"] == f"/display/{other}/"
    dark()
    assert (
        second.get("/display/")["Location"] == "/display/enrol/"
    )  # what it shows opens no table; there it may become the other
    assert first.get("/display/")["Location"] == f"/display/{own}/"
    assert tap(second) == own
    assert (
        first.get(f"/display/{own}/").status_code == 200
    )  # nobody was turned out: it is one display, wherever it is shown


def test_its_name_in_other_hands_is_no_way_in(demo_on: None) -> None:
    """Somebody enrols a display of his own under that name: its token is nobody's but his."""
    own, tim = waited_for()[0], Person.objects.get(username="a.gantenbein")
    _, code = device_code_make(kind="display", place_id=Jackpot.objects.get().pk, name=OWN, by=tim)
    theirs, _token = device_enrol(kind="display", code=code)
    assert tap(Client()) not in (own, theirs.pk)


def test_what_was_revoked_is_replaced_at_the_next_start_but_not_beside_another(demo_on: None) -> None:
    own, jackpot, tim = waited_for()[0], Jackpot.objects.get(), Person.objects.get(username="a.gantenbein")
    device_revoke(device_id=own, reason="broken", by=tim)
    browser = Client()
    other = tap(browser)
    assert other != own
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "display_id": other}
    done(display_require, **ids, name="Another", actor_id=tim.pk)
    demo.demo_load()
    assert not Device.objects.filter(name=OWN, revoked_at=None).exists()
    device_revoke(device_id=other, reason="broken", by=tim)
    demo.demo_load()
    again = Device.objects.get(name=OWN, revoked_at=None)
    assert again.pk in waited_for()
    assert tap(Client()) == again.pk


def test_outside_the_demo_there_is_none(demo_on: None, settings) -> None:
    own = Device.objects.get(kind="display")
    settings.DEMO = False
    assert Client().post("/display/demo/", {"jackpot": str(own.jackpot_id)}).status_code == 404
    assert "display-demo" not in Client().get("/display/enrol/").content.decode()
    assert Client().get("/display/")["Location"] == "/display/enrol/"
