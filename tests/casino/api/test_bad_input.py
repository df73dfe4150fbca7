"""Bad input, one row each: a refusal with its code, its rule and a sentence, and not one row of the database is another."""

import json
from uuid import uuid4

import pytest

from casino.devices.signin import device_sign_in
from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.rules.rulesets import calendar
from payouts.selectors import gaming_day_at
from tables import services
from tables.models import ReviewItem, Round
from tables.services.rounds import lock as lock_service
from tests.casino.api.bad import Sent, lock, refused
from tests.casino.api.bad_floor import FLOOR, RESULTS
from tests.casino.api.bad_locks import BODIES, LATER, LOCKS
from tests.casino.api.ground import Ground, everything, undone
from tests.casino.devices import devices
from tests.casino.people import people
from tests.floor import done, stakes_for, taps
from tests.turns import each

GROUPS = {"lock": LOCKS, "later": LATER, "body": BODIES, "result": RESULTS, "floor": FLOOR}
EVERY = {f"{group}: {name}": case for group, cases in GROUPS.items() for name, case in cases.items()}


@each("name", EVERY)
def test_bad_input_is_refused_and_nothing_is_written(ground: Ground, name: str) -> None:
    make, status, code, rule = EVERY[name]
    sent = make(ground)
    before = everything()
    refused(sent.send(), status, code, rule)
    assert everything() == before


def test_closed_day_opens_no_table(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    today = gaming_day_at(house_id=ground.foreign.house.pk)
    monkeypatch.setitem(calendar.NAMED_DAYS, "new_year", lambda _year: today)  # that house is closed on New Year's Day
    path, body = f"tables/{ground.foreign.shut.pk}/open/", {"croupier": str(ground.foreign.dealer.pk)}
    before = everything()
    refused(ground.foreign_boss.post(path, body), 409, "table.day_closed", "HSE-1")
    assert everything() == before
    monkeypatch.undo()
    with undone():
        assert ground.foreign_boss.post(path, body)[0] == 200


def test_person_of_no_house_commands_nothing(ground: Ground) -> None:
    before = everything()
    refused(
        ground.chief.post(
            f"rounds/{ground.floor.settled}/correct/", {"result": taps(b1={"result": "fold"}), "reason": "mistyped"}
        ),
        403,
        "person.house_needed",
    )
    assert everything() == before


@each("key", ["", "short", "x" * 201, "with space", "Schlüssel-1", "a\tb\tc\td\te"])
def test_command_without_a_usable_key(ground: Ground, key: str) -> None:
    sent = lock(ground)
    before = everything()
    refused(
        sent.who.raw(sent.path, json.dumps(sent.body).encode(), **{"Idempotency-Key": key}), 400, "request.key_refused"
    )
    response = ground.boss.client.post(
        f"/api/{sent.path}", sent.body, content_type="application/json", headers={"Accept-Language": "en"}
    )
    refused((response.status_code, response.json()), 400, "request.key_refused")
    kept = {
        "result": taps(b1={"result": "fold"}),
        "keep": True,
    }  # nothing is given to the pit that could not be repeated
    path, body = f"rounds/{ground.floor.settled}/settle/", json.dumps(kept).encode()
    refused(ground.tablet.raw(path, body, **{"Idempotency-Key": key}), 400, "request.key_refused")
    assert everything() == before


def test_key_is_one_request_of_one_caller(ground: Ground) -> None:
    with undone():
        key, sent = "the-first-key", lock(ground)
        assert sent.send(key)[0] == 200
        before = everything()
        other = Sent(sent.who, sent.path, {"stakes": stakes_for(ground.others[:1])})
        refused(other.send(key), 422, "command.key_reused")
        refused(lock(ground).send(key), 422, "command.key_reused")  # another round
        replayed = sent.send(key)
        assert (replayed[0], replayed[1]["replayed"]) == (200, True)
        assert everything() == before
        # A key is the caller's own: who finds another's has found nothing.
        assert ground.boss.post(f"rounds/{ground.floor.voided}/reopen/", {}, key)[1]["code"] == "round.state_refused"
        assert everything() == before


def test_lock_twice_under_one_round_id_with_another_body(ground: Ground) -> None:
    with undone():
        sent = lock(ground)
        assert sent.send()[0] == 200
        before = {name: found for name, found in everything().items() if name != "payouts_commandkey"}
        again = sent.send()
        assert (again[0], again[1]["answer"]["state"]) == (200, "locked")  # the same under a new key is the same round
        assert {name: found for name, found in everything().items() if name != "payouts_commandkey"} == before
        written = everything()
        changed = Sent(sent.who, sent.path, {"stakes": stakes_for(ground.others[:1])})
        refused(changed.send(), 409, "round.id_taken", "BOX-5")
        assert everything() == written


@each("late", ["lock", "settle"])
def test_what_comes_too_late_from_a_tablet_is_refused_and_kept_once(ground: Ground, late: str) -> None:
    where = f"tables/{ground.floor.table.pk}/rounds/{ground.floor.withdrawn}/lock/"
    sent, code = Sent(ground.tablet, where, {"stakes": stakes_for(ground.guests[:2])}), "round.withdrawn"
    if late == "settle":
        body = {"result": taps(b1={"result": "fold"}, b2={"result": "fold"})}
        sent, code = Sent(ground.tablet, f"rounds/{ground.floor.voided}/settle/", body), "round.state_refused"
    with undone():
        before = everything()
        rule = "BOX-5" if late == "lock" else None
        problem = refused(sent.send(), 409, code, rule)
        assert refused(sent.send(), 409, code, rule)["to_clarify"] == problem["to_clarify"]
        entry = ReviewItem.objects.get(pk=problem["to_clarify"]["id"])
        assert (entry.kind, entry.payload, entry.code, entry.state) == (late, sent.body, code, "open")
        after = everything()
        assert {name for name in after if after[name] != before[name]} == {"tables_toclarify", "payouts_event"}


def test_who_handed_the_table_over_moves_no_guest_and_what_he_dealt_is_kept(ground: Ground) -> None:
    """A result that his tablet could not send before is not lost: the pit takes it."""
    round_id, floor = ground.floor.locked, ground.floor
    body = {"result": taps(b1={"result": "fold"}, b2={"result": "fold"})}
    with undone():
        handed = {"house_id": ground.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
        done(services.table_hand_over, **handed, croupier_id=floor.nora.pk)
        before = everything()
        seat = {"box": None, "seated": False, "distance": 2}
        guest = ground.guests[0].pk
        for path, sent in (
            (f"tables/{floor.table.pk}/guests/", {"box": None, "seated": False, "distance": 1}),
            (f"guests/{guest}/move/", seat),
            (f"guests/{guest}/leave/", {}),
        ):
            refused(Sent(ground.tablet, path, sent).send(), 403, "round.croupier_wrong")
        assert everything() == before
        problem = refused(Sent(ground.tablet, f"rounds/{round_id}/settle/", body).send(), 403, "round.croupier_wrong")
        entry = problem["to_clarify"]["id"]
        assert ReviewItem.objects.get(pk=entry).payload == body
        taken = ground.boss.post(f"to-clarify/{entry}/take/", {"reason": "seen on camera"})
        assert (taken[0], taken[1]["answer"]["round"]["state"]) == (200, "settled")


def test_what_a_tablet_repeats_after_a_hand_over_is_not_done_twice(ground: Ground) -> None:
    """Its answer was lost, and meanwhile somebody else signed in: the tablet's command is the tablet's, whoever stands at it."""
    floor, path = ground.floor, f"tables/{ground.floor.table.pk}/guests/"
    body, key = {"box": None, "seated": False, "distance": 1}, str(uuid4())
    with undone():
        status, first = ground.tablet.post(path, body, key)
        assert (status, first["replayed"]) == (200, False)
        handed = {"house_id": ground.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
        done(services.table_hand_over, **handed, croupier_id=floor.nora.pk)
        device_sign_in(device=ground.tablet.device, pin=devices.PIN, username=floor.nora.username)
        before = everything()
        assert ground.tablet.post(path, body, key) == (200, first | {"replayed": True})
        assert everything() == before
        other = ground.boss.post(path, body, key)  # the same key of another caller is another key
        assert (other[0], other[1]["replayed"]) == (200, False)
        assert other[1]["answer"]["id"] != first["answer"]["id"]


def test_signature_at_a_tablet_is_no_answer_to_who_signs_in_after_it(ground: Ground) -> None:
    """The tablet's key came before, with another person's signature: his own needs a key of its own."""
    path = f"approvals/{ground.approval.pk}/sign/"
    body, key = {"payload_hash": bytes(ground.approval.payload_hash).hex(), "secret": devices.PIN}, str(uuid4())
    with undone():
        second = people.make(ground.house, "second.boss", "pit_boss")
        pin_set(person=second, pin=devices.PIN)
        status, first = ground.reto.post(path, body, key)
        assert (status, first["replayed"]) == (200, False)
        assert ground.reto.post(path, body, key) == (200, first | {"replayed": True})
        device_sign_in(device=ground.reto.device, pin=devices.PIN, username=second.username)
        before = everything()
        refused(ground.reto.post(path, body, key), 422, "command.key_reused")
        assert everything() == before


def test_settlement_of_a_round_that_the_pit_ends_at_that_moment_is_kept(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was still running when its result was worked out, and was void when it was to be written."""
    evaluate, round_id = services.round_evaluate, ground.floor.locked

    def voided_meanwhile(**values: object) -> services.Prepared:
        prepared = evaluate(**values)
        at = {"house_id": ground.house.pk, "round_id": round_id, "person_id": ground.floor.reto.pk}
        done(services.round_void, **at, reason="misdeal")
        return prepared

    monkeypatch.setattr(services, "round_evaluate", voided_meanwhile)
    body = {"result": taps(b1={"result": "fold"}, b2={"result": "fold"})}
    with undone():
        problem = refused(Sent(ground.tablet, f"rounds/{round_id}/settle/", body).send(), 409, "round.changed")
        entry = ReviewItem.objects.get(pk=problem["to_clarify"]["id"])
        assert (entry.kind, entry.payload, entry.state) == ("settle", body, "open")


def test_queued_rounds_that_are_refused_are_kept_and_the_next_go_on(ground: Ground) -> None:
    """What is no round of the game stays with the tablet."""
    guests = ground.others[:1]
    result = taps(b1={"play": 1, "result": "lose"})
    good = {"round": str(uuid4()), "stakes": stakes_for(guests), "result": result}
    bad = {"round": str(uuid4()), "stakes": stakes_for(guests, ante=1501), "result": result}
    more = good | {"round": str(uuid4()), "placed": [{"box": 1, "guest": str(guests[0].pk), "act": "double"}]}
    with undone():
        sent = {"rounds": [bad, more, good]}
        status, answer = ground.other.post(f"tables/{ground.floor.other.pk}/queued-rounds/", sent)
        assert status == 200
        assert [one["outcome"] for one in answer["rounds"]] == ["to_clarify", "refused", "taken"]
        refused((422, answer["rounds"][0]["problem"]), 422, "uth.off_step", "UTH-2")
        refused((422, answer["rounds"][1]["problem"]), 422, "uth.nothing_later", "UTH-3")
        assert answer["rounds"][1]["to_clarify"] is None
        assert not ReviewItem.objects.filter(round_id=more["round"]).exists()
        assert ReviewItem.objects.get(pk=answer["rounds"][0]["to_clarify"]["id"]).payload == bad


def test_batch_that_is_refused_whole_says_what_a_batch_is(ground: Ground) -> None:
    one = {"round": str(uuid4()), "stakes": stakes_for(ground.others[:1]), "result": taps(b1={"result": "fold"})}
    for rounds in ([], [one, one], [one] * 51):
        sent = Sent(ground.other, f"tables/{ground.floor.other.pk}/queued-rounds/", {"rounds": rounds})
        assert "a list of 1 to 50 rounds, each once" in refused(sent.send(), 400, "request.field_wrong")["title"]


def test_nothing_of_it_would_be_noticed_if_the_eye_were_blind(ground: Ground) -> None:
    """The control: what is written does change what `everything` sees, in one column of one row as well."""
    with undone():
        before = everything()
        Person.objects.filter(pk=ground.floor.nora.pk).update(full_name="Somebody")
        after = everything()
        assert {name for name in after if after[name] != before[name]} == {"casino_person"}
        assert lock(ground).send()[0] == 200
        assert {"tables_round", "tables_roundstake", "payouts_entry"} <= {
            name for name, found in everything().items() if found != before[name]
        }


@each(
    ("body", "status", "code"),
    [
        (b'{"rounds": [', 400, "request.parse_error"),
        (b"\xff\xfe", 400, "request.parse_error"),
        (b'{"rounds": ["' + b"x" * 1_000_000 + b'"]}', 413, "request.too_large"),
        (b"[" * 100_000, 400, "request.parse_error"),
    ],
)
def test_batch_that_is_no_body_is_refused_and_keeps_nothing(
    ground: Ground, body: bytes, status: int, code: str
) -> None:
    before = everything()
    refused(ground.other.raw(f"tables/{ground.floor.other.pk}/queued-rounds/", body), status, code)
    assert everything() == before


def test_who_has_not_the_table_locks_settles_reopens_and_withdraws_nothing(ground: Ground) -> None:
    """Nora is signed in on a tablet of the table that she has handed over."""
    at, locked = ground.floor.other.pk, uuid4()
    commands = {
        f"tables/{at}/rounds/{uuid4()}/lock/": {"stakes": stakes_for(ground.others[:1])},
        f"tables/{at}/rounds/{uuid4()}/withdraw/": {},
        f"rounds/{locked}/reopen/": {},
    }
    with undone():
        Sent(ground.other, f"tables/{at}/rounds/{locked}/lock/", {"stakes": stakes_for(ground.others[:1])}).send()
        before = everything()
        for path, body in commands.items():
            refused(Sent(ground.nora, path, body).send(), 403, "round.croupier_wrong")
        assert everything() == before
        result = {"result": taps(b1={"result": "fold"})}
        refused(Sent(ground.nora, f"rounds/{locked}/settle/", result).send(), 403, "round.croupier_wrong")
        refused(Sent(ground.nora, f"tables/{at}/rounds/{locked}/withdraw/", {}).send(), 403, "round.croupier_wrong")
        kept = ReviewItem.objects.filter(round_id=locked).values_list("kind", "payload")
        assert sorted(kept) == [("settle", result), ("withdraw", {})]  # she may have dealt it


def test_lock_on_another_gaming_day_than_the_tables_is_refused(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """The day has changed since the table was opened."""
    with undone():
        begun = "SELECT round_lock_context_v1($1::uuid, $2::uuid)"
        other = "SELECT jsonb_set(round_lock_context_v1($1::uuid, $2::uuid)::jsonb, '{day}', '\"2031-05-02\"')::text"
        assert begun == lock_service._CONTEXT
        monkeypatch.setattr(lock_service, "_CONTEXT", other)
        before = everything()
        sent = Sent(
            ground.other,
            f"tables/{ground.floor.other.pk}/rounds/{uuid4()}/lock/",
            {"stakes": stakes_for(ground.others[:1])},
        )
        problem = refused(sent.send(), 409, "table.day_over", "HSE-1")
        assert problem["data"]["day"] == "2031-05-02"
        assert everything() == before


def test_rounds_after_the_closing_are_kept_for_the_pit(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """HSE-1: of a table that was left open, the lock of a tablet, and what it played without the server."""
    over = lock_service._CONTEXT + """::jsonb || '{"now": "2126-01-01T12:00:00+00:00"}'"""
    monkeypatch.setattr(lock_service, "_CONTEXT", over)
    with undone():
        stakes = stakes_for(ground.others[:1])
        round_id = uuid4()
        online = lock(ground, stakes)
        problem = refused(online.send(), 409, "table.hours_over", "HSE-1")
        played = {"round": str(round_id), "stakes": stakes, "result": taps(b1={"result": "fold"})}
        path = f"tables/{ground.floor.other.pk}/queued-rounds/"
        [outcome] = Sent(ground.other, path, {"rounds": [played]}).send()[1]["rounds"]
        assert (outcome["outcome"], outcome["problem"]["code"]) == ("to_clarify", "table.hours_over")
        entries = ReviewItem.objects.filter(code="table.hours_over", state="open").values_list("kind", "pk")
        waiting = {"lock": problem["to_clarify"]["id"], "queued": outcome["to_clarify"]["id"]}
        assert {kind: str(pk) for kind, pk in entries} == waiting
        assert not Round.objects.filter(pk=round_id).exists()
