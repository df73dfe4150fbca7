"""Hands that were really played, entered as at *pots* with the fee that was taken: what was won then is what the product gives, to
the unit, the cards speaking (POK-6, POK-7, HAND-5, RAK-3).
"""
# ruff: noqa: N802 - tests are named after the rules

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import FIXED, Rake, RakeSchedule, RakeTier
from tables.games.poker import settle
from tables.games.poker.entered import HandRuling, PlayedPots, PotsEntry, entry_data, play, pots_entry
from tables.games.poker.opinion import differs
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Betting, Street
from tables.games.poker.variants import VARIANTS
from tests.tables.real_hands.hands import ROWS, entry_of, ruling_of

LICENCES = {
    "BSD-3-Clause": 500,
    "MIT (data since moved to the PHH dataset on Zenodo)": 241,
    "MIT (README)": 20,
    "MIT": 2,
    "MIT-style (LICENSE, Thorsten Lorenz)": 1,
}
VARIANTS_PLAYED = {"holdem": 710, "omaha": 8, "omaha_hilo": 19, "stud": 7, "stud_hilo": 4, "razz": 6, "draw_low": 5}
UNKNOWN = {"triple_draw_low": 5}  # no house deals it (POK-1)
ODD_CHIPS = {  # the site gave them to another seat than the first after the button, or halved by chips of five
    "pokerstars-228685902027": {1: 242, 4: 243},
    "pokerstars-228675183857": {1: 239, 3: 239},
    "pokerstars-228687220798": {7: 141, 9: 142},
    "pokerstars-228690131812": {2: 95, 3: 94},
    "fulltilt-33727835942": {1: 387, 3: 388},
}
CAP_MINOR = 300
HOUSE = RakeSchedule(tiers=(RakeTier(percent_bp=500, cap_minor=CAP_MINOR),), step_minor=5)
PLAYED = [row for row in ROWS if row["variant"] in VARIANTS]


def played(row: dict[str, Any]) -> PlayedPots:
    """From what is sent and stored of it."""
    return play(pots_entry(entry_data(entry_of(row))), ruling_of(row, HOUSE))


def won(hand: PlayedPots) -> dict[int, int]:
    by_seat: Counter[int] = Counter()
    for pot in hand.settled.pots:
        by_seat.update({share.seat: 0 for share in pot.shares})
        for share in pot.shares:
            by_seat[share.seat] += share.amount_minor
    return dict(sorted(by_seat.items()))


def taken_by_the_site(monkeypatch: pytest.MonkeyPatch, row: dict[str, Any]) -> None:
    """The fee of the record: out of a side pot what the site took there, the rest out of the main pot."""

    def rake(_schedule: RakeSchedule, pots: Sequence[int], **_hand: object) -> Rake:
        stated = row.get("side", pots[1:])
        side = [minor - net_minor for minor, net_minor in zip(pots[1:], stated, strict=True)]
        total = row.get("rake", 0)
        return Rake(total, (total - sum(side), *side), FIXED, {"fixed_minor": total})

    monkeypatch.setattr(settle, "rake", rake)


def test_every_record_names_its_source_and_licence() -> None:
    assert Counter(row["licence"] for row in ROWS) == LICENCES
    assert len({row["id"] for row in ROWS if row["source"]}) == sum(LICENCES.values())
    assert Counter(row["variant"] for row in ROWS) == VARIANTS_PLAYED | UNKNOWN


def test_POK_6_POK_7_real_hands_give_what_was_won(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pots, what went back, stacks and winners; where odd chips went otherwise, what the rules say."""
    for row in PLAYED:
        taken_by_the_site(monkeypatch, row)
        hand = played(row)
        settled = hand.settled
        wins = {int(seat): minor for seat, minor in row["won"].items()}
        wins = ODD_CHIPS.get(row["id"], wins) if row.get("odd_chip_differs") else wins
        paid = {seat: row.get("ante", 0) + live + sum(dead) for seat, _stack, live, *dead in row["seats"]}
        assert {
            "pot": sum(pot.pot.amount_minor for pot in settled.pots),
            "uncalled": settled.uncalled and [*settled.uncalled],
            "won": won(hand),
            "nets": settled.nets,
        } == {
            "pot": row["pot"],
            "uncalled": row.get("uncalled"),
            "won": wins,
            "nets": {seat: wins.get(seat, 0) - minor for seat, minor in paid.items()},
        }, row["id"]
    assert {row["id"] for row in PLAYED if row.get("odd_chip_differs")} == {*ODD_CHIPS}


def test_RAK_3_real_hands_pay_the_fee_of_the_house() -> None:
    fees = Counter[int]()
    for row in PLAYED:
        hand = played(row)
        fee = hand.settled.rake
        assert fee is not None
        assert sum(hand.settled.nets.values()) + fee.total_minor == 0, row["id"]
        assert all(0 <= pot.rake_minor <= pot.pot.amount_minor for pot in hand.settled.pots), row["id"]
        assert fee.total_minor <= (CAP_MINOR if hand.course.board else 0), row["id"]
        fees[fee.total_minor] += 1
    assert (fees[0], fees[CAP_MINOR]) == (84, 115)


def test_POK_6_HAND_5_pokerkit_is_of_the_same_opinion() -> None:
    """Its traps are out of the way: it pays nothing, and side pots of hi-lo are compared pot by pot."""
    other = {}
    for row in PLAYED:
        entry = entry_of(row)
        ruling = ruling_of(row, HOUSE)
        other[row["id"]] = differs(entry, ruling, play(entry, ruling))
    assert {name: what for name, what in other.items() if what} == {}


def test_POK_6_another_pot_or_winner_is_another_opinion() -> None:
    """Of each variant, a hand in which the loser's cards were seen."""
    named = {}
    for row in PLAYED:
        entry = entry_of(row)
        hand = play(entry, ruling_of(row, HOUSE))
        main, *more = hand.settled.pots
        others = [seat for seat in entry.cards.hands if seat not in {share.seat for share in main.shares}]
        if not others or row["variant"] in named:
            continue
        moved = main._replace(shares=(main.shares[0]._replace(seat=others[0]), *main.shares[1:]))
        larger = main._replace(pot=main.pot._replace(amount_minor=main.pot.amount_minor + 1))
        named[row["variant"]] = tuple(
            differs(entry, ruling_of(row, HOUSE), hand._replace(settled=hand.settled._replace(pots=(other, *more))))
            for other in (main, moved, larger)
        )
    assert named == dict.fromkeys(("holdem", "omaha", "omaha_hilo", "stud", "razz"), (None, "winners", "pots"))


def test_POK_6_HAND_5_what_pokerkit_cannot_judge_is_no_other_opinion() -> None:
    """A low that was tapped and not seen, a fold that nothing asked for, and who is all-in by dead chips alone."""
    tapped = PotWinners((1,), (2,))
    for stacks, betting, winners in (
        ((500, 500), Betting([Street(10)]), [tapped]),
        ((500, 500, 10), Betting([Street(10), Street(0, {1: 0})]), [PotWinners((2,))]),
        ((500, 500, 10), Betting([Street(50), Street(30, {1: 0})], {3: 10}), [PotWinners((3,))]),
    ):
        seats = tuple(range(1, len(stacks) + 1))
        entry = PotsEntry(seats, stacks, button=1, betting=betting, winners=tuple(winners))
        game = PokerGame(chip_minor=5)
        ruling = HandRuling(game, PokerRules(), HandRules(), rake=None, variant="omaha_hilo")
        assert differs(entry, ruling, play(entry, ruling)) is None
