"""What went wrong in a round over HTTP, and what management decided: recorded and asked for once under its key, refused in the
reader's words.
"""

import json
from typing import Any
from uuid import UUID, uuid4

from casino.people.roles import CODES
from payouts.models import Approval
from tables.models import Override
from tests.blackjack import Blackjack, hands
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import FloorDesk
from tests.tables.audits import breached_here
from tests.worlds import world

BURNT = {
    "kind": "call_misunderstood",
    "decision": "burnt",
    "box": 1,
    "hand": 1,
    "card": "5d",
    "reason": "heard it wrong",
}


class Desk(Blackjack, FloorDesk):
    """A floor with a table of Black Jack, and people at its pages."""


pytestmark = world(Desk)


def sent(
    desk: Desk,
    round_id: UUID,
    body: object,
    key: str = "",
    client: Any = None,
    language: str = "en",
    path: str = "irregularities/",
) -> tuple[int, dict[str, Any]]:
    """What a command is answered, the pit boss's if nobody else's."""
    headers = {"idempotency-key": key or str(uuid4()), "accept-language": language}
    who = client or desk.clients["boss"]
    response = who.post(f"/api/rounds/{round_id}/{path}", json.dumps(body), "application/json", headers=headers)
    return response.status_code, response.json()


def test_it_is_recorded_once_and_listed_with_its_round(desk: Desk) -> None:
    """BJ-11."""
    round_id, key = desk.lay((desk.guest(1), 1, 100)), str(uuid4())
    (status, first), (again_status, again) = sent(desk, round_id, BURNT, key), sent(desk, round_id, BURNT, key)
    assert (status, again_status, first["replayed"], again["replayed"]) == (200, 200, False, True)
    assert first["answer"] == again["answer"]
    assert first["present"] == {"state": "locked", "revision": 0}
    told = {name: first["answer"][name] for name in BURNT}
    assert (told, first["answer"]["round"]) == (BURNT, str(round_id))
    assert first["answer"]["recorded_by"] == str(desk.people["boss"].pk)
    desk.settle(round_id, {"bank": "bust", "boxes": hands(b1=["win"])})
    status, late = sent(desk, round_id, {"kind": "misdeal", "decision": "play_on", "reason": "seen on camera"})
    nowhere = {"box": None, "hand": None, "card": ""}
    assert (status, {name: late["answer"][name] for name in nowhere}) == (200, nowhere)
    whole = desk.clients["auditor"].get(f"/api/rounds/{round_id}/").json()
    assert whole["irregularities"] == [first["answer"], late["answer"]]
    assert breached_here() == {}


def test_it_is_refused_in_words(desk: Desk) -> None:
    """What happened and what was decided are named as people call them."""
    round_id = desk.lay((desk.guest(1), 1, 100))
    wrong = BURNT | {"decision": "void"}
    said = {
        "en": "“Card drawn through a misunderstood call” cannot be decided as “the round is void”.",
        "de": "«Karte nach missverstandener Ansage gezogen» kann nicht als «Runde ungültig» entschieden werden.",
    }
    for language, sentence in said.items():
        status, problem = sent(desk, round_id, wrong, language=language)
        assert (status, problem["code"], problem["rule"]) == (422, "irregularity.decision_not_allowed", "BJ-11")
        assert problem["title"] == sentence
        assert problem["data"] == {"irregularity": "call_misunderstood", "decision": "void"}
    status, problem = sent(desk, round_id, BURNT | {"hand": 5})
    assert (status, problem["code"]) == (400, "request.field_wrong")
    assert sent(desk, round_id, BURNT | {"hand": 2})[1]["title"] == "This is not recorded with hand 2."
    assert sent(desk, uuid4(), BURNT)[1]["code"] == "round.unknown"


def test_only_who_runs_the_table_records(desk: Desk) -> None:
    """BJ-12: of the roles of the office the pit boss alone."""
    round_id = desk.lay((desk.guest(1), 1, 100))
    took = {}
    for role in CODES:
        person = people.make(desk.house, f"x.{role}", role)
        took[role] = sent(desk, round_id, BURNT, client=people.signed_in(person))[0]
    assert {role for role, status in took.items() if status == 200} == {"pit_boss"}
    assert {status for role, status in took.items() if role != "pit_boss"} == {403}


def test_an_override_is_asked_for_once_and_another_person_signs(desk: Desk) -> None:
    """BJ-12: the signers see what the rules give; the last signature pays."""
    guest, key, clients = desk.guest(1), str(uuid4()), desk.clients
    round_id = desk.lay((guest, 1, 100))
    asks = {"box": 1, "guest": str(guest.pk), "amount_minor": 2_000, "reason": "a card was taken away"}
    by = {"key": key, "path": "override-request/"}
    status, running = sent(desk, round_id, asks, path="override-request/")
    assert (status, running["code"]) == (409, "round.state_refused")
    desk.settle(round_id, {"bank": "20", "boxes": hands(b1=["lose"])})
    status, stakeless = sent(desk, round_id, asks | {"box": 2}, path="override-request/")
    assert (status, stakeless["code"]) == (422, "override.stakeless")
    (status, first), (_status, again) = sent(desk, round_id, asks, **by), sent(desk, round_id, asks, **by)
    asked = Approval.objects.get()
    answer = first["answer"]
    assert (status, answer["action"], answer["id"]) == (200, "round.override", str(asked.pk))
    assert again == first | {"replayed": True}
    assert answer["payload"] == asks | {"round": str(round_id), "revision": 1, "rules_minor": 0}
    status, waits = sent(desk, round_id, asks, path="override-request/")
    assert (status, waits["code"]) == (409, "override.waits")
    seen = {"payload_hash": answer["payload_hash"]}
    for name, expected in (("boss", 403), ("second", 200)):
        body = json.dumps(seen | {"secret": people.code(desk.people[name])})
        headers, path = {"idempotency-key": str(uuid4())}, f"/api/approvals/{asked.pk}/sign/"
        assert clients[name].post(path, body, "application/json", headers=headers).status_code == expected
        assert Override.objects.count() == (name == "second")
    assert breached_here() == {}
