"""Rounds played without the server bring what came after their lock: booked in its order, once, or kept for the pit as it came
(BOX-5, BJ-6 to BJ-9).
"""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Approval, Entry, Transfer
from tables import services
from tables.errors import RoundState
from tables.models import Guest, ReviewItem, Round, RoundStake
from tests.blackjack import Blackjack, hands
from tests.floor import done
from tests.tables.audits import breached_here
from tests.tables.test_correct import sign
from tests.turns import each
from tests.worlds import world

WON = {"bank": "bust", "boxes": hands(b1=["win"], b2=["win"])}
LOST = {"bank": "20", "boxes": hands(b1=["lose"], b2=["lose"])}


class Offline(Blackjack):
    """Two guests stake 300 francs each on box 1 (maximum 500), a third one 40 on box 2; the owner doubles, and box 2 is insured."""

    def __init__(self) -> None:
        super().__init__()
        self.owner, self.follows, self.insures = self.guest(1), self.guest(distance=1), self.guest(2)
        laid = [(self.owner, 1, 300), (self.follows, 1, 300), (self.insures, 2, 40)]
        self.stakes = [
            {"box": box, "guest": str(guest.pk), "kind": "stake", "amount_minor": chf * 100} for guest, box, chf in laid
        ]
        self.placed = [
            self.sent(self.insures, "insurance", 2, bank="Ah", amount_minor=2000),
            self.sent(self.owner, "double", cards="5h 6d"),
            self.sent(self.follows, "double"),
        ]

    def sent(self, guest: Guest, act: str, box: int = 1, **more: Any) -> dict[str, Any]:
        return self.placing(uuid4(), guest, act, box, **more)["placement"]

    def take(self, round_id: UUID, **changes: Any) -> dict[str, Any]:
        values = {"house_id": self.house.pk, "table_id": self.bj.pk, "person_id": self.martina.pk}
        values |= {"stakes": self.stakes, "placed": self.placed, "result": LOST, "round_id": round_id}
        return done(services.round_take_queued, **values | changes)

    def keep(self, round_id: UUID, **changes: Any) -> ReviewItem:
        payload = {"stakes": self.stakes, "placed": self.placed, "result": LOST} | changes
        values = {"house_id": self.house.pk, "table_id": self.bj.pk, "round_id": round_id, "kind": "queued"}
        refused = RoundState(state="locked")
        return done(services.review_item_record, **values, payload=payload, refused=refused, person_id=self.martina.pk)

    def clarify(self, command: str, entry: ReviewItem) -> Any:
        values = {"house_id": self.house.pk, "clarify_id": entry.pk, "actor_id": self.reto.pk}
        return done(getattr(services, f"review_item_{command}"), **values, reason="seen on camera")


pytestmark = world(Offline)


def refusal(work: Any, *args: Any, **values: Any) -> str:
    """By what it is refused; nothing is written."""
    before = (Entry.objects.count(), RoundStake.objects.count(), Round.objects.count())
    with pytest.raises(Refused) as refused, transaction.atomic():
        work(*args, **values)
    assert (Entry.objects.count(), RoundStake.objects.count(), Round.objects.count()) == before
    return refused.value.code


def test_what_came_after_the_lock_is_booked_in_its_order_and_once(floor):
    """PRM-3: the prime rule has cut the second stake to 200, and that is what is doubled; who decided is not asked (BOX-2)."""
    round_id = uuid4()
    first = floor.take(round_id)
    me, other, third = floor.owner.pk, floor.follows.pk, floor.insures.pk
    assert floor.later(round_id) == [
        (1, 2, third, third, "insurance", 20),
        (2, 1, me, me, "double_1", 300),
        (3, 1, other, other, "double_1", 200),
    ]
    keys = Transfer.objects.filter(subject_id=round_id).order_by("pk").values_list("key", flat=True)
    steps = ("lock", "place:1", "place:2", "place:3", "settle:1")
    assert list(keys) == [f"round:{round_id}:{step}" for step in steps]
    lines = {(line["guest"], line["kind"]): line["stake_minor"] // 100 for line in first["lines"]}
    assert lines == {
        (str(me), "stake"): 300,
        (str(other), "stake"): 200,
        (str(third), "stake"): 40,
        (str(third), "insurance"): 20,
        (str(me), "double_1"): 300,
        (str(other), "double_1"): 200,
    }
    assert (floor.balance("layout"), floor.balance("table_win")) == (0, -106_000)
    entries = Entry.objects.count()
    assert floor.take(round_id)["lines"] == first["lines"]
    assert (Entry.objects.count(), breached_here()) == (entries, {})
    follower_alone = [floor.sent(floor.follows, "double"), floor.sent(floor.owner, "double")]
    assert floor.take(uuid4(), placed=follower_alone)["state"] == "settled"
    assert breached_here() == {}


def test_who_has_gone_away_since_decides_no_more(floor):
    """PRM-2: the owner splits, and goes away; who followed splits again. Who doubled first is not asked, whoever brought it."""
    split = [floor.sent(floor.owner, "split", cards="8h 8d"), floor.sent(floor.follows, "split")]
    result = {"bank": "20", "boxes": hands(b1=["lose", "win", "win"], b2=["lose"])}
    there = [*split, floor.sent(floor.follows, "split", hand=2)]
    assert refusal(floor.take, uuid4(), placed=there, result=result) == "blackjack.not_first"
    gone = [*split, floor.sent(floor.follows, "split", hand=2, away=[str(floor.owner.pk)])]
    gone.append(floor.sent(floor.follows, "double", hand=3, cards="8d 3c"))
    gone.append(floor.sent(floor.insures, "double", hand=2, instead_of=floor.follows))
    assert floor.take(uuid4(), placed=gone, result=result)["state"] == "settled"
    assert breached_here() == {}


@each("since", ["sits there", "has left too"])
def test_who_took_the_place_of_a_guest_who_has_left_was_no_owner_yet(floor, since):
    """BOX-1, PRM-3: a co-player of the box sat down there before the round is taken; the owner's stake stays whole."""
    entry = floor.keep(uuid4())
    by = {"house_id": floor.house.pk, "actor_id": floor.martina.pk}
    done(services.guest_leave, **by, guest_id=floor.owner.pk)
    done(services.guest_move, **by, guest_id=floor.follows.pk, box=1, seated=True, distance=1)
    if since == "has left too":
        done(services.guest_leave, **by, guest_id=floor.follows.pk)
    assert floor.clarify("take", entry)["state"] == "settled"
    laid = RoundStake.objects.filter(box=1, placed=0, accepted_minor__gt=0)
    assert {row.guest_id: row.accepted_minor // 100 for row in laid} == {floor.owner.pk: 300, floor.follows.pk: 200}
    assert breached_here() == {}


def test_refused_placement_refuses_the_round(floor):
    again = floor.sent(floor.owner, "double")
    wrong = {
        "blackjack.placed_already": [*floor.placed, again],
        "blackjack.not_to_double": [floor.sent(floor.owner, "double", cards="Th 2d")],
        "blackjack.insurance_too_much": [floor.sent(floor.insures, "insurance", 2, bank="Ah", amount_minor=2001)],
        "blackjack.no_stake_there": [floor.sent(floor.insures, "double")],
        "round.placement_wrong": [{}],
        "round.too_many_stakes": [again] * 201,
    }
    assert {code: refusal(floor.take, uuid4(), placed=placed) for code, placed in wrong.items()} == {
        code: code for code in wrong
    }
    for placed in ({}, "double", None, 5):
        assert refusal(floor.take, uuid4(), placed=placed) == "round.placement_wrong"


def test_other_placements_are_another_round(floor):
    """It is booked: only a correction that has its placements changes which chips lay there, so the pit cannot take it either."""
    round_id = uuid4()
    floor.take(round_id)
    others = [[], floor.placed[:2], [*reversed(floor.placed)], [{}], None]
    codes = [refusal(floor.take, round_id, placed=placed) for placed in others]
    assert codes == ["round.placed_otherwise"] * len(others)
    assert refusal(floor.take, round_id, result=WON) == "round.booked_otherwise"
    entry = floor.keep(round_id, placed=floor.placed[:2])
    assert refusal(floor.clarify, "take", entry) == "round.placed_otherwise"
    floor.clarify("dismiss", entry)
    same = floor.keep(round_id)
    assert refusal(floor.clarify, "dismiss", same) == "clarify.booked"
    assert floor.clarify("take", same)["revision"] == 1
    other = floor.keep(round_id, result=WON)
    floor.clarify("take", other)
    asked = Approval.objects.get(action="round.correct", subject_id=str(round_id), state="open")
    sign(floor, asked, floor.ines)
    floor.correct(round_id, WON, person_id=floor.reto.pk, reason="seen on camera", approval_id=asked.pk)
    assert (Round.objects.get().revision, breached_here()) == (2, {})


@each("placed", ["all", "none"])
def test_what_was_kept_is_taken_with_its_placements(floor, placed):
    round_id = uuid4()
    entry = floor.keep(round_id) if placed == "all" else floor.keep(round_id, placed=[])
    other = floor.keep(round_id, placed=floor.placed[:1])
    assert floor.clarify("take", entry)["state"] == "settled"
    assert len(floor.later(round_id)) == (3 if placed == "all" else 0)
    states = dict(ReviewItem.objects.values_list("pk", "state"))
    assert states == {entry.pk: "taken", other.pk: "open"}
    assert breached_here() == {}


def test_what_the_pit_has_locked_and_placed_by_itself_is_gone_on_with(floor):
    """The lock came too late and was taken alone; the first of what followed was placed since."""
    round_id = uuid4()
    values = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "croupier_id": floor.reto.pk, "round_id": round_id}
    done(services.round_lock, **values, stakes=floor.stakes, supervisor=True, queued=True, clarified=True)
    floor.place(round_id, floor.insures, "insurance", 2, bank="Ah", amount_minor=2000)
    floor.place(round_id, floor.owner, "double")
    taken = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    assert refusal(floor.take, round_id, placed=floor.placed[:1]) == "round.placed_otherwise"
    done(services.round_take_back, **taken, placed=2)
    assert refusal(floor.take, round_id, placed=[]) == "round.placed_otherwise"
    assert floor.take(round_id)["state"] == "settled"
    assert [number for number, *_stake in floor.later(round_id)] == [1, 2, 3, 4, 5]
    assert floor.take(round_id)["revision"] == 1
    assert breached_here() == {}
