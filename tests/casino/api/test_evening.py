"""A table from opening to closing through the API, and what a repeat answers."""

from uuid import uuid4

import pytest

from casino.people.models import Person
from payouts.audit import run_audits
from tables.models import Round
from tests.floor import POSTED, stakes_for, taps

pytestmark = pytest.mark.usefixtures("own_database")  # its audits begin transactions of their own


def ok(answer: tuple[int, dict]) -> dict:
    assert answer[0] == 200, answer
    return answer[1].get("answer", answer[1])


def test_table_from_set_up_to_close(callers):
    boss, setter = callers.boss, callers.technician
    pit = ok(setter.post("pits/", {"name": "Pit 2", "position": 2}))
    table = ok(setter.post("tables/", {"pit": pit["id"], "name": "UTH 9", "game": "uth", "boxes": 5, "posted": POSTED}))
    place = f"tables/{table['id']}/"
    linked = ok(setter.post(f"{place}link/", {"jackpot": str(callers.floor.jackpot.pk)}))
    assert linked["jackpot"] == str(callers.floor.jackpot.pk)
    session = ok(boss.post(f"{place}open/", {"croupier": str(callers.floor.nora.pk)}))
    assert (session["entry_level"], session["closed_at"]) == ("fast", None)
    _status, there = boss.get(place)
    assert (there["state"], there["session"], there["croupier"]["name"]) == ("open", session, "Nora.F")
    changed = ok(boss.post(f"{place}hand-over/", {"croupier": str(callers.floor.martina.pk)}))
    assert changed["from_croupier"] == str(callers.floor.nora.pk)
    assert ok(boss.post(f"{place}entry-level/", {"entry_level": "full_cards"}))["entry_level"] == "full_cards"
    guest = ok(boss.post(f"{place}guests/", {"box": 2, "seated": True}))
    moved = ok(boss.post(f"guests/{guest['id']}/move/", {"box": None, "seated": False, "distance": 3}))
    assert (moved["box"], moved["distance"]) == (None, 3)
    assert boss.get(f"{place}guests/")[1]["results"] == [moved]
    assert ok(boss.post(f"guests/{guest['id']}/leave/"))["left_at"]
    assert ok(boss.post(f"{place}close/"))["closed_at"]
    assert boss.get(place)[1]["state"] == "closed"
    assert run_audits()
    assert not [one for one in run_audits() if one.breaches]


def test_linked_table_asks_for_a_reason_while_a_prize_could_not_be_paid(callers):
    Person.objects.filter(house=callers.floor.house, roles__contains=["cage"]).update(pin="")
    place, croupier = f"tables/{callers.floor.table.pk}/open/", {"croupier": str(callers.floor.nora.pk)}
    status, refused = callers.boss.post(place, croupier)
    assert (status, refused["code"], refused["rule"]) == (409, "table.house_not_ready", "HSE-1")
    assert ok(callers.boss.post(place, croupier | {"reason": "the cashier comes at eight"}))["closed_at"] is None


def test_round_from_lock_to_lines(callers):
    guests = callers.floor.open()[:2]
    tablet, round_id = callers.tablet, str(uuid4())
    lock = f"tables/{callers.floor.table.pk}/rounds/{round_id}/lock/"
    body = {"stakes": stakes_for(guests, coins=1)}
    status, locked = tablet.post(lock, body, "lock-the-first")
    assert (status, locked["replayed"], locked["present"]) == (200, False, {"state": "locked", "revision": 0})
    running = callers.feed.get(f"tables/{callers.floor.table.pk}/")[1]["running_round"]
    assert running["id"] == round_id
    result = taps(b1={"play": 4, "result": "win", "hand": "flush"}, b2={"result": "fold"})
    settled = ok(tablet.post(f"rounds/{round_id}/settle/", {"result": result}))
    assert (settled["state"], settled["revision"]) == ("settled", 1)
    # The lock's answer was lost: the same key gives the first answer, and says what became of the round since.
    status, again = tablet.post(lock, body, "lock-the-first")
    assert (again["answer"], again["replayed"]) == (locked["answer"], True)
    assert again["present"] == {"state": "settled", "revision": 1}
    whole = callers.boss.get(f"rounds/{round_id}/")[1]
    assert [(line["box"], line["kind"], line["paid_minor"]) for line in whole["lines"]][:2] == [
        (1, "ante", 3000),
        (1, "blind", 3750),
    ]
    assert whole["lines"][1]["words"] == "Blind wins with a flush, paid 3:2."
    assert whole["source"] == "taps"
    assert all(line["words"] for line in whole["lines"])
    assert Round.objects.get().croupier_id == callers.floor.martina.pk


def test_feed_gives_the_cards_that_the_croupier_takes(callers):
    guests = callers.floor.open()[:1]
    round_id = callers.floor.lock(stakes_for(guests))["id"]
    cards = {"board": "Ah Kh Qh 2s 3d", "dealer": "4c 7c", "boxes": {"1": "As Kd"}}
    kept = ok(callers.feed.post(f"rounds/{round_id}/cards/", {"cards": cards}))
    assert kept["cards"]["boxes"] == {"1": "As Kd"}
    settled = ok(
        callers.tablet.post(f"rounds/{round_id}/settle/", {"result": {"feed": True, "boxes": {"1": {"play": 4}}}})
    )
    assert settled["lines"][0]["code"] in ("uth.ante_won", "uth.ante_no_pair")
    assert callers.boss.post(f"rounds/{round_id}/cards/", {"cards": cards})[0] == 401


def test_reopen_void_withdraw_and_correct(callers):
    guests = callers.floor.open()[:1]
    tablet, boss = callers.tablet, callers.boss
    first = callers.floor.lock(stakes_for(guests))["id"]
    assert ok(tablet.post(f"rounds/{first}/reopen/"))["state"] == "reopened"
    second = callers.floor.lock(stakes_for(guests))["id"]
    assert ok(boss.post(f"rounds/{second}/void/", {"reason": "misdeal"}))["state"] == "voided"
    third = str(uuid4())
    assert ok(tablet.post(f"tables/{callers.floor.table.pk}/rounds/{third}/withdraw/"))["state"] == "withdrawn"
    fourth = callers.floor.lock(stakes_for(guests))["id"]
    callers.floor.settle(fourth, taps(b1={"play": 1, "result": "lose"}))
    corrected = tablet.post(
        f"rounds/{fourth}/correct/", {"result": taps(b1={"play": 1, "result": "win"}), "reason": "mistyped"}
    )
    assert ok(corrected)["revision"] == 2
    assert not [one for one in run_audits() if one.breaches]


def test_correction_of_lines_that_somebody_put_right_meanwhile_is_refused(callers):
    round_id = callers.floor.lock(stakes_for(callers.floor.open()[:1]))["id"]
    callers.floor.settle(round_id, taps(b1={"play": 1, "result": "lose"}))
    path, seen = f"rounds/{round_id}/correct/", {"reason": "mistyped", "revision": 1}
    first = seen | {"result": taps(b1={"play": 1, "result": "win"})}
    assert ok(callers.tablet.post(path, first, "correct-the-first"))["revision"] == 2
    for command in ("correct", "correction-request"):
        status, refused = callers.tablet.post(
            f"rounds/{round_id}/{command}/", seen | {"result": taps(b1={"result": "fold"})}
        )
        assert (status, refused["code"]) == (409, "round.changed")
    status, again = callers.tablet.post(path, first, "correct-the-first")
    assert (status, again["replayed"], again["answer"]["revision"]) == (200, True, 2)


def test_correction_by_approval(callers):
    guests = callers.floor.open()[:1]
    round_id = callers.floor.lock(stakes_for(guests))["id"]
    callers.floor.settle(round_id, taps(b1={"play": 1, "result": "lose"}))
    wanted = {"result": taps(b1={"play": 1, "result": "win"}), "reason": "mistyped"}
    status, refused = callers.manager.post(f"rounds/{round_id}/correct/", wanted)
    assert (status, refused["code"]) == (422, "round.approval_needed")
    asked = ok(callers.manager.post(f"rounds/{round_id}/correction-request/", wanted))
    status, refused = callers.boss.post(f"rounds/{round_id}/correction-request/", wanted)
    assert (status, refused["code"]) == (409, "round.correction_waits")
    assert callers.boss.get("approvals/")[1]["results"] == [asked]
    signer = callers.at_tablet(callers.floor.other, callers.floor.reto)
    seen = {"payload_hash": asked["payload_hash"], "secret": "270415"}
    status, wrong = signer.post(f"approvals/{asked['id']}/sign/", seen | {"secret": "111222"})
    assert (status, wrong["code"]) == (422, "pin.refused")
    signed = ok(signer.post(f"approvals/{asked['id']}/sign/", seen))
    assert signed["signed_by"] == [str(callers.floor.reto.pk)]
    done = callers.manager.post(f"rounds/{round_id}/correct/", wanted | {"approval": asked["id"]})
    assert ok(done)["revision"] == 2
    assert callers.boss.get(f"approvals/{asked['id']}/")[1]["state"] == "used"
    assert callers.boss.get("approvals/")[1]["results"] == []


def test_jackpot_with_its_meter(callers):
    named = {"name": "Second", "progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}
    made = ok(callers.technician.post("jackpots/", named))
    changed = ok(callers.technician.post(f"jackpots/{made['id']}/parameters/", {"offline_linked": "play_flagged"}))
    assert changed["offline_linked"] == "play_flagged"
    listed = callers.auditor.get("jackpots/")[1]["results"]
    assert [(one["name"], one["phase"], one["shown_minor"]) for one in listed] == [
        ("Progressive", "open", 1_000_000),
        ("Second", "open", 1_000_000),
    ]
    assert callers.auditor.get(f"jackpots/{made['id']}/")[1] == listed[1]
    assert [one["name"] for one in callers.tablet.get("jackpots/")[1]["results"]] == ["Progressive"]
