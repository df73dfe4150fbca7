"""Whose cards count that a card feed sends by the API (HAND-6)."""

import re

import pytest
from django.test import Client

from payouts.models import Event
from tables.models import CardFeed, RoundLine
from tests.casino.api.callers import Caller
from tests.floor import stakes_for

pytestmark = pytest.mark.usefixtures("own_database")

REAL = {"board": "Ah Kh Qd 2s 3d", "dealer": "Ac 7c", "boxes": {"1": "5c 6c"}}
FALSE = {"board": "Ah Kh Qd 2s 3d", "dealer": "4c 7c", "boxes": {"1": "Qs Qc"}}
WON = {"feed": True, "boxes": {"1": {"play": 4}}}


def test_a_feed_that_a_pit_boss_enrols_for_a_round_that_runs(callers):
    """By the page that shows its token, alone: the shoe's own cards settle the round."""
    guests = callers.floor.open()[:1]
    path = f"rounds/{callers.floor.lock(stakes_for(guests, ante=5000))['id']}"
    assert callers.feed.post(f"{path}/cards/", {"cards": REAL})[0] == 200
    page = callers.boss.client.post("/devices/feed/", {"table": str(callers.floor.table.pk), "name": "Shoe 2"})
    [token] = re.findall(r'secret long">([^<]+)<', page.content.decode())
    assert Caller(Client(), token=token).post(f"{path}/cards/", {"cards": FALSE})[0] == 200
    assert callers.tablet.post(f"{path}/settle/", {"result": WON})[0] == 200
    assert CardFeed.objects.get().cards == REAL
    assert not RoundLine.objects.filter(won_minor__gt=0).exists()
    assert Event.objects.get(name="round.doubted").after["why"] == "feed_enrolled"
