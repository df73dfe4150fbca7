"""What a slip is called after a restore stands on every page, and finds it: no other one is meant, on paper or on screen."""

import pytest
from django.test import Client

from jackpot import services as jackpots
from jackpot.models import Slip
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done
from tests.jackpot.test_late import paid_late
from tests.jackpot.test_restored import one_more
from tests.watched import watched

ENGLISH = {"accept-language": "en"}


@pytest.fixture
def slip(own_database: str, settings) -> Slip:
    """The third of the house, made after a restore; one of those before is paid, and one is open."""
    plain_settings(settings)
    floor = paid_late()
    floor.pay(Slip.objects.get(number=1))
    done(jackpots.jackpots_restored)
    made = one_more(floor)
    ids = {"house_id": floor.house.pk, "slip_id": made.pk, "person_id": floor.reto.pk}
    done(jackpots.award_cancel_request, **ids, how="unpaid", reason="the wrong box")
    watched()
    return made


def signed_in(slip: Slip, *roles: str) -> Client:
    return people.signed_in(people.make(slip.house, f"x.{roles[0]}", *roles))


def said(client: Client, page: str) -> str:
    response = client.get(page, follow=True, headers=ENGLISH)
    assert response.status_code == 200, page
    return words(response.content.decode())


def test_pages_say_the_number_as_it_is_written(slip: Slip) -> None:
    jackpot = slip.award.jackpot_id
    for role, pages in {
        "cage": ("/home/cage/", f"/floor/jackpots/{jackpot}/"),
        "pit_boss": (f"/pit/jackpots/{jackpot}/",),
        "auditor": (f"/audit/hits/{slip.award.hit_id}/",),
    }.items():
        client = signed_in(slip, role)
        for page in pages:
            assert f"Slip {slip.written} " in said(client, page), page


def test_desk_finds_a_slip_by_what_is_written_and_by_its_running_number(slip: Slip) -> None:
    client = signed_in(slip, "auditor")
    other = f"3-{slip.incarnation - 1:X}"  # printed after another restore, which these books do not know
    for text, found in {
        slip.written: [f"Slip {slip.written}"], slip.written.lower(): [f"Slip {slip.written}"],
        f"No. {slip.written}": [f"Slip {slip.written}"], "3": [f"Slip {slip.written}"], "2": ["Slip 2"], other: [],
    }.items():  # fmt: skip
        response = client.get("/audit/", {"q": text, "kind": "slips"}, headers=ENGLISH)
        assert [row.title for one in response.context["lists"] for row in one.rows] == found, text
