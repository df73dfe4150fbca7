"""Evidence of a shoe counts by whichever door a stake or result comes, whenever it is read (HAND-6, BOX-5). By which cards,
`test_fed.py` has.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from casino.pit.alert_rules import FEED_LAGS_S
from payouts.commands import run_once
from payouts.errors import Refused
from payouts.models import Event
from tables import services
from tables.errors import RoundState
from tables.models import CardFeed, ReviewItem, Round
from tests.blackjack import hands
from tests.casino.pit.clocks import later
from tests.floor import done
from tests.tables.test_fed import DRAWN, ENDS, FALSE, TWO, WON, Fed, alerts, code_of, evaluated, overruled, replayed
from tests.worlds import world

WHY = "seen on camera"
pytestmark = world(Fed)


def late_lock(floor: Fed, francs: int = 100) -> tuple[UUID, dict[str, Any]]:
    """A round whose late lock the pit took, with a double that its tablet still has in its queue."""
    round_id = uuid4()
    owner = str(floor.owner.pk)
    stakes = [{"box": 1, "guest": owner, "kind": "stake", "amount_minor": francs * 100}]
    about: dict[str, Any] = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "round_id": round_id}
    review(floor, about, "lock", {"stakes": stakes})
    won = {"bank": "bust", "boxes": hands(b1=["win"])}
    return round_id, about | {"stakes": stakes, "placed": [{"box": 1, "guest": owner, "act": "double"}], "result": won}


def review(floor: Fed, about: dict[str, Any], kind: str, payload: dict[str, Any]) -> None:
    """An entry to be clarified, taken by the pit boss."""
    values = about | {"kind": kind, "payload": payload, "refused": RoundState(state="voided")}
    entry: ReviewItem = done(services.review_item_record, **values, person_id=floor.martina.pk)
    take = {"clarify_id": entry.pk, "reason": WHY, "actor_id": floor.reto.pk}
    done(services.review_item_take, house_id=floor.house.pk, **take)


def test_a_queued_double_comes_before_its_card_was_read(floor):
    """BOX-5: by the queue as by the tablet; the pit takes it with a reason, and much with a second person."""
    round_id, queued = late_lock(floor)
    floor.feed(round_id, "5h 6s 6d Kd Tc 9s")
    by = {"person_id": floor.martina.pk}
    for who in (by, by | {"reason": WHY}, {"person_id": floor.reto.pk, "supervisor": True}):
        assert code_of(services.round_take_queued, **queued, **who) == "round.feed_read_on"
    names = ("house_id", "table_id", "round_id")
    about = {name: queued.pop(name) for name in names}
    review(floor, about, "queued", queued)
    assert [(who, why, after["placed"]) for who, why, after in overruled(round_id)] == [(floor.reto.pk, WHY, 1)]
    assert Event.objects.get(name="round.placed").after["drawn"] == 3
    assert (Round.objects.get(pk=round_id).state, replayed(round_id)) == ("settled", {})
    much, queued = late_lock(floor, 250)
    floor.feed(much, "5h 6s 6d Kd Tc 9s")
    about = {name: queued.pop(name) for name in names}
    with pytest.raises(Refused) as refused, transaction.atomic():
        review(floor, about, "queued", queued)
    assert (refused.value.code, floor.later(much)) == ("round.feed_needs_second", [])


def test_a_queued_double_beside_a_lagging_shoe_is_taken(floor):
    """Its card is read when it was placed."""
    round_id, queued = late_lock(floor)
    floor.feed(round_id, "5h 6s 6d")
    done(services.round_take_queued, **queued, person_id=floor.martina.pk)
    assert (len(floor.later(round_id)), overruled(round_id), replayed(round_id)) == (1, [], {})


def post_cards(floor: Fed, round_id: UUID, cards: str, **device: Any) -> CardFeed:
    where = {"house_id": floor.house.pk, "round_id": round_id}
    return done(services.card_feed_record, **where, cards={"cards": cards}, **device)


def doubts(round_id: UUID) -> list[dict[str, Any]]:
    """What is on record of doubts that a feed brought, without whose device it was."""
    events = Event.objects.filter(name="round.doubted", subject_id=str(round_id), actor=None).order_by("pk")
    return [{name: value for name, value in event.after.items() if name != "device"} for event in events]


def alarms(round_id: UUID) -> list[str]:
    return [data["why"] for _, data in alerts() if data["round"] == str(round_id)]


def newest_cards(round_id: UUID) -> str:
    return str(CardFeed.objects.filter(round_id=round_id).latest("pk").cards["cards"])


def test_what_a_feed_has_read_another_record_does_not_unsay(floor):
    """HAND-6: the first cards count, others are on record, told to the pit once; a shoe may begin again."""
    round_id = floor.begun(DRAWN)
    for again in (DRAWN, TWO, ""):
        floor.feed(round_id, again)
    assert (newest_cards(round_id), doubts(round_id)) == (DRAWN, [])
    other = {"device_id": uuid4()}
    first = CardFeed.objects.get(round_id=round_id).pk
    for cards in (TWO + " 2c", TWO + " 2c", TWO + " 2c 8c"):
        assert post_cards(floor, round_id, cards, **other).cards == {"cards": cards}
    doubt = {"why": "feed_otherwise", "feed": first}
    assert doubts(round_id) == [doubt | {"cards": {"cards": TWO + more}} for more in (" 2c", " 2c 8c")]
    assert (newest_cards(round_id), alarms(round_id)) == (DRAWN, ["feed_otherwise"])
    assert code_of(services.round_place, **floor.doubling(round_id)) == "round.feed_read_on"
    floor.feed(round_id, ENDS)
    floor.settle(round_id, WON)
    assert (newest_cards(round_id), replayed(round_id)) == (ENDS, {})


def test_a_feed_that_was_enrolled_after_the_lock_is_no_witness_of_the_round(floor):
    """HAND-6: of the next one it is."""
    round_id = floor.begun(TWO)
    locked = Round.objects.get(pk=round_id).locked_at
    late = {"device_id": uuid4(), "enrolled_at": locked + timedelta(seconds=1)}
    assert post_cards(floor, round_id, ENDS, **late).cards == {"cards": ENDS}
    assert (newest_cards(round_id), alarms(round_id)) == (TWO, ["feed_enrolled"])
    assert post_cards(floor, round_id, DRAWN, **late | {"enrolled_at": locked - timedelta(seconds=1)}).pk
    assert newest_cards(round_id) == DRAWN


def test_a_result_before_its_last_cards_is_told_unless_they_come(floor):
    """HAND-6: after a minute; a shoe that lags is honest."""
    silent = floor.begun()
    floor.settle(silent, WON)
    lagging = floor.begun()
    floor.settle(lagging, WON)
    assert alarms(silent) + alarms(lagging) == []
    floor.feed(lagging, ENDS)
    whole = floor.begun(ENDS)
    floor.settle(whole, WON)
    with later(FEED_LAGS_S + 1):
        assert [alarms(round_id) for round_id in (silent, lagging, whole)] == [["feed_waits"], [], []]
    event = Event.objects.get(name="round.doubted", subject_id=str(silent))
    feed = CardFeed.objects.get(round_id=silent).pk
    assert (event.actor_id, event.after) == (floor.martina.pk, {"why": "feed_waits", "revision": 1, "feed": feed})


def test_cards_that_come_after_a_result_are_compared_with_it(floor):
    """HAND-6: what they contradict is on record, and told to the pit until more cards fit; a correction knows it."""
    true = floor.begun(TWO)
    floor.settle(true, WON)
    floor.feed(true, DRAWN)  # as if the bank had these two
    assert alarms(true) == ["feed_denies"]
    floor.feed(true, ENDS)
    assert (newest_cards(true), alarms(true), replayed(true)) == (ENDS, [], {})
    false = floor.begun(TWO)
    floor.settle(false, FALSE)
    floor.feed(false, DRAWN)
    prepared = evaluated(floor, false, FALSE, "settled")
    floor.feed(false, ENDS)
    floor.feed(false, ENDS + " 2c")
    newest = CardFeed.objects.latest("pk").pk
    [doubt] = doubts(false)
    assert (doubt["why"], doubt["revision"], doubt["code"]) == ("feed_denies", 1, "round.feed_ends_otherwise")
    assert (doubt["feed"], alarms(false), replayed(false)) == (newest - 2, ["feed_denies"], {})
    values = {"prepared": prepared, "person_id": floor.martina.pk, "reason": "by the cards"}
    with pytest.raises(Refused) as refused:
        run_once(f"correct-{false}", b"x" * 32, lambda: services.round_correct(**values))
    assert refused.value.code == "round.approval_needed"
