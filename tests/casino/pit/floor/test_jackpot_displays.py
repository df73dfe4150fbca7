"""Displays of a jackpot on its pages: without one it takes no coin, and in every phase they offer the step that is due (PRG-9)."""

import re
from typing import Any
from uuid import uuid4

import pytest

from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol
from jackpot.errors import DisplayMissing
from jackpot.models import RequiredDisplay
from jackpot.services import jackpot_close, jackpot_reopen
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import REFUSED, words
from tests.casino.pit.floor.test_jackpot import HitDesk
from tests.floor import done
from tests.jackpot.linked import royal

NONE = "No coins are taken: a technician names the displays that the tables wait for."
ENROL = "No display is enrolled: make a code under Devices, and type it on the screen."
UNSHOWN = "No display is named that could show the value: ask for one to be added; another person signs."


class Bare(HitDesk):
    """Two linked tables, and no display. `room` and `page` are the two places at which people look at the jackpot."""

    def __init__(self) -> None:
        super().__init__(displays=0)

    def enrol(self, name: str = "Entrance") -> Device:
        """As somebody does who makes a code and types it on the screen."""
        return device_enrol(
            kind="display", code=device_code_make(kind="display", place_id=self.jackpot.pk, name=name, by=self.tim)[1]
        )[0]

    def places(self, who: str) -> list[str]:
        room = self.clients[who].get(f"/pit/jackpots/{self.jackpot.pk}/", headers={"accept-language": "en"})
        return [self.get(who, self.path), room.content.decode()]

    def offered(self, who: str) -> list[set[str]]:
        """The forms for one more display on each of the two pages."""
        found = [re.findall(rf'action="/floor/{self.path}(\w+)/"', page) for page in self.places(who)]
        return [{one for one in forms if one in ("add", "name")} for forms in found]

    def devices(self, who: str) -> str:
        return self.clients[who].get("/devices/", headers={"accept-language": "en"}).content.decode()

    def shown_anew(self) -> None:
        """Closed and reopened: a value is to be shown, and there is no display."""
        by = {"house_id": self.house.pk, "jackpot_id": self.jackpot.pk, "actor_id": self.bea.pk}
        done(jackpot_close, **by, reason="works in the hall")
        done(jackpot_reopen, **by)


@pytest.fixture
def bare(own_database: str, settings: Any) -> Bare:
    plain_settings(settings)
    return Bare()


def test_first_display_is_enrolled_and_named_and_coins_are_taken(bare: Bare) -> None:
    for page in (*bare.places("tech"), *bare.places("boss")):
        assert NONE in words(page)
        assert ENROL in words(page)
        assert 'href="/devices/"' in page
    board = bare.clients["boss"].get("/pit/board/", headers={"accept-language": "en"}).content.decode()
    for page in (bare.get("boss"), board):
        assert "No display is named: no coins are taken." in words(page)
    assert bare.offered("tech") == bare.offered("boss") == [set(), set()]

    device = bare.enrol()
    assert [ENROL in words(page) for page in bare.places("tech")] == [False, False]
    assert (bare.offered("tech"), bare.offered("boss")) == ([{"name"}, {"name"}], [{"add"}, {"add"}])
    assert bare.offered("auditor") == [set(), set()]
    bare.step("boss", "name", 403, display=device.pk)
    bare.step("auditor", "add", 403, display=device.pk)
    bare.step("tech", "name", 404, display=uuid4())
    with pytest.raises(DisplayMissing):
        bare.start(0)
    bare.step("tech", "name", display=device.pk)
    assert list(RequiredDisplay.objects.values_list("display_id", "name")) == [(device.pk, "Entrance")]
    assert [NONE in words(page) for page in bare.places("boss")] == [False, False]
    assert "Nothing: bets are open at its tables." in bare.said()
    bare.end(0, bare.start(0), royal())
    assert bare.advance() == "verifying"


def test_while_a_value_is_to_be_shown_two_people_add_the_first_display(bare: Bare) -> None:
    """The technician's own button would only be refused then: he asks, on either page, and the pit signs."""
    bare.shown_anew()
    device = bare.enrol()
    for who in ("tech", "boss"):
        assert [UNSHOWN in words(page) for page in bare.places(who)] == [True, True]
        assert bare.offered(who) == [{"add"}, {"add"}]
    assert f"/devices/{device.pk}/require/" not in bare.devices("tech")
    assert f'href="/floor/{bare.path}#displays"' in bare.devices("tech")
    refused = bare.step("tech", "name", REFUSED, display=device.pk)
    assert "nobody says alone for which displays its tables wait. Ask for it on" in refused

    bare.step("tech", "add", display=device.pk)
    for page in bare.places("second"):
        assert "Further display: 0 of 1 signature" in words(page)
        assert UNSHOWN not in words(page)
    bare.sign_as("second", bare.asked("jackpot.display_add"))
    for page in bare.places("boss"):
        assert "Displays that do not show the new value yet: Entrance." in words(page)
        assert "It is the only one. If it stays dark: enrol another" in words(page)
    bare.sessions[device.pk] = uuid4()
    assert bare.confirm_all() == "open"
    bare.start(0)
