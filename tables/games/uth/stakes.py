"""The stakes of a round of Ultimate Texas Hold'em before the cards: what may lie on the boxes at
the lock, by `UthRules`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from payouts.errors import Refused, mark
from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, picture
from tables.games.uth.rules import UthGame, UthRules

BOXES_MOST = 22  # two cards each, two for the dealer and five on the board: one deck has no more
GUEST_LONGEST = 80
KINDS = ("ante", "blind", "trips", "play")
RULE_OF_KIND = {
    "ante": "UTH-2",
    "blind": "UTH-2",
    "trips": "UTH-7",
    "play": "UTH-3",
    "coin": "PRG-1",
}


class UthRefused(Refused):
    """Something that a round of Ultimate Texas Hold'em does not allow."""

    code = "uth.refused"


class KindUnknown(UthRefused):
    """A stake that the game does not have."""

    code = "uth.kind_unknown"
    rule = "UTH-2"
    sentence = mark("Ultimate Texas Hold'em has no %(kind)s stake.")
    remedy = mark("Name the stake ante, blind, trips, play or coin.")


class StakeTwice(UthRefused):
    """Two stakes of one kind on one box."""

    code = "uth.stake_twice"
    rule = "UTH-2"
    sentence = mark("Box %(box)s has two %(kind)s stakes.")
    remedy = mark("A box has one stake of each kind; add the chips up.")

    def __init__(self, *, box: int, kind: str) -> None:
        super().__init__(box=box, kind=kind)
        self.rule = RULE_OF_KIND[kind]


class BoxShared(UthRefused):
    """Two guests on one box."""

    code = "uth.box_shared"
    rule = "UTH-8"
    sentence = mark("Box %(box)s has stakes of two guests.")
    remedy = mark("A box is played by one guest.")


class BoxOutside(UthRefused):
    """A box that the table's layout does not have, or more boxes than it has."""

    code = "uth.box_outside_layout"
    rule = "UTH-1"
    sentence = mark("The table has boxes 1 to %(layout)s; %(box)s is not one of them.")
    remedy = mark("Check the number of the box.")


class BoxTwice(UthRefused):
    """One box given twice."""

    code = "uth.box_twice"
    rule = "UTH-1"
    sentence = mark("Box %(box)s is there twice.")
    remedy = mark("Send each box once.")


class NoBox(UthRefused):
    """A round in which nobody plays."""

    code = "uth.no_box"
    rule = "UTH-2"
    sentence = mark("No box has an Ante.")
    remedy = mark("Place an Ante on at least one box.")


class GuestWrong(UthRefused):
    """A guest without a name."""

    code = "uth.guest_wrong"
    rule = "UTH-8"
    sentence = mark("%(guest)s is not a guest at box %(box)s.")
    remedy = mark("Name the guest in 1 to 80 characters.")


class AmountWrong(UthRefused):
    """An amount that is no amount."""

    code = "uth.amount_wrong"
    rule = "UTH-2"
    sentence = mark("Box %(box)s: %(amount)s is not an amount for %(kind)s.")
    remedy = mark("Give whole minor units.")


class AnteMissing(UthRefused):
    """A box without an Ante."""

    code = "uth.ante_missing"
    rule = "UTH-2"
    sentence = mark("Box %(box)s has no Ante.")
    remedy = mark("Place an Ante, or take the other stakes off the box.")


class TripsWithoutAnte(UthRefused):
    """Trips on a box that does not play."""

    code = "uth.trips_without_ante"
    rule = "UTH-7"
    sentence = mark("Box %(box)s has Trips but no Ante.")
    remedy = mark("Place an Ante, or take Trips back.")


class BlindUnlikeAnte(UthRefused):
    """A Blind that is not exactly the Ante."""

    code = "uth.blind_unlike_ante"
    rule = "UTH-2"
    sentence = mark("Box %(box)s: Blind %(blind_minor)s must equal Ante %(ante_minor)s.")
    remedy = mark("Make Blind and Ante equal.")


class OffLimits(UthRefused):
    """A stake below the minimum or above the maximum; the rule is UTH-2 or UTH-7."""

    code = "uth.off_limits"
    rule = "UTH-2"
    sentence = mark(
        "Box %(box)s: %(kind)s from %(minimum_minor)s to %(maximum_minor)s, not %(amount_minor)s."
    )
    remedy = mark("Change the stake to an amount within the limits.")


class OffStep(UthRefused):
    """A stake that is not in the table's steps; the rule is UTH-2 or UTH-7."""

    code = "uth.off_step"
    rule = "UTH-2"
    sentence = mark("Box %(box)s: %(kind)s only in steps of %(step_minor)s, not %(amount_minor)s.")
    remedy = mark("Change the stake to the nearest step.")


class PlayNotWhole(UthRefused):
    """A Play stake that is no multiple of the Ante."""

    code = "uth.play_not_whole"
    rule = "UTH-3"
    sentence = mark(
        "Box %(box)s: a Play of %(play_minor)s is no multiple of the Ante of %(ante_minor)s."
    )
    remedy = mark("Change the Play stake to a multiple of the Ante.")


class PlayNotAllowed(UthRefused):
    """A Play stake that no rule allows."""

    code = "uth.play_not_allowed"
    rule = "UTH-3"
    sentence = mark(
        "Box %(box)s: a Play of %(play)s is not allowed, only %(multiples)s times the Ante."
    )
    remedy = mark(
        "Play 3 or 4 times the Ante before the flop, twice after it, once after turn and river, as"
        " far as posted."
    )


class FurtherBoxSeen(UthRefused):
    """A guest with two boxes that are not played blind."""

    code = "uth.further_box_seen"
    rule = "UTH-8"
    sentence = mark(
        "Boxes %(first)s and %(second)s belong to one guest, who may look at the cards of one only."
    )
    remedy = mark("Place the Play stake of each further box now; it plays blind and cannot fold.")


def check_box(box: int, layout: int) -> None:
    """Raises BoxOutside."""
    if not 1 <= box <= layout:
        raise BoxOutside(layout=layout, box=box)


@dataclass(frozen=True, slots=True)
class UthBox:
    """What lies on one box at the lock, in minor units.

    `blind_play` is the Play multiple that a guest placed at the start because they play this
    further box blind (UTH-8); 0 for a box whose cards they see.
    """

    box: int
    guest: str
    ante_minor: int
    blind_minor: int
    trips_minor: int = 0
    blind_play: int = 0

    def stakes(self) -> tuple[Stake, ...]:
        """The stakes one by one, as they are booked at the lock."""
        amounts = (
            self.ante_minor,
            self.blind_minor,
            self.trips_minor,
            self.blind_play * self.ante_minor,
        )
        return tuple(
            Stake(self.box, self.guest, kind, amount)
            for kind, amount in zip(KINDS, amounts, strict=True)
            if amount
        )


def boxes_of(stakes: Iterable[Stake]) -> tuple[UthBox, ...]:
    """The boxes that single stakes make, in the order of their numbers; a Play placed now makes its
    box a blind-played one.

    Raises KindUnknown, AmountWrong, StakeTwice, BoxShared, TripsWithoutAnte, AnteMissing,
    PlayNotWhole; `check_boxes` does the rest.

    >>> boxes_of([Stake(1, "g1", "blind", 1000), Stake(1, "g1", "ante", 1000)])
    (UthBox(box=1, guest='g1', ante_minor=1000, blind_minor=1000, trips_minor=0, blind_play=0),)
    """
    by_box: dict[int, dict[str, Stake]] = {}
    for stake in stakes:
        _check_stake(stake)
        on_box = by_box.setdefault(stake.box, {})
        if stake.kind in on_box:
            raise StakeTwice(box=stake.box, kind=stake.kind)
        if any(other.guest != stake.guest for other in on_box.values()):
            raise BoxShared(box=stake.box)
        on_box[stake.kind] = stake
    return tuple(_box(number, by_box[number]) for number in sorted(by_box))


def _check_stake(stake: Stake) -> None:
    if stake.kind not in KINDS:
        raise KindUnknown(kind=picture(stake.kind))
    if type(stake.box) is not int or not 1 <= stake.box <= BOXES_MOST:
        raise BoxOutside(layout=BOXES_MOST, box=picture(stake.box))
    if type(stake.amount_minor) is not int or not 0 < stake.amount_minor <= MAXIMUM_MINOR:
        raise AmountWrong(box=stake.box, kind=stake.kind, amount=picture(stake.amount_minor))


def _box(number: int, stakes: dict[str, Stake]) -> UthBox:
    ante, blind, trips, play = (
        stakes[kind].amount_minor if kind in stakes else 0 for kind in KINDS
    )
    if not ante:
        raise TripsWithoutAnte(box=number) if trips else AnteMissing(box=number)
    if play % ante:
        raise PlayNotWhole(box=number, play_minor=play, ante_minor=ante)
    guest = stakes["ante"].guest
    return UthBox(number, guest, ante, blind, trips, play // ante)


def check_boxes(game: UthGame, boxes: Sequence[UthBox], layout: int = BOXES_MOST) -> None:
    """Refuse what may not lie on the boxes at the lock (UTH-2, UTH-3, UTH-7, UTH-8). `layout`: how
    many boxes the table has.

    Raises the refusals of this module, the first one in the order of the boxes given.
    """
    if not boxes:
        raise NoBox
    numbers: set[int] = set()
    seen: dict[str, int] = {}
    for box in boxes:
        _check_place(box, layout, numbers)
        _check_amounts(game.rules, box)
        if box.blind_play:
            check_multiple(game.rules, box.box, box.blind_play)
        elif box.guest in seen:
            raise FurtherBoxSeen(first=seen[box.guest], second=box.box, guest=box.guest)
        else:
            seen[box.guest] = box.box


def check_multiple(rules: UthRules, box: int, multiple: int) -> None:
    """Refuse a Play that no rule allows (UTH-3); raises PlayNotAllowed."""
    if type(multiple) is not int or multiple not in rules.play_multiples:
        allowed = ", ".join(map(str, rules.play_multiples))
        raise PlayNotAllowed(box=box, play=picture(multiple), multiples=allowed)


def _check_place(box: UthBox, layout: int, numbers: set[int]) -> None:
    if type(box.box) is not int or not 1 <= box.box <= min(layout, BOXES_MOST):
        raise BoxOutside(layout=layout, box=picture(box.box))
    if box.box in numbers:
        raise BoxTwice(box=box.box)
    if not isinstance(box.guest, str) or not 1 <= len(box.guest) <= GUEST_LONGEST:
        raise GuestWrong(box=box.box, guest=picture(box.guest))
    numbers.add(box.box)


def _check_amounts(rules: UthRules, box: UthBox) -> None:
    ante, blind, trips = box.ante_minor, box.blind_minor, box.trips_minor
    if type(ante) is not int or type(blind) is not int or type(trips) is not int:
        stakes = {"ante": ante, "blind": blind, "trips": trips}
        kind, amount = next(
            (kind, amount) for kind, amount in stakes.items() if type(amount) is not int
        )
        raise AmountWrong(box=box.box, kind=kind, amount=picture(amount))
    if ante == 0:
        raise TripsWithoutAnte(box=box.box) if trips else AnteMissing(box=box.box)
    if not rules.ante_minimum_minor <= ante <= rules.ante_maximum_minor or ante % rules.stake_step:
        raise _off(rules, box.box, "ante", ante, rules.ante_minimum_minor, rules.ante_maximum_minor)
    if blind != ante:
        raise BlindUnlikeAnte(box=box.box, blind_minor=picture(blind), ante_minor=ante)
    if trips and (
        not rules.trips_minimum_minor <= trips <= rules.trips_maximum_minor
        or trips % rules.stake_step
    ):
        raise _off(
            rules, box.box, "trips", trips, rules.trips_minimum_minor, rules.trips_maximum_minor
        )


def _off(rules: UthRules, box: int, kind: str, amount: int, low: int, high: int) -> UthRefused:
    refusal: UthRefused
    if low <= amount <= high:
        refusal = OffStep(box=box, kind=kind, step_minor=rules.stake_step, amount_minor=amount)
    else:
        refusal = OffLimits(
            box=box, kind=kind, minimum_minor=low, maximum_minor=high, amount_minor=picture(amount)
        )
    refusal.rule = RULE_OF_KIND[kind]
    return refusal
