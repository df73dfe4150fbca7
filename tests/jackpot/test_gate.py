"""The gate opens for what displays show, and for nothing else (PRG-9)."""

from uuid import uuid4

import pytest
from django.db import connection

from jackpot import services as jackpots
from jackpot.errors import (
    DisplayLast,
    DisplayListClosed,
    DisplayMissing,
    DisplayNotOnGate,
    DisplayRequired,
    DisplaySessionOver,
    DisplaySessionTaken,
    DisplayUnknown,
    GateNonceWrong,
    GateOver,
    GateUnknown,
    GateValueWrong,
    GateVersionWrong,
)
from jackpot.models import DisplaySession, Gate, GateDisplay, RequiredDisplay
from tests.clock import clock_jumps
from tests.databases import superuser
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal
from tests.tables.audits import breached, breached_here
from tests.worlds import world


@pytest.fixture
def showing(own_database: str) -> Linked:
    floor = Linked(displays=2)
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    floor.reject()
    return floor


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"shown": "CHF 10’001.01"}, GateValueWrong),
        ({"shown": ""}, GateValueWrong),
        ({"gate": 99}, GateUnknown),
        ({"nonce": "0" * 32}, GateNonceWrong),
        ({"version": 1}, GateVersionWrong),
        ({"display_id": uuid4()}, DisplayNotOnGate),
        ({"session_id": uuid4()}, DisplaySessionTaken),
    ],
)
def test_a_confirmation_of_anything_else_is_refused(showing: Linked, changes: dict, refused: type[Exception]) -> None:
    with pytest.raises(refused):
        showing.confirm(showing.displays[0], **changes)
    assert set(GateDisplay.objects.values_list("state", flat=True)) == {"waiting"}
    assert showing.advance() == "showing"


def test_a_confirmation_repeated_is_answered_the_same(showing: Linked) -> None:
    first = showing.confirm(showing.displays[0])
    assert first == {"gate": 1, "state": "confirmed", "waiting": 1}
    assert showing.confirm(showing.displays[0]) == first
    assert showing.confirm_all() == "open"
    assert showing.confirm(showing.displays[0]) == first | {"waiting": 0}


def test_an_old_gate_opens_nothing(showing: Linked) -> None:
    old = Gate.objects.get()
    showing.confirm_all()
    showing.end(0, showing.start(0), royal("h"))
    showing.advance()
    showing.reject()
    with pytest.raises(GateNonceWrong):
        showing.confirm(showing.displays[0], nonce=old.nonce)
    assert showing.confirm(showing.displays[0], gate=old.number, nonce=old.nonce)["state"] == "confirmed"
    assert showing.advance() == "showing"
    assert set(GateDisplay.objects.filter(gate__state="open").values_list("state", flat=True)) == {"waiting"}


def test_a_lapsed_gate_is_over(showing: Linked) -> None:
    old = Gate.objects.get()
    add_request = {"house_id": showing.house.pk, "jackpot_id": showing.jackpot.pk, "display_id": uuid4()}
    asked = done(jackpots.display_add_request, **add_request, name="Third", person_id=showing.reto.pk)
    showing.sign(asked, showing.bea)
    with pytest.raises(GateOver):
        showing.confirm(showing.displays[0], gate=old.number, nonce=old.nonce, version=old.version)
    assert Gate.objects.get(state="open").displays.count() == 3


def test_a_display_has_one_live_session_and_another_begins_6_s_after_its_last_sign(showing: Linked) -> None:
    display, second = showing.displays[0], uuid4()
    showing.heard(display)
    ids = {"house_id": showing.house.pk, "jackpot_id": showing.jackpot.pk, "display_id": display}
    with pytest.raises(DisplaySessionTaken):
        done(jackpots.display_heard, **ids, session_id=second)
    with superuser(connection.settings_dict["NAME"]) as link:
        link.execute("UPDATE jackpot_displaysession SET seen_at = seen_at - interval '6 seconds'")
    gate = Gate.objects.get()
    values = {"session_id": showing.sessions[display], "gate": gate.number, "nonce": gate.nonce}
    with pytest.raises(DisplaySessionOver):
        done(jackpots.gate_confirm, **ids, **values, version=gate.version, shown="10’001.00")
    done(jackpots.display_heard, **ids, session_id=second)
    assert DisplaySession.objects.get(display_id=display).session_id == second
    with pytest.raises(DisplaySessionTaken):
        done(jackpots.display_heard, **ids, session_id=showing.sessions[display])
    clock_jumps(-3600)
    done(jackpots.display_heard, **ids, session_id=showing.sessions[display])  # no sign of the other one by this clock


def out(floor: Linked, display: object) -> None:
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "display_id": display}
    asked = done(jackpots.display_out_request, **ids, reason="it is dark", person_id=floor.reto.pk)
    floor.sign(asked, floor.bea)


def test_two_people_take_a_dead_display_out_and_the_last_one_can_only_be_replaced(showing: Linked) -> None:
    first, second = showing.displays
    out(showing, first)
    assert showing.advance() == "showing"
    with pytest.raises(DisplayLast):
        out(showing, second)
    with pytest.raises(DisplayUnknown):
        out(showing, first)
    third = uuid4()
    ids = {"house_id": showing.house.pk, "jackpot_id": showing.jackpot.pk, "display_id": third}
    with pytest.raises(DisplayListClosed):
        done(jackpots.display_require, **ids, name="Third", actor_id=showing.tim.pk)
    asked = done(jackpots.display_add_request, **ids, name="Third", person_id=showing.reto.pk)
    showing.sign(asked, showing.bea)
    showing.sessions[third] = uuid4()
    out(showing, second)
    assert showing.confirm_all() == "open"
    assert list(RequiredDisplay.objects.filter(ended_at=None).values_list("name", flat=True)) == ["Third"]
    assert breached() == {}


@world(Linked, displays=0)
def test_without_a_required_display_no_coin_is_taken_and_nothing_opens(floor: Linked) -> None:
    """A royal flush would freeze tables that nothing opens again; without coins they play, and the first display lets coins in."""
    with pytest.raises(DisplayMissing) as refused:
        floor.start(0)
    assert (refused.value.code, refused.value.rule) == ("jackpot.no_display", "PRG-9")
    floor.end(0, floor.start(0, coins=0), dull())
    by = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "actor_id": floor.bea.pk}
    done(jackpots.jackpot_close, **by, reason="works")
    done(jackpots.jackpot_reopen, **by)
    assert (floor.advance(), Gate.objects.count()) == ("showing", 0)
    display = uuid4()
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "display_id": display}
    with pytest.raises(DisplayListClosed):  # as long as tables wait, two people say what they wait for
        done(jackpots.display_require, **ids, name="Entrance", actor_id=floor.tim.pk)
    asked = done(jackpots.display_add_request, **ids, name="Entrance", person_id=floor.reto.pk)
    floor.sign(asked, floor.bea)
    floor.sessions[display] = uuid4()
    assert floor.confirm_all() == "open"
    floor.start(0)
    assert breached_here() == {}


@world(Linked, displays=1)
def test_a_display_is_required_once(floor: Linked) -> None:
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "display_id": floor.displays[0]}
    with pytest.raises(DisplayRequired):
        done(jackpots.display_require, **ids, name="Again", actor_id=floor.tim.pk)
