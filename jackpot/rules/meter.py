"""What the meter shows, what is won, and what the next epoch begins with (PRG-10 to PRG-12)."""

from collections.abc import Sequence
from typing import NamedTuple

from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.split import Award, award, check_amount
from payouts.errors import Refused, mark
from payouts.rules.rulesets.funding import FundingSchedule


class CoinsDiffer(Refused):
    """A funding schedule for another coin than the one that is staked."""

    code = "jackpot.coins_differ"
    rule = "PRG-11"
    sentence = mark("The coin is %(coin_minor)s, but the funding cuts a coin of %(funding_minor)s.")
    remedy = mark("Post a funding schedule for the coin in force.")


class Meter(NamedTuple):
    """A meter's sum, the part that is shown and can be won, and the rest above the cap."""

    sum_minor: int
    shown_minor: int
    overflow_minor: int


class Closing(NamedTuple):
    """One won epoch, in minor units: what goes where. Everything that was there and what the house
    adds is somewhere in it.

    `won_minor` is split into the award's shares and remainder. `carried_minor` is what the meter
    held above `won_minor` and within the cap. `overflow_minor` goes to the reserve, then the next
    seed comes out of it: `seed_from_reserve_minor`, and what is missing from the house.
    `shortfall_minor`: what the house adds because the meter fell below what was shown at the claim.
    """

    won_minor: int
    award: Award
    carried_minor: int
    overflow_minor: int
    shortfall_minor: int
    seed_from_reserve_minor: int
    seed_from_house_minor: int
    new_meter_minor: int
    new_reserve_minor: int


def check_coin(rules: ProgressiveRules, funding: FundingSchedule) -> None:
    """Refuse rules and funding that do not speak of the same coin (PRG-1, PRG-11); raises
    CoinsDiffer.
    """
    if rules.coin_minor != funding.coin_minor:
        raise CoinsDiffer(coin_minor=rules.coin_minor, funding_minor=funding.coin_minor)


def meter(funding: FundingSchedule, sum_minor: int) -> Meter:
    """What a sum shows: never more than the cap; the rest waits for the reserve. Raises
    AmountWrong.

    >>> meter(FundingSchedule(cap_minor=2_000_000), 2_000_100)
    Meter(sum_minor=2000100, shown_minor=2000000, overflow_minor=100)
    """
    check_amount(sum_minor)
    shown = sum_minor if funding.cap_minor is None else min(sum_minor, funding.cap_minor)
    return Meter(sum_minor, shown, sum_minor - shown)


def won_amount(
    rules: ProgressiveRules, *, shown_at_claim_minor: int, shown_at_end_minor: int
) -> int:
    """The amount that is won: what is shown when the last round of the epoch has ended, or what was
    shown at the claim (PRG-12).
    """
    return shown_at_end_minor if rules.award_amount == "epoch_total" else shown_at_claim_minor


def close_epoch(
    rules: ProgressiveRules,
    funding: FundingSchedule,
    winners: Sequence[str],
    *,
    sum_minor: int,
    shown_at_claim_minor: int,
    reserve_minor: int,
    next_funding: FundingSchedule | None = None,
) -> Closing:
    """Split a won meter and begin the next one (PRG-7, PRG-10 to PRG-12).

    `sum_minor`: the meter when the last listed round has ended; `reserve_minor`: what lies in the
    reserve then;
    `next_funding`: the schedule in force from the next epoch, if another one. Raises CoinsDiffer,
    AmountWrong, WinnersWrong, WinnerTwice.
    """
    check_coin(rules, funding)
    check_amount(shown_at_claim_minor)
    check_amount(reserve_minor)
    _, shown, overflow = meter(funding, sum_minor)
    won = won_amount(rules, shown_at_claim_minor=shown_at_claim_minor, shown_at_end_minor=shown)
    carried, shortfall = max(shown - won, 0), max(won - shown, 0)
    given = award(won, winners, rules.payout_unit)
    seed = (next_funding or funding).seed_minor
    from_reserve = min(seed, reserve_minor + overflow)
    return Closing(
        won_minor=won,
        award=given,
        carried_minor=carried,
        overflow_minor=overflow,
        shortfall_minor=shortfall,
        seed_from_reserve_minor=from_reserve,
        seed_from_house_minor=seed - from_reserve,
        new_meter_minor=seed + given.remainder_minor + carried,
        new_reserve_minor=reserve_minor + overflow - from_reserve,
    )
