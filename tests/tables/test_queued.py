"""Rounds played without the server, and what came too late: in order, exactly once, never lost, never booked twice."""

from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from jackpot.models import Contribution, RunningRound
from jackpot.services import jackpot_parameters_set
from payouts.errors import Refused
from payouts.models import Approval, Entry, Event, Transfer
from payouts.services import approval_reject
from tables import services
from tables.errors import RoundState, RoundTaken
from tables.models import Guest, ReviewItem, Round, TableSession
from tables.services.review import entries as review
from tables.services.review.effect import unclarified
from tests.floor import Floor, done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.tables.test_correct import sign
from tests.turns import each
from tests.worlds import world

WON = taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"})
LOST = taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})


class Offline(Floor):
    """Both tables open; rounds of two boxes are queued at the one that is not linked."""

    def __init__(self) -> None:
        super().__init__()
        self.guests, self.others = self.open(), self.open(self.other, self.nora)

    def take(self, round_id: UUID, *, result: object = WON, coins: int = 0, linked: bool = False) -> dict[str, Any]:
        guests: list[Guest] = self.guests if linked else self.others
        table, croupier = (self.table, self.martina) if linked else (self.other, self.nora)
        values = {"house_id": self.house.pk, "table_id": table.pk, "round_id": round_id, "person_id": croupier.pk}
        return done(services.round_take_queued, **values, stakes=stakes_for(guests[:2], coins=coins), result=result)

    def keep(self, round_id: UUID, kind: str, payload: dict[str, Any]) -> ReviewItem:
        values = {"house_id": self.house.pk, "table_id": self.other.pk, "round_id": round_id, "kind": kind}
        refused = RoundState(state="voided")
        return done(services.review_item_record, **values, payload=payload, refused=refused, person_id=self.nora.pk)

    def at_other(self, command: str, **values: Any) -> None:
        where = {"house_id": self.house.pk, "table_id": self.other.pk, "actor_id": self.reto.pk}
        done(getattr(services, command), **where, **values)

    def keep_unread(self, round_id: UUID, kind: str, payload: dict[str, Any]) -> ReviewItem:
        """As such were kept until they were refused."""
        with patch.object(review, "check_form"):
            return self.keep(round_id, kind, payload)

    def clarify(self, command: str, entry: ReviewItem, reason: str = "seen on camera", **values: Any) -> Any:
        values |= {"house_id": self.house.pk, "clarify_id": entry.pk, "actor_id": self.reto.pk}
        return done(getattr(services, f"review_item_{command}"), **values, reason=reason)

    def correct_signed(self, round_id: UUID, result: object) -> None:
        """The correction that the pit asked for is signed and carried out."""
        asked = Approval.objects.get(action="round.correct", subject_id=str(round_id), state="open")
        sign(self, asked, self.ines)
        self.correct(round_id, result, person_id=self.reto.pk, reason="seen on camera", approval_id=asked.pk)


pytestmark = world(Offline)


def refusal(work: Any, *args: Any, **values: Any) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        work(*args, **values)
    return refused.value.code


def test_queued_rounds_are_taken_in_order_and_each_once(floor):
    ids = [uuid4() for _ in range(3)]
    first = [floor.take(one) for one in ids]
    entries = Entry.objects.count()
    again = [floor.take(one) for one in reversed(ids)]
    assert [answer["number"] for answer in first] == [1, 2, 3]
    assert [(answer["number"], answer["lines"]) for answer in reversed(again)] == [
        (answer["number"], answer["lines"]) for answer in first
    ]
    assert Entry.objects.count() == entries
    assert set(Round.objects.values_list("state", "queued", "revision")) == {("settled", True, 1)}
    assert floor.lock(stakes_for(floor.others), table_id=floor.other.pk, croupier_id=floor.nora.pk)["number"] == 4
    assert breached_here() == {}


def test_queued_round_whose_result_is_refused_leaves_no_lock_behind(floor):
    round_id = uuid4()
    assert refusal(floor.take, round_id, result={"boxes": {}}) == "cards.count"
    assert not Round.objects.exists()
    assert floor.take(round_id)["state"] == "settled"


def test_queued_round_of_other_stakes_is_another_round(floor):
    round_id = uuid4()
    floor.take(round_id)
    live = UUID(floor.lock(stakes_for(floor.guests[:2]))["id"])
    assert refusal(floor.take, live) == "round.id_taken"
    assert refusal(floor.take, live, linked=True) == "round.id_taken"
    assert refusal(floor.take, uuid4(), coins=1) == "uth.no_progressive"


def test_linked_table_stops_or_plays_on_without_coins(floor):
    assert refusal(floor.take, uuid4(), linked=True) == "round.queued_stopped"
    values = {"jackpot_id": floor.jackpot.pk, "house_id": floor.house.pk, "actor_id": floor.tim.pk}
    done(jackpot_parameters_set, **values, offline_linked="play_flagged")
    assert refusal(floor.take, uuid4(), coins=1, linked=True) == "round.queued_coins"
    played = floor.take(uuid4(), linked=True)
    running = RunningRound.objects.get()
    assert (str(running.round_id), running.ended_as, running.coins) == (played["id"], "settled", {})
    assert Round.objects.get().queued
    assert not Contribution.objects.exists()
    assert breached_here() == {}


def test_late_result_is_kept_and_taken_once(floor):
    round_id = UUID(floor.lock(stakes_for(floor.others[:2]), table_id=floor.other.pk, croupier_id=floor.nora.pk)["id"])
    entry = floor.keep(round_id, "settle", {"result": WON})
    assert floor.clarify("take", entry)["state"] == "settled"
    entry.refresh_from_db()
    assert (entry.state, entry.closed_by_id, entry.reason) == ("taken", floor.reto.pk, "seen on camera")
    assert [refusal(floor.clarify, command, entry) for command in ("take", "dismiss")] == ["clarify.closed"] * 2
    assert breached_here() == {}


def test_every_other_result_for_a_round_is_kept_and_the_same_one_once(floor):
    round_id = UUID(floor.lock(stakes_for(floor.others[:2]), table_id=floor.other.pk, croupier_id=floor.nora.pk)["id"])
    one, two = floor.keep(round_id, "settle", {"result": WON}), floor.keep(round_id, "settle", {"result": LOST})
    assert floor.keep(round_id, "settle", {"result": WON}).pk == one.pk
    assert ReviewItem.objects.count() == 2
    floor.clarify("take", two)
    assert (
        floor.clarify("take", one)["revision"] == 1
    )  # the round has a result: another one is a correction, to be signed
    assert Approval.objects.get(action="round.correct", subject_id=str(round_id)).state == "open"
    one.refresh_from_db()
    assert one.state == "open"  # nothing of it is booked yet
    assert unclarified([round_id]) == 1
    assert refusal(floor.clarify, "take", one) == "round.correction_waits"
    assert Event.objects.filter(name__startswith="clarify.").count() == 3
    floor.correct_signed(round_id, WON)
    one.refresh_from_db()
    assert (one.state, one.closed_by_id, unclarified([round_id])) == ("taken", floor.reto.pk, 0)
    assert breached_here() == {}


@world(Floor)
def test_prg1_a_late_royal_flush_is_not_what_a_coin_without_a_prize_is(floor: Floor):
    """Where coins alone are entered both pay nothing at the table: the one claims the meter."""
    guest = floor.open(entry_level="jackpot_only")[0]
    coin = {"box": 1, "guest": str(guest.pk), "kind": "coin", "amount_minor": 500}
    round_id = UUID(floor.lock([coin])["id"])
    floor.settle(round_id, {"boxes": {}})
    ids = {"house_id": floor.house.pk, "table_id": floor.table.pk, "round_id": round_id, "kind": "settle"}
    royal = {"result": {"board": "Ah Kh Qh Jh 2d", "boxes": {"1": {"cards": "Th 9s"}}}}
    late = {"payload": royal, "refused": RoundState(state="settled"), "person_id": floor.martina.pk}
    entry = done(services.review_item_record, **ids, **late)
    by = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk}
    done(services.review_item_take, **by, reason="seen on camera")
    asked = Approval.objects.get(action="round.correct", subject_id=str(round_id))
    entry.refresh_from_db()
    assert (asked.state, entry.state) == ("open", "open")


def test_what_is_asked_for_and_turned_down_still_waits(floor):
    round_id = UUID(floor.lock(stakes_for(floor.others[:2]), table_id=floor.other.pk, croupier_id=floor.nora.pk)["id"])
    one, two = floor.keep(round_id, "settle", {"result": WON}), floor.keep(round_id, "settle", {"result": LOST})
    floor.clarify("take", two)
    floor.clarify("take", one)
    asked = Approval.objects.get(action="round.correct", subject_id=str(round_id))
    person = {"person_id": floor.ines.pk, "person_roles": floor.ines.roles}
    done(approval_reject, **person, approval_id=asked.pk, house_id=floor.house.pk, reason="the camera says lost")
    assert unclarified([round_id]) == 1
    floor.clarify("dismiss", one)
    assert (unclarified([round_id]), Round.objects.get().revision) == (0, 1)


def test_what_another_table_sends_under_a_rounds_id_waits_at_that_table_alone(floor):
    round_id = UUID(floor.lock(stakes_for(floor.others[:2]), table_id=floor.other.pk, croupier_id=floor.nora.pk)["id"])
    payload = {"stakes": stakes_for(floor.others[:2]), "result": WON}
    values = {"house_id": floor.house.pk, "round_id": round_id, "kind": "queued", "payload": payload}
    done(services.review_item_record, **values, table_id=floor.table.pk, refused=RoundTaken(), person_id=floor.nora.pk)
    assert (ReviewItem.objects.get().state, unclarified([round_id])) == ("open", 0)


def test_a_queued_round_that_came_again_closes_what_waited_of_it(floor):
    """Refused because another round ran, its answer lost; the tablet sends it again when that one is over."""
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    same = floor.keep(round_id, "queued", {"stakes": stakes, "result": WON})
    other = floor.keep(round_id, "queued", {"stakes": stakes, "result": LOST})
    floor.take(round_id)
    same.refresh_from_db()
    other.refresh_from_db()
    assert (same.state, same.closed_by_id, other.state) == ("taken", floor.nora.pk, "open")
    assert [refusal(floor.clarify, command, same) for command in ("take", "dismiss")] == ["clarify.closed"] * 2
    floor.clarify("dismiss", other)  # the version that is booked counts
    assert breached_here() == {}


def test_what_is_booked_just_as_it_came_is_not_dismissed(floor):
    """Kept while its booking was on the way, or in another writing: the books have given the chips, nobody gives them by hand."""
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    floor.take(round_id)
    entry = floor.keep(round_id, "queued", {"stakes": stakes, "result": WON, "locked_at": "2026-01-01T20:00:00Z"})
    assert refusal(floor.clarify, "dismiss", entry) == "clarify.booked"
    entries = Entry.objects.count()
    assert floor.clarify("take", entry)["state"] == "settled"
    assert (Entry.objects.count(), entry.__class__.objects.get(pk=entry.pk).state) == (entries, "taken")
    assert breached_here() == {}


def test_another_result_for_a_booked_queued_round_is_refused_and_taken_as_a_correction(floor):
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    first = floor.take(round_id)
    assert floor.take(round_id) == first
    assert refusal(floor.take, round_id, result=LOST) == "round.booked_otherwise"
    entry = floor.keep(round_id, "queued", {"stakes": stakes, "result": LOST})
    assert floor.clarify("take", entry)["revision"] == 1
    assert Approval.objects.get(action="round.correct", subject_id=str(round_id)).state == "open"
    floor.correct_signed(round_id, LOST)
    assert Round.objects.get().revision == 2
    assert floor.take(round_id)["revision"] == 2  # what it sent is known, whatever became of it
    entry.refresh_from_db()
    assert entry.state == "taken"
    assert breached_here() == {}


def test_a_dismissed_version_is_not_booked_while_another_one_waits(floor):
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    one, two = (floor.keep(round_id, "queued", {"stakes": stakes, "result": result}) for result in (WON, LOST))
    floor.clarify("dismiss", one)
    assert refusal(floor.take, round_id) == "round.withdrawn"
    assert floor.clarify("take", two)["state"] == "settled"
    assert breached_here() == {}


def test_late_lock_is_taken_as_played_and_settled_like_any_other(floor):
    round_id = uuid4()
    entry = floor.keep(round_id, "lock", {"stakes": stakes_for(floor.others[:2])})
    assert floor.clarify("take", entry)["state"] == "locked"
    assert floor.settle(round_id, WON, person_id=floor.nora.pk)["state"] == "settled"
    assert Round.objects.get().queued
    assert breached_here() == {}


@each("kind", ["queued", "lock"])
def test_what_a_guest_played_before_he_left_is_taken_after_it(floor, kind):
    """The network comes back, or the pit looks at the entry, when he is gone already; a new round has no stake of his."""
    stakes, round_id = stakes_for(floor.others[:2]), uuid4()
    entry = floor.keep(round_id, kind, {"stakes": stakes, "result": WON})
    values = {"house_id": floor.house.pk, "actor_id": floor.nora.pk}
    done(services.guest_leave, **values, guest_id=floor.others[0].pk)
    done(services.guest_arrive, **values, table_id=floor.other.pk, box=1, seated=True)
    at = {"table_id": floor.other.pk, "croupier_id": floor.nora.pk}
    assert refusal(floor.lock, stakes, **at) == "guest.unknown"
    assert floor.clarify("take", entry)["state"] == {"queued": "settled", "lock": "locked"}[kind]
    if kind == "queued":
        assert floor.take(uuid4())["state"] == "settled"
    assert breached_here() == {}


def test_guest_of_another_table_or_day_is_not_taken_for_one_who_left(floor):
    strangers = stakes_for(floor.guests[:2])
    for guest in floor.guests[:2]:
        done(services.guest_leave, house_id=floor.house.pk, guest_id=guest.pk, actor_id=floor.nora.pk)
    entry = floor.keep(uuid4(), "queued", {"stakes": strangers, "result": WON})
    assert refusal(floor.clarify, "take", entry) == "clarify.guests_unknown"


@each("opened", [False, True])
def test_hse1_a_round_that_comes_after_its_table_was_closed_is_of_the_session_in_which_it_was_played(floor, opened):
    """Whoever has the table by then; and what the pit took waits for nothing."""
    played = TableSession.objects.get(table=floor.other)
    entry = floor.keep(uuid4(), "queued", {"stakes": stakes_for(floor.others[:2]), "result": LOST})
    floor.at_other("table_close", reason="the rest waits")
    if opened:
        floor.at_other("table_open", croupier_id=floor.martina.pk)
    assert floor.take(uuid4())["number"] == 1
    assert floor.clarify("take", entry)["number"] == 2
    assert set(Round.objects.values_list("session", "state", "croupier")) == {(played.pk, "settled", floor.nora.pk)}
    assert {*Transfer.objects.filter(kind="settle").values_list("gaming_day", flat=True)} == {played.gaming_day}
    at = {"house_id": floor.house.pk, "table_id": floor.other.pk, "stakes": stakes_for(floor.others[:2]), "result": WON}
    by_stranger = {"round_id": uuid4(), "person_id": floor.martina.pk}
    assert refusal(services.round_take_queued, **at, **by_stranger) == "round.croupier_wrong"
    assert breached_here() == {}


def test_hse1_a_lock_that_comes_after_its_table_was_closed_is_settled_there(floor):
    round_id = uuid4()
    entries = [
        floor.keep(round_id, kind, payload)
        for kind, payload in (("lock", {"stakes": stakes_for(floor.others[:2])}), ("settle", {"result": WON}))
    ]
    floor.at_other("table_close", reason="the rest waits")
    for entry, state in zip(entries, ("locked", "settled"), strict=True):
        assert (floor.clarify("take", entry)["state"], breached_here()) == (state, {})


def test_a_round_of_a_closed_session_waits_for_the_one_that_runs(floor):
    entry = floor.keep(uuid4(), "queued", {"stakes": stakes_for(floor.others[:2]), "result": LOST})
    floor.at_other("table_close", reason="the rest waits")
    [guest, *_] = floor.open(floor.other, floor.nora)
    at = {"table_id": floor.other.pk, "croupier_id": floor.nora.pk}
    running = UUID(floor.lock(stakes_for([guest]), **at)["id"])
    assert refusal(floor.clarify, "take", entry) == "table.round_running"
    floor.settle(running, taps(b1={"result": "fold"}), person_id=floor.nora.pk)
    assert floor.clarify("take", entry)["state"] == "settled"
    assert breached_here() == {}


def test_queued_round_that_waited_is_taken_whole_or_not_at_all(floor):
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    wrong = floor.keep_unread(round_id, "queued", {"stakes": stakes, "result": {"boxes": {"x": {}}}})
    assert refusal(floor.clarify, "take", wrong) == "round.result_wrong"
    assert not Round.objects.exists()
    wrong.refresh_from_db()
    assert wrong.state == "open"
    right = floor.keep(round_id, "queued", {"stakes": stakes, "result": WON})
    assert floor.clarify("take", right)["state"] == "settled"
    assert breached_here() == {}


@each("payload", [{}, {"stakes": None}, {"stakes": 5, "result": []}, {"result": {"feed": 1}}])
@each("kind", ["lock", "settle", "queued"])
def test_whatever_was_kept_is_refused_with_a_reason_if_it_cannot_be_taken(floor, kind, payload):
    round_id = uuid4()
    if kind == "settle":
        round_id = UUID(floor.lock(stakes_for(floor.guests[:2]))["id"])
    entry = floor.keep_unread(round_id, kind, payload)
    assert refusal(floor.clarify, "take", entry) in {"round.stake_wrong", "round.stakes_wrong", "round.result_wrong"}
    assert floor.clarify("dismiss", entry).state == "dismissed"


def test_dismissed_round_that_is_sent_again_stays_dismissed(floor):
    """The answer was lost: the tablet sends the batch once more, when the pit has long since settled with the guests by hand."""
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    entry = floor.keep(round_id, "queued", {"stakes": stakes, "result": WON})
    assert refusal(floor.clarify, "dismiss", entry) == "clarify.played"
    floor.clarify("dismiss", entry, never_played=True)
    assert Event.objects.get(name="clarify.dismissed").after == {"never_played": True}
    assert refusal(floor.take, round_id) == "round.withdrawn"
    assert floor.keep(round_id, "queued", {"stakes": stakes, "result": WON}).state == "dismissed"
    assert Round.objects.get().state == "withdrawn"
    assert breached_here() == {}


def test_dismissed_version_of_a_round_leaves_the_other_one_to_be_taken(floor):
    round_id, stakes = uuid4(), stakes_for(floor.others[:2])
    one, two = (floor.keep(round_id, "queued", {"stakes": stakes, "result": result}) for result in (WON, LOST))
    floor.clarify("dismiss", one)
    assert floor.clarify("take", two)["state"] == "settled"
    assert breached_here() == {}


def test_withdrawn_round_is_not_taken_from_the_queue(floor):
    round_id = uuid4()
    values = {"house_id": floor.house.pk, "table_id": floor.other.pk, "person_id": floor.nora.pk}
    done(services.round_withdraw, **values, round_id=round_id)
    assert refusal(floor.take, round_id) == "round.withdrawn"


def test_queued_round_is_taken_from_who_has_or_had_the_table_and_from_the_pit(floor):
    """Another croupier of the house books nothing at a table that was never his, whatever tablet he is signed in on."""
    values = {
        "house_id": floor.house.pk,
        "table_id": floor.other.pk,
        "stakes": stakes_for(floor.others[:2]),
        "result": WON,
    }
    asked = {**values, "round_id": uuid4(), "person_id": floor.martina.pk}
    before = Entry.objects.count()
    assert refusal(services.round_take_queued, **asked) == "round.croupier_wrong"
    assert (Entry.objects.count(), Round.objects.filter(pk=asked["round_id"]).exists()) == (before, False)
    assert done(services.round_take_queued, **asked, supervisor=True)["state"] == "settled"
    handed = {"house_id": floor.house.pk, "table_id": floor.other.pk, "croupier_id": floor.reto.pk}
    done(services.table_hand_over, **handed, actor_id=floor.reto.pk)
    for person in (floor.nora, floor.reto):
        taken = done(services.round_take_queued, **values, round_id=uuid4(), person_id=person.pk)
        assert taken["state"] == "settled"
