"""What waits to be clarified against what others book or sign meanwhile: chips are given once, by the books or by hand."""

from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest

from payouts.models import Approval, Entry, Event
from payouts.services import approval_reject
from tables import services
from tables.errors import RoundState
from tables.models import ReviewItem, Round
from tables.selectors.rounds import corrections_wait
from tables.services.review import entries as entries_module
from tables.services.review.effect import unclarified
from tests.floor import done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.tables.test_correct import sign
from tests.tables.test_queued import LOST, WON, Offline, refusal
from tests.turns import each
from tests.worlds import world

pytestmark = world(Offline)
RESULTS = ("win", "lose", "tie")


def locked(floor: Offline) -> UUID:
    return UUID(floor.lock(stakes_for(floor.others[:2]), table_id=floor.other.pk, croupier_id=floor.nora.pk)["id"])


def settled(floor: Offline, result: object) -> UUID:
    round_id = locked(floor)
    floor.settle(round_id, result, person_id=floor.nora.pk)
    return round_id


def ask(floor: Offline, round_id: UUID) -> None:
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=WON, state="settled")
    done(services.round_correction_request, prepared=prepared, person_id=floor.reto.pk, reason="seen on camera")


def state(entry: ReviewItem) -> str:
    return ReviewItem.objects.values_list("state", flat=True).get(pk=entry.pk)


@each("kind", ["settle", "queued"])
def test_what_a_signature_is_asked_for_is_not_dismissed(floor: Offline, kind: str) -> None:
    if kind == "settle":
        round_id, payload = settled(floor, LOST), {"result": WON}
    else:
        round_id, payload = uuid4(), {"stakes": stakes_for(floor.others[:2]), "result": WON}
        floor.take(round_id, result=LOST)
    entry = floor.keep(round_id, kind, payload)
    floor.clarify("take", entry)
    assert refusal(floor.clarify, "dismiss", entry, "paid by hand") == "round.correction_waits"
    floor.correct_signed(round_id, WON)
    assert (state(entry), Round.objects.get().revision) == ("taken", 2)
    assert breached_here() == {}


def test_once_the_request_is_rejected_it_is_dismissed(floor: Offline) -> None:
    round_id = settled(floor, LOST)
    entry = floor.keep(round_id, "settle", {"result": WON})
    floor.clarify("take", entry)
    asked = Approval.objects.get(action="round.correct")
    person = {"person_id": floor.ines.pk, "person_roles": floor.ines.roles}
    done(approval_reject, **person, approval_id=asked.pk, house_id=floor.house.pk, reason="the camera says lost")
    floor.clarify("dismiss", entry, "the camera says lost")
    assert (state(entry), unclarified([round_id]), Round.objects.get().revision) == ("dismissed", 0, 1)


def test_prg7_a_correction_that_is_asked_for_leaves_its_round_unclear_until_it_is_decided(floor: Offline) -> None:
    """Of the lines as they stand: what was asked about others is dead."""
    one, other = settled(floor, LOST), settled(floor, LOST)
    ask(floor, one)
    assert (corrections_wait([one, other]), unclarified([one, other])) == ({one}, 1)
    floor.keep(one, "settle", {"result": WON})
    assert unclarified([one, other]) == 1  # one round, however many papers lie about it
    sign(floor, Approval.objects.get(), floor.ines)
    assert corrections_wait([one]) == {one}  # signed, and not carried out yet
    ask(floor, other)
    floor.correct(other, WON, person_id=floor.nora.pk)
    assert corrections_wait([one, other]) == {one}


@each("taker", ["croupier", "pit"])
def test_a_result_that_is_booked_as_it_came_closes_its_entry(floor: Offline, taker: str) -> None:
    round_id = locked(floor)
    same, other = (floor.keep(round_id, "settle", {"result": one}) for one in (WON, LOST))
    if taker == "croupier":
        floor.settle(round_id, WON, person_id=floor.nora.pk)
    else:
        floor.clarify("take", floor.keep(round_id, "settle", {"result": WON}))
    assert (state(same), state(other), unclarified([round_id])) == ("taken", "open", 1)
    assert refusal(floor.clarify, "dismiss", same) == "clarify.closed"
    why = {"croupier": "its result was booked", "pit": "seen on camera"}[taker]
    assert Event.objects.get(name="clarify.taken").reason == why
    floor.clarify("dismiss", other)
    assert breached_here() == {}


def test_a_late_withdrawal_is_taken_by_the_pit_and_gives_the_stakes_back(floor: Offline) -> None:
    round_id = locked(floor)
    entry = floor.keep(round_id, "withdraw", {})
    assert (state(entry), unclarified([round_id])) == ("open", 1)
    assert floor.clarify("take", entry, "the chips lie with the guests")["state"] == "voided"
    entry.refresh_from_db()
    assert (entry.state, entry.closed_by_id, entry.reason) == ("taken", floor.reto.pk, "the chips lie with the guests")
    assert breached_here() == {}


@each("way", ["void", "withdraw"])
def test_a_round_that_ends_without_a_result_takes_its_late_withdrawal_with_it(floor: Offline, way: str) -> None:
    round_id = locked(floor)
    entry = floor.keep(round_id, "withdraw", {})
    ids = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.reto.pk}
    if way == "void":
        done(services.round_void, **ids, reason="misdeal")
    else:
        done(services.round_withdraw, **ids, table_id=floor.other.pk, supervisor=True)
    assert state(entry) == "taken"
    assert refusal(floor.clarify, "dismiss", entry) == "clarify.closed"


def test_a_late_withdrawal_of_a_round_that_was_played_can_only_be_dismissed(floor: Offline) -> None:
    round_id = settled(floor, WON)
    entry = floor.keep(round_id, "withdraw", {})
    assert refusal(floor.clarify, "take", entry) == "round.state_refused"
    floor.clarify("dismiss", entry)
    assert (state(entry), Round.objects.get().state) == ("dismissed", "settled")


# What cannot be read, and what changes nothing
def whole(floor: Offline, stake: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A round that was queued, with another first stake or other fields."""
    first, *others = stakes_for(floor.others[:2])
    return {"stakes": [first | (stake or {}), *others], "result": WON} | changes


def test_what_the_game_cannot_read_is_refused_and_not_stored(floor: Offline) -> None:
    """Whatever it was refused for: it is of no box, no cards, no amount, or another game's."""
    late = {"result": {"boxes": {"1": {"play": 1, "result": "win", "cards": "Zh Qx"}}}}
    refusals = [
        ("queued", {"stakes": [], "result": WON}, "round.stakes_wrong"),
        ("queued", {"stakes": "many", "result": WON}, "round.stakes_wrong"),
        ("queued", whole(floor, {"amount_minor": "1500"}), "round.stake_wrong"),
        ("queued", whole(floor, {"guest": "one of them"}), "round.stake_wrong"),
        ("queued", whole(floor, {"box": 42}), "uth.box_outside_layout"),
        ("queued", whole(floor, {"kind": "bonus"}), "uth.kind_unknown"),
        ("queued", whole(floor, placed=[{"act": "double"}]), "uth.nothing_later"),
        ("queued", whole(floor, result=None), "round.result_wrong"),
        ("queued", whole(floor, result={"boxes": {"99": {"result": "win"}}}), "uth.box_outside_layout"),
        ("queued", whole(floor, result={"board": "Ah Ah", "boxes": {}}), "cards.twice"),
        ("queued", whole(floor, result={"board": "Ah Kd", "boxes": {}}), "cards.count"),
        ("lock", {"stakes": None}, "round.stakes_wrong"),
        ("settle", {}, "round.result_wrong"),
        ("settle", late, "cards.unknown"),
        ("hand_end", {"dealt": [str(uuid4()), str(uuid4())]}, "poker.no_stacks"),
    ]
    for round_id in (uuid4(), settled(floor, LOST)):
        for kind, payload, code in refusals:
            assert refusal(floor.keep, round_id, kind, payload) == code, (kind, payload)
    assert not ReviewItem.objects.exists()


def test_of_a_round_so_many_messages_of_a_sender_wait_and_of_a_table_a_long_night(
    floor: Offline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same once more is no further one; what is closed makes room, and another person may send."""
    round_id = uuid4()
    results = [
        taps(b1={"play": 1, "result": first}, b2={"play": 1, "result": second})
        for first in RESULTS
        for second in RESULTS
    ]
    entries = [floor.keep(round_id, "settle", {"result": result}) for result in results[:4]]
    assert refusal(floor.keep, round_id, "settle", {"result": results[4]}) == "clarify.repeated"
    assert floor.keep(round_id, "settle", {"result": results[0]}).pk == entries[0].pk
    other = {"house_id": floor.house.pk, "table_id": floor.other.pk, "round_id": round_id, "kind": "settle"}
    other |= {"payload": {"result": results[4]}, "refused": RoundState(state="voided"), "person_id": floor.martina.pk}
    assert done(services.review_item_record, **other).state == "open"
    floor.clarify("dismiss", entries[0])
    assert floor.keep(round_id, "settle", {"result": results[5]}).state == "open"
    monkeypatch.setattr(entries_module, "AT_TABLE_MOST", 6)
    for _ in range(2):
        floor.keep(uuid4(), "queued", whole(floor))
    assert refusal(floor.keep, uuid4(), "queued", whole(floor)) == "clarify.full"
    assert floor.keep(round_id, "settle", {"result": results[5]}).state == "open"


def unread(floor: Offline, round_id: UUID) -> ReviewItem:
    """An entry from before such were refused."""
    return floor.keep_unread(round_id, "settle", {"result": {"boxes": {"1": {"cards": str(uuid4())}}}})


def test_what_can_change_nothing_is_closed_together_with_one_reason(floor: Offline) -> None:
    """Taken where it is in the books, else dismissed; what may change something stays, and so does what is asked for."""
    booked = settled(floor, WON)
    running = settled(floor, LOST)
    other = uuid4()
    same = floor.keep(booked, "settle", {"result": WON})
    nothing = [unread(floor, booked), unread(floor, uuid4()), floor.keep(uuid4(), "settle", {"result": WON})]
    stays = [floor.keep(running, "settle", {"result": WON}), floor.keep(other, "queued", whole(floor))]
    stays += [floor.keep(other, "settle", {"result": LOST})]
    where = {"house_id": floor.house.pk, "table_id": floor.other.pk, "actor_id": floor.reto.pk}
    ledger = Entry.objects.count()
    assert refusal(services.review_items_close, **where, reason=" ") == "text.refused"
    assert done(services.review_items_close, **where, reason="cannot be read") == (1, 3)
    assert [state(entry) for entry in (same, *nothing, *stays)] == ["taken", *["dismissed"] * 3, *["open"] * 3]
    closed = ReviewItem.objects.exclude(state="open").values_list("closed_by", "reason")
    assert {*closed} == {(floor.reto.pk, "cannot be read")}
    assert Entry.objects.count() == ledger
    assert refusal(services.review_items_close, **where, reason="cannot be read") == "clarify.none_idle"
    other_table = where | {"table_id": uuid4()}
    assert refusal(services.review_items_close, **other_table, reason="cannot be read") == "table.unknown"


def test_prg7_only_what_would_change_a_line_of_its_round_holds_a_payment(floor: Offline) -> None:
    won = settled(floor, WON)
    impossible = taps(
        b1={"result": "fold"}, b2={"play": 1, "result": "win", "hand": "straight_flush", "on_board": True}
    )
    unread(floor, won)
    for kind, payload in (
        ("settle", {"result": WON}),
        ("settle", {"result": impossible}),
        ("lock", {"stakes": stakes_for(floor.others[:1])}),
        ("queued", {"stakes": stakes_for(floor.others[:1]), "result": LOST}),
    ):
        with patch.object(entries_module, "OF_ROUND_MOST", 9):
            floor.keep(won, kind, payload)
    assert (ReviewItem.objects.filter(state="open").count(), unclarified([won])) == (5, 0)
    with patch.object(entries_module, "OF_ROUND_MOST", 9):
        other = floor.keep(won, "settle", {"result": LOST})
    assert unclarified([won]) == 1
    floor.clarify("dismiss", other)
    assert unclarified([won]) == 0
