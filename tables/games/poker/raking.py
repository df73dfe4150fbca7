"""What a house takes out of the pot of a hand whose pots are not entered (RAK-1, RAK-3)."""

from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.rake import RakeSchedule, rake, rake_most
from payouts.rules.rulesets.schema import MAXIMUM_MINOR
from tables.games.poker.buying import check_chips
from tables.games.poker.rules import PokerGame, PokerRules


class RakingRefused(Refused):
    """A fee that is not taken out of this pot."""

    code = "poker.raking_refused"
    rule = "RAK-3"


class NoRake(RakingRefused):
    """A fee out of a pot at a table that posts none."""

    code = "poker.no_rake"
    rule = "RAK-1"
    sentence = mark("The house takes no fee out of the pots of this table.")
    remedy = mark("Enter the hand without a fee.")


class RakeMissing(RakingRefused):
    """A hand that says neither its fee nor its pot, or what is no amount."""

    code = "poker.rake_missing"
    rule = "RAK-1"
    sentence = mark("What was taken out of the pot is missing, or is no amount.")
    remedy = mark("Enter the fee, or the pot: the schedule then says the fee.")


class RakeOffStep(RakingRefused):
    """A fee that is no multiple of the schedule's step."""

    code = "poker.off_step"
    sentence = mark(
        "A fee of %(rake_minor)s is not in steps of %(step_minor)s; the nearest below is"
        " %(nearest_minor)s."
    )
    remedy = mark("Take the next step below.")


class RakeAboveCap(RakingRefused):
    """More than the schedule gives."""

    code = "poker.rake_above_cap"
    sentence = mark(
        "A fee of %(rake_minor)s is more than the posted schedule gives: at most %(most_minor)s."
    )
    remedy = mark("Take what is posted; what is above it goes back into the pot.")


class RakeOnWalk(RakingRefused):
    """A fee out of a hand that nobody played."""

    code = "poker.rake_on_walk"
    sentence = mark(
        "A fee of %(rake_minor)s, but everybody folded to the blind: none is taken there."
    )
    remedy = mark("Enter the hand without a fee, or as one that was played.")


class RakeWithoutFlop(RakingRefused):
    """A fee out of a hand without a flop, where the schedule takes none."""

    code = "poker.rake_without_flop"
    rule = "RAK-1"
    sentence = mark("A fee of %(rake_minor)s, but there was no flop: none is taken there.")
    remedy = mark("Enter the hand without a fee, or with its flop.")


class RakeAbovePot(RakingRefused):
    """More than lies in the pot."""

    code = "poker.rake_above_pot"
    sentence = mark("A fee of %(rake_minor)s is more than the pot of %(pot_minor)s.")
    remedy = mark("Check the pot.")


class RakeBelow(RakingRefused):
    """Less than posted, in a house that refuses it."""

    code = "poker.rake_below"
    sentence = mark("A fee of %(rake_minor)s is less than the posted %(posted_minor)s.")
    remedy = mark("Take what is posted.")


class Pot(NamedTuple):
    """What is entered of a pot, in minor units: the fee by a key, or the pot, whose fee the
    schedule says; `flop`: dealt, `walk`: everybody folded to the blind.
    """

    rake_minor: int | None = None
    pot_minor: int | None = None
    flop: bool = True
    walk: bool = False


class Fee(NamedTuple):
    """What was taken, and what is posted for it: None where the pot is not known."""

    rake_minor: int
    posted_minor: int | None


def fee_of(
    game: PokerGame, house: PokerRules, schedule: RakeSchedule | None, pot: Pot, *, players: int
) -> Fee:
    """The fee of a hand; less than posted is taken where the house books the gap (`rake_gap`).

    Raises NoRake, RakeMissing, ChipsAmountRefused, OffChip, RakeAbovePot, RakeOnWalk,
    RakeWithoutFlop, RakeAboveCap, RakeBelow, RakeOffStep.

    >>> fee_of(PokerGame(), PokerRules(), RakeSchedule(), Pot(pot_minor=12_000), players=6)
    Fee(rake_minor=600, posted_minor=600)
    """
    if schedule is None:
        if pot.rake_minor or pot.pot_minor is not None:
            raise NoRake
        return Fee(0, None)
    if pot.rake_minor is not None:
        _check_whole(pot.rake_minor)
    if pot.pot_minor is None:
        if pot.rake_minor is None:
            raise RakeMissing
        most = rake_most(schedule, players=players, flop=pot.flop, walk=pot.walk)
        _check_most(pot, pot.rake_minor, most)
        _check_step(schedule, pot.rake_minor)
        return Fee(pot.rake_minor, None)
    pot_minor = check_chips(game, pot.pot_minor)
    by_schedule = rake(schedule, [pot_minor], players=players, flop=pot.flop, walk=pot.walk)
    posted = by_schedule.total_minor
    fee_minor = posted if pot.rake_minor is None else pot.rake_minor
    if fee_minor > pot_minor:
        raise RakeAbovePot(rake_minor=fee_minor, pot_minor=pot_minor)
    _check_most(pot, fee_minor, posted)
    if fee_minor < posted and house.rake_gap == "refused":
        raise RakeBelow(rake_minor=fee_minor, posted_minor=posted)
    _check_step(schedule, fee_minor)
    return Fee(fee_minor, posted)


def _check_whole(rake_minor: object) -> None:
    if type(rake_minor) is not int or not 0 <= rake_minor <= MAXIMUM_MINOR:
        raise RakeMissing


def _check_step(schedule: RakeSchedule, rake_minor: int) -> None:
    step = schedule.step_minor
    if over := rake_minor % step:
        nearest = rake_minor - over
        raise RakeOffStep(rake_minor=rake_minor, step_minor=step, nearest_minor=nearest)


def _check_most(pot: Pot, rake_minor: int, most_minor: int) -> None:
    if rake_minor and not most_minor and pot.walk:
        raise RakeOnWalk(rake_minor=rake_minor)
    if rake_minor and not most_minor and not pot.flop:
        raise RakeWithoutFlop(rake_minor=rake_minor)
    if rake_minor > most_minor:
        raise RakeAboveCap(rake_minor=rake_minor, most_minor=most_minor)
