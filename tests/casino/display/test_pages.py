"""What a display asks and tells: its page, its signs of life, the confirmation of a gate; and everything that is refused to it."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from casino.devices.kinds import DISPLAYS
from casino.devices.models import Device
from casino.devices.services import device_code_make
from casino.display import views
from jackpot.services import display_add_request
from payouts.models import Event, House
from tests.databases import superuser
from tests.floor import done
from tests.screens import Screen, Shown
from tests.worlds import world

STRANGE = "6e0c1e4e-6c4b-4f8e-9a53-0f3d4f6f4c11"


pytestmark = [world(Shown), pytest.mark.usefixtures("own_database")]


@pytest.fixture(autouse=True)
def _no_posts(settings: Any) -> None:
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    views._brake._posts.clear()


def code(response) -> tuple[int, str]:
    assert response["Content-Type"] == "application/problem+json"
    assert "no-store" in response["Cache-Control"]
    return response.status_code, response.json()["code"]


# Becoming a display
def test_a_typed_code_makes_the_browser_a_display(floor: Shown) -> None:
    _, text = device_code_make(kind="display", place_id=floor.jackpot.pk, name="Bar", by=floor.tim)
    browser = Client()
    assert browser.get("/display/")["Location"] == "/display/enrol/"
    refused = browser.post("/display/enrol/", {"code": "abcd-efgh"})
    assert 'role="alert"' in refused.content.decode()
    assert not [name for name in browser.cookies if name.startswith(DISPLAYS.prefix)]
    response = browser.post("/display/enrol/", {"code": text})
    device = Device.objects.get(name="Bar")
    cookie = response.cookies[DISPLAYS.cookie(device.pk)]
    assert (cookie["httponly"], cookie["samesite"], response["Location"]) == (True, "Strict", f"/display/{device.pk}/")
    assert browser.get("/display/")["Location"] == f"/display/{device.pk}/"
    page = browser.get(f"/display/{device.pk}/")
    assert page.status_code == 200
    assert cookie.value not in page.content.decode()


def test_a_browser_with_two_displays_is_asked_which(floor: Shown) -> None:
    first, second = floor.screens[0], floor.enrol("Bar")
    first.client.cookies[DISPLAYS.cookie(second.device.pk)] = second.token
    page = first.client.get("/display/").content.decode()
    assert f"/display/{first.device.pk}/" in page
    assert f"/display/{second.device.pk}/" in page


def test_a_revoked_display_is_turned_away_everywhere(floor: Shown) -> None:
    screen = floor.screens[0]
    floor.revoke(screen)
    page = screen.get()
    assert page.status_code == 403
    assert page.cookies[DISPLAYS.cookie(screen.device.pk)].value == ""
    screen.client.cookies[DISPLAYS.cookie(screen.device.pk)] = screen.token
    for answer in (screen.get("now/"), screen.alive(), screen.post("confirm/", {})):
        assert code(answer) == (401, "device.not_enrolled")
    assert screen.client.get("/display/")["Location"] == "/display/enrol/"


def test_there_is_no_demo_outside_the_demo(floor: Shown) -> None:
    assert Client().post("/display/demo/", {"jackpot": str(floor.jackpot.pk)}).status_code == 404
    assert str(floor.jackpot.pk) not in Client().get("/display/enrol/").content.decode()


# The page
def test_page_holds_the_first_snapshot_and_no_inline_code(floor: Shown) -> None:
    page = floor.screens[0].get()
    text = page.content.decode()
    assert '"text": "10\\u2019000.00"' in text
    assert page["Cache-Control"].startswith("max-age=0")
    policy = page["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert " style=" not in text
    assert " onclick" not in text


@pytest.mark.parametrize("demo", [True, False])
def test_in_a_demo_house_every_frame_says_test(floor: Shown, settings, demo: bool) -> None:
    settings.DEMO = demo
    text = floor.screens[0].get().content.decode()
    assert ('<p class="test" aria-hidden="true">TEST</p>' in text) is demo


@pytest.mark.parametrize(
    ("locale", "word", "decimals"), [("fr-CH", "Félicitations", 2), ("it-CH", "Congratulazioni", 2)]
)
def test_page_speaks_the_language_of_the_house(floor: Shown, locale: str, word: str, decimals: int) -> None:
    with superuser() as link:  # a house's locale is set when it opens
        link.execute("UPDATE payouts_house SET locale = %s WHERE id = %s", [locale, floor.house.pk])
    assert House.objects.get().locale == locale
    text = floor.screens[0].get(**{"Accept-Language": "en"}).content.decode()
    assert f'<html lang="{locale[:2]}"' in text
    assert word in text
    assert f'"decimals": {decimals}' in text


def test_now_is_what_sockets_are_told(floor: Shown) -> None:
    answer = floor.screens[0].get("now/")
    told = answer.json()
    assert (told["type"], told["jackpot"], told["phase"]) == ("jackpot", str(floor.jackpot.pk), "open")
    assert told["tables"] == ["UTH 1", "UTH 2"]
    assert "no-store" in answer["Cache-Control"]


# Whose post it is
@pytest.mark.parametrize("page", ["alive/", "confirm/"])
def test_posts_of_other_pages_are_refused(floor: Shown, page: str) -> None:
    screen = floor.screens[0]
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"X-Saalchef-Device": ""},
        {"X-Saalchef-Device": STRANGE},
    ):
        assert code(screen.post(page, {}, **headers)) == (403, "device.foreign_page")
    form = screen.client.post(f"/display/{screen.device.pk}/{page}", {"session": STRANGE})
    assert code(form) == (403, "device.foreign_page")
    assert screen.get(page).status_code == 405


def test_csrf_checks_do_not_stand_in_the_way_of_the_page(floor: Shown) -> None:
    """A real browser's post, which carries no token: Django's own check is on here, unlike in other tests."""
    screen = floor.screens[0]
    screen.client = Client(enforce_csrf_checks=True)
    screen.client.cookies[DISPLAYS.cookie(screen.device.pk)] = screen.token
    assert screen.alive().json() == {"state": "live"}


WRONG = [
    (" ", "request.parse_error"),
    ("[]", "request.not_an_object"),
    ('{"session": 1', "request.parse_error"),
    ("{}", "request.field_missing"),
    ({"session": "x"}, "request.field_wrong"),
    ({"session": STRANGE, "shown": "1" * 31, "version": 0}, "text.refused"),
    ({"session": STRANGE, "shown": 1, "version": 0}, "text.refused"),
    ({"session": STRANGE, "shown": "", "version": -1}, "request.field_wrong"),
    ({"session": STRANGE, "shown": "", "version": "1"}, "request.field_wrong"),
    ({"session": STRANGE, "shown": "", "version": 0, "more": 1}, "request.field_unknown"),
    (json.dumps({"session": "x" * 3000}), "request.too_large"),
]


@pytest.mark.parametrize(("body", "refused"), WRONG, ids=[f"{n}-{code}" for n, (_, code) in enumerate(WRONG)])
def test_what_no_page_sends_is_refused(floor: Shown, body: object, refused: str) -> None:
    status, found = code(floor.screens[0].post("alive/", body))
    assert found == refused
    assert status in (400, 413)


def test_a_page_gone_wild_is_held_up_and_only_it(floor: Shown) -> None:
    screen, other = floor.screens[0], floor.enrol("Bar")
    answers = [screen.alive() for _ in range(views.OFTEN + 1)]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert code(answers[-1]) == (429, "display.too_often")
    assert answers[-1]["Retry-After"] == "2"
    assert other.alive().status_code == 200


# Signs of life
def test_a_second_session_is_refused_and_told_once(floor: Shown) -> None:
    screen = floor.screens[0]
    assert screen.alive().json() == {"state": "live"}
    copy = Screen(screen.device, screen.token)
    for _ in range(3):
        assert code(copy.alive()) == (409, "display.session_taken")
    told = Event.objects.get(name="display.second_session")
    assert (told.subject_id, told.after["session"]) == (str(screen.device.pk), str(copy.session))
    assert screen.alive().status_code == 200
    third = Screen(screen.device, screen.token)
    third.alive()
    assert Event.objects.filter(name="display.second_session").count() == 2


# The gate
@world(Shown, screens=2)
def test_the_gate_opens_when_every_display_shows_the_value(floor: Shown, own_database: str) -> None:
    floor.won(0)
    first, second = floor.screens
    first.alive()
    second.alive()
    assert first.confirm().json() == {"gate": 1, "state": "confirmed", "waiting": 1}
    assert first.confirm().json()["state"] == "confirmed"  # repeated
    assert floor.advance() == "showing"
    assert second.confirm().json()["waiting"] == 0
    assert floor.advance() == "open"
    assert floor.states() == ["confirmed", "confirmed"]


REFUSED = {
    "gate.value_wrong": {"shown": "10’000.10"},
    "gate.nonce_wrong": {"nonce": "0" * 32},
    "gate.version_wrong": {"version": 7},
    "gate.unknown": {"gate": 99},
    "display.session_taken": {"session": str(uuid4())},
}


@pytest.mark.parametrize("refused", REFUSED)
def test_every_refusal_of_the_gate_reaches_the_page(floor: Shown, refused: str) -> None:
    floor.won(0)
    screen = floor.screens[0]
    screen.alive()
    assert code(screen.confirm(**REFUSED[refused]))[1] == refused
    assert floor.states() == ["waiting"]
    assert floor.advance() == "showing"
    assert screen.confirm().status_code == 200  # and the honest answer is taken after all


def test_who_was_never_heard_or_is_not_asked_cannot_confirm(floor: Shown) -> None:
    floor.won(0)
    assert code(floor.screens[0].confirm())[1] == "display.session_over"
    other = floor.enrol("Bar")
    other.alive()
    assert code(other.confirm())[1] == "gate.display_unknown"
    assert floor.states() == ["waiting"]


def test_an_old_gate_is_over(floor: Shown) -> None:
    floor.won(0)
    screen = floor.screens[0]
    screen.alive()
    old = screen.get("now/").json()
    assert screen.confirm().status_code == 200
    assert floor.advance() == "open"
    floor.won(1)
    gate = old["gate"]
    stale = {"gate": gate["number"], "nonce": gate["nonce"], "version": gate["version"], "shown": old["text"]}
    again = screen.post("confirm/", {"session": str(screen.session)} | stale)
    assert again.json()["gate"] == 1  # it was confirmed once: the same answer, and nothing opens
    assert floor.states() == ["waiting"]
    mixed = screen.confirm(gate=gate["number"])  # the old gate's number with the new one's nonce
    assert code(mixed)[1] == "gate.nonce_wrong"
    assert floor.advance() == "showing"


def test_a_new_amount_makes_a_new_gate_and_the_old_one_is_over(floor: Shown) -> None:
    """A display added to an open gate: whoever confirms the lapsed one is told so."""
    floor.won(0)
    screen = floor.screens[0]
    screen.alive()
    old = screen.get("now/").json()["gate"]
    more = floor.enrol("Bar")
    add(floor, more)
    answer = screen.confirm(gate=old["number"], nonce=old["nonce"], version=old["version"])
    assert code(answer) == (409, "gate.over")
    assert floor.states() == ["waiting", "waiting"]


def add(floor: Shown, screen: Screen) -> None:
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "display_id": screen.device.pk}
    asked = done(display_add_request, **ids, name=screen.device.name, person_id=floor.tim.pk)
    floor.sign(asked, floor.reto)
