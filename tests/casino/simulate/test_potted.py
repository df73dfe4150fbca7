"""Hands whose pots are entered, as the simulator plays them and keeps its book: chip by chip it comes to what the house makes of
the entry, and whatever a dealer does amiss is in order again in the end (POK-6, POK-7, RAK-3).
"""
# ruff: noqa: N802 - tests are named after the rules

import threading
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

from casino.simulate.books.compare import Books
from casino.simulate.books.poker import (
    RAKED,
    VOIDED,
    Answers,
    ChipsMoved,
    GuestStay,
    PostedAtTable,
    RakedHand,
    Recorded,
    TableBook,
    fees,
    same_pots,
)
from casino.simulate.books.pots import FeltHand, SeatChips, push
from casino.simulate.books.results import FIGURES
from casino.simulate.clients import Refused as RefusedAnswer
from casino.simulate.poker import plan
from casino.simulate.poker.potted import AGAINST_CARDS, AMISS, PottedTable
from payouts.errors import Refused
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import rake
from tables.games.poker.entered import HandRuling, play, pots_entry
from tables.games.poker.expected import check_expected, result_data
from tables.games.poker.posts import check_posts
from tables.games.poker.rules import PokerGame, PokerRules
from tests.casino.simulate.test_poker import SCHEDULES
from tests.turns import each

HANDS = 100
GAMES = {
    "no limit 1/2": PokerGame(),
    "with an ante, a small stack and chips of 0.50": PokerGame(
        small_blind_minor=50, big_blind_minor=100, ante_minor=50, chip_minor=50, buy_in_least_minor=1_000,
        buy_in_most_minor=30_000,
    ),
    "five card draw": PokerGame(variants=("draw",), limit="pot", seats=6, ante_minor=100),
}  # fmt: skip


class HouseAlone:
    """What a house answers to a tablet: its own sums, and stacks, without a database."""

    def __init__(self, game: PokerGame, rules: PokerRules, schedule: str) -> None:
        self.ruling = HandRuling(game, rules, HandRules(), SCHEDULES[schedule], game.variants[0])
        self.stacks: dict[str, int] = {}
        self.nets: dict[str, dict[str, int]] = {}  # by hand what it moved
        self.left: dict[str, int] = {}  # by hand what it left in the middle, less what it found there
        self.results: dict[str, Any] = {}
        self.runs = ""  # the hand that was begun
        self.refused: Counter[str] = Counter()
        self.tally = SimpleNamespace(count=lambda *_what: None)
        self._ids = (f"stay {number}" for number in count(1))

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        what, name, *more = path.strip("/").split("/")
        if more == ["stays"]:
            stay = next(self._ids)
            self.stacks[stay] = body["amount_minor"]
            return {"id": stay}
        if more[-1] == "begin":
            assert body["number"] == len(self.nets) + 1
            self.runs = more[1]
            return {}
        if what == "stays":
            if self.runs:
                raise RefusedAnswer(409, {"code": "poker.mid_hand"})
            sign = {"chips": 1 if body.get("kind") == "top_up" else -1, "leave": -1, "move": 0}[more[0]]
            self.stacks[name] += sign * body.get("amount_minor", body.get("counted_minor", 0))
            return {}
        if more[-1].endswith("request"):
            return {"id": "approval"}
        try:
            self.hand(name if what == "hands" else more[1], more[-1], body)
        except Refused as refused:
            self.refused[refused.code] += 1
            raise RefusedAnswer(409, {"code": refused.code}) from refused
        return {}

    def hand(self, hand: str, command: str, body: Mapping[str, Any]) -> None:
        if command == "correct" and hand != list(self.nets)[-1] and "approval" not in body:
            raise RefusedAnswer(409, {"code": "poker.approval_needed"})
        nets: dict[str, int] = {}
        left = 0
        if command != "void":
            entry = pots_entry(body["pots"])
            course, settled = play(entry, self.ruling)
            assert body["flop"] in (True, course.board)
            assert body["walk"] in (False, course.walk)
            check_posts(entry, self.ruling)
            check_expected(entry, settled)
            self.results[hand] = result_data(settled)
            left = -sum(settled.nets.values()) - sum(pot.rake_minor for pot in settled.pots)
            nets = {stay: settled.nets[seat] for stay, seat in zip(body["dealt"], entry.seats, strict=True)}
            if command == "end":
                assert self.runs == ("" if "queued" in body else hand)
                self.runs = ""
                assert entry.carried_minor == sum(self.left.values())
                assert [self.stacks[stay] for stay in body["dealt"]] == [*entry.stacks]
        for stay in {**nets, **self.nets.get(hand, {})}:
            self.stacks[stay] += nets.get(stay, 0) - self.nets.get(hand, {}).get(stay, 0)
            assert self.stacks[stay] >= 0
        self.nets[hand], self.left[hand] = nets, left

    def close(self) -> None:
        pass


class RoomAlone:
    """An evening at one table."""

    def __init__(self, house: HouseAlone, seed: int) -> None:
        self.differences: list[str] = []
        self.counts: Counter[str] = Counter()
        house.tally.count = self.counted
        left = SimpleNamespace(note=lambda *_what: None, rows=lambda _kind: [])
        boss = SimpleNamespace(client=house, name="Reto", sign=lambda _approval: None)
        self.evening: Any = SimpleNamespace(
            stop=threading.Event(), people={"boss": boss}, options=SimpleNamespace(seed=seed, mistakes=True), left=left,
            differs=self.differences.append, say=lambda _text: None,
        )  # fmt: skip

    def counted(self, what: str) -> None:
        self.counts[what] += 1

    def seat_at(self, table: PottedTable) -> int:
        return table.free.pop(0) if table.free else 0

    def give_back(self, table: PottedTable, seat: int) -> None:
        table.free.append(seat)

    def beside(self, table: PottedTable) -> PottedTable:
        return table


def table_at(house: HouseAlone, seed: int) -> PottedTable:
    game, rules = house.ruling.game, house.ruling.house
    room: Any = RoomAlone(house, seed)
    table = PottedTable(room, {"id": "table", "name": "Poker 1", "boxes": game.seats})
    table.client, table.day = house, "2026-11-28"  # type: ignore[assignment]
    assert house.ruling.rake is not None
    table.posted = PostedAtTable(
        chip=game.chip_minor, blind=game.big_blind_minor, seats=game.seats, buy_in_least=game.buy_in_least_minor,
        buy_in_most=game.buy_in_most_minor, tips_from_stack=True, less_booked=True, rake=house.ruling.rake.to_data(),
        small=game.small_blind_minor, ante=game.ante_minor, all_to_worst=rules.odd_chips == "all_to_worst",
        draws=game.variants == ("draw",), passes=rules.first_round_check,
    )  # fmt: skip
    table.free = [*range(1, game.seats + 1)]
    for _guest in range(6):
        table._sits(table.free.pop(0))
    return table


@each(
    ("game", "odd_chips", "schedule"),
    [
        ("no limit 1/2", "one_each", "5 % to 10"),
        ("with an ante, a small stack and chips of 0.50", "all_to_worst", "by players and pot"),
    ],
)
def test_POK_6_chip_by_chip_comes_to_what_the_house_books(game: str, odd_chips: str, schedule: str) -> None:
    house = HouseAlone(GAMES[game], PokerRules(odd_chips=odd_chips), schedule)
    table = table_at(house, seed=len(game) + len(schedule))
    room: Any = table.room
    for _hand in range(HANDS):
        table.hand()
        table._between()
        if not table.waits:
            assert {guest.stay.id: guest.minor for guest in table.guests}.items() <= house.stacks.items()
            assert all(table.book.stack(guest.stay) == guest.minor for guest in table.guests)
    table._make_up()
    assert room.differences == []
    books: Any = Books([], rules=None)  # type: ignore[arg-type]
    for hand in table.book.hands:
        same_pots(f"hand {hand.number}", house.results[hand.id], hand.pots, books.same)
    assert books.differences == []
    assert {*room.counts} >= {f"poker: {mishap}" for mishap in plan.POTS_MISHAPS}
    assert {*house.refused} <= {*AMISS.values(), AGAINST_CARDS}
    seen = Counter[str]()
    for hand in table.book.hands:
        assert hand.pots is not None
        seen["side pot"] += len(hand.pots["pots"]) > 1
        seen["tie"] += any(len(pot["shares"]) > 1 for pot in hand.pots["pots"])
        seen["odd chip"] += any(share["odd_minor"] for pot in hand.pots["pots"] for share in pot["shares"])
        seen["uncalled"] += hand.pots["uncalled"] is not None
        seen["walk"] += hand.walk
        seen["dead chips"] += bool(hand.body["pots"]["dead"])
        seen["cards"] += bool(hand.body["pots"]["hands"])
    assert min(seen.values()) > 0, seen


def test_POK_4_antes_of_hands_that_all_passed_in_lie_in_the_pot_of_the_next() -> None:
    house = HouseAlone(GAMES["five card draw"], PokerRules(first_round_check=True), "5 % to 10")
    table = table_at(house, seed=4)
    room: Any = table.room
    for _hand in range(HANDS):
        table.hand()
        table._between()
        if not table.waits:
            assert {guest.stay.id: guest.minor for guest in table.guests}.items() <= house.stacks.items()
            assert table.carried == sum(house.left.values())
    assert room.differences == []
    passed = [hand for hand in table.book.hands if hand.body["pots"]["passed"]]
    assert {(hand.pot_minor, hand.posted_minor, hand.rake_minor) for hand in passed} == {(None, None, 0)}
    most = max(hand.body["pots"]["carried_minor"] for hand in table.book.hands)
    assert most > 6 * 100  # of two hands
    assert VOIDED in {hand.state for hand in table.book.hands if hand.body["pots"]["carried_minor"]}


def test_POK_7_and_RAK_3_a_hand_worked_out_by_hand() -> None:
    """Three all-in with 5, 8 and 20, a fold with 2, a dead 1; a fee of 10 %, a tie in the main pot, an odd chip by the button."""
    posted = PostedAtTable(
        chip=50, blind=200, seats=9, buy_in_least=4_000, buy_in_most=20_000, tips_from_stack=True, less_booked=True,
        rake=SCHEDULES["by players and pot"].to_data(),
    )  # fmt: skip
    chips = {
        1: SeatChips(live=500),
        4: SeatChips(live=800),
        6: SeatChips(live=2_000, dead=100),
        8: SeatChips(200, folded=True),
    }
    pushed = push(posted, FeltHand(chips, {1: 3, 4: 1, 6: 3, 8: 9}, button=3, flop=True, walk=False))
    shares = [
        [(share["seat"], share["amount_minor"], share["odd_minor"]) for share in pot["shares"]]
        for pot in pushed.result["pots"]
    ]
    assert pushed.result["uncalled"] == {"seat": 6, "amount_minor": 1_200}
    assert [(pot["amount_minor"], pot["rake_minor"]) for pot in pushed.result["pots"]] == [(1_800, 150), (600, 50)]
    assert shares == [[(6, 850, 50), (1, 800, 0)], [(6, 550, 0)]]
    assert pushed.nets == {1: 300, 4: -800, 6: 500, 8: -200}


def won(seat: int, amount_minor: int, odd_minor: int = 0) -> dict[str, Any]:
    return {"seat": seat, "half": "whole", "amount_minor": amount_minor, "odd_minor": odd_minor}


OURS: dict[str, Any] = {
    "uncalled": {"seat": 6, "amount_minor": 1_200},
    "pots": [
        {"amount_minor": 1_800, "rake_minor": 100, "shares": [won(6, 900, 100), won(1, 800)]},
        {"amount_minor": 600, "rake_minor": 0, "shares": [won(6, 600)]},
    ],
}
FIRST, SECOND = OURS["pots"]
SPOILED: dict[str, tuple[Any, list[str]]] = {
    "pots that were not entered": (None, [f"hand 1: pots: the service says None, our books {OURS}"]),
    "nothing went back": (
        {"uncalled": None},
        ["hand 1: uncalled: the service says None, our books {'seat': 6, 'amount_minor': 1200}"],
    ),
    "a pot less": ({"pots": [FIRST]}, [f"hand 1, pot 2: the service says None, our books {SECOND}"]),
    "a rake": (
        {"pots": [FIRST, SECOND | {"rake_minor": 100}]},
        ["hand 1, pot 2: rake_minor: the service says 100, our books 0"],
    ),
    "another winner": (
        {"pots": [FIRST, SECOND | {"shares": [won(1, 600)]}]},
        ["hand 1, pot 2: who has won it, in the order of odd chips: the service says [[1, 'whole']], our books [[6, 'whole']]"],
    ),
    "the odd chip to the other": (
        {"pots": [FIRST | {"shares": [won(6, 800), won(1, 900, 100)]}, SECOND]},
        [
            f"hand 1, pot 1, seat {seat}: {figure}: the service says {booked}, our books {ours}"
            for seat, figure, booked, ours in (
                (6, "amount_minor", 800, 900), (6, "odd_minor", 0, 100), (1, "amount_minor", 900, 800), (1, "odd_minor", 100, 0)
            )
        ],
    ),
}  # fmt: skip


@each("what", SPOILED)
def test_whatever_else_the_service_has_of_a_pot_is_a_sentence(what: str) -> None:
    changed, sentences = SPOILED[what]
    books: Any = Books([], rules=None)  # type: ignore[arg-type]
    same_pots("hand 1", OURS, deepcopy(OURS), books.same)
    assert books.differences == []
    same_pots("hand 1", None if changed is None else OURS | changed, OURS, books.same)
    assert books.differences == sentences


def test_another_stack_than_that_of_the_hands_is_a_sentence() -> None:
    """Bought 100, tipped 1, won 30 in a hand that counts and 20 in one that is void."""
    stay = GuestStay("a", 4, [ChipsMoved("buy_in", "cash", 10_000), ChipsMoved("tip", "stack", 100)])
    hands = [
        RakedHand("one", 1, {"dealt": ["a", "b"], "flop": True, "walk": False}, 0, nets={"a": 3_000}),
        RakedHand("two", 2, {"dealt": ["a", "b"], "flop": True, "walk": False}, 0, nets={"a": 2_000}, state=VOIDED),
    ]
    book = TableBook("Poker 1", hands, [stay], {"a": 4}, pots=True)
    assert (book.stack(stay), replace(book, pots=False).stack(stay)) == (12_900, 10_000)
    books: Any = Books([], rules=None)  # type: ignore[arg-type]
    answers = Answers({"a": {"bought_minor": 10_000}}, {}, [{"id": "a", "seat": 4, "stack_minor": 13_000}], {})
    recorded = Recorded(dict.fromkeys(FIGURES, 0), dict.fromkeys(RAKED, 0), [], [], 0)
    book.compare(answers, recorded, books.same)
    assert [line for line in books.differences if "stack" in line] == [
        "Poker 1, seat 4: stack at the end: the service says 13000, our books 12900"
    ]


def test_who_goes_on_at_another_table_without_a_chip_is_not_counted() -> None:
    stay = GuestStay("a", 4, [ChipsMoved("buy_in", "cash", 10_000), ChipsMoved("moved_out", "", 0)])
    book = TableBook("Poker 1", [], [stay], pots=True)
    books: Any = Books([], rules=None)  # type: ignore[arg-type]
    recorded = Recorded(dict.fromkeys(FIGURES, 0), dict.fromkeys(RAKED, 0), [], [], 0)
    book.compare(Answers({"a": {"bought_minor": 10_000}}), recorded, books.same)
    assert [line for line in books.differences if "seat 4" in line] == []


def test_RAK_3_our_fees_of_several_pots_are_those_of_the_house() -> None:
    for schedule in SCHEDULES.values():
        for pots in ([1_950, 1_050], [5_900, 2_700, 14_200], [200, 30_000], [100, 100, 1_900], [21_000, 50, 7_777]):
            for players in (2, 4, 6):
                for flop in (True, False):
                    theirs = rake(schedule, pots, players=players, flop=flop).parts
                    assert tuple(fees(schedule.to_data(), pots, players=players, flop=flop, walk=False)) == theirs
