"""The house's fee from poker pots: posted schedules, the cut off each pot, and the time charge
(RAK-1 to RAK-3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import (
    MAXIMUM_MINOR,
    Advice,
    Posted,
    flag,
    picture,
    several,
    whole,
    wrong,
)

WHOLE_BP = 10_000  # basis points in 100 %
POTS_MOST = 50
PLAYERS_MOST = 50
HALF_HOUR = 30  # minutes
LONGEST_STAY = 14 * 24 * 60  # minutes; nobody sits longer, so more is a slip


class RakeRefused(Refused):
    """A pot, a number of players or a time that cannot be."""

    code = "rake.refused"
    rule = "RAK-3"


class PotWrong(RakeRefused):
    """A pot or a contribution that is no amount."""

    code = "rake.pot_wrong"
    sentence = mark("%(amount)s is not the amount of a pot.")
    remedy = mark("Give each pot, the main pot first, in whole minor units from 0.")


class TooManyPots(RakeRefused):
    """More pots, or players who paid into one, than a table can have."""

    code = "rake.too_many_pots"
    sentence = mark("%(count)s pots are too many.")
    remedy = mark("Give at most 50 pots or players.")


class PlayersWrong(RakeRefused):
    """A number of players dealt in that no table has."""

    code = "rake.players_wrong"
    sentence = mark("%(players)s players cannot be dealt in.")
    remedy = mark("Give the number of players who were dealt cards, from 2 to 50.")


class MinutesWrong(RakeRefused):
    """A length of stay, or a number of half hours paid, that cannot be."""

    code = "rake.minutes_wrong"
    rule = "RAK-2"
    sentence = mark("%(value)s cannot be charged.")
    remedy = mark(
        "Give the minutes since the player sat down and the half hours that they have paid for."
    )


class RakeReason(NamedTuple):
    """Why this fee and no other."""

    code: str
    rule: str
    sentence: str


WALK = RakeReason("rake.walk", "RAK-3", mark("No fee: everybody folded to the blind."))
NO_FLOP = RakeReason("rake.no_flop", "RAK-1", mark("No fee: no flop, no drop."))
SMALL_POT = RakeReason(
    "rake.small_pot", "RAK-1", mark("No fee: the pot is below %(minimum_pot_minor)s.")
)
NO_TIER = RakeReason(
    "rake.no_tier", "RAK-1", mark("No fee is posted for this pot and this number of players.")
)
CAPPED = RakeReason("rake.capped", "RAK-3", mark("The fee is at its cap of %(cap_minor)s."))
PERCENT = RakeReason(
    "rake.percent", "RAK-1", mark("%(percent)s %% of each pot, down to steps of %(step_minor)s.")
)
NO_FLOP_FEE = RakeReason(
    "rake.no_flop_fee", "RAK-1", mark("Without a flop a fixed fee of %(fixed_minor)s.")
)
FIXED = RakeReason("rake.fixed", "RAK-1", mark("A fixed fee of %(fixed_minor)s."))

NOT_BOTH = mark("nothing beside a percentage")
ON_STEP = mark("an amount in steps of %(step)s")
NO_DROP = mark("nothing, as no flop is no drop")
ONE_TIER = mark("one tier for each number of players and size of pot")


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTier(Posted):
    """What is taken when at least so many players were dealt in and the pots together reach so
    much.

    Either `percent_bp` (basis points: 500 = 5 %) or `fixed_minor`, the other zero; `cap_minor`
    bounds the whole hand (None: no cap).
    """

    KIND: ClassVar[str] = "rake_tier"

    players_from: int = whole(2, low=2, high=PLAYERS_MOST)
    pot_from_minor: int = whole(0)
    percent_bp: int = whole(0, high=WHOLE_BP)
    fixed_minor: int = whole(0)
    cap_minor: int | None = whole(None, optional=True)

    def verify(self) -> None:
        """A tier is a percentage or a fixed fee, not both."""
        if self.percent_bp and self.fixed_minor:
            raise wrong("rake_tier.fixed_minor", self.fixed_minor, NOT_BOTH)

    def fee_of(self, pot: int) -> Fraction:
        """What one pot pays before anything is rounded: the fixed fee, or the percentage, up to the
        cap and the pot.
        """
        fee = (
            Fraction(pot * self.percent_bp, WHOLE_BP)
            if self.percent_bp
            else Fraction(self.fixed_minor)
        )
        return min(
            fee, Fraction(pot), *([Fraction(self.cap_minor)] if self.cap_minor is not None else [])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeSchedule(Posted):
    """The posted fee of a game (RAK-1). Of the tiers that apply the one for the most players
    counts, then for the largest pot. `no_flop_minor`: the fee without a flop; None: by the tiers.
    """

    KIND: ClassVar[str] = "rake"
    SCHEMA: ClassVar[int] = 2
    ADDED: ClassVar[Mapping[str, object]] = MappingProxyType({"no_flop_minor": None})

    tiers: tuple[RakeTier, ...] = several(
        RakeTier, (RakeTier(percent_bp=500, cap_minor=1000),), low=1
    )
    step_minor: int = whole(50, low=1)
    no_flop_no_drop: bool = flag(default=True)
    no_flop_minor: int | None = whole(None, low=1, optional=True)
    minimum_pot_minor: int = whole(0)

    def verify(self) -> None:
        """Fixed fees and caps are on the step, and no two tiers begin at the same place."""
        if self.no_flop_minor is not None and self.no_flop_no_drop:
            raise wrong("rake.no_flop_minor", self.no_flop_minor, NO_DROP)
        if (self.no_flop_minor or 0) % self.step_minor:
            raise wrong("rake.no_flop_minor", self.no_flop_minor, ON_STEP, step=self.step_minor)
        for number, tier in enumerate(self.tiers):
            for name in ("fixed_minor", "cap_minor"):
                amount = getattr(tier, name)
                if (amount or 0) % self.step_minor:
                    raise wrong(
                        f"rake.tiers[{number}].{name}", amount, ON_STEP, step=self.step_minor
                    )
        places = [(tier.players_from, tier.pot_from_minor) for tier in self.tiers]
        if len(set(places)) != len(places):
            raise wrong("rake.tiers", places, ONE_TIER)

    def advice(self) -> tuple[Advice, ...]:
        """Warn where a larger pot or a fuller table pays less than by the tier before it, and of a
        rate above 10 %.
        """
        found = []
        ordered = sorted(self.tiers, key=lambda tier: (tier.players_from, tier.pot_from_minor))
        for low, high in pairwise(ordered):
            pot = high.pot_from_minor
            if low.players_from == high.players_from and high.fee_of(pot) < low.fee_of(pot):
                found.append(Advice("rake.falls", mark("A larger pot pays a lower fee."), {}))
        tables = sorted({tier.players_from for tier in self.tiers})
        if any(
            self._fee_of(pot, less) > self._fee_of(pot, more)
            for less, more in pairwise(tables)
            for pot in self.bends()
        ):
            found.append(
                Advice("rake.falls_with_players", mark("A fuller table pays a lower fee."), {})
            )
        if any(tier.percent_bp > WHOLE_BP // 10 for tier in self.tiers):
            found.append(Advice("rake.high", mark("A fee above 10 %% of the pot is unusual."), {}))
        return tuple(found)

    def _fee_of(self, pot: int, players: int) -> Fraction:
        tier = _tier(self, pot, players)
        return tier.fee_of(pot) if tier else Fraction(0)

    def bends(self) -> set[int]:
        """The pots at which a fee takes another course, each with the one before: between two of
        them fees run straight.
        """
        caps = {
            tier.cap_minor * WHOLE_BP // tier.percent_bp + 1
            for tier in self.tiers
            if tier.cap_minor and tier.percent_bp
        }
        bends = {tier.pot_from_minor for tier in self.tiers} | caps | {MAXIMUM_MINOR}
        return {pot for bend in bends for pot in (bend - 1, bend) if pot > 0}


class Rake(NamedTuple):
    """The fee of one hand. `parts` is what comes off each pot, main pot first; `total_minor` is
    their sum.
    """

    total_minor: int
    parts: tuple[int, ...]
    reason: RakeReason
    data: dict[str, object]

    def text(self) -> str:
        """The English sentence that says why."""
        return self.reason.sentence % self.data


def rake(
    schedule: RakeSchedule, pots: Sequence[int], *, players: int, flop: bool, walk: bool = False
) -> Rake:
    """The fee of one hand (RAK-1, RAK-3). Raises PotWrong, TooManyPots, PlayersWrong.

    `pots`: minor units, main pot first, uncalled bets already returned; `players`: dealt in;
    `flop`: a flop was dealt, which a game without one never lacks; `walk`: everybody folded to the
    big blind or the bring-in. It comes off the main pot first, rounded down to the step in
    each pot, never above the cap in all and never above a pot.

    >>> rake(RakeSchedule(), [10_050, 2_000], players=6, flop=True)[:2]
    (600, (500, 100))
    """
    _check_amounts(pots)
    if type(players) is not int or not 2 <= players <= PLAYERS_MOST:
        raise PlayersWrong(players=picture(players))
    nothing = tuple(0 for _ in pots)
    if walk:
        return Rake(0, nothing, WALK, {})
    if schedule.no_flop_no_drop and not flop:
        return Rake(0, nothing, NO_FLOP, {})
    if sum(pots) < schedule.minimum_pot_minor:
        return Rake(0, nothing, SMALL_POT, {"minimum_pot_minor": schedule.minimum_pot_minor})
    if schedule.no_flop_minor is not None and not flop:
        fixed = RakeTier(fixed_minor=schedule.no_flop_minor)
        return _take(fixed, schedule.step_minor, pots)._replace(reason=NO_FLOP_FEE)
    tier = _tier(schedule, sum(pots), players)
    if tier is None:
        return Rake(0, nothing, NO_TIER, {})
    return _take(tier, schedule.step_minor, pots)


def rake_most(schedule: RakeSchedule, *, players: int, flop: bool, walk: bool = False) -> int:
    """The highest fee of a hand, whatever its pot. Raises PlayersWrong.

    >>> rake_most(RakeSchedule(), players=6, flop=True)
    1000
    """
    return max(
        rake(schedule, [pot], players=players, flop=flop, walk=walk).total_minor
        for pot in schedule.bends()
    )


def _tier(schedule: RakeSchedule, total: int, players: int) -> RakeTier | None:
    fitting = [
        tier
        for tier in schedule.tiers
        if tier.players_from <= players and tier.pot_from_minor <= total
    ]
    return max(fitting, key=lambda tier: (tier.players_from, tier.pot_from_minor), default=None)


def _take(tier: RakeTier, step: int, pots: Sequence[int]) -> Rake:
    wanted = [pot * tier.percent_bp // WHOLE_BP for pot in pots] if tier.percent_bp else list(pots)
    left = tier.fixed_minor if not tier.percent_bp else sum(wanted)
    capped = tier.cap_minor is not None and tier.cap_minor < left
    if tier.cap_minor is not None:
        left = min(left, tier.cap_minor)
    parts = []
    for share in wanted:
        part = min(share, left) // step * step
        parts.append(part)
        left -= part
    total = sum(parts)
    if capped and total == tier.cap_minor:
        return Rake(total, tuple(parts), CAPPED, {"cap_minor": total})
    if tier.percent_bp:
        percent = f"{tier.percent_bp // 100}.{tier.percent_bp % 100:02d}"
        return Rake(total, tuple(parts), PERCENT, {"percent": percent, "step_minor": step})
    return Rake(total, tuple(parts), FIXED, {"fixed_minor": tier.fixed_minor})


def _check_amounts(amounts: Sequence[int]) -> None:
    if len(amounts) > POTS_MOST:
        raise TooManyPots(count=len(amounts))
    for amount in amounts:
        if type(amount) is not int or not 0 <= amount <= MAXIMUM_MINOR:
            raise PotWrong(amount=picture(amount))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCharge(Posted):
    """A fee per player and half hour, in advance, in chips (RAK-2), in minor units."""

    KIND: ClassVar[str] = "time_charge"

    half_hour_minor: int = whole(500)


class ChargeDue(NamedTuple):
    """What a player owes now: half hours begun and not paid for, and their price in minor units."""

    half_hours: int
    amount_minor: int


def time_charge(charge: TimeCharge, *, minutes: int, paid: int) -> ChargeDue:
    """What is due from a player who sat down `minutes` ago and has paid for `paid` half hours;
    raises MinutesWrong.

    In advance: the first half hour is due on sitting down, the next one when it begins.

    >>> time_charge(TimeCharge(half_hour_minor=500), minutes=65, paid=1)
    ChargeDue(half_hours=2, amount_minor=1000)
    """
    for value, most in ((minutes, LONGEST_STAY), (paid, LONGEST_STAY // HALF_HOUR + 1)):
        if type(value) is not int or not 0 <= value <= most:
            raise MinutesWrong(value=picture(value))
    due = max(minutes // HALF_HOUR + 1 - paid, 0)
    return ChargeDue(due, due * charge.half_hour_minor)
