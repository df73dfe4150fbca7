"""A game that stands in the one list, and nowhere else, is set up, opened, locked, settled, corrected and shown."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from casino.tablet.round import works_at
from casino.tablet.surface import RELATED, game_data, standing, versions_now
from tables.games import GAMES
from tables.kinds import KINDS
from tables.models import Round, Table
from tests.casino.devices import devices
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.sharing import SHARING, Shared, won_by
from tests.tables.audits import breached_here


class Desk(Shared, FloorDesk):
    """A floor with a table of the game, and people at its pages."""


@pytest.fixture
def desk(db: None, settings, monkeypatch: pytest.MonkeyPatch) -> Desk:
    plain_settings(settings)
    monkeypatch.setitem(GAMES, "sharing", SHARING)
    return Desk()


def test_its_round_is_locked_settled_and_corrected_over_http(desk: Desk) -> None:
    owner, other = desk.guest(1), desk.guest(distance=1)
    stakes = [
        {"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": minor}
        for guest, minor in ((owner, 30_000), (other, 30_000))
    ]
    round_id = uuid4()
    answer = sent(desk, f"tables/{desk.shared.pk}/rounds/{round_id}/lock/", {"stakes": stakes})
    kept = {one["guest"]: (one["accepted_minor"], one["rule"]) for one in answer["stakes"]}
    assert kept == {str(owner.pk): (30_000, "BOX-3"), str(other.pk): (20_000, "PRM-3")}
    page = words(desk.get("boss", f"rounds/{round_id}/"))
    assert "Result, as a tablet would send it" in page
    assert "gets CHF 100.00 back" in page.replace("\xa0", " ")

    for wrong in ("", "[]", "{broken", "[" * 9_000):
        assert "The result cannot be read" in desk.post("boss", f"rounds/{round_id}/settle/", 422, result=wrong)
    said = desk.post("boss", f"rounds/{round_id}/settle/", 422, result=json.dumps(won_by(1, other)))
    assert "decides for this box" in said  # BOX-2
    assert str(other.pk) in said  # what was typed is still there
    desk.post("boss", f"rounds/{round_id}/settle/", result=json.dumps(won_by(1, owner)))
    page = words(desk.get("boss", f"rounds/{round_id}/")).replace("\xa0", " ")
    assert "Box 1 won." in page  # as the game itself words it
    assert "CHF 600.00" in page
    assert str(owner.pk) in page

    lost = json.dumps({"boxes": {}})
    desk.post("boss", f"rounds/{round_id}/correct/", result=lost, reason="mistyped")
    page = words(desk.get("second", f"rounds/{round_id}/"))  # it waits for a signature: the result is told there
    assert "Correction to be signed" in page
    assert breached_here() == {}


def test_it_is_set_up_and_opened_on_the_pages(desk: Desk) -> None:
    page = desk.get("tech", "set-up/")
    assert "What sharing pays" in page
    posted = {"floor_rules": "Bad Ragaz", "calendar": "Rund um die Uhr", "box_limits": "Box 10–500"}
    fields = {"name": "Sharing 2", "game": "sharing", "boxes": 5, "pit": desk.pit.pk, "sharing_rules": "Sharing"}
    desk.post("tech", "set-up/table/", **posted, **fields)
    made = Table.objects.get(name="Sharing 2")
    desk.post("boss", f"tables/{made.pk}/open/", croupier=desk.nora.pk, entry_level="fast")
    made.refresh_from_db()
    assert set(made.session.versions) == {"floor_rules", "calendar", "box_limits", "sharing_rules"}
    assert "10–500" in words(desk.get("boss"))
    assert "What sharing pays" in desk.clients["tech"].get(reverse("posted-tables")).content.decode()
    assert KINDS["sharing_rules"].title == "What sharing pays"


def test_its_table_is_told_to_tablets(desk: Desk) -> None:
    owner = desk.guest(1)
    locked = desk.lay((owner, 1, 100))
    table = Table.objects.select_related(*RELATED).get(pk=desk.shared.pk)
    assert standing(table)["round"]["stakes"][0]["amount_minor"] == 10_000
    rules = game_data(table, versions_now(table, Round.objects.get(pk=locked["id"])))
    assert (rules["code"], rules["limits"]) == ("sharing", {"stake": {"minimum": 1_000, "maximum": 50_000}})
    assert not works_at(desk.martina, table)  # no page of a tablet enters its rounds: they are entered on the floor


def sent(desk: Desk, path: str, body: object) -> dict:
    """A command of the pit boss to the API."""
    client = desk.clients["boss"]
    response = client.post(
        f"/api/{path}", json.dumps(body), "application/json", headers={"idempotency-key": str(uuid4())}
    )
    assert response.status_code == 200, response.content
    return response.json()["answer"]


def test_the_tablet_of_such_a_table_lets_people_sign_in(desk: Desk) -> None:
    device, token = devices.enrol(desk.shared, desk.reto)
    page = devices.browser_of(device, token).get(reverse("tablet-sign-in", args=[device.pk]))
    assert page.status_code == 200
    assert b"importmap" not in page.content
