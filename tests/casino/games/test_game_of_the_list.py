"""A game that stands in the one list, and nowhere else, is set up, opened and shown; one against a bank is locked, settled and
corrected too, one of hands plays nothing yet.
"""

import json
import sys
from uuid import uuid4

import pytest
from django.urls import reverse

from casino import games
from casino.tablet.surface import RELATED, game_data, standing, versions_now
from casino.tablet.works import works_at
from payouts.models import Approval
from tables.games import GAMES
from tables.kinds import KINDS
from tables.models import Round, Table
from tests.casino.devices import devices
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.casino.pit.floor.test_round import signing
from tests.dealing import DEALING, SCREENS, Dealt
from tests.sharing import SHARING, Shared, won_by
from tests.tables.audits import breached_here
from tests.worlds import world


class Desk(Shared, FloorDesk):
    """A floor with a table of the game, and people at its pages."""


@pytest.fixture
def desk(floor: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setitem(GAMES, "sharing", SHARING)
    return floor


pytestmark = world(Desk)


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
    desk.post("boss", f"rounds/{round_id}/settle/", result=json.dumps(won_by(1, owner)), reason="seen on camera")
    desk.post("second", f"rounds/{round_id}/sign/", **signing(desk, Approval.objects.get(), "second"))
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


def sent(desk: FloorDesk, path: str, body: object, status: int = 200) -> dict:
    """A command of the pit boss to the API: its answer, or its problem."""
    client = desk.clients["boss"]
    response = client.post(
        f"/api/{path}", json.dumps(body), "application/json", headers={"idempotency-key": str(uuid4())}
    )
    assert response.status_code == status, response.content
    return response.json()["answer"] if status == 200 else response.json()


def test_the_tablet_of_such_a_table_lets_people_sign_in(desk: Desk) -> None:
    device, token = devices.enrol(desk.shared, desk.reto)
    page = devices.browser_of(device, token).get(reverse("tablet-sign-in", args=[device.pk]))
    assert page.status_code == 200
    assert b"importmap" not in page.content


class HandsDesk(Dealt, FloorDesk):
    """A floor with a table of the game that plays hands, and people at its pages."""


@pytest.fixture
def hands(floor: HandsDesk, monkeypatch: pytest.MonkeyPatch) -> HandsDesk:
    monkeypatch.setitem(GAMES, "dealing", DEALING)
    monkeypatch.setattr(games, "_NAMED", games._NAMED | {"dealing"})
    monkeypatch.setitem(sys.modules, "casino.games.dealing.screens", SCREENS)
    return floor


@world(HandsDesk)
def test_a_game_of_hands_is_posted_set_up_and_opened_at_its_own_level(hands: HandsDesk) -> None:
    assert "Blinds of Dealing" in hands.clients["tech"].get(reverse("posted-tables")).content.decode()
    assert "Blinds of Dealing" in hands.get("tech", "set-up/")
    posted = {"floor_rules": "Bad Ragaz", "calendar": "Rund um die Uhr", "dealing_rules": "1/2"}
    fields = {"name": "Dealing 2", "game": "dealing", "boxes": 9, "pit": hands.pit.pk}
    hands.post("tech", "set-up/table/", **posted, **fields)
    made = Table.objects.get(name="Dealing 2")
    page = hands.get("boss", f"tables/{made.pk}/")
    assert "Hand by hand" in page
    assert "Full cards" not in page
    for level, status in (("fast", 422), ("by_hand", 302)):
        hands.post("boss", f"tables/{made.pk}/open/", status, croupier=hands.nora.pk, entry_level=level)
    made.refresh_from_db()
    assert made.session.entry_level == "by_hand"
    assert set(made.session.versions) == {"floor_rules", "calendar", "dealing_rules"}


@world(HandsDesk)
def test_its_table_is_on_the_board_and_has_a_page_and_plays_no_rounds(hands: HandsDesk) -> None:
    guest = hands.seat(hands.dealt, 3)
    for page in (hands.get("boss"), hands.clients["boss"].get("/pit/").content.decode()):
        assert "Dealing 1" in page
        assert "1–2" in page
    page = words(hands.get("boss", f"tables/{hands.dealt.pk}/"))
    assert "Guest 1" in page
    hands.post("boss", f"tables/{hands.dealt.pk}/hand-over/", croupier=hands.nora.pk)

    lock = f"tables/{hands.dealt.pk}/rounds/{uuid4()}/lock/"
    stakes = [{"box": 3, "guest": str(guest.pk), "kind": "stake", "amount_minor": 1_000}]
    assert sent(hands, lock, {"stakes": stakes}, status=422)["code"] == "table.no_rounds"
    hands.post("boss", f"tables/{hands.dealt.pk}/close/")
    assert breached_here() == {}


@world(HandsDesk)
def test_its_tablet_is_given_its_modules_its_rules_and_its_sign(hands: HandsDesk) -> None:
    device, token = devices.enrol(hands.dealt, hands.reto)
    tablet = devices.browser_of(device, token)
    pin = {"pin": hands.pin("croupier"), "person": hands.people["croupier"].pk}
    table = Table.objects.select_related(*RELATED).get(pk=hands.dealt.pk)
    assert works_at(hands.martina, table)
    rules = game_data(table, versions_now(table, None))
    assert (rules["code"], rules["boxes"], rules["seats"]) == ("dealing", 9, 9)
    hands.post("boss", f"tables/{hands.dealt.pk}/hand-over/", croupier=hands.people["croupier"].pk)
    tablet.post(reverse("tablet-sign-in", args=[device.pk]), pin)
    page = tablet.get(reverse("tablet-device", args=[device.pk])).content.decode()
    shown = json.loads(page.partition('<script id="page" type="application/json">')[2].partition("</script>")[0])
    assert (shown["limits"], shown["standing"]["round"]) == ("CHF 1–2", None)
    imports = json.loads(page.partition('<script type="importmap"')[2].partition(">")[2].partition("</script>")[0])
    assert imports["imports"]["tablet/play"] == imports["imports"]["tablet/round/play"]
