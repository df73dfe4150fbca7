"""Stakes that come when the cards lie: doubling, splitting, insurance, even money (BJ-5 to BJ-9).

Who decides for the box is found by its owner and the prime rule (`tables/rules/boxes.py`); here
stands what may be done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, picture
from tables.games.base import Placed
from tables.games.blackjack.points import (
    ACE,
    Counts,
    counted,
    is_blackjack,
    may_double,
    place_of,
    points_of,
)
from tables.games.blackjack.refusals import (
    AcesOnce,
    ActUnknown,
    AmountDiffers,
    EvenMoneyOrInsurance,
    EvenMoneyTaken,
    HandDoubled,
    HandsMost,
    InsuranceOffStep,
    InsuranceTooMuch,
    NoAce,
    NoBlackjack,
    NoStakeThere,
    NotAPair,
    NotFirst,
    NotToDouble,
    OwnStakesOnly,
    PlacedAlready,
    SplitUnclear,
)
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import (
    EVEN_MONEY,
    HANDS,
    INSURANCE,
    hands_on,
    staked_on,
)

DECIDED = ("double", "split")  # acts for which somebody decides first (BOX-2)


@dataclass(frozen=True, slots=True)
class Placement:
    """What a guest does when the cards lie. `hand`: the hand that is doubled or split, also by who
    follows; `named` is false where none was entered: it is the first.

    `instead_of`: whose stake is doubled, or whose place on the second hand is taken, when that
    guest does not do it (BJ-6, BJ-7). `amount_minor`: of an insurance; all other amounts follow
    from the stakes, and may be left out. `bank`: the bank's first card, and `cards`: those of the
    hand, as far as they are known.
    """

    box: int
    guest: str
    act: str
    hand: int = 1
    amount_minor: int | None = None
    instead_of: str | None = None
    bank: int | None = None
    cards: tuple[int, ...] = ()
    named: bool = True

    @property
    def source(self) -> str:
        """Whose stake it goes with."""
        return self.instead_of or self.guest

    @property
    def counts(self) -> Counts | None:
        """The hand by ranks, if its cards are known."""
        return counted(self.cards) if self.cards else None


def check_act(placement: Placement) -> None:
    """Raises ActUnknown."""
    if placement.act not in _ACTS:
        raise ActUnknown(act=picture(placement.act))


def place(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    later: Sequence[Placed],
    placement: Placement,
    decider: str | None,
    *,
    aces: bool = False,
) -> Placed:
    """The stake that a placement brings, or refuse it. `stakes`: those of the lock; `later`: those
    that came since, in their order. `decider`: who decides for the box (BOX-2, PRM-2), None where
    it is not asked. `aces`: the box was split with aces.

    Even money brings no chips: its stake is a mark of nothing. Raises the refusals of this module.
    """
    check_act(placement)
    table = _Table(
        rules,
        [one for one in stakes if one.box == placement.box],
        [one for one in later if one.stake.box == placement.box],
        decider,
        aces,
    )
    if placement.source not in table.on(placement):
        raise NoStakeThere(box=picture(placement.box), hand=picture(placement.hand))
    placed = _ACTS[placement.act](table, placement)
    box, kind, amount = placed.stake.box, placed.stake.kind, placed.stake.amount_minor
    if placement.amount_minor not in (None, amount):
        given = picture(placement.amount_minor)
        raise AmountDiffers(box=box, kind=kind, amount_minor=amount, given_minor=given)
    return placed


def doubles_alone(rules: BlackjackRules, *, natural: bool) -> bool:
    """Whether a co-player doubles without who decides; `natural`: a Black Jack (BJ-5, BJ-6)."""
    posted = rules.coplayer_may_double_blackjack if natural else rules.coplayer_doubles
    return posted == "always"


def goes_with(later: Sequence[Placed], kind: str, source: str) -> bool:
    """Whether a stake of this kind lies there for this guest's own one."""
    return any((placed.stake.kind, placed.source) == (kind, source) for placed in later)


class _Table(NamedTuple):
    """What lies on one box."""

    rules: BlackjackRules
    stakes: Sequence[Stake]
    later: Sequence[Placed]
    decider: str | None
    aces: bool

    @property
    def all(self) -> list[Stake]:
        return [*self.stakes, *(one.stake for one in self.later)]

    def on(self, placement: Placement) -> dict[str, int]:
        """By guest, what lies on the placement's hand."""
        return staked_on(self.all, placement.box, placement.hand)

    def has(self, kind: str, source: str) -> bool:
        return goes_with(self.later, kind, source)

    def decides(self, placement: Placement) -> bool:
        """Whether it is the decider's, for their own stake."""
        return placement.guest == placement.source == self.decider

    def check_follows(self, kind: str, placement: Placement) -> None:
        """Refuse a co-player who does first what only the decider may do first."""
        if self.decider is None or self.decides(placement):
            return
        if not self.has(kind, self.decider):
            raise NotFirst(decider=self.decider, guest=placement.guest)


def _double(table: _Table, placement: Placement) -> Placed:
    box, hand, counts = placement.box, placement.hand, placement.counts
    kind, split = f"double_{hand}", hands_on(table.all, box) > 1
    natural = any(one.stake.kind == EVEN_MONEY for one in table.later)
    if split and (table.aces or (placement.cards and place_of(placement.cards[0]) == ACE)):
        raise AcesOnce(box=box)
    if counts is not None:
        if not may_double(counts, soft=table.rules.double_soft, split=split):
            raise NotToDouble(box=box, hand=hand, total=points_of(placement.cards).total)
        if natural and not is_blackjack(counts):
            raise NoBlackjack(box=box)
        natural = is_blackjack(counts)
    if (
        natural and placement.source != placement.guest
    ):  # who does not double is paid at once (BJ-5)
        raise NoStakeThere(box=box, hand=hand)
    if table.has(EVEN_MONEY, placement.source):
        raise EvenMoneyTaken(box=box)
    if not doubles_alone(table.rules, natural=natural):
        table.check_follows(kind, placement)
    return _brought(table, placement, kind)


def _split(table: _Table, placement: Placement) -> Placed:
    box, counts, hands = placement.box, placement.counts, hands_on(table.all, placement.box)
    if not table.decides(placement) or not _is_on_all(table, placement, hands):  # they follow
        if placement.hand >= hands:
            raise NotFirst(decider=table.decider, guest=placement.guest)
        _check_clear(table, placement, hands)
        return _brought(table, placement, f"split_{hands}")
    _check_no_blackjack(table, placement)
    if hands >= table.rules.max_hands_per_box:
        raise HandsMost(box=box, hands=hands)
    if any(one.stake.kind == f"double_{placement.hand}" for one in table.later):
        raise HandDoubled(box=box, hand=placement.hand)
    if counts is not None and (sum(counts) != 2 or max(counts) != 2):
        raise NotAPair(box=box, hand=placement.hand)
    if hands > 1 and (table.aces or (counts is not None and counts[ACE])):
        raise AcesOnce(box=box)
    return _brought(table, placement, f"split_{hands + 1}")


def _is_on_all(table: _Table, placement: Placement, hands: int) -> bool:
    """Whether the stake came along with the last split. Who decides since another has left may
    bring it yet, before they split on.
    """
    return hands == 1 or table.has(f"split_{hands}", placement.source)


def _check_clear(table: _Table, placement: Placement, hands: int) -> None:
    """Refuse to follow a split without its hand where that could be one of several, on which the
    guest has not the same.
    """
    lie = (staked_on(table.all, placement.box, hand) for hand in range(1, hands))
    if not placement.named and len({one.get(placement.source, 0) for one in lie}) > 1:
        raise SplitUnclear(box=placement.box)


def _check_no_blackjack(table: _Table, placement: Placement) -> None:
    """Refuse to split a box on which even money was taken: its cards are a Black Jack (BJ-9)."""
    if any(one.stake.kind == EVEN_MONEY for one in table.later):
        raise NotAPair(box=placement.box, hand=placement.hand)


def _brought(table: _Table, placement: Placement, kind: str) -> Placed:
    """The stake, as large as the one that it goes with, which brings only one of its kind."""
    if table.has(kind, placement.source):
        raise PlacedAlready(box=placement.box, hand=HANDS[kind])
    amount = table.on(placement)[placement.source]
    return Placed(Stake(placement.box, placement.guest, kind, amount), placement.source)


def _insurance(table: _Table, placement: Placement) -> Placed:
    box, guest, amount = placement.box, placement.guest, placement.amount_minor or 0
    _check_ace(placement)
    if table.has(EVEN_MONEY, guest):
        raise EvenMoneyOrInsurance(box=box)
    if type(amount) is not int or not 0 < amount <= MAXIMUM_MINOR:
        raise InsuranceOffStep(step_minor=table.rules.insurance_step, amount_minor=picture(amount))
    lies = {True: 0, False: 0}
    for one in table.all:
        if one.guest == guest:
            lies[one.kind == INSURANCE] += one.amount_minor
    most = lies[False] // 2
    if lies[True] + amount > most:
        raise InsuranceTooMuch(box=box, maximum_minor=most, amount_minor=lies[True] + amount)
    if amount % table.rules.insurance_step:
        raise InsuranceOffStep(step_minor=table.rules.insurance_step, amount_minor=amount)
    return Placed(Stake(box, guest, INSURANCE, amount), guest)


def _even_money(table: _Table, placement: Placement) -> Placed:
    box, guest, counts = placement.box, placement.guest, placement.counts
    _check_ace(placement)
    if table.has(INSURANCE, guest):
        raise EvenMoneyOrInsurance(box=box)
    if hands_on(table.all, box) > 1 or table.has("double_1", guest):
        raise NoBlackjack(box=box)
    if counts is not None and not is_blackjack(counts):
        raise NoBlackjack(box=box)
    if table.has(EVEN_MONEY, guest):
        raise EvenMoneyTaken(box=box)
    return Placed(Stake(box, guest, EVEN_MONEY, 0), guest)


def _check_ace(placement: Placement) -> None:
    if placement.source != placement.guest:
        raise OwnStakesOnly
    if placement.bank is None or place_of(placement.bank) != ACE:
        raise NoAce


_ACTS = {"double": _double, "split": _split, INSURANCE: _insurance, EVEN_MONEY: _even_money}
