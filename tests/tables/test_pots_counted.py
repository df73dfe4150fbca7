"""Hands at *pots* that are put right, or come late, after stacks were fixed: counted, or rolled into another day (POK-2)."""
# ruff: noqa: N802 - tests are named after the rules

from datetime import timedelta
from typing import Any

from django.utils import timezone

from payouts.models import Account
from tables.audit.replay_hands import HandAgain, hand_again
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Street
from tables.models import Hand, HandSeat, PokerStay
from tables.services.hands.entry import PlayedHand
from tests.poker import of_hand, pots_of
from tests.tables.audits import breached_here
from tests.tables.test_pots import BETS, Potted, refused
from tests.worlds import world


class Recounted(Potted):
    """A floor whose stacks are counted anew."""

    def right(self) -> tuple[PlayedHand, PlayedHand]:
        """Seat 7 wins all, as entered by mistake; seat 3 wins the main pot, as it was."""
        entry = self.entry(*BETS, winners=[[7], [7]])
        return entry, won(entry, 3, 7)

    def count(self, *minor: int, **values: Any) -> None:
        sitting = PokerStay.objects.filter(guest__session__table=self.raked, left_at=None).order_by("guest__box")
        self.at_table(
            "stacks_count",
            counted={str(stay.pk): amount for stay, amount in zip(sitting, minor, strict=True)},
            **values,
        )

    def lies(self) -> tuple[list[int], int, int]:
        """The stacks of seats 3, 5 and 7, what is in play, and the rake."""
        balances = self.balances()
        stacks = [-balances.get(f"stack {seat}", 0) for seat in (3, 5, 7)]
        return stacks, -balances.get("in_play", 0), -balances.get("rake", 0)

    def correct(self, hand: Hand, entry: PlayedHand) -> Hand:
        """Signed by the pit."""
        signed = self.ask(hand, "hand_correction_request", entry=entry)
        corrected: Hand = of_hand(self, hand, "hand_correct", entry=entry, approval_id=signed.pk)
        return corrected

    def void(self, hand: Hand) -> None:
        of_hand(self, hand, "hand_void", approval_id=self.ask(hand, "hand_void_request").pk)


pytestmark = world(Recounted)


def won(entry: PlayedHand, *winners: int) -> PlayedHand:
    assert entry.pots is not None
    return entry._replace(pots=entry.pots._replace(winners=tuple(PotWinners((seat,)) for seat in winners)))


def booked(hand: Hand) -> list[int]:
    rows = HandSeat.objects.filter(hand=hand, revision=hand.revision).order_by("seat")
    return [*rows.values_list("booked_minor", flat=True)]


def check_sound() -> None:
    """No audit names a row, and every hand plays to its record, by pokerkit too."""
    assert breached_here() == {}
    assert all(hand_again(hand.pk) == HandAgain([], []) for hand in Hand.objects.all())


FELT = [245_00, 70_00, 90_00]


def test_POK_2_what_was_counted_after_a_hand_stands_whatever_comes_out_about_it(floor: Recounted) -> None:
    entry, right = floor.right()
    hand = floor.end(entry)
    assert floor.lies() == ([0, 70_00, 335_00], 0, 10_00)
    floor.count(*FELT)
    moved = {"entry": right, "correction": "award_moved"}
    counted = ("poker.counted_since", {"number": 1})
    for command in ("hand_correction_request", "hand_correct"):
        assert refused(of_hand, floor, hand, command, **moved) == counted
    hand = floor.correct(hand, right)
    assert (floor.lies(), booked(hand)) == ((FELT, 0, 10_00), [-85_00, -130_00, 205_00])
    assert refused(of_hand, floor, hand, "hand_correct", **moved) == counted
    alone = won(pots_of(floor.stays[:2], *BETS), 3)
    assert alone.pots is not None
    without = alone._replace(pots=alone.pots._replace(stacks=(85_00, 200_00)))
    assert refused(of_hand, floor, hand, "hand_correct", entry=without) == counted  # seat 7 had chips of it
    assert right.pots is not None
    less = won(right._replace(pots=right.pots._replace(betting=right.pots.betting._replace(streets=BETS[:1]))), 3)
    hand = floor.correct(hand, less)  # the fee of 45.00 that lay in the pot
    assert floor.lies() == (FELT, 8_00, 2_00)
    check_sound()
    floor.void(hand)
    assert floor.lies() == (FELT, 10_00, 0)
    check_sound()
    floor.end(floor.entry(Street(10_00, {7: 0}), winners=[[3]]))
    assert floor.lies() == ([254_00, 60_00, 90_00], 10_00, 1_00)
    check_sound()


def test_POK_2_a_late_hand_of_before_a_count_moves_no_stack_neither_then_nor_later(floor: Recounted) -> None:
    began_at = timezone.now()
    entry, right = floor.right()
    floor.count(*FELT, missing_minor=10_00)  # the fee lies in the tray, and is not booked yet
    assert floor.lies() == (FELT, 10_00, 0)
    assert refused(floor.end, entry, queued=True, began_at=began_at)[0] == "poker.stacks_differ"
    late = {"clarified": True, "supervisor": True}
    hand = floor.end(entry, **late, began_at=began_at)
    assert (floor.lies(), booked(hand)) == ((FELT, 0, 10_00), [0, 0, 0])
    check_sound()
    hand = floor.correct(hand, right)
    assert (floor.lies(), booked(hand)) == ((FELT, 0, 10_00), [0, 0, 0])
    moved = {"entry": entry, "correction": "award_moved"}
    assert refused(of_hand, floor, hand, "hand_correct", **moved) == ("poker.counted_since", {"number": 1})
    floor.void(hand)
    assert floor.lies() == (FELT, 10_00, 0)
    unsaid = floor.end(right, **late)  # nobody knows when it began
    assert (floor.lies(), booked(unsaid)) == ((FELT, 0, 10_00), [0, 0, 0])
    later = floor.end(floor.entry(Street(10_00, {7: 0}), winners=[[3]]), **late, began_at=timezone.now())
    assert floor.lies() == ([254_00, 60_00, 90_00], 0, 11_00)
    floor.void(later)
    assert floor.lies() == (FELT, 0, 10_00)
    check_sound()


def test_POK_2_after_the_day_changed_stacks_are_counted_before_a_hand_is_put_right(floor: Recounted) -> None:
    began_at = timezone.now() - timedelta(hours=1)
    entry, right = floor.right()
    late = floor.entry(Street(10_00, {7: 0}), winners=[[3]])
    hand = floor.end(entry)
    void = floor.ask(hand, "hand_void_request")
    floor.at_table("session_roll")
    rolled = ("poker.stacks_rolled", {"day": hand.session.gaming_day.isoformat()})
    for correction in ("entry_wrong", "award_moved"):
        for command in ("hand_correction_request", "hand_correct"):
            values = {"entry": right, "correction": correction}
            assert refused(of_hand, floor, hand, command, **values) == rolled
    assert refused(of_hand, floor, hand, "hand_void_request") == rolled
    assert refused(of_hand, floor, hand, "hand_void", approval_id=void.pk) == rolled
    assert refused(floor.end, late, began_at=began_at, queued=True)[0] == "poker.stacks_differ"
    assert floor.lies() == ([0, 70_00, 335_00], 0, 10_00)
    same = floor.correct(hand, entry)  # moves nothing
    assert (floor.lies(), same.revision) == (([0, 70_00, 335_00], 0, 10_00), 2)
    floor.count(*FELT)
    counted = ("poker.counted_since", {"number": 1})
    assert refused(of_hand, floor, same, "hand_correct", entry=right, correction="award_moved") == counted
    hand = floor.correct(same, right)
    assert (floor.lies(), booked(hand)) == ((FELT, 0, 10_00), [-85_00, -130_00, 205_00])
    floor.end(late, clarified=True, supervisor=True, began_at=began_at)
    assert floor.lies() == (FELT, -1_00, 11_00)
    floor.void(hand)
    assert floor.lies() == (FELT, 9_00, 1_00)
    assert Account.objects.filter(kind="stack").exclude(balance_minor=0).count() == 3
    check_sound()


def test_POK_2_who_left_after_the_day_changed_bars_no_correction(floor: Recounted) -> None:
    entry, right = floor.right()
    hand = floor.end(entry)
    floor.at_table("session_roll")
    for stay in PokerStay.objects.filter(guest__session__table=floor.raked, left_at=None).order_by("guest__box"):
        floor.of(stay, "stay_leave", counted_minor=dict(zip((3, 5, 7), FELT, strict=True))[stay.guest.box or 0])
    hand = floor.correct(hand, right)
    assert booked(hand) == [-85_00, -130_00, 205_00]
    assert floor.lies() == ([0, 0, 0], 0, 10_00)
    check_sound()
