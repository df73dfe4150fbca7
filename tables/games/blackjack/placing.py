"""Stakes that come when the cards lie: doubling, splitting, insurance, even money (BJ-5 to BJ-9).

Who decides for the box is found by its owner and the prime rule (`tables/rules/boxes.py`); here
stands what may be done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from payouts.errors import mark
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
from tables.games.blackjack.rules import BlackjackRules
from tables.games.blackjack.stakes import (
    EVEN_MONEY,
    HANDS,
    INSURANCE,
    BlackjackRefused,
    hands_on,
    staked_on,
)


class ActUnknown(BlackjackRefused):
    """Something else than the four that a round allows after the lock."""

    code = "blackjack.act_unknown"
    rule = "BOX-5"
    sentence = mark("After the lock there is no %(act)s.")
    remedy = mark("Only doubling, splitting, insurance and even money come after the lock.")


class NoStakeThere(BlackjackRefused):
    """A guest who has nothing on that hand."""

    code = "blackjack.no_stake_there"
    rule = "BOX-5"
    sentence = mark("The guest has no stake on hand %(hand)s of box %(box)s.")
    remedy = mark("Choose a guest whose stake lies there. A new stake waits for the next round.")


class NotFirst(BlackjackRefused):
    """A co-player who would double or split before the box's decider does."""

    code = "blackjack.not_first"
    rule = "BOX-2"
    sentence = mark("%(decider)s decides for this box, and has not done this.")
    remedy = mark("Take the decision of the guest who decides first; the others may follow it.")


class PlacedAlready(BlackjackRefused):
    """A stake that was doubled, or brought for a second hand, before."""

    code = "blackjack.placed_already"
    rule = "BJ-6"
    sentence = mark("This stake on hand %(hand)s of box %(box)s was placed before.")
    remedy = mark("Look at the box: the chips lie there already.")


class NotToDouble(BlackjackRefused):
    """Cards that may not be doubled."""

    code = "blackjack.not_to_double"
    rule = "BJ-6"
    sentence = mark("Hand %(hand)s of box %(box)s counts %(total)s and cannot be doubled.")
    remedy = mark(
        "Two cards that count 9, 10 or 11 may be doubled; what an ace may count is posted."
    )


class HandDoubled(BlackjackRefused):
    """A hand that was doubled and would be split."""

    code = "blackjack.hand_doubled"
    rule = "BJ-7"
    sentence = mark("Hand %(hand)s of box %(box)s was doubled: it has more than two cards.")
    remedy = mark("Only two first cards may be split. Take a mistaken double back first.")


class SplitUnclear(BlackjackRefused):
    """A guest who follows one of several splits, and has not the same on all hands."""

    code = "blackjack.split_unclear"
    rule = "BJ-7"
    sentence = mark("Box %(box)s was split again: it is not clear which hand the guest splits too.")
    remedy = mark("Enter the number of the hand that was split.")


class NotAPair(BlackjackRefused):
    """Cards of unequal points that would be split."""

    code = "blackjack.not_a_pair"
    rule = "BJ-7"
    sentence = mark("The cards of hand %(hand)s of box %(box)s do not count the same.")
    remedy = mark("Only two first cards of equal points may be split.")


class AcesOnce(BlackjackRefused):
    """Split aces that would be split again or doubled."""

    code = "blackjack.aces_once"
    rule = "BJ-7"
    sentence = mark("Each of the split aces on box %(box)s gets one card and no other stake.")
    remedy = mark("Go on with the next hand.")


class HandsMost(BlackjackRefused):
    """A split on a box that has its most hands."""

    code = "blackjack.hands_most"
    rule = "BJ-7"
    sentence = mark("Box %(box)s has %(hands)s hands and may have no more.")
    remedy = mark("Play the hand on without a split.")


class NoAce(BlackjackRefused):
    """Insurance or even money where the bank's first card is no ace."""

    code = "blackjack.no_ace"
    rule = "BJ-8"
    sentence = mark("The bank's first card is no ace.")
    remedy = mark("Insurance and even money are offered only against an ace of the bank.")


class OwnStakesOnly(BlackjackRefused):
    """Insurance or even money for another guest's stake."""

    code = "blackjack.own_stakes_only"
    rule = "BJ-8"
    sentence = mark("Insurance and even money are for a guest's own stakes only.")
    remedy = mark("Choose the guest whose stake it is, and no other guest's stake beside it.")


class InsuranceTooMuch(BlackjackRefused):
    """Insurance above half of what the guest has on the box."""

    code = "blackjack.insurance_too_much"
    rule = "BJ-8"
    sentence = mark(
        "Insurance on box %(box)s is at most %(maximum_minor)s, half of the guest's stakes, not"
        " %(amount_minor)s."
    )
    remedy = mark("Give back what is above half of the stakes.")


class InsuranceOffStep(BlackjackRefused):
    """Insurance that is not in its steps."""

    code = "blackjack.insurance_off_step"
    rule = "BJ-8"
    sentence = mark("Insurance comes in steps of %(step_minor)s, not %(amount_minor)s.")
    remedy = mark("Change the insurance to the nearest step.")


class EvenMoneyOrInsurance(BlackjackRefused):
    """Even money beside insurance."""

    code = "blackjack.even_money_or_insurance"
    rule = "BJ-9"
    sentence = mark("On box %(box)s the guest may have even money or insurance, not both.")
    remedy = mark("Leave it at what was chosen first.")


class EvenMoneyTaken(BlackjackRefused):
    """More on a stake that is paid even money."""

    code = "blackjack.even_money_taken"
    rule = "BJ-9"
    sentence = mark("On box %(box)s the guest has chosen even money already.")
    remedy = mark("Leave it at that, or take the mistaken even money back first.")


class NoBlackjack(BlackjackRefused):
    """Even money on a hand that is no Black Jack, or is played on."""

    code = "blackjack.no_blackjack"
    rule = "BJ-9"
    sentence = mark("Box %(box)s has no Black Jack that could be paid even money.")
    remedy = mark("Even money is for two first cards that are a Black Jack.")


DECIDED = ("double", "split")  # acts for which somebody decides first (BOX-2)


@dataclass(frozen=True, slots=True)
class Placement:
    """What a guest does when the cards lie. `hand`: the hand that is doubled or split, also by who
    follows; `named` is false where none was entered: it is the first.

    `instead_of`: whose stake is doubled, or whose place on the second hand is taken, when that
    guest does not do it (BJ-6, BJ-7). `amount_minor`: of an insurance; all other amounts follow
    from the stakes. `bank`: the bank's first card, and `cards`: those of the hand, as far as they
    are known.
    """

    box: int
    guest: str
    act: str
    hand: int = 1
    amount_minor: int = 0
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


def place(
    rules: BlackjackRules,
    stakes: Sequence[Stake],
    later: Sequence[Placed],
    placement: Placement,
    decider: str | None,
) -> Placed:
    """The stake that a placement brings, or refuse it. `stakes`: those of the lock; `later`: those
    that came since, in their order. `decider`: who decides for the box (BOX-2, PRM-2), None where
    it is not asked.

    Even money brings no chips: its stake is a mark of nothing. Raises the refusals of this module.
    """
    acts = {"double": _double, "split": _split, INSURANCE: _insurance, EVEN_MONEY: _even_money}
    if placement.act not in acts:
        raise ActUnknown(act=picture(placement.act))
    table = _Table(
        rules,
        [one for one in stakes if one.box == placement.box],
        [one for one in later if one.stake.box == placement.box],
        decider,
    )
    if placement.source not in table.on(placement):
        raise NoStakeThere(box=picture(placement.box), hand=picture(placement.hand))
    return acts[placement.act](table, placement)


class _Table(NamedTuple):
    """What lies on one box."""

    rules: BlackjackRules
    stakes: Sequence[Stake]
    later: Sequence[Placed]
    decider: str | None

    @property
    def all(self) -> list[Stake]:
        return [*self.stakes, *(one.stake for one in self.later)]

    def on(self, placement: Placement) -> dict[str, int]:
        """By guest, what lies on the placement's hand."""
        return staked_on(self.all, placement.box, placement.hand)

    def has(self, kind: str, source: str) -> bool:
        return any(one.stake.kind == kind and one.source == source for one in self.later)

    def decides(self, placement: Placement) -> bool:
        """Whether it is the decider's, for their own stake."""
        return placement.guest == placement.source == self.decider

    def follows(self, kind: str, placement: Placement, open_to: str) -> None:
        """Refuse a co-player who does first what only the decider may do first."""
        if self.decider is None or self.decides(placement) or open_to == "always":
            return
        if not self.has(kind, self.decider):
            raise NotFirst(decider=self.decider, guest=placement.guest)


def _double(table: _Table, placement: Placement) -> Placed:
    box, hand, counts = placement.box, placement.hand, placement.counts
    kind, split = f"double_{hand}", hands_on(table.all, box) > 1
    natural = any(one.stake.kind == EVEN_MONEY for one in table.later)
    if counts is not None:
        if split and place_of(placement.cards[0]) == ACE:
            raise AcesOnce(box=box)
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
    rules = table.rules
    table.follows(
        kind, placement, rules.coplayer_may_double_blackjack if natural else rules.coplayer_doubles
    )
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
    if counts is not None:
        if sum(counts) != 2 or max(counts) != 2:
            raise NotAPair(box=box, hand=placement.hand)
        if hands > 1 and counts[ACE]:
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
    box, guest, amount = placement.box, placement.guest, placement.amount_minor
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
