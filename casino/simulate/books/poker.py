"""Poker a second time (POK-2, RAK-1 to RAK-3): what is posted for a pot, hands as they stand, the
chips of each guest, what a table has in the end; and the figures of the service beside them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from casino.simulate.books.results import FIGURES
from casino.simulate.books.rules import Posted

WHOLE = 10_000  # basis points
ENDED, VOIDED = "ended", "voided"
BUY_IN, TOP_UP, TIP, OUT = "buy_in", "top_up", "tip", "out"
MOVED_IN, MOVED_OUT = "moved_in", "moved_out"
BROUGHT = (BUY_IN, TOP_UP, MOVED_IN)
HAND = ("number", "state", "revision", "players", "flop", "walk")
AMOUNTS = ("pot_minor", "posted_minor", "rake_minor")
RAKED = ("hands", "known", "rake", "checked", "posted", "difference")  # of the report of the rake
Row = Mapping[str, Any]
Same = Callable[[str, object, object], None]


class PostedAtTable(NamedTuple):
    """What is posted at a table, in minor units; `rake`: its schedule as the API gives it;
    `less_booked`: less than posted is booked, not refused. `draws`: five card draw is played, and
    `passes` where all may pass before it.
    """

    chip: int
    blind: int
    seats: int
    buy_in_least: int
    buy_in_most: int | None
    tips_from_stack: bool
    less_booked: bool
    rake: Row
    small: int = 0
    ante: int = 0
    all_to_worst: bool = False  # of several odd chips
    draws: bool = False
    passes: bool = False


def posted_at(posted: Posted, names: Mapping[str, str], day: str) -> PostedAtTable:
    """What a table is played by on a gaming day; `names` by kind. Raises NotPlayable."""
    game, house, rake = (
        posted.on_day(kind, names[kind], day) for kind in ("poker_game", "poker_rules", "rake")
    )
    draws = game["variants"] == ["draw"]
    return PostedAtTable(
        chip=game["chip_minor"],
        blind=max(game["big_blind_minor"], game["chip_minor"]),
        seats=game["seats"],
        buy_in_least=game["buy_in_least_minor"],
        buy_in_most=game["buy_in_most_minor"],
        tips_from_stack=house["tips_from_stack"],
        less_booked=house["rake_gap"] == "booked",
        rake=rake,
        small=game["small_blind_minor"],
        ante=game["ante_minor"],
        all_to_worst=house["odd_chips"] == "all_to_worst",
        draws=draws,
        passes=draws and house["first_round_check"] and game["ante_minor"] > 0,
    )


def fee(rake: Row, pot: int, *, players: int, flop: bool, walk: bool) -> int:
    """What is posted for one pot of so many players dealt in, in minor units (RAK-1, RAK-3).

    >>> tier = {"players_from": 2, "pot_from_minor": 0, "percent_bp": 500, "fixed_minor": 0}
    >>> rake = {"tiers": [tier | {"cap_minor": 1000}], "step_minor": 100, "minimum_pot_minor": 0}
    >>> rake |= {"no_flop_no_drop": True, "no_flop_minor": None}
    >>> [fee(rake, pot, players=6, flop=True, walk=False) for pot in (5900, 30000)]
    [200, 1000]
    """
    return sum(fees(rake, [pot], players=players, flop=flop, walk=walk))


def fees(rake: Row, pots: Sequence[int], *, players: int, flop: bool, walk: bool) -> list[int]:
    """What is posted for each pot of a hand, the main pot first, dropped step by step."""
    dropped = [0] * len(pots)
    total = sum(pots)
    if walk or total < rake["minimum_pot_minor"] or (rake["no_flop_no_drop"] and not flop):
        return dropped
    tiers = [
        tier
        for tier in rake["tiers"]
        if players >= tier["players_from"] and total >= tier["pot_from_minor"]
    ]
    percent = 0
    if not flop and rake["no_flop_minor"] is not None:
        most = rake["no_flop_minor"]
    elif not tiers:
        return dropped
    else:
        last = max(tiers, key=lambda tier: (tier["players_from"], tier["pot_from_minor"]))
        percent = last["percent_bp"]
        limits = (last["cap_minor"], total if percent else last["fixed_minor"])
        most = min(limit for limit in limits if limit is not None)
    step = rake["step_minor"]
    for number, pot in enumerate(pots):
        due = pot * percent // WHOLE if percent else pot
        while dropped[number] + step <= due and sum(dropped) + step <= most:
            dropped[number] += step
    return dropped


@dataclass
class RakedHand:
    """A hand as it must stand, in minor units. `body`: as it was entered first, by which the
    service gives it again; `pot_minor`, `posted_minor`: None where the rake came by its key.
    `pots`: its result where pots are entered, `nets`: by stay what it moved then.
    """

    id: str
    number: int
    body: Row
    rake_minor: int
    pot_minor: int | None = None
    posted_minor: int | None = None
    revision: int = 1
    state: str = ENDED
    pots: Row | None = None
    nets: Mapping[str, int] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """How many were dealt in."""
        return len(self.body["dealt"])

    @property
    def flop(self) -> bool:
        """Whether one was dealt."""
        return bool(self.body["flop"])

    @property
    def walk(self) -> bool:
        """Whether everybody folded to the blind."""
        return bool(self.body["walk"])


class ChipsMoved(NamedTuple):
    """Chips of a stay beside its hands, as the house names them."""

    kind: str
    means: str
    amount: int


@dataclass
class GuestStay:
    """A guest at a seat of a table."""

    id: str
    seat: int
    chips: list[ChipsMoved] = field(default_factory=list)

    def amount(self, *kinds: str) -> int:
        """Of all chips that moved so."""
        return sum(moved.amount for moved in self.chips if moved.kind in kinds)

    @property
    def sits(self) -> bool:
        """Whether the guest has not left."""
        return not {OUT, MOVED_OUT} & {moved.kind for moved in self.chips}


@dataclass
class Recorded:
    """What the house has recorded of a table on a gaming day: figures of its result and of its
    rake, hands with less than posted by number, and what was cleared when its last guest had left.
    """

    results: Mapping[str, int]
    rake: Mapping[str, int]
    less: Sequence[int]
    cleared: Sequence[int]
    emptied: int  # how often the pit was told that chips were missing


@dataclass
class Answers:
    """What the service has answered about a table. `stays`: last answer of each; `seats`: who sat
    there before all left; `hands`: by id as they stand in the end.
    """

    stays: dict[str, Row] = field(default_factory=dict)
    leaving: dict[str, Row] = field(default_factory=dict)
    seats: Sequence[Row] = ()
    hands: dict[str, Row] = field(default_factory=dict)


@dataclass
class TableBook:
    """Our own book of a table from opening to the last guest; `lost`: chips that fell under it.
    `pots`: they are entered, so that each stack is known.
    """

    name: str
    hands: list[RakedHand] = field(default_factory=list)
    stays: list[GuestStay] = field(default_factory=list)
    seated: dict[str, int] = field(default_factory=dict)  # by stay, before all left
    lost: int = 0
    pots: bool = False

    @property
    def standing(self) -> list[RakedHand]:
        """The hands that count."""
        return [hand for hand in self.hands if hand.state == ENDED]

    def amount(self, *kinds: str) -> int:
        """Of all chips of its guests that moved so."""
        return sum(stay.amount(*kinds) for stay in self.stays)

    def stack(self, stay: GuestStay) -> int:
        """What must be booked before a guest who has not left: where no pots are entered, all that
        was brought.
        """
        if not self.pots:
            return stay.amount(*BROUGHT)
        hands = sum(hand.nets.get(stay.id, 0) for hand in self.standing)
        return stay.amount(*BROUGHT) - stay.amount(TIP) + hands

    def into_tray(self) -> int:
        """What the evening has moved into the tray, in minor units: the rake, less the chips that
        guests have bought.
        """
        return sum(hand.rake_minor for hand in self.standing) - self.cash

    @property
    def cash(self) -> int:
        """What guests have bought for cash, in minor units."""
        return sum(
            moved.amount for stay in self.stays for moved in stay.chips if moved.means == "cash"
        )

    def totals(self) -> dict[str, int]:
        """The evening in figures, in minor units."""
        return {
            "hands": len(self.standing),
            "bought": self.amount(BUY_IN, TOP_UP),
            "moved_in": self.amount(MOVED_IN),
            "moved_out": self.amount(MOVED_OUT),
            "left": self.amount(OUT),
            "rake": sum(hand.rake_minor for hand in self.standing),
            "time_charge": 0,
            "tips": self.amount(TIP),
            "lost": self.lost,
        }

    def raked(self) -> dict[str, int]:
        """The figures of the report of the rake."""
        known = [hand for hand in self.standing if hand.posted_minor is not None]
        checked = sum(hand.rake_minor for hand in known)
        posted = sum(hand.posted_minor or 0 for hand in known)
        rake = sum(hand.rake_minor for hand in self.standing)
        figures = (len(self.standing), len(known), rake, checked, posted, checked - posted)
        return dict(zip(RAKED, figures, strict=True))

    @property
    def less(self) -> list[int]:
        """Numbers of hands of which less was taken than is posted."""
        return [hand.number for hand in self.standing if hand.rake_minor < (hand.posted_minor or 0)]

    def compare(self, answers: Answers, recorded: Recorded, same: Same) -> None:
        """Every figure of the table, by `same`; all its guests have left."""
        for hand in self.hands:
            row = answers.hands.get(hand.id, {})
            for figure in (*HAND, *AMOUNTS):
                what = f"{self.name}, hand {hand.number}: {figure}"
                same(what, row.get(figure), getattr(hand, figure))
            same_pots(f"{self.name}, hand {hand.number}", row.get("pots"), hand.pots, same)
        stacks = {row["id"]: row.get("stack_minor") for row in answers.seats}
        for stay in self.stays:
            self._compare_stay(stay, answers, same)
            if self.pots and stay.id in stacks:
                what = f"{self.name}, seat {stay.seat}: stack at the end"
                same(what, stacks[stay.id], self.stack(stay))
        sat = {row["id"]: row["seat"] for row in answers.seats}
        same(f"{self.name}: who sat there at the end", sat, self.seated)
        self._compare_sums(recorded, same)

    def _compare_stay(self, stay: GuestStay, answers: Answers, same: Same) -> None:
        what = f"{self.name}, seat {stay.seat}"
        brought = stay.amount(*BROUGHT)
        row = answers.stays.get(stay.id, {})
        same(f"{what}: bought", row.get("bought_minor"), brought)
        if OUT not in {moved.kind for moved in stay.chips}:  # also who moved on without a chip
            return
        leaving = answers.leaving.get(stay.id, {})
        counted = stay.amount(OUT)
        same(f"{what}: counted", leaving.get("counted_minor"), counted)
        difference = counted - self.stack(stay)
        same(f"{what}: difference", leaving.get("difference_minor"), difference)
        same(f"{what}: time", leaving.get("time_minor"), 0)

    def _compare_sums(self, recorded: Recorded, same: Same) -> None:
        totals = self.totals()
        figures = dict.fromkeys(FIGURES, 0) | {"drop": self.cash}
        figures |= {figure: totals[figure] for figure in ("rake", "time_charge", "tips")}
        for figure, amount in figures.items():
            same(f"{self.name}: {figure} recorded", recorded.results[figure], amount)
        for figure, amount in self.raked().items():
            same(f"{self.name}: {figure} by the report of the rake", recorded.rake[figure], amount)
        same(f"{self.name}: hands with less than posted", sorted(recorded.less), self.less)
        # what hands moved between guests is nothing when they have left, but for what is missing
        missing = [self.lost] if self.lost else []
        same(f"{self.name}: cleared when all had left", list(recorded.cleared), missing)
        same(f"{self.name}: how often the pit was told of it", recorded.emptied, len(missing))
        came = totals["bought"] + totals["moved_in"]
        went = sum(totals[part] for part in ("moved_out", "left", "rake", "tips", "lost"))
        same(f"{self.name}: chips that came and that went", came, went)


def same_pots(what: str, result: Row | None, ours: Row | None, same: Same) -> None:
    """The pots of a hand, one by one, and each seat's share of them, by `same`."""
    if result is None or ours is None:
        same(f"{what}: pots", result, ours)
        return
    same(f"{what}: uncalled", result["uncalled"], ours["uncalled"])
    for number, (pot, our_pot) in enumerate(zip_longest(result["pots"], ours["pots"]), 1):
        if pot is None or our_pot is None:
            same(f"{what}, pot {number}", pot, our_pot)
            continue
        for figure in ("amount_minor", "rake_minor"):
            same(f"{what}, pot {number}: {figure}", pot[figure], our_pot[figure])
        shares = [[share["seat"], share["half"]] for share in pot["shares"]]
        our_shares = [[share["seat"], share["half"]] for share in our_pot["shares"]]
        same(f"{what}, pot {number}: who has won it, in the order of odd chips", shares, our_shares)
        for share, our_share in zip(pot["shares"], our_pot["shares"], strict=False):
            for figure in ("amount_minor", "odd_minor"):
                seat = f"{what}, pot {number}, seat {our_share['seat']}: {figure}"
                same(seat, share[figure], our_share[figure])
