"""What may be staked on a box: minimum, box maximum and steps of a table (BOX-3, BOX-4).

A game's own limits are among its rules (`tables/games/uth/rules.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import (
    MAXIMUM_MINOR,
    Posted,
    choice,
    picture,
    several,
    whole,
    wrong,
)


class LimitRefused(Refused):
    """A stake that the table does not take."""

    code = "box.limit_refused"
    rule = "BOX-4"


class AmountWrong(LimitRefused):
    """An amount that is no amount."""

    code = "box.amount_wrong"
    sentence = mark("%(amount)s is not an amount to stake.")
    remedy = mark("Give whole minor units, more than nothing.")


class BelowMinimum(LimitRefused):
    """A stake, or with `minimum_per = box` a box, below the table's minimum."""

    code = "box.below_minimum"
    sentence = mark("At least %(minimum_minor)s: %(amount_minor)s is too little.")
    remedy = mark("Raise the stake to the minimum or take it back.")


class OffStep(LimitRefused):
    """A stake that is not in the table's steps."""

    code = "box.off_step"
    sentence = mark("Only in steps of %(step_minor)s: %(amount_minor)s does not fit.")
    remedy = mark("Change the stake to the nearest step.")


BANDS = mark("steps that rise from 0 up to the maximum at most")
AT_MOST = mark("at most the maximum, %(high)s")
ON_STEP = mark("an amount on the table's step")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBand(Posted):
    """From this amount on, stakes come in multiples of `step_minor`."""

    KIND: ClassVar[str] = "step_band"

    from_minor: int = whole(0)
    step_minor: int = whole(low=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxLimits(Posted):
    """The limits of a table whose boxes several players may share.

    `minimum_per`: whether the minimum binds each stake or the box (BOX-4, Open). `prime_partial`:
    whether a stake that fits only in part is cut down or goes back whole (PRM-3, Open).
    """

    KIND: ClassVar[str] = "box_limits"

    minimum_minor: int = whole(low=1)
    maximum_minor: int = whole(low=1)
    steps: tuple[StepBand, ...] = several(StepBand, low=1)
    minimum_per: str = choice("stake", "box", default="stake")
    prime_partial: str = choice("cut", "return_whole", default="cut")

    def verify(self) -> None:
        """Bands rise from zero, the last below the maximum; minimum and maximum are themselves on
        the step.
        """
        starts = [band.from_minor for band in self.steps]
        if starts[0] or starts != sorted(set(starts)) or starts[-1] > self.maximum_minor:
            raise wrong("box_limits.steps", starts, BANDS)
        if self.minimum_minor > self.maximum_minor:
            raise wrong(
                "box_limits.minimum_minor", self.minimum_minor, AT_MOST, high=self.maximum_minor
            )
        for name in ("minimum_minor", "maximum_minor"):
            if self.step_at(getattr(self, name)) is not None:
                raise wrong(f"box_limits.{name}", getattr(self, name), ON_STEP)

    def step_at(self, amount_minor: int) -> int | None:
        """The step that the amount breaks, in minor units, or None when it is on step."""
        band = next(band for band in reversed(self.steps) if band.from_minor <= amount_minor)
        return band.step_minor if amount_minor % band.step_minor else None

    def largest_fitting(self, room_minor: int) -> int:
        """The largest amount on step that is not above `room_minor`; 0 when none is (PRM-3).

        >>> twenty_table(50_000).largest_fitting(4_900), twenty_table(50_000).largest_fitting(5_900)
        (4000, 5000)
        """
        for band in reversed(self.steps):
            fitting = room_minor // band.step_minor * band.step_minor
            if fitting >= max(band.from_minor, 1):
                return fitting
            room_minor = min(room_minor, band.from_minor - 1)
        return 0


def ten_table(maximum_minor: int, unit_minor: int = 100) -> BoxLimits:
    """A 10-table: at least 10, in multiples of 10 (BOX-4). `unit_minor`: minor units in the
    currency's unit.
    """
    return BoxLimits(
        minimum_minor=10 * unit_minor,
        maximum_minor=maximum_minor,
        steps=_bands((0, 10), unit=unit_minor),
    )


def twenty_table(maximum_minor: int, unit_minor: int = 100) -> BoxLimits:
    """A 20-table: at least 20, in multiples of 20 below 50 and of 10 from 50 up (BOX-4)."""
    steps = _bands((0, 20), (50, 10), unit=unit_minor)
    return BoxLimits(minimum_minor=20 * unit_minor, maximum_minor=maximum_minor, steps=steps)


def fifty_table(
    maximum_minor: int, minimum_minor: int | None = None, unit_minor: int = 100
) -> BoxLimits:
    """A 50-table or higher: at least 50 (or the higher posted minimum), in multiples of 50
    (BOX-4)."""
    minimum = 50 * unit_minor if minimum_minor is None else minimum_minor
    return BoxLimits(
        minimum_minor=minimum, maximum_minor=maximum_minor, steps=_bands((0, 50), unit=unit_minor)
    )


def check_stake(limits: BoxLimits, amount_minor: int) -> None:
    """Refuse an amount that may not be staked on a box; the box maximum is the prime rule's
    business (BOX-3, PRM-1).

    Raises AmountWrong, BelowMinimum (with `minimum_per = stake`), OffStep.
    """
    check_amount(amount_minor)
    if limits.minimum_per == "stake" and amount_minor < limits.minimum_minor:
        raise BelowMinimum(amount_minor=amount_minor, minimum_minor=limits.minimum_minor)
    step = limits.step_at(amount_minor)
    if step is not None:
        raise OffStep(amount_minor=amount_minor, step_minor=step)


def check_box_minimum(limits: BoxLimits, amounts_minor: Sequence[int]) -> None:
    """Refuse a box whose stakes together stay below the minimum (BOX-4 with `minimum_per = box`).

    Raises AmountWrong, BelowMinimum.
    """
    for amount in amounts_minor:
        check_amount(amount)
    total = sum(amounts_minor)
    if limits.minimum_per == "box" and total < limits.minimum_minor:
        raise BelowMinimum(amount_minor=total, minimum_minor=limits.minimum_minor)


def check_amount(amount_minor: int) -> None:
    """Refuse what is no amount to stake; raises AmountWrong."""
    if type(amount_minor) is not int or not 0 < amount_minor <= MAXIMUM_MINOR:
        raise AmountWrong(amount=picture(amount_minor))


def _bands(*bands: tuple[int, int], unit: int) -> tuple[StepBand, ...]:
    return tuple(StepBand(from_minor=start * unit, step_minor=step * unit) for start, step in bands)
