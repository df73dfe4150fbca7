"""Where `make demo` sends somebody who has never seen the house: each place is there, and its role is let in."""

import re

import pytest
from django.test import Client
from django.urls import resolve

from casino.people.roles import CODES
from casino.simulate.demo import AFTERWARDS, INTRODUCTION, LOOK, NOBODY, WATCH, Place, places_text
from tests.casino.people import people
from tests.jackpot.linked import Linked
from tests.turns import each
from tests.worlds import world

pytestmark = [world(Linked), pytest.mark.usefixtures("own_database")]


def test_each_place_opens_for_whom_it_names(floor: Linked) -> None:
    known = {code.replace("_", " "): people.signed_in(people.make(floor.house, code, code)) for code in CODES}
    for one in (*WATCH, *LOOK):
        resolve(one.path)
        client = known[one.role] if one.role != NOBODY else Client()
        assert client.get(one.path, follow=True).status_code == 200, one
        assert one.role == NOBODY or Client().get(one.path).status_code != 200, one


def test_what_is_new_is_among_them() -> None:
    assert {one.path for one in WATCH} >= {"/pit/", "/pit/jackpots/", "/display/"}
    assert {one.path for one in LOOK} >= {"/audit/", "/audit/reports/", "/pit/jackpots/"}


@each(("text", "places"), [(INTRODUCTION, WATCH), (AFTERWARDS, LOOK)])
def test_the_text_has_the_whole_address_and_the_role_of_each(text: str, places: tuple[Place, ...]) -> None:
    said = places_text(text, places, "http://127.0.0.1:8000")
    found = re.findall(r"http://127\.0\.0\.1:8000(\S*) .*?(?:\(as ([a-z ]+)\))?$", said, re.MULTILINE)
    assert found == [(one.path, one.role) for one in places]
    assert max(len(line) for line in said.splitlines()) < 150
