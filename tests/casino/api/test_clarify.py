"""What came too late over the wire, as the pit finds it: taken where it can be, said why not where it cannot."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from jackpot.models import RunningRound
from payouts.models import Approval, Entry, Event
from tables.models import ReviewItem, Round, RoundStake
from tables.services import table_hand_over
from tables.services.rounds import undo
from tests.casino.api.callers import Callers
from tests.casino.api.test_evening import ok
from tests.casino.people import people
from tests.floor import done, stakes_for, taps
from tests.tables.audits import breached

pytestmark = pytest.mark.usefixtures("own_database")  # its audits begin transactions of their own


WON = taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"})
LOST = taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})


@pytest.fixture
def pit(callers: Callers) -> Callers:
    """The linked table is open, two of its guests have stakes before them."""
    callers.floor.laid = stakes_for(callers.floor.open()[:2])
    return callers


def lock(pit: Callers, round_id: str) -> tuple[int, Any]:
    path = f"tables/{pit.floor.table.pk}/rounds/{round_id}/lock/"
    return pit.tablet.post(path, {"stakes": pit.floor.laid})


def kept(answer: tuple[int, Any], status: int = 409) -> ReviewItem:
    assert answer[0] == status, answer
    return ReviewItem.objects.get(pk=answer[1]["to_clarify"]["id"])


def page(pit: Callers, entry: ReviewItem) -> str:
    response = pit.boss.client.get(reverse("floor-clarify", args=[entry.pk]), headers={"accept-language": "en"})
    assert response.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode()))


def take(pit: Callers, entry: ReviewItem) -> tuple[int, Any]:
    return pit.boss.post(f"to-clarify/{entry.pk}/take/", {"reason": "seen on camera"})


def refused(pit: Callers, entry: ReviewItem, code: str, said: str) -> None:
    """The page offers no take and says why; asked for all the same it is refused; the entry can be dismissed."""
    shown = page(pit, entry)
    assert f"This cannot be taken: {said}" in shown
    assert "It is booked as it came" not in shown
    entries = Entry.objects.count()
    status, problem = take(pit, entry)
    assert (status, problem["code"]) == (409, code)
    ok(pit.boss.post(f"to-clarify/{entry.pk}/dismiss/", {"reason": "chips went back"}))
    assert Entry.objects.count() == entries


def test_a_lock_that_comes_after_its_withdrawal_can_only_be_dismissed(pit: Callers) -> None:
    round_id = str(uuid4())
    ok(pit.tablet.post(f"tables/{pit.floor.table.pk}/rounds/{round_id}/withdraw/"))
    refused(pit, kept(lock(pit, round_id)), "round.withdrawn", "This round was withdrawn before its lock came.")
    assert breached() == {}


def test_a_result_of_a_reopened_round_can_only_be_dismissed(pit: Callers) -> None:
    round_id = str(uuid4())
    ok(lock(pit, round_id))
    ok(pit.boss.post(f"rounds/{round_id}/reopen/"))
    entry = kept(pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON}))
    refused(pit, entry, "clarify.round_over", "The round is")
    assert breached() == {}


@pytest.mark.parametrize("way", ["rounds/{round_id}/void/", "tables/{table_id}/rounds/{round_id}/withdraw/"])
def test_a_result_of_a_voided_round_is_booked_anew_or_was_never_played(pit: Callers, way: str) -> None:
    """The tablet was dead and the pit voided what its guests had been paid for."""
    round_id = str(uuid4())
    ok(lock(pit, round_id))
    ok(
        pit.boss.post(
            way.format(round_id=round_id, table_id=pit.floor.table.pk),
            {"reason": "tablet dead"} if "void" in way else {},
        )
    )
    entry = kept(pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON}))
    text = page(pit, entry)
    assert "it is booked as a round of its own, with the stakes that lay there" in text
    assert "Guest 1" in text
    status, problem = pit.boss.post(f"to-clarify/{entry.pk}/dismiss/", {"reason": "chips went back"})
    assert (status, problem["code"]) == (409, "clarify.played")
    booked = ok(take(pit, entry))
    assert (booked["round"]["state"], booked["round"]["id"] != round_id) == ("settled", True)
    assert booked["entry"]["state"] == "taken"
    event = Event.objects.get(name="round.booked_anew")
    assert (event.subject_id, event.after) == (round_id, {"round": booked["round"]["id"]})
    again = kept(pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON, "keep": True}))
    assert again.pk == entry.pk
    assert breached() == {}


def test_a_result_other_than_that_of_the_pit_is_taken_as_a_correction(pit: Callers) -> None:
    """The tablet was dead, the pit settled by what was said; what the tablet sends later is looked at by two."""
    round_id = str(uuid4())
    ok(lock(pit, round_id))
    ok(pit.boss.post(f"rounds/{round_id}/settle/", {"result": LOST}))
    entry = kept(pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON}))
    assert "The round was settled meanwhile: it is corrected to what came." in page(pit, entry)
    asked = ok(take(pit, entry))
    assert (asked["round"]["revision"], asked["entry"]["state"]) == (1, "open")  # it is signed first
    approval = Approval.objects.get(action="round.correct", subject_id=round_id, state="open")
    assert approval.payload["result"]["boxes"]["1"]["result"] == "win"
    entry.refresh_from_db()
    assert entry.state == "open"  # until it is booked, or dismissed
    assert "This cannot be taken: " in page(pit, entry)
    second = people.signed_in(people.make(pit.house, "second.boss", "pit_boss"))
    shown = second.get(reverse("floor-round", args=[round_id]), headers={"accept-language": "en"}).content.decode()
    assert "Correction to be signed" in shown
    assert "seen on camera" in shown
    assert breached() == {}


def test_a_result_that_says_what_the_pit_said_is_taken_without_a_booking(pit: Callers) -> None:
    round_id = str(uuid4())
    ok(lock(pit, round_id))
    ok(pit.boss.post(f"rounds/{round_id}/settle/", {"result": WON}))
    entry, entries = kept(pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON})), Entry.objects.count()
    taken = ok(take(pit, entry))
    assert (taken["round"]["revision"], taken["entry"]["state"]) == (1, "taken")
    assert (Entry.objects.count(), Approval.objects.filter(action="round.correct").count()) == (entries, 0)
    assert entry_taken_by(entry)


def test_a_round_played_where_the_table_had_to_stop_is_taken_without_its_coins(pit: Callers) -> None:
    """The jackpot's house posts that a linked table stops; it played on and took coins: they go back, the round is booked."""
    round_id, laid = str(uuid4()), [*pit.floor.laid, pit.floor.laid[0] | {"kind": "coin", "amount_minor": 500}]
    one = {"round": round_id, "stakes": laid, "result": WON}
    sent = pit.tablet.post(f"tables/{pit.floor.table.pk}/queued-rounds/", {"rounds": [one]})
    answer = sent[1]["rounds"][0]
    assert (answer["outcome"], answer["problem"]["code"]) == ("to_clarify", "round.queued_stopped")
    entry = ReviewItem.objects.get(pk=answer["to_clarify"]["id"])
    assert "The coins are not booked: they go back." in page(pit, entry)
    assert not Round.objects.filter(pk=round_id).exists()  # to look at it books nothing
    assert ok(take(pit, entry))["round"]["state"] == "settled"
    assert not RoundStake.objects.filter(round_id=round_id, kind="coin").exists()
    assert RunningRound.objects.get(round_id=round_id).coins == {}
    again = pit.tablet.post(f"tables/{pit.floor.table.pk}/queued-rounds/", {"rounds": [one]})
    assert again[1]["rounds"][0]["to_clarify"] == {**answer["to_clarify"], "state": "taken"}
    assert breached() == {}


def test_a_result_that_a_colleague_books_after_the_hand_over_closes_what_came_before(pit: Callers) -> None:
    """Who dealt sends it too late, who has the table now settles it alike: nothing is left to give by hand."""
    round_id, floor = str(uuid4()), pit.floor
    ok(lock(pit, round_id))
    by = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(table_hand_over, **by, croupier_id=floor.nora.pk)
    entry = kept(pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON}), status=403)
    ok(pit.at_tablet(floor.table, floor.nora, "T2").post(f"rounds/{round_id}/settle/", {"result": WON}))
    assert entry_taken_by(entry) == floor.nora.pk
    status, problem = pit.boss.post(f"to-clarify/{entry.pk}/dismiss/", {"reason": "guest paid by hand"})
    assert (status, problem["code"]) == (409, "clarify.closed")


def test_a_withdrawal_that_comes_too_late_is_never_lost(pit: Callers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line was cut after the lock; the chips went back, and the next rounds were played offline."""
    floor = pit.floor
    tablet, laid = pit.at_tablet(floor.other, floor.nora), stakes_for(floor.open(floor.other, floor.nora)[:2])
    round_id = str(uuid4())
    ok(tablet.post(f"tables/{floor.other.pk}/rounds/{round_id}/lock/", {"stakes": laid}))
    monkeypatch.setattr(undo, "_AGE", "SELECT 30001 WHERE %s IS NOT NULL")
    withdrawal = kept(tablet.post(f"tables/{floor.other.pk}/rounds/{round_id}/withdraw/"))
    assert (withdrawal.kind, withdrawal.code) == ("withdraw", "round.withdraw_late")
    played = [{"round": str(uuid4()), "stakes": laid, "result": result} for result in (WON, LOST)]
    answer = tablet.post(f"tables/{floor.other.pk}/queued-rounds/", {"rounds": played})[1]
    assert [one["problem"]["code"] for one in answer["rounds"]] == ["table.round_running"] * 2
    assert "The round is voided: stakes and coins go back." in page(pit, withdrawal)
    for entry in (withdrawal, *(ReviewItem.objects.get(round_id=one["round"]) for one in played)):
        assert ok(take(pit, entry))["entry"]["state"] == "taken"
    states = dict(Round.objects.filter(table=floor.other).values_list("pk", "state"))
    assert {str(pk): state for pk, state in states.items()} == {
        round_id: "voided",
        played[0]["round"]: "settled",
        played[1]["round"]: "settled",
    }
    assert breached() == {}


def test_a_lock_is_withdrawn_while_its_answer_may_be_on_the_way_and_no_card_is_out(pit: Callers) -> None:
    """The shoe has read a card, so no withdrawal and no reopening takes the stakes back, of nobody (BOX-5)."""
    round_id = str(uuid4())
    ok(lock(pit, round_id))
    ok(pit.feed.post(f"rounds/{round_id}/cards/", {"cards": {"board": "", "boxes": {"1": "As Kd"}}}))
    withdraw = f"tables/{pit.floor.table.pk}/rounds/{round_id}/withdraw/"
    for who, path in ((pit.tablet, withdraw), (pit.boss, withdraw), (pit.tablet, f"rounds/{round_id}/reopen/")):
        status, problem = who.post(path)
        assert (status, problem["code"], problem["rule"]) == (409, "round.cards_out", "BOX-5")
    assert ok(pit.boss.post(f"rounds/{round_id}/void/", {"reason": "misdeal"}))["state"] == "voided"


def entry_taken_by(entry: ReviewItem) -> object:
    entry.refresh_from_db()
    assert entry.state == "taken"
    return entry.closed_by_id


def test_what_a_tablet_reckoned_lies_with_what_was_refused_and_is_read_first(pit: Callers) -> None:
    """Issue 44-1."""
    round_id = str(uuid4())
    ok(lock(pit, round_id))
    for reckoned in ([{"box": 1}], [{"box": 1, "paid_minor": -1}], ["1"], [{"box": 1, "paid_minor": 1}] * 100):
        status, _problem = pit.tablet.post(f"rounds/{round_id}/settle/", {"result": WON, "reckoned": reckoned})
        assert (status, reckoned) == (400, reckoned)
    done(table_hand_over, house_id=pit.floor.house.pk, table_id=pit.floor.table.pk, actor_id=pit.floor.reto.pk,
         croupier_id=pit.floor.nora.pk)  # fmt: skip
    paid = {"result": WON, "reckoned": [{"box": 1, "paid_minor": 6000}, {"box": 2, "paid_minor": 0}]}
    entry = kept(pit.tablet.post(f"rounds/{round_id}/settle/", paid), status=403)
    assert entry.payload == paid
    assert "Paid, as the tablet reckoned it Box Paid 1 CHF 60.00 2 CHF 0.00 Total CHF 60.00" in page(pit, entry)
