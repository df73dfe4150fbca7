"""What a snapshot says in every phase of a hit, in how many statements, and what it never says."""

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.live.snapshot import DISPLAY, FEEDS, PIT, TABLET, snapshots_read
from tables.models import Guest
from tests.casino.live.evening import Evening
from tests.databases import superuser


@pytest.fixture(scope="module")
def evening(database_of_module: str) -> Evening:
    return Evening()


def test_a_hit_from_the_first_claim_to_the_reopening(evening):
    opening = evening.told()
    assert (opening["phase"], opening["hit"], opening["epoch"]) == ("open", None, 1)
    nothing = {"rounds": [], "claims": 0, "signatures": None, "displays": []}
    assert opening["waiting_for"] == nothing

    signs = [evening.told(TABLET)["tables"][str(evening.floor.other.pk)]]
    other = evening.hit()
    signs.append(evening.told(TABLET)["tables"][str(evening.floor.other.pk)])
    draining = evening.told()
    assert (draining["phase"], draining["version"] > opening["version"]) == ("draining", True)
    owed = {"round": str(other), "table": str(evening.floor.other.pk), "name": "UTH 2"}
    assert draining["waiting_for"] == nothing | {"rounds": [owed], "claims": 1}
    hit = {"number": 1, "tables": ["UTH 1"], "winners": [], "won_minor": 0, "won_text": ""}
    assert draining["hit"] == hit | {"state": "draining"}

    evening.drain(other)
    signs.append(evening.told(TABLET)["tables"][str(evening.floor.other.pk)])
    assert len(set(signs)) == 3  # locked, settled: each is news to whoever else looks at this table
    verifying = evening.told()
    assert (verifying["phase"], verifying["hit"]) == ("verifying", hit | {"state": "verifying"})
    assert verifying["waiting_for"] == nothing | {"claims": 1}

    evening.verify()
    assert evening.told()["waiting_for"] == nothing | {"signatures": {"have": 0, "need": 2}}
    evening.sign("first.signer")
    assert evening.told()["waiting_for"] == nothing | {"signatures": {"have": 1, "need": 2}}
    won = evening.told()["amount_minor"]
    evening.sign("second.signer")

    showing = evening.told(DISPLAY)
    assert (showing["phase"], showing["epoch"]) == ("showing", 2)
    assert showing["version"] > verifying["version"]
    assert showing["waiting_for"] == nothing | {
        "displays": [{"display": str(evening.display), "name": "Display 1", "state": "waiting"}]
    }
    winner = {"table": "UTH 1", "box": 1, "amount_minor": won, "text": verifying["text"]}
    assert showing["hit"] == hit | {
        "state": "paid",
        "winners": [winner | {"cards": ["Ah", "Kh", "Qh", "Jh", "Th"]}],
        "won_minor": won,
        "won_text": verifying["text"],
    }
    assert showing["gate"]["version"] == showing["version"]
    assert showing["text"] != verifying["text"]

    evening.confirm()
    reopened = evening.told(DISPLAY)
    assert (reopened["phase"], reopened["gate"], reopened["waiting_for"]) == ("open", None, nothing)
    assert reopened["hit"] == showing["hit"]  # guests may look at it for a while
    guests = [str(pk) for pk in Guest.objects.values_list("pk", flat=True)]
    told = json.dumps([opening, draining, verifying, showing, reopened])
    assert not [guest for guest in guests if guest in told]


def test_nonce_goes_to_displays_alone(evening):
    other = evening.hit()
    evening.drain(other)
    evening.verify()
    evening.sign("third.signer")
    evening.sign("fourth.signer")
    told = {feed: evening.told(feed) for feed in FEEDS}
    nonce = told[DISPLAY]["gate"]["nonce"]
    assert len(nonce) == 32
    for feed in (TABLET, PIT):
        assert told[feed]["gate"] is None
        assert nonce not in json.dumps(told[feed])
    assert {feed: told[feed]["hit"]["number"] for feed in FEEDS} == dict.fromkeys(FEEDS, 2)
    evening.confirm()


def test_statements_are_as_many_for_several_jackpots_as_for_one(evening):
    others = [Evening(suffix=f"-{number}") for number in range(2)]
    every = [evening, *others]
    rounds = [one.hit() for one in every]
    counts = {}

    def count(phase: str) -> None:
        for wanted in (every[:1], every):
            with CaptureQueriesContext(connection) as captured:
                assert len(snapshots_read([one.jackpot for one in wanted])) == len(wanted)
            counts[phase, len(wanted)] = len(captured)

    count("draining")
    for one, other in zip(every, rounds, strict=True):
        one.drain(other)
        one.verify()
    count("verifying")
    for number, one in enumerate(every):
        one.sign(f"signer.a{number}")
        one.sign(f"signer.b{number}")
    count("showing")
    assert len(snapshots_read()) == len(every)
    for phase in ("draining", "verifying", "showing"):
        assert counts[phase, 1] == counts[phase, len(every)], counts
    assert max(counts.values()) <= 14, counts


def test_unknown_jackpot_is_left_out(evening):
    assert snapshots_read([uuid4()]) == {}
    assert set(snapshots_read([uuid4(), evening.jackpot])) == {evening.jackpot}


def test_of_two_reads_the_turn_tells_which_came_later_whatever_the_clock_did(evening):
    """What is at work when one reads has not ended, and what began later may end before it."""
    turns = []

    def read():
        turns.append(json.loads(snapshots_read([evening.jackpot])[evening.jackpot].texts[PIT])["turn"])

    with superuser() as one, superuser() as other:
        for link in (one, other):
            link.execute("BEGIN; SELECT pg_current_xact_id()")
        read()
        for link in (other, one):
            link.execute("COMMIT")
            read()
    assert turns == sorted(set(turns))


def test_two_reads_of_the_same_differ_in_the_moment_alone(evening):
    first, second = (snapshots_read([evening.jackpot])[evening.jackpot] for _ in range(2))
    assert first.bodies == second.bodies
    assert json.loads(first.texts[PIT])["at"] < json.loads(second.texts[PIT])["at"]
