"""Hands that all pass in: their antes are carried into the next pot, and the books balance whatever is put right (POK-4)."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any, ClassVar

from payouts.models import Event
from tables.audit.replay_hands import replay_hands
from tables.games.poker.entered import PotsEntry
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.streets import Street
from tables.models import Hand, HandPot, HandSeat, Table
from tables.services.hands.entry import PlayedHand
from tests.poker import GAME, HOUSE, PokerRoom, at_table, of_hand, opened, poker_table, pots_of
from tests.tables.audits import breached, breached_here
from tests.tables.test_pots import Potted, refused
from tests.worlds import world

DRAW = PokerGame(variants=("draw",), limit="pot", seats=6, ante_minor=1_00, fee="nothing")


class Drawn(Potted):
    """Six guests with 100.00 at a table of five card draw, antes 1.00, which all may pass in."""

    also_posted: ClassVar[Any] = [
        *PokerRoom.also_posted,
        (GAME, "Draw", DRAW),
        (HOUSE, "Draw", PokerRules(first_round_check=True)),
    ]

    def __init__(self) -> None:
        PokerRoom.__init__(self)
        names = {"poker_game": "Draw", "poker_rules": "Draw"}
        self.raked: Table = opened(self, poker_table(self, "Poker 4", **names))
        at_table(self, "table_entry_level_set", self.raked, entry_level="pots")
        self.stays = [self.sit(seat) for seat in range(1, 7)]

    def carried(self) -> int:
        return -self.balances().get("pot_carried", 0)

    def won(self, winner: int, **more: Any) -> PlayedHand:
        """All but one fold to a bet of 5.00."""
        seats = [stay.guest.box for stay in self.stays]
        folds = {seat: 0 for seat in seats if seat and seat != winner}
        return self.entry(Street(5_00, folds), **more)


pytestmark = world(Drawn)


def pots(entry: PlayedHand) -> PotsEntry:
    assert entry.pots is not None
    return entry.pots


def test_POK_4_antes_of_a_hand_that_all_passed_in_go_to_who_wins_the_next(own_database: object, floor: Drawn) -> None:
    passed = floor.end(floor.entry(passed=True))
    result = passed.results.get()
    assert (passed.state, result.pot_minor, result.posted_minor, result.rake_minor) == ("ended", None, None, 0)
    assert (floor.carried(), floor.stacks()) == (6_00, dict.fromkeys(range(1, 7), 99_00))
    lower = {"entry_level": "rake_only"}
    carried = ("poker.antes_carried", {"amount_minor": 6_00})
    assert refused(at_table, floor, "table_entry_level_set", floor.raked, **lower) == carried
    again = floor.entry(passed=True, carried_minor=6_00)
    floor.end(again)
    assert floor.carried() == 12_00
    folds = dict.fromkeys((1, 2, 4, 5), 0)
    floor.end(floor.entry(Street(5_00, folds), winners=[[3]], carried_minor=12_00))
    assert list(HandPot.objects.values_list("amount_minor", "seats")) == [(28_00, [3, 6])]
    assert (floor.carried(), floor.stacks()) == (0, {**dict.fromkeys(range(1, 7), 97_00), 3: 120_00, 6: 92_00})
    replayed = replay_hands(everything=True, opinion_of=1)
    assert (breached(), replayed.breaches, replayed.looked_at) == ({}, [], 3)


def test_POK_4_what_lies_in_the_pot_is_what_the_books_carry(floor: Drawn) -> None:
    floor.end(floor.entry(passed=True))
    differ = {"booked_minor": 6_00, "entered_minor": 0}
    assert refused(floor.end, floor.won(3)) == ("poker.carried_differs", differ)
    off_chip = floor.won(3, carried_minor=6_50)
    assert refused(floor.end, off_chip)[0] == "poker.off_chip"
    expects = {"uncalled": {"seat": 3, "amount_minor": 5_00}, "pots": [{"amount_minor": 6_00, "rake_minor": 0}]}
    expects["pots"][0]["shares"] = []  # type: ignore[index]
    before = floor.won(3, carried_minor=6_00, expects=expects)
    differ = {"pot": 1, "booked_minor": 12_00, "entered_minor": 6_00}
    assert refused(floor.end, before) == ("poker.pots_differ", differ)


def test_POK_4_only_a_draw_that_may_be_checked_is_passed_in(floor: Drawn) -> None:
    both = ("poker.entry_wrong", {"field": "passed", "given": "true"})
    assert refused(floor.end, floor.won(3, passed=True)) == both
    at_table(floor, "table_entry_level_set", floor.timed, entry_level="pots")
    others = [floor.sit(seat, table=floor.timed) for seat in (1, 2)]
    entry = pots_of(others, passed=True)
    assert refused(floor.end, entry, table_id=floor.timed.pk) == ("poker.no_passing", {"variant": "Texas Hold'em"})
    everything_but_the_ante = floor.entry(Street(98_00), winners=[[6]])
    floor.end(everything_but_the_ante)
    assert refused(floor.end, floor.entry(passed=True)) == ("poker.fold_all_in", {"seat": 1})


def test_a_passed_hand_and_the_one_after_it_are_put_right_and_balance(floor: Drawn) -> None:
    """Whatever of two hands was entered wrong, and in whatever order it is put right: no chip is lost, none comes from nowhere."""
    passed = floor.entry(passed=True)
    won = floor.won(3)
    first = floor.end(passed)
    of_hand(floor, first, "hand_correct", entry=won)  # it was opened after all
    assert (floor.carried(), floor.stacks()[3]) == (0, 105_00)
    signed = floor.ask(Hand.objects.get(), "hand_correction_request", entry=passed)
    first = of_hand(floor, Hand.objects.get(), "hand_correct", entry=passed, approval_id=signed.pk)
    assert (floor.carried(), breached_here()) == (6_00, {})
    after = floor.won(4, carried_minor=6_00)
    second = floor.end(after)
    assert (floor.carried(), floor.stacks()[4]) == (0, 110_00)
    other = after._replace(pots=pots(after)._replace(carried_minor=0))
    differ = {"booked_minor": 6_00, "entered_minor": 0}
    assert refused(floor.ask, second, "hand_correction_request", entry=other) == ("poker.carried_differs", differ)
    # the antes went to seat 4: what the first hand gives to seat 3 instead is in play until somebody looks
    signed = floor.ask(first, "hand_correction_request", entry=won)
    first = of_hand(floor, first, "hand_correct", entry=won, approval_id=signed.pk)
    assert (floor.carried(), floor.balances()["in_play"], floor.stacks()[3]) == (0, 6_00, 104_00)
    assert breached_here() == {}
    of_hand(floor, second, "hand_void", approval_id=floor.ask(second, "hand_void_request").pk)
    assert (floor.carried(), floor.balances()["in_play"], floor.stacks()[4]) == (6_00, 6_00, 99_00)
    of_hand(floor, first, "hand_void", approval_id=floor.ask(first, "hand_void_request").pk)
    assert floor.stacks() == dict.fromkeys(range(1, 7), 100_00)
    assert (floor.carried(), floor.balances().get("in_play", 0), breached_here()) == (0, 0, {})
    assert HandSeat.objects.filter(hand=first).count() == 24


def test_POK_2_what_is_carried_is_cleared_and_told_with_the_last_guest(floor: Drawn) -> None:
    hand = floor.end(floor.entry(passed=True))
    for stay in floor.stays:
        counted = {1: 105_00, 6: 98_00}.get(stay.guest.box or 0, 99_00)
        floor.of(stay, "stay_leave", counted_minor=counted)
    assert (floor.carried(), floor.balances().get("in_play", 0)) == (0, 0)
    emptied = Event.objects.filter(name="table.emptied").values_list("after__missing_minor", flat=True)
    assert list(emptied) == [1_00]  # the antes are with seat 1; a chip of seat 6 is not
    assert breached_here() == {}
    of_hand(floor, hand, "hand_void", approval_id=floor.ask(hand, "hand_void_request").pk)
    assert (floor.carried(), breached_here()) == (0, {})
