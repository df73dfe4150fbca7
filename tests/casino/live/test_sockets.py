"""Sockets of a real web process: who is let in, what he is told, when he is shown out."""

import json
from uuid import uuid4

import pytest
from django.test import Client
from websockets.exceptions import InvalidStatus

from casino.devices.services import device_revoke
from casino.people.models import Person
from tables.models import Guest
from tests.casino.live.conftest import web_process
from tests.casino.live.places import closed_with, idle, next_of, until
from tests.casino.people import people


def test_display_is_told_all_at_once_and_then_what_changes(place, connect):
    device, cookies = place.display()
    socket = connect(f"/ws/display/?device={device.pk}", cookies)
    first = next_of(socket)
    assert (first["jackpot"], first["phase"], first["currency"]) == (str(place.jackpot.pk), "open", "CHF")
    assert first["ladder"][0] == {"hand": "royal_flush", "on_board": False, "amount_minor": None, "text": "100\u00a0%"}
    amount = place.coin()
    told = until(socket, lambda told: told.get("text") == amount)
    assert told["version"] > first["version"]
    assert told["at"] > first["at"]


def test_second_socket_is_told_without_a_read(place, web_by_hints):
    """The process reads by itself only every ten minutes."""
    device, cookies = place.display("Bar")
    address = f"/ws/display/?device={device.pk}"
    with web_by_hints.socket(address, cookies) as one:
        first = next_of(one)
        with web_by_hints.socket(address, cookies) as other:
            assert next_of(other)["version"] >= first["version"]


def test_tablet_and_pit_are_told_no_nonce_and_nobody_is_told_a_guest(place, connect):
    tablet, cookies = place.tablet()
    display, of_display = place.display("Halle")
    sockets = {
        "tablet": connect(f"/ws/tablet/?device={tablet.pk}", cookies),
        "pit": connect("/ws/pit/", place.session(place.boss)),
        "display": connect(f"/ws/display/?device={display.pk}", of_display),
    }
    texts = {feed: json.dumps(next_of(socket)) for feed, socket in sockets.items()}
    for feed in ("tablet", "pit"):
        assert json.loads(texts[feed])["gate"] is None
        assert "nonce" not in texts[feed]
    guests = [str(pk) for pk in Guest.objects.values_list("pk", flat=True)]
    assert guests
    assert not [guest for guest in guests for text in texts.values() if guest in text]


def test_heartbeats_say_that_all_is_fresh(place, connect):
    device, cookies = place.display("Foyer")
    socket = connect(f"/ws/display/?device={device.pk}", cookies)
    beats = [next_of(socket, "heartbeat") for _ in range(3)]
    assert [beat["stale"] for beat in beats] == [False] * 3
    assert beats[0]["at"] < beats[1]["at"] < beats[2]["at"]


def test_each_house_sees_its_own_jackpots(place, connect):
    own, other = str(place.jackpot.pk), str(place.away.jackpot.pk)
    cookies = place.session(place.boss)
    assert next_of(connect("/ws/pit/", cookies))["jackpot"] == own
    assert next_of(connect(f"/ws/pit/?jackpot={own}", cookies))["jackpot"] == own
    for unknown in (other, uuid4(), "x", ""):
        assert closed_with(connect(f"/ws/pit/?jackpot={unknown}", cookies)) == 4404, unknown
    everywhere = connect("/ws/pit/", place.session(people.make(None, "chief.live", "manager")))
    assert {next_of(everywhere)["jackpot"] for _ in range(2)} == {own, other}


def test_nobody_else_is_let_in(place, connect):
    device, cookies = place.display("Treppe")
    tablet, of_tablet = place.tablet("Zweites")
    apart, of_apart = place.tablet("Ohne", linked=False)
    croupier = place.session(people.make(place.floor.house, "croupier.live", "croupier"))
    half = people.make(place.floor.house, "half.live", "pit_boss", enrolled=False)
    client = Client()
    client.force_login(half)  # his password was right; he has no second factor yet
    begun = {name: morsel.value for name, morsel in client.cookies.items()}
    refused = {
        (f"/ws/display/?device={device.pk}", ""): 4401,
        (f"/ws/display/?device={tablet.pk}", "of tablet"): 4401,
        (f"/ws/tablet/?device={device.pk}", "of display"): 4401,
        ("/ws/display/", "of display"): 4404,
        ("/ws/display/?device=1", "of display"): 4404,
        (f"/ws/tablet/?device={apart.pk}", "of apart"): 4404,  # its table has no jackpot
        ("/ws/pit/", ""): 4401,
        ("/ws/pit/", "of display"): 4401,
        ("/ws/pit/", "half"): 4401,
        ("/ws/pit/", "croupier"): 4403,
        ("/ws/other/", "of display"): 4404,
    }
    holders = {"": {}, "of display": cookies, "of tablet": of_tablet, "of apart": of_apart, "half": begun}
    holders["croupier"] = croupier
    for (address, holder), code in refused.items():
        assert closed_with(connect(address, holders[holder])) == code, (address, holder)


@pytest.mark.parametrize("origin", [None, "http://elsewhere.example", "null"])
def test_page_of_elsewhere_is_refused(place, web, origin):
    cookies = place.session(place.boss)
    with pytest.raises(InvalidStatus) as refused, web.socket("/ws/pit/", cookies, origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_revoked_device_is_shown_out(place, connect):
    device, cookies = place.display("Garten")
    socket = connect(f"/ws/display/?device={device.pk}", cookies)
    next_of(socket)
    device_revoke(device_id=device.pk, reason="stolen", by=place.boss)
    assert closed_with(socket) == 4401


def test_signing_out_closes_the_persons_sockets(place, connect):
    client = people.signed_in(place.boss)
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    socket = connect("/ws/pit/", cookies)
    next_of(socket)
    client.post("/sign-out/")
    assert closed_with(socket) == 4401


def test_who_loses_the_right_is_shown_out(place, connect):
    person = people.make(place.floor.house, "moved.live", "surveillance")
    socket = connect("/ws/pit/", place.session(person))
    next_of(socket)
    Person.objects.filter(pk=person.pk).update(roles=["croupier"])
    assert closed_with(socket) == 4403


def test_what_a_screen_says_is_passed_over_unless_it_is_long(place, connect):
    device, cookies = place.display("Lounge")
    address = f"/ws/display/?device={device.pk}"
    talker = connect(address, cookies)
    for said in ("hello", b"\x00\x01", json.dumps({"type": "jackpot", "amount_minor": 1})):
        talker.send(said)
    assert next_of(talker, "heartbeat")
    for long in ("x" * 1025, b"x" * 1025):
        shouter = connect(address, cookies)
        shouter.send(long)
        assert closed_with(shouter) == 1009


def test_idle_socket_lives_on(place, connect):
    device, cookies = place.display("Nacht")
    socket = connect(f"/ws/display/?device={device.pk}", cookies)
    first = next_of(socket)
    idle(socket)
    amount = place.coin()
    assert until(socket, lambda told: told.get("text") == amount)["version"] > first["version"]


def test_reader_that_stops_holds_up_nobody_and_then_hears_the_newest(place):
    device, cookies = place.display("Langsam")
    address = f"/ws/display/?device={device.pk}"
    with (
        web_process(place, LIVE_HEARTBEAT_S="0.001") as web,
        web.socket(address, cookies, max_queue=4, compression=None) as slow,
        web.socket(address, cookies) as quick,
    ):
        next_of(slow), next_of(quick)
        beats = 0
        while beats < 4000:  # more than all buffers between hold
            beats += next_of(quick, "heartbeat")["type"] == "heartbeat"
        amount = place.coin()
        assert until(quick, lambda told: told.get("text") == amount)
        heard = 0

        def found(told: dict) -> bool:
            nonlocal heard
            heard += told["type"] == "heartbeat"
            return told.get("text") == amount

        assert until(slow, found)
        assert heard < beats / 2  # the rest was replaced while it waited
