"""Hands of poker over HTTP (RAK-1, RAK-3): booked once, refused, clarified by the pit, and put right by who may."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import uuid4

import pytest

from casino.people.models import Person
from casino.people.pins import pin_set
from tables.models import Hand, HandIrregularity, HandOverride, HandResult, ReviewItem
from tests.casino.api.bad import refused
from tests.casino.api.callers import Callers
from tests.casino.devices import devices
from tests.poker import PokerRoom
from tests.tables.audits import breached_here
from tests.tables.pot_cases import end as pots_end
from tests.tables.pot_cases import guests, won
from tests.worlds import world


class Room(Callers):
    """A poker room with two guests at the raked table, and another house with one; a tablet at each open table."""

    floor: PokerRoom

    def __init__(self) -> None:
        super().__init__(PokerRoom())
        self.raked = self.at_tablet(self.floor.raked, self.floor.martina, "Poker 1")
        self.timed = self.at_tablet(self.floor.timed, self.floor.martina, "Poker 2")
        self.nora = self.at_tablet(self.floor.raked, self.floor.nora, "Second tablet")
        pin_set(person=Person.objects.get(username="o.pitboss"), pin=devices.PIN)
        self.stays = [self.floor.sit(seat) for seat in (2, 5)]
        self.beside = self.floor.sit(1, table=self.floor.timed)
        self.foreign = PokerRoom(suffix=".nord").sit(1)

    def played(self, **values: Any) -> dict[str, Any]:
        return {"dealt": [str(stay.pk) for stay in self.stays], "rake_minor": 5_00} | values

    def path(self, hand: object = None) -> str:
        return f"tables/{self.floor.raked.pk}/hands/{hand or uuid4()}/end/"

    def end(self, **values: Any) -> Any:
        return ok(self.raked.post(self.path(), self.played(**values)))

    def sign(self, approval: dict[str, Any]) -> str:
        """The pit signs; gives the approval."""
        proof = {"payload_hash": approval["payload_hash"], "secret": devices.PIN}
        assert len(ok(self.boss.post(f"approvals/{approval['id']}/sign/", proof))["signed_by"]) == approval["signers"]
        return str(approval["id"])


pytestmark = world(Room)


def ok(answer: tuple[int, dict[str, Any]]) -> Any:
    assert answer[0] == 200, answer
    return answer[1].get("answer", answer[1])


def test_RAK_1_a_hand_ends_by_its_key_or_by_its_pot(floor: Room) -> None:
    hand = str(uuid4())
    key = str(uuid4())
    first = floor.raked.post(floor.path(hand), floor.played(), key)
    booked = ok(first)
    assert booked == {
        "id": hand,
        "table": str(floor.floor.raked.pk),
        "number": 1,
        "state": "ended",
        "revision": 1,
        "variant": "holdem",
        "players": 2,
        "flop": True,
        "walk": False,
        "pot_minor": None,
        "posted_minor": None,
        "rake_minor": 5_00,
        "pots": None,
        "passed": False,
        "ended_at": booked["ended_at"],
    }
    assert floor.raked.post(floor.path(hand), floor.played(), key) == (200, first[1] | {"replayed": True})
    assert ok(floor.raked.post(floor.path(hand), floor.played())) == booked
    refused(floor.raked.post(floor.path(hand), floor.played(rake_minor=4_00)), 409, "poker.hand_taken")
    by_pot = floor.end(rake_minor=None, pot_minor=60_00)
    assert [by_pot[name] for name in ("number", "pot_minor", "posted_minor", "rake_minor")] == [2, 60_00, 3_00, 3_00]
    assert floor.floor.balances()["rake"] == -8_00
    assert breached_here() == {}


def test_RAK_3_bad_input_is_refused_and_nothing_is_written(floor: Room, subtests: pytest.Subtests) -> None:
    room, stays = floor.floor, floor.played()["dealt"]
    missing, field = (422, "poker.rake_missing", "RAK-1"), (400, "request.field_wrong", None)
    gone, no_amount = (404, "poker.stay_gone", "POK-2"), (422, "poker.amount_refused", "POK-2")
    pot = {"rake_minor": None}
    bad: list[tuple[dict[str, Any], tuple[int, str, str | None]]] = [
        *(({"rake_minor": minor}, missing) for minor in ("500", -1_00, 10**18, True, [5_00], None)),
        ({"rake_minor": 500.0}, (400, "data.refused", None)),
        ({"rake_minor": 5_50}, (422, "poker.off_step", "RAK-3")),
        ({"rake_minor": 50_00}, (422, "poker.rake_above_cap", "RAK-3")),
        ({"rake_minor": 2_00, "pot_minor": 1_00}, (422, "poker.rake_above_pot", "RAK-3")),
        *((pot | {"pot_minor": minor}, no_amount) for minor in ("6000", -1_00, 10**18)),
        (pot | {"pot_minor": 60_50}, (422, "poker.off_chip", "POK-2")),
        ({"dealt": stays[:1]}, (422, "poker.too_few", "POK-1")),
        *(({"dealt": ids}, field) for ids in ([], [stays[0]] * 2, [*stays, "x"], "all", None)),
        *(({"dealt": [stays[0], str(pk)]}, gone) for pk in (floor.beside.pk, floor.foreign.pk, uuid4())),
        ({"variant": "stud"}, (422, "poker.variant_wrong", "POK-1")),
        *(({"began_at": moment}, field) for moment in ("today", "2026-11-28T20:00:00", 5, "1900-01-01T00:00:00+00:00")),
        *(({name: "yes"}, field) for name in ("flop", "walk", "queued")),
        ({"tip": 5}, (400, "request.field_unknown", None)),
    ]  # fmt: skip
    before = room.balances()
    for changed, (status, code, rule) in bad:
        with subtests.test(changed=changed):
            refused(floor.raked.post(floor.path(), floor.played(**changed)), status, code, rule)
    assert (room.balances(), Hand.objects.exists(), ReviewItem.objects.exists()) == (before, False, False)


def test_a_hand_is_of_its_table_and_of_who_deals_there(floor: Room) -> None:
    refused(floor.timed.post(floor.path(), floor.played()), 404, "table.unknown")
    refused(floor.nora.post(floor.path(), floor.played()), 403, "round.croupier_wrong")
    assert not Hand.objects.exists()
    hand = floor.end()
    again = floor.played(revision=1, reason="mistyped", rake_minor=4_00)
    void = {"revision": 1, "reason": "card twice in the deck"}
    for step, body in (
        ("correct", again),
        ("correction-request", again),
        ("void", void | {"approval": str(uuid4())}),
        ("void-request", void),
    ):
        refused(floor.timed.post(f"hands/{hand['id']}/{step}/", body), 404, "poker.hand_unknown")
    assert HandResult.objects.get().rake_minor == 5_00


def queued_too_late(floor: Room) -> tuple[str, dict[str, Any]]:
    """A queued hand whose guest has left meanwhile: its id, and where it waits for the pit."""
    hand = str(uuid4())
    problem = refused(floor.raked.post(floor.path(hand), floor.played(queued=True)), 404, "poker.dealt_gone", "POK-2")
    return hand, problem["to_clarify"]


def test_a_queued_hand_that_is_refused_is_taken_or_dismissed_by_the_pit(floor: Room) -> None:
    floor.floor.of(floor.stays[1], "stay_leave", counted_minor=90_00)
    played, item = queued_too_late(floor)
    never, other = queued_too_late(floor)
    rows = floor.boss.get("to-clarify/")[1]["results"]
    assert [(row["id"], row["kind"], row["code"]) for row in rows] == [
        (entry["id"], "hand_end", "poker.dealt_gone") for entry in (other, item)
    ]
    why = {"reason": "seen on camera"}
    booked = ok(floor.boss.post(f"to-clarify/{item['id']}/take/", why))
    assert (booked["round"], booked["entry"]["state"]) == (None, "taken")
    assert [booked["hand"][name] for name in ("id", "state", "revision", "rake_minor")] == [played, "ended", 1, 5_00]
    assert (
        ok(floor.boss.post(f"to-clarify/{other['id']}/dismiss/", why | {"never_played": True}))["state"] == "dismissed"
    )
    refused(floor.raked.post(floor.path(never), floor.played(queued=True)), 409, "poker.hand_dismissed")
    assert [str(hand.pk) for hand in Hand.objects.all()] == [played]
    assert breached_here() == {}


def test_a_hand_is_corrected_alone_and_once_the_next_has_ended_by_an_approval(floor: Room) -> None:
    hand = floor.end()
    at = f"hands/{hand['id']}/"
    again = floor.played(revision=1, reason="mistyped", rake_minor=4_00)
    alone = ok(floor.raked.post(f"{at}correct/", again))
    assert (alone["revision"], alone["rake_minor"]) == (2, 4_00)
    refused(floor.raked.post(f"{at}correct/", again | {"rake_minor": 3_00}), 409, "poker.revision_old")
    floor.end()
    later = again | {"revision": 2, "rake_minor": 3_00}
    refused(floor.raked.post(f"{at}correct/", later), 422, "poker.approval_needed")
    approval = floor.sign(ok(floor.raked.post(f"{at}correction-request/", later)))
    refused(
        floor.raked.post(f"{at}correct/", later | {"rake_minor": 2_00, "approval": approval}), 409, "approval.changed"
    )
    signed = ok(floor.raked.post(f"{at}correct/", later | {"approval": approval}))
    assert (signed["revision"], signed["rake_minor"]) == (3, 3_00)
    assert floor.floor.balances()["rake"] == -8_00
    assert breached_here() == {}


def test_a_hand_does_not_count_once_the_pit_has_signed(floor: Room) -> None:
    hand = floor.end()
    at, void = f"hands/{hand['id']}/", {"revision": 1, "reason": "card twice in the deck"}
    refused(floor.raked.post(f"{at}void/", void | {"approval": str(uuid4())}), 404, "approval.unknown")
    approval = floor.sign(ok(floor.raked.post(f"{at}void-request/", void)))
    assert ok(floor.raked.post(f"{at}void/", void | {"approval": approval}))["state"] == "voided"
    assert floor.floor.balances().get("rake") is None
    assert breached_here() == {}


def test_RAK_3_a_hand_is_read_with_all_that_was_entered(floor: Room) -> None:
    """By its own tablet and the offices, by no other table's."""
    hand = floor.end(pot_minor=60_00, rake_minor=None)
    more = {"revision": 1, "reason": "mistyped"}
    ok(floor.raked.post(f"hands/{hand['id']}/correct/", floor.played(pot_minor=40_00, rake_minor=None) | more))
    status, whole = floor.raked.get(f"hands/{hand['id']}/")
    entries = [(entry["revision"], entry["pot_minor"], entry["rake_minor"]) for entry in whole["entries"]]
    assert (status, whole["rake_minor"], entries) == (200, 2_00, [(1, 60_00, 3_00), (2, 40_00, 2_00)])
    assert {tuple(entry["dealt"]) for entry in whole["entries"]} == {tuple(floor.played()["dealt"])}
    assert [floor.timed.get(f"hands/{hand['id']}/")[0], floor.auditor.get(f"hands/{hand['id']}/")[0]] == [404, 200]


def test_POK_9_what_goes_wrong_is_recorded_and_answered_with_the_rule(floor: Room) -> None:
    path = f"tables/{floor.floor.raked.pk}/irregularities/"
    hand = floor.end()
    what: dict[str, Any] = {"kind": "open_fold", "decision": "plays_on", "reason": "by accident"}
    recorded = ok(floor.raked.post(path, what | {"hand": hand["id"], "seat": 2, "card": "Ah"}))
    assert recorded | {"id": 0, "at": ""} == what | {
        "id": 0,
        "hand": hand["id"],
        "seat": 2,
        "card": "Ah",
        "override": False,
        "recorded_by": str(floor.floor.martina.pk),
        "at": "",
        "rule": "By accident it is no fold.",
    }
    otherwise = what | {"decision": "hand_dead"}
    bad: list[tuple[dict[str, Any], tuple[int, str, str | None]]] = [
        (otherwise, (422, "poker.decision_unknown", "POK-9")),
        (what | {"kind": "late"}, (422, "poker.decision_unknown", "POK-9")),
        (otherwise | {"override": True}, (422, "poker.override_needs_floor", "POK-9")),
        (what | {"hand": str(uuid4())}, (404, "poker.hand_unknown", None)),
        (what | {"seat": 10}, (422, "poker.seat_outside", "BOX-1")),
        (what | {"card": "Zz"}, (422, "cards.unknown", None)),
        (what | {"reason": "no"}, (400, "text.refused", None)),
    ]
    for body, (status, code, rule) in bad:
        refused(floor.raked.post(path, body), status, code, rule)
    assert ok(floor.boss.post(path, otherwise | {"override": True}))["decision"] == "hand_dead"
    assert HandIrregularity.objects.count() == 2


def test_POK_9_management_pays_by_the_last_signature(floor: Room) -> None:
    """Of a hand whose pots were entered: elsewhere nobody knows what a seat could win."""
    stays = guests(floor.floor, name="Poker 9")
    hand = pots_end(floor.floor, won(stays, 1))
    asks = {"revision": 1, "stay": str(stays[1].pk), "amount_minor": 5_00, "reason": "pushed to seat 1"}
    manager, path = floor.offices["manager"], f"hands/{hand.pk}/override-request/"
    assert floor.raked.post(path, asks)[0] == 403
    refused(manager.post(f"hands/{floor.end()['id']}/override-request/", asks), 409, "poker.pots_unknown", "POK-9")
    refused(manager.post(path, asks | {"amount_minor": 99_00}), 422, "poker.override_above", "POK-9")
    approval = ok(manager.post(path, asks))
    assert (approval["action"], HandOverride.objects.count()) == ("poker.override", 0)
    floor.sign(approval)
    assert HandOverride.objects.get().amount_minor == 5_00
    assert breached_here() == {}
