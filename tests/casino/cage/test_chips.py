"""The page of the chips: what is in service, asking for more or less, signing it, the history."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts.models import Approval, ChipMove
from tests.casino.cage.desk import CageDesk
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.worlds import world

pytestmark = world(CageDesk)


def test_chips_are_asked_for_and_signed_by_the_cage(desk: CageDesk) -> None:
    """A manager asks by denomination; the cage sees pieces and sums, counts, signs; then they are in service."""
    page = words(desk.get("mara"))
    assert "500.00 violet Bad Ragaz, Poker 0 0.00" in page
    assert "This house has no first inventory yet" in page
    place = desk.ask(**{"pieces-50000": "20", "pieces-500": "400"})
    request = words(desk.clients["carla"].get(place, headers={"accept-language": "en"}).content.decode())
    assert "Put these chips into service?" in request
    assert "5.00 red 400 2 000.00 500.00 violet 20 10 000.00 Together 420 12 000.00" in request.replace("’", " ")
    assert "delivery 4711" in request
    assert desk.sign("carla") == place
    page = words(desk.get("carla")).replace("’", " ")
    assert "500.00 violet Bad Ragaz, Poker 20 10 000.00" in page
    assert "20 × 500.00 asked for by Name mara.cage · signed by Name carla.cage" in page
    assert "Ask for chips into or out of service" not in page  # it does not ask
    assert {move.approval.state for move in ChipMove.objects.all()} == {"used"}


def test_what_is_refused_stands_beside_the_form_with_what_was_typed(desk: CageDesk) -> None:
    for typed, expected in (
        ("1.5", "“1.5” pieces of"),
        ("-1", "“-1” pieces of"),
        ("0", "“0” pieces of"),
        ("100001", "“100001” pieces of"),
        ("", "No pieces are named."),
    ):
        page = desk.ask(status=422, **{"pieces-50000": typed})
        assert expected in page, typed
    assert "So many pieces of CHF 500.00 are not there" in desk.ask(
        status=409, kind="withdraw", **{"pieces-50000": "1"}
    ).replace("\xa0", " ")
    assert not Approval.objects.exists()
    response = desk.clients["mara"].post(
        "/cage/chips/ask/", {"key": "k" * 32, "kind": "issue", "reason": "again", "pieces-50000": "1.5"}
    )
    assert 'value="1.5"' in response.content.decode()


def test_a_request_is_turned_down(desk: CageDesk) -> None:
    desk.ask(**{"pieces-50000": "20"})
    request = Approval.objects.get()
    secret = people.next_code(desk.people["max"])
    desk.post("max", f"chips/asked/{request.pk}/reject/", reason="not delivered", secret=secret)
    request.refresh_from_db()
    assert (request.state, ChipMove.objects.count()) == ("rejected", 0)


def test_who_signs_is_told_on_the_start_page(desk: CageDesk) -> None:
    desk.ask(**{"pieces-50000": "20"})
    for who, expected in (("carla", True), ("max", True), ("mara", False), ("anna", False)):
        page = words(
            desk.clients[who]
            .get(f"/home/{desk.people[who].roles[0]}/", headers={"accept-language": "en"})
            .content.decode()
        )
        assert ("Chips into and out of service" in page) is expected, who


def test_statements_do_not_grow_with_the_history(desk: CageDesk) -> None:
    counts = []
    for _turn in range(2):
        for _one in range(2):
            desk.ask(**{"pieces-50000": "20", "pieces-500": "10"})
            desk.sign("carla")
        with CaptureQueriesContext(
            connection,
        ) as request:
            desk.get("mara")
        counts.append(len(request))
    assert counts[0] == counts[1] <= 40


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_no_english_is_left(desk: CageDesk, language: str) -> None:
    desk.ask(**{"pieces-50000": "20"})
    desk.sign("carla")
    person = desk.people["mara"]
    person.language = language
    person.save(update_fields=["language"])
    for path in ("chips/", "inventory/", f"chips/asked/{Approval.objects.get().pk}/"):
        page = words(desk.get("mara", path, language=language))
        for word in ("Pieces", "Denomination", "In service", "First inventory", "asked for by", "violet,"):
            assert word not in page, (path, word)
