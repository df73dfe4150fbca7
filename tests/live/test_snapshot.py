"""What a snapshot says in every phase of a hit, in how many statements, and what it never says."""

import json
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.live.snapshot import DISPLAY, FEEDS, PIT, TABLET, snapshots_read
from jackpot.models import Claim
from jackpot.services import claim_verify, display_heard, display_require, gate_confirm, jackpot_advance, jackpot_sign
from payouts.models import Approval
from tables import services
from tables.models import Guest
from tests.cast import make_person
from tests.floor import Floor, done, stakes_for, taps

ROYAL = {
    "board": "Ah Kh Qh 2c 3d",
    "dealer": "9c 9d",
    "boxes": {"1": {"play": 4, "cards": "Jh Th"}, "2": {"play": 1, "cards": "4d 5d"}},
}
FOLDS = taps(b1={"result": "fold"}, b2={"result": "fold"})
CHECKED = {"cards_seen": "yes", "deck_counted": "52", "camera_time": "21:14"}


class Evening:
    """Two linked tables, both open; a display that must show each new value."""

    def __init__(self, suffix: str = "") -> None:
        self.floor = floor = Floor(suffix=suffix)
        self.house, self.jackpot = floor.house.pk, floor.jackpot.pk
        done(services.table_link, house_id=self.house, table_id=floor.other.pk, jackpot_id=self.jackpot)
        self.guests, self.others = floor.open(), floor.open(floor.other, floor.nora)
        self.display, self.session = uuid4(), uuid4()
        self.own = {"house_id": self.house, "jackpot_id": self.jackpot, "display_id": self.display}
        done(display_require, **self.own, name="Eingang")

    def told(self, feed: str = PIT) -> dict:
        return json.loads(snapshots_read([self.jackpot])[self.jackpot].texts[feed])

    def hit(self) -> UUID:
        """Both tables have a coin; the first one holds the royal flush. Gives the round of the other."""
        floor = self.floor
        mine = floor.lock(stakes_for(self.guests[:2], coins=1))["id"]
        other = floor.lock(stakes_for(self.others[:2], coins=1), table_id=floor.other.pk, croupier_id=floor.nora.pk)
        floor.settle(mine, ROYAL)
        return other["id"]

    def drain(self, other: UUID) -> None:
        self.floor.settle(other, FOLDS, person_id=self.floor.nora.pk)
        jackpot_advance(jackpot_id=self.jackpot)

    def verify(self) -> None:
        claim = Claim.objects.get(hit__jackpot=self.jackpot, state="open")
        done(
            claim_verify,
            house_id=self.house,
            claim_id=claim.pk,
            person_id=self.floor.reto.pk,
            checklist=CHECKED,
        )
        jackpot_advance(jackpot_id=self.jackpot)

    def sign(self, name: str) -> None:
        signer = make_person(name, "pit_boss", house=self.floor.house)
        asked = Approval.objects.get(house=self.house, action="jackpot.award", state="open")
        done(
            jackpot_sign,
            house_id=self.house,
            approval_id=asked.pk,
            payload_hash=bytes(asked.payload_hash),
            signer_id=signer.pk,
            signer_roles=signer.roles,
            method=asked.method,
        )
        jackpot_advance(jackpot_id=self.jackpot)

    def confirm(self) -> None:
        told = self.told(DISPLAY)
        done(display_heard, **self.own, session_id=self.session)
        gate = told["gate"]
        values = {"gate": gate["number"], "nonce": gate["nonce"], "version": gate["version"], "shown": told["text"]}
        done(gate_confirm, **self.own, session_id=self.session, **values)
        jackpot_advance(jackpot_id=self.jackpot)


@pytest.fixture(scope="module")
def evening(database_of_module: str) -> Evening:
    return Evening()


def test_a_hit_from_the_first_claim_to_the_reopening(evening):
    opening = evening.told()
    assert (opening["phase"], opening["hit"], opening["epoch"]) == ("open", None, 1)
    nothing = {"rounds": [], "claims": 0, "signatures": None, "displays": []}
    assert opening["waiting_for"] == nothing

    other = evening.hit()
    draining = evening.told()
    assert (draining["phase"], draining["version"] > opening["version"]) == ("draining", True)
    owed = {"round": str(other), "table": str(evening.floor.other.pk), "name": "UTH 2"}
    assert draining["waiting_for"] == nothing | {"rounds": [owed], "claims": 1}
    hit = {"number": 1, "tables": ["UTH 1"], "winners": [], "won_minor": 0, "won_text": ""}
    assert draining["hit"] == hit | {"state": "draining"}

    evening.drain(other)
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
        "displays": [{"display": str(evening.display), "name": "Eingang", "state": "waiting"}]
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


def test_two_reads_of_the_same_differ_in_the_moment_alone(evening):
    first, second = (snapshots_read([evening.jackpot])[evening.jackpot] for _ in range(2))
    assert first.bodies == second.bodies
    assert json.loads(first.texts[PIT])["at"] < json.loads(second.texts[PIT])["at"]
    assert first.texts[PIT] is first.texts[TABLET]  # written once for all who are told the same
