"""Black Jack in books of our own: against cases worked out by hand from the rulebook, and round for round beside the house's."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

import pytest

from casino.simulate.books.blackjack import (
    Act,
    BlackjackRules,
    Coup,
    Laid,
    Outcome,
    rules_of,
    settle,
    stays,
)  # fmt: skip
from casino.simulate.books.lines import Line, Lines, add
from casino.simulate.books.rules import NotPlayable, Posted
from casino.simulate.games.blackjack import game
from casino.simulate.games.blackjack.plan import BlackjackPlan, BlackjackRound
from casino.simulate.plan import FAST, FULL_CARDS, OFFLINE
from payouts.rules.lines import Stake
from tables.games import Placed, Rules
from tables.games.blackjack.game import BLACKJACK
from tables.games.blackjack.rules import BlackjackRules as Released
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table, twenty_table
from tables.rules.prime import BoxStake, allocate
from tests.turns import each

TEN = BlackjackRules(
    amounts=tuple(range(1000, 50_001, 1000)), cuts=True, hits_soft_17=False, takes_all=True, insurance_step=1
)


def laid(
    guest: str, francs: int, box: int = 1, *, owner: bool = False, seated: bool = False, distance: int = 9
) -> Laid:
    return Laid(box, guest, francs * 100, owner, seated, distance)


def settled(hands: str, bank: str, *acts: Act, others: tuple[Laid, ...] = (), rules: BlackjackRules = TEN) -> Outcome:
    """A box on which A has 100: its hands with a stroke between them."""
    coup = Coup({1: [hand.split() for hand in hands.split("/")]}, bank.split(), list(acts))
    return settle(rules, [laid("A", 100, owner=True), *others], coup)


def francs(outcome: Outcome) -> dict[str, tuple[float, float]]:
    """By stake what lay there, and what was paid."""
    return {what: (line.stake / 100, line.paid / 100) for (_box, what), line in outcome.lines.items()}


A_DOUBLES, B_DOUBLES = Act(1, "A", "double", "A"), Act(1, "B", "double", "B")
A_SPLITS, B_SPLITS = Act(1, "A", "split", "A"), Act(1, "B", "split", "B")
A_EVEN = Act(1, "A", "even_money", "A")
B_50 = (laid("B", 50),)

CASES = {  # hands, bank, acts, others; stake and what is paid of each
    "BJ-3 higher than the bank": ("Th 9d", "9c 9s", (), (), {"stake A": (100, 200)}),
    "BJ-3 a bust bank pays": ("Th 3d", "9c 6s 8d", (), (), {"stake A": (100, 200)}),
    "BJ-3 bust loses to a bust bank too": ("Th 6d 7c", "9c 6s 8d", (), (), {"stake A": (100, 0)}),
    "BJ-3 stand-off": ("Th 9d", "9c Ts", (), (), {"stake A": (100, 100)}),
    "BJ-1 an ace counts 1 where 11 would pass 21": ("Ah 6d Tc", "7c Ts", (), (), {"stake A": (100, 100)}),
    "BJ-4 three to two": ("Ah Kd", "9c Ts", (), (), {"stake A": (100, 250)}),
    "BJ-4 it beats another 21": ("Ah Kd", "7c 7d 7h", (), (), {"stake A": (100, 250)}),
    "BJ-4 both have one": ("Ah Kd", "Ac Ks", (), (), {"stake A": (100, 100)}),
    "BJ-4 the bank's beats a 21 of three": ("7h 7d 7s", "Ac Ks", (), (), {"stake A": (100, 0)}),
    "BJ-4 it takes doubled stakes whole":
        ("6h 5d Tc", "Kc As", (A_DOUBLES,), (), {"stake A": (100, 0), "double_1 A": (100, 0)}),
    "BJ-5 doubled as 11, a co-player is paid at once":
        ("Ah Kd 9c", "9c 8s", (A_DOUBLES,), B_50,
         {"stake A": (100, 200), "stake B": (50, 125), "double_1 A": (100, 200)}),
    "BJ-5 doubled as 11 and lost, a co-player doubles too":
        ("Ah Kd 2c", "9c 8s", (A_DOUBLES, B_DOUBLES), B_50,
         {"stake A": (100, 0), "stake B": (50, 0), "double_1 A": (100, 0), "double_1 B": (50, 0)}),
    "BJ-6 another doubles the stake of who does not":
        ("6h 5d Tc", "9c 9s", (A_DOUBLES, Act(1, "C", "double", "B")), B_50,
         {"stake A": (100, 200), "stake B": (50, 100), "double_1 A": (100, 200), "double_1 C": (50, 100)}),
    "BJ-7 one hand wins, a co-player stays on the first, ace and ten are 21":
        ("Ah 9d/As Kd", "9c Ts 2d", (A_SPLITS,), B_50,
         {"stake A": (100, 0), "stake B": (50, 0), "split_2 A": (100, 100)}),
    "BJ-7 another takes the place on the second hand, which is doubled":
        ("8h Td/8s 3d Kc", "9c 9s", (A_SPLITS, Act(1, "C", "split", "B"), Act(1, "A", "double", "A", 2)), B_50,
         {"stake A": (100, 100), "stake B": (50, 50), "split_2 A": (100, 200), "split_2 C": (50, 100),
          "double_2 A": (100, 200)}),
    "BJ-8 insured against a Black Jack":
        ("Th 9d", "Ac Ks", (Act(1, "A", "insurance", "A", amount=5000),), (),
         {"stake A": (100, 0), "insurance A": (50, 150)}),
    "BJ-8 insurance is lost, and doubled with the stake":
        ("6h 5d Tc", "Ac 9s",
         (Act(1, "A", "insurance", "A", amount=5000), A_DOUBLES, Act(1, "A", "insurance", "A", amount=4000)), (),
         {"stake A": (100, 200), "insurance A": (50, 0), "double_1 A": (100, 200), "insurance A again": (40, 0)}),
    "BJ-9 even money, each for themselves":
        ("Ah Kd", "Ac Qs", (A_EVEN,), B_50, {"stake A": (100, 200), "stake B": (50, 50), "even_money A": (0, 0)}),
    "PRM-3 worked case 3, in part":
        ("Th 9d", "9c 9s", (), (laid("B", 300, seated=True), laid("C", 300)),
         {"stake A": (100, 200), "stake B": (300, 600), "stake C": (100, 200)}),
}  # fmt: skip


@each("case", CASES)
def test_a_case_worked_out_by_hand(case: str) -> None:
    hands, bank, acts, others, expected = CASES[case]
    assert francs(settled(hands, bank, *acts, others=others)) == expected


def test_bj_4_where_only_the_original_stake_is_taken_the_others_go_back() -> None:
    rules = replace(TEN, takes_all=False)
    outcome = settled("8h Td/8s 3d Kc", "Ac Ks", A_SPLITS, Act(1, "A", "double", "A", 2), rules=rules)
    assert francs(outcome) == {"stake A": (100, 0), "split_2 A": (100, 100), "double_2 A": (100, 100)}
    bust = settled("8h Td/8s 3d 2c 9c", "Ac Ks", A_SPLITS, rules=rules)
    assert francs(bust) == {"stake A": (100, 0), "split_2 A": (100, 0)}


def test_prm_1_worked_case_3_and_what_goes_back_whole() -> None:
    owner, a, b, c = (
        laid("O", 100, owner=True),
        laid("A", 300),
        laid("B", 300, seated=True),
        laid("C", 100, seated=True),
    )
    assert stays(TEN, [c, a, owner, b]) == {"O": 10_000, "B": 30_000, "A": 10_000, "C": 0}
    whole = replace(TEN, cuts=False)
    assert stays(whole, [c, a, owner, b]) == {"O": 10_000, "B": 30_000, "A": 0, "C": 0}
    near, far = laid("N", 300, distance=1), laid("F", 300, distance=2)
    assert stays(TEN, [far, near]) == {"N": 30_000, "F": 20_000}


def posted(**changes: object) -> Posted:
    rows = {"blackjack_rules": Released().to_data() | changes, "box_limits": twenty_table(10_000).to_data()}
    return Posted(
        {"kind": kind, "name": "BJ", "in_force_from": "2026-01-01", "data": data} for kind, data in rows.items()
    )


def test_what_is_posted_is_read_and_what_the_books_do_not_know_is_not_played() -> None:
    names = {"blackjack_rules": "BJ", "box_limits": "BJ"}
    found = rules_of(posted(bank_blackjack_takes="original"), names, "2026-11-26")
    assert found == BlackjackRules((2000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000), True, False, False, 1)
    with pytest.raises(NotPlayable, match="co-players double alone"):
        rules_of(posted(coplayer_doubles="always"), names, "2026-11-26")


def the_houses(one: BlackjackRound, level: str, guests: Mapping[str, str], *, asked: bool = True) -> Lines:
    """The lines as the game's own rules settle them, from what a croupier would send."""
    limits = ten_table(50_000)
    rules = Rules({"blackjack_rules": Released(), "box_limits": limits}, None, FloorRules())
    owners = {stake.box: guests[stake.guest] for stake in one.boxes if stake.owner}
    lies: list[Stake] = []
    for box in one.deal.hands:
        there = [stake for stake in one.boxes if stake.box == box]
        offered = [BoxStake(guests[s.guest], s.amount, s.owner, s.seated, s.distance) for s in there]
        kept = [row for row in allocate(limits, offered) if row.accepted_minor]
        lies += [Stake(box, row.guest, "stake", row.accepted_minor) for row in kept]
    later: list[Placed] = []
    for placement in game.placements(level, one, guests):
        later.append(BLACKJACK.place(rules, lies, later, placement, lambda box, _away: owners[box] if asked else None))
    entered = game.result(level, TEN, one, game.settle(TEN, None, one))
    ended = BLACKJACK.end(rules, [*lies, *(row.lies for row in later)], entered, level=level)
    names, found = {known: name for name, known in guests.items()}, Lines()
    for line in ended.lines:
        place = one.place_of({"box": line.box, "kind": line.kind, "guest": line.guest}, names)
        add(found, place, Line(line.stake_minor, line.returned_minor, line.won_minor, line.prize_minor))
    return found


@each("level", [FAST, FULL_CARDS])
def test_both_books_settle_a_seeded_evening_alike_and_everything_happens_in_it(level: str) -> None:
    happened: Counter[str] = Counter()
    guests: dict[str, str] = {}
    plan = BlackjackPlan(20, 5, 7, level, TEN, None, offline=True)
    for one in islice(plan.rounds(), 120):
        assert isinstance(one, BlackjackRound)
        guests |= {
            guest.name: f"00000000-0000-4000-8000-{len(guests) + place:012}" for place, guest in enumerate(one.comes)
        }
        outcome = game.settle(TEN, None, one)
        assert the_houses(one, level, guests) == outcome.lines, one.to_data()
        if one.mishap == OFFLINE:  # who decides is not asked then
            assert the_houses(one, level, guests, asked=False) == outcome.lines, one.to_data()
            happened.update(f"{act.act} offline" for act in one.deal.acts)
        happened.update(act.act for act in one.deal.acts)
        happened.update(f"another {act.act}s" for act in one.deal.acts if act.source != act.guest)
        happened.update([f"bank {outcome.bank}"])
        happened.update("dared" for box in outcome.results.values() for _result, doubled in box if doubled)
        happened.update("cut" for _text in game.story(one, outcome))
    wanted = (
        "double",
        "split",
        "insurance",
        "even_money",
        "another doubles",
        "another splits",
        "dared",
        "cut",
        "split offline",
    )
    assert [what for what in (*wanted, "bank bust", "bank blackjack", "bank 20") if not happened[what]] == []
    assert plan.shoes > 5


def test_the_same_seed_is_the_same_evening_and_a_shoe_has_six_decks() -> None:
    first, again = (
        [one.to_data() for one in islice(BlackjackPlan(4, 5, 7, FAST, TEN, None).rounds(), 30)] for _ in range(2)
    )
    assert first == again
    plan = BlackjackPlan(4, 5, 7, FAST, TEN, None)
    plan._shuffle()
    assert set(Counter(plan.shoe).values()) == {6}
