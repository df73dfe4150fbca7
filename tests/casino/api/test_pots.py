"""Hands at *pots* over HTTP (POK-2, POK-6, POK-7): booked once, refused with what would do, clarified, put right and voided."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import uuid4

import pytest

from casino.people.models import Person
from casino.people.pins import pin_set
from tables.models import Hand, HandSeat, ReviewItem
from tests.casino.api.bad import refused
from tests.casino.api.callers import Callers
from tests.casino.api.test_hands import ok
from tests.casino.devices import devices
from tests.tables.audits import breached_here
from tests.tables.test_pots import Potted
from tests.worlds import world


class PotsRoom(Callers):
    """The table of `Potted` with its tablet, and a tablet at one that is entered at *rake only*."""

    floor: Potted

    def __init__(self) -> None:
        super().__init__(Potted())
        self.raked = self.at_tablet(self.floor.raked, self.floor.martina, "Poker 1")
        self.timed = self.at_tablet(self.floor.timed, self.floor.martina, "Poker 2")
        pin_set(person=Person.objects.get(username="o.pitboss"), pin=devices.PIN)

    def played(self, **pots: Any) -> dict[str, Any]:
        """Seat 3 is all-in with 85.00, the others go on to 130.00; `pots` changes what is entered of it."""
        stacks = self.floor.stacks()
        entered = {
            "seats": [*stacks],
            "stacks_minor": [*stacks.values()],
            "button": 7,
            "streets": [{"to_minor": minor} for minor in (15_00, 30_00, 85_00, 0)],
            "winners": [{"high": [3, 7]}, {"high": [7]}],
        }
        return {"dealt": [str(stay.pk) for stay in self.floor.stays], "pots": entered | pots}

    def path(self, hand: object = None) -> str:
        return f"tables/{self.floor.raked.pk}/hands/{hand or uuid4()}/end/"

    def sign(self, approval: dict[str, Any]) -> str:
        """The pit signs; gives the approval."""
        proof = {"payload_hash": approval["payload_hash"], "secret": devices.PIN}
        ok(self.boss.post(f"approvals/{approval['id']}/sign/", proof))
        return str(approval["id"])


pytestmark = world(PotsRoom)

MAIN = [
    {"seat": 3, "half": "whole", "amount_minor": 123_00, "odd_minor": 1_00},
    {"seat": 7, "half": "whole", "amount_minor": 122_00, "odd_minor": 0},
]
SIDE = [{"seat": 7, "half": "whole", "amount_minor": 90_00, "odd_minor": 0}]
RESULT = {
    "uncalled": None,
    "pots": [
        {"amount_minor": 255_00, "rake_minor": 10_00, "shares": MAIN},
        {"amount_minor": 90_00, "rake_minor": 0, "shares": SIDE},
    ],
}


def test_POK_6_a_hand_ends_with_its_pots_and_comes_twice_as_one(floor: PotsRoom) -> None:
    hand = str(uuid4())
    key = str(uuid4())
    body = floor.played(expects=RESULT)
    first = floor.raked.post(floor.path(hand), body, key)
    booked = ok(first)
    assert booked == {
        "id": hand,
        "table": str(floor.floor.raked.pk),
        "number": 1,
        "state": "ended",
        "revision": 1,
        "variant": "holdem",
        "players": 3,
        "flop": True,
        "walk": False,
        "pot_minor": 345_00,
        "posted_minor": 10_00,
        "rake_minor": 10_00,
        "passed": False,
        "pots": RESULT,
        "ended_at": booked["ended_at"],
    }
    assert floor.raked.post(floor.path(hand), body, key) == (200, first[1] | {"replayed": True})
    assert ok(floor.raked.post(floor.path(hand), body)) == booked
    other = body | {"pots": body["pots"] | {"expects": None, "winners": [{"high": [3]}, {"high": [7]}]}}
    refused(floor.raked.post(floor.path(hand), other), 409, "poker.hand_taken")
    assert floor.floor.stacks() == {3: 123_00, 5: 70_00, 7: 212_00}
    whole = floor.raked.get(f"hands/{hand}/")[1]
    assert (whole["pots"], whole["entries"][0]["pots"]["streets"][0]) == (RESULT, {"to_minor": 15_00, "folds": {}})
    assert breached_here() == {}


def test_POK_2_a_hand_that_was_begun_bars_the_pit_until_it_ends(floor: PotsRoom) -> None:
    """Begun twice it is one; sent without a begin it is booked all the same."""
    hand = str(uuid4())
    at = f"tables/{floor.floor.raked.pk}/hands/{hand}/begin/"
    body = {"number": 1, "button": 3, "dealt": floor.played()["dealt"]}
    begun = ok(floor.raked.post(at, body))
    names = {"id": hand, "number": 1, "button": 3, "variant": "holdem", "dealt": body["dealt"]}
    assert begun == names | {"since": begun["since"]}
    assert ok(floor.raked.post(at, body)) == begun
    tip = {"kind": "tip", "amount_minor": 1_00, "means": "stack"}
    path = f"stays/{body['dealt'][0]}/chips/"
    refused(floor.boss.post(path, tip), 409, "poker.mid_hand", "POK-2")
    refused(floor.timed.post(at, body), 404, "table.unknown")
    ok(floor.raked.post(floor.path(hand), floor.played()))
    refused(floor.raked.post(at, body), 409, "poker.hand_taken")
    ok(floor.boss.post(path, tip))
    assert breached_here() == {}


def test_POK_6_a_hand_of_cards_needs_no_winner(floor: PotsRoom) -> None:
    cards = {"board": "Kh Kd 5s 5c 9h", "hands": {"3": "Ah 2c", "7": "As 3d"}}
    shares = ok(floor.raked.post(floor.path(), floor.played(winners=[], **cards)))["pots"]["pots"][0]["shares"]
    assert shares == MAIN
    assert breached_here() == {}


def streets(*first: dict[str, Any]) -> dict[str, Any]:
    return {"streets": [*first]}


def expected(**main: Any) -> dict[str, Any]:
    return {"expects": RESULT | {"pots": [RESULT["pots"][0] | main, RESULT["pots"][1]]}}


def cards(board: str, seat_3: str, seat_7: str, **more: Any) -> dict[str, Any]:
    return {"board": board, "hands": {"3": seat_3, "7": seat_7}} | more


BOARD = "Kh Kd 5s 5c 9h"
# What is entered otherwise, and how it is refused: status, code, rule, figures.
BAD: list[tuple[dict[str, Any], tuple[int, str, str | None, dict[str, Any]]]] = [
    (streets({"to_minor": 201_00}),
     (422, "poker.bet_above_stack", "POK-2", {"amount_minor": 201_00, "street": 1, "most_minor": 200_00})),
    (streets({"to_minor": 15_50}),
     (422, "poker.off_chip", "POK-2", {"amount_minor": 15_50, "chip_minor": 1_00, "nearest_minor": 15_00})),
    (streets({"to_minor": 15_00, "folds": {"5": 16_00}}),
     (422, "poker.fold_above_bet", "POK-3", {"seat": 5, "amount_minor": 16_00, "street": 1, "most_minor": 15_00})),
    (streets({"to_minor": 90_00, "folds": {"3": 86_00}}),
     (422, "poker.above_stack", "POK-2", {"seat": 3, "amount_minor": 86_00, "stack_minor": 85_00})),
    (streets({"to_minor": 90_00, "folds": {"3": 85_00}}), (422, "poker.fold_all_in", "POK-8", {"seat": 3})),
    (streets({"to_minor": 5_00, "folds": {"4": 0}}), (422, "poker.seat_not_in", "POK-8", {"seat": 4, "street": 1})),
    (streets({"to_minor": 5_00, "folds": {"3": 0, "5": 0, "7": 0}}), (422, "poker.nobody_left", "POK-8", {"street": 1})),
    ({"button": 1}, (422, "poker.button_wrong", "POK-5", {"variant": "Texas Hold'em", "seat": 1})),
    (streets({"to_minor": 5_00, "folds": {"3": 0}}) | {"winners": [{"high": [5]}]},
     (422, "poker.post_wrong", "POK-4", {"seat": 3, "amount_minor": 0, "posted_minor": 1_00})),
    (streets({"to_minor": 1_00}) | {"winners": [{"high": [5]}]},
     (422, "poker.post_missing", "POK-4", {"amount_minor": 1_00, "posted_minor": 2_00})),
    ({"dead": {"7": 2_00}}, (422, "poker.dead_above", "POK-4", {"seat": 7, "amount_minor": 2_00, "most_minor": 1_00})),
    (streets(*[{"to_minor": 1_00}] * 5), (422, "poker.streets_many", "POK-1", {"street": 5, "most": 4})),
    (streets({"to_minor": 5_00, "folds": {"5": 5_00}}) | {"winners": [{"high": [5]}]},
     (422, "poker.winner_folded", "POK-8", {"seat": 5})),
    ({"winners": [{"high": [3]}, {"high": [3]}]},
     (422, "poker.winner_not_in_pot", "POK-6", {"seat": 3, "pot": 2, "amount_minor": 90_00})),
    ({"winners": [{"high": [3]}]}, (422, "poker.winner_missing", "POK-8", {"pot": 2, "amount_minor": 90_00})),
    ({"winners": [{"high": [3]}, {"high": [7]}, {"high": [7]}]},
     (422, "poker.winner_of_no_pot", "POK-6", {"entered": 3, "pots": 2})),
    ({"winners": [{"high": [3], "low": [7]}, {"high": [7]}]}, (422, "poker.low_unplayed", "HAND-5", {})),
    (cards(BOARD, "Ah 2c", "As Ah"), (422, "cards.twice", "HAND-7", {"card": "Ah"})),
    (cards(BOARD, "Ah", "As 3d"), (422, "cards.count", "HAND-7", {"given": 1, "wanted": "2"})),
    (cards(BOARD, "Ah 2c", "As 3d 4d"), (422, "cards.count", "HAND-7", {"given": 3, "wanted": "2"})),
    (cards("Kh Kd 5s 5c", "Ah 2c", "As 3d"), (422, "cards.count", "HAND-7", {"given": 4, "wanted": "5"})),
    (cards(BOARD, "Ah Zz", "As 3d"), (422, "cards.unknown", None, {"card": "Zz"})),
    (cards(BOARD, "Kc 2c", "As 3d"),
     (422, "poker.cards_say_other", "HAND-6", {"pot": 1, "amount_minor": 255_00, "seats": "3", "entered": "3, 7"})),
    (expected(amount_minor=254_00),
     (422, "poker.pots_differ", "POK-6", {"pot": 1, "booked_minor": 255_00, "entered_minor": 254_00})),
    (expected(rake_minor=9_00),
     (422, "poker.rakes_differ", "RAK-3", {"pot": 1, "booked_minor": 10_00, "entered_minor": 9_00})),
    (expected(shares=SIDE),
     (422, "poker.shares_differ", "POK-7", {"seat": 3, "booked_minor": 123_00, "entered_minor": 0})),
    ({"stacks_minor": [85_00, 200_00, 131_00]},
     (409, "poker.stacks_differ", "POK-2", {"seat": 7, "booked_minor": 130_00, "entered_minor": 131_00})),
    ({"seats": [3, 5, 6], "button": 3, "winners": [{"high": [3]}, {"high": [6]}]},
     (409, "poker.stacks_differ", "POK-2", {"seat": 6, "booked_minor": 130_00, "entered_minor": 130_00})),
    ({"seats": [3, 5], "stacks_minor": [85_00, 200_00], "winners": [{"high": [3]}]},
     (422, "poker.seats_other", "POK-2", {"seats": 2, "players": 3})),
    (streets() | {"winners": []}, (422, "poker.nothing_paid", "POK-6", {})),
    (streets({"to_minor": 5_00, "folds": {"5": 0, "7": 0}}), (422, "poker.nothing_paid", "POK-6", {})),
    ({"stacks_minor": [85_50, 200_00, 130_00]},
     (422, "poker.off_chip", "POK-2", {"amount_minor": 85_50, "chip_minor": 1_00, "nearest_minor": 85_00})),
]  # fmt: skip
# What is no hand, by the field that is named.
UNREADABLE: list[tuple[dict[str, Any], str]] = [
    *((streets({"to_minor": minor}), "streets.to_minor") for minor in (10**18, "1500", -1, True, None, [15_00])),
    *(({"stacks_minor": stacks}, "stacks_minor") for stacks in ([10**18, 1, 1], ["8500", 1, 1], [85_00], 85_00, None)),
    *(({"seats": seats}, "seats") for seats in ([*range(1, 12)], [3, 3, 5], [0, 3, 5], ["3", 5, 7], "3 5 7", None)),
    (streets(*[{"to_minor": 0}] * 101), "streets"),
    (streets({"to_minor": 5_00, "folds": {"11": 0}}), "streets.folds"),
    (streets({"to_minor": 5_00, "folds": {"3": "0"}}), "streets.folds"),
    (streets({"to_minor": 5_00, "folds": [3]}), "streets.folds"),
    (streets({"to_minor": 5_00, "fold": {"3": 0}}), "streets"),
    ({"dead": {"3": -1}}, "dead"),
    ({"button": 11}, "button"),
    ({"winners": [{"high": [3, 3]}]}, "winners.high"),
    ({"winners": [[3], [7]]}, "winners"),
    ({"winners": [{"high": [3], "odd": 3}]}, "winners"),
    ({"board": ["Kh"]}, "board"),
    ({"board": "Kh " * 40}, "board"),
    ({"hands": {"3": 5}}, "hands"),
    ({"expects": []}, "expects"),
    ({"expects": {"pots": 5}}, "expects"),
    ({"expects": {"pots": [{"amount_minor": "25500", "rake_minor": 0, "shares": []}]}}, "expects.amount_minor"),
    ({"expects": RESULT | {"pot": 1}}, "expects"),
    ({"pot": 1}, "pots"),
]  # fmt: skip


def test_POK_6_bad_input_is_refused_and_nothing_is_written(floor: PotsRoom, subtests: pytest.Subtests) -> None:
    room = floor.floor
    before = room.balances()
    for changed, (status, code, rule, figures) in BAD:
        with subtests.test(changed=changed):
            problem = refused(floor.raked.post(floor.path(), floor.played(**changed)), status, code, rule)
            assert problem["data"] | figures == problem["data"]
    for changed, field in UNREADABLE:
        with subtests.test(changed=changed):
            problem = refused(
                floor.raked.post(floor.path(), floor.played(**changed)), 422, "poker.entry_wrong", "POK-6"
            )
            assert problem["data"]["field"] == field
    good = floor.played()
    bodies: list[tuple[dict[str, Any], int, str, str | None]] = [
        *(({"pots": pots}, 400, "request.field_wrong", None) for pots in ([], "all", 5, True)),
        ({"pots": {}}, 422, "poker.entry_wrong", "POK-6"),
        ({"pots": good["pots"] | {"stacks_minor": [85_00, 200.0, 130_00]}}, 400, "data.refused", None),
        ({"pots": None, "rake_minor": 5_00}, 409, "poker.level_other", None),
        ({"dealt": good["dealt"][:2]}, 422, "poker.seats_other", "POK-2"),
        ({"dealt": good["dealt"][::-1]}, 409, "poker.stacks_differ", "POK-2"),
        ({"dealt": [*good["dealt"][:2], str(uuid4())]}, 404, "poker.stay_gone", "POK-2"),
        ({"variant": "omaha"}, 422, "poker.variant_wrong", "POK-1"),
        *(
            ({field: value}, 422, "poker.entry_wrong", "POK-6")  # of pots of 345.00, with 10.00 to the house
            for field, value in (("rake_minor", 9_00), ("pot_minor", 344_00), ("flop", False), ("walk", True))
        ),
    ]
    for body, status, code, rule in bodies:
        with subtests.test(body=body):
            refused(floor.raked.post(floor.path(), good | body), status, code, rule)
    stays = [room.sit(seat, table=room.timed) for seat in (1, 2, 3)]
    other = f"tables/{room.timed.pk}/hands/{uuid4()}/end/"
    refused(floor.timed.post(other, good | {"dealt": [str(stay.pk) for stay in stays]}), 409, "poker.level_other")
    assert (room.balances(), Hand.objects.exists(), ReviewItem.objects.exists()) == (before, False, False)


def test_POK_2_a_queued_hand_that_a_stack_does_not_bear_waits_for_the_pit(floor: PotsRoom) -> None:
    room = floor.floor
    body = floor.played(winners=[{"high": [7]}, {"high": [7]}]) | {"queued": True}
    room.of(room.stays[0], "stay_chips", kind="tip", amount_minor=5_00, means="stack")
    items = []
    for hand in (played := uuid4(), uuid4()):
        problem = refused(floor.raked.post(floor.path(hand), body), 409, "poker.stacks_differ", "POK-2")
        assert problem["data"]["booked_minor"] == 80_00
        items.append(problem["to_clarify"]["id"])
    why = {"reason": "seen on camera"}
    booked = ok(floor.boss.post(f"to-clarify/{items[0]}/take/", why))["hand"]
    assert (booked["id"], booked["pots"]["pots"][0]["shares"][0]["amount_minor"]) == (str(played), 245_00)
    assert ok(floor.boss.post(f"to-clarify/{items[1]}/dismiss/", why))["state"] == "dismissed"
    assert (room.stacks(), room.balances()["in_play"]) == ({3: 0, 5: 70_00, 7: 335_00}, 5_00)
    lost = HandSeat.objects.get(seat=3)
    assert (lost.live_minor, lost.booked_minor) == (85_00, -80_00)
    assert breached_here() == {}


def test_POK_6_a_hand_is_corrected_and_voided(floor: PotsRoom) -> None:
    room = floor.floor
    body = floor.played()
    hand = ok(floor.raked.post(floor.path(), body))
    at, again = f"hands/{hand['id']}/", {"revision": 1, "reason": "mistyped"}
    by_rake = {"dealt": body["dealt"], "rake_minor": 5_00} | again
    refused(floor.raked.post(f"{at}correct/", by_rake), 409, "poker.level_other")
    right = body | {"pots": body["pots"] | {"winners": [{"high": [3]}, {"high": [5]}]}}
    mistake = right | again | {"correction": "mistake"}
    refused(floor.raked.post(f"{at}correct/", mistake), 422, "poker.correction_unknown")
    alone = ok(floor.raked.post(f"{at}correct/", right | again | {"correction": "award_moved"}))
    entries = ok(floor.raked.get(at))["entries"]
    assert [entry["correction"] for entry in entries] == ["", "award_moved"]
    assert (alone["revision"], room.stacks()) == (2, {3: 245_00, 5: 160_00, 7: 0})
    next_hand = floor.played(streets=[{"to_minor": 5_00}], winners=[{"high": [3]}], button=3)
    for rows in (next_hand["dealt"], next_hand["pots"]["seats"], next_hand["pots"]["stacks_minor"]):
        del rows[2]  # nobody is dealt in without chips
    ok(floor.raked.post(floor.path(), next_hand))
    later = body | again | {"revision": 2}
    refused(floor.raked.post(f"{at}correct/", later), 422, "poker.approval_needed")
    carried = later | {"correction": "award_moved"}
    refused(floor.raked.post(f"{at}correction-request/", carried), 409, "poker.claim_late", "POK-9")
    approval = floor.sign(ok(floor.raked.post(f"{at}correction-request/", later)))
    other = later | {"pots": right["pots"], "approval": approval}
    refused(floor.raked.post(f"{at}correct/", other), 409, "approval.changed")
    assert ok(floor.raked.post(f"{at}correct/", later | {"approval": approval}))["revision"] == 3
    void = {"revision": 3, "reason": "card twice in the deck"}
    approval = floor.sign(ok(floor.raked.post(f"{at}void-request/", void)))
    assert ok(floor.raked.post(f"{at}void/", void | {"approval": approval}))["state"] == "voided"
    assert breached_here() == {}
