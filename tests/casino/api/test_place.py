"""A stake that comes after the lock, over HTTP: taken once under its key, told to the tablet, refused in the reader's words."""

import json
from typing import Any
from uuid import UUID, uuid4

from casino.tablet.surface import RELATED, standing
from tables.models import Table
from tests.blackjack import Blackjack
from tests.casino.pit.floor.floor_desk import FloorDesk
from tests.tables.audits import breached_here
from tests.worlds import world


class Desk(Blackjack, FloorDesk):
    """A floor with a table of Black Jack, and people at its pages."""


pytestmark = world(Desk)


def sent(desk: Desk, round_id: UUID, body: object, key: str = "", command: str = "place") -> tuple[int, dict[str, Any]]:
    """What the pit boss's command is answered."""
    headers = {"idempotency-key": key or str(uuid4()), "accept-language": "en"}
    path = f"/api/rounds/{round_id}/{command}/"
    response = desk.clients["boss"].post(path, json.dumps(body), "application/json", headers=headers)
    return response.status_code, response.json()


def test_it_is_taken_once_and_told_to_the_tablet(desk: Desk) -> None:
    owner = desk.guest(1)
    round_id, me = desk.lay((owner, 1, 100)), str(owner.pk)
    body = {"placement": {"box": 1, "guest": me, "act": "double", "cards": "5h 6d"}}
    key = str(uuid4())
    (status, first), (again_status, again) = sent(desk, round_id, body, key), sent(desk, round_id, body, key)
    assert (status, again_status, first["replayed"], again["replayed"]) == (200, 200, False, True)
    assert first["answer"] == again["answer"]
    assert first["present"] == {"state": "locked", "revision": 0}
    stakes = first["answer"]["stakes"]
    assert [(one["kind"], one["accepted_minor"], one["placed"], one["source"]) for one in stakes] == [
        ("stake", 10_000, 0, None),
        ("double_1", 10_000, 1, me),
    ]
    assert sent(desk, round_id, {"placement": body["placement"] | {"hand": 2}}, key)[1]["code"] == "command.key_reused"
    told = standing(Table.objects.select_related(*RELATED).get(pk=desk.bj.pk))["round"]["stakes"]
    assert [(one["kind"], one["amount_minor"], one["placed"], one["source"]) for one in told] == [
        ("stake", 10_000, 0, None),
        ("double_1", 10_000, 1, me),
    ]
    whole = desk.clients["boss"].get(f"/api/rounds/{round_id}/").json()
    assert [one["placed"] for one in whole["stakes"]] == [0, 1]
    assert breached_here() == {}


def test_it_is_taken_back_once_and_told_to_the_tablet(desk: Desk) -> None:
    """BOX-5: a stake that was taken back stands in answers once, by the row that says so; the tablet has what lies there."""
    owner = desk.guest(1)
    round_id, key = desk.lay((owner, 1, 100)), str(uuid4())
    sent(desk, round_id, {"placement": {"box": 1, "guest": str(owner.pk), "act": "double"}})
    (status, first), (_again, again) = (sent(desk, round_id, {"placed": 1}, key, "take-back") for _ in range(2))
    assert (status, first["replayed"], again["replayed"]) == (200, False, True)
    assert first["answer"] == again["answer"]
    stakes = [("stake", 10_000, 0, None, "prime.fits"), ("double_1", 0, 2, 1, "taken_back")]
    names = ("kind", "accepted_minor", "placed", "takes_back", "reason")
    assert [tuple(one[name] for name in names) for one in first["answer"]["stakes"]] == stakes
    whole = desk.clients["boss"].get(f"/api/rounds/{round_id}/", headers={"accept-language": "en"}).json()
    assert [tuple(one[name] for name in names) for one in whole["stakes"]] == stakes
    said = f"Guest {owner.number} has this stake back: it was placed after the lock by mistake."
    assert [one["words"] for one in whole["stakes"]] == ["", said]
    told = standing(Table.objects.select_related(*RELATED).get(pk=desk.bj.pk))["round"]["stakes"]
    assert [one["kind"] for one in told] == ["stake"]
    assert sent(desk, round_id, {"placed": 1}, command="take-back")[1]["code"] == "round.nothing_placed"
    placement = {"box": 1, "guest": str(owner.pk), "act": "split"}
    sent(desk, round_id, {"placement": placement})
    status, problem = sent(desk, round_id, {"placed": 1}, command="take-back")
    assert (status, problem["code"], problem["rule"]) == (409, "round.stake_not_newest", "BOX-5")
    assert problem["title"] == (
        "The newest stake after the lock is Stake of hand 2 on box 1: only that one can be taken back."
    )
    assert breached_here() == {}


def test_it_is_refused_in_words(desk: Desk) -> None:
    """The decider is named as the table knows them; what cannot be read says which field."""
    owner, other = desk.guest(1), desk.guest(distance=1)
    round_id = desk.lay((owner, 1, 100), (other, 1, 50))
    placement = {"box": 1, "guest": str(other.pk), "act": "double"}
    status, problem = sent(desk, round_id, {"placement": placement})
    assert (status, problem["code"], problem["rule"]) == (422, "blackjack.not_first", "BOX-2")
    assert problem["title"].startswith(f"Guest {owner.number} decides for this box")
    status, problem = sent(desk, round_id, {"placement": placement | {"hand": 9}})
    assert (status, problem["code"], problem["data"]["field"]) == (422, "round.placement_wrong", "hand")
    assert sent(desk, round_id, {})[0] == 400
    assert sent(desk, uuid4(), {"placement": placement})[1]["code"] == "round.unknown"
