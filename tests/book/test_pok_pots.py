"""The book's POK-6, POK-7, HAND-5 and RAK-3 in money: pots, uncalled bets, halves, odd chips."""
# ruff: noqa: N802 - tests are named after the rules

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier
from tables.games.poker.pots import GrossPot, HandPots, Payment, Uncalled, pots_of
from tables.games.poker.settle import PotWinners, SettledHand, Terms, settle, winners_by_rank
from tables.games.poker.share import PotShare, Sharing, odd_of_halves, seats_after, shares_of

SEATS = range(1, 11)
FIVE_PERCENT = RakeSchedule(tiers=(RakeTier(percent_bp=500, cap_minor=10),), step_minor=1)


def live(*paid: int, folded: tuple[int, ...] = ()) -> list[Payment]:
    """Bets by seat, from seat 1 on."""
    return [Payment(seat, minor, folded=seat in folded) for seat, minor in enumerate(paid, 1)]


def by_chip(button: int, *, chip: int = 1, all_to_worst: bool = False) -> Sharing:
    return Sharing(chip, seats_after(button, SEATS), all_to_worst)


def got(shares: tuple[PotShare, ...]) -> dict[int, int]:
    return {share.seat: share.amount_minor for share in shares}


def refused(payments: list[Payment], *winners: PotWinners) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as caught:
        settle(payments, winners, Terms(None, by_chip(0), players=len(payments)))
    return caught.value.code, dict(caught.value.data)


def test_POK_6_a_pot_for_each_all_in_and_what_nobody_called_goes_back() -> None:
    for payments, uncalled, pots in (
        (live(30, 60, 100, 100), None, [(120, (1, 2, 3, 4)), (90, (2, 3, 4)), (80, (3, 4))]),
        (live(30, 60, 100, 45, folded=(4,)), (3, 40), [(120, (1, 2, 3)), (75, (2, 3))]),
        (live(10_00, 4_00, 1_00), (1, 6_00), [(3_00, (1, 2, 3)), (6_00, (1, 2))]),
        (live(6, 5, 10, 10, folded=(2,)), None, [(23, (1, 3, 4)), (8, (3, 4))]),
    ):
        back = Uncalled(*uncalled) if uncalled else None
        assert pots_of(payments) == HandPots(tuple(GrossPot(*pot) for pot in pots), back)


def test_POK_6_dead_chips_lie_beneath_the_main_pot_and_go_back_to_nobody() -> None:
    dead = [Payment(1, 2, dead_minor=1), Payment(2, 2), Payment(3, 2)]
    assert pots_of(dead) == HandPots((GrossPot(7, (1, 2, 3)),), None)
    assert pots_of(live(6, 6), carried_minor=6).pots == (GrossPot(18, (1, 2)),)


def test_POK_6_a_short_ante_cuts_the_main_pot_as_an_all_in_does() -> None:
    short = [Payment(1, ante_minor=3), Payment(2, 20, 5), Payment(3, 20, 5)]
    assert pots_of(short).pots == (GrossPot(9, (1, 2, 3)), GrossPot(44, (2, 3)))
    assert pots_of([Payment(1, ante_minor=3), Payment(2, ante_minor=5)]).uncalled == Uncalled(2, 2)


def test_POK_6_what_is_no_payment_or_nobodys_is_refused() -> None:
    for payments, wanted in (
        ([Payment(1, 5), Payment(1, 5)], ("poker.payment_wrong", {"seat": "1"})),
        ([Payment(1, 5, 3), Payment(2, 5, 5)], ("poker.payment_wrong", {"seat": "1"})),
        (live(5, -1), ("poker.payment_wrong", {"seat": "2"})),
        (live(5, 10**18), ("poker.payment_wrong", {"seat": "2"})),
        (live(5, 5, folded=(1, 2)), ("poker.pot_ownerless", {"amount_minor": 10})),
        (live(60, 100, 100, folded=(2, 3)), ("poker.pot_ownerless", {"amount_minor": 80})),
    ):
        assert refused(payments) == wanted


def test_POK_6_winners_are_in_the_pot_and_not_folded() -> None:
    hand = live(30, 60, 60, 45, folded=(4,))
    main = PotWinners((1,))
    for winners, wanted in (
        ((), ("poker.winner_missing", {"pot": 1, "amount_minor": 120})),
        ((main,), ("poker.winner_missing", {"pot": 2, "amount_minor": 75})),
        ((main, main), ("poker.winner_not_in_pot", {"seat": 1, "pot": 2, "amount_minor": 75})),
        ((PotWinners((4,)),), ("poker.winner_folded", {"seat": 4})),
    ):
        assert refused(hand, *winners) == wanted


def test_POK_6_a_pot_in_which_one_seat_is_left_goes_to_nobody_else() -> None:
    """That seat need not be named, and may be."""
    hand = live(30, 60, 60, folded=(2,))
    main = PotWinners((1,))
    for named in ((), (PotWinners(),), (PotWinners((3,)),)):
        settled = settle(hand, (main, *named), Terms(None, by_chip(0), players=3))
        assert [got(pot.shares) for pot in settled.pots] == [{1: 90}, {3: 60}]
    for winners, wanted in (
        (main, ("poker.winner_not_in_pot", {"seat": 1, "pot": 2, "amount_minor": 60})),
        (PotWinners((2,)), ("poker.winner_folded", {"seat": 2})),
        (PotWinners((), (2,)), ("poker.winner_folded", {"seat": 2})),
    ):
        assert refused(hand, main, winners) == wanted


def test_POK_7_the_odd_chip_goes_to_the_first_from_the_button() -> None:
    for amount, sharing, wanted in (
        (1030, by_chip(3, chip=10), {5: 350, 1: 340, 3: 340}),
        (1040, by_chip(3, chip=10), {5: 350, 1: 350, 3: 340}),
        (1040, by_chip(3, chip=10, all_to_worst=True), {5: 360, 1: 340, 3: 340}),
    ):
        shares = shares_of(amount, [1, 3, 5], [], sharing)
        assert (got(shares), {share.half for share in shares}) == (wanted, {"whole"})
    for amount, high in ((1035, [1]), (1030, [])):
        with pytest.raises(ValueError, match="winner"):
            shares_of(amount, high, [], by_chip(3, chip=10))


def test_HAND_5_halves_and_their_odd_chips() -> None:
    """POK-7 as well."""
    assert got(shares_of(1050, [2], [4, 6], by_chip(0, chip=50))) == {2: 550, 4: 250, 6: 250}
    assert got(shares_of(1000, [2], [4, 6, 8], by_chip(0, chip=50))) == {2: 500, 4: 200, 6: 150, 8: 150}
    assert got(shares_of(1050, [2], [], by_chip(0, chip=50))) == {2: 1050}


def test_POK_7_the_odd_chip_of_two_halves_has_its_owner() -> None:
    """HAND-5 as well: it is one of those that the high half cannot divide, or makes equal parts of it."""
    for amount, high, to_worst, odd, halves in (
        (1050, [2], False, {2: 50}, (2, 50)),
        (1050, [2, 4], False, {2: 50}, (2, 50)),
        (1050, [2, 4, 6], False, {2: 50, 4: 50}, (4, 50)),
        (1050, [2, 4, 6], True, {2: 100}, (2, 50)),
        (1150, [2, 4], False, {4: 50}, (4, 50)),
        (1150, [2, 4], True, {2: 50}, (2, 50)),
        (1000, [2, 4, 6], False, {2: 50}, None),
        (1000, [2], False, {}, None),
    ):
        shares = shares_of(amount, high, [8], by_chip(0, chip=50, all_to_worst=to_worst))
        assert {share.seat: share.odd_minor for share in shares if share.odd_minor} == odd, (amount, high)
        assert odd_of_halves(shares) == halves, (amount, high)
    assert odd_of_halves(shares_of(1050, [2, 4], [], by_chip(0, chip=50))) is None


def test_HAND_5_a_side_pot_in_which_nobody_has_a_low_is_the_high_hands() -> None:
    hand = live(39, 49, 13, 49, 39, folded=(5,))
    pots = pots_of(hand).pots
    assert [pot.amount_minor for pot in pots] == [65, 104, 20]
    winners = winners_by_rank(pots, {1: 1, 2: 2, 3: 4, 4: 3}, {1: None, 2: None, 3: 7, 4: None})
    settled = settle(hand, winners, Terms(None, by_chip(0), players=5))
    assert [got(pot.shares) for pot in settled.pots] == [{1: 33, 3: 32}, {1: 104}, {2: 20}]


def test_RAK_3_the_fee_comes_off_the_main_pot_first() -> None:
    """An all-in of 85 and two of 130; 15 and 45 were folded."""
    hand = live(15, 130, 85, 45, 130, folded=(1, 4))
    winners = [PotWinners((3, 5)), PotWinners((5,))]
    settled = settle(hand, winners, Terms(FIVE_PERCENT, by_chip(1), players=5))
    assert [(pot.pot.amount_minor, pot.rake_minor) for pot in settled.pots] == [(315, 10), (90, 0)]
    assert settled.pots[0].shares == (PotShare(3, "whole", 153, 1), PotShare(5, "whole", 152))
    assert settled.nets == {1: -15, 2: -130, 3: 68, 4: -45, 5: 112}


def test_RAK_3_a_walk_pays_nothing() -> None:
    settled = settle(live(5, 10, folded=(1,)), [], Terms(FIVE_PERCENT, by_chip(0), players=2, walk=True))
    assert (settled.uncalled, settled.nets) == (Uncalled(2, 5), {1: -5, 2: 5})


PAYMENT = st.tuples(st.integers(0, 40), st.booleans())
PAYMENTS = st.lists(PAYMENT, min_size=2, max_size=10)


def any_hand(paid: list[tuple[int, bool]], chip: int = 1) -> list[Payment]:
    """Who paid most has not folded."""
    deepest = max(minor for minor, _folded in paid)
    return [
        Payment(seat, minor * chip, folded=folded and minor < deepest) for seat, (minor, folded) in enumerate(paid, 1)
    ]


def settled_by(
    hand: list[Payment], ranks: dict[int, int], lows: dict[int, int | None], sharing: Sharing
) -> SettledHand:
    return settle(
        hand, winners_by_rank(pots_of(hand).pots, ranks, lows), Terms(FIVE_PERCENT, sharing, players=len(hand))
    )


@given(PAYMENTS, st.integers(0, 10), st.randoms(use_true_random=False))
def test_any_hand_gives_all_that_was_paid_and_takes_no_more_than_was_matched(paid, button, chance) -> None:  # type: ignore[no-untyped-def]
    """Nobody wins from another more than they put in (POK-6); with the fee the sum is nothing."""
    hand = any_hand(paid)
    ranks = {payment.seat: chance.randint(1, 4) for payment in hand}
    lows = {payment.seat: chance.choice([None, 1, 2]) for payment in hand}
    settled = settled_by(hand, ranks, lows, by_chip(button))
    assert sum(settled.nets.values()) + settled.rake.total_minor == 0
    for payment in hand:
        most = sum(min(payment.live_minor, other.live_minor) for other in hand if other.seat != payment.seat)
        assert -payment.live_minor <= settled.nets[payment.seat] <= (0 if payment.folded else most)


@given(PAYMENTS, st.sampled_from([1, 5, 100]))
def test_POK_6_each_side_pot_is_of_fewer_seats_than_the_pot_before_it(paid, chip) -> None:  # type: ignore[no-untyped-def]
    pots = pots_of(any_hand(paid, chip)).pots
    assert all(pot.amount_minor > 0 for pot in pots)
    assert all({*pot.seats} < {*before.seats} for before, pot in pairwise(pots))


@given(
    st.integers(0, 2_000), st.sets(st.sampled_from(SEATS), min_size=1), st.sets(st.sampled_from(SEATS)), st.booleans()
)
def test_POK_7_odd_chips_are_fewer_than_the_winners(chips, high, low, all_to_worst) -> None:  # type: ignore[no-untyped-def]
    """Of each half; without them everybody has the same, and together they are the pot."""
    shares = shares_of(chips * 5, [*high], [*low], by_chip(3, chip=5, all_to_worst=all_to_worst))
    assert sum(share.amount_minor for share in shares) == chips * 5
    for half in {share.half for share in shares}:
        of_half = [share for share in shares if share.half == half]
        assert len({even_of(share, shares) for share in of_half}) == 1
        odd = sum(share.amount_minor - even_of(share, shares) for share in of_half)
        assert odd < len(of_half) * 5
        in_equal_parts = 5 if half == "high" and chips % 2 and not odd else 0
        assert sum(share.odd_minor for share in of_half) == odd + in_equal_parts


def even_of(share: PotShare, shares: Sequence[PotShare]) -> int:
    """A share without what others of its half do not have: in equal parts, nobody has a chip more."""
    equal = len({other.amount_minor for other in shares if other.half == share.half}) == 1
    return share.amount_minor if equal else share.amount_minor - share.odd_minor


@given(PAYMENTS, st.permutations(SEATS), st.randoms(use_true_random=False))
def test_POK_7_other_seats_change_nothing_but_odd_chips(paid, seats, chance) -> None:  # type: ignore[no-untyped-def]
    """The same hand with everybody in another chair."""
    hand = any_hand(paid)
    ranks = {payment.seat: chance.randint(1, 3) for payment in hand}
    lows = {payment.seat: chance.choice([None, 1, 2]) for payment in hand}
    chair = dict(zip(SEATS, seats, strict=True))

    def pots(settled: SettledHand, chairs: dict[int, int]) -> list[tuple[object, ...]]:
        return [
            (
                pot.pot.amount_minor,
                pot.rake_minor,
                {chairs[seat] for seat in pot.pot.seats},
                {(chairs[share.seat], share.half, even_of(share, pot.shares)) for share in pot.shares},
            )
            for pot in settled.pots
        ]

    moved = settled_by(
        [payment._replace(seat=chair[payment.seat]) for payment in hand],
        {chair[seat]: rank for seat, rank in ranks.items()},
        {chair[seat]: rank for seat, rank in lows.items()},
        by_chip(0),
    )
    assert pots(moved, {seat: seat for seat in SEATS}) == pots(settled_by(hand, ranks, lows, by_chip(0)), chair)
