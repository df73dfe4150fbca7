"""Evidence of a shoe counts by whichever door a stake or result comes, whenever it is read and whoever enrolled it (HAND-6,
BOX-5). By which cards, `test_fed.py` has.
"""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Event
from tables import services
from tables.errors import RoundState
from tables.models import ReviewItem, Round
from tests.blackjack import hands
from tests.floor import done
from tests.tables.test_fed import Fed, code_of, overruled, replayed
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
