"""Hands at *rake only*: what is taken out of a pot is in the books once, and put right by who may (RAK-1, RAK-3)."""
# ruff: noqa: N802 - tests are named after the rules

from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from payouts.errors import Refused
from payouts.models import Event
from payouts.selectors import HouseNow, house_now
from tables import services
from tables.models import Hand, HandResult, PokerStay, ReviewItem, TableSession
from tables.rules.floor import FloorRules
from tables.services.hands import correct, entry
from tables.services.hands.entry import dealt_possible
from tables.services.review import entries
from tables.services.seats import parts
from tests.floor import done
from tests.poker import PokerRoom, deal, of_hand, opened
from tests.tables.audits import breached_here
from tests.turns import each
from tests.worlds import world


class Dealt(PokerRoom):
    """Three guests at the raked table with 300, 200 and 100."""

    def __init__(self) -> None:
        super().__init__()
        self.stays = [self.sit(seat, amount) for seat, amount in ((1, 200_00), (4, 200_00), (7, 100_00))]

    def deal(self, **values: Any) -> Hand:
        return deal(self, *self.stays, **values)

    def leave(self, *counted_minor: int) -> None:
        for stay, minor in zip(self.stays, counted_minor, strict=True):
            self.of(stay, "stay_leave", counted_minor=minor)


pytestmark = world(Dealt)
NUMBERS = ("rake_minor", "posted_minor", "pot_minor")


def refused(work: Any, *args: Any, **values: Any) -> tuple[str, object]:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(*args, **values)
    return refusal.value.code, refusal.value.data


def goes_on(patch: pytest.MonkeyPatch, module: Any, further: timedelta) -> None:
    """The clock that a module reads goes on."""
    now = house_now

    def moved_on(**house: UUID) -> HouseNow:
        clock = now(**house)
        return clock._replace(moment=clock.moment + further, day=clock.day + timedelta(days=further.days))

    patch.setattr(module, "house_now", moved_on)


def results(hand: Hand) -> list[tuple[int, ...]]:
    return list(HandResult.objects.filter(hand=hand).order_by("revision").values_list("revision", *NUMBERS))


def test_RAK_1_the_fee_goes_from_the_pot_into_the_tray(floor: Dealt) -> None:
    before = floor.balances()
    key = floor.deal()
    pot = floor.deal(pot={"pot_minor": 150_00})
    assert [(hand.number, hand.state, hand.revision, hand.variant, hand.croupier_id) for hand in (key, pot)] == [
        (1, "ended", 1, "holdem", floor.martina.pk),
        (2, "ended", 1, "holdem", floor.martina.pk),
    ]
    assert [*results(key), *results(pot)] == [(1, 5_00, None, None), (1, 7_00, 7_00, 150_00)]
    assert floor.balances() == before | {
        "in_play": 12_00,
        "rake": -12_00,
        "tray": before["tray"] + 12_00,
        "chips_outside": before["chips_outside"] - 12_00,
    }
    assert breached_here() == {}


def test_RAK_3_less_than_posted_is_taken_and_recorded(floor: Dealt) -> None:
    hands = [
        floor.deal(pot={"rake_minor": 4_00, "pot_minor": 150_00}),
        floor.deal(pot={"pot_minor": 150_00, "flop": False}),
        floor.deal(pot={"rake_minor": 0, "walk": True}),
    ]
    assert [row for hand in hands for row in results(hand)] == [
        (1, 4_00, 7_00, 150_00),
        (1, 0, 0, 150_00),
        (1, 0, None, None),
    ]
    assert breached_here() == {}


@each("counted", [(200_00, 180_00, 108_00), (200_00, 180_00, 107_00)])
def test_POK_2_what_hands_moved_is_nothing_when_all_have_left(floor: Dealt, counted: tuple[int, ...]) -> None:
    """Worked example 39: 12.00 is taken out of pots."""
    floor.deal(pot={"rake_minor": 5_00})
    floor.deal(pot={"rake_minor": 7_00})
    floor.leave(*counted)
    missing = 500_00 - 12_00 - sum(counted)
    emptied = Event.objects.filter(name="table.emptied").values_list("after__missing_minor", flat=True)
    assert list(emptied) == ([missing] if missing else [])
    assert "in_play" not in floor.balances()
    assert breached_here() == {}


def test_the_same_hand_again_is_one_hand(floor: Dealt) -> None:
    first = floor.deal()
    again = floor.deal(hand_id=first.pk)
    assert (again.pk, Hand.objects.count(), HandResult.objects.count()) == (first.pk, 1, 1)
    assert refused(floor.deal, hand_id=first.pk, pot={"rake_minor": 6_00}) == ("poker.hand_taken", {})
    of_hand(floor, first, "hand_correct", pot={"rake_minor": 6_00})
    assert floor.deal(hand_id=first.pk).revision == 2


def test_RAK_3_bad_fees_are_refused_with_the_figure_that_would_do(floor: Dealt) -> None:
    cases: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
        ({"rake_minor": 11_00}, "poker.rake_above_cap", {"rake_minor": 11_00, "most_minor": 10_00}),
        ({"rake_minor": 5_50}, "poker.off_step", {"rake_minor": 5_50, "step_minor": 1_00, "nearest_minor": 5_00}),
        ({"rake_minor": 11_50}, "poker.rake_above_cap", {"rake_minor": 11_50, "most_minor": 10_00}),
        ({"rake_minor": 8_00, "pot_minor": 150_00}, "poker.rake_above_cap", {"rake_minor": 8_00, "most_minor": 7_00}),
        ({"rake_minor": 8_00, "pot_minor": 7_00}, "poker.rake_above_pot", {"rake_minor": 8_00, "pot_minor": 7_00}),
        ({"rake_minor": 1_00, "walk": True}, "poker.rake_on_walk", {"rake_minor": 1_00}),
        ({"rake_minor": 1_00, "flop": False}, "poker.rake_without_flop", {"rake_minor": 1_00}),
        (
            {"pot_minor": 150_50},
            "poker.off_chip",
            {"amount_minor": 150_50, "chip_minor": 1_00, "nearest_minor": 150_00},
        ),
        *(({"rake_minor": bad}, "poker.rake_missing", {}) for bad in (None, "5", 5.0, -1_00, 10**18, True)),
    ]
    for pot, code, data in cases:
        assert refused(floor.deal, pot=pot) == (code, data), pot
    assert refused(deal, floor, floor.stays[0]) == ("poker.too_few", {"players": 1})
    assert refused(floor.deal, variant="omaha") == ("poker.variant_wrong", {"variant": "omaha"})
    elsewhere = floor.sit(1, table=floor.timed)
    assert refused(deal, floor, floor.stays[0], elsewhere)[0] == "poker.stay_gone"
    timed = [elsewhere, floor.sit(2, table=floor.timed)]
    assert refused(deal, floor, *timed)[0] == "poker.no_rake"
    assert results(deal(floor, *timed, pot={})) == [(1, 0, None, None)]
    assert refused(floor.deal, person_id=floor.nora.pk)[0] == "round.croupier_wrong"
    assert Hand.objects.count() == 1
    assert breached_here() == {}


def test_a_hand_is_put_right_alone_only_at_once(floor: Dealt, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = floor.deal()
    of_hand(floor, hand, "hand_correct", pot={"rake_minor": 7_00}, dealt=[stay.pk for stay in floor.stays[:2]])
    hand.refresh_from_db()
    assert results(hand) == [(1, 5_00, None, None), (2, 7_00, None, None)]
    assert (floor.balances()["rake"], floor.balances()["in_play"]) == (-7_00, 7_00)
    assert (
        refused(of_hand, floor, hand, "hand_correct", revision=1, pot={"rake_minor": 6_00})[0] == "poker.revision_old"
    )
    other = refused(of_hand, floor, hand, "hand_correct", pot={"rake_minor": 6_00}, person_id=floor.reto.pk)
    assert other == ("poker.approval_needed", {"why": correct.NOT_DEALER})
    with monkeypatch.context() as patch:
        goes_on(patch, correct, timedelta(seconds=21))
        late = refused(of_hand, floor, hand, "hand_correct", pot={"rake_minor": 6_00})
    assert late == ("poker.approval_needed", {"why": correct.TOO_LATE})
    floor.deal()
    played_on = refused(of_hand, floor, hand, "hand_correct", pot={"rake_minor": 6_00})
    assert played_on == ("poker.approval_needed", {"why": correct.PLAYED_ON})
    assert refused(of_hand, floor, hand, "hand_correct", hand_id=uuid4(), pot={})[0] == "poker.hand_unknown"
    assert breached_here() == {}


@each("sits", [True, False])
def test_the_pit_signs_what_is_put_right_later(floor: Dealt, sits: bool) -> None:
    """Where all have left, what comes back is owed to pockets."""
    hand = floor.deal()
    void = floor.deal(pot={"rake_minor": 7_00})
    if not sits:
        floor.leave(200_00, 180_00, 108_00)
    owed = -floor.balances().get("circulation", 0)
    again = {"pot": {"rake_minor": 3_00}}
    request = floor.ask(hand, "hand_correction_request", **again)
    gone = floor.ask(void, "hand_void_request")
    assert refused(of_hand, floor, hand, "hand_correct", pot={"rake_minor": 4_00}, approval_id=request.pk)[0] == (
        "approval.changed"
    )
    of_hand(floor, hand, "hand_correct", **again, approval_id=request.pk)
    of_hand(floor, void, "hand_void", approval_id=gone.pk)
    assert refused(of_hand, floor, void, "hand_void", approval_id=gone.pk) == ("poker.hand_voided", {"number": 2})
    books = floor.balances()
    assert (books["rake"], books.get("in_play", 0)) == (-3_00, 3_00 if sits else 0)
    assert -books.get("circulation", 0) - owed == (0 if sits else 9_00)
    assert breached_here() == {}


def test_who_dealt_a_hand_signs_nothing_about_it(floor: Dealt) -> None:
    request = of_hand(floor, floor.deal(), "hand_void_request", person_id=floor.reto.pk)
    assert request.excluded == [floor.martina.pk]


def test_a_queued_hand_whose_guest_has_left_is_clarified(floor: Dealt) -> None:
    hand_id = uuid4()
    stays = [str(stay.pk) for stay in floor.stays]
    floor.leave(200_00, 180_00, 108_00)
    with pytest.raises(Refused) as refusal, transaction.atomic():
        floor.deal(hand_id=hand_id, queued=True)
    values = {"house_id": floor.house.pk, "table_id": floor.raked.pk, "round_id": hand_id, "kind": "hand_end"}
    payload = {"dealt": stays, "rake_minor": 12_00 - 2_00, "queued": True}
    keep = {"payload": payload, "refused": refusal.value, "person_id": floor.martina.pk}
    entry: ReviewItem = done(services.review_item_record, **values, **keep)
    assert (entry.play, entry.code) == ("hand", "poker.dealt_gone")
    assert refusal.value.data == {"number": 1, "seat": 1}
    pit = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk, "reason": "seen on camera"}
    assert services.review_item_try(entry, actor_id=floor.reto.pk) is None
    done(services.review_item_take, **pit)
    hand = Hand.objects.get()
    assert (hand.pk, hand.croupier_id, hand.queued, results(hand)) == (
        hand_id,
        floor.martina.pk,
        True,
        [(1, 10_00, None, None)],
    )
    assert (floor.balances()["rake"], "in_play" in floor.balances()) == (-10_00, False)
    assert breached_here() == {}


def waiting(floor: Dealt, hand_id: UUID, refusal: Refused, **payload: Any) -> dict[str, Any]:
    """What the pit's command takes about a queued hand that was refused."""
    values = {"house_id": floor.house.pk, "table_id": floor.raked.pk, "round_id": hand_id, "kind": "hand_end"}
    payload = {"dealt": [str(stay.pk) for stay in floor.stays], "rake_minor": 2_00, "queued": True} | payload
    keep = {"payload": payload, "refused": refusal, "person_id": floor.martina.pk}
    entry = done(services.review_item_record, **values, **keep)
    return {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk, "reason": "seen on camera"}


@each("ends", ["rolled", "left", "closed", "opened"])
def test_HSE_1_a_hand_of_the_session_before_is_booked_in_it(floor: Dealt, ends: str) -> None:
    """By the pit, whether its guests sit there still, have left since, or the table has closed or opened again."""
    session = TableSession.objects.get(pk=floor.session_of(floor.raked))
    hand_id = uuid4()
    floor.deal()
    if ends in ("rolled", "left"):
        floor.at_table("session_roll")
        sitting = PokerStay.objects.filter(guest__session__table=floor.raked, left_at=None).order_by("guest__box")
        if ends == "left":
            for stay, counted in zip(sitting, (200_00, 180_00, 108_00), strict=True):
                floor.of(stay, "stay_leave", counted_minor=counted)
    else:
        floor.leave(200_00, 180_00, 108_00)
        floor.at_table("table_close")
        if ends == "opened":
            opened(floor, floor.raked)
            floor.sit(1)
    with pytest.raises(Refused) as refusal, transaction.atomic():
        floor.deal(hand_id=hand_id, queued=True)
    books = floor.balances()
    take = waiting(floor, hand_id, refusal.value)
    assert services.review_item_try(ReviewItem.objects.get(), actor_id=floor.reto.pk) is None
    done(services.review_item_take, **take)
    hand = Hand.objects.get(pk=hand_id)
    assert (hand.session_id, hand.number, hand.croupier_id) == (session.pk, 2, floor.martina.pk)
    assert hand.results.get().dealt == [stay.pk for stay in floor.stays]
    pays = "in_play" if ends == "rolled" else "circulation"
    assert floor.balances() == books | {
        "rake": -7_00,
        "tray": books["tray"] + 2_00,
        "chips_outside": books["chips_outside"] - 2_00,
        pays: books.get(pays, 0) + 2_00,
    }
    assert breached_here() == {}


def test_HSE_1_a_queued_hand_that_began_before_its_session_was_rolled_ends_in_it(floor: Dealt) -> None:
    """One that began later, dealt by a tablet that did not know, is of the session that goes on."""
    session = TableSession.objects.get(pk=floor.session_of(floor.raked))
    floor.at_table("session_roll", croupier_id=floor.nora.pk)
    session.refresh_from_db()
    assert session.closed_at is not None
    hands = [floor.deal(queued=True, began_at=session.closed_at - timedelta(seconds=1))]
    nora = {"queued": True, "person_id": floor.nora.pk}
    hands.append(floor.deal(**nora, began_at=session.closed_at + timedelta(seconds=1)))
    sitting = PokerStay.objects.filter(left_at=None).order_by("guest__box")
    assert [(hand.session_id, hand.number, hand.results.get().dealt) for hand in hands] == [
        (session.pk, 1, [stay.pk for stay in floor.stays]),
        (floor.session_of(floor.raked), 1, [stay.pk for stay in sitting]),
    ]
    assert refused(floor.deal, queued=True)[0] == "poker.stay_gone"  # nobody says when it began
    assert breached_here() == {}


def test_POK_2_who_was_dealt_in_stays_so_though_the_clock_was_set_back(
    floor: Dealt, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = floor.deal()
    floor.of(floor.stays[0], "stay_leave", counted_minor=100_00)
    monkeypatch.setattr(entry, "_began_after", lambda _hand: hand.ended_at + timedelta(days=1))
    assert of_hand(floor, hand, "hand_correct", pot={"rake_minor": 6_00}).revision == 2


def test_POK_2_a_hand_of_strangers_is_not_booked_by_the_pit(floor: Dealt) -> None:
    strangers = [str(floor.sit(seat, table=floor.timed).pk) for seat in (1, 2)]
    take = waiting(floor, uuid4(), Refused(), dealt=strangers)
    assert refused(services.review_item_take, **take) == ("clarify.stays_unknown", {})


def test_POK_2_nobody_is_dealt_into_a_hand_who_was_not_there(floor: Dealt, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a correction of their croupier, or of the pit; by a hand that the pit takes."""
    monkeypatch.setattr(FloorRules, "undo_s", 0)
    *stays, gone = floor.stays
    first = deal(floor, *stays)
    floor.of(gone, "stay_leave", counted_minor=100_00)
    second = deal(floor, *stays)
    third = deal(floor, *stays)
    late = floor.sit(9)
    dealt = [stay.pk for stay in stays]
    for hand, stay, data in ((third, gone, {"seat": 7, "number": 3}), (third, late, {"seat": 9, "number": 4})):
        again = {"pot": {"rake_minor": 5_00}, "dealt": [*dealt, stay.pk]}
        for command in ("hand_correct", "hand_correction_request"):
            assert refused(of_hand, floor, hand, command, **again) == ("poker.not_there", data), command
    assert [{*dealt_possible(hand)} for hand in (first, second, third)] == [{*floor.stays}, {*floor.stays}, {*stays}]
    gone.refresh_from_db()
    began_at = (gone.left_at + timedelta(seconds=1)).isoformat()
    take = waiting(floor, uuid4(), Refused(), began_at=began_at)
    assert refused(services.review_item_take, **take) == ("poker.not_there", {"seat": 7, "number": 3})


def test_a_hand_that_the_pit_dismissed_does_not_come_again(floor: Dealt) -> None:
    hand_id = uuid4()
    values = {"house_id": floor.house.pk, "table_id": floor.raked.pk, "round_id": hand_id, "kind": "hand_end"}
    keep = {"payload": {"dealt": []}, "refused": Refused(), "person_id": floor.martina.pk}
    with patch.object(entries, "check_form"):  # from before such were refused
        entry = done(services.review_item_record, **values, **keep)
    pit = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk, "reason": "never played"}
    unreadable = refused(services.review_item_take, **pit)[0]
    done(services.review_item_dismiss, **pit)
    assert (unreadable, refused(floor.deal, hand_id=hand_id, queued=True)[0]) == (
        "poker.too_few",
        "poker.hand_dismissed",
    )


def test_HSE_1_a_hand_that_began_before_the_days_change_ends_on_it(
    floor: Dealt, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay = PokerStay.objects.get(pk=floor.stays[0].pk)
    day = stay.guest.session.gaming_day
    with monkeypatch.context() as patch:
        goes_on(patch, parts, timedelta(days=1))
        assert refused(floor.deal)[0] == "table.day_over"
        hand = floor.deal(began_at=stay.began_at)
    assert hand.session.gaming_day == day


def test_a_hand_takes_as_many_statements_for_nine_as_for_two(floor: Dealt) -> None:
    floor.deal()  # posted versions are read once by each process
    counts = []
    for stays in (floor.stays[:2], [*floor.stays, *(floor.sit(seat) for seat in (2, 3, 5, 6, 8, 9))]):
        with CaptureQueriesContext(connection) as captured:
            deal(floor, *stays)
        counts.append(len(captured))
    assert counts == [12, 12]  # a savepoint's two among them
