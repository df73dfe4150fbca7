"""A large win in the office, over the API: who enters it asks for its approval, and settles by that (BOX-5)."""

from typing import Any, ClassVar

import pytest

from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.rules.rulesets.schema import Posted
from tables.models import RoundResult
from tables.rules.floor import FloorRules
from tests.blackjack import Blackjack, hands
from tests.casino.api.callers import Callers
from tests.casino.devices.devices import PIN
from tests.worlds import world


class Won(Blackjack):
    """500 francs are much."""

    posted: ClassVar[dict[str, Posted]] = Blackjack.posted | {"floor_rules": FloorRules(approval_from_minor=50_000)}


def called() -> Callers:
    callers = Callers(Won())
    pin_set(person=Person.objects.get(username="o.manager"), pin=PIN)
    return callers


@world(called)
@pytest.mark.parametrize("francs", [490, 500])
def test_a_second_person_signs_it_before_it_is_settled(floor: Any, francs: int) -> None:
    round_id = floor.floor.lay((floor.floor.guest(1), 1, francs))
    where, body = f"rounds/{round_id}/", {"result": {"bank": "bust", "boxes": hands(b1=["win"])}, "reason": "on camera"}
    much = francs >= 500
    status, request = floor.boss.post(f"{where}correction-request/", body)
    assert (status, request.get("code")) == ((200, None) if much else (409, "round.state_refused"))
    if not much:
        return
    assert floor.boss.post(f"{where}settle/", body)[1]["code"] == "round.win_needs_second"
    approval = request["answer"]["id"]
    proof = {"payload_hash": request["answer"]["payload_hash"], "secret": PIN}
    assert floor.manager.post(f"approvals/{approval}/sign/", proof)[0] == 200
    assert floor.boss.post(f"{where}settle/", body | {"approval": approval})[0] == 200
    assert str(RoundResult.objects.get(round_id=round_id).approval_id) == approval
