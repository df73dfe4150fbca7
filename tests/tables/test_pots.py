"""Hands at *pots*: stacks bear them, chips go from who lost to who won, and what was entered wrong is put right (POK-2, POK-6,
POK-7, RAK-3).
"""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Account
from tables import services
from tables.games.poker.raking import Pot
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Street
from tables.models import Hand, HandPot, HandSeat, HandShare
from tables.services.hands.entry import PlayedHand
from tests.floor import done
from tests.poker import PokerRoom, at_table, of_hand, pots_of
from tests.tables.audits import breached_here
from tests.worlds import world

BETS = (Street(15_00), Street(30_00), Street(85_00), Street())


class Potted(PokerRoom):
    """Three guests at a table that is entered at *pots*, of whom the one at seat 3 is all-in first."""

    def __init__(self) -> None:
        super().__init__()
        at_table(self, "table_entry_level_set", self.raked, entry_level="pots")
        self.stays = [self.sit(seat, minor) for seat, minor in ((3, 85_00), (5, 200_00), (7, 130_00))]

    def stacks(self) -> dict[int, int]:
        """By seat what is booked there."""
        booked = dict(Account.objects.filter(kind="stack").values_list("detail_id", "balance_minor"))
        return {stay.guest.box: -booked[stay.pk] for stay in self.stays if stay.guest.box}

    def entry(self, *streets: Street, winners: Any = (), **more: Any) -> PlayedHand:
        return pots_of(self.stays, *streets, winners=winners, **more)

    def end(self, entry: PlayedHand, **values: Any) -> Hand:
        ids = {"house_id": self.house.pk, "table_id": self.raked.pk, "hand_id": uuid4(), "person_id": self.martina.pk}
        hand: Hand = done(services.hand_end, **ids | values, entry=entry)
        return hand


pytestmark = world(Potted)


def refused(work: Any, *args: Any, **values: Any) -> tuple[str, object]:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(*args, **values)
    return refusal.value.code, refusal.value.data


def test_POK_6_an_all_in_makes_a_side_pot_and_chips_go_to_who_won(floor: Potted) -> None:
    before = floor.balances()
    entry = floor.entry(*BETS, winners=[[3, 7], [7]])
    hand = floor.end(entry)
    assert list(HandPot.objects.order_by("number").values_list("number", "amount_minor", "rake_minor", "seats")) == [
        (1, 255_00, 10_00, [3, 5, 7]),
        (2, 90_00, 0, [5, 7]),
    ]
    shares = HandShare.objects.order_by("number", "seat").values_list(
        "number", "seat", "half", "amount_minor", "odd_minor"
    )
    assert list(shares) == [(1, 3, "whole", 123_00, 1_00), (1, 7, "whole", 122_00, 0), (2, 7, "whole", 90_00, 0)]
    assert floor.stacks() == {3: 123_00, 5: 70_00, 7: 212_00}
    moved = {kind: minor - before.get(kind, 0) for kind, minor in floor.balances().items()}
    assert {kind: minor for kind, minor in moved.items() if minor} == {
        "stack 3": -38_00,
        "stack 5": 130_00,
        "stack 7": -82_00,
        "rake": -10_00,
        "tray": 10_00,
        "chips_outside": -10_00,
    }
    result = hand.results.get()
    assert (hand.entry_level, result.pot_minor, result.rake_minor, result.flop) == ("pots", 345_00, 10_00, True)
    assert breached_here() == {}


def test_POK_6_a_walk_moves_the_small_blind_alone(floor: Potted) -> None:
    floor.end(floor.entry(Street(2_00, {3: 1_00, 7: 0})))
    assert floor.stacks() == {3: 84_00, 5: 201_00, 7: 130_00}
    assert HandSeat.objects.get(seat=5).returned_minor == 1_00
    assert breached_here() == {}


def test_POK_6_what_the_tablet_showed_is_what_is_booked_or_nothing(floor: Potted) -> None:
    entry = floor.entry(*BETS, winners=[[3, 7], [7]])
    side = {"amount_minor": 90_00, "rake_minor": 0, "shares": [share(7, 90_00)]}
    main = {"amount_minor": 255_00, "rake_minor": 10_00, "shares": [share(3, 123_00, 1_00), share(7, 122_00)]}
    result = {"uncalled": None, "pots": [main, side]}
    assert entry.pots is not None
    for place, value, code, data in (
        (
            ("pots", 0, "amount_minor"),
            254_00,
            "pots_differ",
            {"pot": 1, "booked_minor": 255_00, "entered_minor": 254_00},
        ),
        (("pots", 0, "rake_minor"), 9_00, "rakes_differ", {"pot": 1, "booked_minor": 10_00, "entered_minor": 9_00}),
        (
            ("pots", 1, "shares", 0, "seat"),
            5,
            "shares_differ",
            {"pot": 2, "seat": 5, "booked_minor": 0, "entered_minor": 90_00},
        ),
        (
            ("pots", 1, "shares"),
            [share(7, 90_00), share(9, 1_00)],
            "shares_differ",
            {"pot": 2, "seat": 9, "booked_minor": 0, "entered_minor": 1_00},
        ),
        (
            ("pots", 1, "shares", 0, "half"),
            "high",
            "shares_differ",
            {"pot": 2, "seat": 7, "booked_minor": 0, "entered_minor": 90_00},
        ),
        (
            ("pots", 0, "shares", 0, "odd_minor"),
            0,
            "odd_chips_differ",
            {"pot": 1, "seat": 3, "booked_minor": 1_00, "entered_minor": 0},
        ),
        (
            ("uncalled",),
            {"seat": 9, "amount_minor": 3_00},
            "uncalled_differs",
            {"seat": 9, "booked_minor": 0, "entered_minor": 3_00},
        ),
        (("uncalled",), {"seat": 5}, "entry_wrong", {"field": "expects.uncalled", "given": "null"}),
        (("pots",), [main], "pots_differ", {"pot": 2, "booked_minor": 90_00, "entered_minor": 0}),
        (("pots", 0, "shares"), None, "entry_wrong", {"field": "expects.shares", "given": "null"}),
    ):
        changed = entry._replace(pots=entry.pots._replace(expects=_changed(result, place, value)))
        assert refused(floor.end, changed) == (f"poker.{code}", data)
    assert not Hand.objects.exists()
    floor.end(entry._replace(pots=entry.pots._replace(expects=result)))
    assert Hand.objects.get().entry_level == "pots"


def test_POK_6_a_bet_that_went_back_is_shown_as_it_is_booked(floor: Potted) -> None:
    entry = floor.entry(Street(120_00, {3: 10_00, 7: 20_00}))
    assert entry.pots is not None
    pot = {"amount_minor": 50_00, "rake_minor": 0, "shares": [share(5, 50_00)]}
    back = {"seat": 5, "amount_minor": 100_00}
    for uncalled, figures in (
        (back | {"amount_minor": 99_00}, {"booked_minor": 100_00, "entered_minor": 99_00}),
        (None, {"booked_minor": 100_00, "entered_minor": 0}),
    ):
        result = {"uncalled": uncalled, "pots": [pot]}
        changed = entry._replace(pots=entry.pots._replace(expects=result))
        assert refused(floor.end, changed) == ("poker.uncalled_differs", {"seat": 5, **figures})
    floor.end(entry._replace(pots=entry.pots._replace(expects={"uncalled": back, "pots": [pot]})))
    assert Hand.objects.count() == 1


def share(seat: int, minor: int, odd_minor: int = 0) -> dict[str, object]:
    return {"seat": seat, "half": "whole", "amount_minor": minor, "odd_minor": odd_minor}


def _changed(data: Any, place: tuple[Any, ...], value: object) -> Any:
    if not place:
        return value
    at, *rest = place
    if isinstance(data, list):
        return [_changed(item, tuple(rest), value) if number == at else item for number, item in enumerate(data)]
    return data | {at: _changed(data[at], tuple(rest), value)}


def test_POK_2_table_stakes_hold(floor: Potted) -> None:
    """What the books have before a guest is what the hand begins with, and no chip is played that was not there."""
    entry = floor.entry(Street(15_00), winners=[[3]])
    assert entry.pots is not None
    other = entry._replace(pots=entry.pots._replace(stacks=(85_00, 200_00, 131_00)))
    differ = ("poker.stacks_differ", {"seat": 7, "booked_minor": 130_00, "entered_minor": 131_00})
    assert refused(floor.end, other) == differ
    swapped = entry._replace(dealt=[*entry.dealt[::-1]])
    assert refused(floor.end, swapped)[0] == "poker.stacks_differ"
    fewer = entry._replace(dealt=entry.dealt[:2])
    assert refused(floor.end, fewer) == ("poker.seats_other", {"seats": 3, "players": 2})
    above = floor.entry(Street(201_00), winners=[[5]])
    bet = {"amount_minor": 201_00, "street": 1, "most_minor": 200_00}
    assert refused(floor.end, above) == ("poker.bet_above_stack", bet)
    by_rake = PlayedHand(entry.dealt, Pot(rake_minor=5_00))
    assert refused(floor.end, by_rake) == ("poker.level_other", {"level": "pots"})
    assert floor.stacks() == {3: 85_00, 5: 200_00, 7: 130_00}


def test_POK_2_chips_beside_hands_move_the_stacks_too(floor: Potted) -> None:
    three, five, _seven = floor.stays
    floor.of(three, "stay_chips", kind="tip", amount_minor=5_00, means="stack")
    over = refused(floor.of, three, "stay_chips", kind="tip", amount_minor=81_00, means="stack")
    assert over == ("poker.above_stack", {"seat": 3, "stack_minor": 80_00, "amount_minor": 81_00})
    above = refused(floor.of, five, "stay_chips", kind="top_up", amount_minor=1_00, means="cash")
    assert above[0] == "poker.buy_in_above"
    floor.of(three, "stay_chips", kind="top_up", amount_minor=20_00, means="cash")
    assert floor.stacks() == {3: 100_00, 5: 200_00, 7: 130_00}
    assert "in_play" not in floor.balances()
    floor.of(five, "stay_leave", counted_minor=199_00)
    assert floor.balances()["in_play"] == -1_00
    assert breached_here() == {}


def test_POK_2_a_level_that_needs_stacks_begins_at_an_empty_table(floor: Potted) -> None:
    at_table(floor, "table_entry_level_set", floor.raked, entry_level="rake_only")
    back = refused(at_table, floor, "table_entry_level_set", floor.raked, entry_level="pots")
    assert back == ("poker.stacks_uncounted", {})


def test_POK_2_who_is_dealt_in_by_a_correction_alone_has_the_stack_of_then(floor: Potted) -> None:
    """Chips bought after the hand were not in it; who was taken out of it comes back with what lay there."""
    three, five, seven = floor.stays
    entry = pots_of([three, five], Street(15_00), winners=[[3]])
    hand = floor.end(entry)
    floor.of(seven, "stay_chips", kind="top_up", amount_minor=20_00, means="cash")

    def dealt(*stacks: int) -> PlayedHand:
        assert entry.pots is not None
        pots = entry.pots._replace(seats=(3, 5, 7), stacks=stacks)
        return PlayedHand([stay.pk for stay in floor.stays], Pot(), pots=pots)

    differ = ("poker.stacks_differ", {"seat": 7, "booked_minor": 130_00, "entered_minor": 150_00})
    assert refused(of_hand, floor, hand, "hand_correct", entry=dealt(85_00, 200_00, 150_00)) == differ
    hand = of_hand(floor, hand, "hand_correct", entry=dealt(85_00, 200_00, 130_00))
    hand = of_hand(floor, hand, "hand_correct", entry=entry)
    assert refused(of_hand, floor, hand, "hand_correct", entry=dealt(85_00, 200_00, 150_00)) == differ
    of_hand(floor, hand, "hand_correct", entry=dealt(85_00, 200_00, 130_00))
    assert floor.stacks() == {3: 113_00, 5: 185_00, 7: 135_00}
    assert breached_here() == {}


def test_a_wrong_winner_is_put_right_in_one_step(floor: Potted) -> None:
    entry = floor.entry(*BETS, winners=[[3, 7], [7]])
    hand = floor.end(entry)
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((3,)), PotWinners((5,)))))
    of_hand(floor, hand, "hand_correct", entry=right)
    assert floor.stacks() == {3: 245_00, 5: 160_00, 7: 0}
    assert breached_here() == {}


def test_a_correction_takes_from_a_stack_what_it_bears(floor: Potted) -> None:
    """Seat 7 won by mistake, and has left with it: the books move on paper, and the rest is told."""
    entry = floor.entry(*BETS, winners=[[7], [7]])
    hand = floor.end(entry)
    assert floor.stacks() == {3: 0, 5: 70_00, 7: 335_00}
    floor.of(floor.stays[2], "stay_leave", counted_minor=335_00)
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((3,)), PotWinners((5,)))))
    signed = floor.ask(hand, "hand_correction_request", entry=right)
    of_hand(floor, hand, "hand_correct", entry=right, approval_id=signed.pk)
    assert floor.stacks() == {3: 245_00, 5: 160_00, 7: 0}
    assert floor.balances()["in_play"] == 335_00
    seat = HandSeat.objects.get(revision=2, seat=7)
    assert (seat.won_minor, seat.booked_minor) == (0, 205_00)
    assert breached_here() == {}


def test_a_correction_after_all_have_left_leaves_nothing_in_play(floor: Potted) -> None:
    """What was in play for a hand put right before went to pockets with the last guest; so does what comes back of it."""
    entry = floor.entry(*BETS, winners=[[7], [7]])
    hand = floor.end(entry)
    floor.of(floor.stays[2], "stay_leave", counted_minor=335_00)
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((3,)), PotWinners((5,)))))
    signed = floor.ask(hand, "hand_correction_request", entry=right)
    hand = of_hand(floor, hand, "hand_correct", entry=right, approval_id=signed.pk)
    for stay, counted_minor in zip(floor.stays[:2], (245_00, 160_00), strict=True):
        floor.of(stay, "stay_leave", counted_minor=counted_minor)
    assert "in_play" not in floor.balances()
    signed = floor.ask(hand, "hand_correction_request", entry=entry)
    hand = of_hand(floor, hand, "hand_correct", entry=entry, approval_id=signed.pk)
    assert "in_play" not in floor.balances()
    signed = floor.ask(hand, "hand_void_request")
    of_hand(floor, hand, "hand_void", approval_id=signed.pk)
    assert "in_play" not in floor.balances()
    assert breached_here() == {}


def test_POK_9_chips_that_were_pushed_wrong_are_carried_until_the_next_hand_has_ended(floor: Potted) -> None:
    entry = floor.entry(*BETS, winners=[[7], [7]])
    hand = floor.end(entry)
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((3,)), PotWinners((7,)))))
    moved: dict[str, Any] = {"entry": right, "correction": "award_moved"}
    unknown = refused(of_hand, floor, hand, "hand_correct", **moved | {"correction": "mistake"})
    assert unknown == ("poker.correction_unknown", {"correction": "mistake"})
    approval = floor.ask(hand, "hand_correction_request", **moved)
    changed = refused(of_hand, floor, hand, "hand_correct", entry=right, approval_id=approval.pk)
    assert changed[0] == "approval.changed"  # the kind is signed
    of_hand(floor, hand, "hand_correct", **moved, approval_id=approval.pk)
    assert floor.stacks() == {3: 245_00, 5: 70_00, 7: 90_00}
    assert "in_play" not in floor.balances()
    assert [*hand.results.order_by("revision").values_list("correction", flat=True)] == ["", "award_moved"]
    hand.refresh_from_db()
    floor.end(floor.entry(Street(10_00, {7: 0}), winners=[[3]]))
    late = refused(of_hand, floor, hand, "hand_correction_request", entry=entry, correction="award_moved")
    assert late == ("poker.claim_late", {"number": 1})
    assert breached_here() == {}


def test_POK_9_no_chips_are_carried_that_are_gone_or_whose_guest_has_left(floor: Potted) -> None:
    entry = floor.entry(*BETS, winners=[[7], [7]])
    hand = floor.end(entry)
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((3,)), PotWinners((7,)))))
    moved: dict[str, Any] = {"entry": right, "correction": "award_moved"}
    floor.of(floor.stays[2], "stay_chips", kind="tip", amount_minor=110_00, means="stack")
    short = ("poker.stack_short", {"seat": 7, "amount_minor": 245_00, "stack_minor": 225_00})
    assert refused(of_hand, floor, hand, "hand_correct", **moved) == short
    floor.of(floor.stays[1], "stay_leave", counted_minor=70_00)
    gone = refused(of_hand, floor, hand, "hand_correct", **moved)
    assert gone == ("poker.gone", {"seat": 5})
    of_hand(floor, hand, "hand_correct", entry=right)  # the book alone
    assert [*hand.results.order_by("revision").values_list("correction", flat=True)] == ["", "entry_wrong"]


def test_a_void_hand_gives_all_stakes_back_as_far_as_they_are_there(floor: Potted) -> None:
    entry = floor.entry(*BETS, winners=[[3, 7], [7]])
    hand = floor.end(entry)
    lost = floor.entry(Street(123_00, {5: 0}), winners=[[7]], button=5)
    floor.end(lost)
    assert floor.stacks() == {3: 0, 5: 70_00, 7: 325_00}
    signed = floor.ask(hand, "hand_void_request")
    of_hand(floor, hand, "hand_void", approval_id=signed.pk)
    assert floor.stacks() == {3: 0, 5: 200_00, 7: 243_00}
    assert floor.balances()["in_play"] == 38_00
    assert breached_here() == {}


def test_the_same_hand_again_is_one_hand(floor: Potted) -> None:
    entry = floor.entry(Street(15_00), winners=[[3]])
    hand_id = uuid4()
    floor.end(entry, hand_id=hand_id)
    assert floor.end(entry, hand_id=hand_id).number == 1
    other = floor.entry(Street(15_00), winners=[[5]])
    assert refused(floor.end, other, hand_id=hand_id) == ("poker.hand_taken", {})
    assert HandSeat.objects.count() == 3
